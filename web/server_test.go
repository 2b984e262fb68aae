package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/ui/wire"
	"ui-mcp/web"
)

func TestMain(m *testing.M) { os.Exit(browser.Main(m)) }

// patience bounds failures only.
const patience = 2 * time.Minute

// A server stands in for ui-mcp: it serves a page shell and the built client, and sends what the
// test wants.
type server struct {
	t     testing.TB
	url   string
	conns chan *conn
	head  string // more for the page's head

	uploads chan *upload

	refuse atomic.Bool // connections are refused

	mu       sync.Mutex               // guards the fields below
	files    map[string]chan struct{} // by path: closed when the file has been asked for
	stopped  []string                 // what the policy has stopped
	scripted bool                     // the page may run scripts of its own, and of apps
}

// An upload is a file on its way from a page; the answer is why it is refused, or "".
type upload struct {
	query  url.Values
	body   io.Reader
	answer chan string
	gone   <-chan struct{}
}

// policy is the policy of views in conversations (internal/transport/mcpapps), for a page that has
// its scripts and styles in files and its server at hand: whatever works in a page of these tests
// works there, too. In particular there is no eval.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src data:; font-src data:; " +
	"connect-src 'self' data:; worker-src 'self'; base-uri 'none'; form-action 'none'; report-uri /stopped"

// scripts lets the page run scripts of its own and of apps, which views in conversations refuse.
func (s *server) scripts() *server {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scripted = true
	return s
}

// stop takes a browser's report of what the policy has stopped.
func (s *server) stop(_ http.ResponseWriter, r *http.Request) {
	report, err := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = append(s.stopped, fmt.Sprintf("%s (%v)", report, err))
}

// served waits until a page has asked for a file of the client.
func (s *server) served(path string) {
	s.t.Helper()
	select {
	case <-s.asked(path):
	case <-time.After(patience):
		s.t.Fatalf("no page has asked for %s", path)
	}
}

func (s *server) asked(path string) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files[path] == nil {
		s.files[path] = make(chan struct{})
	}
	return s.files[path]
}

func serve(t testing.TB) *server {
	t.Helper()
	s := &server{t: t, uploads: make(chan *upload, 16), conns: make(chan *conn, 16), files: map[string]chan struct{}{}}
	mux := http.NewServeMux()
	client := web.Dist()
	static := http.FileServerFS(client)
	files := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked := s.asked(r.URL.Path)
		s.mu.Lock()
		select {
		case <-asked:
		default:
			close(asked)
		}
		s.mu.Unlock()
		static.ServeHTTP(w, r)
	})
	mux.Handle("GET /main.js", files)
	mux.Handle("GET /worker.js", files)
	mux.Handle("GET /shoelace/", files)
	mux.HandleFunc("GET /throw.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, "\nthrow new Error('of the page')")
	})
	mux.HandleFunc("POST /stopped", s.stop)
	mux.HandleFunc("GET /ws/{session}", s.socket)
	mux.HandleFunc("POST /{session}/uploads", func(w http.ResponseWriter, r *http.Request) {
		u := &upload{query: r.URL.Query(), body: r.Body, answer: make(chan string), gone: r.Context().Done()}
		s.uploads <- u
		select {
		case <-u.gone:
		case why := <-u.answer:
			if why == "" {
				w.WriteHeader(http.StatusNoContent)
				return
			}
			w.WriteHeader(http.StatusConflict)
			fmt.Fprintf(w, `{"error":%q}`, why)
		}
	})
	mux.HandleFunc("GET /{session}/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		s.mu.Lock()
		strict := !s.scripted && !strings.Contains(s.head, "<script")
		s.mu.Unlock()
		if strict {
			w.Header().Set("Content-Security-Policy", policy)
		}
		fmt.Fprintf(w, `<!doctype html><html><head><title>test</title><link rel="icon" href="data:,">%s</head>`+
			`<body><main ui-app>Loading…</main><script src="/main.js"></script></body></html>`, s.head)
	})
	srv := httptest.NewServer(mux)
	s.url = srv.URL
	t.Cleanup(func() {
		srv.Close()
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, report := range s.stopped {
			t.Errorf("the policy has stopped %s", report)
		}
	})
	return s
}

func (s *server) socket(w http.ResponseWriter, r *http.Request) {
	if s.refuse.Load() {
		http.Error(w, "refused", http.StatusServiceUnavailable)
		return
	}
	ws, err := websocket.Accept(w, r, nil)
	if err != nil {
		return // the page disconnected, or Accept has answered
	}
	defer ws.CloseNow()
	ws.SetReadLimit(2 << 20)
	c := &conn{t: s.t, ws: ws, session: r.PathValue("session"), in: make(chan string, 64), errors: make(chan string, 64), gone: make(chan struct{})}
	defer close(c.gone)
	s.conns <- c
	for {
		_, data, err := ws.Read(r.Context())
		if err != nil {
			return
		}
		if strings.HasPrefix(string(data), `{"type":"error"`) {
			c.errors <- string(data)
		} else {
			c.in <- string(data)
		}
	}
}

// accept waits for the page to connect.
func (s *server) accept() *conn {
	s.t.Helper()
	select {
	case c := <-s.conns:
		return c
	case <-time.After(patience):
		s.t.Fatal("no connection from the page")
		return nil
	}
}

// A conn is one connection of a page.
type conn struct {
	t       testing.TB
	ws      *websocket.Conn
	session string
	in      chan string
	errors  chan string   // messages of type error
	gone    chan struct{} // closed when the connection has ended

	once sync.Once
}

// send sends one message.
func (c *conn) send(format string, args ...any) {
	c.t.Helper()
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	if err := c.ws.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
		c.t.Fatalf("send: %v", err)
	}
}

// expect waits for the page's next message, which must be want as JSON. Errors of the page have a
// queue of their own.
func (c *conn) expect(want string) {
	c.t.Helper()
	c.expectOn(c.in, want)
}

// reported waits for the page's next message of type error, which must be want as JSON.
func (c *conn) reported(want string) {
	c.t.Helper()
	c.expectOn(c.errors, want)
}

func (c *conn) expectOn(in <-chan string, want string) {
	c.t.Helper()
	if got := c.nextOn(in, want); canonical(c.t, withoutSeq(got)) != canonical(c.t, want) {
		c.t.Fatalf("page sent %s\nwant      %s", got, want)
	}
}

// nextOn waits for a message of the page; want says which, should there be none.
func (c *conn) nextOn(in <-chan string, want string) string {
	c.t.Helper()
	select {
	case got := <-in:
		return got
	case <-c.gone:
		c.t.Fatalf("connection ended; want %s", want)
	case <-time.After(patience):
		c.t.Fatalf("page sent nothing; want %s", want)
	}
	return ""
}

// silent fails the test when the page has sent something. Call it when the page has done what could
// have made it speak.
func (c *conn) silent() {
	c.t.Helper()
	select {
	case got := <-c.in:
		c.t.Fatalf("page sent %s, want nothing", got)
	default:
	}
}

// kill ends the connection as a crash would.
func (c *conn) kill() {
	c.once.Do(func() { c.ws.CloseNow() })
	<-c.gone
}

// withoutSeq drops the number of the last batch from an events message. TestEventsSaySeq tests it.
func withoutSeq(message string) string { return eventsSeq.ReplaceAllString(message, `$1`) }

var eventsSeq = regexp.MustCompile(`^(\{"type":"events","ref":\d+,)"seq":\d+,`)

func canonical(t testing.TB, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// def writes a definition; html may use ' for ". Fields have other paths each.
func def(id int, key, html, bind string) string {
	for _, value := range boundValue.FindAllStringSubmatch(bind, -1) {
		html = strings.Replace(html, "data-ui='"+value[1]+"'", "data-ui='"+value[1]+"' ui-value='v"+value[1]+"'", 1)
	}
	h, err := json.Marshal(strings.ReplaceAll(html, "'", `"`))
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"id":%d,"key":%q,"html":%s,"bind":%s}`, id, key, h, bind)
}

var boundValue = regexp.MustCompile(`\[(\d+),"value","",\{"edit":true`)

// snapshot writes a snapshot message.
func snapshot(seq int, root string, defs ...string) string {
	return fmt.Sprintf(`{"type":"snapshot","proto":%d,"session":"1","epoch":"e1","seq":%d,"defs":[%s],"root":%s}`,
		wire.Proto, seq, strings.Join(defs, ","), root)
}

// batch writes a batch message.
func batch(seq int, ops ...string) string {
	return fmt.Sprintf(`{"type":"batch","seq":%d,"ops":[%s]}`, seq, strings.Join(ops, ","))
}

// A page is the client in a tab, and the connection that it has made.
type page struct {
	*browser.Tab
	*conn
	server *server
}

// show opens the page and shows a picture, numbered 1, in it.
func show(t *testing.T, root string, defs ...string) *page {
	t.Helper()
	return showOn(serve(t), root, defs...)
}

func showOn(s *server, root string, defs ...string) *page {
	s.t.Helper()
	return showIn(browser.New(s.t).Tab(), s, root, defs...)
}

// showIn loads the page into a tab, which may have another: that takes half as long as a new tab.
func showIn(tab *browser.Tab, s *server, root string, defs ...string) *page {
	s.t.Helper()
	p := &page{Tab: tab, server: s}
	p.Open(s.url + "/1/")
	p.conn = s.accept()
	p.send("%s", snapshot(1, root, defs...))
	p.at(1)
	return p
}

// again shows a picture, numbered seq, as a server that has started again: as often as run is
// another one. Nothing is left in the page of what it had before, nor of what it handed back, and
// that takes a tenth of loading it.
func (p *page) again(run, seq int, root string, defs ...string) {
	p.server.t.Helper()
	anew := func(seq int, root string) {
		p.send("%s", strings.Replace(snapshot(seq, root, defs...), `"epoch":"e1"`, fmt.Sprintf(`"epoch":"run %d"`, run), 1))
	}
	anew(0, "null") // what shows the same would stay
	anew(seq, root)
	p.at(seq)
	p.Run(`for (const b of document.querySelector(".ui-unsaved")?.shadowRoot.querySelectorAll("li button") ?? []) if (b.textContent === "Dismiss") b.click()`)
}

// at waits until the page has applied the message numbered seq.
func (p *page) at(seq int) {
	p.server.t.Helper()
	p.Wait(fmt.Sprintf(`document.documentElement.dataset.uiSeq === "%d"`, seq))
}

// settled waits until all that the page has sent is acknowledged.
func (p *page) settled() {
	p.server.t.Helper()
	p.Wait(`document.documentElement.dataset.uiPending === "0"`)
}

// apply sends a batch and waits until the page has applied it.
func (p *page) apply(seq int, ops ...string) {
	p.server.t.Helper()
	p.send("%s", batch(seq, ops...))
	p.at(seq)
}

// is fails the test unless the JavaScript expression has the value.
func is[T comparable](p *page, expression string, want T) {
	p.server.t.Helper()
	if got := browser.Eval[T](p.Tab, expression); got != want {
		p.server.t.Errorf("%s = %v, want %v", expression, got, want)
	}
}

// errors waits until n errors are reported, and returns the last one's text.
func (p *page) errors(n int) string {
	p.server.t.Helper()
	p.Wait(fmt.Sprintf(`window.uiErrors.length >= %d`, n))
	is(p, `window.uiErrors.length`, n)
	return browser.Eval[string](p.Tab, `(({where, message}) => where + ": " + message)(window.uiErrors.at(-1))`)
}
