package mcpapps

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/relay"
	"ui-mcp/internal/ui"
	"ui-mcp/web"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A session greets its pages, and records what they send.
type session struct {
	mu   sync.Mutex // guards the fields below
	open []ui.Client
	got  []string
	err  error // of Receive

	detaching func() // called by Detach, if it is not nil
}

func (s *session) Attach(_ context.Context, c ui.Client) error {
	s.mu.Lock()
	s.open = append(s.open, c)
	s.mu.Unlock()
	c.Deliver([]byte(`{"type":"snapshot"}`))
	return nil
}

func (s *session) Detach(c ui.Client) {
	if s.detaching != nil {
		s.detaching()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = slices.DeleteFunc(s.open, func(x ui.Client) bool { return x == c })
}

func (s *session) Receive(_ context.Context, _ ui.Client, msg []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, string(msg))
	return s.err
}

// pages returns how many pages are attached.
func (s *session) pages() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

// A house has the sessions of a server and its views.
type house struct {
	*Views
	t *testing.T

	mu       sync.Mutex // guards the field below
	sessions map[string]*session
}

func client(t testing.TB) fs.FS {
	t.Helper()
	dist := web.Chat()
	return dist
}

func open(t *testing.T, ids ...string) *house {
	t.Helper()
	return openWith(t, nil, ids...)
}

func openWith(t *testing.T, terminal *TerminalOptions, ids ...string) *house {
	t.Helper()
	h := &house{t: t, sessions: map[string]*session{}}
	for _, id := range ids {
		h.sessions[id] = &session{}
	}
	views := New(Options{
		Session: func(_ context.Context, id string) (Session, error) {
			h.mu.Lock()
			defer h.mu.Unlock()
			if s := h.sessions[id]; s != nil {
				return s, nil
			}
			return nil, fault.New(fault.NotFound, "no session %q", id)
		},
		PageURL: func(session string) (string, error) { return "http://127.0.0.1:8000/" + session + "/", nil },
		Client:  client(t), Terminals: func() *TerminalOptions { return terminal },
		Look:    func() (css, classes string) { return `a::before { content: "</STYLE>" }`, `x"` },
		Key:     "key",
		Version: "1",
	})
	h.Views = views
	t.Cleanup(views.Close)
	return h
}

// A caller is a view, as its document makes calls.
type caller struct {
	h     *house
	id    string
	sent  int64
	ack   int64
	queue []relay.Frame // received, for message
}

// view says hello.
func (h *house) view(id, hello string) *caller {
	h.t.Helper()
	c := &caller{h: h, id: "0123456789abcdef" + id}
	r := h.hub.Call(h.t.Context(), relay.Call{Version: 1, View: c.id, Token: relay.NewToken(h.opts.Key), Hello: json.RawMessage(hello)})
	if r.Error != "" {
		h.t.Fatalf("hello = %+v", r)
	}
	return c
}

// send sends a message.
func (c *caller) send(channel, msg string) relay.Reply {
	c.sent++
	return c.h.hub.Call(c.h.t.Context(), relay.Call{
		Version: 1, View: c.id, First: c.sent, Out: []relay.Frame{{Channel: channel, Message: json.RawMessage(msg)}},
	})
}

// received returns the messages that have arrived.
func (c *caller) received() (messages []string) {
	for {
		r := c.h.hub.Call(c.h.t.Context(), relay.Call{Version: 1, View: c.id, Ack: c.ack, WaitMS: 1})
		if len(r.In) == 0 {
			return messages
		}
		for _, f := range r.In {
			messages = append(messages, f.Channel+" "+string(f.Message))
		}
		c.ack += int64(len(r.In))
	}
}

func (c *caller) expect(want ...string) {
	c.h.t.Helper()
	got := c.received()
	for i := range got {
		got[i] = terminalID.ReplaceAllString(got[i], "") // which is random
	}
	if diff := cmp.Diff(want, got); diff != "" {
		c.h.t.Errorf("messages to the view (-want +got):\n%s", diff)
	}
}

var terminalID = regexp.MustCompile(`,"terminal":"@[^"]*"`)

const snapshot = `{"type":"snapshot"}`

func shows(session, channel string) string {
	return `view {"type":"show","what":"app","session":"` + session + `","channel":"` + channel + `","url":"http://127.0.0.1:8000/` + session + `/"}`
}

func TestViewShowsASession(t *testing.T) {
	h := open(t, "1", "2")
	c := h.view("", `{}`)
	c.expect(shows("1", "page:1"), "page:1 "+snapshot)
	c.send("page:1", `{"a":1}`)
	c.send("page:7", `{"b":1}`) // of no connection
	if diff := cmp.Diff([]string{`{"a":1}`}, h.sessions["1"].got); diff != "" {
		t.Errorf("messages to the session (-want +got):\n%s", diff)
	}
	// The arguments of the tool come later, and name another session.
	c.send("view", `{"type":"call","input":{"sessionId":"2"}}`)
	c.expect(shows("2", "page:2"), "page:2 "+snapshot)
	c.send("view", `{"type":"call","input":{"sessionId":"2"}}`)
	c.expect()
	if h.sessions["1"].pages() != 0 || h.sessions["2"].pages() != 1 {
		t.Errorf("%d and %d pages", h.sessions["1"].pages(), h.sessions["2"].pages())
	}
	if p, ok := h.sessions["2"].open[0].(ui.Placed); !ok || p.Where() != "in the page in the conversation" {
		t.Error("an answer to an act would not say where the page is")
	}
	h.Close()
	if h.sessions["2"].pages() != 0 {
		t.Error("a page is left")
	}
}

func TestWhichSession(t *testing.T) {
	h := open(t, "1", "2", "3")
	h.view("a", `{"input":{"sessionId":"3"}}`).expect(shows("3", "page:1"), "page:1 "+snapshot)
	first := h.view("b", `{}`)
	first.expect(shows("1", "page:1"), "page:1 "+snapshot)
	h.Displaying("2", "x")(nil)
	h.view("c", `{}`).expect(shows("2", "page:1"), "page:1 "+snapshot)
	first.expect() // a view that shows something is left alone
}

func TestAppStopsAndStarts(t *testing.T) {
	h := open(t, "1")
	c := h.view("", `{}`)
	c.received()
	h.Disconnect()
	c.expect(`view {"type":"closed","channel":"page:1","code":1001}`)
	h.Refresh()
	c.expect(shows("1", "page:2"), "page:2 "+snapshot)
	h.sessions["1"].err = fault.New(fault.Gone, "it has ended")
	c.send("page:2", `1`)
	c.expect(`view {"type":"closed","channel":"page:2","code":1001}`)
}

// A guest records what it gets, and answers everything with one reply.
type guest struct {
	own  bool
	got  []string
	left int
}

func (g *guest) Receive(msg []byte) ([]byte, error) {
	g.got = append(g.got, string(msg))
	return []byte(`"reply"`), nil
}

func (g *guest) Leave() { g.left++ }

// The view of a call with a question is for that question, and so may be a view without the name
// of its call; all others display what apps and programs ask. Nothing of a question goes to a
// session.
func TestQuestionsOfAView(t *testing.T) {
	h := open(t, "1")
	var joined []*guest
	h.opts.Questions = func(own bool, deliver func(msg []byte)) attachedterm.Guest {
		deliver([]byte(`"state"`))
		joined = append(joined, &guest{own: own})
		return joined[len(joined)-1]
	}
	for i, tt := range []struct {
		hello string
		own   bool
		want  []string
	}{
		{`{"tool":"popup"}`, true, []string{`view {"type":"show","what":"question","url":"http://127.0.0.1:8000/1/"}`}},
		{`{}`, true, []string{shows("1", "page:1"), "page:1 " + snapshot}},
		{`{"tool":"ui_display"}`, false, []string{shows("1", "page:1"), "page:1 " + snapshot}},
		{`{"tool":"ui_run","input":{"sessionId":"1"}}`, false, []string{shows("1", "page:1"), "page:1 " + snapshot}},
	} {
		c := h.view(fmt.Sprint(i), tt.hello)
		c.expect(append([]string{`question "state"`}, tt.want...)...)
		c.send("question", `{"type":"shown","id":"q"}`)
		c.expect(`question "reply"`)
		g := joined[i]
		if diff := cmp.Diff([]string{`{"type":"shown","id":"q"}`}, g.got); diff != "" || g.own != tt.own || len(joined) != i+1 {
			t.Errorf("%s: own %v, of %d (-want +got):\n%s", tt.hello, g.own, len(joined), diff)
		}
		if h.hub.Call(t.Context(), relay.Call{Version: 1, View: c.id, Bye: true}); g.left != 1 {
			t.Errorf("%s: the view has left %d times", tt.hello, g.left)
		}
	}
	if got := h.sessions["1"].got; len(got) != 0 {
		t.Errorf("the session has got %q", got)
	}
}

// An app restarts while a view connects again. The view displays the connection that the server
// uses, in whatever order the two happen.
func TestAppRestartsWhileAViewConnects(t *testing.T) {
	h := open(t, "1")
	c := h.view("", `{}`)
	c.received()
	entered, leave := make(chan struct{}), make(chan struct{})
	var detached atomic.Bool
	h.sessions["1"].detaching = func() {
		if !detached.Swap(true) {
			close(entered)
			<-leave
		}
	}
	opened := make(chan relay.Reply)
	go func() { opened <- c.send("view", `{"type":"open"}`) }() // a connection replaces the first one
	<-entered
	h.Disconnect()
	refreshed := make(chan struct{})
	go func() {
		h.Refresh() // another connection
		close(refreshed)
	}()
	select {
	case <-refreshed: // too early: the view learns of this connection first, and of the older one then
	case <-time.After(20 * time.Millisecond): // this is right, or too slow to be wrong
	}
	close(leave)
	<-opened
	<-refreshed
	channel := ""
	for _, m := range c.received() {
		var show struct{ Type, Channel string }
		if text, ok := strings.CutPrefix(m, "view "); ok && json.Unmarshal([]byte(text), &show) == nil && show.Type == "show" {
			channel = show.Channel
		}
	}
	c.send(channel, `"hello"`)
	s := h.sessions["1"]
	s.mu.Lock()
	got, pages := s.got, len(s.open)
	s.mu.Unlock()
	if diff := cmp.Diff([]string{`"hello"`}, got); diff != "" || pages != 1 {
		t.Errorf("the session has %d pages, and has got on %q (-want +got):\n%s", pages, channel, diff)
	}
}

func TestViewWithoutASession(t *testing.T) {
	h := open(t)
	c := h.view("", `{}`)
	c.expect(`view {"type":"show","what":"nothing","text":"There is no such session any more."}`)
	h.mu.Lock()
	h.sessions["1"] = &session{}
	h.mu.Unlock()
	h.Displaying("1", "x")(nil)
	c.expect(shows("1", "page:1"), "page:1 "+snapshot)
}

// Views come and go, and leave nothing: no goroutines, no pages, no state.
func TestManyViewsLeaveNothing(t *testing.T) {
	h := open(t, "1")
	before := goleak.IgnoreCurrent()
	for i := range 20 {
		c := h.view(fmt.Sprint(i), `{}`)
		c.received()
		polled := make(chan relay.Reply)
		go func() {
			polled <- h.hub.Call(t.Context(), relay.Call{Version: 1, View: c.id, Ack: c.ack, WaitMS: relay.MaxWait.Milliseconds()})
		}()
		r := h.hub.Call(t.Context(), relay.Call{Version: 1, View: c.id, Bye: true})
		if poll := <-polled; r.Error != "" || poll.Error != relay.UnknownView {
			t.Fatalf("goodbye = %+v; the poll = %+v", r, poll)
		}
	}
	if n := len(h.all()); h.Count() != 0 || n != 0 || h.sessions["1"].pages() != 0 {
		t.Errorf("%d and %d views, %d pages", h.Count(), n, h.sessions["1"].pages())
	}
	goleak.VerifyNone(t, before)
}

func TestInvalidMessagesEndTheView(t *testing.T) {
	for name, tt := range map[string]struct {
		channel, msg string
		err          error
	}{
		"of an unknown type": {"view", `{"type":"x"}`, nil},
		"malformed":          {"view", `[]`, nil},
		"to the session":     {"page:1", `[]`, fault.New(fault.Invalid, "no")},
	} {
		t.Run(name, func(t *testing.T) {
			h := open(t, "1")
			c := h.view("", `{}`)
			h.sessions["1"].err = tt.err
			if r := c.send(tt.channel, tt.msg); r.Error != relay.Refused || h.Count() != 0 || h.sessions["1"].pages() != 0 {
				t.Errorf("reply %+v; %d views, %d pages", r, h.Count(), h.sessions["1"].pages())
			}
		})
	}
}

// A view may say anything about itself. The log has one line of it, and no word of it is long.
func TestLogOfAHello(t *testing.T) {
	h := openWith(t, &TerminalOptions{Terminals: opcases.New(t, opcases.Case{})}, "1")
	var log strings.Builder
	h.opts.Log = slog.New(slog.NewTextHandler(&log, nil))
	long := strings.Repeat("é", 10_000)
	h.view("a", `{"tool":"`+long+`","host":{"theme":`+"\n"+`"`+long+`"}}`)
	h.view("b", `{"tool":"wsh_run_command","input":{"session":"`+long+`"}}`)
	got := log.String()
	if strings.Count(got, "\n") != 2 || len(got) > 4*maxLogged || !utf8.ValidString(got) {
		t.Errorf("the log has %d lines and %d bytes: %.3000s", strings.Count(got, "\n"), len(got), got)
	}
	for _, want := range []string{`msg="a view says hello"`, "tool=éé", "session=éé", `host="{\"theme\":\n\"éé`} {
		if !strings.Contains(got, want) {
			t.Errorf("the log lacks %s:\n%.3000s", want, got)
		}
	}
}

func TestIcons(t *testing.T) {
	h := open(t, "1")
	c := h.view("", `{}`)
	c.received()
	c.send("view", `{"type":"icon","name":"alarm"}`)
	got := c.received()
	if len(got) != 1 || !strings.Contains(got[0], `"name":"alarm","svg":"<svg xmlns=`) || !strings.HasSuffix(got[0], `</svg>"}`) {
		t.Errorf("the icon = %q", got)
	}
	for _, name := range []string{"", "no-such-icon", "../x", "alarm\"", "ALARM"} {
		if svg := icon(client(t), name); svg != "" {
			t.Errorf("icon %q = %q", name, svg)
		}
	}
}

// maxDocument bounds the document, in bytes: hosts keep it with the conversation.
const maxDocument = 1 << 20

func TestDocument(t *testing.T) {
	h := open(t)
	html, err := h.html()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the document has %d bytes", len(html))
	if len(html) >= maxDocument {
		t.Errorf("the document has %d bytes", len(html))
	}
	for _, want := range []string{`class="x&#34;"`, `<\/style>" }`, `"url":"http://127.0.0.1:8000/1/"`, "script-src 'sha256-"} {
		if !strings.Contains(html, want) {
			t.Errorf("the document lacks %s", want)
		}
	}
	for _, no := range []string{"unsafe-eval", `src="`, `<link`} {
		if strings.Contains(html[:strings.Index(html, "<body>")], no) {
			t.Errorf("the document has %s", no)
		}
	}
	again, err := h.html()
	if err != nil || again == html {
		t.Errorf("two documents have the same token (%v)", err)
	}
}
