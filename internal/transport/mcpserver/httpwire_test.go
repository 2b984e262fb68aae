package mcpserver

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ui-mcp/internal/transport/sse"
)

// An httpServer is a real HTTP server in front of the handlers.
type httpServer struct {
	*httptest.Server
	mcp    *HTTP
	client *http.Client
}

// serveHTTP serves s over HTTP until the test ends.
func serveHTTP(t *testing.T, s *Server, o HTTPOptions) *httpServer {
	t.Helper()
	h := NewHTTP(s, o)
	mux := http.NewServeMux()
	for pattern, route := range h.Routes() {
		mux.Handle(pattern, route)
	}
	transport := &http.Transport{}
	server := &httpServer{Server: httptest.NewServer(mux), mcp: h, client: &http.Client{Transport: transport}}
	t.Cleanup(func() {
		if err := h.Close(context.Background()); err != nil {
			t.Errorf("Close = %v", err)
		}
		transport.CloseIdleConnections()
		server.Close()
	})
	return server
}

// do makes a request. Headers are pairs of name and value.
func (s *httpServer) do(t *testing.T, method, path, body string, headers ...string) *http.Response {
	t.Helper()
	res, err := s.try(t.Context(), method, path, body, headers...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	return res
}

// try is do for a request that may fail.
func (s *httpServer) try(ctx context.Context, method, path, body string, headers ...string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, s.URL+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return s.client.Do(r)
}

// messages returns the messages in a response, whatever form it has.
func messages(t *testing.T, res *http.Response) (all []string) {
	t.Helper()
	if res.Header.Get("Content-Type") != "text/event-stream" {
		body := content(t, res)
		if body == "" {
			return nil
		}
		return []string{body}
	}
	events := newEventReader(res.Body)
	for {
		name, data, err := events.next()
		if err != nil {
			return all
		}
		if name == "message" {
			all = append(all, data)
		}
	}
}

// content is the body of a response.
func content(t *testing.T, res *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(body))
}

// An eventReader reads a stream of events.
type eventReader struct{ *sse.Reader }

func newEventReader(r io.Reader) eventReader { return eventReader{sse.NewReader(r, 1<<20)} }

// next returns the next event; io.EOF at the end of the stream.
func (e eventReader) next() (name, data string, err error) {
	event, err := e.Next()
	return event.Name, string(event.Data), err
}

// httpWire is a client of /mcp. It does what the message says: in the era of sessions it keeps to
// the one it was given; in the other it repeats in headers what is in the body.
type httpWire struct {
	server   *httpServer
	session  string
	received []string
}

func (w *httpWire) send(t *testing.T, message string) {
	t.Helper()
	var msg struct {
		Method string
		Params struct {
			Name, URI string
			Meta      struct {
				Version string `json:"io.modelcontextprotocol/protocolVersion"`
			} `json:"_meta"`
		}
	}
	_ = json.Unmarshal([]byte(message), &msg) // a malformed message has nothing to repeat
	var headers []string
	switch {
	case msg.Params.Meta.Version != "":
		headers = []string{"MCP-Protocol-Version", msg.Params.Meta.Version, "Mcp-Method", msg.Method, "Mcp-Name", msg.Params.Name + msg.Params.URI}
	case w.session != "":
		headers = []string{"Mcp-Session-Id", w.session}
	}
	res := w.server.do(t, http.MethodPost, "/mcp", message, headers...)
	if id := res.Header.Get("Mcp-Session-Id"); id != "" {
		w.session = id
	}
	w.received = append(w.received, messages(t, res)...)
}

func (w *httpWire) receive(t *testing.T) string {
	t.Helper()
	if len(w.received) == 0 {
		t.Fatal("no answer")
	}
	first := w.received[0]
	w.received = w.received[1:]
	return first
}

func (w *httpWire) finish(*testing.T) []string { return w.received }

// sseWire is a client of /sse and /message.
type sseWire struct {
	server   *httpServer
	endpoint string
	stream   *http.Response
	events   eventReader
	refused  []string
}

func openSSEWire(t *testing.T, s *Server, o HTTPOptions) *sseWire {
	t.Helper()
	w := &sseWire{server: serveHTTP(t, s, o)}
	w.connect(t)
	return w
}

func (w *sseWire) connect(t *testing.T) {
	t.Helper()
	w.stream = w.server.do(t, http.MethodGet, "/sse", "")
	w.events = newEventReader(w.stream.Body)
	name, data, err := w.events.next()
	if err != nil || name != "endpoint" {
		t.Fatalf("first event = %s %s, %v", name, data, err)
	}
	w.endpoint = data
}

func (w *sseWire) send(t *testing.T, message string) {
	t.Helper()
	res := w.server.do(t, http.MethodPost, w.endpoint, message)
	if res.StatusCode != http.StatusAccepted {
		w.refused = append(w.refused, content(t, res))
	}
}

func (w *sseWire) receive(t *testing.T) string {
	t.Helper()
	if len(w.refused) > 0 {
		first := w.refused[0]
		w.refused = w.refused[1:]
		return first
	}
	name, data, err := w.events.next()
	if err != nil || name != "message" {
		t.Fatalf("event = %s %s, %v", name, data, err)
	}
	return data
}

func (w *sseWire) finish(t *testing.T) (rest []string) {
	t.Helper()
	if err := w.server.mcp.Close(t.Context()); err != nil {
		t.Errorf("Close = %v", err)
	}
	for {
		_, data, err := w.events.next()
		if err != nil {
			return append(w.refused, rest...)
		}
		rest = append(rest, data)
	}
}
