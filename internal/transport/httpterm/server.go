package httpterm

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/errcode"
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
func (h handler) on(name string) (terminals.Terminals, error) {
	if name == "" {
		return h.terminals, nil
	}
	t, err := terminals.OnServer(h.terminals, name)
	if err != nil {
		return nil, err
	}
	return named{t}, nil
}

// named is the terminals of a server that a request names. Clients that do so know the code of the
// known server for one that cannot be reached.
type named struct{ terminals.Terminals }

// Do implements [terminals.Doer].
func (n named) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	err := n.Terminals.Do(ctx, by, o, in, out)
	if fault.DetailOf(err) == terminals.HostAway {
		return coded{err, http.StatusServiceUnavailable, errcode.Stopping}
	}
	return err
}

// read decodes a request into the operation's input, and returns the terminals that it is meant
// for.
func (h handler) read(r *http.Request, in any) (terminals.Terminals, error) {
	inBody, failed := h.decode(r, in)
	t, err := h.on(cmp.Or(server(r), inBody))
	switch {
	case err != nil:
		return nil, err
	case failed != nil:
		return nil, unlessUnknown(t, r, failed)
	}
	return t, nil
}
