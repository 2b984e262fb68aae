package reach

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/client"
	"ui-mcp/internal/transport/remote"
)

func cleanHTTP(u *url.URL) (string, error) {
	ip, notIP := netip.ParseAddr(u.Hostname())
	switch {
	case u.User != nil:
		return "", fault.New(fault.Invalid, "an address of HTTP has no user: give the token apart from it")
	case !hostPattern().MatchString(u.Hostname()):
		return "", fault.New(fault.Invalid, "%q is no name or address of a host", u.Hostname())
	case notIP == nil && ip.IsUnspecified():
		return "", fault.New(fault.Invalid, "%s is every address of a host, and not one to connect to: use 127.0.0.1, or the other host's address", ip)
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.Opaque != "":
		return "", fault.New(fault.Invalid, "an address of HTTP is http://HOST:PORT or https://HOST:PORT, and the path below which the server answers, if there is one")
	}
	return u.Scheme + "://" + strings.ToLower(u.Host) + strings.TrimRight(u.EscapedPath(), "/"), nil
}

// dialTime is how long it may take to connect.
const dialTime = 10 * time.Second

// dialHTTP returns terminals whose client opens connections as they are needed.
func (d *Dialer) dialHTTP(u *url.URL, token string) fleet.Remote {
	if ip, err := netip.ParseAddr(u.Hostname()); token != "" && u.Scheme == "http" && u.Hostname() != "localhost" && (err != nil || !ip.IsLoopback()) {
		if _, said := d.warned.LoadOrStore(u.String(), true); !said {
			d.Log.Warn("the token and what is typed cross the network unencrypted: use https:// or ssh://", "address", u.String())
		}
	}
	l := &httpRemote{name: u.Host}
	l.Terminals = remote.New(u.Host, client.Options{
		Host: u.Host + u.EscapedPath(), Dial: d.connection(u), Allow: l.allow, Decode: l.decode,
		Silent: func() error {
			return fault.With(terminals.HostSilent, fault.New(fault.Unreachable, "%s does not answer any more, and what was asked may have been done", u.Host))
		},
		Prepare: func(r *http.Request, _ terminals.Grant) error {
			if token != "" {
				r.Header.Set("Authorization", "Bearer "+token)
			}
			if name := l.itself.Load(); name != nil {
				query := r.URL.Query()
				query.Set("server", *name)
				r.URL.RawQuery = query.Encode()
			}
			return nil
		},
	})
	return l
}

// connection returns how to connect to the server at an address.
func (d *Dialer) connection(u *url.URL) func(context.Context) (net.Conn, error) {
	// A host that has vanished from the network is noticed while a call waits.
	plain := &net.Dialer{Timeout: dialTime, KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 5 * time.Second, Count: 3}}
	dial, port := plain.DialContext, "80"
	if u.Scheme == "https" {
		dial, port = (&tls.Dialer{NetDialer: plain, Config: &tls.Config{RootCAs: d.roots}}).DialContext, "443"
	}
	address := net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), port))
	return func(ctx context.Context) (net.Conn, error) {
		conn, err := dial(ctx, "tcp", address)
		if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
			err = op.Err
		}
		if err != nil {
			return nil, remote.Away("no connection to %s: %v", u.Host, err)
		}
		return conn, nil
	}
}

// A httpRemote is another server's HTTP interface. The other server knows only what the token
// allows.
type httpRemote struct {
	*remote.Terminals
	name string
	// itself is what a server calls itself that knows others, too: it must not ask those.
	itself atomic.Pointer[string]
	claims atomic.Bool // it has said that it applies what is said of a caller
}

// allow returns an error for a caller whose limits an older server would not apply.
func (l *httpRemote) allow(by terminals.Grant, _ *terminals.Operation) error {
	limited := by.Sessions != nil || by.Tags != nil || by.Confirm != nil || by.OwnConfirm != nil
	if limited && !l.claims.Load() {
		return fault.With(terminals.NotAllowed, fault.New(fault.Precondition, "%s has not said that it applies the limits of your rights: it may be of an older version", l.name))
	}
	return nil
}

func (l *httpRemote) decode(o *terminals.Operation, answer []byte, out any) error {
	err := remote.Decode(o, answer, out)
	if info, ok := out.(*terminals.ServerInfo); ok && err == nil {
		l.claims.Store(slices.Contains(info.Features, terminals.Claims))
		if slices.Contains(info.Features, terminals.ListServers.Name) {
			l.itself.Store(&info.Hostname)
		}
	}
	return err
}
