package remote

import (
	"context"
	"io"
	"log/slog"
	"net"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/socketwire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	all  = terminals.Everything
	log  = slog.New(slog.DiscardHandler)
	here = Hello{ID: "1", Name: "laptop", Version: "1.2.3"}
	host = Hello{ID: "2", Name: "build1", Version: "1.2.3"}
)

// A world is two hosts: this one, and another one that it reaches.
type world struct {
	*Terminals
	there net.Conn // closed as by a broken network
	stop  func()   // as the other host stops

	mu  sync.Mutex // guards the field below
	may terminals.Grant
}

// allows has the other host allow this one something else from now on.
func (w *world) allows(by terminals.Grant) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.may = by
}

// serve returns the terminals of another host, as far as that allows.
func serve(t *testing.T, ts terminals.Terminals, may terminals.Grant) *world {
	t.Helper()
	near, far := net.Pipe()
	w := &world{there: far, may: may}
	allowed := func() (terminals.Grant, bool) {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.may, w.may.Rights != 0
	}
	var ctx context.Context
	ctx, w.stop = context.WithCancel(context.Background())
	served := make(chan error)
	go func() { served <- NewServer(host, ts, log).Serve(ctx, far, allowed) }()
	var err error
	if w.Terminals, err = Open(t.Context(), near, here); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.stop()
		<-served
		w.Close()
	})
	return w
}

// later returns the terminals of another host, which is reached once something is asked of it, as
// a host of a hub is.
func later(t *testing.T, ts terminals.Terminals) *Terminals {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	l := OpenLater("build1", here, func(context.Context) (io.ReadWriteCloser, error) {
		near, far := net.Pipe()
		serving.Go(func() { // ends with the test
			_ = NewServer(host, ts, log).Serve(ctx, far, func() (terminals.Grant, bool) { return all, true })
		})
		return near, nil
	})
	t.Cleanup(func() {
		l.Close()
		cancel()
		serving.Wait()
	})
	return l
}

// Operations come out as they do on the other host.
func TestCases(t *testing.T) {
	load.Sequential(t)
	for _, c := range opcases.All {
		if c.Grant().Token != "" && c.Op == "token.create" {
			continue // tokens do not issue others on another host: see TestWhatCannotCross
		}
		t.Run(c.Op+" "+c.In, func(t *testing.T) { c.Check(t, serve(t, opcases.New(t, c), all)) })
	}
}

// Streams deliver what they do on the other host, and terminals are attached as there.
func TestStreams(t *testing.T) {
	opcases.Streams(t, func(t *testing.T, l *terminals.Local) terminals.Terminals { return later(t, l) })
	opcases.Attach(t, func(t *testing.T, l *terminals.Local, by terminals.Grant, session string, first socketwire.Frame) (opcases.Attached, error) {
		return attach(t, later(t, l), first, attachedterm.Options{By: by, Session: session}), nil
	})
}

// A person is at a terminal that this server attaches to a session of another host.
type person struct {
	sent chan socketwire.Frame
	got  chan socketwire.Frame
	gone chan struct{} // closed when the connection is
	once sync.Once
}

// attach begins to serve a person's terminal.
func attach(t *testing.T, on terminals.Terminals, first socketwire.Frame, o attachedterm.Options) *person {
	t.Helper()
	p := &person{sent: make(chan socketwire.Frame, 100), got: make(chan socketwire.Frame, 1000), gone: make(chan struct{})}
	left := make(chan struct{})
	o.Terminals = on
	go func() {
		defer close(left)
		attachedterm.Fail((*server)(p), attachedterm.Serve(t.Context(), (*server)(p), first, o))
		_ = p.Close()
	}()
	t.Cleanup(func() {
		_ = p.Close()
		<-left
	})
	return p
}

// Read returns the next frame for the person.
func (p *person) Read(ctx context.Context) (socketwire.Frame, error) {
	select {
	case f := <-p.got:
		return f, nil
	case <-ctx.Done():
		return socketwire.Frame{}, context.Cause(ctx)
	case <-p.gone:
	}
	select {
	case f := <-p.got:
		return f, nil
	default:
		return socketwire.Frame{}, io.EOF
	}
}

// Write sends a frame of the person.
func (p *person) Write(_ context.Context, f socketwire.Frame) error {
	p.sent <- f
	return nil
}

func (p *person) Close() error {
	p.once.Do(func() { close(p.gone) })
	return nil
}

// A server is this server's end of the connection of a person's terminal.
type server person

// Read implements [attachedterm.Conn].
func (s *server) Read() (socketwire.Frame, error) {
	select {
	case f := <-s.sent:
		return f, nil
	case <-s.gone:
		return socketwire.Frame{}, fault.Wrap(fault.Internal, io.EOF, "read")
	}
}

// Write implements [attachedterm.Conn].
func (s *server) Write(k socketwire.Kind, b []byte) error {
	select {
	case s.got <- socketwire.Frame{Kind: k, Content: b}:
		return nil
	case <-s.gone:
		return io.ErrClosedPipe
	}
}

// Close implements [attachedterm.Conn].
func (s *server) Close() error { return (*person)(s).Close() }
