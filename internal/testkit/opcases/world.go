// Package opcases has the cases that every interface to terminals must pass: an operation, its
// input, and the answer, error or refusal that must come back. Their programs run in memory.
//
// A [Case] is one call: what is done before, by whom, the input, and the JSON that the answer must
// contain or the error. [New] makes the world of a case: a [terminals.Local] whose sessions run a
// program of this package. The test of an interface puts itself in between and calls [Do]:
//
//	Case ── New ── Local ── interface under test ── Do ── Diff(Want, answer)
//
// [Streams] does the same for operations with more than one answer, [Attach] for attached
// terminals. A test of package terminals fails while an operation has no case in which it
// succeeds, so no interface passes because nobody tried.
package opcases

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/shell"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
	"ui-mcp/internal/testkit/persons"
)

// New returns the terminals in which a case takes place, with the case's steps done. There are two
// sessions: "a", tagged "x", of 20 columns and 4 rows, whose program has written "hello" and a
// prompt; and "over", whose program has written "bye" and exited with status 3. To a session
// "shared" that the steps create, two terminals are attached: "laptop", which leads, and "phone".
func New(t *testing.T, c Case) *terminals.Local {
	t.Helper()
	r := Sessions(t, registry.Config{Start: Start, Scripts: scripts(t, c), Sessions: 3, Log: slog.New(slog.DiscardHandler)})
	for _, o := range []registry.CreateOptions{
		{Name: "a", Tags: []string{"x"}, Command: "hello\r\n$ "}, {Name: "over", Command: "bye" + exit3},
	} {
		o.Cols, o.Rows = 20, 4
		s, err := r.Create(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.WaitFor(t.Context(), `\$ |bye`, 0); err != nil {
			t.Fatal(err)
		}
		if o.Name == "over" {
			<-s.Ended()
		}
	}
	l := terminals.NewLocal(r, terminals.Host{
		Name: "host", Version: "1.2.3", ID: "id", Life: &life{persistent: true}, Archive: archive(t, c), Servers: servers{}, Questions: asked(t),
	})
	for _, step := range c.Before {
		if _, err := Do(t.Context(), l, terminals.Everything, step.Op, step.In); err != nil {
			t.Fatalf("before: %s %s: %v", step.Op, step.In, err)
		}
	}
	if s, err := r.Session("shared"); err == nil {
		attachClients(t, s)
	}
	return l
}

// Sessions returns a registry, which is closed at the end of the test.
func Sessions(t testing.TB, cfg registry.Config) *registry.Registry {
	t.Helper()
	r := registry.New(cfg)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// asked is one open question, whose ID is openID, for a person who is on another host.
func asked(t *testing.T) terminals.Questions {
	t.Helper()
	b := persons.Broker(t, popup.Options{})
	offer := questions.New(b, "id")
	laptop, err := offer.Follow(t.Context(), terminals.Everything)
	if err == nil {
		err = laptop.Send(t.Context(), terminals.FromFollower{Shows: new(true)})
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(laptop.Close)
	persons.Ask(t, b, open, popup.AskOptions{Asked: popup.Asked{ID: openID, Asker: question.ByAgent}})
	return offer
}

// open is the open question.
var open = question.Question{
	Title: "Deploy?", Message: "Now?", Options: []question.Option{{Label: "Yes", Value: "yes"}}, Severity: question.Info, Timeout: time.Hour,
}

var yes = question.Reply{Action: question.Submit, Values: []string{"yes"}}

const openID = "OPENQUESTIONOPENQUESTIONOP"

// scripts has shells mark their prompts, in cases with a shell: files take half a case's time.
func scripts(t *testing.T, c Case) *shell.Scripts {
	t.Helper()
	if !slices.ContainsFunc(c.Before, func(s Step) bool { return strings.Contains(s.In, `"bash"`) }) {
		return nil
	}
	s, err := shell.Install(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// archive is a folder with one recording, for cases that read it.
func archive(t *testing.T, c Case) *record.Folder {
	t.Helper()
	if !strings.HasPrefix(c.Op, "archive.") {
		return nil
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, archived), []byte("cast"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := record.OpenFolder(dir, 1<<20, time.Hour, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

// attachClients attaches two terminals to a session.
func attachClients(t *testing.T, s *term.Session) {
	t.Helper()
	for _, name := range []string{"laptop", "phone"} {
		v, err := s.AttachViewer(term.ViewerOptions{Client: clients.Options{Name: name}})
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Resize(t.Context(), 30, 10); err != nil {
			t.Fatal(err)
		}
	}
}

// life is the lifetime of a server that is only asked to end.
type life struct{ persistent bool }

func (l *life) Persistent() bool     { return l.persistent }
func (l *life) SetPersistent(p bool) { l.persistent = p }
func (l *life) Stop()                {}

// servers are one other server, "other", which cannot be reached.
type servers struct{}

var other = terminals.KnownServer{Hostname: "other", Address: "ssh://host.example:22", Health: terminals.Unavailable, Reason: "no route"}

func (servers) List(by terminals.Grant) []terminals.KnownServer {
	if by.Sessions != nil || by.Tags != nil {
		return nil
	}
	return []terminals.KnownServer{other}
}

func (servers) Get(_ terminals.Grant, name string) (terminals.KnownServer, error) {
	if name != other.Hostname && name != strings.TrimPrefix(other.Address, "ssh://") {
		return terminals.KnownServer{}, terminals.UnknownServer(name)
	}
	return other, nil
}

func (servers) Add(_ context.Context, in terminals.NewServer) (terminals.KnownServer, error) {
	if in.Address == other.Address {
		return other, fault.With(terminals.ServerRegistered, fault.New(fault.Exists, "%s is known already", in.Address))
	}
	return terminals.KnownServer{Hostname: in.Hostname, Address: in.Address, Health: terminals.Connecting}, nil
}

func (s servers) Remove(_ context.Context, name string) error {
	_, err := s.Get(terminals.Everything, name)
	return err
}

// Do carries out an operation by its name, with JSON for input and answer.
func Do(ctx context.Context, t terminals.Doer, by terminals.Grant, name, in string) (string, error) {
	o := terminals.Named(name)
	if o == nil {
		return "", fmt.Errorf("there is no operation %s", name)
	}
	from, to := o.New()
	if err := json.Unmarshal([]byte(in), from); err != nil {
		return "", fmt.Errorf("%s %s: %w", name, in, err)
	}
	err := t.Do(ctx, by, o.Operation, from, to)
	b, failed := json.Marshal(to)
	if failed != nil {
		return "", failed
	}
	return string(b), err
}

// Grant returns what the caller of the case may do.
func (c Case) Grant() terminals.Grant {
	if c.By == nil {
		return terminals.Everything
	}
	return *c.By
}

// Check carries out a case in a world that is made for it, and compares what comes of it.
func (c Case) Check(t *testing.T, in terminals.Doer) {
	t.Helper()
	got, err := Do(t.Context(), in, c.Grant(), c.Op, c.In)
	switch {
	case c.Err != nil:
		if fault.KindOf(err) != c.Err.Kind || fault.DetailOf(err) != c.Err.Detail {
			t.Errorf("%v (%v, %q), want %v, %q", err, fault.KindOf(err), fault.DetailOf(err), c.Err.Kind, c.Err.Detail)
		}
	case err != nil:
		t.Error(err)
	default:
		if d := Diff(c.Want, got); d != "" {
			t.Error(d)
		}
	}
}

// exit3 ends a program that writes it.
const exit3 = "<exit 3>"

// A program writes its command line when it starts, or what the variable SAYS has, and everything
// that is typed. One that stands for a shell gives its marks their key.
type program struct {
	command string
	key     string
	prompt  int
	read    *io.PipeReader
	write   *io.PipeWriter
	out     chan []byte
	ended   chan struct{}
	owed    atomic.Int32 // how much of its output cannot be read yet, in pieces

	mu   sync.Mutex // guards the fields below
	over bool
	exit tty.Exit
}

// Start starts a program in memory, so that a test may control time, unless its command line ends
// with "fail".
func Start(o pty.Options) (term.Process, error) {
	p := &program{prompt: 1, out: make(chan []byte, 100), ended: make(chan struct{})}
	p.read, p.write = io.Pipe()
	command := "$ "
	if len(o.Args) > 0 {
		command = o.Args[len(o.Args)-1]
		p.command = command
	}
	for _, v := range o.Env {
		if text, ok := strings.CutPrefix(v, "SAYS="); ok {
			command = text
		}
		if file, ok := strings.CutPrefix(v, "WSH_KEY_FILE="); ok {
			key, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			p.key = strings.TrimSpace(string(key))
		}
	}
	if command == "fail" {
		return nil, fmt.Errorf("the system has no more terminals")
	}
	p.owed.Add(1)
	go p.run(command)
	return p, nil
}

func (p *program) run(command string) {
	text, exits := strings.CutSuffix(command, exit3)
	_, _ = p.write.Write(p.marked([]byte(text)))
	p.owed.Add(-1)
	if exits {
		p.end(tty.Exit{Code: 3})
	}
	for {
		select {
		case b := <-p.out:
			_, _ = p.write.Write(p.marked(bytes.ReplaceAll(b, []byte("\r"), []byte("\r\n"))))
			p.owed.Add(-1)
		case <-p.ended:
			p.write.Close()
			return
		}
	}
}

var mark = regexp.MustCompile(`\x1b\]133;[A-D][^\a]*`)

// marked gives marks the program's key and the number of the prompt.
func (p *program) marked(b []byte) []byte {
	if p.key == "" {
		return b
	}
	return mark.ReplaceAllFunc(b, func(m []byte) []byte {
		m = fmt.Appendf(m[:len(m):len(m)], ";wsh=%s.%d", p.key, p.prompt)
		if bytes.HasPrefix(m, []byte("\x1b]133;D")) {
			p.prompt++
		}
		return m
	})
}

func (p *program) end(e tty.Exit) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		p.over, p.exit = true, e
		close(p.ended)
	}
}

func (p *program) Read(b []byte) (int, error) { return p.read.Read(b) }

func (p *program) Write(b []byte) (int, error) {
	p.owed.Add(1)
	select {
	case p.out <- bytes.Clone(b):
	case <-p.ended:
		p.owed.Add(-1)
	}
	return len(b), nil
}

// WriteNow leaves all input to Write.
func (p *program) WriteNow([]byte) int { return 0 }

func (p *program) Kill(time.Duration) error {
	p.end(tty.Exit{Code: 129, Signal: "SIGHUP"})
	return nil
}

func (p *program) SignalKey(byte) bool  { return false }
func (p *program) KeepsSignalKey() bool { return false }
func (p *program) HasInput() bool       { return false }

// FindInJob finds the program by the command of its session.
func (p *program) FindInJob(_ int, match func([]string) bool) int {
	if match([]string{p.command}) {
		return p.PID()
	}
	return 0
}

// Image and Command are of no use here.
func (p *program) Image() uint64        { return 0 }
func (p *program) Command() tty.Command { return tty.Command{} }

// HasSignalKey implements [term.Process].
func (p *program) HasSignalKey([]byte) bool { return false }

// Signal ends the program, which knows the signal TERM only.
func (p *program) Signal(name string) error {
	if name != "TERM" {
		return fault.New(fault.Invalid, "there is no signal %q", name)
	}
	p.end(tty.Exit{Code: 143, Signal: "SIGTERM"})
	return nil
}

func (p *program) Foreground() tty.Foreground {
	select {
	case <-p.ended:
		return tty.Foreground{}
	default:
		return tty.Foreground{PID: 4243, Name: "job", Dir: "/dir"}
	}
}

func (p *program) PID() int               { return 4242 }
func (p *program) Resize(int, int) error  { return nil }
func (p *program) Mode() tty.Mode         { return tty.ModeLines }
func (p *program) Reads() tty.Reading     { return tty.Reads }
func (p *program) HasOutput() bool        { return p.owed.Load() > 0 }
func (p *program) Ended() <-chan struct{} { return p.ended }
func (p *program) Exit() tty.Exit         { <-p.ended; return p.exit }
func (p *program) Close() error           { return p.read.Close() }
