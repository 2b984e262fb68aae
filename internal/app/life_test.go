package app_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ui-mcp/internal/app"
	"ui-mcp/internal/fault"
)

// wantState checks what ui_status tells.
func (h *harness) wantState(state, dir string) {
	h.t.Helper()
	if st := h.Status(h.t.Context()); st.State != state || st.BaseDir != dir {
		h.t.Errorf("status %s in %q, want %s in %q", st.State, st.BaseDir, state, dir)
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func TestLife(t *testing.T) {
	h := newHarness(t, nil)
	h.wantState("configured", h.dir)
	if _, err := h.Run(t.Context(), "1", "return 1"); fault.KindOf(err) != fault.Precondition || !strings.HasPrefix(err.Error(), "Server not started") {
		t.Errorf("Run before Start: %v", err)
	}
	url, err := h.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h.wantState("running", h.dir)
	if _, err := h.Start(t.Context()); fault.KindOf(err) != fault.Precondition || !strings.HasPrefix(err.Error(), "Server already running") || !strings.Contains(err.Error(), url) {
		t.Errorf("Start twice: %v", err)
	}
	for _, name := range []string{"ui-port", "mcp-port"} {
		if !exists(filepath.Join(h.dir, name)) {
			t.Errorf("there is no %s", name)
		}
	}
	h.Close()
	h.wantState("configured", h.dir)
	for _, name := range []string{"ui-port", "mcp-port"} {
		if exists(filepath.Join(h.dir, name)) {
			t.Errorf("%s is left", name)
		}
	}
}

// Everything of the old directory ends, and waiting callers get an error.
func TestConfigureMoves(t *testing.T) {
	h := started(t, nil)
	h.run(`x = 1; print("old")`)
	old := h.Status(t.Context()).URL
	waited := make(chan error, 1)
	go func() {
		waited <- h.Wait(t.Context(), "1", patience, lost)
	}()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for h.run("return mcp:pollingEvents()") != "true" {
		<-tick.C // the goroutine has to come so far
	}
	dir := filepath.Join(t.TempDir(), "elsewhere")
	c, err := h.Configure(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if c.BaseDir != dir || c.Log != filepath.Join(dir, "log", "lua.log") || c.InstallNeeded || len(c.Installed) == 0 {
		t.Errorf("configured %+v", c)
	}
	if err := <-waited; fault.KindOf(err) != fault.Gone {
		t.Errorf("Wait ended with %v", err)
	}
	h.wantState("configured", dir)
	if conn, err := net.Dial("tcp", strings.TrimPrefix(old, "http://")); err == nil {
		conn.Close()
		t.Errorf("somebody still listens at %s", old)
	}
	if exists(filepath.Join(h.dir, "ui-port")) {
		t.Error("the old port file is left")
	}
	if _, err := h.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !exists(filepath.Join(dir, "ui-port")) {
		t.Error("there is no new port file")
	}
	h.want(`print("new") return x == nil`, "true")
	for file, want := range map[string]string{filepath.Join(h.dir, "log", "lua.log"): "old\n", c.Log: "new\n"} {
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s has %q, %v", file, got, err)
		}
	}
	// Files of the new directory are watched, those of the old one are not.
	h.dir = dir
	h.write("apps/a/viewdefs/A.DEFAULT.html", `<template><p></p></template>`)
	h.write("apps/a/app.lua", `A = session:prototype("A", {}) if not session.reloading then a = A:new() end`)
	if _, err := h.Display(t.Context(), "1", "a"); err != nil {
		t.Error(err)
	}
}

// A directory that cannot be used changes nothing.
func TestConfigureRefuses(t *testing.T) {
	h := started(t, nil)
	h.run("x = 1")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dir  string
		kind fault.Kind
		text string
	}{
		{"", fault.Invalid, "absolute"},
		{".claude/ui", fault.Invalid, "did you mean"},
		{file, fault.Precondition, file},
		{filepath.Join(file, "below"), fault.Precondition, file},
		{"/proc/none/.claude/ui", fault.Precondition, "/proc/none"},
	} {
		if _, err := h.Configure(t.Context(), c.dir); fault.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.text) {
			t.Errorf("Configure(%q) = %v", c.dir, err)
		}
	}
	h.wantState("running", h.dir)
	h.want("return x", "1")
}

// Configuring while everything is in use, several times at once, leaves an app that is in one of
// the directories, and works. Operations fail, if at all, because the server is not started or a
// session has ended.
func TestConfigureUnderLoad(t *testing.T) {
	h := started(t, nil)
	dirs := []string{h.dir, filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")}
	stop := make(chan struct{})
	var load, movers sync.WaitGroup
	for _, work := range []func() error{
		func() error { _, err := h.Run(t.Context(), "1", "n = (n or 0) + 1 mcp.pushState({n = n})"); return err },
		func() error { _, err := h.Run(t.Context(), "other", "return 1"); return err },
		func() error { return h.Wait(t.Context(), "1", time.Second, lost) },
		func() error { _, err := h.State(t.Context(), "1"); return err },
		func() error { _, _, err := h.Variables(t.Context(), "1", ""); return err },
		func() error { _, err := h.Start(t.Context()); return err },
	} {
		load.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				switch err := work(); fault.KindOf(err) {
				case fault.Internal:
					if err != nil {
						t.Errorf("under load: %v", err)
						return
					}
				case fault.Precondition, fault.Gone, fault.NotFound: // not started, ended, not there yet
				default:
					t.Errorf("under load: %v", err)
					return
				}
			}
		})
	}
	for m := range 2 {
		movers.Go(func() {
			for i := range 10 {
				if _, err := h.Configure(t.Context(), dirs[(i+m)%len(dirs)]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	movers.Wait()
	close(stop)
	load.Wait()
	if _, err := h.Configure(t.Context(), dirs[1]); err != nil {
		t.Fatal(err)
	}
	h.wantState("configured", dirs[1])
	for _, dir := range dirs {
		if exists(filepath.Join(dir, "ui-port")) || exists(filepath.Join(dir, "mcp-port")) {
			t.Errorf("a port file is left in %s", dir)
		}
	}
	if _, err := h.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.want("return 1", "1")
}

// A request that comes over a listener which ends with it is answered.
func TestConfigureFromWithin(t *testing.T) {
	inside, answered := make(chan *app.App, 1), make(chan error, 1)
	dir := t.TempDir()
	h := started(t, func(o *app.Options) {
		o.ServeAgent = func(a *app.App, l net.Listener) (func(context.Context) error, error) {
			inside <- a
			ctx, cancel := context.WithCancelCause(context.Background())
			done := make(chan struct{})
			go func() { // a call that is being served, which closing cancels and waits for
				defer close(done)
				<-ctx.Done()
			}()
			serving := make(chan struct{})
			go func() {
				defer close(serving)
				a := <-inside
				_, err := a.Configure(ctx, dir)
				answered <- err
			}()
			return func(context.Context) error {
				cancel(errors.New("the server is stopping"))
				<-serving
				<-done
				return l.Close()
			}, nil
		}
	})
	if err := <-answered; err != nil {
		t.Fatal(err)
	}
	h.wantState("configured", dir)
}

func TestUnconfigured(t *testing.T) {
	h := newHarness(t, func(o *app.Options) { o.Unconfigured = true })
	h.wantState("unconfigured", "")
	if exists(h.dir) {
		t.Error("the base directory was touched")
	}
	for name, f := range map[string]func() error{
		"start": func() error { _, err := h.Start(t.Context()); return err },
		"run":   func() error { _, err := h.Run(t.Context(), "1", ""); return err },
		"state": func() error { _, err := h.State(t.Context(), "1"); return err },
	} {
		if err := f(); fault.KindOf(err) != fault.Precondition || !strings.HasPrefix(err.Error(), "Server not configured") {
			t.Errorf("%s: %v", name, err)
		}
	}
	c, err := h.Configure(t.Context(), h.dir)
	if err != nil {
		t.Fatal(err)
	}
	if !c.InstallNeeded || !strings.Contains(c.Hint, "ui_install") || c.Installed != nil {
		t.Errorf("configured %+v", c)
	}
	// CLAUDE.md is written by default here, and not when the agent does not want it.
	no := false
	for _, tt := range []struct {
		claudeMD *bool
		want     []string
	}{{&no, []string{}}, {nil, []string{"CLAUDE.md"}}} {
		if r, err := h.Install(false, tt.claudeMD); err != nil || !slices.Equal(r.Appended, tt.want) {
			t.Errorf("installed %+v, %v; want %q appended", r, err, tt.want)
		}
	}
	h.wantState("configured", h.dir)
	if _, err := h.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.want("return 1", "1")
}

// Without an agent on standard input, the agent's port stays open.
func TestKeepAgent(t *testing.T) {
	var opened, closed int
	h := newHarness(t, func(o *app.Options) {
		o.KeepAgent = true
		o.ServeAgent = func(_ *app.App, l net.Listener) (func(context.Context) error, error) {
			opened++
			return func(context.Context) error { closed++; return l.Close() }, nil
		}
	})
	for i := range 3 {
		if _, err := h.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Configure(t.Context(), filepath.Join(t.TempDir(), fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	if opened != 1 || closed != 0 {
		t.Errorf("the port was opened %d times and closed %d times", opened, closed)
	}
	h.Close()
	if closed != 1 {
		t.Errorf("the port was closed %d times", closed)
	}
}

// A start that fails leaves nothing behind.
func TestStartFails(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, err := net.SplitHostPort(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*app.Options){
		"a port is in use":          func(o *app.Options) { _, _ = fmt.Sscan(port, &o.UIPort) },
		"the other port is in use":  func(o *app.Options) { _, _ = fmt.Sscan(port, &o.MCPPort) },
		"the pages are not served":  func(o *app.Options) { o.ServePages = broken },
		"the agents are not served": func(o *app.Options) { o.ServeAgent = broken },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, change)
			if _, err := h.Start(t.Context()); err == nil {
				t.Fatal("started")
			}
			h.wantState("configured", h.dir)
			if exists(filepath.Join(h.dir, "ui-port")) || exists(filepath.Join(h.dir, "mcp-port")) {
				t.Error("a port file is left")
			}
		})
	}
}

func broken(_ *app.App, l net.Listener) (func(context.Context) error, error) {
	return nil, errors.Join(errors.New("no"), l.Close())
}
