package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/transport/jsonrpc"
)

const farewell = `{"jsonrpc":"2.0","method":"test/farewell"}`

// lineServer is a server whose tool "key" returns the value of a context.
func lineServer() *HTTP {
	s := newTestServer(quiet())
	AddTool(s, Tool{Name: "key", Description: "Returns a value.", Hints: harmless},
		func(ctx context.Context, _ struct{}) (Result, error) {
			v, _ := ctx.Value(lineKey{}).(string)
			return Text("value " + v), nil
		})
	return NewHTTP(s, HTTPOptions{Log: quiet()})
}

type lineKey struct{}

// serveConn serves a connection of h, with a value in its context.
func serveConn(t *testing.T, h *HTTP, value string) (s *session, client, server net.Conn) {
	t.Helper()
	return serveContext(t, h, context.WithValue(t.Context(), lineKey{}, value))
}

func serveContext(t *testing.T, h *HTTP, ctx context.Context) (s *session, client, server net.Conn) {
	t.Helper()
	client, server = net.Pipe()
	s = &session{lines: jsonrpc.NewLineReader(client, DefaultMaxLine), ended: make(chan error, 1)}
	release, ok := h.Reserve()
	if !ok {
		t.Fatal("the server is closed")
	}
	go func() {
		defer release()
		s.ended <- h.ServeLines(ctx, server, []byte(farewell), 0)
	}()
	t.Cleanup(func() { client.Close(); server.Close() })
	return s, client, server
}

// exchange sends a line and returns the next one.
func exchange(t *testing.T, s *session, conn net.Conn, line string) string {
	t.Helper()
	if _, err := io.WriteString(conn, line+"\n"); err != nil {
		t.Fatal(err)
	}
	return s.receive(t)
}

// Both eras are served on one connection, and calls have the values of its context, beside another
// connection.
func TestServeLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := lineServer()
		one, connOne, _ := serveConn(t, h, "one")
		two, connTwo, _ := serveConn(t, h, "two")
		for _, c := range []struct {
			s     *session
			conn  net.Conn
			value string
		}{{one, connOne, "one"}, {two, connTwo, "two"}} {
			if got := exchange(t, c.s, c.conn, initialize); !strings.Contains(got, `"serverInfo"`) {
				t.Errorf("initialize: %s", got)
			}
			if _, err := io.WriteString(c.conn, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
				t.Fatal(err)
			}
			for era, call := range map[string]string{
				"session": `{"jsonrpc":"2.0","id":"k","method":"tools/call","params":{"name":"key"}}`, "stateless": callTool("k", "key"),
			} {
				if got := exchange(t, c.s, c.conn, call); !strings.Contains(got, `"id":"k"`) || !strings.Contains(got, `"value `+c.value+`"`) {
					t.Errorf("%s: %s", era, got)
				}
			}
			if got := exchange(t, c.s, c.conn, "nonsense"); !strings.Contains(got, "-32700") {
				t.Errorf("a malformed line: %s", got)
			}
		}
		connOne.Close()
		if err := <-one.ended; err == nil {
			t.Error("the client disconnected without an error")
		}
		if got := exchange(t, two, connTwo, ping); got != pong {
			t.Errorf("after the end of the other connection: %s", got)
		}
		connTwo.Close()
		<-two.ended
		if err := h.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if _, ok := h.Reserve(); ok {
			t.Error("a closed server serves")
		}
	})
}

// A call that arrives while a server is being closed does not run, and does not keep the client
// from learning that.
func TestServeLinesLateCall(t *testing.T) {
	for range 20 { // what ends first is chance
		synctest.Test(t, func(t *testing.T) {
			h := lineServer()
			s, client, _ := serveConn(t, h, "")
			if _, err := io.WriteString(client, callTool("a", "block")+"\n"); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			go func() { _, _ = io.WriteString(client, callTool("late", "block")+"\n"+callTool("later", "block")+"\n") }() // they may not be read
			closed := make(chan error, 1)
			go func() { closed <- h.Close(t.Context()) }()
			for last := ""; last != farewell; {
				last = s.receive(t)
			}
			if err := errors.Join(<-s.ended, <-closed); err != nil && !errors.Is(err, io.EOF) {
				t.Error(err)
			}
			client.Close()
		})
	}
}

// A client that is let in just before the server is closed learns that its calls do not run.
func TestServeLinesWhileClosing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := lineServer()
		release, ok := h.Reserve()
		if !ok {
			t.Fatal("an open server refuses a connection")
		}
		closed := make(chan error, 1)
		go func() { closed <- h.Close(t.Context()) }()
		synctest.Wait()
		if _, ok := h.Reserve(); ok {
			t.Error("a closed server takes another connection")
		}
		client, server := net.Pipe()
		defer client.Close()
		defer server.Close()
		ended := make(chan error, 1)
		go func() {
			defer release()
			ended <- h.ServeLines(t.Context(), server, []byte(farewell), 0)
		}()
		go func() { _, _ = io.WriteString(client, callTool("a", "block")+"\n") }() // it may not be read
		s := &session{lines: jsonrpc.NewLineReader(client, DefaultMaxLine), ended: ended}
		if got := s.receive(t); got != farewell {
			t.Errorf("the client gets %s", got)
		}
		if err := errors.Join(<-ended, <-closed); err != nil {
			t.Error(err)
		}
	})
}

// A server that is closed cancels and answers the calls that it has, and says farewell in the last
// line. The connection stays open.
func TestServeLinesFarewell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := lineServer()
		s, client, server := serveConn(t, h, "")
		for _, line := range []string{callTool("a", "block"), callTool("b", "block")} {
			if _, err := io.WriteString(client, line+"\n"); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait() // both run
		closed := make(chan error, 1)
		go func() { closed <- h.Close(t.Context()) }()
		first, second := s.receive(t), s.receive(t)
		if all := first + second; !strings.Contains(all, `"id":"a"`) || !strings.Contains(all, `"id":"b"`) {
			t.Errorf("answers: %s, %s", first, second)
		}
		if got := s.receive(t); got != farewell {
			t.Errorf("last line: %s", got)
		}
		if err := <-s.ended; err != nil {
			t.Errorf("ServeLines = %v", err)
		}
		if err := <-closed; err != nil {
			t.Errorf("Close = %v", err)
		}
		go func() { _, _ = io.WriteString(server, "open\n") }() // what fails shows in what the client gets
		if got := s.receive(t); got != "open" {
			t.Errorf("afterwards the connection gives %q", got)
		}
	})
}

// News wait for a call whose result the client gets: not one that it has cancelled, or does not
// wait for any longer.
func TestNewsOfCancelledCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := New(Options{Name: "test", Version: "0", Logger: quiet(), News: func(string) bool { return true }})
		AddTool(srv, Tool{Name: "until", Description: "Waits.", Hints: harmless},
			func(ctx context.Context, _ struct{}) (Result, error) {
				select {
				case <-ctx.Done():
				case <-time.After(time.Hour):
				}
				return Text("done"), nil
			})
		h := NewHTTP(srv, HTTPOptions{Log: quiet()})
		var n News
		n.Tell("another server runs")
		s, client, _ := serveContext(t, h, WithNews(t.Context(), &n))
		for id, reason := range map[string]string{"a": "the person has pressed Esc", "b": "Request timed out"} {
			if _, err := io.WriteString(client, callTool(id, "until")+"\n"); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			cancel := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%q,"reason":%q}}`, id, reason)
			if _, err := io.WriteString(client, cancel+"\n"); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if got := exchange(t, s, client, callTool("c", "until")); !strings.Contains(got, "another server runs") {
			t.Errorf("the next call: %s", got)
		}
		client.Close()
		<-s.ended
		if err := h.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// Calls are cancelled when the client disconnects.
func TestServeLinesCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newTestServer(quiet())
		cancelled := make(chan struct{})
		AddTool(srv, Tool{Name: "until", Description: "Waits.", Hints: harmless},
			func(ctx context.Context, _ struct{}) (Result, error) {
				<-ctx.Done()
				close(cancelled)
				return Result{}, ctx.Err()
			})
		h := NewHTTP(srv, HTTPOptions{Log: quiet()})
		s, client, _ := serveConn(t, h, "")
		if _, err := io.WriteString(client, callTool("a", "until")+"\n"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		client.Close()
		<-cancelled
		if err := <-s.ended; err == nil {
			t.Error("the client disconnected without an error")
		}
		if err := h.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
