package reach

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/fleet/remote"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/httpterm"
	"ui-mcp/internal/transport/socketwire"
	"ui-mcp/internal/wake"
)

// askEvery is how often a server is asked whether it is there while a call is under way, and
// askTime how long it may take to answer.
const askEvery, askTime = 10 * time.Second, 10 * time.Second

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

// dialHTTP returns a link that opens connections as they are needed.
func (d *Dialer) dialHTTP(u *url.URL, token string) fleet.Link {
	if ip, err := netip.ParseAddr(u.Hostname()); token != "" && u.Scheme == "http" && u.Hostname() != "localhost" && (err != nil || !ip.IsLoopback()) {
		if _, said := d.warned.LoadOrStore(u.String(), true); !said {
			d.Log.Warn("the token and what is typed cross the network unencrypted: use https:// or ssh://", "address", u.String())
		}
	}
	// A host that has vanished from the network is noticed while a call waits.
	dialer := &net.Dialer{Timeout: askTime, KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 5 * time.Second, Count: 3}}
	transport := &http.Transport{
		DialContext: dialer.DialContext, TLSHandshakeTimeout: askTime, IdleConnTimeout: time.Minute, DisableCompression: true, Proxy: nil,
	}
	l := &httpLink{transport: transport, done: make(chan struct{}), name: u.Host}
	l.ctx, l.cancel = context.WithCancelCause(context.Background())
	l.client = httpterm.NewClient(trip{transport, token, u.Host, &l.itself}, u.String())
	l.client.Limit = remote.LimitOf
	return l
}

// A trip sends requests with the token, to that server only.
type trip struct {
	next  http.RoundTripper
	token string
	host  string
	// itself is what a server calls itself that knows others, too: it must not ask those.
	itself *atomic.Pointer[string]
}

// RoundTrip implements [http.RoundTripper]. Its errors, and those of the content, say whether
// something may have been done.
func (t trip) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if t.token != "" {
		r.Header.Set("Authorization", "Bearer "+t.token)
	}
	if name := t.itself.Load(); name != nil {
		query := r.URL.Query()
		query.Set("server", *name)
		r.URL.RawQuery = query.Encode()
	}
	res, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, t.explain(err)
	}
	if res.StatusCode >= 300 && res.StatusCode < 400 { // the token is not for another server
		_ = res.Body.Close()
		return nil, fault.New(fault.Precondition, "%s sends its clients to another address: add the server with that one", t.host)
	}
	res.Body = content{res.Body, t}
	return res, nil
}

// explain returns what a failed request means.
func (t trip) explain(err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return away("no connection to %s: %v", t.host, op.Err)
	}
	return fault.With(terminals.HostSilent, fault.Wrap(fault.Unreachable, err, "the connection to %s has ended, and what was asked may have been done", t.host))
}

// content is what a server answers.
type content struct {
	io.ReadCloser
	of trip
}

// Read implements [io.Reader].
func (c content) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	if err != nil && err != io.EOF {
		err = c.of.explain(err)
	}
	return n, err
}

// A httpLink is another server's HTTP interface. It has no streams.
type httpLink struct {
	client    *httpterm.Client
	transport *http.Transport
	name      string
	ctx       context.Context // ends with Close
	cancel    context.CancelCauseFunc
	once      sync.Once
	done      chan struct{}
	itself    atomic.Pointer[string] // see trip
}

var (
	_ fleet.Link         = (*httpLink)(nil)
	_ attachedterm.Relay = (*httpLink)(nil)
)

// Done implements [fleet.Link].
func (l *httpLink) Done() <-chan struct{} { return l.done }

// Err implements [fleet.Link].
func (l *httpLink) Err() error { return context.Cause(l.ctx) }

// Close implements [fleet.Link].
func (l *httpLink) Close() {
	l.once.Do(func() {
		l.cancel(fault.With(terminals.HostSilent, fault.New(fault.Unreachable, "the connection to %s has ended, and what was asked may have been done", l.name)))
		close(l.done)
		l.transport.CloseIdleConnections()
	})
}

// Do implements [terminals.Doer]. The other server knows only what the token allows. So what a
// caller may do with some sessions, or with permission only, it may not do over HTTP.
func (l *httpLink) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	switch {
	case by.Sessions != nil || by.Tags != nil:
		return fault.With(terminals.NotAllowed, fault.New(fault.Precondition, "%s is reached over HTTP, where the rights to some sessions cannot be checked: add the server with ssh://", l.name))
	case (by.Confirm != nil || by.OwnConfirm != nil) && o.Right&(terminals.Type|terminals.Manage) != 0:
		return fault.With(terminals.NotAllowed, fault.New(fault.Precondition, "%s is reached over HTTP, where nobody can be asked for permission: add the server with ssh://", l.name))
	}
	if o == &terminals.CreateToken.Operation && (by.Token != "" || by.Confirm != nil || by.OwnConfirm != nil) {
		// It would stay valid when the caller's own is withdrawn.
		return fault.With(terminals.NotAllowed, fault.New(fault.Precondition, "a token issues tokens of its own server only, not of %s", l.name))
	}
	if create, ok := in.(*terminals.NewSession); ok && create.Follow {
		return l.lacks("following output is") // before anything has been created
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(l.ctx, func() { cancel(context.Cause(l.ctx)) })()
	if o.Kind == terminals.Wait || o.Kind == terminals.Change {
		defer l.watch(ctx, cancel)()
	}
	var answer json.RawMessage
	if image, ok := out.(*terminals.Image); ok {
		return l.client.Do(ctx, by, o, in, image)
	}
	if o == &terminals.GetRecording.Operation {
		part, err := l.recording(ctx, by, *in.(*terminals.RecordingQuery))
		*out.(*terminals.RecordingPart) = part
		return err
	}
	err := l.client.Do(ctx, by, o, in, &answer)
	if len(answer) > 0 {
		err = errors.Join(err, fault.Wrap(fault.Internal, remote.Decode(o, answer, out), "the answer of %s", l.name))
	}
	if info, ok := out.(*terminals.ServerInfo); ok && err == nil && slices.Contains(info.Features, terminals.ListServers.Name) {
		l.itself.Store(&info.Hostname)
	}
	return err
}

// recording returns a part of a recording, which is a file over HTTP, without its state.
func (l *httpLink) recording(ctx context.Context, by terminals.Grant, in terminals.RecordingQuery) (part terminals.RecordingPart, err error) {
	whole := terminals.RecordingWait{RecordingQuery: in, Deadline: terminals.Deadline{MaxWaitMS: new(uint64(0))}}
	whole.Offset = 0 // of which something is there
	if part.RecordingState, err = terminals.AwaitRecording.Do(ctx, l.client, by, whole); err != nil {
		return part, err
	}
	in.ID = part.ID
	file, err := l.client.Recording(ctx, in)
	if err != nil {
		return part, err
	}
	defer file.Close()
	part.Data, err = io.ReadAll(io.LimitReader(file, terminals.MaxPart))
	part.Next = in.Offset + uint64(len(part.Data))
	return part, err
}

// watch asks the server from time to time whether it is there, and ends a call that is under way
// when it does not answer.
func (l *httpLink) watch(ctx context.Context, end context.CancelCauseFunc) (stop func()) {
	over := make(chan struct{})
	watching, cancel := context.WithCancel(ctx)
	go func() {
		defer close(over)
		for {
			if wake.After(watching, askEvery) != nil {
				return
			}
			limited, cancel := context.WithTimeout(watching, askTime)
			_, err := terminals.GetServer.Do(limited, l.client, terminals.Everything, terminals.None{})
			cancel()
			if err != nil && watching.Err() == nil {
				end(fault.With(terminals.HostSilent, fault.New(fault.Unreachable, "%s does not answer any more, and what was asked may have been done", l.name)))
				return
			}
		}
	}()
	return func() { cancel(); <-over }
}

func (l *httpLink) lacks(what string) error {
	return fault.With(terminals.HostLacks, fault.New(fault.Invalid, "%s is reached over HTTP, and %s not possible that way: add the server with ssh://", l.name, what))
}

// Watch implements [terminals.Terminals].
func (l *httpLink) Watch(context.Context, terminals.Grant, terminals.WatchQuery) (terminals.Watcher, error) {
	return nil, l.lacks("watching sessions is")
}

// Output implements [terminals.Terminals].
func (l *httpLink) Output(context.Context, terminals.Grant, terminals.OutputQuery) (terminals.Output, error) {
	return nil, l.lacks("following output is")
}

// Join implements [terminals.Terminals].
func (l *httpLink) Join(context.Context, terminals.Grant, string, term.ClientOptions) (terminals.Client, error) {
	return nil, l.lacks("joining a session is")
}

// Follow implements [terminals.Terminals].
func (l *httpLink) Follow(context.Context, terminals.Grant) (terminals.Lifecycle, error) {
	return nil, l.lacks("following its sessions is")
}

// Relay implements [attachedterm.Relay].
func (l *httpLink) Relay(context.Context, attachedterm.Conn, socketwire.Frame, attachedterm.Options) error {
	return l.lacks("attaching terminals is")
}
