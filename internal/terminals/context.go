package terminals

import "context"

type grantKey struct{}

// NewContext returns a context for the requests of a caller with the given grant. The server's
// access control ends it, with a cause, when the grant is withdrawn or expires: connections and
// waits of that caller must end then.
func NewContext(ctx context.Context, by Grant) context.Context {
	return context.WithValue(ctx, grantKey{}, by)
}

// FromContext returns the grant of the caller whose request has this context. Without one it
// returns the zero Grant, which allows nothing.
func FromContext(ctx context.Context) Grant {
	by, _ := ctx.Value(grantKey{}).(Grant)
	return by
}
