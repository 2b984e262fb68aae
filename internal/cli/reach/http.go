package reach

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
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
	"ui-mcp/internal/fleet/remote"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/client"
	"ui-mcp/internal/transport/socketwire"
)

// cleanHTTP returns an address of HTTP as it is kept.
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

// dialHTTP returns a link that opens connections as they are needed.
func (d *Dialer) dialHTTP(u *url.URL, token string) fleet.Link {
	if ip, err := netip.ParseAddr(u.Hostname()); token != "" && u.Scheme == "http" && u.Hostname() != "localhost" && (err != nil || !ip.IsLoopback()) {
		if _, said := d.warned.LoadOrStore(u.String(), true); !said {
			d.Log.Warn("the token and what is typed cross the network unencrypted: use https:// or ssh://", "address", u.String())
		}
	}
	l := &httpLink{name: u.Host}
	l.Client = client.New(client.Options{
		Host: u.Host + u.EscapedPath(), Dial: d.connection(u), Allow: l.allow, Limit: remote.LimitOf, Decode: l.decode, Broken: l.broken,
		Silent: func() error {
			return l.silent("%s does not answer any more, and what was asked may have been done", l.name)
		},
		Prepare: func(r *http.Request) {
			if token != "" {
				r.Header.Set("Authorization", "Bearer "+token)
			}
			if name := l.itself.Load(); name != nil {
				query := r.URL.Query()
				query.Set("server", *name)
				r.URL.RawQuery = query.Encode()
			}
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
			return nil, away("no connection to %s: %v", u.Host, err)
		}
		return conn, nil
	}
}

// A httpLink is another server's HTTP interface. The other server knows only what the token allows.
type httpLink struct {
	*client.Client
	name string
	// itself is what a server calls itself that knows others, too: it must not ask those.
	itself atomic.Pointer[string]
}

var (
	_ fleet.Link         = (*httpLink)(nil)
	_ attachedterm.Relay = (*httpLink)(nil)
)

// Close implements [fleet.Link].
func (l *httpLink) Close() { l.Client.Close(l.broken(net.ErrClosed)) }

func (l *httpLink) silent(format string, args ...any) error {
	return fault.With(terminals.HostSilent, fault.New(fault.Unreachable, format, args...))
}

func (l *httpLink) broken(err error) error {
	return l.silent("the connection to %s has ended, and what was asked may have been done: %v", l.name, err)
}

// allow returns an error for what a caller may do with some sessions, or with permission only: that
// cannot be passed on. A token would stay valid there when the caller's own is withdrawn.
func (l *httpLink) allow(by terminals.Grant, o *terminals.Operation) error {
	refuse := func(format string) error {
		return fault.With(terminals.NotAllowed, fault.New(fault.Precondition, format, l.name))
	}
	held := by.Confirm != nil || by.OwnConfirm != nil
	switch {
	case by.Sessions != nil || by.Tags != nil:
		return refuse("%s is reached over HTTP, where the rights to some sessions cannot be checked: add the server with ssh://")
	case held && (o.Right&(terminals.Type|terminals.Manage) != 0 || by.Guest):
		return refuse("%s is reached over HTTP, where nobody can be asked for permission: add the server with ssh://")
	case o == &terminals.CreateToken.Operation && (by.Token != "" || held):
		return refuse("a token issues tokens of its own server only, not of %s")
	}
	return nil
}

func (l *httpLink) decode(o *terminals.Operation, answer []byte, out any) error {
	err := remote.Decode(o, answer, out)
	if info, ok := out.(*terminals.ServerInfo); ok && err == nil && slices.Contains(info.Features, terminals.ListServers.Name) {
		l.itself.Store(&info.Hostname)
	}
	return err
}

// Relay implements [attachedterm.Relay].
func (l *httpLink) Relay(ctx context.Context, conn attachedterm.Conn, first socketwire.Frame, o attachedterm.Options) error {
	request := map[string]any{}
	if err := first.Decode(&request); err != nil {
		return err
	}
	session := strings.TrimPrefix(o.Session, o.Prefix)
	if first.Kind == socketwire.CreateSession {
		s, err := l.create(ctx, first, o)
		if err != nil {
			return err
		}
		session = s.ID
		request = map[string]any{"name": s.ID, "rows": request["rows"], "cols": request["cols"], "client": request["client"], "ended": true}
	}
	// The right to answer and to type is the caller's, too, not only the token's.
	if form, ok := request["client"].(map[string]any); ok {
		if o.By.Check(terminals.FollowQuestions) != nil {
			form["questions"] = false
		}
		if o.By.Rights&terminals.Type == 0 {
			form["read_only"] = true
		}
	}
	content, err := json.Marshal(request)
	if err != nil {
		return err
	}
	there, err := l.Attach(ctx, o.By, session, o.Prefix, socketwire.Frame{Kind: socketwire.AttachSession, Content: content})
	if err != nil {
		return err
	}
	f := frames{there, l}
	defer f.Stop()
	answer, err := f.Receive(ctx)
	if err != nil {
		return err
	}
	remote.Pass(ctx, conn, o.Host, first, answer, f)
	return nil
}

// create creates the session that a first frame asks for. Its terminal has the rows that it leaves.
func (l *httpLink) create(ctx context.Context, first socketwire.Frame, o attachedterm.Options) (wire.Session, error) {
	var in struct {
		terminals.NewSession
		Client struct {
			ShowAgent bool `json:"show_agent"`
			Bar       bool
		}
	}
	if err := first.Decode(&in); err != nil {
		return wire.Session{}, err
	}
	in.Name = strings.TrimPrefix(in.Name, o.Prefix)
	if in.Rows != nil {
		*in.Rows -= term.ViewerOptions{ShowAgent: in.Client.ShowAgent, Bar: in.Client.Bar}.TakenRows(*in.Rows)
	}
	return terminals.CreateSession.Do(ctx, l, o.By, in.NewSession)
}

// frames implements [remote.Frames].
type frames struct {
	*client.Attached
	link *httpLink
}

// Receive implements [remote.Frames].
func (f frames) Receive(ctx context.Context) ([]byte, error) {
	m, err := f.Read(ctx)
	switch _, known := errors.AsType[*fault.Error](err); {
	case err == io.EOF:
		return nil, remote.ErrEnded
	case err != nil && !known:
		return nil, f.link.broken(err)
	}
	return m.Message(), err
}

// Send implements [remote.Frames].
func (f frames) Send(message []byte) error {
	m := socketwire.Frame{Kind: socketwire.Detach}
	if len(message) > 0 {
		m = socketwire.Frame{Kind: socketwire.Kind(message[0]), Content: message[1:]}
	}
	return f.Write(context.Background(), m)
}

// Stop implements [remote.Frames].
func (f frames) Stop() { _ = f.Close() }
