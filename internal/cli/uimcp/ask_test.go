package uimcp

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/files"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/transport/httppopup"
	"ui-mcp/internal/transport/popuprpc"
)

// servePerson starts a server with a person, and returns its base directory.
func servePerson(t *testing.T, opts popup.Options, r question.Reply) (dir string, p *persons.Answerer) {
	t.Helper()
	dir = t.TempDir()
	return dir, servePersonIn(t, dir, opts, r)
}

func servePersonIn(t *testing.T, dir string, opts popup.Options, r question.Reply) *persons.Answerer {
	t.Helper()
	b, page := persons.Broker(t, opts), persons.NewPage().Be(core.Attended)
	page.Answers(b, r)
	b.AddChannel(page)
	handler := httppopup.NewHandler(httppopup.HandlerOptions{Methods: popuprpc.New(b, "0")})
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	f := &fakeServer{Server: httptest.NewServer(mux), dir: dir}
	t.Cleanup(f.Close)
	t.Cleanup(handler.Close)
	f.write(t, "mcp-port")
	f.register(t)
	return &persons.Answerer{T: t, Broker: b, Page: page}
}

// register lets this user's programs find the server.
func (f *fakeServer) register(t *testing.T) {
	t.Helper()
	claim := newClaim(quiet)
	t.Cleanup(func() { claim.Release() })
	claim.Announce(func(s *discovery.Server) {
		s.Dir, s.Address, s.Pages, s.Token = f.dir, f.Listener.Addr().String(), f.Listener.Addr().String(), ""
	})
}

func TestAsk(t *testing.T) {
	submit := func(values ...string) question.Reply { return question.Reply{Action: question.Submit, Values: values} }
	for name, tt := range map[string]struct {
		args   []string
		reply  question.Reply
		opts   popup.Options
		out    string
		err    string
		status int
	}{
		"yes or no":     {[]string{"Deploy?"}, submit("no"), popup.Options{}, "no\n", "", exitNo},
		"yes":           {[]string{"Deploy?"}, submit("yes"), popup.Options{}, "yes\n", "", commandline.ExitOK},
		"no, by option": {[]string{"Deploy?", "-o", "yes", "-o", "no"}, submit("no"), popup.Options{}, "no\n", "", commandline.ExitOK},
		"an option":     {[]string{"Which?", "-o", "pg=Postgre, SQL", "-o", "sqlite"}, submit("pg"), popup.Options{}, "pg\n", "", commandline.ExitOK},
		"several":       {[]string{"Which?", "--multiple", "-o", "a", "-o", "b", "-o", "c"}, submit("c", "a"), popup.Options{}, "a\nc\n", "", commandline.ExitOK},
		"a text":        {[]string{"Name?", "--text"}, question.Reply{Action: question.Submit, Text: "a b"}, popup.Options{}, "a b\n", "", commandline.ExitOK},
		"a secret":      {[]string{"Key?", "--secret"}, question.Reply{Action: question.Submit, Text: "hush"}, popup.Options{}, "hush\n", "", commandline.ExitOK},
		"the default":   {[]string{"Deploy?", "--default", "no", "--timeout", "1s"}, question.Reply{}, popup.Options{}, "no\n", "", exitNo},
		"a default yes": {[]string{"Deploy?", "--default", "yes", "--timeout", "1s"}, question.Reply{}, popup.Options{}, "yes\n", "", commandline.ExitOK},
		"no, as JSON":   {[]string{"Deploy?", "--json", "--default", "no", "--timeout", "1h"}, question.Reply{Action: question.Dismiss}, popup.Options{}, "", "ui-mcp: the person dismissed the question\n", exitRefused},
		"dismissed":     {[]string{"Deploy?"}, question.Reply{Action: question.Dismiss}, popup.Options{}, "", "ui-mcp: the person dismissed the question\n", exitRefused},
		"declined":      {[]string{"Deploy?"}, question.Reply{Action: question.Decline}, popup.Options{}, "", "ui-mcp: the person refuses to answer\n", exitRefused},
		"no workspace":  {[]string{"Deploy?", "--workspace", "/c"}, submit("yes"), popup.Options{Workspaces: []string{"/a", "/b"}}, "", "ui-mcp: Routing Failed: no server serves \"/c\"; known workspaces: /a, /b\n", exitAskFailed},
	} {
		t.Run(name, func(t *testing.T) {
			dir, _ := servePerson(t, tt.opts, tt.reply)
			var out, errs bytes.Buffer
			status := Run(t.Context(), "0", append([]string{"ask", "--dir", dir}, tt.args...), commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
			if status != tt.status || out.String() != tt.out || errs.String() != tt.err {
				t.Errorf("status %d, output %q, errors %q", status, out.String(), errs.String())
			}
		})
	}
}

// Without a server, or without a page, the person learns what to start.
func TestAskNobody(t *testing.T) {
	b := persons.Broker(t, popup.Options{Patience: time.Millisecond})
	handler := httppopup.NewHandler(httppopup.HandlerOptions{Methods: popuprpc.New(b, "0")})
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	f := &fakeServer{Server: httptest.NewServer(mux), dir: t.TempDir()}
	defer f.Close()
	defer handler.Close()
	f.write(t, "mcp-port")
	for dir, want := range map[string]struct {
		status int
		text   string
	}{
		t.TempDir(): {exitAskFailed, `ui-mcp: there is no page to show the question: start one with "ui-mcp serve" in another terminal, open the address that it prints, and ask again`},
		f.dir:       {exitUnanswered, `ui-mcp: nobody could be asked, since no page is open: open the address that "ui-mcp serve" prints`},
	} {
		var out, errs bytes.Buffer
		status := Run(t.Context(), "0", []string{"ask", "--dir", dir, "--workspace", t.TempDir(), "Deploy?"}, commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if status != want.status || !strings.HasPrefix(errs.String(), want.text) {
			t.Errorf("status %d, want %d: %s", status, want.status, errs.String())
		}
	}
}

func TestAskJSON(t *testing.T) {
	dir, _ := servePerson(t, popup.Options{}, question.Reply{Action: question.Submit, Values: []string{"yes"}})
	var out, errs bytes.Buffer
	status := Run(t.Context(), "0", []string{"ask", "--dir", dir, "--json", "Deploy?"}, commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	if status != commandline.ExitOK || !strings.HasPrefix(out.String(), `{"selectedValue":"yes","source":"option"`) {
		t.Errorf("status %d, output %q, errors %q", status, out.String(), errs.String())
	}
}

// Interrupting the command withdraws the question, and needs no words.
func TestAskInterrupted(t *testing.T) {
	dir, p := servePerson(t, popup.Options{}, question.Reply{})
	ctx, cancel := context.WithCancelCause(t.Context())
	status := make(chan int)
	var out, errs bytes.Buffer
	go func() {
		status <- Run(ctx, "0", []string{"ask", "--dir", dir, "Deploy?"}, commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	}()
	asked := <-p.Page.Asked
	cancel(errors.New("terminated signal received"))
	if s := <-status; s != exitAskFailed || out.Len() > 0 || errs.Len() > 0 {
		t.Errorf("status %d, output %q, errors %q", s, out.String(), errs.String())
	}
	if a := persons.Outcome(t, p.Broker, asked.ID); a.Outcome != question.Withdrawn {
		t.Errorf("answer %+v", a)
	}
}

// The command goes on at the server that comes after the first, which has kept the question.
func TestAskAfterRestart(t *testing.T) {
	dir := t.TempDir()
	store, err := files.Open(filepath.Join(dir, "popups"))
	if err != nil {
		t.Fatal(err)
	}
	status := make(chan int)
	var out, errs bytes.Buffer
	var first, second popup.Asked
	t.Run("the first server", func(t *testing.T) {
		p := servePersonIn(t, dir, popup.Options{Store: store}, question.Reply{})
		go func() {
			status <- Run(context.Background(), "0", []string{"ask", "--dir", dir, "Name?", "--text"}, commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		}()
		first = <-p.Page.Asked
	})
	p := servePersonIn(t, dir, popup.Options{Store: store}, question.Reply{})
	second = <-p.Page.Asked
	if _, err := p.Broker.Answer(second.ID, question.Reply{Action: question.Submit, Text: "Ada"}, "page"); err != nil {
		t.Fatal(err)
	}
	if s := <-status; s != commandline.ExitOK || out.String() != "Ada\n" || !strings.Contains(errs.String(), "the server has ended") {
		t.Errorf("status %d, output %q, errors %q", s, out.String(), errs.String())
	}
	if first.ID != second.ID || len(p.Broker.Pending()) > 0 {
		t.Errorf("%s became %s; pending: %v", first.ID, second.ID, p.Broker.Pending())
	}
}

func TestAskUsage(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct {
		args   []string
		status int
		err    string
	}{
		"no question":        {nil, commandline.ExitUsage, "the question is missing or empty"},
		"an empty one":       {[]string{" "}, commandline.ExitUsage, "the question is missing or empty"},
		"no title":           {[]string{"x", "--title", " "}, commandline.ExitUsage, "--title is missing or empty"},
		"a short timeout":    {[]string{"x", "--timeout", "4s"}, commandline.ExitUsage, "--timeout, in seconds, is 4: it must be between 30 and 86400, or from 1 with a --default; leave it out to wait for a day"},
		"a long timeout":     {[]string{"x", "--timeout", "25h"}, commandline.ExitUsage, "--timeout, in seconds, is 90000: it must be"},
		"one below 0":        {[]string{"x", "--timeout=-1s"}, commandline.ExitUsage, "--timeout, in seconds, is -1: it must be"},
		"one of no second":   {[]string{"x", "--timeout", "20ms", "--default", "no"}, commandline.ExitUsage, "--timeout, in seconds, is 0.02: it must be"},
		"a bad default":      {[]string{"x", "--default", "maybe"}, commandline.ExitUsage, `--default is "maybe": no option has that value`},
		"equal options":      {[]string{"x", "-o", "a=A", "-o", "a=B"}, commandline.ExitUsage, `options[1] has the value "a", as options[0] does`},
		"an empty option":    {[]string{"x", "-o", "=A"}, commandline.ExitUsage, `options[0]: "value" is missing or empty`},
		"several of nothing": {[]string{"x", "--multiple"}, commandline.ExitUsage, "--multiple needs options"},
		"a secret to choose": {[]string{"x", "--secret", "-o", "a"}, commandline.ExitUsage, "--secret asks for a text"},
		"another severity":   {[]string{"x", "--severity", "fatal"}, commandline.ExitUsage, "must be one of"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			status := Run(t.Context(), "0", append([]string{"ask", "--dir", dir}, tt.args...), commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
			if status != tt.status || !strings.Contains(errs.String(), tt.err) || out.Len() > 0 {
				t.Errorf("status %d, output %q, errors %q", status, out.String(), errs.String())
			}
		})
	}
}
