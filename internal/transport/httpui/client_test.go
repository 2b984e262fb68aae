package httpui

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"
)

func TestClientQueueIsBounded(t *testing.T) {
	const none websocket.StatusCode = 0
	tests := []struct {
		name     string
		messages int
		bytes    int
		writing  bool // the first message is taken off the queue, but not yet written
		deliver  []string
		taken    int // how many are taken before the client is dropped
		code     websocket.StatusCode
	}{
		{"room", 3, 10, false, []string{"12345", "12345"}, 2, none},
		{"too many bytes", 3, 10, false, []string{"12345", "12345", "1"}, 2, websocket.StatusTryAgainLater},
		{"too many messages", 3, 10, false, []string{"1", "2", "3", "4"}, 3, websocket.StatusTryAgainLater},
		{"one huge message", 3, 10, false, []string{"12345678901234567890"}, 1, none},
		{"and another", 3, 10, false, []string{"12345678901234567890", ""}, 1, websocket.StatusTryAgainLater},
		{"what is being written counts", 3, 10, true, []string{"1234567890", "1"}, 1, websocket.StatusTryAgainLater},
		{"but not as a message", 1, 10, true, []string{"1", "2"}, 2, none},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newClient(socketLimits{messages: test.messages, bytes: test.bytes, grace: time.Second}, func() {})
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
				if code, _ := c.verdict(); code != test.code {
					t.Errorf("close code = %d, want %d", code, test.code)
				}
				if _, ok := c.next(); ok && test.code != none {
					t.Error("a dropped client still has messages")
				}
			})
		})
	}
}

func TestClientHasRoomAgain(t *testing.T) {
	c := newClient(socketLimits{messages: 10, bytes: 10}, func() {})
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
		c := newClient(socketLimits{messages: 10, bytes: 10, grace: time.Second}, func() { cut <- time.Now() })
		begin := time.Now()
		c.end(websocket.StatusGoingAway, "first")
		time.Sleep(time.Second / 2)
		c.end(websocket.StatusInternalError, "second")
		if code, reason := c.verdict(); code != websocket.StatusGoingAway || reason != "first" {
			t.Errorf("verdict = %d %q", code, reason)
		}
		if c.Deliver(nil) {
			t.Error("an ended client takes messages")
		}
		if d := (<-cut).Sub(begin); d != time.Second {
			t.Errorf("cut after %v", d)
		}
		c.release()
	})
}

func TestReleaseStopsTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClient(socketLimits{grace: time.Second}, func() { t.Error("cut after release") })
		c.end(websocket.StatusGoingAway, "")
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
