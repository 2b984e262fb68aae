package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"go.uber.org/goleak"

	"ui-mcp/internal/app"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/install"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// source is a bundle with nothing but a shell.
var source = install.Source{
	Files: fstest.MapFS{
		"base/viewdefs/MCP.DEFAULT.html": {Data: []byte(`<template><main ui-view="value"></main></template>`)},
		"claude.md":                      {Data: []byte("# UI\n")},
	},
	Client: fstest.MapFS{"main.js": {Data: []byte("0")}},
	Readme: "**Version: 1.2.3**\n",
}

// patience is how long a test waits for what must come.
const patience = 2 * time.Minute

// A harness is an app whose listeners accept no connections.
type harness struct {
	t   *testing.T
	dir string
	*app.App
}

func newHarness(t *testing.T, change func(*app.Options)) *harness {
	t.Helper()
	h := &harness{t: t, dir: filepath.Join(t.TempDir(), ".claude", "ui")}
	opts := app.Options{
		Dir: h.dir, Source: source, LuaTimeout: patience,
		Log:        slog.New(slog.NewTextHandler(t.Output(), nil)),
		ServePages: closed, ServeAgent: closed,
		OpenURL: func(string) error { return os.ErrNotExist },
	}
	if change != nil {
		change(&opts)
	}
	var err error
	if h.App, err = app.New(opts); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// closed serves nothing.
func closed(_ *app.App, l net.Listener) (func(context.Context) error, error) {
	return func(context.Context) error { return l.Close() }, nil
}

func newRegistry(t *testing.T) *discovery.Registry {
	t.Helper()
	r, err := discovery.OpenIn(filepath.Join(t.TempDir(), "servers"), slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// newClaim is of one of several servers of this process; higher numbers are younger.
func newClaim(t *testing.T, r *discovery.Registry, number int) *discovery.Claim {
	t.Helper()
	c, err := r.ClaimProgram()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Release(); err != nil {
			t.Error(err)
		}
	})
	c.Announce(func(s *discovery.Server) { s.PID, s.Started = number, time.Unix(int64(number), 0) })
	return c
}

// started returns a harness whose app runs.
func started(t *testing.T, change func(*app.Options)) *harness {
	t.Helper()
	h := newHarness(t, change)
	if _, err := h.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *harness) write(name, content string) {
	h.t.Helper()
	file := filepath.Join(h.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

// run runs Lua in the default session and returns the JSON of its result.
func (h *harness) run(code string) string {
	h.t.Helper()
	ran, err := h.Run(h.t.Context(), app.DefaultSession, code)
	if err != nil {
		h.t.Fatal(err)
	}
	return string(ran.Result)
}

func (h *harness) want(code, want string) {
	h.t.Helper()
	if got := h.run(code); got != want {
		h.t.Errorf("%s = %s, want %s", code, got, want)
	}
}

// events waits for the next events and returns them.
func (h *harness) events() (out []string) {
	h.t.Helper()
	err := h.Wait(h.t.Context(), app.DefaultSession, patience, func(list []json.RawMessage) error {
		for _, e := range list {
			out = append(out, string(e))
		}
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

// lost is a delivery that succeeds.
func lost([]json.RawMessage) error { return nil }

func publish(t *testing.T, h *harness, topic, value string) int {
	t.Helper()
	n, err := h.Publish(topic, json.RawMessage(value))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Code sees every file that was written before it, although the watcher learns of them later: it
// runs with their functions, and reports no view definition as missing.
func TestRunAfterWriting(t *testing.T) {
	h := started(t, nil)
	h.write("apps/box/app.lua", `if not session.reloading then box = session:create(session:prototype("Box", {})) end`)
	h.write("apps/box/viewdefs/Box.DEFAULT.html", `<template><p ui-view="content"></p></template>`)
	h.run(`mcp:display("box")`)
	for i := range 50 {
		h.write(fmt.Sprintf("apps/box/viewdefs/Thing%d.DEFAULT.html", i), `<template><p>thing</p></template>`)
		h.write("apps/box/app.lua", fmt.Sprintf(`
			function newest() return session:create(session:prototype("Thing%d", {})) end
			if not session.reloading then box = session:create(session:prototype("Box", {})) end`, i))
		ran, err := h.Run(t.Context(), app.DefaultSession, `box.content = newest() return box.content.type`)
		if err != nil || len(ran.Problems) > 0 || string(ran.Result) != fmt.Sprintf(`"Thing%d"`, i) {
			t.Fatalf("after write %d: %s, problems %v, error %v", i, ran.Result, ran.Problems, err)
		}
	}
}
