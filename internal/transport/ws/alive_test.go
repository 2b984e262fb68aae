package ws

import (
	"context"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"ui-mcp/internal/testkit"
)

// A slowConn is a peer's end that takes at most a piece at a time, and pauses before each.
type slowConn struct {
	net.Conn
	piece int
	pause time.Duration
}

func (c *slowConn) Read(b []byte) (int, error) {
	time.Sleep(c.pause)
	return c.Conn.Read(b[:min(len(b), c.piece)])
}

// servePipe is serve in a bubble, over a pipe, which holds nothing back. The caller must call end.
func servePipe(t *testing.T, o Options, client func(net.Conn) net.Conn, d websocket.DialOptions, handle func(context.Context, *Conn)) (conn *websocket.Conn, end func()) {
	t.Helper()
	near, far := net.Pipe()
	served := make(chan struct{})
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(served)
		if err := Serve(w, r, o, handle); err != nil {
			t.Errorf("Serve = %v", err)
		}
	})}
	go func() { _ = srv.Serve(testkit.NewListener(far)) }()
	d.HTTPClient = &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return client(near), nil }}}
	conn, _, err := websocket.Dial(t.Context(), "ws://server/", &d)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(-1)
	return conn, func() {
		_ = conn.CloseNow()
		<-served
		_ = srv.Close()
	}
}

func plain(c net.Conn) net.Conn { return c }

// What is delivered while an answer to a ping is due does not wait for that.
func TestMessagesDoNotWaitForPongs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pinged := make(chan struct{}, 1)
		mute := websocket.DialOptions{OnPingReceived: func(context.Context, []byte) bool {
			select {
			case pinged <- struct{}{}:
			default:
			}
			return false
		}}
		conn, end := servePipe(t, Options{Limits: Limits{Ping: time.Second, Silence: time.Hour}}, plain, mute, func(ctx context.Context, c *Conn) {
			<-pinged
			began := time.Now()
			if err := c.Send(ctx, Message{Data: []byte("here")}); err != nil || time.Since(began) > 0 {
				t.Errorf("a message took %v: %v", time.Since(began), err)
			}
			_, _ = c.Read(ctx)
		})
		defer end()
		if _, b, err := conn.Read(t.Context()); err != nil || string(b) != "here" {
			t.Errorf("read %q, %v", b, err)
		}
	})
}

// A peer that reads slowly lives while bytes move, however long one message takes, and whether it
// sends pings meanwhile or not.
func TestSlowPeerLives(t *testing.T) {
	for name, pings := range map[string]bool{"silent": false, "with pings": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const size, silence = 1 << 20, time.Minute
				slow := func(c net.Conn) net.Conn { return &slowConn{c, 4 << 10, 7 * time.Second} }
				conn, end := servePipe(t, Options{Limits: Limits{Ping: 20 * time.Second, Silence: silence}}, slow, websocket.DialOptions{}, func(ctx context.Context, c *Conn) {
					go func() { _ = c.Send(ctx, Message{true, make([]byte, size)}, Message{true, []byte("end")}) }()
					_, _ = c.Read(ctx)
				})
				defer end()
				began := time.Now()
				if pings {
					stop := make(chan struct{})
					defer close(stop)
					go func() {
						for {
							select {
							case <-stop:
								return
							case <-time.After(20 * time.Second):
								_ = conn.Ping(t.Context()) // the test looks at what is read
							}
						}
					}()
				}
				for _, want := range []int{size, len("end")} {
					if _, b, err := conn.Read(t.Context()); err != nil || len(b) != want {
						t.Fatalf("after %v: %d bytes, %v; want %d", time.Since(began), len(b), err, want)
					}
				}
				if took := time.Since(began); took < 10*silence {
					t.Errorf("it took only %v", took)
				}
			})
		})
	}
}

// A slow peer gets the last message and the code.
func TestSlowPeerGetsTheCode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(c net.Conn) net.Conn { return &slowConn{c, 2 << 10, 3 * time.Second} }
		conn, end := servePipe(t, Options{Limits: Limits{Grace: 4 * time.Second}}, slow, websocket.DialOptions{}, func(ctx context.Context, c *Conn) {
			if err := c.Send(ctx, Message{true, make([]byte, 16<<10)}); err != nil {
				t.Error(err)
			}
			c.Finish(NormalClosure, "over")
			_, _ = c.Read(ctx)
		})
		defer end()
		if _, b, err := conn.Read(t.Context()); err != nil || len(b) != 16<<10 {
			t.Errorf("%d bytes, %v", len(b), err)
		}
		wantClose(t, conn, NormalClosure, "over")
	})
}

// A peer that neither answers pings nor sends anything is told why it is closed.
func TestSilentPeerGetsTheReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mute := websocket.DialOptions{OnPingReceived: func(context.Context, []byte) bool { return false }}
		conn, end := servePipe(t, Options{Limits: Limits{Ping: 20 * time.Second, Silence: time.Minute}}, plain, mute, echo)
		defer end()
		began := time.Now()
		wantClose(t, conn, TryAgainLater, "silent for 1m0s, without an answer to a ping: connect again")
		// Each ping has moved, but nothing follows the last one that a peer must answer.
		if took := time.Since(began); took > 2*time.Minute {
			t.Errorf("closed after %v", took)
		}
	})
}

// A peer that takes nothing is cut off.
func TestStuckPeerIsCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan time.Duration, 1)
		_, end := servePipe(t, Options{Limits: Limits{Ping: 20 * time.Second, Silence: time.Minute, Grace: time.Second}}, plain, websocket.DialOptions{}, func(ctx context.Context, c *Conn) {
			began := time.Now()
			_, _ = c.Read(ctx)
			ended <- time.Since(began)
		})
		defer end()
		if took := <-ended; took > 2*time.Minute {
			t.Errorf("it took %v", took)
		}
	})
}

// While a handler takes long over a message, and so reads no answers to pings, the peer does not
// count as silent.
func TestBusyHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		unheard := websocket.DialOptions{OnPingReceived: func(context.Context, []byte) bool { return false }}
		conn, end := servePipe(t, Options{Limits: Limits{Ping: 20 * time.Second, Silence: time.Minute}}, plain, unheard, func(ctx context.Context, c *Conn) {
			m, _ := c.Read(ctx)
			time.Sleep(10 * time.Minute)
			c.Deliver(m.Data)
			_, _ = c.Read(ctx)
		})
		defer end()
		if err := conn.Write(t.Context(), websocket.MessageText, []byte("work")); err != nil {
			t.Fatal(err)
		}
		if _, b, err := conn.Read(t.Context()); err != nil || string(b) != "work" {
			t.Errorf("read %q, %v", b, err)
		}
	})
}
