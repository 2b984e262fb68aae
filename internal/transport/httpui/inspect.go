package httpui

import (
	"net/http"
	"strconv"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui"
)

// inspect answers with what a person sees, as text for an agent.
func (h *mcpHandler) inspect(w http.ResponseWriter, r *http.Request) {
	what := ui.Inspection{Path: r.URL.Query().Get("path")}
	for name, to := range map[string]*int{"depth": &what.Depth, "max_tokens": &what.Tokens} {
		if err := numberOf(r, name, to); err != nil {
			writeError(w, err)
			return
		}
	}
	text, err := h.app.Inspect(r.Context(), sessionOf(r), what)
	h.answer(w, r, "text/plain; charset=utf-8", []byte(text), err)
}

// numberOf reads a parameter that is a whole number into to. A missing one leaves it unchanged.
func numberOf(r *http.Request, name string, to *int) error {
	query := r.URL.Query()
	if !query.Has(name) {
		return nil
	}
	n, err := strconv.Atoi(query.Get(name))
	if err != nil {
		return fault.New(fault.Invalid, "%s must be a whole number, not %q", name, query.Get(name))
	}
	*to = n
	return nil
}
