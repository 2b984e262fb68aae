package fleet_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/remote"
	"ui-mcp/internal/transport/socketwire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A network has hosts at addresses. It implements [fleet.Dialer].
type network struct {
	mu    sync.Mutex
	hosts map[string]*machine
	dials int
	// Lists that wait for slow machines, and the most that ever did.
	waiting, most int
	pipe          bool           // hosts are used as over ssh
	serving       sync.WaitGroup // then
}

// A machine is a host in a network.
type machine struct {
	terminals.Terminals // nil: it is down
	info                terminals.ServerInfo
	token               string
	hosts               []*remoteHost
	slow                chan struct{} // not nil: lists are answered when it is closed
	far                 time.Duration // how long everything takes
	deaf                bool          // it answers pings only
	refuses             error         // its answer to lists, if not nil
}

func newNetwork() *network { return &network{hosts: map[string]*machine{}} }

// start puts a machine that calls itself NAME at mem://NAME.
func (n *network) start(t *testing.T, name string, ts terminals.Terminals) *machine {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	m := &machine{Terminals: ts, info: terminals.ServerInfo{Hostname: name, ID: "id-" + name, Version: "1.2.3", Protocol: terminals.Protocol}}
	n.hosts["mem://"+name] = m
	return m
}

// change changes machines.
func (n *network) change(f func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	f()
}

// cut ends the connections to a machine, which stays down.
func (n *network) cut(m *machine) {
	n.change(func() {
		m.Terminals = nil
		for _, l := range m.hosts {
			l.end(fault.With(terminals.HostAway, fault.New(fault.Unreachable, "the line was cut")))
		}
		m.hosts = nil
	})
}

// Clean implements [fleet.Dialer].
func (n *network) Clean(address string) (string, error) {
	if !strings.HasPrefix(address, "mem://") {
		return "", fault.New(fault.Invalid, "%s is no address", address)
	}
	return strings.TrimSuffix(address, "/"), nil
}

// Dial implements [fleet.Dialer].
func (n *network) Dial(ctx context.Context, address, token string, _ bool) (fleet.Remote, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.dials++
	m := n.hosts[address]
	if m == nil || m.Terminals == nil || token != m.token {
		return nil, fault.New(fault.Unreachable, "nothing answers at %s", address)
	}
	if n.pipe {
		near, far := net.Pipe()
		server := remote.NewServer(remote.Hello{ID: "there", Name: "there"}, m.Terminals, slog.New(slog.DiscardHandler))
		n.serving.Go(func() { // until either end is closed
			_ = server.Serve(context.Background(), far, func() (terminals.Grant, bool) { return terminals.Everything, true })
		})
		return remote.Open(ctx, near, remote.Hello{ID: "here", Name: "here"})
	}
	l := &remoteHost{Terminals: m.Terminals, network: n, machine: m, done: make(chan struct{})}
	m.hosts = append(m.hosts, l)
	return l, nil
}

type remoteHost struct {
	terminals.Terminals
	network *network
	machine *machine
	once    sync.Once
	done    chan struct{}
	err     error
	follows []context.CancelFunc // of streams; guarded by network.mu
}

// cutEvents ends the streams of events alone. The caller holds network.mu.
func (l *remoteHost) cutEvents() {
	for _, end := range l.follows {
		end()
	}
}

func (l *remoteHost) Done() <-chan struct{} { return l.done }
func (l *remoteHost) Err() error            { return l.err }
func (l *remoteHost) Close()                { l.end(nil) }

func (l *remoteHost) end(err error) {
	l.once.Do(func() {
		l.err = err
		close(l.done)
	})
}

// Open opens streams that end with the connection.
func (l *remoteHost) Open(ctx context.Context, by terminals.Grant, o *terminals.Operation, in any) (terminals.Stream, error) {
	s, err := l.Terminals.Open(ctx, by, o, in)
	if err != nil || o != &terminals.Follow.Operation && o != &terminals.FollowQuestions.Operation {
		return s, err
	}
	return following{s, l}, nil
}

type following struct {
	terminals.Stream
	host *remoteHost
}

func (f following) Receive(ctx context.Context, out any) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f.host.network.change(func() { f.host.follows = []context.CancelFunc{cancel} })
	ended := make(chan struct{})
	defer func() { <-ended }()
	defer cancel()
	go func() {
		defer close(ended)
		select {
		case <-f.host.done:
			cancel()
		case <-ctx.Done():
		}
	}()
	return f.Stream.Receive(ctx, out)
}

// Do answers for the machine what tells machines of one kind apart.
func (l *remoteHost) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	l.network.mu.Lock()
	info, slow, far, deaf, refuses := l.machine.info, l.machine.slow, l.machine.far, l.machine.deaf, l.machine.refuses
	l.network.mu.Unlock()
	if far > 0 {
		wait.Pause(far)
	}
	select {
	case <-l.done:
		return fault.With(terminals.HostAway, fault.New(fault.Unreachable, "the line was cut"))
	default:
	}
	if deaf && o != &terminals.ListSessions.Operation && o != &terminals.GetServer.Operation {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	if o == &terminals.ListSessions.Operation && refuses != nil {
		return refuses
	}
	if o == &terminals.ListSessions.Operation && slow != nil {
		l.network.change(func() { l.network.waiting++; l.network.most = max(l.network.most, l.network.waiting) })
		defer l.network.change(func() { l.network.waiting-- })
		select {
		case <-slow:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	if o == &terminals.GetServer.Operation && info.ID != "" {
		*out.(*terminals.ServerInfo) = info
		return nil
	}
	return l.Terminals.Do(ctx, by, o, in, out)
}

// newFleet returns the fleet of a host "here" with the given hosts, all of which are healthy.
func newFleet(t *testing.T, n *network, names ...string) *fleet.Fleet {
	t.Helper()
	o := fleet.Options{Name: "here", ID: "id-here", Dialer: n, Log: slog.New(slog.DiscardHandler)}
	for _, name := range names {
		o.Configured = append(o.Configured, terminals.NewServer{Address: "mem://" + name})
	}
	f := fleet.New(o)
	t.Cleanup(f.Close)
	for _, name := range names {
		await(t, f, name, terminals.Healthy)
	}
	return f
}

// await waits until a host is in a state, within a bubble of synctest or outside one.
func await(t *testing.T, f *fleet.Fleet, name string, h terminals.Health) terminals.KnownServer {
	t.Helper()
	var s terminals.KnownServer
	wait.Until(t, fmt.Sprintf("%s is %s", name, h), func() bool {
		var err error
		s, err = f.Get(terminals.Everything, name)
		return err == nil && s.Health == h
	})
	return s
}

// Every case of an operation comes out on another host as it does here: with plain names for
// clients that name the server, and as HOST/NAME.
func TestCases(t *testing.T) {
	t.Parallel()
	for _, c := range opcases.All {
		t.Run(c.Op+" "+c.In, func(t *testing.T) {
			by := on("host", c.Grant())
			for _, plain := range []bool{true, false} {
				n := newNetwork()
				n.pipe = !plain // the other way is package remote's
				t.Cleanup(n.serving.Wait)
				n.start(t, "b", opcases.New(t, c)).info.ID = ""
				f := fleet.New(fleet.Options{Name: "here", ID: "id-here", Dialer: n, Log: slog.New(slog.DiscardHandler), Configured: []terminals.NewServer{{Address: "mem://b", Hostname: "host"}}})
				t.Cleanup(f.Close)
				await(t, f, "host", terminals.Healthy)
				r := f.Over(opcases.New(t, opcases.Case{Before: []opcases.Step{{Op: "session.remove", In: `{"session":"a"}`}, {Op: "session.remove", In: `{"session":"over"}`}}}))
				ts, here := terminals.Terminals(r), c
				here.By = &by
				if plain {
					var err error
					if ts, err = r.OnServer("host"); err != nil {
						t.Fatal(err)
					}
				} else {
					if !ofSession(c.Op) {
						continue
					}
					here.In = prefixed(t, c.In, "session", "to", "name")
					if strings.HasPrefix(c.Op, "session.") && strings.HasPrefix(c.Want, "{") {
						here.Want = prefixed(t, c.Want, "name")
					}
				}
				here.Check(t, ts)
				if t.Failed() {
					t.Fatalf("with plain names: %v", plain)
				}
			}
		})
	}
}

// Streams of another host deliver what those of this one do, and terminals are attached as there.
func TestStreams(t *testing.T) {
	on := func(t *testing.T, l *terminals.Local) terminals.Terminals {
		n := newNetwork()
		n.pipe = true
		t.Cleanup(n.serving.Wait)
		n.start(t, "host", l)
		ts, err := newFleet(t, n, "host").Over(opcases.New(t, opcases.Case{})).OnServer("host")
		if err != nil {
			t.Fatal(err)
		}
		return scoped{ts}
	}
	opcases.Streams(t, on)
	opcases.Attach(t, func(t *testing.T, l *terminals.Local, by terminals.Grant, session string, first socketwire.Frame) (opcases.Attached, error) {
		s, err := terminals.Attach.Open(t.Context(), on(t, l), by, terminals.AttachQuery{Target: terminals.Target{Session: session}, Request: first.Content})
		if err != nil {
			return nil, err
		}
		return attached{s}, nil
	})
}

// attached is a terminal that is attached by a stream.
type attached struct{ terminals.Stream }

func (a attached) Read(ctx context.Context) (f socketwire.Frame, err error) {
	err = a.Receive(ctx, &f)
	return f, err
}

func (a attached) Write(ctx context.Context, f socketwire.Frame) error { return a.Send(ctx, &f) }

func (a attached) Close() error {
	a.Stream.Close()
	return nil
}

// scoped gives grants of sessions the names that sessions of host b have here.
type scoped struct{ terminals.Terminals }

func (s scoped) Open(ctx context.Context, by terminals.Grant, o *terminals.Operation, in any) (terminals.Stream, error) {
	return s.Terminals.Open(ctx, on("host", by), o, in)
}

func (s scoped) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	return s.Terminals.Do(ctx, on("host", by), o, in, out)
}

// on returns a grant with the names of another host's sessions and tags.
func on(host string, by terminals.Grant) terminals.Grant {
	for _, list := range []*[]string{&by.Sessions, &by.Tags} {
		*list = slices.Clone(*list)
		for i, item := range *list {
			(*list)[i] = host + "/" + item
		}
	}
	return by
}

// ofSession reports whether an operation concerns a session that its input names.
func ofSession(op string) bool {
	in, _ := terminals.Named(op).New()
	_, ok := terminals.SessionIn(in)
	return ok
}

// prefixed gives members of a JSON object the name of the host; session.create needs one for no
// name, too.
func prefixed(t *testing.T, object string, members ...string) string {
	t.Helper()
	var all map[string]json.RawMessage
	if err := json.Unmarshal([]byte(object), &all); err != nil {
		t.Fatal(err)
	}
	if len(members) > 1 && all["session"] == nil && all["name"] == nil {
		all["name"] = json.RawMessage(`""`)
	}
	for _, name := range members {
		var text string
		if json.Unmarshal(all[name], &text) == nil {
			all[name] = json.RawMessage(strconv.Quote("host/" + text))
		}
	}
	b, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Without other hosts nothing runs, and nothing is different.
func TestAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// It is not closed: a goroutine of its own would be left, which synctest reports.
		f := fleet.New(fleet.Options{Name: "here", ID: "id-here", Dialer: newNetwork(), File: filepath.Join(t.TempDir(), "none"), Log: slog.New(slog.DiscardHandler)})
		if list := f.List(terminals.Everything); len(list) != 0 {
			t.Errorf("%+v", list)
		}
	})
}
