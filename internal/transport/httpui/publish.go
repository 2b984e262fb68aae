package httpui

import (
	"net/http"

	"ui-mcp/internal/transport/httpio"
)

// maxPublished bounds one published value, in bytes.
const maxPublished = 1 << 20

// publish answers {"listeners": n}.
func (h *mcpHandler) publish(w http.ResponseWriter, r *http.Request) {
	body, problem := httpio.ReadJSON(w, r, maxPublished)
	if problem != nil {
		httpio.WriteError(w, problem.Status, problem.Text)
		return
	}
	n, err := h.app.Publish(r.PathValue("topic"), body)
	if err != nil {
		fail(w, r, err)
		return
	}
	httpio.WriteJSON(w, http.StatusOK, map[string]int{"listeners": n})
}
