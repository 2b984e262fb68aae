package wire

import "strings"

// HostOf returns the other server that a session's name or ID is of, as in HOST/NAME, or "" for one
// of the server's own.
func HostOf(session string) string {
	return session[:max(strings.IndexByte(session, '/'), 0)]
}
