//go:build linux

package soak

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// The app of the soak: a list to which everybody appends. Session 1 keeps it.
const appLua = `
-- version %[1]d
Entry = session:prototype("Entry", { n = 0, text = "" })
Ledger = session:prototype("Ledger", { count = 0 })
function Ledger:new() return session:create(Ledger, { entries = {} }) end
function Ledger:enter(text)
    self.count = self.count + 1
    table.insert(self.entries, Entry:new({ n = self.count, text = text }))
    while #self.entries > %[2]d do table.remove(self.entries, 1) end
    mcp.pushState({ n = self.count, text = text })
    return self.count
end
function Ledger:version() return %[1]d end
function Ledger:look()
    local last = {}
    for i, e in ipairs(self.entries) do last[i] = { n = e.n, text = e.text } end
    return { count = self.count, version = self:version(), last = last }
end
if not session.reloading then ledger = Ledger:new() end
if mcp.sessionId == "1" then mcp:keep("ledger", ledger) end
`

const ledgerHTML = `<template><div data-version="%[1]d">
  <b id="count" ui-value="count"></b> <i id="version" ui-value="version()"></i>
  <input id="enter" aria-label="New entry" ui-event-change="enter(_)">
  <ul ui-viewlist="entries"><li></li></ul>
</div></template>
`

const entryHTML = `<template><li ui-value="text"></li></template>
`

// remembered is how many entries the app holds.
const remembered = 200

const appFile, ledgerFile, entryFile = "apps/ledger/app.lua", "apps/ledger/viewdefs/Ledger.DEFAULT.html", "apps/ledger/viewdefs/Entry.list-item.html"

// A site is a server of ui-mcp with its directory: "ui-mcp serve", or "ui-mcp mcp" with its client.
type site struct {
	*server
	dir     string
	piped   bool               // ui-mcp mcp
	ledgers map[string]*ledger // by session
	took    slowness           // of reading the list of session 1

	// Where pages and agents are, a host and a port each, the same in each run of ui-mcp serve; and
	// the client of ui-mcp mcp. Calls read them, and starts write them.
	pages, mcp string
	pipes      *overPipes

	agentProxy, pageProxy *proxy // to ui-mcp serve

	disk sync.RWMutex // held for writing while the directory is disturbed, for reading by those who save files

	saving                sync.Mutex // guards the fields below
	version, code, markup int        // of the app's files: the last one, and the last sound ones
	broken                bool       // the code was saved in a broken version last
}

func (s *soak) newSite(name string, piped bool, sessions ...string) *site {
	x := &site{server: s.newServer(name), dir: filepath.Join(s.dir, name, ".claude", "ui"), piped: piped, ledgers: map[string]*ledger{}}
	for _, session := range sessions {
		x.ledgers[session] = newLedger(func(format string, args ...any) {
			s.wrong("%s, session %s: "+format, append([]any{name, session}, args...)...)
		})
	}
	return x
}

// writeFile writes a file as editors do: to another name first, which it then renames.
func (x *site) writeFile(name, content string) error {
	file := filepath.Join(x.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file+"~", []byte(content), 0o644); err != nil {
		return errors.Join(err, os.Remove(file+"~"))
	}
	return os.Rename(file+"~", file)
}

func (x *site) writeApp() error {
	return errors.Join(x.writeFile(appFile, fmt.Sprintf(appLua, 0, remembered)), x.writeFile(ledgerFile, fmt.Sprintf(ledgerHTML, 0)), x.writeFile(entryFile, entryHTML))
}

// start starts the server and displays the app in each session.
func (x *site) start(ctx context.Context) error {
	x.saving.Lock() // until the app is displayed, which a broken version cannot be
	defer x.saving.Unlock()
	if x.broken {
		x.broken = false
		if err := x.writeFile(appFile, fmt.Sprintf(appLua, x.code, remembered)); err != nil {
			return err
		}
	}
	port := func(address string) string { _, port, _ := strings.Cut(address, ":"); return port }
	args := []string{"ui-mcp", "mcp", "--own"}
	if !x.piped {
		args = []string{"ui-mcp", "serve", "--log-level", "warn", "--port", cmp.Or(port(x.pages), "0"), "--mcp-port", cmp.Or(port(x.mcp), "0")}
	}
	p, err := x.s.launch(x.name, append(args, "--dir", x.dir, "--lua-memory", "128")...)
	if err != nil {
		return err
	}
	x.process.Store(p)
	if x.piped {
		if x.pipes, err = newOverPipes(ctx, p.in, p.out, x.s.wrong); err != nil {
			return fmt.Errorf("initialize: %w: %s", err, tail(p.log.String(), 2000))
		}
		if _, err := must(x.pipes.call(ctx, "ui_start", nil)); err != nil {
			return fmt.Errorf("ui_start: %w", err)
		}
	} else if _, err := p.awaitLine("Open "); err != nil {
		return err
	}
	for name, at := range map[string]*string{"ui-port": &x.pages, "mcp-port": &x.mcp} {
		port, err := os.ReadFile(filepath.Join(x.dir, name))
		if err != nil {
			return err
		}
		*at = "127.0.0.1:" + strings.TrimSpace(string(port))
	}
	if !x.piped && x.pageProxy == nil {
		for at, to := range map[**proxy]string{&x.pageProxy: x.pages, &x.agentProxy: x.mcp} {
			if *at, err = newProxy(to); err != nil {
				return err
			}
		}
	}
	control := x.agent(x.mcp)
	for session := range x.ledgers {
		if _, err := must(control.call(ctx, "ui_display", map[string]any{"name": "ledger", "sessionId": session})); err != nil {
			return err
		}
	}
	control.client.CloseIdleConnections()
	x.before, err = usageOf(p.cmd.Process.Pid)
	return err
}

// ownAgent is the client on the standard streams of whichever process runs. Its calls are made in a
// call to the site.
type ownAgent struct{ *site }

func (a ownAgent) call(ctx context.Context, tool string, args map[string]any) (result, error) {
	return a.pipes.call(ctx, tool, args)
}

// agent returns a client of MCP over HTTP at an address.
func (x *site) agent(address string) *overHTTP {
	return &overHTTP{url: "http://" + address + "/mcp", client: x.s.client()}
}

// must makes a tool's error an error.
func must(r result, err error) (result, error) {
	if err == nil && r.isError {
		err = errors.New(r.text)
	}
	return r, err
}

// A look is what the app of the soak says of itself.
type look struct {
	Count   int        `json:"count"`
	Version int        `json:"version"`
	Last    []numbered `json:"last"`
}

func lookAt(ctx context.Context, a agent, session string) (l look, err error) {
	r, err := must(a.call(ctx, "ui_run", map[string]any{"code": "return ledger:look()", "sessionId": session}))
	if err != nil {
		return l, err
	}
	err = json.Unmarshal([]byte(strings.Replace(r.text, `"last":{}`, `"last":[]`, 1)), &l)
	return l, err
}

// savedLook returns what the file of the kept list has.
func (x *site) savedLook() (l look, err error) {
	b, err := os.ReadFile(filepath.Join(x.dir, "data", "ledger.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil // before it is saved for the first time
	}
	if err != nil {
		return l, err
	}
	var file struct {
		Data struct {
			Count   int
			Entries []numbered
		}
	}
	if err := json.Unmarshal(b, &file); err != nil {
		return l, fmt.Errorf("the file is not whole: %d bytes: %w", len(b), err)
	}
	return look{Count: file.Data.Count, Last: file.Data.Entries}, nil
}

// write is an agent that appends one text after another to a session's list with a tool.
func (x *site) write(ctx context.Context, a agent, session, name string) {
	r := stream(x.s.seed, name)
	l := x.ledgers[session]
	for n := 1; sleep(ctx, pause(r, pace)); n++ {
		text := fmt.Sprintf("%s/%s:%d", session, name, n)
		_ = x.do(ctx, func(call context.Context) { // fails when the soak ends
			l.try(text)
			r, err := must(a.call(call, "ui_run", map[string]any{"code": fmt.Sprintf("return ledger:enter(%q)", text), "sessionId": session}))
			var n int
			if err == nil {
				_, err = fmt.Sscan(r.text, &n)
			}
			if err != nil {
				l.unanswered()
				x.s.note("unknown", "%s %s: %v", x.name, text, err)
				return
			}
			l.wrote(text, n, time.Now())
		})
	}
}

// readAll reads a session's list again and again.
func (x *site) readAll(ctx context.Context, session string) {
	a := x.agent("")
	for sleep(ctx, pace) {
		_ = x.read(ctx, a, session) // fails when the soak ends
	}
}

// read reads a session's list once.
func (x *site) read(ctx context.Context, a *overHTTP, session string) error {
	return x.do(ctx, func(call context.Context) {
		a.url = "http://" + x.mcp + "/mcp"
		l := x.ledgers[session]
		before := l.mark()
		answered := func() {}
		if session == "1" {
			answered = x.took.begin()
		}
		seen, err := lookAt(call, a, session)
		answered()
		if err != nil {
			x.s.note("unknown", "%s: reading session %s: %v", x.name, session, err)
			return
		}
		l.read(seen.Count, seen.Last, before, time.Now())
	})
}

// readDisk reads the file of the kept list once.
func (x *site) readDisk() {
	x.disk.RLock()
	defer x.disk.RUnlock()
	saved, err := x.savedLook()
	if err != nil {
		x.s.wrong("%s: the kept list cannot be read: %v", x.name, err)
		return
	}
	x.ledgers["1"].onDisk(saved.Count, saved.Last, time.Now())
}

// caughtUp waits until all entries that are known now are on the disk.
func (x *site) caughtUp(ctx context.Context, after string) {
	top := x.ledgers["1"].mark().top
	if err := await(ctx, 2*patience, func() error {
		saved, err := x.savedLook()
		if err == nil && saved.Count < top {
			err = fmt.Errorf("of %d entries, %d are on the disk", top, saved.Count)
		}
		return err
	}); err != nil && ctx.Err() == nil {
		x.s.wrong("%s, after %q: %v", x.name, after, err)
	}
}

// settle checks that the server has given back what it used and saved what it had, and ends it.
func (x *site) settle(ctx context.Context, w *world) {
	x.caughtUp(ctx, "everything")
	x.s.leave()
	w.returns(ctx, x.server)
	x.restart(ctx, syscall.SIGTERM)
	if err := x.process.Load().end(syscall.SIGTERM); err != nil {
		x.s.wrong("%s, asked to end: %v", x.name, err)
	}
}

// window is how long before a process is killed an entry must have been acknowledged to be on the
// disk for certain: the second within which kept objects are looked at, one for writing the file
// twice, since an entry may come while it is being written, and what a busy machine takes longer.
// Looking and writing take turns with the other work of a session, as reading its list does.
func (x *site) window() time.Duration { return 2*time.Second + 4*x.took.lately() }

// restart ends the server, by a signal, and starts it again. Killed, it may lose what it had not
// saved yet; asked to end, nothing.
func (x *site) restart(ctx context.Context, signal syscall.Signal) {
	mustHave := time.Now().Add(-x.window())
	p := x.process.Load()
	if err := x.end(signal); err != nil && !strings.Contains(p.log.String(), "SIGQUIT: quit") {
		x.s.wrong("%s, asked to end: %v", x.name, err)
	}
	defer x.open()
	if signal != syscall.SIGKILL {
		mustHave = time.Now()
	}
	saved, err := x.savedLook()
	if err != nil {
		x.s.wrong("%s: after its end: %v", x.name, err)
	}
	var restored look
	if err = x.start(ctx); err == nil {
		restored, err = lookAt(ctx, x.agent(x.mcp), "1")
	}
	if err != nil {
		x.s.fatal("%s does not start again: %v", x.name, err)
		return
	}
	if restored.Count != saved.Count {
		x.s.wrong("%s: the file had %d entries, and %d were restored", x.name, saved.Count, restored.Count)
	}
	x.s.note("restored", "%s: %d entries", x.name, restored.Count)
	for session, l := range x.ledgers {
		if session == "1" {
			l.restored(restored.Count, restored.Last, mustHave, time.Now())
		} else { // sessions end with their server
			l.restored(0, nil, time.Time{}, time.Now())
		}
	}
}

// events receives the events of a session until the soak ends. Each is received once, in order,
// while the server runs.
func (x *site) events(ctx context.Context, session string) {
	client := x.s.client()
	l := x.ledgers[session]
	var run context.Context // that sent the last event
	last := 0
	for {
		call, leave, err := x.enter(ctx)
		if err != nil {
			return
		}
		if run != x.run {
			run, last = x.run, 0
		}
		list, err := awaitEvents(call, client, "http://"+x.mcp+"/wait?timeout=20&session="+session)
		if err != nil && call.Err() == nil {
			x.s.note("unknown", "%s: events of session %s: %v", x.name, session, err)
		}
		for _, e := range list {
			if e.N == 0 {
				continue // another event of the app
			}
			if last != 0 && e.N != last+1 {
				x.s.wrong("%s: event %d of session %s comes after event %d", x.name, e.N, session, last)
			}
			last = e.N
			l.saw(e, time.Now())
		}
		leave()
		if err != nil && !sleep(ctx, time.Second) {
			return
		}
	}
}

// awaitEvents makes one request for events.
func awaitEvents(ctx context.Context, client *http.Client, url string) (list []numbered, err error) {
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return nil, err
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusNoContent:
		return nil, nil
	case http.StatusOK:
		err = json.NewDecoder(res.Body).Decode(&list)
		return list, err
	}
	return nil, errors.New(res.Status)
}

// save saves the files of the app again and again, each time in another version, and sometimes in
// a broken one. A sound version must come into force, and entries must survive it.
func (x *site) save(ctx context.Context) {
	r := stream(x.s.seed, "saves of "+x.name)
	a := x.agent(x.mcp)
	for sleep(ctx, pause(r, 3*time.Second)) {
		kind := []string{"broken", "markup", "code", "code"}[r.IntN(4)]
		x.disk.RLock()
		x.saving.Lock()
		x.version++
		version := x.version
		var err error
		switch kind {
		case "broken":
			err = x.writeFile(appFile, fmt.Sprintf(appLua, version, remembered)+"\nfunction (")
			x.broken = true
		case "markup":
			err = x.writeFile(ledgerFile, fmt.Sprintf(ledgerHTML, version))
			x.markup = version
		default:
			err = x.writeFile(appFile, fmt.Sprintf(appLua, version, remembered))
			x.code, x.broken = version, false
		}
		x.saving.Unlock()
		x.disk.RUnlock()
		x.s.note("saved", "%s: version %d: %s", x.name, version, kind)
		if err != nil {
			x.s.fatal("%s: a file of the app cannot be saved: %v", x.name, err)
			return
		}
		if kind != "code" {
			continue
		}
		if err := await(ctx, 2*patience, func() error {
			var seen look
			err := errors.New("the soak has ended")
			_ = x.do(ctx, func(call context.Context) { seen, err = lookAt(call, a, "1") })
			if err == nil && seen.Version != version {
				err = fmt.Errorf("version %d is in force", seen.Version)
			}
			return err
		}); err != nil && ctx.Err() == nil {
			x.s.wrong("%s: version %d of the code was saved: %v", x.name, version, err)
		}
	}
}

// A slowness knows how long a server took for its answers of late.
type slowness struct {
	mu      sync.Mutex // guards the fields below
	answers map[time.Time]time.Duration
	since   time.Time // since when a call has no answer
}

// begin notes a call, until the result is called.
func (d *slowness) begin() (end func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.since = time.Now()
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.answers == nil {
			d.answers = map[time.Time]time.Duration{}
		}
		d.answers[time.Now()] = time.Since(d.since)
		d.since = time.Time{}
	}
}

// lately returns how long the slowest answer took in the last ten seconds, or has taken so far.
func (d *slowness) lately() (slowest time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.since.IsZero() {
		slowest = time.Since(d.since)
	}
	for at, took := range d.answers {
		if time.Since(at) > 10*time.Second {
			delete(d.answers, at)
			continue
		}
		slowest = max(slowest, took)
	}
	return slowest
}
