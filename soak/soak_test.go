//go:build linux

package soak

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"ui-mcp/internal/chromium"
)

// A soak is one run.
type soak struct {
	t        *testing.T
	dir      string // of everything that the processes may write; short, for sockets
	seed     uint64
	patience time.Duration // for one answer, on a machine that is very busy
	*timeline
	give    context.CancelCauseFunc // ends the run early
	started atomic.Int64            // processes

	mu       sync.Mutex // guards the fields below
	clients  []*http.Client
	reported map[string]bool // failures
}

// maxFailures is how many failures end a run.
const maxFailures = 20

var errTooMany = errors.New("too much is wrong")

// wrong reports a contradiction to what must be true.
func (s *soak) wrong(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	s.mu.Lock()
	known := s.reported[text]
	s.reported[text] = true
	s.mu.Unlock()
	if known {
		return // each look at a list finds it again
	}
	s.add("WRONG", "%s", text)
	if s.failures() >= maxFailures {
		s.give(errTooMany)
	}
}

// fatal reports one after which the run cannot go on.
func (s *soak) fatal(format string, args ...any) {
	s.wrong(format, args...)
	s.give(errTooMany)
}

func (s *soak) note(kind, format string, args ...any) { s.add(kind, format, args...) }

// environment is what processes get besides the environment of the tests.
func (s *soak) environment() []string {
	return []string{
		"DISPLAY=", "WAYLAND_DISPLAY=", "BROWSER=", "GOTRACEBACK=all", "HOME=" + s.dir, "TMPDIR=" + filepath.Join(s.dir, "tmp"),
		"XDG_RUNTIME_DIR=" + s.dir, "XDG_CACHE_HOME=" + filepath.Join(s.dir, "cache"), "SHELL=/bin/bash",
		heapVariable + "=" + filepath.Join(s.dir, "heaps"),
		"GORACE=atexit_sleep_ms=0 log_path=" + filepath.Join(s.dir, "race"),
	}
}

// client returns a client of HTTP with connections of its own.
func (s *soak) client() *http.Client {
	c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clients = append(s.clients, c)
	return c
}

// leave closes the connections of clients that are not in use.
func (s *soak) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.clients {
		c.CloseIdleConnections()
	}
}

func TestSoak(t *testing.T) {
	if settings.length == 0 {
		t.Skip("make soak runs it")
	}
	seed := settings.seed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano()) % 1_000_000
	}
	dir, err := os.MkdirTemp("", "soak")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for _, name := range []string{"tmp", "cache", "typed", "heaps"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	path := settings.timeline
	if path == "" {
		path = filepath.Join(os.TempDir(), fmt.Sprintf("soak-%d.log", seed))
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	s := &soak{t: t, dir: dir, seed: seed, patience: time.Minute, reported: map[string]bool{}, timeline: newTimeline(file)}
	t.Logf("seed %d, %s; everything is written to %s", seed, settings.length, path)
	s.run()
	t.Log(s.summary())
	t.Log("clock: not set, since the wall clock is one for the machine; see docs/contributing.md for what is tested instead")
	if s.failures() > 0 {
		t.Errorf("%d failures; SEED=%d makes the same schedule again\n%s", s.failures(), seed, s.story())
	}
	s.timeline.close()
	if s.failures() == 0 && settings.timeline == "" {
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
	}
}

// run runs everything, for the length of the soak.
func (s *soak) run() {
	whole, give := context.WithCancelCause(s.t.Context())
	s.give = give
	defer give(nil)
	acting, stop := context.WithTimeout(whole, settings.length)
	defer stop()

	w := s.newWorld()
	settled := false
	defer func() {
		w.close()
		s.left(settled)
	}()
	if err := w.start(whole); err != nil {
		s.fatal("the start: %v", err)
		return
	}
	var actors sync.WaitGroup
	for _, act := range w.actors() {
		actors.Go(func() { act(acting) })
	}
	actors.Wait() // each finishes what it is doing
	defer w.report()
	if whole.Err() == nil {
		w.settle(whole)
		settled = whole.Err() == nil
	}
}

// A world is what a soak consists of.
type world struct {
	s         *soak
	sites     []*site // the first one serves pages and many agents
	pages     []*page
	tabs      []*tab
	browser   *chromium.Browser
	ballot    *ballot
	shells    *shellServer
	smallDisk bool // of the first site

	records sync.Mutex         // guards the fields below
	current map[string]*record // by the server's name
	runs    []*record
	load    float64 // the highest one of the machine
}

func (s *soak) newWorld() *world {
	w := &world{s: s, browser: chromium.New(chromium.Options{}), current: map[string]*record{}}
	w.ballot = newBallot(s.wrong)
	w.shells = s.newShellServer()
	for i := range settings.sessions + settings.floods {
		w.shells.terminals = append(w.shells.terminals, &terminal{x: w.shells, name: fmt.Sprint("t", i), floods: i >= settings.sessions})
	}
	w.smallDisk = s.smallDisk(filepath.Join(s.dir, "hub"))
	w.sites = append(w.sites, s.newSite("hub", filepath.Join(s.dir, "hub", ".claude", "ui"), false, "1", "two", "three"))
	for i := range settings.piped {
		name := fmt.Sprint("own", i)
		w.sites = append(w.sites, s.newSite(name, filepath.Join(s.dir, name, ".claude", "ui"), true, "1"))
	}
	return w
}

func (w *world) start(ctx context.Context) error {
	for _, x := range w.sites {
		if err := x.writeApp(); err != nil {
			return err
		}
		if err := x.start(ctx); err != nil {
			return err
		}
		x.reopen()
	}
	if len(w.shells.terminals) == 0 {
		return nil
	}
	if err := w.shells.start(); err != nil {
		return err
	}
	w.shells.reopen()
	return nil
}

// actors returns all that act until the context ends.
func (w *world) actors() (list []func(ctx context.Context)) {
	hub := w.sites[0]
	add := func(act func(ctx context.Context)) { list = append(list, act) }
	sessions := []string{"1", "1", "two", "three"}
	for i := range settings.agents {
		add(func(ctx context.Context) {
			address := hub.address()
			if i%2 == 0 {
				address = hub.agentProxy.address()
			}
			w.write(ctx, hub, hub.agent(address), sessions[i%len(sessions)], fmt.Sprint("agent", i))
		})
	}
	for _, x := range w.sites {
		if x.piped {
			add(func(ctx context.Context) { w.write(ctx, x, x.ownAgent(), "1", x.name) })
		}
		for session := range x.ledgers {
			add(func(ctx context.Context) { w.readAll(ctx, x, session) })
			add(func(ctx context.Context) { x.events(ctx, session) })
		}
		add(func(ctx context.Context) {
			for sleep(ctx, time.Second) {
				x.readDisk()
			}
		})
	}
	for i := range settings.simulated {
		p := w.s.newPage(hub, sessions[i%len(sessions)], fmt.Sprint("page", i))
		w.pages = append(w.pages, p)
		add(p.act)
	}
	for i := range settings.pages {
		t := &tab{x: hub, session: sessions[i%len(sessions)], name: fmt.Sprint("tab", i), browser: w.browser}
		w.tabs = append(w.tabs, t)
		add(t.act)
	}
	for i := range settings.questions {
		add(func(ctx context.Context) { w.ask(ctx, hub, fmt.Sprint("asker", i), i%2 == 1) })
	}
	if settings.questions > 0 {
		add(func(ctx context.Context) { w.collect(ctx, hub) })
		add(func(ctx context.Context) { w.person(ctx, hub, func() string { return hub.pages }, "person0") })
		add(func(ctx context.Context) { w.person(ctx, hub, hub.pageProxy.address, "person1") })
	}
	add(hub.save)
	if len(w.shells.terminals) > 0 {
		list = append(list, w.terminalActors()...)
	}
	add(func(ctx context.Context) { w.strike(ctx, "connections", w.connectionFaults()) })
	add(w.watch)
	add(func(ctx context.Context) { w.strike(ctx, "processes", w.processFaults()) })
	return list
}

// terminalActors returns all that act on terminals.
func (w *world) terminalActors() (list []func(ctx context.Context)) {
	x := w.shells
	add := func(act func(ctx context.Context)) { list = append(list, act) }
	for _, t := range x.terminals {
		add(t.tend)
	}
	if settings.sessions == 0 {
		return list
	}
	for i := range settings.attached {
		add(func(ctx context.Context) { x.person(ctx, fmt.Sprint("person", i)) })
	}
	add(func(ctx context.Context) { x.exits(ctx, "exits") })
	add(func(ctx context.Context) { x.runs(ctx, "runs", x.runOverHTTP) })
	add(func(ctx context.Context) { x.typist(ctx, "typist0", x.typeOverHTTP(x.addr)) })
	add(func(ctx context.Context) { x.typist(ctx, "typist1", x.typeOverHTTP(x.proxy.address())) })
	for i := range settings.bridges {
		b := &bridge{x: x, name: fmt.Sprint("bridge", i), kill: make(chan struct{}, 1)}
		x.bridges = append(x.bridges, b)
		if i%2 == 0 {
			add(func(ctx context.Context) { x.runs(ctx, b.name, b.run) })
		} else {
			add(func(ctx context.Context) { x.typist(ctx, b.name, b.typeLine) })
		}
	}
	return list
}

// write is an agent that appends one text after another.
func (w *world) write(ctx context.Context, x *site, a agent, session, name string) {
	r := stream(w.s.seed, name)
	for n := 1; sleep(ctx, pause(r, settings.pace)); n++ {
		if x.enter(ctx, a, session, fmt.Sprintf("%s/%s:%d", session, name, n)) != nil {
			return
		}
	}
}

func (w *world) readAll(ctx context.Context, x *site, session string) {
	a := x.agent(x.address())
	for sleep(ctx, settings.pace) {
		a.url = "http://" + x.address() + "/mcp"
		if x.read(ctx, a, session) != nil {
			return
		}
	}
}

// processFaults are what may happen to processes.
func (w *world) processFaults() map[string]func(ctx context.Context, f fault) {
	hub := w.sites[0]
	own := func(f fault) *site { return w.sites[f.target%len(w.sites)] }
	faults := map[string]func(ctx context.Context, f fault){
		"kill the browser": func(ctx context.Context, f fault) {
			if err := killBrowser(); err != nil {
				w.s.note("fault", "the browser cannot be killed: %v", err)
			}
		},
		"kill the server":     func(ctx context.Context, f fault) { hub.restart(ctx, syscall.SIGKILL) },
		"kill a server":       func(ctx context.Context, f fault) { own(f).restart(ctx, syscall.SIGKILL) },
		"ask a server to end": func(ctx context.Context, f fault) { own(f).restart(ctx, syscall.SIGTERM) },
	}
	maps.Copy(faults, w.siteFaults())
	if settings.sessions > 0 {
		faults["kill wsh server"] = func(ctx context.Context, f fault) { w.shells.restart(ctx, syscall.SIGKILL) }
		faults["ask wsh server to end"] = func(ctx context.Context, f fault) { w.shells.restart(ctx, syscall.SIGTERM) }
		faults["kill a shell"] = func(ctx context.Context, f fault) { w.shells.terminals[f.target%len(w.shells.terminals)].killProgram() }
	}
	if len(w.shells.bridges) > 0 {
		faults["kill a bridge"] = func(ctx context.Context, f fault) {
			select {
			case w.shells.bridges[f.target%len(w.shells.bridges)].kill <- struct{}{}:
			default: // it is to be killed already
			}
		}
	}
	return faults
}

// connectionFaults are what may happen to connections.
func (w *world) connectionFaults() map[string]func(ctx context.Context, f fault) {
	hub := w.sites[0]
	proxies := []*proxy{hub.agentProxy, hub.pageProxy}
	if w.shells.proxy != nil {
		proxies = append(proxies, w.shells.proxy)
	}
	of := func(f fault) *proxy { return proxies[f.target%len(proxies)] }
	return map[string]func(ctx context.Context, f fault){
		"cut connections":     func(ctx context.Context, f fault) { of(f).cut(1 + f.target%3) },
		"reset in the middle": func(ctx context.Context, f fault) { of(f).tear(1 + f.target%3) },
		"stall all connections": func(ctx context.Context, f fault) {
			of(f).stall()
			sleep(ctx, f.length)
			of(f).release()
		},
	}
}

// settle checks what must be true when nothing happens any more, and ends everything.
func (w *world) settle(ctx context.Context) {
	w.settleTerminals(ctx)
	for _, x := range w.sites {
		for session, l := range x.ledgers {
			if err := x.read(ctx, x.agent(x.address()), session); err != nil {
				w.s.fatal("%s: the last look: %v", x.name, err)
			}
			l.complete()
		}
		w.settlePages(ctx, x)
		if x == w.sites[0] {
			w.settleTabs(ctx, x)
		}
		w.leave(x)
		x.settled(ctx, w)
	}
}

// settleTerminals checks that what was typed was read, and ends the server of terminals.
func (w *world) settleTerminals(ctx context.Context) {
	x := w.shells
	p := x.process.Load()
	if p == nil {
		return
	}
	for _, t := range x.terminals {
		t.mu.Lock()
		l := t.life
		t.mu.Unlock()
		if l != nil {
			t.check(l, true)
		}
	}
	for _, b := range w.shells.bridges {
		b.close()
	}
	// Its sessions are removed; then it must hold what it held at its start.
	var sessions []struct{ Name string }
	if err := x.do(ctx, x.addr, "GET", "/sessions", nil, &sessions); err != nil {
		w.s.wrong("the last list of sessions: %v", err)
	}
	for _, session := range sessions {
		if err := x.do(ctx, x.addr, "DELETE", "/sessions/"+session.Name, nil, nil); err != nil {
			w.s.wrong("%s cannot be removed: %v", session.Name, err)
		}
	}
	for _, t := range x.terminals {
		t.over("its session was removed")
	}
	x.shut()
	w.s.leave()
	w.returns(ctx, p, x.before)
	if err := x.start(); err != nil { // after its end, it starts and ends by itself
		w.s.wrong("wsh server does not start again: %v", err)
	} else if err := x.process.Load().terminate(w.s.patience); err != nil {
		w.s.wrong("wsh server, asked to end: %v", err)
	}
	if left := w.s.sockets(); len(left) > 0 {
		w.s.wrong("wsh server has left %q", left)
	}
}

// settlePages waits until the pages of a site display what its sessions have.
func (w *world) settlePages(ctx context.Context, x *site) {
	begin := time.Now()
	for _, p := range w.pages {
		if p.x != x {
			continue
		}
		if !p.isConnected() {
			if err := p.connect(ctx); err != nil {
				w.s.wrong("%s cannot connect at the end: %v", p.name, err)
				continue
			}
		}
		want, err := lookAt(ctx, x.agent(x.address()), p.session)
		if err != nil {
			w.s.wrong("%s: the last look at session %s: %v", x.name, p.session, err)
			return
		}
		for {
			count, version := p.shows()
			if count == want.Count && version == x.markup {
				break
			}
			if time.Since(begin) > w.s.patience {
				w.s.wrong("%s displays %d entries by version %d, and the session has %d, and version %d is saved", p.name, count, version, want.Count, x.markup)
				break
			}
			if !sleep(ctx, 50*time.Millisecond) {
				return
			}
		}
	}
}

// settleTabs waits until the tabs display what their sessions have.
func (w *world) settleTabs(ctx context.Context, x *site) {
	ctx, cancel := context.WithTimeout(ctx, 2*w.s.patience)
	defer cancel()
	for _, t := range w.tabs {
		want, err := lookAt(ctx, x.agent(x.address()), t.session)
		if err == nil {
			err = t.settled(ctx, want)
		}
		if err != nil && ctx.Err() == nil { // the browser has been killed meanwhile
			t.drop()
			err = t.settled(ctx, want)
		}
		if err != nil {
			w.s.wrong("%s does not display the %d entries of session %s: %v", t.name, want.Count, t.session, err)
		}
	}
}

// leave closes the pages of a site.
func (w *world) leave(x *site) {
	for _, p := range w.pages {
		if p.x == x {
			p.drop()
		}
	}
	for _, t := range w.tabs {
		if t.x == x {
			t.drop()
		}
	}
}

// report prints what has been checked.
func (w *world) report() {
	for _, x := range w.sites {
		for _, session := range slices.Sorted(maps.Keys(x.ledgers)) {
			w.s.t.Logf("%s, session %s: entries: %s", x.name, session, x.ledgers[session].summary())
		}
	}
	w.s.t.Logf("questions: %s", w.ballot.summary())
	w.reportUsage()
}

// close ends what still runs.
func (w *world) close() {
	for _, x := range w.sites {
		x.shut()
		if x.process != nil {
			x.process.kill()
		}
	}
	for _, p := range w.pages {
		p.drop()
	}
	for _, t := range w.tabs {
		t.drop()
	}
	w.browser.Close()
	for _, b := range w.shells.bridges {
		b.end()
	}
	w.shells.shut()
	if p := w.shells.process.Load(); p != nil {
		p.kill()
	}
	for _, p := range []*proxy{w.sites[0].agentProxy, w.sites[0].pageProxy, w.shells.proxy} {
		if p != nil {
			p.close()
		}
	}
	w.s.leave()
}
