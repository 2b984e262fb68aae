package httpui

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"ui-mcp/internal/fault"
)

// maxPublished bounds what can be published at once, in bytes.
const maxPublished = 1 << 20

// publish answers {"listeners": n}.
func (h *mcpHandler) publish(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxPublished))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		writeJSONError(w, http.StatusRequestEntityTooLarge, "what is published may have at most 1 MiB")
		return
	}
	if err != nil {
		fail(w, r, fault.Wrap(fault.Invalid, err, "the body broke off"))
		return
	}
	n, err := h.app.Publish(r.PathValue("topic"), body)
	if err != nil {
		fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]int{"listeners": n}) // a client that has gone needs no answer
}
