package gate

import (
	"fmt"
	"net/http"

	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/httpserve"
)

// limitBody wraps a handler that takes bodies of at most limit bytes. Longer ones are refused with
// 413 if they declare their length; otherwise reading them fails with an [http.MaxBytesError].
func (g *gate) limitBody(next http.Handler, limit int64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > limit {
			w.Header().Set("Connection", "close") // the rest of the body is not worth keeping
			if r.Header.Get("Expect") == "" {
				httpserve.Discard(r.Body, maxDiscard)
			}
			g.refuse(w, r, refusal{http.StatusRequestEntityTooLarge, errcode.InvalidRequest, fmt.Sprintf("The body is too long: at most %d bytes are taken.", limit)})
			return
		}
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		rest := r.Body
		r.Body = http.MaxBytesReader(w, rest, limit)
		next.ServeHTTP(w, r)
		if r.ContentLength < 0 { // there may be more than the handler could read
			httpserve.Discard(rest, maxDiscard)
		}
	})
}

// maxDiscard is how much of a body that is too long is read, in bytes. A client that is cut off
// while it sends may never see the answer that says why.
const maxDiscard = 64 << 20
