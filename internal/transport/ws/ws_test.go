package ws

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"
)

func TestQueueIsBounded(t *testing.T) {
	const none Code = 0
	tests := []struct {
		name    string
		bytes   int
		writing bool // the first message is taken off the queue, but not yet written
		deliver []string
		taken   int // how many are taken before the client is dropped
		code    Code
	}{
		{"room", 2*overhead + 10, false, []string{"12345", "12345"}, 2, none},
		{"too many bytes", 2*overhead + 9, false, []string{"12345", "12345"}, 1, TryAgainLater},
		{"too many messages", 3*overhead + 100, false, []string{"1", "2", "3", ""}, 3, TryAgainLater},
		{"one huge message", 10, false, []string{"12345678901234567890"}, 1, none},
		{"and another", 10, false, []string{"12345678901234567890", ""}, 1, TryAgainLater},
		{"what is being written counts", overhead + 10, true, []string{"1234567890", "1"}, 1, TryAgainLater},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newConn(Options{Limits: Limits{Bytes: test.bytes, Grace: time.Second}}, func() {})
				defer c.release()
				taken := 0
				for i, msg := range test.deliver {
					if c.Deliver([]byte(msg)) {
						taken++
					}
					if i == 0 && test.writing {
						c.next()
					}
				}
				if taken != test.taken {
					t.Errorf("took %d messages, want %d", taken, test.taken)
				}
				if code, _ := c.closeReason(); code != test.code {
					t.Errorf("close code = %d, want %d", code, test.code)
				}
				if _, ok := c.next(); ok && test.code != none {
					t.Error("a dropped connection still has messages")
				}
			})
		})
	}
}

func TestQueueHasRoomAgain(t *testing.T) {
	c := newConn(Options{Limits: Limits{Bytes: overhead + 10}}, func() {})
	for range 100 {
		if !c.Deliver([]byte("1234567890")) {
			t.Fatal("dropped")
		}
		msg, _ := c.next()
		c.written(msg)
	}
}

func TestFirstReasonCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cut := make(chan time.Time, 10)
		c := newConn(Options{Limits: Limits{Bytes: 10, Grace: time.Second}}, func() { cut <- time.Now() })
		begin := time.Now()
		c.Close(GoingAway, "first")
		time.Sleep(time.Second / 2)
		c.Close(InternalError, "second")
		if code, reason := c.closeReason(); code != GoingAway || reason != "first" {
			t.Errorf("closeReason = %d %q", code, reason)
		}
		if c.Deliver(nil) {
			t.Error("a closing connection takes messages")
		}
		if d := (<-cut).Sub(begin); d != time.Second {
			t.Errorf("cut after %v", d)
		}
		c.release()
	})
}

func TestReleaseStopsTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newConn(Options{Limits: Limits{Grace: time.Second}}, func() { t.Error("cut after release") })
		c.Close(GoingAway, "")
		c.release()
		time.Sleep(time.Minute)
	})
}

func TestClipReason(t *testing.T) {
	for _, s := range []string{"", "short", strings.Repeat("x", 123), strings.Repeat("x", 124), strings.Repeat("é", 100), "x" + strings.Repeat("é", 100)} {
		got := clipReason(s)
		if len(got) > 123 || !utf8.ValidString(got) {
			t.Errorf("clipReason(%q) = %q", s, got)
		}
		if len(s) <= 123 && got != s || len(s) > 123 && !strings.HasSuffix(got, "…") {
			t.Errorf("clipReason(%q) = %q", s, got)
		}
	}
}

// patience bounds failures only.
const patience = 2 * time.Minute

// serve runs a handler on a server and returns a peer's connection to it. The test fails unless
// Serve returns in the end.
func serve(t *testing.T, o Options, handle func(context.Context, *Conn)) *websocket.Conn {
	t.Helper()
	served := make(chan error, 1)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served <- Serve(w, r, o, handle)
	}))
	t.Cleanup(srv.Close)
	conn, _, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(srv.URL, "http"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = conn.CloseNow()
		select {
		case err := <-served:
			if err != nil {
				t.Errorf("Serve = %v", err)
			}
		case <-time.After(patience):
			t.Error("Serve does not return")
		}
	})
	return conn
}

// echo sends every message back.
func echo(ctx context.Context, c *Conn) {
	for {
		m, err := c.Read(ctx)
		switch {
		case err != nil:
			return
		case m.Binary:
			if err := c.Send(ctx, m); err != nil {
				return
			}
		default:
			c.Deliver(m.Data)
		}
	}
}

func TestKindsOfMessages(t *testing.T) {
	conn := serve(t, Options{CompressFrom: 8}, echo)
	for _, kind := range []websocket.MessageType{websocket.MessageText, websocket.MessageBinary, websocket.MessageText} {
		for _, text := range []string{"", "short", strings.Repeat("long ", 1000)} {
			if err := conn.Write(t.Context(), kind, []byte(text)); err != nil {
				t.Fatal(err)
			}
			gotKind, got, err := conn.Read(t.Context())
			if err != nil || gotKind != kind || string(got) != text {
				t.Errorf("%v %.20q came back as %v %.20q, %v", kind, text, gotKind, got, err)
			}
		}
	}
}

// wantClose reads until the connection is closed.
func wantClose(t *testing.T, conn *websocket.Conn, code Code, reason string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		_, _, err := conn.Read(ctx)
		if err == nil {
			continue
		}
		closed, ok := errors.AsType[websocket.CloseError](err)
		if !ok || closed.Code != code || closed.Reason != reason {
			t.Errorf("closed with %v, want %d %q", err, code, reason)
		}
		return
	}
}

func TestHandlerThatReturnsClosesTheConnection(t *testing.T) {
	wantClose(t, serve(t, Options{}, func(_ context.Context, c *Conn) { c.Close(4404, "gone fishing") }), 4404, "gone fishing")
	wantClose(t, serve(t, Options{}, func(context.Context, *Conn) {}), NormalClosure, "")
}

func TestMessageTooLong(t *testing.T) {
	conn := serve(t, Options{Limits: Limits{Received: 10}}, echo)
	_ = conn.Write(t.Context(), websocket.MessageText, []byte("0123456789X"))
	wantClose(t, conn, websocket.StatusMessageTooBig, "read limited at 11 bytes")
}

func TestNotAnUpgrade(t *testing.T) {
	w := httptest.NewRecorder()
	err := Serve(w, httptest.NewRequest("GET", "/", nil), Options{}, func(context.Context, *Conn) { t.Error("handled") })
	if err == nil || w.Code != http.StatusUpgradeRequired {
		t.Errorf("Serve = %v, answer %d", err, w.Code)
	}
}

// Send returns when its messages have been written, in order and whole, however many send.
func TestSend(t *testing.T) {
	const senders, batches = 8, 50
	var failed atomic.Int64
	conn := serve(t, Options{Limits: Limits{Bytes: 1}}, func(ctx context.Context, c *Conn) {
		var sending sync.WaitGroup
		for i := range senders {
			sending.Go(func() {
				memory := make([]byte, 2)
				for j := range batches {
					memory[0], memory[1] = byte(i), byte(j)
					if err := c.Send(ctx, Message{true, memory[:1]}, Message{true, memory}); err != nil {
						failed.Add(1)
					}
				}
			})
		}
		sending.Wait()
		c.Close(NormalClosure, "done")
		if err := c.Send(ctx, Message{}); !errors.Is(err, ErrClosing) {
			failed.Add(1)
		}
		_, _ = c.Read(ctx)
	})
	next := [senders]byte{}
	for range senders * batches {
		_, first, err := conn.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, second, err := conn.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(first) != 1 || len(second) != 2 || first[0] != second[0] || second[1] != next[first[0]] {
			t.Fatalf("got %v and %v", first, second)
		}
		next[first[0]]++
	}
	if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != NormalClosure || failed.Load() != 0 {
		t.Errorf("%v; %d failed", err, failed.Load())
	}
}

// A peer that does not read blocks Send until the connection ends.
func TestSendEnds(t *testing.T) {
	for name, end := range map[string]func(*Conn, context.CancelFunc){
		"closed":       func(c *Conn, _ context.CancelFunc) { c.Close(GoingAway, "") },
		"given up":     func(_ *Conn, cancel context.CancelFunc) { cancel() },
		"not read":     func(*Conn, context.CancelFunc) {}, // for the time that writing may take
		"disconnected": nil,
	} {
		t.Run(name, func(t *testing.T) {
			result := make(chan error, 1)
			conn := serve(t, Options{Limits: Limits{Silence: 2 * time.Second}}, func(ctx context.Context, c *Conn) {
				sending, cancel := context.WithCancel(ctx)
				defer cancel()
				go func() {
					for {
						if err := c.Send(sending, Message{true, make([]byte, 16<<20)}); err != nil {
							result <- err
							return
						}
					}
				}()
				if end != nil {
					end(c, cancel)
				}
				_, _ = c.Read(ctx)
			})
			if end == nil {
				conn.CloseNow()
			}
			select {
			case err := <-result:
				if !errors.Is(err, ErrClosing) && !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			case <-time.After(patience):
				t.Error("Send has not returned")
			}
		})
	}
}
