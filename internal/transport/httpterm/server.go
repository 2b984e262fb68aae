package httpterm

import (
	"cmp"
	"net/http"
	"strings"

	"ui-mcp/internal/terminals"
)

// server returns the server that a request's query names, or "".
func server(r *http.Request) string {
	if !strings.Contains(r.URL.RawQuery, "server") { // and parsing takes longer
		return ""
	}
	return r.URL.Query().Get("server")
}

// on returns the terminals of the server that a request names, on which names of sessions are
// plain, or all terminals if it names none. Carried out on those, the request could read or change
// a session of another machine that happens to have the same name.
func (h *handler) on(name string) (terminals.Terminals, error) {
	if name == "" {
		return h.terminals, nil
	}
	h.named = true
	return terminals.OnServer(h.terminals, name)
}

// read decodes a request into the operation's input, and returns the terminals that it is meant
// for.
func (h *handler) read(r *http.Request, in any) (terminals.Terminals, error) {
	inBody, failed := h.decode(r, in)
	t, err := h.on(cmp.Or(server(r), inBody))
	switch {
	case err != nil:
		return nil, err
	case failed != nil:
		return nil, terminals.UnlessUnknown(r.Context(), t, terminals.FromContext(r.Context()), r.PathValue("name"), failed)
	}
	return t, nil
}
