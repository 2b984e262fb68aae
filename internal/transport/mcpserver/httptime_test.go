package mcpserver

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/transport/httpio"
)

// A pipeServer is an HTTP server whose connections are pipes in memory, so that a bubble can
// control its time.
type pipeServer struct {
	*testkit.Listener
	mcp   *HTTP
	http  *http.Server
	ended chan error
}

func servePipes(s *Server, o HTTPOptions) *pipeServer {
	p := &pipeServer{Listener: testkit.NewListener(), mcp: NewHTTP(s, o), ended: make(chan error, 1)}
	mux := http.NewServeMux()
	for pattern, route := range p.mcp.Routes() {
		mux.Handle(pattern, route)
	}
	p.http = &http.Server{Handler: mux}
	go func() { p.ended <- p.http.Serve(p) }()
	return p
}

// stop ends the server in good order.
func (p *pipeServer) stop(t *testing.T) {
	t.Helper()
	if err := p.mcp.Close(context.Background()); err != nil {
		t.Errorf("Close = %v", err)
	}
	if err := p.http.Close(); err != nil {
		t.Errorf("http: %v", err)
	}
	<-p.ended
}

// A pipeClient is one connection.
type pipeClient struct {
	net.Conn
	r *bufio.Reader
}

// send opens a connection and sends a request on it. Headers are whole lines.
func (p *pipeServer) send(t *testing.T, method, path, body string, headers ...string) *pipeClient {
	t.Helper()
	client, server := net.Pipe()
	p.Conns <- server
	head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: %d\r\n", method, path, len(body))
	for _, h := range headers {
		head += h + "\r\n"
	}
	if _, err := io.WriteString(client, head+"\r\n"+body); err != nil {
		t.Fatal(err)
	}
	return &pipeClient{client, bufio.NewReader(client)}
}

// response reads the head of the answer.
func (c *pipeClient) response(t *testing.T) *http.Response {
	t.Helper()
	res, err := http.ReadResponse(c.r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// do makes a request and returns the answer, which it has read to the end.
func (p *pipeServer) do(t *testing.T, method, path, body string, headers ...string) *http.Response {
	t.Helper()
	c := p.send(t, method, path, body, headers...)
	defer c.Close()
	res := c.response(t)
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		t.Fatal(err)
	}
	return res
}

func (p *pipeServer) handshake(t *testing.T) (header string) {
	t.Helper()
	id := p.do(t, http.MethodPost, "/mcp", initialize).Header.Get(sessionHeader)
	if id == "" {
		t.Fatal("no session")
	}
	return sessionHeader + ": " + id
}

// A session ends when it has not been used for a time. Each request restarts it, and a stream that
// the client listens to keeps the session.
func TestHTTPIdleSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const idle = time.Hour
		p := servePipes(newTestServer(quiet()), HTTPOptions{Idle: idle})
		defer p.stop(t)
		session := p.handshake(t)
		pings := func(want int) {
			t.Helper()
			if res := p.do(t, http.MethodPost, "/mcp", ping, session); res.StatusCode != want {
				t.Errorf("ping = %d, want %d", res.StatusCode, want)
			}
		}
		for range 3 {
			time.Sleep(idle - time.Second)
			pings(http.StatusOK)
		}
		stream := p.send(t, http.MethodGet, "/mcp", "", session)
		go func() { _, _ = io.Copy(io.Discard, stream.r) }()
		time.Sleep(3 * idle)
		pings(http.StatusOK)
		stream.Close()
		synctest.Wait()
		time.Sleep(idle + time.Second)
		synctest.Wait()
		pings(http.StatusNotFound)
	})
}

// Streams that have nothing to say, and calls that take long, stay alive.
func TestHTTPKeepAlive(t *testing.T) {
	for name, open := range map[string]func(*testing.T, *pipeServer) *pipeClient{
		"sse": func(t *testing.T, p *pipeServer) *pipeClient { return p.send(t, http.MethodGet, "/sse", "") },
		"listen": func(t *testing.T, p *pipeServer) *pipeClient {
			return p.send(t, http.MethodGet, "/mcp", "", p.handshake(t))
		},
		"a call in a session": func(t *testing.T, p *pipeServer) *pipeClient {
			return p.send(t, http.MethodPost, "/mcp", sessionCall("c", "block"), p.handshake(t))
		},
		"a call without one": func(t *testing.T, p *pipeServer) *pipeClient {
			return p.send(t, http.MethodPost, "/mcp", callTool("c", "block"), versionHeader+": "+StatelessSince, "Mcp-Method: tools/call", "Mcp-Name: block")
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := servePipes(newTestServer(quiet()), HTTPOptions{})
				c := open(t, p)
				res := c.response(t)
				if got := res.Header.Get("Content-Type"); res.StatusCode != http.StatusOK || got != "text/event-stream" {
					t.Fatalf("%d %s", res.StatusCode, got)
				}
				body := bufio.NewReader(res.Body)
				start := time.Now()
				for heard := 0; heard < 5; {
					line, err := body.ReadString('\n')
					if err != nil {
						t.Fatal(err)
					}
					if strings.HasPrefix(line, ": keep-alive") {
						heard++
					}
				}
				if took := time.Since(start); took > 5*keepAlive {
					t.Errorf("5 comments took %v", took)
				}
				go func() { _, _ = io.Copy(io.Discard, body) }()
				p.stop(t)
				c.Close()
			})
		})
	}
}

// A client that does not read is cut off, and its calls are cancelled.
func TestHTTPClientThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newTestServer(quiet())
		probe := addProbe(server)
		p := servePipes(server, HTTPOptions{})
		defer p.stop(t)
		stream := p.send(t, http.MethodGet, "/sse", "")
		defer stream.Close()
		events := newEventReader(stream.response(t).Body)
		_, endpoint, err := events.next()
		if err != nil {
			t.Fatal(err)
		}
		post := func(message string) {
			if res := p.do(t, http.MethodPost, endpoint, message); res.StatusCode != http.StatusAccepted {
				t.Fatalf("%s = %d", message, res.StatusCode)
			}
		}
		post(initialize)
		if _, _, err := events.next(); err != nil {
			t.Fatal(err)
		}
		post(sessionCall("c", "probe"))
		<-probe.started
		start := time.Now()
		<-probe.ended
		if took := time.Since(start); took > httpio.WriteTimeout+keepAlive {
			t.Errorf("it took %v", took)
		}
		synctest.Wait()
		if res := p.do(t, http.MethodPost, endpoint, ping); res.StatusCode != http.StatusNotFound {
			t.Errorf("a message to the session = %d, want 404", res.StatusCode)
		}
	})
}

// An error that has a status of its own comes as an event when the stream has begun meanwhile.
func TestHTTPLateError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newTestServer(quiet())
		AddTool(server, Tool{Name: "late", Description: "Fails in the end.", Hints: harmless},
			func(context.Context, struct{}) (Result, error) {
				time.Sleep(keepAlive + time.Second)
				return Result{}, fault.New(fault.NotFound, "no such thing")
			})
		p := servePipes(server, HTTPOptions{})
		defer p.stop(t)
		headers := []string{versionHeader + ": " + StatelessSince, "Mcp-Method: tools/call", "Mcp-Name: late"}
		c := p.send(t, http.MethodPost, "/mcp", callTool("c", "late"), headers...)
		defer c.Close()
		res := c.response(t)
		events := newEventReader(res.Body)
		name, data, err := events.next()
		if err != nil || res.StatusCode != http.StatusOK || name != "message" || !strings.Contains(data, `"error":{"code":-32602,"message":"no such thing"}`) || !strings.Contains(data, `"id":"c"`) {
			t.Errorf("event %s %s, %v", name, data, err)
		}
		if _, _, err := events.next(); err != io.EOF {
			t.Errorf("afterwards: %v", err)
		}
	})
}
