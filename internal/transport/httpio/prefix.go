package httpio

import "context"

type prefixKey struct{}

// WithPrefix returns the context of a request from whose path a prefix was removed, such as "/wsh".
func WithPrefix(ctx context.Context, prefix string) context.Context {
	if prefix == "" {
		return ctx
	}
	return context.WithValue(ctx, prefixKey{}, prefix)
}

// Prefix returns what stands before a request's path in the URLs that clients use, or "". Redirects
// and documents put it before the server's own paths.
func Prefix(ctx context.Context) string {
	prefix, _ := ctx.Value(prefixKey{}).(string)
	return prefix
}
