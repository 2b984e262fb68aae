package httpterm

import (
	"fmt"
	"net/http"
	"path"
)

// A router is a mux whose own errors are JSON, too: an unknown path, and a path without the method.
// It reports a path that is not in its shortest form as unknown, where the mux would redirect.
type router struct{ mux *http.ServeMux }

func (m router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h, pattern := m.mux.Handler(r)
	if pattern != "" && (path.Clean(r.URL.Path) == r.URL.Path || pattern == pagePattern) {
		m.mux.ServeHTTP(w, r)
		return
	}
	if pattern == "" {
		var header headerOnly
		h.ServeHTTP(&header, r)
		if allow := header.header.Get("Allow"); allow != "" {
			w.Header().Set("Allow", allow)
			writeError(w, http.StatusMethodNotAllowed, "method_not_allowed", fmt.Sprintf("%s takes %s, not %s", r.URL.Path, allow, r.Method))
			return
		}
	}
	writeError(w, http.StatusNotFound, "not_found", "there is nothing at "+r.URL.Path)
}

// headerOnly keeps the header of a response and drops the rest.
type headerOnly struct{ header http.Header }

func (s *headerOnly) Header() http.Header {
	if s.header == nil {
		s.header = http.Header{}
	}
	return s.header
}

func (*headerOnly) Write(b []byte) (int, error) { return len(b), nil }
func (*headerOnly) WriteHeader(int)             {}
