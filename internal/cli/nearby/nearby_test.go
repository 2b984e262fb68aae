package nearby

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/cli/join"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/secret"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
	"ui-mcp/internal/testkit/wait"
)

// serveVariable has the program of the tests be a server that takes any token, prints what it is
// sent, and answers it. It ends with its standard input.
const serveVariable = "NEARBY_TEST_SERVE"

func TestMain(m *testing.M) {
	if os.Getenv(serveVariable) != "" {
		serveAnybody()
		return
	}
	goleak.VerifyTestMain(m)
}

func serveAnybody() {
	l := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := join.Accept(w, r, protocol, "", http.Header{})
		if conn == nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		defer conn.Close()
		_, _ = io.Copy(os.Stderr, conn)
	}))
	fmt.Fprintln(os.Stderr, l.Listener.Addr())
	_, _ = io.Copy(io.Discard, os.Stdin)
}

var discard = slog.New(slog.DiscardHandler)

func program(name string) *Program { return New(name, "1.0", discard) }

// A pages is a program with pages.
type pages struct {
	broker *popup.Broker
	person *persons.Page
	server *httptest.Server
	at     discovery.Server

	mu    sync.Mutex // guards the field below
	conns []net.Conn
}

// cut cuts all connections.
func (p *pages) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		c.Close()
	}
	p.conns = nil
}

func newPages(t *testing.T, token string) *pages {
	t.Helper()
	p := &pages{broker: persons.Broker(t, popup.Options{Workspaces: []string{"/project"}, Patience: time.Millisecond}), person: persons.NewPage()}
	p.broker.AddChannel(p.person)
	person := questions.NewPerson(questions.PersonOptions{Broker: p.broker, Relayed: true, Log: discard})
	t.Cleanup(person.Close)
	p.server = httptest.NewUnstartedServer(program("pages").NewHandler(person, secret.Know(token).Is))
	p.server.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.conns = append(p.conns, c)
		return ctx
	}
	p.server.Start()
	t.Cleanup(p.server.Close)
	p.at = discovery.Server{Address: p.server.Listener.Addr().String(), Token: token, Watched: true}
	return p
}

// unwatched are programs of which nobody says that they are others.
func unwatched(func()) (stop func()) { return func() {} }

// asking returns a broker whose questions go to the programs, as that of a server of terminals.
func asking(t *testing.T, list func() []discovery.Server) *popup.Broker {
	t.Helper()
	b := persons.Broker(t, popup.Options{Patience: time.Minute}) // a connection may break before it says that a person is there
	t.Cleanup(questions.New(b, rand.Text()).Reach(func() []questions.Program { return program("asker").Pages(list()) }, unwatched))
	t.Cleanup(b.Close)
	return b
}

// prompt is a question of a program in a terminal.
func prompt(secret bool) question.Question {
	return question.Question{
		Title: "A program asks", Message: "Command: sudo", Plain: true, Quote: "Password:", AllowText: true, Prompt: true, Secret: secret,
		Options: []question.Option{{Label: "Stop it", Value: "stop"}}, Severity: question.Info, Timeout: time.Hour,
	}
}

// A question is displayed at all programs as it was asked. The reply at one of them comes to the
// asker alone, and takes the question away at the others.
func TestTwoPrograms(t *testing.T) {
	for name, isSecret := range map[string]bool{"a secret": true, "a line": false} {
		t.Run(name, func(t *testing.T) {
			one, two := newPages(t, "one"), newPages(t, "two")
			b := asking(t, func() []discovery.Server {
				return []discovery.Server{one.at, {Token: "unwatched", Address: "127.0.0.1:1"}, {Watched: true, Address: "127.0.0.1:1"}, two.at}
			})
			q := prompt(isSecret)
			got := make(chan question.Reply, 1)
			id, err := b.Ask(q, popup.AskOptions{Asked: popup.Asked{Asker: question.ByProgram}, Deliver: func(r question.Reply) error { got <- r; return nil }})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range []*pages{one, two} {
				a := wait.For(t, "the question", p.person.Asked)
				if a.ID != id || a.Question.Title != q.Title || a.Question.Quote != q.Quote || !a.Question.Prompt || a.Question.Secret != isSecret || !a.Question.Plain || len(a.Question.Options) != 1 || !a.Relayed {
					t.Errorf("%+v", a)
				}
			}
			if a, err := two.broker.Answer(id, question.Reply{Action: question.Submit, Text: "correct horse"}, "page"); err != nil || a.Text != "" || a.Value != "" {
				t.Errorf("%+v, %v", a, err)
			}
			if r := wait.For(t, "the reply", got); r.Text != "correct horse" {
				t.Errorf("%+v", r)
			}
			if a, err := b.Collect(t.Context(), id, popup.WaitOptions{}); err != nil || a.Outcome != question.Answered || a.Channel != "page" {
				t.Errorf("%+v, %v", a, err)
			}
			for _, p := range []*pages{one, two} {
				wait.For(t, "the end of the question", p.person.Gone)
				wait.Until(t, "the question is over", func() bool { return len(p.broker.Pending()) == 0 })
				for _, past := range p.broker.History(10) {
					if strings.Contains(past.Answer.Text+past.Answer.Value, "horse") {
						t.Errorf("remembered: %+v", past)
					}
				}
			}
		})
	}
}

// A question about the project of another server appears there, whether a page is open or not, and
// nowhere else. If that server is killed, it comes back at the next one of the project. An answer
// of a page here, which lists it, counts, too. Whether a person is there, the server says itself.
func TestOtherProject(t *testing.T) {
	there, again, beside := newPages(t, "there"), newPages(t, "again"), newPages(t, "beside")
	there.at.Workspaces, again.at.Workspaces, beside.at.Workspaces = []string{"/project"}, []string{"/project"}, []string{"/beside"}
	there.at.Watched, again.at.Watched = false, false
	var mu sync.Mutex
	var changed func()
	run := []discovery.Server{there.at, again.at, beside.at, {Token: "here", Address: "127.0.0.1:1", Workspaces: []string{"/here"}, Watched: true}}
	servers := func() []discovery.Server {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(run)
	}
	b := persons.Broker(t, popup.Options{Workspaces: []string{"/here"}, Patience: time.Minute, Others: func() (all []string) {
		for _, s := range servers() {
			all = append(all, s.Workspaces...)
		}
		return all
	}})
	here := persons.NewPage()
	b.AddChannel(here)
	t.Cleanup(questions.New(b, rand.Text()).Reach(func() []questions.Program { return program("asker").Beside(servers(), b.Workspaces()) }, func(f func()) (stop func()) {
		changed = f
		return func() {}
	}))
	t.Cleanup(b.Close)
	q := question.Question{
		Title: "Deploy?", Message: "All of it?", Options: []question.Option{{Label: "Yes", Value: "yes"}}, Severity: question.Info, Timeout: time.Hour, Workspace: "/project/deep",
		Images: []question.Image{picture, picture, picture, picture},
	}
	ask := func() string {
		t.Helper()
		id, err := b.Ask(q, popup.AskOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	answer := func(at *popup.Broker, id string) {
		t.Helper()
		if _, err := at.Answer(id, question.Reply{Action: question.Submit, Values: []string{"yes"}}, "page"); err != nil {
			t.Error(err)
		}
		if a, err := b.Collect(t.Context(), id, popup.WaitOptions{}); err != nil || a.Value != "yes" {
			t.Errorf("%+v, %v", a, err)
		}
	}
	id := ask()
	if a := wait.For(t, "the question", there.person.Asked); a.ID != id {
		t.Errorf("%+v", a)
	}
	answer(there.broker, id)
	wait.For(t, "its end there", there.person.Gone)
	q.IfPresent, q.Images = true, nil
	id = ask()
	wait.For(t, "the question", there.person.Asked)
	answer(there.broker, id)
	wait.For(t, "its end there", there.person.Gone)
	q.IfPresent = false

	id = ask()
	wait.For(t, "the question", there.person.Asked)
	if len(again.person.Asked) > 0 {
		t.Error("two servers of a project open a page for one question")
	}
	mu.Lock()
	again.at.Watched = true
	run = append([]discovery.Server{{Token: "without a page", Address: "127.0.0.1:1", Workspaces: []string{"/project"}}, again.at}, run[2:]...)
	mu.Unlock()
	there.cut()
	changed()
	if a := wait.For(t, "the question", again.person.Asked); a.ID != id {
		t.Errorf("%s has become %s", id, a.ID)
	}
	answer(b, id) // as at a page here, which lists it
	wait.For(t, "its end there", again.person.Gone)
	if len(here.Asked)+len(beside.person.Asked)+len(there.person.Asked) > 0 {
		t.Error("it is displayed where it is not about")
	}
}

var picture = question.Image{Src: "data:image/png;base64," + strings.Repeat("AAAA", question.MaxImage/4-100)}

// Only the server that the token is for shows a question, and a program that has its port is not
// believed to be it. One of another version is named once.
func TestOtherServerAtThePort(t *testing.T) {
	one := newPages(t, "new")
	var said strings.Builder
	asker := New("asker", "1.0", slog.New(slog.NewTextHandler(&said, nil)))
	ask := func(s discovery.Server) error { return asker.to(s, "page").Follow(t.Context(), nobody{}) }
	before := one.at
	before.Token = "old"
	if err := ask(before); err == nil {
		t.Error("a wrong token is taken")
	}
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	before.Address = other.Listener.Addr().String()
	for range 2 {
		if err := ask(before); fault.DetailOf(err) != terminals.HostLacks {
			t.Errorf("a program of another version: %v", err)
		}
	}
	if n := strings.Count(said.String(), "another version"); n != 1 {
		t.Errorf("said %d times: %s", n, &said)
	}
	other.Close()
	if err := ask(before); err == nil {
		t.Errorf("no program: %v", err)
	}
	res, err := http.Get(one.server.URL + Path)
	if err != nil {
		t.Fatal(err)
	}
	if res.Body.Close(); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a token: %s", res.Status)
	}
	if len(one.person.Asked) > 0 {
		t.Error("it shows something")
	}
}

// nobody has nothing to do with who follows.
type nobody struct{ terminals.QuestionStream }
