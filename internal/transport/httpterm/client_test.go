package httpterm_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/httpterm"
)

// inProcess passes requests of a caller with a grant to a handler.
type inProcess struct {
	handler http.Handler
	by      terminals.Grant
}

func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	server := httptest.NewRequestWithContext(terminals.NewContext(r.Context(), p.by), r.Method, r.URL.RequestURI(), r.Body)
	server.Header = r.Header
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, server)
	return w.Result(), nil
}

func newClient(t *testing.T, c opcases.Case) *httpterm.Client {
	t.Helper()
	by := terminals.Everything
	if c.By != nil {
		by = *c.By
	}
	return httpterm.NewClient(inProcess{httpterm.New(opcases.New(t, c)), by}, "http://localhost")
}

// A client gets the answers and errors of the operations as if they were its own.
func TestClientCases(t *testing.T) {
	offered := map[*terminals.Operation]bool{}
	for _, row := range httpterm.Rows() {
		offered[row.Op()] = true
	}
	for _, o := range terminals.All() {
		if !offered[o] || o == &terminals.GetRecording.Operation {
			continue
		}
		for _, c := range opcases.All {
			if c.Op != o.Name {
				continue
			}
			t.Run(o.Name+" "+c.In, func(t *testing.T) {
				client := newClient(t, c)
				_, out := o.New()
				if strings.HasPrefix(o.Name, "overlay.") || strings.HasPrefix(o.Name, "panel.") {
					out = new(json.RawMessage) // the JSON of an element does not say which kind it is
				}
				err := client.Do(t.Context(), terminals.Grant{}, o, json.RawMessage(c.In), out)
				if c.Err != nil {
					if kind, detail := fault.KindOf(err), fault.DetailOf(err); kind != c.Err.Kind || detail != c.Err.Detail {
						t.Errorf("%v %q, want %v %q: %v", kind, detail, c.Err.Kind, c.Err.Detail, err)
					}
				} else if err != nil {
					t.Fatal(err)
				}
				if c.Want == "" {
					return
				}
				b, err := json.Marshal(out)
				if err != nil {
					t.Fatal(err)
				}
				if d := opcases.Diff(c.Want, string(b)); d != "" {
					t.Error(d)
				}
			})
		}
	}
}

func TestClientRecording(t *testing.T) {
	c := newClient(t, opcases.Case{Before: []opcases.Step{{Op: "recording.start", In: `{"session":"a"}`}}})
	r, err := c.Recording(t.Context(), terminals.RecordingQuery{Target: terminals.Target{Session: "a"}, Offset: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if b, err := io.ReadAll(r); err != nil || !strings.HasPrefix(string(b), `"version"`) {
		t.Errorf("the recording from byte 1: %q, %v", b, err)
	}
	if _, err := c.Recording(t.Context(), terminals.RecordingQuery{Target: terminals.Target{Session: "over"}}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("no recording: %v", err)
	}
}

// The answer as the server has written it.
func TestClientRaw(t *testing.T) {
	c := newClient(t, opcases.Case{})
	var raw json.RawMessage
	if err := c.Do(t.Context(), terminals.Grant{}, &terminals.GetSession.Operation, &terminals.Target{Session: "a"}, &raw); err != nil {
		t.Fatal(err)
	}
	if d := opcases.Diff(`{"name":"a","tags":["x"]}`, string(raw)); d != "" || strings.HasSuffix(string(raw), "\n") {
		t.Errorf("%s: %s", d, raw)
	}
}

type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

type answering struct {
	status int
	body   string
}

func (a answering) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a.status, Status: "500 Odd", Body: io.NopCloser(strings.NewReader(a.body))}, nil
}

func TestClientFailures(t *testing.T) {
	cancelled, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	for name, tt := range map[string]struct {
		ctx     context.Context
		rt      http.RoundTripper
		session string
		want    string
		kind    fault.Kind
	}{
		"no server":         {rt: failing{fault.New(fault.NotFound, "no server runs")}, want: "no server runs", kind: fault.NotFound},
		"a broken one":      {rt: failing{io.ErrUnexpectedEOF}, want: "the connection to the server has ended: unexpected EOF", kind: fault.Gone},
		"given up":          {ctx: cancelled, rt: failing{context.Canceled}, want: "enough"},
		"not ours":          {rt: answering{500, "<html>"}, want: "the server answers 500 Odd", kind: fault.Precondition},
		"another answer":    {rt: answering{200, "[]"}, want: "not as expected", kind: fault.Internal},
		"not operation's":   {rt: answering{401, `{"error":{"code":"auth_required","message":"send a token"}}`}, want: "send a token", kind: fault.Precondition},
		"a path":            {session: "..", want: `there is no session ".."`, kind: fault.NotFound},
		"a name of slashes": {session: "a/../b", rt: inProcess{httpterm.New(opcases.New(t, opcases.Case{})), terminals.Everything}, want: `a/../b`, kind: fault.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.ctx == nil {
				tt.ctx = t.Context()
			}
			if tt.session == "" {
				tt.session = "a"
			}
			_, err := terminals.GetSession.Do(tt.ctx, httpterm.NewClient(tt.rt, "http://localhost"), terminals.Grant{}, terminals.Target{Session: tt.session})
			if err == nil || !strings.Contains(err.Error(), tt.want) || fault.KindOf(err) != tt.kind {
				t.Errorf("%v %v", fault.KindOf(err), err)
			}
		})
	}
}
