package httppopup

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/web"
)

// app is a page as an app may be: with a field that has the focus, and styles that would spoil a
// dialog.
const app = `<!doctype html><html><head><title>App</title><link rel="icon" href="data:,">
<style>button { display: none !important } * { color: red; z-index: 99999 } dialog { opacity: 0 }</style></head>
<body><input id="field" autofocus><button id="button">Press</button><script src="/popup.js"></script></body></html>`

// A testServer is a server with pages, which a test opens in a browser.
type testServer struct {
	t      testing.TB
	broker *popup.Broker
	pages  *Pages
	url    string
	down   atomic.Bool  // whether the documents of questions cannot be loaded
	missed atomic.Int32 // how many were requested meanwhile

	breaks sync.Map // functions that end the connections of pages
}

func newTestServer(t testing.TB, opts popup.Options) *testServer {
	t.Helper()
	client := web.Dist()
	b := persons.Broker(t, opts)
	p := NewPages(PagesOptions{Broker: b, Client: client})
	t.Cleanup(p.Close)
	b.AddChannel(p)
	s := &testServer{t: t, broker: b, pages: p}
	checked := gate.Pages(p.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, app)
	}), map[string]http.Handler{"/beside": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.URL.Path, " ", AppOrigins(r))
	})}), gate.PageOptions{Links: true, Frames: IsFrame})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/popup" && s.down.Load() {
			s.missed.Add(1)
			panic(http.ErrAbortHandler) // cuts the connection
		}
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		s.breaks.Store(r, cancel)
		defer s.breaks.Delete(r)
		checked.ServeHTTP(w, r.WithContext(ctx))
	}))
	t.Cleanup(srv.Close)
	t.Cleanup(srv.CloseClientConnections)
	s.url = srv.URL
	return s
}

// A viewer is a document with the questions: a page of its own, or the frame in a page of an app.
type viewer struct {
	*browser.Tab
	*testServer
	page *browser.Tab // the page of the app, if one is open
}

// open opens the page with nothing but the questions.
func (s *testServer) open(b *browser.Browser) *viewer {
	s.t.Helper()
	v := &viewer{b.Tab(), s, nil}
	v.Open(s.url + "/popup")
	v.Wait(ready)
	return v
}

// openApp opens the page of an app.
func (s *testServer) openApp(b *browser.Browser) *viewer {
	s.t.Helper()
	tab := b.Tab()
	tab.Open(s.url)
	v := &viewer{tab.Frame(frame), s, tab}
	v.Wait(ready)
	return v
}

// alone opens that page for a test that is no use in make race: only the browser does much.
func alone(t *testing.T) *viewer {
	t.Helper()
	load.Sequential(t)
	t.Parallel()
	return newTestServer(t, popup.Options{}).open(browser.New(t))
}

// inApp opens the page of an app for such a test.
func inApp(t *testing.T) *viewer {
	t.Helper()
	load.Sequential(t)
	t.Parallel()
	return newTestServer(t, popup.Options{}).openApp(browser.New(t))
}

const (
	host  = `document.querySelector("ui-popup")`
	ready = host + `.dataset.ready === "true"`
	root  = host + `.shadowRoot`
	frame = root + `.querySelector("iframe")` // in the page of an app
)

// in finds an element in the dialog.
func in(selector string) string { return fmt.Sprintf(root+`.querySelector(%q)`, selector) }

// shows waits until the tab shows a question and takes an answer.
func (v *viewer) shows(title string) {
	v.t.Helper()
	v.displays(title)
	v.Wait(host + `.dataset.settled === "true"`)
}

// displays waits until the tab shows a question.
func (v *viewer) displays(title string) {
	v.t.Helper()
	v.Wait(host + `.dataset.state === "dialog" && ` + in("h2") + fmt.Sprintf(`.textContent === %q`, title))
}

// twice presses Escape, which leaves a chip, and again, which dismisses the question.
func (v *viewer) twice() {
	v.t.Helper()
	v.Press(browser.Escape)
	v.is("chip")
	v.Wait(host + `.dataset.settled === "true"`)
	v.Press(browser.Escape)
}

// is waits until the tab is in a state: dialog, chip or idle.
func (v *viewer) is(state string) {
	v.t.Helper()
	v.Wait(fmt.Sprintf(host+`.dataset.state === %q`, state))
}

// ask asks, and has the answer come by a channel.
func (s *testServer) ask(change func(*question.Spec)) <-chan question.Answer {
	s.t.Helper()
	spec := question.Spec{Request: question.Request{Title: "Confirm Action", Message: "Deploy **now**?", Options: []question.Option{
		{Label: "Yes", Value: "yes", Description: "It takes a minute."}, {Label: "No", Value: "no"}, {Label: "Later <b>", Value: "later"}}}}
	if change != nil {
		change(&spec)
	}
	q, err := spec.Question()
	if err != nil {
		s.t.Fatal(err)
	}
	out := make(chan question.Answer, 1)
	id, err := s.broker.Ask(q, popup.AskOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
	go func() {
		if a, err := s.broker.Collect(s.t.Context(), id, popup.WaitOptions{}); err == nil {
			out <- a
		}
	}()
	return out
}

func (s *testServer) answer(c <-chan question.Answer) question.Answer {
	s.t.Helper()
	return wait.For(s.t, "an answer", c)
}

// value fails the test unless the answer is a value, from the page.
func (s *testServer) value(c <-chan question.Answer, want string) {
	s.t.Helper()
	if a := s.answer(c); a.Outcome != question.Answered || a.Value != want || a.Channel != "page" {
		s.t.Errorf("answer %+v, want %s", a, want)
	}
}

func (s *testServer) outcome(c <-chan question.Answer, want question.Outcome) {
	s.t.Helper()
	if a := s.answer(c); a.Outcome != want {
		s.t.Errorf("answer %+v, want %s", a, want)
	}
}

func text(s *question.Spec) { s.Options, s.AllowText = nil, true }

func multiple(s *question.Spec) { s.Multiple = true }
