//go:build unix

package uimcp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/ws"
)

// asCommand makes this test the command ui-mcp, of a version.
const asCommand = "UI_MCP_CLI_TEST_COMMAND"

func TestMain(m *testing.M) {
	if version := os.Getenv(asCommand); version != "" {
		os.Exit(Main(version))
	}
	os.Exit(m.Run())
}

// A shared is a project, and the environment of its programs.
type shared struct {
	t    *testing.T
	dir  string
	vars environ.Variables
	run  string // the runtime folder
	errs io.Writer
}

// empty waits until no server is left, nor what it has made there.
func (w *shared) empty() {
	w.t.Helper()
	wait.Until(w.t, "nothing is left in the runtime folder", func() bool {
		left, _ := filepath.Glob(filepath.Join(w.run, "wsh", "*"))
		return len(left) == 0
	})
}

func newShared(t *testing.T) *shared {
	t.Helper()
	run, err := os.MkdirTemp("", "p") // short enough for sockets
	if err != nil {
		t.Fatal(err)
	}
	w := &shared{t: t, dir: filepath.Join(t.TempDir(), ".claude", "ui")}
	w.vars = environ.Variables(os.Environ()).With("XDG_RUNTIME_DIR", run).With("HOME", run).With(asCommand, "0.1.0").With("DISPLAY", "").With("BROWSER", "")
	w.run, w.errs = run, t.Output()
	t.Cleanup(func() { os.RemoveAll(run) })
	return w
}

// An agent is a client of MCP with a process of its own.
type agent struct {
	w   *shared
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	n   int
}

// join starts "ui-mcp mcp".
func (w *shared) join(flags ...string) *agent {
	w.t.Helper()
	a := &agent{w: w, cmd: exec.Command(os.Args[0], append([]string{"mcp", "--dir", w.dir, "--linger", "1m"}, flags...)...)}
	a.cmd.Env = w.vars
	a.cmd.Stderr = w.errs
	var err error
	if a.in, err = a.cmd.StdinPipe(); err != nil {
		w.t.Fatal(err)
	}
	out, err := a.cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	a.out = bufio.NewReader(out)
	if err := a.cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(a.kill)
	return a
}

func (a *agent) kill() {
	_ = a.cmd.Process.Kill() // it may have ended
	_ = a.cmd.Wait()
}

// leave closes the input, as clients do, and waits for the end of the process.
func (a *agent) leave() { a.startLeaving()() }

// startLeaving is leave without waiting.
func (a *agent) startLeaving() (wait func()) {
	_ = a.in.Close()
	left := make(chan error, 1)
	go func() { left <- a.cmd.Wait() }()
	return func() {
		a.w.t.Helper()
		if err := <-left; err != nil {
			a.w.t.Errorf("an agent left: %v", err)
		}
	}
}

// call calls a tool. Its texts are the result, and what the server says beside it.
func (a *agent) call(tool string, args map[string]any) (texts []string, isError bool) {
	a.w.t.Helper()
	a.n++
	data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": a.n, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args,
		"_meta": map[string]any{"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": map[string]any{}}}})
	if err == nil {
		_, err = a.in.Write(append(data, '\n'))
	}
	if err != nil {
		a.w.t.Fatal(err)
	}
	for {
		line, err := a.out.ReadString('\n')
		if err != nil {
			a.w.t.Fatalf("%s: %v", tool, err)
		}
		var m struct {
			ID     int
			Result struct {
				Content []struct{ Text string }
				IsError bool
			}
			Error *struct{ Message string }
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			a.w.t.Fatal(err)
		}
		switch {
		case m.ID != a.n:
			continue
		case m.Error != nil:
			return []string{m.Error.Message}, true
		}
		for _, c := range m.Result.Content {
			texts = append(texts, c.Text)
		}
		return texts, m.Result.IsError
	}
}

// ok calls a tool that must succeed.
func (a *agent) ok(tool string, args map[string]any) (result, said string) {
	a.w.t.Helper()
	texts, isError := a.call(tool, args)
	if isError {
		a.w.t.Fatalf("%s: %q", tool, texts)
	}
	return texts[0], strings.Join(texts[1:], "\n")
}

// server returns the process of the server.
func (w *shared) server() *os.Process {
	w.t.Helper()
	for _, s := range discovery.Look(w.vars) {
		if p, err := os.FindProcess(s.PID); err == nil {
			return p
		}
	}
	w.t.Fatal("no server runs")
	return nil
}

// A watcher is a page, as far as its server can tell.
type watcher struct {
	mu     sync.Mutex // guards the fields below
	last   string     // all that came since the snapshot
	notice string     // the last one
	up     bool

	close func() // leaves
}

// watch keeps a page open until the test ends.
func (w *shared) watch() *watcher {
	v := &watcher{}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	v.close = sync.OnceFunc(func() { cancel(); <-done })
	w.t.Cleanup(v.close)
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			v.follow(ctx, w.dir)
			select {
			case <-ctx.Done():
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return v
}

func (v *watcher) follow(ctx context.Context, dir string) {
	port := discovery.ReadPort(filepath.Join(dir, discovery.PagesPortFile))
	if port == 0 {
		return
	}
	c, res, err := ws.Dial(ctx, fmt.Sprintf("ws://127.0.0.1:%d/ws/1", port), http.DefaultTransport, 1<<20)
	if err != nil {
		if res != nil {
			res.Body.Close()
		}
		return
	}
	defer c.Close()
	defer func() { v.mu.Lock(); v.up = false; v.mu.Unlock() }()
	for {
		m, err := c.Read(ctx)
		if err != nil {
			return
		}
		v.mu.Lock()
		if v.up = true; strings.Contains(string(m.Data), `"snapshot"`) {
			v.last = ""
		}
		v.last += string(m.Data) + "\n"
		if strings.Contains(string(m.Data), `"type":"notice"`) {
			v.notice = string(m.Data)
		}
		v.mu.Unlock()
	}
}

// notices reports whether the page displays a text of the server.
func (v *watcher) notices(text string) func() bool {
	return func() bool {
		v.mu.Lock()
		defer v.mu.Unlock()
		return v.up && strings.Contains(v.notice, text)
	}
}

func (v *watcher) shows(text string) func() bool {
	return func() bool {
		v.mu.Lock()
		defer v.mu.Unlock()
		return v.up && strings.Contains(v.last, text)
	}
}

// count is an app that keeps a number.
func (w *shared) count() {
	testkit.Write(w.t, w.dir, "apps/count/app.lua", `
Count = session:prototype("Count", { n = 0 })
function Count:text() return "n is " .. self.n .. "." end
if not session.reloading then count = Count:new() end
mcp:keep("count", count)`)
	testkit.Write(w.t, w.dir, "apps/count/viewdefs/Count.DEFAULT.html", `<template><p ui-value="text()"></p></template>`)
}

// Two agents and a page share one app, however the agents join and leave, and however the server
// ends: callers go on where the others were, and the page displays it.
func TestSharedApp(t *testing.T) {
	w := newShared(t)
	w.join().leave() // installs
	w.count()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	agents := [2]*agent{w.join(), nil}
	agents[0].ok("ui_start", nil)
	agents[0].ok("ui_display", map[string]any{"name": "count"})
	page := w.watch()
	wait.Until(t, "the page displays the app", page.shows("n is 0."))
	killed := [2]bool{}
	for n := 1; n <= 100; n++ {
		i := random.IntN(2)
		switch what := random.IntN(10); {
		case agents[i] == nil:
			agents[i], killed[i] = w.join(), false
		case what < 4:
			defer agents[i].startLeaving()()
			agents[i] = nil
		case what < 7:
			agents[i].kill()
			agents[i] = nil
		case what == 7 && n > 1:
			wait.Until(t, "the number is kept", func() bool {
				kept, _ := os.ReadFile(filepath.Join(w.dir, "data", "count.json"))
				return strings.Contains(string(kept), fmt.Sprintf(`"n": %d`, n-1))
			})
			if err := w.server().Signal([]os.Signal{syscall.SIGKILL, syscall.SIGTERM}[random.IntN(2)]); err != nil {
				t.Fatal(err)
			}
			wait.Until(t, "the server has gone", func() bool { return len(discovery.Look(w.vars)) == 0 })
			killed = [2]bool{agents[0] != nil, agents[1] != nil}
		}
		if agents[i] == nil && agents[1-i] == nil {
			agents[i], killed[i] = w.join(), false
		}
		if agents[i] == nil {
			i = 1 - i
		}
		result, said := agents[i].ok("ui_run", map[string]any{"code": "count.n = count.n + 1; return count.n"})
		if result != fmt.Sprint(n) {
			t.Fatalf("the number is %s, want %d (said %q)", result, n, said)
		}
		if killed[i] != strings.Contains(said, "had ended") {
			t.Errorf("after step %d the agent gets %q", n, said)
		}
		killed[i] = false
		wait.Until(t, "the page displays the number", page.shows(fmt.Sprintf("n is %d.", n)))
	}
	for _, a := range agents {
		if a != nil {
			a.leave()
		}
	}
	wait.Until(t, "the page says that no agent is there", page.notices("No agent is connected"))
	next := w.join()
	if _, said := next.ok("ui_status", nil); !strings.Contains(said, "has run on without an agent") {
		t.Errorf("the next agent gets %q", said)
	}
	wait.Until(t, "the page no longer says it", page.notices(`"text":""`))
	next.leave()
	page.close()
	w.empty()
}

// A client that was told to stop ends after the server that it had alone, whose ports are closed
// then.
func TestStoppedClient(t *testing.T) {
	const patience = 2 * time.Second // of the client, for a slow server
	w := newShared(t)
	a := w.join()
	url, _ := a.ok("ui_start", nil)
	began := time.Now()
	if err := a.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	a.leave()
	conn, err := net.Dial("tcp", "127.0.0.1:"+portIn(t, url))
	if err == nil {
		conn.Close()
	}
	if err == nil && time.Since(began) < patience {
		t.Error("the server still serves its page")
	}
	w.empty()
}

// A client need not read what its server logs.
func TestUnreadLog(t *testing.T) {
	const lines = 1000 // more than a pipe holds
	for name, flags := range map[string][]string{"shared": nil, "own": {"--own"}} {
		w := newShared(t)
		unread, errs, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		w.errs = errs
		a := w.join(flags...)
		for range lines {
			if _, err := io.WriteString(a.in, "nonsense\n"); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		a.ok("ui_status", nil)
		a.leave()
		unread.Close()
		errs.Close()
		w.empty()
	}
}

// What is a client's own stays its own: toolsets, flags without effect, and where it has moved to.
// All learn when one resets the app.
func TestSharedServerOfDifferentClients(t *testing.T) {
	w := newShared(t)
	one := w.join("--no-exec")
	one.ok("ui_start", nil)
	two := w.join("--toolsets", "popup,terminal", "--no-http", "--no-exec")
	if texts, isError := two.call("ui_status", nil); !isError {
		t.Errorf("a client without the toolset calls ui_status: %q", texts)
	}
	three := w.join("--no-http")
	if got, _ := three.ok("ui_status", nil); !strings.Contains(got, `"agents":3`) || !strings.Contains(got, `"ignored_flags":["--no-http"]`) {
		t.Errorf("ui_status: %s", got)
	}
	if texts, isError := three.call("ui_start", nil); !isError || !strings.HasPrefix(texts[0], "Server already running\nit is at http://127.0.0.1:") {
		t.Errorf("ui_start of another client: %q", texts)
	}
	here, err := filepath.EvalSymlinks(w.dir) // another name of the same folder
	if err != nil {
		t.Fatal(err)
	}
	three.ok("ui_configure", map[string]any{"base_dir": here})
	if got, said := one.ok("ui_status", nil); !strings.Contains(got, `"configured"`) || !strings.Contains(said, "Another agent of this project has called ui_configure") {
		t.Errorf("after a reset: %s, said %q", got, said)
	}
	other := filepath.Join(t.TempDir(), ".claude", "ui")
	if got, _ := three.ok("ui_configure", map[string]any{"base_dir": other}); !strings.Contains(got, `"installed":[`) {
		t.Errorf("ui_configure: %s", got)
	}
	for a, want := range map[*agent]string{one: w.dir, three: other} {
		if got, said := a.ok("ui_status", nil); !strings.Contains(got, `"base_dir":"`+want+`"`) || said != "" {
			t.Errorf("ui_status: %s, said %q; want %s", got, said, want)
		}
	}
	if texts, isError := one.call("ui_configure", map[string]any{"base_dir": filepath.Join(w.dir, "README.md", "ui")}); !isError {
		t.Errorf("a folder that cannot be used: %q", texts)
	}
	for _, a := range []*agent{one, two, three} {
		a.leave()
	}
	w.empty()
}

// A newer version replaces a server that no agent uses; the app goes on, and the page connects
// again. A server that an agent uses is joined.
func TestOlderServer(t *testing.T) {
	w := newShared(t)
	old := w.join()
	w.count()
	old.ok("ui_start", nil)
	old.ok("ui_display", map[string]any{"name": "count"})
	page := w.watch()
	wait.Until(t, "the page displays the app", page.shows("n is 0."))
	before := w.server().Pid
	w.vars = w.vars.With(asCommand, "0.2.0")
	next := w.join()
	if next.ok("ui_status", nil); w.server().Pid != before {
		t.Error("a server in use was replaced")
	}
	next.leave()
	old.leave()
	next = w.join()
	if got, _ := next.ok("ui_status", nil); !strings.Contains(got, `"running"`) || w.server().Pid == before {
		t.Errorf("an idle server was not replaced: %s", got)
	}
	wait.Until(t, "the page connects again", page.shows("n is 0."))
	page.close()
	next.leave()
	w.empty()
}

// A server ends with its last client, which waits for that, and stays for what still uses it. Pages
// may be loaded again while no client is there, and come back to a server that was started again.
func TestStay(t *testing.T) {
	type span struct{ from, to time.Duration }
	const m, ever = time.Minute, 100 * time.Hour
	for name, c := range map[string]struct {
		resumed bool
		clients []span // when they are there
		uses    []span // when pages are open
		want    time.Duration
		alone   int // how often the app goes on without clients
	}{
		"never joined":                       {want: firstTime},
		"nothing else":                       {clients: []span{{0, m}}, want: m},
		"the second client":                  {clients: []span{{0, m}, {m / 2, 2 * m}}, want: 2 * m},
		"a page that was closed before":      {clients: []span{{0, m}}, uses: []span{{0, m - 1}}, want: m},
		"a page that closes with it":         {clients: []span{{0, m}}, uses: []span{{0, m + settleTime - 1}}, want: m + settleTime - 1},
		"a page":                             {clients: []span{{0, m}}, uses: []span{{0, 10 * m}}, want: 10*m + reloadTime, alone: 1},
		"a page that is loaded again":        {clients: []span{{0, m}}, uses: []span{{0, 5 * m}, {5*m + reloadTime - 1, 10 * m}}, want: 10*m + reloadTime, alone: 1},
		"a page that is left open":           {clients: []span{{0, m}}, uses: []span{{0, ever}}, want: m + defaultLinger, alone: 1},
		"another client":                     {clients: []span{{0, m}, {5 * m, 6 * m}}, uses: []span{{0, ever}}, want: 6*m + defaultLinger, alone: 2},
		"another client at once":             {clients: []span{{0, m}, {m + settleTime/2, 2 * m}}, uses: []span{{0, ever}}, want: 2*m + defaultLinger, alone: 1},
		"started again, without a page":      {resumed: true, clients: []span{{0, 1}}, want: returnTime},
		"started again, a page comes back":   {resumed: true, clients: []span{{0, 1}}, uses: []span{{returnTime - 1, m}}, want: m + reloadTime, alone: 1},
		"started again, and used for longer": {resumed: true, clients: []span{{0, m}}, want: m},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			alone := 0
			s := newStay(stayOptions{linger: defaultLinger, announce: func(is bool, _ time.Time) {
				if is {
					alone++
				}
			}})
			for _, client := range c.clients {
				go func() {
					time.Sleep(client.from)
					if _, ok := s.enter(true); !ok {
						t.Errorf("%s: a client is refused after %v", name, client.from)
					}
					if c.resumed {
						s.expect()
					}
					time.Sleep(client.to - client.from)
					if ends := s.leave(true); ends != (time.Since(began) == c.want) {
						t.Errorf("%s: a client has left after %v, and the server ends: %v", name, time.Since(began), ends)
					}
				}()
			}
			for _, page := range c.uses {
				time.AfterFunc(page.from, func() { s.use(1) })
				time.AfterFunc(page.to, func() { s.use(-1) })
			}
			s.wait(t.Context())
			if took := time.Since(began); took != c.want || alone != c.alone {
				t.Errorf("%s: ended after %v, want %v; alone %d times, want %d", name, took, c.want, alone, c.alone)
			}
			if _, ok := s.enter(true); ok {
				t.Errorf("%s: a client enters a server that ends", name)
			}
			time.Sleep(ever) // the pages are closed
		})
	}
}

// A client gets terminals that the first one has not asked for: its tools, the scripts of the app
// that runs already, and the pages have them from then on. Of two that bring them at once, the
// flags of one hold, and the other is told.
func TestLaterToolset(t *testing.T) {
	w := newShared(t)
	one := w.join()
	started, _ := one.ok("ui_start", nil)
	page := regexp.MustCompile(`http://[^"\s]*:\d+`).FindString(started)
	const there = `return tostring(terminal.available) .. (terminal.problem or "")`
	if got, _ := one.ok("ui_run", map[string]any{"code": there}); !strings.Contains(got, "false") || !strings.Contains(got, "--toolsets ui,popup,terminal") {
		t.Errorf("terminals in the app before: %s", got)
	}
	hasPage := func() bool {
		res, err := http.Get(page + "/terminals/")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		return err == nil && strings.Contains(string(body), "<title>Terminals</title>")
	}
	if hasPage() {
		t.Error("there is a page of terminals before")
	}
	two := w.join("--toolsets", "ui,terminal", "--confirm", "sudo\nsu")
	three := w.join("--toolsets", "ui,terminal", "--confirm", "rm -r")
	ignored := 0
	for _, a := range []*agent{two, three} {
		a.ok("wsh_list_sessions", nil)
		if got, _ := a.ok("ui_status", nil); strings.Contains(got, `"ignored_flags":["--confirm=`) {
			ignored++
		} else if strings.Contains(got, "ignored_flags") {
			t.Errorf("ui_status: %s", got)
		}
	}
	if ignored != 1 {
		t.Errorf("%d of two clients are told that their --confirm has no effect", ignored)
	}
	two.ok("wsh_create_session", map[string]any{"name": "build"})
	if got, _ := three.ok("wsh_list_sessions", nil); !strings.Contains(got, "build") {
		t.Errorf("another client's sessions: %s", got)
	}
	if got, _ := one.ok("ui_run", map[string]any{"code": `return tostring(terminal.available) .. terminal.list()[1].name`}); got != `"truebuild"` {
		t.Errorf("terminals in the app after: %s", got)
	}
	if !hasPage() {
		t.Error("there is no page of terminals after")
	}
	if texts, isError := one.call("wsh_list_sessions", nil); !isError {
		t.Errorf("a client without the toolset: %q", texts)
	}
	if err := w.server().Kill(); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "the server has gone", func() bool { return len(discovery.Look(w.vars)) == 0 })
	one.ok("ui_status", nil) // which starts one without terminals
	two.ok("wsh_list_sessions", nil)
	for _, a := range []*agent{one, two, three} {
		a.leave()
	}
	w.empty()
}

// A client whose flags cannot be read brings no terminals, and is told: without its --confirm, no
// person would be asked.
func TestTerminalsNeedTheirFlags(t *testing.T) {
	p, _, _ := newRunning(t)
	j := &project{program: p}
	f, ignored, withheld := j.faceOf([]toolset{uiTools, terminalTools}, []string{"--confirm=sudo", "--of-a-newer-version"})
	if p.shells.Load() != nil || f.has([]toolset{uiTools, terminalTools}) || withheld == nil || !strings.Contains(withheld.Error(), "--of-a-newer-version") {
		t.Errorf("with a flag that is not known: ignored are %q, withheld is %v", ignored, withheld)
	}
	if len(j.flags) != 0 || !slices.Contains(ignored, "--toolsets=terminal") || !slices.Contains(ignored, "--confirm=sudo") {
		t.Errorf("flags %q hold, ignored are %q", j.flags, ignored)
	}
	_, ignored, withheld = j.faceOf([]toolset{terminalTools}, []string{"--confirm=sudo\nsu"})
	if s := p.shells.Load(); s == nil || s.confirm == nil || s.confirm.String() != "sudo\nsu" || len(ignored) > 0 || withheld != nil {
		t.Errorf("with a pattern of two lines: %v, ignored are %q, withheld is %v", s, ignored, withheld)
	}
}

// The files of answers have absolute paths, as agents get them.
func TestAnswersHaveAbsolutePaths(t *testing.T) {
	t.Chdir(t.TempDir())
	opts, err := brokerOptions(appConfig{Dir: filepath.Join(".claude", "ui"), Log: quiet})
	if err != nil || !filepath.IsAbs(opts.Files) {
		t.Errorf("files are in %q, %v", opts.Files, err)
	}
}
