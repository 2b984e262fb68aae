//go:build linux

package soak

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/chromium"
	"ui-mcp/internal/testkit/load"
)

// A soak is one run, and the timeline of what has happened in it: in a file and, as far as it is
// needed to understand a failure, in memory.
type soak struct {
	t     *testing.T
	dir   string // of everything that the processes may write; short, for sockets
	seed  uint64
	begun time.Time
	give  context.CancelCauseFunc // ends the run early

	mu      sync.Mutex // guards the fields below
	clients []*http.Client
	file    *bufio.Writer
	recent  []string // the last lines
	faults  []string
	wrongs  []string // and the lines before the first of them
	known   map[string]bool
	count   map[string]int // of lines, by their first word
}

// maxFailures is how many failures end a run, and kept how many lines before one are printed.
const (
	maxFailures = 20
	kept        = 60
)

var errTooMany = errors.New("too much is wrong")

// note adds a line to the timeline. Its first word is what it counts as.
func (s *soak) note(kind, format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noteLocked(kind, fmt.Sprintf(format, args...))
}

func (s *soak) noteLocked(kind, text string) (line string) {
	line = fmt.Sprintf("%9.3f %-8s %s", time.Since(s.begun).Seconds(), kind, text)
	s.count[kind]++
	fmt.Fprintln(s.file, line) // the disk of the tests may be full: the lines in memory are enough then
	if s.recent = append(s.recent, line); len(s.recent) > 2*kept {
		s.recent = slices.Clone(s.recent[kept:])
	}
	if kind == "fault" {
		s.faults = append(s.faults, line)
	}
	return line
}

// wrong reports a contradiction to what must be true.
func (s *soak) wrong(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known[text] {
		return // each look at a list finds it again
	}
	s.known[text] = true
	line := s.noteLocked("WRONG", text)
	if len(s.wrongs) == 0 {
		s.wrongs = slices.Clone(s.recent[max(0, len(s.recent)-kept) : len(s.recent)-1])
	}
	if s.wrongs = append(s.wrongs, line); len(s.known) >= maxFailures {
		s.give(errTooMany)
	}
}

// failures counts what was wrong.
func (s *soak) failures() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.known)
}

// fatal reports one after which the run cannot go on.
func (s *soak) fatal(format string, args ...any) {
	s.wrong(format, args...)
	s.give(errTooMany)
}

// finish prints how much has happened, and what was wrong.
func (s *soak) finish(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.file.Flush() // see noteLocked
	var counts []string
	for _, kind := range slices.Sorted(maps.Keys(s.count)) {
		counts = append(counts, fmt.Sprint(s.count[kind], " ", kind))
	}
	s.t.Logf("in %s: %s", time.Since(s.begun).Round(time.Second), strings.Join(counts, ", "))
	s.t.Log("clock: not set, since the wall clock is one for the machine; see docs/contributing.md for what is tested instead")
	if len(s.known) > 0 {
		s.t.Errorf("%d failures; SEED=%d makes the same schedule again\nfaults:\n%s\n\nbefore the first failure, and all failures:\n%s",
			len(s.known), s.seed, strings.Join(s.faults, "\n"), strings.Join(s.wrongs, "\n"))
	} else if settings.timeline == "" {
		if err := os.Remove(path); err != nil {
			s.t.Error(err)
		}
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
	runSoak(t)
}

// Few actors and a few faults keep the soak as it is up to date with the program.
func TestSoakForSeconds(t *testing.T) {
	load.Long(t, "make soak runs everything for minutes")
	given := settings
	t.Cleanup(func() { settings = given })
	settings.length, settings.seed, settings.scale = 15*time.Second, 1, 0.2
	runSoak(t)
}

func runSoak(t *testing.T) {
	seed := settings.seed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano()) % 1_000_000
	}
	dir := testkit.ShortDir(t)
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
	t.Logf("seed %d, %s; everything is written to %s", seed, settings.length, path)
	s := &soak{t: t, dir: dir, seed: seed, begun: time.Now(), file: bufio.NewWriter(file), known: map[string]bool{}, count: map[string]int{}}
	s.run()
	s.finish(path)
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
	tabs      []*tab
	browser   *chromium.Browser
	ballot    *ballot
	shells    *shellServer
	smallDisk bool // of the first site

	mu      sync.Mutex         // guards the fields below
	current map[string]*record // by the server's name
	runs    []*record
}

func (s *soak) newWorld() *world {
	w := &world{s: s, browser: chromium.New(chromium.Options{}), ballot: newBallot(s.wrong), current: map[string]*record{}}
	w.shells = s.newShellServer()
	w.smallDisk = s.smallDisk(filepath.Join(s.dir, "hub"))
	w.sites = append(w.sites, s.newSite("hub", false, "1", "two", "three"))
	for i := range scaled(4) {
		w.sites = append(w.sites, s.newSite(fmt.Sprint("own", i), true, "1"))
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
		x.open()
	}
	if err := w.shells.start(); err != nil {
		return err
	}
	w.shells.open()
	return nil
}

// actors returns all that act until the context ends.
func (w *world) actors() (list []func(ctx context.Context)) {
	hub := w.sites[0]
	add := func(act func(ctx context.Context)) { list = append(list, act) }
	sessions := []string{"1", "1", "two", "three"}
	for i := range scaled(8) {
		add(func(ctx context.Context) {
			address := hub.mcp
			if i%2 == 0 {
				address = hub.agentProxy.address()
			}
			hub.write(ctx, hub.agent(address), sessions[i%len(sessions)], fmt.Sprint("agent", i))
		})
	}
	for _, x := range w.sites {
		if x.piped {
			add(func(ctx context.Context) { x.write(ctx, ownAgent{x}, "1", x.name) })
		}
		for session := range x.ledgers {
			add(func(ctx context.Context) { x.readAll(ctx, session) })
			add(func(ctx context.Context) { x.events(ctx, session) })
		}
		add(func(ctx context.Context) {
			for sleep(ctx, time.Second) {
				x.readDisk()
			}
		})
	}
	for i := range scaled(8) {
		t := &tab{x: hub, session: sessions[i%len(sessions)], name: fmt.Sprint("tab", i), browser: w.browser}
		w.tabs = append(w.tabs, t)
		add(t.act)
	}
	for i := range scaled(6) {
		add(func(ctx context.Context) { w.ask(ctx, hub, fmt.Sprint("asker", i)) })
	}
	add(func(ctx context.Context) { w.collect(ctx, hub) })
	add(func(ctx context.Context) { w.person(ctx, hub, hub.pages, "person0") })
	add(func(ctx context.Context) { w.person(ctx, hub, hub.pageProxy.address(), "person1") })
	add(hub.save)
	list = append(list, w.shells.actors()...)
	add(func(ctx context.Context) { w.strike(ctx, "connections", w.connectionFaults()) })
	add(func(ctx context.Context) { w.strike(ctx, "processes", w.processFaults()) })
	add(w.watch)
	return list
}

// settle checks what must be true when nothing happens any more, and ends everything.
func (w *world) settle(ctx context.Context) {
	w.shells.settle(ctx, w)
	for _, x := range w.sites {
		for session, l := range x.ledgers {
			if err := x.read(ctx, x.agent(x.mcp), session); err != nil {
				w.s.fatal("%s: the last look: %v", x.name, err)
			}
			l.complete()
		}
		if x == w.sites[0] {
			w.settleTabs(ctx, x)
		}
		x.settle(ctx, w)
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
	for _, t := range w.tabs {
		t.drop()
	}
	w.browser.Close()
	for _, b := range w.shells.bridges {
		b.end()
	}
	servers := []*server{w.shells.server}
	for _, x := range w.sites {
		servers = append(servers, x.server)
	}
	for _, x := range servers {
		if p := x.process.Load(); p != nil {
			p.kill()
		}
	}
	for _, p := range []*proxy{w.sites[0].agentProxy, w.sites[0].pageProxy, w.shells.proxy} {
		if p != nil {
			p.close()
		}
	}
	w.s.leave()
}

// sleep waits, and reports whether the soak goes on.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// await tries f until it returns nil, which it does within the time, and returns its last error.
func await(ctx context.Context, within time.Duration, f func() error) (err error) {
	for begin := time.Now(); ; {
		if err = f(); err == nil || time.Since(begin) > within || !sleep(ctx, 50*time.Millisecond) {
			return err
		}
	}
}
