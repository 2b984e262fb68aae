package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const (
	ping          = `{"jsonrpc":"2.0","id":"p","method":"ping"}`
	pong          = `{"jsonrpc":"2.0","id":"p","result":{}}`
	statelessMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
)

// callTool is a request of the stateless era.
func callTool(id, tool string) string {
	return `{"jsonrpc":"2.0","id":"` + id + `","method":"tools/call","params":{"name":"` + tool + `",` + statelessMeta + `}}`
}

func TestLinesOnTheEdge(t *testing.T) {
	for name, tt := range map[string]struct {
		input string
		want  []string // what each answer must contain
	}{
		"no newline at the end":   {ping, []string{pong}},
		"CRLF":                    {"42\r\n" + ping + "\r\n", []string{`"code":-32600`, pong}},
		"byte order mark":         {"\uFEFF" + ping + "\n", []string{pong}},
		"nothing":                 {"", nil},
		"blank lines":             {"\n\r\n \t\n", nil},
		"invalid UTF-8":           {"{\"a\":\"\xff\"}\n" + ping, []string{`"code":-32700`, pong}},
		"NUL":                     {"\x00\n" + ping, []string{`"code":-32700`, pong}},
		"as long as may be":       {ping + strings.Repeat(" ", 200-len(ping)) + "\n", []string{pong}},
		"too long":                {ping + strings.Repeat(" ", 201-len(ping)) + "\n" + ping, []string{"longer than 200 bytes", pong}},
		"too long, at the end":    {strings.Repeat("x", 1000), []string{"longer than 200 bytes"}},
		"too long for any buffer": {strings.Repeat("x", 1<<20) + "\n" + ping, []string{"longer than 200 bytes", pong}},
		"nested too deeply": {`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":` + strings.Repeat("[", 50) + strings.Repeat("]", 50) + "}}\n",
			[]string{`"id":1,"result"`}},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, newTestServer(quiet()), func(st *Stdio) { st.MaxLine = 200 })
			go func() {
				io.WriteString(s.in, tt.input)
				s.in.Close()
			}()
			got := s.finishReading(t)
			if len(got) != len(tt.want) {
				t.Fatalf("got %q, want %d lines", got, len(tt.want))
			}
			for i := range got {
				if !strings.Contains(got[i], tt.want[i]) {
					t.Errorf("line %d is %s, want it to contain %s", i, got[i], tt.want[i])
				}
			}
		})
	}
}

func TestDeepNesting(t *testing.T) {
	s := serve(t, newTestServer(quiet()), nil)
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	s.send(t, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":`+deep+"}}\n")
	if got := s.receive(t); !strings.Contains(got, `"id":1,"error":{"code":-32600`) {
		t.Errorf("got %s", got)
	}
	s.send(t, ping+"\n")
	if got := s.receive(t); got != pong {
		t.Errorf("after it: %s", got)
	}
	s.finish(t)
}

// A client may close its end as soon as it has asked.
func TestEndOfInputWaitsForCalls(t *testing.T) {
	release := make(chan struct{})
	srv := newTestServer(quiet())
	AddTool(srv, Tool{Name: "slow", Hints: harmless}, func(ctx context.Context, _ struct{}) (Result, error) {
		select {
		case <-release:
			return Text("done"), nil
		case <-ctx.Done():
			return Result{}, ctx.Err()
		}
	})
	s := serve(t, srv, nil)
	s.send(t, callTool("a", "slow")+"\n"+callTool("b", "slow")+"\n"+ping+"\n")
	if got := s.receive(t); got != pong {
		t.Fatalf("got %s", got)
	}
	s.in.Close()
	close(release)
	rest := s.finish(t)
	if len(rest) != 2 || !strings.Contains(rest[0]+rest[1], `"id":"a"`) || !strings.Contains(rest[0]+rest[1], `"id":"b"`) {
		t.Errorf("answers after the end of the input: %q", rest)
	}
}

func TestEndOfInputDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, newTestServer(quiet()), func(st *Stdio) { st.Drain = time.Hour })
		s.send(t, callTool("a", "block")+"\n")
		start := time.Now()
		if rest := s.finish(t); len(rest) != 0 {
			t.Errorf("answers: %q", rest)
		}
		if took := time.Since(start); took != time.Hour {
			t.Errorf("took %v", took)
		}
	})
}

// A subscription is answered when it ends: nothing to wait for.
func TestEndOfInputEndsSubscriptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, newTestServer(quiet()), nil)
		s.send(t, `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},`+statelessMeta+"}}\n")
		if got := s.receive(t); !strings.Contains(got, "acknowledged") {
			t.Fatalf("got %s", got)
		}
		start := time.Now()
		s.finish(t)
		if took := time.Since(start); took != 0 {
			t.Errorf("took %v", took)
		}
	})
}

func TestStopCancelsCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, newTestServer(quiet()), nil)
		s.send(t, callTool("a", "block")+"\n")
		synctest.Wait()
		start := time.Now()
		s.cancel()
		if err := <-s.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Serve = %v", err)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("took %v", took)
		}
	})
}

func TestStopDoesNotWaitForDeafCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		srv := newTestServer(quiet())
		AddTool(srv, Tool{Name: "deaf", Hints: harmless}, func(context.Context, struct{}) (Result, error) {
			<-release
			return Result{}, nil
		})
		s := serve(t, srv, nil)
		s.send(t, callTool("a", "deaf")+"\n")
		synctest.Wait()
		start := time.Now()
		s.cancel()
		<-s.ended
		if took := time.Since(start); took != stopGrace {
			t.Errorf("took %v", took)
		}
		close(release)
	})
}

func TestBrokenOutputEndsTheSession(t *testing.T) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	outR.Close()
	ended := make(chan error, 1)
	go func() { ended <- Serve(t.Context(), newTestServer(quiet()), &Stdio{In: inR, Out: outW, Log: quiet()}) }()
	io.WriteString(inW, "malformed\n")
	if err := <-ended; !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("Serve = %v", err)
	}
}

// Lua strings are bytes; the wire is UTF-8.
func TestOutputIsUTF8(t *testing.T) {
	srv := newTestServer(quiet())
	AddTool(srv, Tool{Name: "bytes", Hints: harmless}, func(context.Context, struct{}) (Result, error) {
		return JSON(json.RawMessage("{\"a\":\"\xff\"}"))
	})
	s := serve(t, srv, nil)
	s.send(t, callTool("a", "bytes")+"\n")
	got := s.receive(t)
	if !strings.Contains(got, `"structuredContent":{"a":"`+"\uFFFD"+`"}`) {
		t.Errorf("got %q", got)
	}
	s.finish(t)
}

func TestBothErasAtOnce(t *testing.T) {
	s := serve(t, newTestServer(quiet()), nil)
	s.send(t, callTool("a", "block")+"\n")
	s.send(t, initialize+"\n")
	if got := s.receive(t); !strings.Contains(got, `"protocolVersion":"2025-11-25"`) {
		t.Errorf("initialize: %s", got)
	}
	// A notification says nothing of its era: the call it names does.
	s.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}`+"\n")
	if rest := s.finish(t); len(rest) != 0 {
		t.Errorf("a cancelled call was answered: %q", rest)
	}
}

// A client that says that it has waited long enough ends its call with another cause than one that
// does not want it any more, and gets no answer either.
func TestWhyCancelled(t *testing.T) {
	for reason, gaveUp := range map[string]bool{
		`, "reason": "McpError: MCP error -32001: Request timed out"`: true,
		`, "reason": "request timeout"`:                               true,
		`, "reason": "Timeouts were changed by the person"`:           false,
		`, "reason": "AbortError: This operation was aborted"`:        false,
		``: false,
	} {
		srv := newTestServer(quiet())
		began, cause := make(chan struct{}), make(chan error, 1)
		AddTool(srv, Tool{Name: "wait", Hints: harmless}, func(ctx context.Context, _ struct{}) (Result, error) {
			close(began)
			<-ctx.Done()
			cause <- context.Cause(ctx)
			return Result{}, context.Cause(ctx)
		})
		s := serve(t, srv, nil)
		s.send(t, callTool("a", "wait")+"\n")
		<-began
		s.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"`+reason+`}}`+"\n")
		if err := <-cause; errors.Is(err, ErrGaveUp) != gaveUp {
			t.Errorf("%s: %v", reason, err)
		}
		if rest := s.finish(t); len(rest) != 0 {
			t.Errorf("a cancelled call was answered: %q", rest)
		}
	}
}
