package mcpbridge

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/transport/jsonrpc"
)

// A wholePipe is a connection in memory whose other end does not notice CloseWrite.
type wholePipe struct{ net.Conn }

func (wholePipe) CloseWrite() error { return nil }

// A leaver is a client of a bridge to a shared server, whose ends of connections are in conns.
type leaver struct {
	*client
	conns chan net.Conn
}

// ask sends a call, which the server reads and answers.
func (l *leaver) ask() net.Conn {
	l.post(request(1, "tools/call"))
	server := <-l.conns
	if _, err := jsonrpc.NewLineReader(server, maxMessage).Next(); err != nil {
		l.t.Fatal(err)
	}
	if _, err := io.WriteString(server, `{"jsonrpc":"2.0","id":1,"result":{}}`+"\n"); err != nil {
		l.t.Fatal(err)
	}
	l.next()
	return server
}

// A bridge gives a shared server time to end, as long as its client has it.
func TestLeave(t *testing.T) {
	for name, test := range map[string]struct {
		story func(*leaver)
		want  time.Duration
		stuck bool // connecting lasts until it is given up
	}{
		"the input ends": {func(l *leaver) {
			l.ask()
			l.in.Close()
		}, endTime, false},
		"and the server too": {func(l *leaver) {
			server := l.ask()
			l.in.Close()
			time.Sleep(time.Second)
			server.Close()
		}, time.Second, false},
		"an interrupt follows": {func(l *leaver) {
			l.ask()
			l.in.Close()
			time.Sleep(time.Second)
			l.stop()
		}, time.Second + leaveTime, false},
		"an interrupt": {func(l *leaver) {
			l.ask()
			l.stop()
		}, leaveTime, false},
		"an interrupt, and the server ends": {func(l *leaver) {
			server := l.ask()
			l.stop()
			time.Sleep(time.Second)
			server.Close()
		}, time.Second, false},
		"the server reads nothing": {func(l *leaver) {
			l.send(request(1, "tools/call"))
			l.in.Close()
		}, DefaultDrain + leaveTime, false},
		"an interrupt while the server reads nothing": {func(l *leaver) {
			l.send(request(1, "tools/call"))
			l.in.Close()
			time.Sleep(time.Second)
			l.stop()
		}, time.Second + leaveTime, false},
		"the input ends while connecting": {func(l *leaver) {
			l.post(request(1, "tools/call"))
			synctest.Wait()
			l.in.Close()
		}, DefaultDrain, true},
		"an interrupt while connecting": {func(l *leaver) {
			l.post(request(1, "tools/call"))
			synctest.Wait()
			l.in.Close()
			time.Sleep(time.Second)
			l.stop()
		}, time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &leaver{conns: make(chan net.Conn, 1)}
				l.client = run(t, Options{Shared: true, Connect: func(ctx context.Context) (io.ReadWriteCloser, error) {
					if test.stuck {
						<-ctx.Done()
						return nil, ctx.Err()
					}
					near, far := net.Pipe()
					t.Cleanup(func() { far.Close() })
					l.conns <- far
					return wholePipe{near}, nil
				}})
				start := time.Now()
				test.story(l)
				for {
					if _, err := l.lines.Next(); err != nil {
						break
					}
				}
				if took := time.Since(start); took != test.want {
					t.Errorf("it took %v, want %v", took, test.want)
				}
			})
		})
	}
}

// A server that is connected to early, and cannot be, ends the bridge. A call that was read
// meanwhile gets the reason.
func TestEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reason := errors.New("no such folder")
		c := run(t, Options{Early: true, Connect: func(context.Context) (io.ReadWriteCloser, error) {
			time.Sleep(time.Second)
			return nil, reason
		}})
		c.send(request(1, "tools/call"))
		left, err := c.finish()
		if !errors.Is(err, reason) {
			t.Errorf("the bridge ended with %v", err)
		}
		if len(left) != 1 || left[0].text() != "error -32603: no such folder" {
			t.Errorf("the client got %+v", left)
		}
	})
}
