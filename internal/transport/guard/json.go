package guard

import (
	"net/http"

	"ui-mcp/internal/transport/httpio"
)

// RequireJSON wraps a handler that reads a JSON body: a POST, PUT or PATCH, and any request with a
// body, must say Content-Type: application/json, in UTF-8. Others are refused with 415. That
// excludes the types that a form on a page can send without asking.
func (refuse Refuser) RequireJSON(next http.Handler) http.Handler {
	if next == nil {
		panic("guard: nil handler")
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if carriesBody(r) && !httpio.IsJSON(r.Header.Get("Content-Type")) {
			refuse(w, r, Refusal{http.StatusUnsupportedMediaType, NotJSON, "The body must be JSON: send Content-Type: application/json."})
			return
		}
		next.ServeHTTP(w, r)
	})
}

func carriesBody(r *http.Request) bool {
	switch r.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
		return true
	}
	return r.ContentLength != 0
}
