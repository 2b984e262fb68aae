package httpui

import (
	"io"
	"net/http"
	"strconv"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui"
)

// MaxBody bounds the bodies of requests to the UI port, in bytes.
const MaxBody = ui.MaxUpload

// upload takes one file, which is the body. The query says which binding of the page it is for, as
// an event does, and what the file is called.
func (h *uiHandler) upload(w http.ResponseWriter, r *http.Request, id string) {
	err := h.receive(r, id)
	if err == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if r.Context().Err() == nil {
		h.log.Warn("an upload has failed", "session", id, "error", err)
		_, _ = io.Copy(io.Discard, r.Body) // a browser that still sends may not see the answer
	}
	writeError(w, err)
}

func (h *uiHandler) receive(r *http.Request, id string) error {
	if r.ContentLength < 0 {
		return fault.New(fault.Invalid, "an upload says its length")
	}
	query := r.URL.Query()
	var bad error
	number := func(key string) int64 {
		n, err := strconv.ParseInt(query.Get(key), 10, 64)
		if bad == nil && (err != nil || n < 0) {
			bad = fault.New(fault.Invalid, "%s must be a whole number from 0 on, not %q", key, query.Get(key))
		}
		return n
	}
	what := ui.Sending{
		Instance: number("instance"), Slot: int(number("slot")), Epoch: query.Get("epoch"), Seen: number("seq"),
		Name: query.Get("name"), Type: query.Get("type"), Size: r.ContentLength,
	}
	if bad != nil {
		return bad
	}
	session, err := h.sessions(r.Context(), id)
	if err != nil {
		return err
	}
	return session.Upload(r.Context(), what, r.Body)
}
