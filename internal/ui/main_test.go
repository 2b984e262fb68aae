package ui_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/ui"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/lua/async"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is an engine in its own directory, with session "1".
type world struct {
	t          *testing.T
	dir        string
	limit      time.Duration // of scripts
	actTimeout time.Duration // of pages
	leave      func()        // mcp.leave
	engine     *ui.Engine
	session    *ui.Session

	mu    sync.Mutex // guards the fields below
	heard []ui.Announcement
	shown []string // sessions and apps

	displayNew bool // before start; see ui.Options.DisplayNew
}

// shell is a template that contains only the displayed app.
const shell = `<template><main ui-view="value"></main></template>`

// newWorld writes files, by their paths below the base directory, and starts an engine there. Its
// scripts may run for long, since the machine may be busy.
func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	return newLimitedWorld(t, files, patience)
}

// newLimitedWorld is newWorld with another limit on how long a script may run.
func newLimitedWorld(t *testing.T, files map[string]string, limit time.Duration) *world {
	t.Helper()
	return (&world{t: t, limit: limit}).startWith(files)
}

// startWith starts an engine in a new base directory with these files.
func (w *world) startWith(files map[string]string) *world {
	w.t.Helper()
	w.dir = w.t.TempDir()
	w.write("viewdefs/MCP.DEFAULT.html", shell)
	for name, content := range files {
		w.write(name, content)
	}
	w.start()
	return w
}

func (w *world) start() {
	w.t.Helper()
	w.engine = ui.NewEngine(ui.Options{
		DisplayNew: func() bool { return w.displayNew },
		Displayed: func(session, app string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.shown = append(w.shown, session+" "+app)
		},
		Dir: w.dir, LuaTimeout: w.limit, ActTimeout: w.actTimeout, Log: slog.New(slog.NewTextHandler(w.t.Output(), nil)),
		Setup: func(b *ui.Bridge) error {
			b.Define("mcp", map[string]any{
				"type": "MCP",
				"keep": ui.Func(b.Keep),
				"app": ui.Func(func(args []ui.Value) ([]any, error) {
					name, _ := lua.String(args[0])
					obj, err := b.App(name)
					return []any{obj}, err
				}),
				"display": ui.Func(func(args []ui.Value) ([]any, error) {
					name, _ := lua.String(args[0])
					return nil, b.Display(name)
				}),
				"catchUp": ui.Func(func([]ui.Value) ([]any, error) { return nil, w.engine.CatchUp(w.t.Context(), true) }),
				"leave":   ui.Func(func([]ui.Value) ([]any, error) { w.leave(); return nil, nil }),
				"panic":   ui.Func(func([]ui.Value) ([]any, error) { panic("a mistake in this program") }),
			})
			return nil
		},
		Effects: async.Effects{HTTP: answer},
		Announce: func(n ui.Announcement) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.heard = append(w.heard, n)
		},
	})
	w.t.Cleanup(w.engine.Close)
	var err error
	if w.session, err = w.engine.Open(w.t.Context(), "1"); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) write(name, content string) {
	w.t.Helper()
	testkit.Write(w.t, w.dir, name, content)
}

func (w *world) remove(name string) {
	w.t.Helper()
	if err := os.Remove(filepath.Join(w.dir, filepath.FromSlash(name))); err != nil {
		w.t.Fatal(err)
	}
}

// settle waits until the engine has applied all changed files.
func (w *world) settle() {
	w.t.Helper()
	if err := w.engine.CatchUp(w.t.Context(), true); err != nil {
		w.t.Fatal(err)
	}
	if err := w.session.Do(w.t.Context(), func(*ui.Tx) error { return nil }); err != nil {
		w.t.Fatal(err)
	}
}

// display displays an app, and returns what is reported to the agent.
func (w *world) display(app string) []string {
	w.t.Helper()
	list, err := w.session.Ask(w.t.Context(), func(tx *ui.Tx) error { return tx.Display(app) })
	if err != nil {
		w.t.Fatal(err)
	}
	return texts(list)
}

// run runs Lua as the agent does, and returns the result and the problems that are reported to the
// agent.
func (w *world) run(code string) (result string, problems []string) {
	w.t.Helper()
	var raw json.RawMessage
	list, err := w.session.Ask(w.t.Context(), func(tx *ui.Tx) error {
		var err error
		raw, err = tx.Run(code)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return string(raw), texts(list)
}

// gives runs Lua and compares its result, as JSON.
func (w *world) gives(when, code, want string) {
	w.t.Helper()
	if got, _ := w.run(code); got != want {
		w.t.Errorf("%s: %s gives %s, want %s", when, code, got, want)
	}
}

// problems returns the session's problems, newest first.
func (w *world) problems() []string {
	w.t.Helper()
	list, err := w.session.Problems(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return texts(list)
}

// announced returns the announcements since its last call.
func (w *world) announced() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []string
	for _, n := range w.heard {
		out = append(out, fmt.Sprintf("%s %s: %s", n.Session, n.App, n.Problem))
	}
	w.heard = nil
	return out
}

func (w *world) inspect(what ui.Inspection) string {
	w.t.Helper()
	text, err := w.session.Inspect(w.t.Context(), what)
	if err != nil {
		w.t.Fatal(err)
	}
	return text
}

func texts[T fmt.Stringer](list []T) []string {
	var out []string
	for _, p := range list {
		out = append(out, p.String())
	}
	return out
}

// A page is a client that records what it receives, and knows enough of the protocol to find its
// bindings.
type page struct {
	w    *world
	mu   sync.Mutex // guards the fields below
	got  []message
	room int // how many more messages it accepts; -1 for any number

	observes bool
}

// A message is a decoded message of a session.
type message struct {
	Type     string
	Session  string
	Epoch    string
	Seq      int64
	Defs     []def
	Root     json.RawMessage
	Ops      [][]json.RawMessage
	Ref      int64
	Error    string
	Stale    []int
	Problems []struct {
		ID      int64
		Kind    string
		File    string
		Line    int
		Source  string
		Message string
		At      []int64
	}
}

type def struct {
	ID   int
	Key  string
	HTML string
	Bind [][]any
}

func (p *page) Deliver(raw []byte) bool {
	var m message
	if err := json.Unmarshal(raw, &m); err != nil {
		p.w.t.Errorf("no message: %v in %s", err, raw)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.room == 0 {
		return false
	}
	p.room--
	p.got = append(p.got, m)
	return true
}

// An observer is a page that only looks.
type observer struct{ *page }

func (observer) Observes() {}

// client is the page as its session knows it.
func (p *page) client() ui.Client {
	if p.observes {
		return observer{p}
	}
	return p
}

// connect attaches a page.
func (w *world) connect() *page {
	w.t.Helper()
	p := &page{w: w, room: -1}
	if err := w.session.Attach(w.t.Context(), p); err != nil {
		w.t.Fatal(err)
	}
	return p
}

// take returns the messages received since its last call.
func (p *page) take() []message {
	p.mu.Lock()
	defer p.mu.Unlock()
	got := p.got
	p.got = nil
	return got
}

// takeTypes is like take, but returns the types of the messages.
func (p *page) takeTypes() string {
	var types []string
	for _, m := range p.take() {
		types = append(types, m.Type)
	}
	return strings.Join(types, " ")
}

func (p *page) send(format string, args ...any) {
	p.w.t.Helper()
	if err := p.w.session.Receive(p.w.t.Context(), p.client(), fmt.Appendf(nil, format, args...)); err != nil {
		p.w.t.Fatal(err)
	}
}

// binding returns the instance and slot of a binding, given as it is written in its template.
// Several such bindings are counted in the order of the variables.
func (w *world) binding(kind, path string) string {
	w.t.Helper()
	list, _, err := w.session.Variables(w.t.Context(), "")
	if err != nil {
		w.t.Fatal(err)
	}
	var vars []struct {
		ID         int64
		ParentID   int64
		Path       string
		Properties map[string]string
	}
	if err := json.Unmarshal(list, &vars); err != nil {
		w.t.Fatal(err)
	}
	// The slot is the index among the bindings of the same parent, and an instance's id precedes
	// those of its variables.
	first := map[int64]int64{}
	for _, v := range vars {
		if first[v.ParentID] == 0 || v.ID < first[v.ParentID] {
			first[v.ParentID] = v.ID
		}
	}
	for _, v := range vars {
		if v.Path == path && v.Properties["binding"] == kind {
			return fmt.Sprintf("%d,%d", first[v.ParentID]-1, v.ID-first[v.ParentID])
		}
	}
	w.t.Fatalf("no binding %s %s in %s", kind, path, list)
	return ""
}

// patience is how long a test waits for a condition.
const patience = 2 * time.Minute

// until waits for a condition that depends on other goroutines.
func (w *world) until(what string, done func() bool) {
	w.t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	late := time.After(patience)
	for !done() {
		select {
		case <-late:
			w.t.Fatalf("never: %s", what)
		case <-tick.C:
		}
	}
}
