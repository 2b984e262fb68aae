//go:build unix

// Package evals has wishes as people have them, checks of what an agent has made of each, and
// solutions which show that the checks are fair. docs/evals.md says how to try an agent on them.
package evals

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ui-mcp/internal/cli/uimcp"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/signals"
	"ui-mcp/internal/testkit/wait"
)

func TestMain(m *testing.M) {
	testscript.Main(withBrowser{m}, map[string]func(){
		"ui-mcp":       func() { os.Exit(uimcp.Main("0.1.0")) },
		"evals-bridge": bridge,
		"evals-solve":  solve,
	})
}

type withBrowser struct{ m *testing.M }

func (w withBrowser) Run() int {
	signals.Default()
	return browser.Main(w.m)
}

// A result is what became of one wish.
type result struct {
	calls, bytes, held, checks int
	failures                   []string
	took                       time.Duration
}

// try lets an agent work on a wish below a directory, and checks what it has made: everything, or
// until a check fails.
func try(t testing.TB, a agent, w wish, dir string, patience time.Duration, everything bool) (r result) {
	p := &probe{TB: t}
	defer p.close()
	began := time.Now()
	ended := make(chan struct{})
	me := &person{probe: p, patience: patience, working: ended}
	if why := p.attempt(func() { me.browser, me.place = browser.New(p), newWorkplace(p, dir, w) }); why != "" {
		t.Fatal(why)
	}
	hold := func(c check) {
		why := p.attempt(func() {
			for _, s := range c.steps {
				verbs[s.words[0]].do(me, s.words[1:])
			}
		})
		if why != "" {
			r.failures = append(r.failures, c.what+": "+why)
			return
		}
		r.held++
	}
	var err error
	go func() {
		defer close(ended)
		err = a.run(t.Context(), me.place, w)
	}()
	rest := w.checks
	if w.with {
		hold(rest[0])
		rest = rest[1:]
	}
	<-ended
	if err != nil {
		r.failures = append(r.failures, err.Error())
	}
	for _, c := range rest {
		if everything || len(r.failures) == 0 {
			hold(c)
		}
	}
	me.place.mu.Lock()
	defer me.place.mu.Unlock()
	r.checks, r.calls, r.bytes, r.took = len(w.checks), me.place.calls, me.place.bytes, time.Since(began)
	return r
}

// solution is the agent that plays a version of our solution.
func solution(version string) agent {
	return agent{"evals-solve {mcp} {file} " + version, wait.Patience}
}

// holds tries our solutions of wishes. All of their checks must hold.
func holds(t *testing.T, wishes []wish) {
	for _, w := range wishes {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			r := try(t, solution("whole"), w, t.TempDir(), wait.Patience/4, true)
			if want := strings.Count(w.calls, "\n"); r.calls != want || r.bytes < 20*want {
				t.Errorf("%d calls with %d bytes were counted, want %d calls", r.calls, r.bytes, want)
			}
			t.Logf("%d calls, %d bytes, %d of %d checks in %v", r.calls, r.bytes, r.held, r.checks, r.took)
			for _, f := range r.failures {
				t.Error(f)
			}
		})
	}
}

const some = "^(app-counter|term-tests|both-deploy)$" // a wish of each kind

func TestSomeWishes(t *testing.T) {
	t.Parallel()
	holds(t, readWishes(t, some))
}

func TestOtherWishes(t *testing.T) {
	load.Long(t, "TestSomeWishes has a wish of each kind")
	t.Parallel()
	match := regexp.MustCompile(some)
	holds(t, slices.DeleteFunc(readWishes(t, "."), func(w wish) bool { return match.MatchString(w.name) }))
}

// TestChecksAllowOtherControls has an app with Shoelace's buttons, which are in shadow trees:
// checks find what a person finds, however it is built.
func TestChecksAllowOtherControls(t *testing.T) {
	load.Long(t, "TestSomeWishes has the browser's own controls")
	t.Parallel()
	before, solved, _ := strings.Cut(testkit.Read(t, "wishes", "app-counter.txt"), "-- apps/")
	dir := t.TempDir()
	testkit.Write(t, dir, "app-counter.txt", before+"-- apps/"+strings.ReplaceAll(solved, "button", "sl-button"))
	w, err := readWish(filepath.Join(dir, "app-counter.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if r := try(t, solution("whole"), w, dir, wait.Patience/4, true); r.held != r.checks {
		t.Errorf("%d of %d checks hold: %q", r.held, r.checks, r.failures)
	}
}

// TestChecksFail shows that no check holds when the agent has done nothing, and that some check of
// a wish fails for a fault in its file: in a wish of each kind for the first fault, and in make
// load in all wishes for each. Whether the product makes checks hold is for TestOtherWishes.
func TestChecksFail(t *testing.T) {
	load.Long(t, "few changes touch what is checked")
	t.Parallel()
	nothing := func(t *testing.T, w wish) {
		t.Helper()
		if r := try(t, solution("nothing"), w, t.TempDir(), 50*time.Millisecond, true); r.held > 0 || len(r.failures) != r.checks {
			t.Errorf("nothing has been done, and %d of %d checks hold: %q", r.held, r.checks, r.failures)
		}
	}
	all := readWishes(t, ".")
	alike := wish{file: all[0].file} // has the checks of those that begin with an empty project
	for _, w := range all {
		if len(w.faults) == 0 {
			t.Errorf("%s has no faults", w.name)
		}
		if !load.Full() && !regexp.MustCompile(some).MatchString(w.name) {
			continue
		}
		begins := w.with || len(w.given) > 0
		if !begins {
			alike.checks = append(alike.checks, w.checks...)
		}
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			if begins {
				nothing(t, w)
			}
			for i, f := range w.faults[:min(len(w.faults), load.Count(1, 9))] {
				r := try(t, solution(strconv.Itoa(i)), w, t.TempDir(), 500*time.Millisecond, false)
				if r.held == r.checks {
					t.Errorf("with %q instead of %q, all checks hold", f.new, f.old)
				}
				t.Logf("%q: %q", f.new, r.failures)
			}
		})
	}
	t.Run("nothing", func(t *testing.T) {
		t.Parallel()
		nothing(t, alike)
	})
}

// TestAgentIsStopped has an agent that does not end: it is stopped with all that it has started.
func TestAgentIsStopped(t *testing.T) {
	t.Parallel()
	w := readWishes(t, "^app-counter$")[0]
	dir := t.TempDir()
	r := try(t, agent{"printf %s {wish} > said.txt; sleep 1000 & echo $! > pid.txt; wait", time.Second}, w, dir, time.Millisecond, false)
	if len(r.failures) != 1 || !strings.Contains(r.failures[0], "stopped after 1s") {
		t.Errorf("the failures: %q", r.failures)
	}
	if got := testkit.Read(t, dir, "project/said.txt"); got != w.text {
		t.Errorf("the agent has got the wish %q", got)
	}
	pid := strings.TrimSpace(testkit.Read(t, dir, "project/pid.txt"))
	wait.Until(t, "the agent's child has ended", func() bool {
		state, err := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
		return err != nil || strings.HasPrefix(string(state), "Z")
	})
}

// TestAgentConnectsTwice has a client that starts the server once to look at it and once to work.
func TestAgentConnectsTwice(t *testing.T) {
	t.Parallel()
	w := readWishes(t, "^app-counter$")[0]
	a := agent{"evals-solve {mcp} {file} nothing && evals-solve {mcp} {file} whole", wait.Patience}
	if r := try(t, a, w, t.TempDir(), wait.Patience/4, true); r.held != r.checks || r.calls != 3 {
		t.Errorf("%d calls, %d of %d checks: %q", r.calls, r.held, r.checks, r.failures)
	}
}

// TestWorkplaceIsPrivate looks at who can connect to the servers of an agent.
func TestWorkplaceIsPrivate(t *testing.T) {
	t.Parallel()
	p := &probe{TB: t}
	defer p.close()
	d := newWorkplace(p, t.TempDir(), readWishes(t, "^app-counter$")[0])
	address := d.listener.Addr()
	info, err := os.Stat(filepath.Dir(address.String()))
	if err != nil || address.Network() != "unix" || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others can connect to %s %s: %v, %v", address.Network(), address, info, err)
	}
}

func TestNear(t *testing.T) {
	far := strings.Repeat("x ", 100)
	for text, want := range map[string]bool{
		"1.50 for Soup": true, "soup,\t1.50": true, "Soup 11.50": false, "Soups 1.50": false, "Soup 1.507": false,
		"Soup " + far + "1.50": false, "Soup " + far + "Soup 1.50": true, "Ü Soup … 1.50 €": true, "ÜSoup 1.50": false, "1.50": false, "": false,
	} {
		if got := near(text, []string{"Soup", "1.50"}); got != want {
			t.Errorf("near(%q) = %v", text, got)
		}
	}
}

// TestAgent is behind make eval: it tries the agent of $AGENT, or else our solutions, on the wishes
// that match $WISHES, and prints a table. $LIMIT bounds the time for each, and what each has left
// is kept below $KEEP. Checks that do not hold do not fail the test.
func TestAgent(t *testing.T) {
	if os.Getenv("UI_MCP_EVAL") == "" {
		t.Skip("make eval runs it")
	}
	a := solution("whole")
	if command := os.Getenv("AGENT"); command != "" {
		a.command = command
	}
	a.limit = 15 * time.Minute
	if text := os.Getenv("LIMIT"); text != "" {
		limit, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal("LIMIT: ", err)
		}
		a.limit = limit
	}
	keep := os.Getenv("KEEP")
	if keep == "" {
		keep = t.TempDir()
	}
	if err := os.MkdirAll(keep, 0o755); err != nil {
		t.Fatal(err)
	}
	var all result
	line := func(name string, r result) {
		fmt.Printf("%-18s %6d %8d %7s %8s\n", name, r.calls, r.bytes, fmt.Sprintf("%d/%d", r.held, r.checks), r.took.Round(100*time.Millisecond))
	}
	fmt.Printf("%-18s %6s %8s %7s %8s\n", "wish", "calls", "bytes", "checks", "time")
	for _, w := range readWishes(t, os.Getenv("WISHES")) {
		dir := filepath.Join(keep, w.name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err) // what an earlier agent has left would be in the way
		}
		r := try(t, a, w, dir, 5*time.Second, true)
		line(w.name, r)
		for _, f := range r.failures {
			fmt.Printf("    %.300s\n", strings.ReplaceAll(f, "\n", " "))
		}
		all.calls, all.bytes, all.took = all.calls+r.calls, all.bytes+r.bytes, all.took+r.took
		all.held, all.checks = all.held+r.held, all.checks+r.checks
	}
	line("all", all)
	if a.command == solution("whole").command && all.held != all.checks {
		t.Error("our own solutions fail")
	}
}
