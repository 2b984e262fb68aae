package client_test

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/coder/websocket"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/client"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/httpterm"
	"ui-mcp/internal/transport/socketwire"
	"ui-mcp/internal/transport/wsterm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A server serves terminals, as our servers do.
type server struct {
	t *testing.T
	// as returns a client for callers with a grant.
	as func(terminals.Grant) *client.Client

	mu    sync.Mutex // guards the field below
	known map[string]*client.Client
}

func (s *server) by(g terminals.Grant) *client.Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	key, err := json.Marshal(g)
	if err != nil {
		s.t.Error(err)
	}
	if s.known[string(key)] == nil {
		s.known[string(key)] = s.as(g)
	}
	return s.known[string(key)]
}

func (s *server) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	return s.by(by).Do(ctx, by, o, in, out)
}

func (s *server) Open(ctx context.Context, by terminals.Grant, o *terminals.Operation, in any) (terminals.Stream, error) {
	return s.by(by).Open(ctx, by, o, in)
}

// decode reads answers with the types that lines have.
func decode(_ *terminals.Operation, answer []byte, out any) error {
	return wire.Decode(answer, out, nil)
}

// granting puts a caller's grant into requests.
func granting(h http.Handler, by terminals.Grant) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(terminals.NewContext(r.Context(), by)))
	})
}

func handler(l terminals.Terminals) http.Handler {
	return httpterm.New(l, wsterm.Routes(l, wsterm.Options{}))
}

// newClient returns a client that is closed at the end of the test.
func newClient(t *testing.T, o client.Options) *client.Client {
	c := client.New(o)
	t.Cleanup(func() { c.Close(nil) })
	return c
}

// overUnix serves terminals on a Unix socket.
func overUnix(t *testing.T, l *terminals.Local) *server {
	return &server{t: t, known: map[string]*client.Client{}, as: func(by terminals.Grant) *client.Client {
		s := httptest.NewUnstartedServer(granting(handler(l), by))
		at := filepath.Join(testkit.ShortDir(t), "s")
		_ = s.Listener.Close()
		var err error
		if s.Listener, err = net.Listen("unix", at); err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(s.Close)
		return newClient(t, client.Options{Decode: decode, Dial: func(ctx context.Context) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", at)
		}})
	}}
}

// overTLS serves terminals at a port, to callers with tokens.
func overTLS(t *testing.T, l *terminals.Local) *server {
	guarded, err := gate.New(handler(l), gate.Options{Tokens: l.Tokens(), Token: strings.Repeat("own-", 8), Exposed: true, Log: slog.New(slog.DiscardHandler), MaxBody: httpterm.MaxBody})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewTLSServer(guarded)
	t.Cleanup(s.Close)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	return &server{t: t, known: map[string]*client.Client{}, as: func(by terminals.Grant) *client.Client {
		token, err := terminals.CreateToken.Do(t.Context(), l, terminals.Everything, terminals.NewToken{Rights: strings.Split(by.Rights.String(), ", "), Sessions: by.Sessions, Tags: by.Tags})
		if err != nil {
			t.Fatal(err)
		}
		dialer := tls.Dialer{Config: &tls.Config{RootCAs: roots, ServerName: "example.com"}}
		return newClient(t, client.Options{Decode: decode, Prepare: func(r *http.Request, _ terminals.Grant) error {
			r.Header.Set("Authorization", "Bearer "+token.Secret)
			return nil
		}, Dial: func(ctx context.Context) (net.Conn, error) {
			return dialer.DialContext(ctx, "tcp", s.Listener.Addr().String())
		}})
	}}
}

// Operations come out as they do in the server.
func TestCases(t *testing.T) {
	for _, c := range opcases.All {
		t.Run(c.Op+" "+c.In, func(t *testing.T) { c.Check(t, overUnix(t, opcases.New(t, c))) })
	}
}

// Streams deliver what they do in the server.
func TestStreams(t *testing.T) {
	opcases.Streams(t, func(t *testing.T, l *terminals.Local) terminals.Terminals { return overTLS(t, l) })
}

// Terminals are attached as to the server.
func TestAttach(t *testing.T) {
	opcases.Attach(t, func(t *testing.T, l *terminals.Local, by terminals.Grant, session string, request socketwire.Frame) (opcases.Attached, error) {
		a, err := overTLS(t, l).by(by).Attach(t.Context(), by, request, terminals.AttachQuery{Target: terminals.Target{Session: session}})
		if err != nil {
			return nil, err
		}
		return a, nil
	})
}

// at returns a client of a handler.
func at(t *testing.T, h http.Handler, o client.Options) *client.Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	o.Dial = func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", s.Listener.Addr().String())
	}
	return newClient(t, o)
}

// What goes wrong has a kind and a text.
func TestFailures(t *testing.T) {
	answers := func(status int, body string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://elsewhere")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		})
	}
	enough, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	target := terminals.Target{Session: "a"}
	for name, tt := range map[string]struct {
		ctx     context.Context
		handler http.Handler
		dial    error
		session string
		want    string
		kind    fault.Kind
	}{
		"no server":       {dial: fault.New(fault.NotFound, "no server runs"), want: "no server runs", kind: fault.NotFound},
		"a broken one":    {dial: io.ErrUnexpectedEOF, want: "the connection to the server has ended: unexpected EOF", kind: fault.Gone},
		"given up":        {ctx: enough, dial: context.Canceled, want: "enough"},
		"not ours":        {handler: answers(500, "<html>"), want: "the server answers 500", kind: fault.Precondition},
		"another address": {handler: answers(307, ""), want: "another address", kind: fault.Precondition},
		"not allowed":     {handler: answers(401, `{"error":{"code":"auth_required","message":"send a token"}}`), want: "send a token", kind: fault.Precondition},
		"a path":          {session: "..", want: `there is no session ".."`, kind: fault.NotFound},
		"slashes":         {handler: granting(handler(opcases.New(t, opcases.Case{})), terminals.Everything), session: "a/../b", want: "a/../b", kind: fault.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.ctx == nil {
				tt.ctx = t.Context()
			}
			target := terminals.Target{Session: cmp.Or(tt.session, "a")}
			c := newClient(t, client.Options{Dial: func(context.Context) (net.Conn, error) { return nil, tt.dial }})
			if tt.handler != nil {
				c = at(t, tt.handler, client.Options{})
			}
			_, do := terminals.GetSession.Do(tt.ctx, c, terminals.Grant{}, target)
			_, open := terminals.ReadOutput.Open(tt.ctx, c, terminals.Grant{}, terminals.OutputQuery{Target: target})
			for _, err := range []error{do, open} {
				if err == nil || !strings.Contains(err.Error(), tt.want) || fault.KindOf(err) != tt.kind {
					t.Errorf("%v %v", fault.KindOf(err), err)
				}
			}
		})
	}
	c := at(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "[]") }), client.Options{})
	if _, err := terminals.GetSession.Do(t.Context(), c, terminals.Grant{}, target); fault.KindOf(err) != fault.Internal || !strings.Contains(err.Error(), "not as expected") {
		t.Errorf("another answer: %v", err)
	}
	// Of a server with another wire, streams are not what they seem.
	older := handler(opcases.New(t, opcases.Case{}))
	c = at(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		granting(older, terminals.Everything).ServeHTTP(withoutWire{w}, r)
	}), client.Options{})
	if _, err := terminals.ReadOutput.Open(t.Context(), c, terminals.Grant{}, terminals.OutputQuery{Target: terminals.Target{Session: "a"}}); fault.DetailOf(err) != terminals.HostLacks {
		t.Errorf("an older server: %v", err)
	}
}

// withoutWire answers as a server does that is older than the header.
type withoutWire struct{ http.ResponseWriter }

func (w withoutWire) WriteHeader(status int) {
	w.Header().Del(httpio.WireHeader)
	w.ResponseWriter.WriteHeader(status)
}

func (w withoutWire) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// A connection that ends once the request is on its way says nothing of whether that was carried
// out, whatever its error says of the connection.
func TestUnknownOutcome(t *testing.T) {
	asked := make(chan struct{}, 10)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // it is a body in memory
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	c := newClient(t, client.Options{Dial: func(ctx context.Context) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", s.Listener.Addr().String())
		return &away{conn, asked}, err
	}})
	_, err := terminals.CreateSession.Do(t.Context(), c, terminals.Everything, terminals.NewSession{})
	if !errors.Is(err, client.ErrBroken) || fault.DetailOf(err) == terminals.HubAway {
		t.Errorf("%v", err)
	}
}

// away is a connection that is lost when the server has been asked.
type away struct {
	net.Conn
	asked chan struct{}
}

func (a *away) Read([]byte) (int, error) {
	<-a.asked
	_ = a.Conn.Close()
	return 0, fault.With(terminals.HubAway, fault.New(fault.Unreachable, "the hub is away"))
}

// lying returns a client of a server that says some messages in a stream, and what is closed when
// the client has left that.
func lying(t *testing.T, messages ...string) (_ *client.Client, left <-chan struct{}) {
	gone := make(chan struct{})
	return at(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(httpio.WireHeader, httpio.Wire)
		defer close(gone)
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.CloseNow()
		for _, m := range messages {
			if conn.Write(r.Context(), websocket.MessageText, []byte(m)) != nil {
				return // the client has had enough
			}
		}
		_, _, _ = conn.Read(r.Context()) // until the client leaves
	}), client.Options{}), gone
}

// A server that says what it may not, or too much, ends its stream at most.
func TestLyingStreams(t *testing.T) {
	events := `{"part":{"events":[` + strings.Repeat(`{},`, 200_000) + `{}]}}`
	c, _ := lying(t, `{"id":"x"}`, events, events, events, `{"error":{"status":404,"code":"session_not_found","message":"it is gone"}}`)
	joined, err := terminals.Join.Open(t.Context(), c, terminals.Everything, terminals.JoinQuery{Target: terminals.Target{Session: "a"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := joined.Next(t.Context()); fault.KindOf(err) != fault.NotFound { // events are not what a client that only counts may get
		t.Errorf("it is not lost: %v", err)
	}
	joined.Close()
	joined.Close() // again does nothing
	c, left := lying(t, `{}`, events, events, events, events, events, `{"part":{"missed":1}}`)
	follower, err := terminals.Follow.Open(t.Context(), c, terminals.Everything, terminals.None{})
	if err != nil {
		t.Fatal(err)
	}
	defer follower.Close()
	<-left // nobody has read meanwhile
	for err == nil {
		var got terminals.Changes
		if got, err = follower.Next(t.Context()); got.Missed > 0 {
			t.Fatal("all of it waits")
		}
	}
	if fault.KindOf(err) != fault.Exhausted {
		t.Error(err)
	}
}

// The answer as the server has written it, which says which wire it has.
func TestRaw(t *testing.T) {
	var raw json.RawMessage
	s := overUnix(t, opcases.New(t, opcases.Case{}))
	res, err := s.by(terminals.Everything).Get(t.Context(), "/server/info")
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Body.Close(); err != nil || res.Header.Get("Wsh-Wire") != "4" {
		t.Errorf("%v, %v", res.Header, err)
	}
	if err := s.Do(t.Context(), terminals.Everything, &terminals.GetSession.Operation, &terminals.Target{Session: "a"}, &raw); err != nil {
		t.Fatal(err)
	}
	if d := opcases.Diff(`{"name":"a","tags":["x"]}`, string(raw)); d != "" || strings.HasSuffix(string(raw), "\n") {
		t.Errorf("%s: %s", d, raw)
	}
}

// An output with an offset goes on after its connection has broken.
func TestOutputGoesOn(t *testing.T) {
	l := opcases.New(t, opcases.Case{Before: []opcases.Step{{Op: "session.create", In: `{"name":"f","command":"hello","follow":true}`}}})
	var mu sync.Mutex
	var open []net.Conn
	s := httptest.NewServer(granting(handler(l), terminals.Everything))
	t.Cleanup(s.Close)
	c := newClient(t, client.Options{Dial: func(ctx context.Context) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", s.Listener.Addr().String())
		mu.Lock()
		defer mu.Unlock()
		open = append(open, conn)
		return conn, err
	}})
	o, err := terminals.ReadOutput.Open(t.Context(), c, terminals.Everything, terminals.OutputQuery{Target: terminals.Target{Session: "f"}, From: new(uint64(0)), Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	all := ""
	read := func(end string) {
		t.Helper()
		for !strings.HasSuffix(all, end) {
			b, err := o.Next(t.Context())
			if err != nil {
				t.Fatalf("after %q: %v", all, err)
			}
			all += string(b)
		}
	}
	read("hello")
	for _, word := range []string{"one", "two", "three", "four", "five"} {
		mu.Lock()
		for _, conn := range open {
			_ = conn.Close()
		}
		mu.Unlock()
		if _, err := terminals.SendInput.Do(t.Context(), l, terminals.Everything, terminals.Input{Target: terminals.Target{Session: "f"}, Data: []byte(word)}); err != nil {
			t.Fatal(err)
		}
		read(word)
	}
	if want := "hello" + "onetwothreefourfive"; !strings.HasSuffix(all, want) {
		t.Errorf("%q", all)
	}
}

// A server that does not answer any more ends what is under way, and nothing else does.
func TestSilence(t *testing.T) {
	for _, silent := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			l := opcases.New(t, opcases.Case{})
			stopped := make(chan struct{})
			c := overPipes(t, granting(handler(l), terminals.Everything), stopped)
			o, err := terminals.ReadOutput.Open(t.Context(), c, terminals.Everything, terminals.OutputQuery{Target: terminals.Target{Session: "a"}})
			if err != nil {
				t.Fatal(err)
			}
			defer o.Close()
			if _, err := o.Next(t.Context()); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			waited, read := make(chan error, 1), make(chan error, 1)
			go func() {
				_, err := terminals.AwaitExit.Do(ctx, c, terminals.Everything, terminals.ExitQuery{Target: terminals.Target{Session: "a"}, Deadline: terminals.Deadline{MaxWaitMS: new(uint64(240_000))}})
				waited <- err
			}()
			go func() {
				_, err := o.Next(ctx)
				read <- err
			}()
			time.Sleep(time.Minute)
			if silent {
				close(stopped)
			}
			begun := time.Now()
			for _, err := range []error{<-waited, <-read} {
				if got := err.Error() == "it is silent"; got != silent {
					t.Errorf("silent %v: %v", silent, err)
				}
			}
			if took := time.Since(begun); silent && took > 40*time.Second {
				t.Errorf("it takes %v", took)
			}
		})
	}
}

// Nothing is asked because of a stream that did not begin.
func TestNothingIsAskedAfterwards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		c := overPipes(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/server/info" {
				asked.Add(1)
				return
			}
			w.Header().Set(httpio.WireHeader, httpio.Wire)
			if conn, err := websocket.Accept(w, r, nil); err == nil {
				_ = conn.CloseNow()
			}
		}), nil)
		if _, err := terminals.Follow.Open(t.Context(), c, terminals.Everything, terminals.None{}); err == nil {
			t.Fatal("it has begun")
		}
		time.Sleep(time.Hour)
		if n := asked.Load(); n > 0 {
			t.Errorf("it is asked %d times", n)
		}
	})
}

// overPipes returns a client that says when its server is silent. Each connection has a server of
// its own, so that a bubble has its time; once stopped is closed, it sends nothing.
func overPipes(t *testing.T, h http.Handler, stopped <-chan struct{}) *client.Client {
	return newClient(t, client.Options{
		Silent: func() error { return fault.New(fault.Precondition, "it is silent") },
		Dial: func(context.Context) (net.Conn, error) {
			near, far := net.Pipe()
			l := testkit.NewListener(&stoppable{far, stopped})
			_ = l.Close() // it accepts no more
			go func() { _ = (&http.Server{Handler: h}).Serve(l) }()
			return near, nil
		},
	})
}

// A stoppable connection of a server sends nothing once that is stopped.
type stoppable struct {
	net.Conn
	stopped <-chan struct{}
}

func (s *stoppable) Write(b []byte) (int, error) {
	select {
	case <-s.stopped:
		return len(b), nil
	default:
		return s.Conn.Write(b)
	}
}
