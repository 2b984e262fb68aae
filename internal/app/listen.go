package app

import (
	"net"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/listen"
)

// OpenPort opens a port on the loopback interface: the given one, or if that is 0 the previous one
// when it is free, or else any. flag is how the person chooses the port.
func OpenPort(port, previous int, flag string) (net.Listener, error) {
	if port == 0 && previous != 0 {
		if l, err := listen.Loopback(previous); err == nil {
			return l, nil
		}
	}
	l, err := listen.Loopback(port)
	switch {
	case err == nil:
		return l, nil
	case port == 0:
		return nil, fault.Wrap(fault.Exhausted, err, "no port can be opened")
	case listen.IsInUse(err):
		return nil, fault.New(fault.Precondition, "port %d is in use: choose another one with %s, or 0 for any", port, flag)
	}
	return nil, fault.Wrap(fault.Precondition, err, "port %d cannot be opened: choose another one with %s, or 0 for any", port, flag)
}
