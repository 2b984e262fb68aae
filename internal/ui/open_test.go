package ui_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/ui"
)

// newEngine starts an engine in an empty directory; setup finishes its sessions.
func newEngine(t *testing.T, timeout time.Duration, setup func(*ui.Bridge) error) *ui.Engine {
	t.Helper()
	return newEngineIn(t, t.TempDir(), timeout, setup)
}

func newEngineIn(t *testing.T, dir string, timeout time.Duration, setup func(*ui.Bridge) error) *ui.Engine {
	t.Helper()
	e := ui.NewEngine(ui.Options{
		Dir: dir, LuaTimeout: timeout, Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
		Setup: func(b *ui.Bridge) error {
			b.Define("mcp", map[string]any{"type": "MCP"})
			return setup(b)
		},
		Announce: func(ui.Announcement) {},
	})
	t.Cleanup(e.Close)
	return e
}

// within fails the test when f takes longer than a test may wait.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatalf("%s does not end", what)
	}
}

// gated is a set-up that waits in sessions named "slow".
func gated() (setup func(*ui.Bridge) error, entered, release chan struct{}) {
	entered, release = make(chan struct{}), make(chan struct{})
	return func(b *ui.Bridge) error {
		if b.ID() == "slow" {
			close(entered)
			<-release
		}
		return nil
	}, entered, release
}

func TestOpenHoldsNobodyUp(t *testing.T) {
	setup, entered, release := gated()
	e := newEngine(t, time.Second, setup)
	type result struct {
		s   *ui.Session
		err error
	}
	results := make(chan result, 2)
	open := func() {
		s, err := e.Open(context.Background(), "slow")
		results <- result{s, err}
	}
	go open()
	<-entered
	go open()
	within(t, "using other sessions while one is set up", func() {
		if _, err := e.Open(t.Context(), "quick"); err != nil {
			t.Error(err)
		}
		if _, err := e.Session("quick"); err != nil {
			t.Error(err)
		}
		if _, err := e.Session("slow"); fault.KindOf(err) != fault.NotFound {
			t.Errorf("a session that is being set up: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := e.Open(ctx, "slow"); !errors.Is(err, context.Canceled) {
			t.Errorf("Open with a cancelled context: %v", err)
		}
	})
	close(release)
	a, b := <-results, <-results
	if a.err != nil || b.err != nil || a.s != b.s || a.s == nil {
		t.Errorf("two openers got %v and %v", a, b)
	}
}

func TestOpenFailedSetUpFreesTheName(t *testing.T) {
	broken := true
	e := newEngine(t, time.Second, func(*ui.Bridge) error {
		if broken {
			return fault.New(fault.Internal, "broken")
		}
		return nil
	})
	if _, err := e.Open(t.Context(), "1"); fault.KindOf(err) != fault.Internal {
		t.Fatalf("Open = %v", err)
	}
	broken = false
	if _, err := e.Open(t.Context(), "1"); err != nil {
		t.Errorf("the name is not free: %v", err)
	}
}

func TestCloseWhileOpening(t *testing.T) {
	setup, entered, release := gated()
	e := newEngine(t, time.Second, setup)
	failed := make(chan error, 1)
	go func() {
		_, err := e.Open(context.Background(), "slow")
		failed <- err
	}()
	<-entered
	closed := make(chan struct{})
	go func() { defer close(closed); e.Close() }()
	for { // until Close has started
		if _, err := e.Open(t.Context(), "other"); fault.KindOf(err) == fault.Gone {
			break
		}
	}
	close(release)
	if err := <-failed; fault.KindOf(err) != fault.Gone {
		t.Errorf("Open = %v", err)
	}
	within(t, "Close", func() { <-closed })
}

// A script must not prevent the server from stopping.
func TestCloseInterruptsScripts(t *testing.T) {
	running := make(chan struct{})
	e := newEngine(t, time.Hour, func(b *ui.Bridge) error {
		b.Define("test", map[string]any{"running": ui.Func(func([]ui.Value) ([]any, error) { close(running); return nil, nil })})
		return nil
	})
	s, err := e.Open(t.Context(), "1")
	if err != nil {
		t.Fatal(err)
	}
	failed := make(chan error, 2)
	run := func(code string) {
		failed <- s.Do(context.Background(), func(tx *ui.Tx) error { _, err := tx.Run(code); return err })
	}
	go run(`setmetatable(mcp, {__index = function() while true do end end})
		test.running() while true do pcall(function() while true do end end) end`)
	<-running
	go run(`while true do end`)
	within(t, "Close", e.Close)
	for range 2 {
		if err := <-failed; err == nil {
			t.Error("an endless loop has ended without an error")
		}
	}
}

func TestUsedUpTxPanics(t *testing.T) {
	w := newWorld(t, nil)
	var kept *ui.Tx
	if err := w.session.Do(t.Context(), func(tx *ui.Tx) error { kept = tx; return nil }); err != nil {
		t.Fatal(err)
	}
	for name, use := range map[string]func(){
		"Run":     func() { _, _ = kept.Run("return 1") },
		"Display": func() { _ = kept.Display("app") },
	} {
		func() {
			defer func() {
				const want = "ui: a Tx was used after its transaction had ended"
				if got := recover(); got != want {
					t.Errorf("%s: %v, want %q", name, got, want)
				}
			}()
			use()
		}()
	}
}

// A path of the project may have characters that patterns of file names have.
func TestAppsWithBracketsInThePath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a [b] *")
	testkit.Write(t, dir, "apps/counter/app.lua", "counter = {}")
	var apps []string
	e := newEngineIn(t, dir, patience, func(b *ui.Bridge) error { apps = b.Apps(); return nil })
	if _, err := e.Open(t.Context(), "1"); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(apps, []string{"counter"}) {
		t.Errorf("apps are %q", apps)
	}
}
