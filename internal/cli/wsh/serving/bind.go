package serving

import (
	"context"
	"net"
	"net/netip"
	"strconv"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/listen"
)

// bind opens the server's TCP port. 127.0.0.1 and localhost stand for both families of the
// loopback. If the port is in use, anyPort says to take any that is free.
func bind(ctx context.Context, address string, anyPort bool) (net.Listener, error) {
	host, service, err := net.SplitHostPort(address)
	port := 0
	if err == nil {
		port, err = net.DefaultResolver.LookupPort(ctx, "tcp", service)
	}
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "--bind wants an address and a port, such as 127.0.0.1:8080")
	}
	l, err := open(ctx, host, port)
	if err != nil && anyPort && listen.IsInUse(err) {
		l, err = open(ctx, host, 0)
	}
	switch {
	case err == nil:
		return l, nil
	case listen.IsInUse(err):
		return nil, fault.New(fault.Exists, "%s is in use: choose another port with --bind, or 0 for any", address)
	}
	return nil, fault.Wrap(fault.Precondition, err, "listen on %s", address)
}

func open(ctx context.Context, host string, port int) (net.Listener, error) {
	if host == "127.0.0.1" || host == "localhost" {
		return listen.Loopback(port)
	}
	network := "tcp"
	if a, err := netip.ParseAddr(host); err == nil && a.Is4() {
		network = "tcp4" // else 0.0.0.0 would stand for all IPv6 addresses, too
	}
	return new(net.ListenConfig).Listen(ctx, network, net.JoinHostPort(host, strconv.Itoa(port)))
}

// reachable returns the address at which programs of this machine reach a listener.
func reachable(a net.Addr) string {
	address, err := netip.ParseAddrPort(a.String())
	if err != nil || !address.Addr().Unmap().IsUnspecified() {
		return a.String()
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(int(address.Port())))
}
