//go:build linux || darwin

package attach

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"ui-mcp/internal/cli/attach/outer"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
	server "ui-mcp/internal/transport/client"
	"ui-mcp/internal/transport/socketwire"
	"ui-mcp/internal/transport/ws"
)

// openPTY returns both ends of a terminal.
func openPTY(t *testing.T) (person, tty *os.File) {
	t.Helper()
	person, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { person.Close(); tty.Close() })
	return person, tty
}

// openedTerminal returns a terminal whose output nobody looks at.
func openedTerminal(t *testing.T) *terminal {
	t.Helper()
	person, tty := openPTY(t)
	// A PTY of macOS waits until its output is read before it closes.
	go func() { _, _ = io.Copy(io.Discard, person) }()
	term, err := openTerminal(tty, tty)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(term.close)
	return term
}

// A served connection is the server's end of a connection that a client has attached over.
type served struct {
	ctx  context.Context
	conn *ws.Conn
}

func (s served) read() (socketwire.Frame, error) {
	m, err := s.conn.Read(s.ctx)
	if err != nil {
		return socketwire.Frame{}, err
	}
	return socketwire.Parse(m.Data)
}

func (s served) write(frames ...socketwire.Frame) {
	for _, f := range frames {
		_ = s.conn.Send(s.ctx, ws.Message{Binary: true, Data: f.Message()}) // reading fails, too
	}
}

// accept answers the request that a client has sent first.
func (s served) accept(t *testing.T) {
	if _, err := s.read(); err != nil {
		t.Errorf("the request: %v", err)
	}
	s.write(socketwire.Frame{Kind: socketwire.AttachSessionResponse, Content: fmt.Appendf(nil, `{"name":"a","id":"@a","pid":7,"protocol":%d}`, terminals.Protocol)})
}

// discard reads until the client leaves, or ends the connection.
func (s served) discard() {
	for {
		if f, err := s.read(); err != nil || f.Kind == socketwire.Detach {
			return
		}
	}
}

// connect returns a connection to a server that calls serve, and ends the connection after it.
func connect(serve func(served)) net.Conn {
	ours, theirs := net.Pipe()
	server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o := ws.Options{AnyOrigin: true, Limits: ws.Limits{Received: 1 << 20, Ping: time.Hour, Silence: time.Hour}}
		_ = ws.Serve(w, r, o, func(ctx context.Context, conn *ws.Conn) { serve(served{ctx, conn}) })
	})}
	l := testkit.NewListener(theirs)
	l.Close() // there is no other connection
	go func() { _ = server.Serve(l) }()
	return ours
}

// Keys that are read between the server's response and the first use of the connection reach the
// session: the terminal is read by another goroutine, which may be quicker.
func TestTypedBeforeUse(t *testing.T) {
	c := newClient(openedTerminal(t), Options{Session: "a", Detach: outer.DefaultKey})
	for _, first := range []bool{true, false} {
		got := make(chan string, 1)
		conn := connect(func(s served) {
			s.accept(t)
			f, err := s.read()
			if err != nil {
				t.Errorf("the input: %v", err)
			}
			got <- string(f.Content)
		})
		l, err := c.open(t.Context(), conn, c.o, first)
		if err != nil {
			t.Fatal(err)
		}
		c.key([]byte("typed"))
		if err := c.use(l); err != nil {
			t.Fatal(err)
		}
		c.key([]byte("!")) // if the first is lost, this one arrives instead
		if diff := cmp.Diff("typed", <-got); diff != "" {
			t.Errorf("first connection: %t: (-want +got):\n%s", first, diff)
		}
		<-l.over
		c.drop()
	}
}

// A server that accepts connections counts as gone all the same if they end without a picture.
func TestServerClosesConnections(t *testing.T) {
	for _, answers := range []bool{false, true} {
		term := openedTerminal(t)
		synctest.Test(t, func(t *testing.T) {
			tries := 0
			dial := func(context.Context) (net.Conn, error) {
				if tries++; tries > 1000 {
					return nil, &Refusal{Message: "too many attempts"}
				}
				return connect(func(s served) {
					if answers {
						s.accept(t)
					} else if _, err := s.read(); err != nil {
						t.Errorf("the request: %v", err)
					}
				}), nil
			}
			c := newClient(term, Options{Session: "a", Redial: dial})
			start := time.Now()
			for {
				l, err := c.reconnect(t.Context())
				if err != nil {
					if took := time.Since(start); fault.KindOf(err) != fault.Gone || took < returnTime || took > 3*time.Second {
						t.Errorf("answers: %t: after %v: %v", answers, took, err)
					}
					break
				}
				if err := c.use(l); err != nil {
					t.Fatal(err)
				}
				<-l.over
				c.drop()
			}
		})
	}
}

// The end of a connection that was given up is not taken for the end of the next one.
func TestEndOfLastConnection(t *testing.T) {
	term := openedTerminal(t)
	synctest.Test(t, func(t *testing.T) {
		c := newClient(term, Options{Session: "a", Redial: func(context.Context) (net.Conn, error) {
			return connect(func(s served) { // it answers the request, and then says nothing
				s.accept(t)
				for err := error(nil); err == nil; {
					_, err = s.read()
				}
			}), nil
		}})
		for range 2 {
			l, err := c.reconnect(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if err := c.use(l); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			select {
			case last := <-l.over:
				t.Fatalf("the new connection is over: %+v", last)
			default:
			}
			if last := c.quit(l); last.end != nil {
				t.Errorf("a server that says nothing ends it: %+v", last)
			}
		}
	})
}

// The terminal rings when the server drops what was typed.
func TestRings(t *testing.T) {
	person, tty := openPTY(t)
	rung := make(chan struct{})
	go func() {
		b := make([]byte, 1024)
		for heard := false; ; {
			n, err := person.Read(b)
			if err != nil {
				return
			}
			if !heard && bytes.Contains(b[:n], []byte("\a")) {
				close(rung)
				heard = true
			}
		}
	}()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := Run(ctx, Options{Session: "a", In: tty, Out: tty, Dial: serverWith(t,
			[]socketwire.Frame{{Kind: socketwire.Failed, Content: []byte(`{"message":"dropped"}`)}}, func() {})})
		ended <- err
	}()
	wait.For(t, "the terminal rings", rung)
	cancel()
	if err := wait.For(t, "the client ends", ended); err != nil {
		t.Error(err)
	}
}

// A terminal that takes no output does not keep a client that is asked to end. If the terminal does
// take output, the client ends by itself.
func TestAskedToEnd(t *testing.T) {
	for _, stuck := range []bool{true, false} {
		t.Run(fmt.Sprint("stuck: ", stuck), func(t *testing.T) {
			t.Parallel()
			person, tty := openPTY(t)
			reads := func() { go func() { _, _ = io.Copy(io.Discard, person) }() }
			if !stuck {
				reads()
			}
			var flood []socketwire.Frame // more than the terminal holds
			for range 100 {
				flood = append(flood, socketwire.Frame{Kind: socketwire.PtyOutput, Content: bytes.Repeat([]byte("x"), 4096)})
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			abandoned, ended := make(chan struct{}), make(chan error, 1)
			connected := cancel
			if stuck {
				connected = func() {} // asked to end before it writes, it has nothing to wait for
			}
			go func() {
				_, err := Run(ctx, Options{
					Session: "a", In: tty, Out: tty, Dial: serverWith(t, flood, connected),
					Abandon: func() { close(abandoned) },
				})
				ended <- err
			}()
			if stuck {
				wait.Until(t, "the terminal is full", func() bool { return full(t, tty) })
				cancel()
				wait.For(t, "the client gives up", abandoned)
				if now, err := unix.IoctlGetTermios(int(tty.Fd()), getTermios); err != nil || now.Lflag&unix.ECHO == 0 {
					t.Errorf("the terminal has the settings %+v, %v", now, err)
				}
				reads()
			}
			if err := wait.For(t, "the client ends", ended); err != nil {
				t.Error(err)
			}
			select {
			case <-abandoned:
				if !stuck {
					t.Error("the client has given up")
				}
			default:
			}
		})
	}
}

// full reports whether a terminal takes no more output for now.
func full(t *testing.T, tty *os.File) bool {
	t.Helper()
	raw, err := tty.SyscallConn() // unlike Fd, this leaves the file as it is
	if err != nil {
		t.Fatal(err)
	}
	writable := []unix.PollFd{{Events: unix.POLLOUT}}
	if e := raw.Control(func(fd uintptr) {
		writable[0].Fd = int32(fd)
		_, err = unix.Poll(writable, 0)
	}); e != nil || err != nil {
		t.Fatal(e, err)
	}
	return writable[0].Revents&unix.POLLOUT == 0
}

// serverWith returns a way to connect to a server that attaches a terminal and sends frames. It
// calls connected when the client has drawn the first of them.
func serverWith(t *testing.T, frames []socketwire.Frame, connected func()) func(context.Context) (net.Conn, error) {
	return func(context.Context) (net.Conn, error) {
		return connect(func(s served) {
			s.accept(t)
			s.write(frames...)
			if f, err := s.read(); err != nil || f.Kind == socketwire.Detach {
				return
			}
			connected()
			s.discard()
		}), nil
	}
}

// A person who gives up while the server has not answered gets no error of the connection.
func TestGiveUpConnecting(t *testing.T) {
	term := openedTerminal(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	left := errors.New("left")
	_, err := Run(ctx, Options{Session: "a", In: term.in, Out: term.out, Dial: func(context.Context) (net.Conn, error) {
		return connect(func(s served) {
			_, _ = s.read()
			cancel(left)
			s.discard()
		}), nil
	}})
	if !errors.Is(err, left) {
		t.Errorf("the error is %v", err)
	}
}

// A server that says nothing is asked whether it is there; the person learns within three seconds
// that it is not, since when, and when it is again. A terminal that takes its output slowly is not
// the server's silence.
func TestSilentServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := make(chan struct{}, 1)
		attached, err := server.Attach(t.Context(), connect(func(s served) {
			for f, err := s.read(); err == nil; f, err = s.read() {
				stuck <- struct{}{}
				if f.Kind == socketwire.AttachSession {
					s.write(socketwire.Frame{Kind: socketwire.PtyOutput})
				}
				if f.Kind == socketwire.Ping {
					s.write(socketwire.Frame{Kind: socketwire.Pong})
				}
				<-stuck
			}
		}), "a", frame(socketwire.AttachSession, nil))
		if err != nil {
			t.Fatal(err)
		}
		l := startAttachment(attached, identity{})
		defer l.close()
		slow := func(*attachment, []byte) error { // the person's terminal
			time.Sleep(time.Minute)
			return nil
		}
		l.running.Go(func() { l.pump(slow, func() error { return nil }) })
		var since atomic.Pointer[time.Time]
		var said, back atomic.Int64
		l.running.Go(func() {
			l.listen(func() {
				at := time.Now().Add(-l.silence())
				since.Store(&at)
				said.Add(1)
			}, func() { back.Add(1) })
		})
		time.Sleep(2 * time.Minute)
		if synctest.Wait(); said.Load()+back.Load() > 0 {
			t.Errorf("of a server that has nothing to say, the person learns %d times", said.Load())
		}
		stuck <- struct{}{}
		began := time.Now()
		time.Sleep(3 * time.Second)
		if synctest.Wait(); said.Load() == 0 {
			t.Error("the person does not learn of the silence")
		} else if at := *since.Load(); at.After(began) || began.Sub(at) > 2*askAfter {
			t.Errorf("the person learns of the silence since %v as one since %v", began, at)
		}
		time.Sleep(time.Minute)
		<-stuck
		time.Sleep(time.Second)
		if synctest.Wait(); back.Load() != 1 {
			t.Errorf("it is back %d times", back.Load())
		}
	})
}

// What is typed while the server does not read is bounded. What follows something that did not fit
// is dropped, too, until the server has read the rest.
func TestTypedToSilentServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reader, done := make(chan served), make(chan struct{})
		attached, err := server.Attach(t.Context(), connect(func(s served) {
			if _, err := s.read(); err != nil {
				t.Errorf("the request: %v", err)
			}
			reader <- s
			<-done
		}), "a", frame(socketwire.AttachSession, nil))
		if err != nil {
			t.Fatal(err)
		}
		s := <-reader
		l := startAttachment(attached, identity{})
		defer close(done)
		defer l.close()
		typed := func(b []byte) { l.sendTyped([]socketwire.Frame{{Kind: socketwire.StdinInput, Content: b}}) }
		long := bytes.Repeat([]byte("x"), maxPending/2)
		typed(long)
		synctest.Wait() // it is being written
		typed([]byte("next"))
		for range 8 {
			typed(long)
			typed([]byte("lost"))
		}
		l.send([]socketwire.Frame{{Kind: socketwire.Detach}})
		reads := func(kind socketwire.Kind, want []byte) {
			t.Helper()
			var got []byte
			for {
				f, err := s.read()
				if err != nil || f.Kind != kind {
					t.Fatalf("frame %02x with %d bytes, %v; want %.20q", byte(f.Kind), len(f.Content), err, want)
				}
				if got = append(got, f.Content...); len(got) >= len(want) {
					break
				}
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("%d bytes, %.20q; want %.20q", len(got), got, want)
			}
		}
		reads(socketwire.StdinInput, long)
		reads(socketwire.StdinInput, []byte("next"))
		reads(socketwire.Detach, nil)
		synctest.Wait()
		typed([]byte("again"))
		reads(socketwire.StdinInput, []byte("again"))
	})
}
