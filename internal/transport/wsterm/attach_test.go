package wsterm_test

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term/dialog"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/socketwire"
)

func (c *conn) sendFrame(t *testing.T, k socketwire.Kind, content string) {
	t.Helper()
	if err := c.Write(c.ctx, websocket.MessageBinary, append([]byte{byte(k)}, content...)); err != nil {
		t.Fatal(err)
	}
}

// frame returns the content of the next frame of that kind, and skips others, except errors. It
// reports skipped pictures as drawn, for the server to send the next one.
func (c *conn) frame(t *testing.T, k socketwire.Kind) string {
	t.Helper()
	for {
		kind, b, err := c.Read(c.ctx)
		if err != nil {
			t.Fatalf("no frame %02x: %v", byte(k), err)
		}
		if kind != websocket.MessageBinary || len(b) == 0 {
			t.Fatalf("a message of type %v: %q", kind, b)
		}
		switch got := socketwire.Kind(b[0]); got {
		case k:
			return string(b[1:])
		case socketwire.Failed:
			t.Fatalf("no frame %02x but an error: %s", byte(k), b[1:])
		case socketwire.PtyOutput:
			if k != socketwire.Detach { // before which there is only one more
				c.sendFrame(t, socketwire.Drawn, "")
			}
		}
	}
}

// output reads pictures until one has a text.
func (c *conn) output(t *testing.T, text string) {
	t.Helper()
	for !strings.Contains(c.frame(t, socketwire.PtyOutput), text) {
		c.sendFrame(t, socketwire.Drawn, "")
	}
	c.sendFrame(t, socketwire.Drawn, "")
}

const follower = `{"scrollback":"none","client":{"follows":true,"counts":true,"paced":true,"kind":"page"}}`

// A page is attached as a terminal is: it sees the session at its size, types, learns how much has
// been taken, and takes the lead.
func TestAttach(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	srv := serve(t, l, terminals.Everything)
	c := srv.dial(t, "/sessions/a/ws/attach")
	c.sendFrame(t, socketwire.AttachSession, follower)
	if d := opcases.Diff(`{"name":"a","pid":4242,"client":"page-1"}`, c.frame(t, socketwire.AttachSessionResponse)); d != "" {
		t.Error(d)
	}
	if d := opcases.Diff(`{"rows":4,"cols":20}`, c.frame(t, socketwire.Resize)); d != "" {
		t.Error(d)
	}
	c.output(t, "$")
	c.sendFrame(t, socketwire.StdinInput, "typed")
	if d := opcases.Diff(`{"bytes":5}`, c.frame(t, socketwire.Typed)); d != "" {
		t.Error(d)
	}
	c.sendFrame(t, socketwire.StdinInput, "x")
	if d := opcases.Diff(`{"bytes":6}`, c.frame(t, socketwire.Typed)); d != "" {
		t.Error(d)
	}
	c.sendFrame(t, socketwire.Ping, "")
	c.frame(t, socketwire.Pong)
	c.sendFrame(t, socketwire.Resize, `{"rows":5,"cols":33}`)
	c.sendFrame(t, socketwire.Lead, "")
	for opcases.Diff(`{"rows":5,"cols":33}`, c.frame(t, socketwire.Resize)) != "" {
	}
	c.sendFrame(t, socketwire.Detach, "")
	if d := opcases.Diff(`{"reason":"detached","name":"a"}`, c.frame(t, socketwire.Detach)); d != "" {
		t.Error(d)
	}
	if code, reason := c.closed(t); code != websocket.StatusNormalClosure {
		t.Errorf("closed with %d %s", code, reason)
	}
}

// Failed requests are answered with a frame, because pages cannot read refusals of an upgrade.
func TestAttachFails(t *testing.T) {
	srv := serve(t, opcases.New(t, opcases.Case{}), terminals.Everything)
	for _, tt := range []struct {
		path    string
		kind    socketwire.Kind
		content string
		want    string
	}{
		{"/sessions/none/ws/attach", socketwire.AttachSession, follower, `{"code":"session_not_found"}`},
		{"/sessions/none/ws/attach", socketwire.AttachSession, `{"name":"a","client":{}}`, `{"code":"session_not_found"}`},
		{"/sessions/over/ws/attach", socketwire.AttachSession, follower, `{"code":"session_ended"}`},
		{"/sessions/a/ws/attach", socketwire.AttachSession, `{"client":{"kind":"raw"}}`, `{"code":"invalid_request"}`},
		{"/sessions/a/ws/attach", socketwire.AttachSession, `{"rows":24,"cols":80}`, `{"code":"invalid_request"}`},
		{"/sessions/a/ws/attach", socketwire.CreateSession, `{}`, `{"code":"invalid_request"}`},
		{"/sessions/a/ws/attach", socketwire.Detach, ``, `{"code":"invalid_request"}`},
		{"/ws/attach", socketwire.Detach, ``, `{"code":"invalid_request"}`},
		{"/ws/attach", socketwire.CreateSession, `{"name":"new","command":"true","client":{}}`, `{"code":"invalid_request"}`}, // at a port
	} {
		c := srv.dial(t, tt.path)
		c.sendFrame(t, tt.kind, tt.content)
		_, b, err := c.Read(c.ctx)
		if err != nil || socketwire.Kind(b[0]) != socketwire.Failed {
			t.Fatalf("%+v: %q, %v", tt, b, err)
		}
		if d := opcases.Diff(tt.want, string(b[1:])); d != "" {
			t.Errorf("%+v: %s", tt, d)
		}
	}
	c := srv.dial(t, "/sessions/a/ws/attach")
	c.write(t, "text")
	if _, b, err := c.Read(c.ctx); err != nil || socketwire.Kind(b[0]) != socketwire.Failed {
		t.Errorf("after a text: %q, %v", b, err)
	}
	c.closed(t)
}

// A client that sends no request in time may connect again: it is not closed with the code of those
// whose rights have ended.
func TestAttachLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		srv := &http.Server{Handler: handler(opcases.New(t, opcases.Case{}))}
		go func() { _ = srv.Serve(testkit.NewListener(far)) }() // it serves the connection longer
		client := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return near, nil }}}
		c, _, err := websocket.Dial(t.Context(), "ws://server/sessions/a/ws/attach", &websocket.DialOptions{HTTPClient: client})
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		code, reason := (&conn{Conn: c, ctx: t.Context()}).closed(t)
		if took := time.Since(begun); code != websocket.StatusTryAgainLater || took != 5*time.Second {
			t.Errorf("closed with %d %s after %v", code, reason, took)
		}
		_ = c.CloseNow()
		_ = srv.Close()
	})
}

// What is typed does not wait until a question that was answered there is over for its asker.
func TestKeysPassAnAnswer(t *testing.T) {
	r := opcases.Sessions(t, registry.Config{Start: opcases.Start, Log: slog.New(slog.DiscardHandler)})
	s, err := r.Create(t.Context(), registry.CreateOptions{Name: "a", Command: "$ "})
	if err != nil {
		t.Fatal(err)
	}
	c := serve(t, terminals.NewLocal(r, terminals.Host{}), terminals.Everything).dial(t, "/sessions/a/ws/attach")
	c.sendFrame(t, socketwire.AttachSession, `{"client":{"questions":true,"counts":true}}`)
	c.frame(t, socketwire.AttachSessionResponse)
	replied, take, over := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		q := dialog.Question{Asked: question.Asked{ID: "ID", Question: question.Question{
			Title: "Deploy?", Message: "Now?", Options: []question.Option{{Label: "Yes", Value: "yes"}}, Severity: question.Info, Timeout: time.Hour,
		}}}
		_, err := s.Ask(t.Context(), q, func(question.Reply) error {
			close(replied)
			<-take
			return nil
		})
		over <- err
	}()
	for !strings.Contains(c.frame(t, socketwire.Question), "Deploy?") {
	}
	c.sendFrame(t, socketwire.Question, `{"type":"answer","id":"ID","action":"answer","values":["yes"]}`)
	wait.For(t, "the answer", replied)
	c.sendFrame(t, socketwire.StdinInput, "x")
	if d := opcases.Diff(`{"bytes":1}`, c.frame(t, socketwire.Typed)); d != "" {
		t.Error(d)
	}
	close(take)
	if err := wait.For(t, "the end of the question", over); err != nil {
		t.Error(err)
	}
}
