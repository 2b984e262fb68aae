package gate

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"ui-mcp/internal/testkit/opcases"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/peer"
)

const ownerToken = "an-owners-token-of-some-length"

// A world is a gate in front of a handler that notes what reached it.
type world struct {
	t       *testing.T
	handler http.Handler
	local   *terminals.Local
	log     *bytes.Buffer
	seen    []*http.Request
}

func newWorld(t *testing.T, o Options) *world {
	t.Helper()
	w := &world{t: t, log: new(bytes.Buffer)}
	r := opcases.Sessions(t, registry.Config{Log: slog.New(slog.DiscardHandler)})
	w.local = terminals.NewLocal(r, terminals.Host{Name: "host"})
	o.Tokens = w.local.Tokens()
	o.Log = slog.New(slog.NewTextHandler(w.log, nil))
	if o.Peer == nil {
		o.Peer = func(*http.Request) (peer.Standing, error) { return peer.Own, nil }
	}
	h, err := New(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { w.seen = append(w.seen, r) }), o)
	if err != nil {
		t.Fatal(err)
	}
	w.handler = h
	return w
}

// token issues a token.
func (w *world) token(in terminals.NewToken) terminals.IssuedToken {
	w.t.Helper()
	issued, err := terminals.CreateToken.Do(w.t.Context(), w.local, terminals.Everything, in)
	if err != nil {
		w.t.Fatal(err)
	}
	return issued
}

// request makes a request that arrived at 127.0.0.1:8080, with headers given as "Name: value".
func request(method, target string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, "/", nil)
	u, err := r.URL.Parse(target)
	if err != nil {
		panic(err)
	}
	u.Host, u.Scheme = "", ""
	r.URL = u
	r.Host = "127.0.0.1:8080"
	r.RemoteAddr = "127.0.0.1:50000"
	for _, h := range headers {
		switch name, value, _ := strings.Cut(h, ": "); name {
		case "Host":
			r.Host = value
		case "TLS":
			r.TLS = new(tls.ConnectionState)
		default:
			r.Header.Add(name, value)
		}
	}
	return arrivedAt(r, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080})
}

func arrivedAt(r *http.Request, a net.Addr) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, a))
}

// do sends a request and returns the answer, with the code of an error.
func (w *world) do(r *http.Request) (*http.Response, string) {
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)
	var body struct {
		Error struct{ Code, Message string }
	}
	if rec.Code >= 400 {
		if err := json.Unmarshal(rec.Body.Bytes(), &body); err != nil || body.Error.Code == "" || body.Error.Message == "" {
			w.t.Errorf("%s %s: %d without an error in JSON: %q", r.Method, r.URL, rec.Code, rec.Body)
		}
	}
	return rec.Result(), body.Error.Code
}

func own(*http.Request) (peer.Standing, error) { return peer.Own, nil }

func silent() *slog.Logger { return slog.New(slog.DiscardHandler) }

func contextCause(r *http.Request) error { return context.Cause(r.Context()) }

func isWithdrawn(err error) bool { return fault.DetailOf(err) == terminals.Withdrawn }

// nothing is a response that nobody reads.
type nothing struct{}

func (nothing) Header() http.Header { return http.Header{} }

func (nothing) Write(b []byte) (int, error) { return len(b), nil }

func (nothing) WriteHeader(int) {}
