package httppopup

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/popuprpc"
	"ui-mcp/internal/transport/sse"
)

func TestMain(m *testing.M) { os.Exit(browser.Main(m)) }

// A harness is a broker, a person, and the handler through which programs ask.
type harness struct {
	t       *testing.T
	broker  *popup.Broker
	person  *persons.Page
	handler *Handler
	server  *httptest.Server
	url     string // of /mcp
}

func build(t *testing.T, opts popup.Options, change func(*HandlerOptions)) *harness {
	t.Helper()
	b := persons.Broker(t, opts)
	h := &harness{t: t, broker: b, person: persons.NewPage().Be(core.Attended)}
	b.AddChannel(h.person)
	o := HandlerOptions{Methods: popuprpc.New(b, "1.2.3")}
	if change != nil {
		change(&o)
	}
	h.handler = NewHandler(o)
	mux := http.NewServeMux()
	mux.Handle("/mcp", h.handler)
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	t.Cleanup(srv.CloseClientConnections)
	t.Cleanup(h.handler.Close)
	h.server, h.url = srv, srv.URL+"/mcp"
	return h
}

// next waits for the next question that the person is shown.
func (h *harness) next() popup.Asked {
	h.t.Helper()
	return wait.For(h.t, "a question", h.person.Asked)
}

// answer has the person choose a value for the next question.
func (h *harness) answer(value string) {
	h.t.Helper()
	a := h.next()
	if _, err := h.broker.Answer(a.ID, question.Reply{Action: question.Submit, Values: []string{value}}, "page"); err != nil {
		h.t.Fatal(err)
	}
}

// do sends a request; headers are "Name: value".
func (h *harness) do(ctx context.Context, method, body string, headers ...string) *http.Response {
	h.t.Helper()
	res, err := h.try(ctx, method, body, headers...)
	if err != nil {
		h.t.Fatal(err)
	}
	return res
}

func (h *harness) try(ctx context.Context, method, body string, headers ...string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, h.url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err == nil {
		h.t.Cleanup(func() { res.Body.Close() })
	}
	return res, err
}

func (h *harness) post(body string, headers ...string) *http.Response {
	h.t.Helper()
	return h.do(h.t.Context(), http.MethodPost, body, headers...)
}

// read returns the whole body.
func (h *harness) read(res *http.Response) string {
	h.t.Helper()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return strings.TrimSpace(string(body))
}

// later reads the body beside the test.
func (h *harness) later(request func() *http.Response) <-chan string {
	out := make(chan string, 1)
	go func() {
		body, err := io.ReadAll(request().Body)
		if err != nil {
			out <- err.Error()
			return
		}
		out <- strings.TrimSpace(string(body))
	}()
	return out
}

// An event is one of a stream.
type event struct{ id, data string }

// events reads a stream until it ends.
func (h *harness) events(res *http.Response) <-chan event {
	if got := res.Header.Get("Content-Type"); got != "text/event-stream" {
		h.t.Fatalf("the answer is %s: %s", got, h.read(res))
	}
	out := make(chan event, 100)
	go func() {
		defer close(out)
		for events := sse.NewReader(res.Body, MaxBody); ; {
			e, err := events.Next()
			if err != nil {
				return
			}
			out <- event{e.ID, string(e.Data)}
		}
	}()
	return out
}

// has fails the test unless a message is the specification's, plus our own members in the
// result.
func (h *harness) has(got, want string) {
	h.t.Helper()
	var g, w map[string]any
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		h.t.Fatalf("%v: %s", err, got)
	}
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		h.t.Fatal(err)
	}
	if len(g) != len(w) || g["jsonrpc"] != w["jsonrpc"] || g["id"] != w["id"] {
		h.t.Errorf("message %s, want %s", got, want)
	}
	result, _ := g["result"].(map[string]any)
	for name, value := range w["result"].(map[string]any) {
		if result[name] != value {
			h.t.Errorf("message %s, want %s", got, want)
		}
	}
}
