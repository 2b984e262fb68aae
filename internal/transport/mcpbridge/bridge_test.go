package mcpbridge

import (
	"errors"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/jsonrpc"
)

func TestForward(t *testing.T) {
	for name, story := range map[string]func(*backend, *client){
		"a session": func(b *backend, c *client) {
			c.initialize()
			if got := c.call(1, "echo", "hello").text(); got != "1: hello" {
				c.t.Errorf("echo: %s", got)
			}
			if left, err := c.finish(); err != nil || len(left) > 0 {
				c.t.Errorf("at the end: %+v, %v", left, err)
			}
			wait.Until(c.t, "the connection is closed", func() bool { return b.connected() == 0 })
		},
		"without a handshake": func(_ *backend, c *client) {
			c.send(statelessCall(1, "echo", "hello"))
			if m := c.next(); m.text() != "1: hello" {
				c.t.Errorf("echo: %+v", m)
			}
			c.send(`{"jsonrpc":"2.0","id":"ä","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
			if m := c.next(); m.Result == nil || m.ID != "ä" {
				c.t.Errorf("discover: %+v", m)
			}
			c.initialize() // a client may do both
			if got := c.call(2, "echo", "again").text(); got != "1: again" {
				c.t.Errorf("echo: %s", got)
			}
		},
		"a result of 10 MiB": func(_ *backend, c *client) {
			c.initialize()
			if got := c.call(1, "large", "").text(); len(got) != 10<<20 {
				c.t.Errorf("%d bytes: %.100s", len(got), got)
			}
		},
		"calls at the same time": func(b *backend, c *client) {
			c.initialize()
			c.send(toolCall(1, "wait", "first"))
			<-b.calls
			if got := c.call(2, "echo", "second").text(); got != "1: second" {
				c.t.Errorf("echo: %s", got)
			}
			c.send(toolCall(1, "echo", "the same id"))
			if m := c.next(); m.ID != nil || m.Error == nil || m.Error.Code != jsonrpc.CodeInvalidRequest {
				c.t.Errorf("an id in use: %+v", m)
			}
			close(b.hold)
			if m := c.next(); m.ID != 1.0 || m.text() != "done" {
				c.t.Errorf("the first call: %+v", m)
			}
		},
		"a cancelled call": func(b *backend, c *client) {
			c.initialize()
			c.send(toolCall(1, "wait", "first"))
			<-b.calls
			c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
			if got := <-b.calls; got != "cancelled" {
				c.t.Errorf("the tool: %s", got)
			}
			if got := c.call(2, "echo", "next").text(); got != "1: next" {
				c.t.Errorf("echo: %s", got)
			}
		},
		"a cancelled call without a session": func(b *backend, c *client) {
			c.send(statelessCall(1, "wait", "first"))
			<-b.calls
			c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
			if got := <-b.calls; got != "cancelled" {
				c.t.Errorf("the tool: %s", got)
			}
			c.send(statelessCall(2, "echo", "next"))
			if m := c.next(); m.text() != "1: next" {
				c.t.Errorf("echo: %+v", m)
			}
		},
		"malformed lines": func(_ *backend, c *client) {
			c.initialize()
			for line, want := range map[string]int{
				"nonsense":                 jsonrpc.CodeParse,
				"[]":                       jsonrpc.CodeInvalidRequest,
				`{"jsonrpc":"2.0","id":1}`: jsonrpc.CodeInvalidRequest,
				`{"id":1,"method":"ping"}`: jsonrpc.CodeInvalidRequest,
				"\xff":                     jsonrpc.CodeParse,
				strings.Repeat("x", 1<<20): jsonrpc.CodeParse,
				`{"jsonrpc":"2.0","id":[1],"method":"ping"}`: jsonrpc.CodeInvalidRequest,
			} {
				c.send(line)
				if m := c.next(); m.Error == nil || m.Error.Code != want {
					c.t.Errorf("%.50q: %+v, want code %d", line, m, want)
				}
			}
			c.send("", `{"jsonrpc":"2.0","id":77,"result":{}}`, `{"jsonrpc":"2.0","method":"notifications/unheard-of"}`)
			if got := c.call(1, "echo", "still here").text(); got != "1: still here" {
				c.t.Errorf("echo: %s", got)
			}
		},
		"an unknown method": func(_ *backend, c *client) {
			c.initialize()
			c.send(`{"jsonrpc":"2.0","id":1,"method":"frobnicate"}`)
			if m := c.next(); m.Error == nil || m.ID != 1.0 || m.Error.Code != jsonrpc.CodeMethodNotFound {
				c.t.Errorf("%+v", m)
			}
		},
		"calls when the input ends": func(b *backend, c *client) {
			c.initialize()
			c.send(toolCall(1, "wait", "first"))
			<-b.calls
			c.in.Close()
			close(b.hold)
			if left, err := c.finish(); err != nil || len(left) != 1 || left[0].text() != "done" {
				c.t.Errorf("left: %+v, %v", left, err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBackend(t)
			story(b, run(t, Options{Connect: b.connect}))
		})
	}
}

// A call that does not end is answered when its time after the end of the input is over.
func TestDrainEnds(t *testing.T) {
	b := newBackend(t)
	c := run(t, Options{Connect: b.connect, Drain: time.Millisecond})
	c.initialize()
	c.send(toolCall(1, "wait", "first"))
	<-b.calls
	left, err := c.finish()
	if err != nil || len(left) != 1 || left[0].ID != 1.0 || !strings.Contains(left[0].text(), "being closed") {
		t.Errorf("left: %+v, %v", left, err)
	}
}

func TestServerEnds(t *testing.T) {
	for name, story := range map[string]func(*backend, *client){
		"between two calls": func(b *backend, c *client) {
			c.initialize()
			c.call(1, "echo", "")
			b.kill()
			if got := c.call(2, "echo", "hello").text(); got != "2: hello" {
				c.t.Errorf("echo: %s", got)
			}
		},
		"in order, between two calls": func(b *backend, c *client) {
			c.initialize()
			c.call(1, "echo", "")
			b.stop()
			if got := c.call(2, "echo", "hello").text(); got != "2: hello" {
				c.t.Errorf("echo: %s", got)
			}
		},
		"in order, during a call": func(b *backend, c *client) {
			c.initialize()
			c.send(toolCall(1, "wait", "first"))
			<-b.calls
			b.stop()
			if m := c.next(); m.ID != 1.0 || !strings.Contains(m.text(), "the server is stopping") {
				c.t.Errorf("the call: %+v", m)
			}
			if got := c.call(2, "echo", "hello").text(); got != "2: hello" {
				c.t.Errorf("echo: %s", got)
			}
		},
		"between two calls without a session": func(b *backend, c *client) {
			c.send(statelessCall(1, "echo", ""))
			c.next()
			b.kill()
			c.send(statelessCall(2, "echo", "hello"))
			if m := c.next(); m.text() != "2: hello" {
				c.t.Errorf("echo: %+v", m)
			}
		},
		"during a call": func(b *backend, c *client) {
			c.initialize()
			c.send(toolCall(1, "wait", "first"))
			<-b.calls
			b.kill()
			for {
				m := c.next()
				if m.ID == 1.0 {
					if m.Error == nil || !strings.Contains(m.text(), "whether the call ran is unknown") {
						c.t.Errorf("the call: %+v", m)
					}
					break
				}
			}
			if got := c.call(2, "echo", "hello").text(); got != "2: hello" {
				c.t.Errorf("echo: %s", got)
			}
		},
		"and cannot be started": func(b *backend, c *client) {
			c.initialize()
			b.mu.Lock()
			b.fail = errors.New("there is no room on the disk")
			b.mu.Unlock()
			b.kill()
			if m := c.call(1, "echo", ""); m.Error == nil || !strings.Contains(m.text(), "no room on the disk") {
				c.t.Errorf("echo: %+v", m)
			}
			b.mu.Lock()
			b.fail = nil
			b.mu.Unlock()
			if got := c.call(2, "echo", "hello").text(); got != "2: hello" {
				c.t.Errorf("echo: %s", got)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBackend(t)
			story(b, run(t, Options{Connect: b.connect}))
		})
	}
}
