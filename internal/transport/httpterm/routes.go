package httpterm

import (
	"fmt"
	"net/http"
	"path"
)

// routes answers what has no route in the form of all other errors, where the mux
// would send text: an unknown path, a path that has no such method, and one that is
// not written in its shortest form, which the mux would redirect.
type routes struct{ mux *http.ServeMux }

func (m routes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h, pattern := m.mux.Handler(r)
	if pattern != "" && path.Clean(r.URL.Path) == r.URL.Path {
		m.mux.ServeHTTP(w, r)
		return
	}
	if pattern == "" {
		var said silent
		h.ServeHTTP(&said, r)
		if allow := said.header.Get("Allow"); allow != "" {
			w.Header().Set("Allow", allow)
			writeError(w, http.StatusMethodNotAllowed, "method_not_allowed", fmt.Sprintf("%s takes %s, not %s", r.URL.Path, allow, r.Method))
			return
		}
	}
	writeError(w, http.StatusNotFound, "not_found", "there is nothing at "+r.URL.Path)
}

// silent keeps the header of an answer and drops the rest.
type silent struct{ header http.Header }

func (s *silent) Header() http.Header {
	if s.header == nil {
		s.header = http.Header{}
	}
	return s.header
}

func (*silent) Write(b []byte) (int, error) { return len(b), nil }
func (*silent) WriteHeader(int)             {}
