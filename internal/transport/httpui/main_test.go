package httpui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"go.uber.org/goleak"

	"ui-mcp/internal/app"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/ui"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The real things fit.
var (
	_ App    = (*app.App)(nil)
	_ Lookup = LookupIn((*app.App)(nil).Session)
)

// patience is how long a test waits for what must come.
const patience = 2 * time.Minute

// A memorySession is a session in memory. It first delivers "snapshot" to a page, and each message
// that it receives to all pages.
type memorySession struct {
	attachErr error
	receive   func(ctx context.Context, msg []byte) error // nil: only delivers
	changed   chan struct{}                               // receives a token whenever a page came or left

	mu       sync.Mutex
	pages    []ui.Client
	observed int // pages that came to observe
	ignored  int // messages of those
	uploaded string
}

func newMemorySession() *memorySession { return &memorySession{changed: make(chan struct{}, 1000)} }

func (s *memorySession) Attach(_ context.Context, c ui.Client) error {
	if s.attachErr != nil {
		return s.attachErr
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages = append(s.pages, c)
	if _, ok := c.(ui.Observer); ok {
		s.observed++
	}
	c.Deliver([]byte("snapshot"))
	s.changed <- struct{}{}
	return nil
}

func (s *memorySession) Detach(c ui.Client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages = slices.DeleteFunc(s.pages, func(x ui.Client) bool { return x == c })
	s.changed <- struct{}{}
}

func (s *memorySession) Receive(ctx context.Context, c ui.Client, msg []byte) error {
	if _, ok := c.(ui.Observer); ok {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ignored++
		return nil
	}
	if s.receive != nil {
		if err := s.receive(ctx, msg); err != nil {
			return err
		}
	}
	s.deliver(msg)
	return nil
}

// deliver reports whether all pages took the message.
func (s *memorySession) deliver(msg []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := true
	for _, c := range s.pages {
		all = c.Deliver(msg) && all
	}
	return all
}

// await blocks until n pages are attached.
func (s *memorySession) await(t *testing.T, n int) {
	t.Helper()
	late := time.After(patience)
	for {
		s.mu.Lock()
		got := len(s.pages)
		s.mu.Unlock()
		if got == n {
			return
		}
		select {
		case <-s.changed:
		case <-late:
			t.Fatalf("%d pages are attached, want %d", got, n)
		}
	}
}

func (s *memorySession) Upload(_ context.Context, what ui.Sending, body io.Reader) error {
	if what.Name == "stale" {
		return fault.New(fault.Gone, "the app has changed")
	}
	content, err := io.ReadAll(body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.uploaded = fmt.Sprintf("%+v %s", what, content)
	return err
}

func (s *memorySession) Variables(_ context.Context, known string) (json.RawMessage, string, error) {
	if known == "v1" {
		return nil, "v1", nil
	}
	return json.RawMessage(`[{"id":1}]`), "v1", nil
}

// rooms finds sessions by name.
func rooms(m map[string]*memorySession) Lookup {
	return LookupIn(func(_ context.Context, id string) (*memorySession, error) {
		if s, ok := m[id]; ok {
			return s, nil
		}
		if id == "broken" {
			return nil, errors.New("the disk is on fire")
		}
		return nil, fault.New(fault.NotFound, "no session %q", id)
	})
}

var (
	builtClient = fstest.MapFS{
		"main.js":        {Data: []byte("built main")},
		"assets/i/x.svg": {Data: []byte("<svg/>")},
	}
	builtHTML = fstest.MapFS{
		"main-HASH.js":  {Data: []byte("stale")},
		"index.html":    {Data: []byte("built index")},
		"assets/sl.css": {Data: []byte("built css")},
	}
)

// A server knows the address of its listener.
type server struct {
	*httpserve.Server
	listener net.Listener
}

func (s server) Addr() net.Addr { return s.listener.Addr() }

// serve runs a handler behind the gate on a real listener.
func serve(t *testing.T, h http.Handler) server {
	t.Helper()
	return serveTo(t, h, nil)
}

// serveTo is serve with further names of the server.
func serveTo(t *testing.T, h http.Handler, known func(*http.Request) bool) server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := httpserve.Serve(l, gate.Pages(h, gate.PageOptions{Known: known}), httpserve.Options{Log: logTo(t)})
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Errorf("closing the server: %v", err)
		}
	})
	return server{s, l}
}

func logTo(t *testing.T) *slog.Logger { return slog.New(slog.NewTextHandler(t.Output(), nil)) }

// newClientFor returns an HTTP client of which nothing is left after the test.
func newClientFor(t *testing.T) *http.Client {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       patience,
	}
}

// appFuncs is an App made of functions.
type appFuncs struct {
	wait    func(ctx context.Context, session string, timeout time.Duration, deliver func([]json.RawMessage) error) error
	state   func(ctx context.Context, session string) (json.RawMessage, error)
	inspect func(session string, what ui.Inspection) (string, error)
	publish func(topic string, value json.RawMessage) (int, error)
}

func (a appFuncs) Wait(ctx context.Context, session string, timeout time.Duration, deliver func([]json.RawMessage) error) error {
	return a.wait(ctx, session, timeout, deliver)
}
func (a appFuncs) State(ctx context.Context, session string) (json.RawMessage, error) {
	return a.state(ctx, session)
}
func (a appFuncs) Inspect(_ context.Context, session string, what ui.Inspection) (string, error) {
	return a.inspect(session, what)
}
func (a appFuncs) Publish(topic string, value json.RawMessage) (int, error) {
	return a.publish(topic, value)
}
func (a appFuncs) Variables(ctx context.Context, session, known string) (json.RawMessage, string, error) {
	if session != "1" {
		return nil, "", fault.New(fault.NotFound, "no session %q", session)
	}
	return newMemorySession().Variables(ctx, known)
}

// documents are what every appFuncs has.
var documents = map[string]string{
	"reference.md": "# Reference\n\n<script>x</script>", "patterns/form.md": "form", "patterns/a: b.txt": "text", "page.html": "<p>page</p>",
}

func (a appFuncs) Document(name string) ([]byte, error) {
	if text, ok := documents[name]; ok {
		return []byte(text), nil
	}
	return nil, fault.New(fault.NotFound, "there is no document %q", name)
}
func (a appFuncs) Documents(prefix string, limit int) []string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(documents)), func(name string) bool { return !strings.HasPrefix(name, prefix) })
	return names[:min(limit, len(names))]
}
func (a appFuncs) AppReadme(name string) ([]byte, error) {
	if name != "notes" {
		return nil, fault.New(fault.NotFound, "there is no README.md of an app %q", name)
	}
	return []byte("# Notes"), nil
}
