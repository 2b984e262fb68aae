package app_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/app"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui"
)

const bell = `Bell = session:prototype("Bell", {}) if not session.reloading then bell = Bell:new() end`

// again closes the app and returns a harness in the same base directory.
func (h *harness) again(change func(*app.Options)) *harness {
	h.t.Helper()
	h.Close()
	return newHarness(h.t, func(o *app.Options) {
		o.Dir = h.dir
		if change != nil {
			change(o)
		}
	})
}

func (h *harness) start() string {
	h.t.Helper()
	url, err := h.Start(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	return url
}

// A server that is started again has its ports, and displays what it displayed, in each session,
// whether a tool displayed it or a script.
func TestStartAgain(t *testing.T) {
	h := newHarness(t, nil)
	url := h.start()
	h.write("apps/bell/viewdefs/Bell.DEFAULT.html", `<template><p></p></template>`)
	h.write("apps/bell/app.lua", bell)
	if _, err := h.Display(t.Context(), "1", "bell"); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Run(t.Context(), "two", `mcp:display("bell")`); err != nil {
		t.Fatal(err)
	}
	dir := h.dir
	h = h.again(nil)
	h.dir = dir
	if got := h.start(); got != url {
		t.Errorf("pages are at %s, and were at %s", got, url)
	}
	for _, session := range []string{"1", "two"} {
		ran, err := h.App.Run(t.Context(), session, "return mcp.value ~= nil and mcp.value == bell")
		if err != nil || string(ran.Result) != "true" {
			t.Errorf("session %s: %s, %v", session, ran.Result, err)
		}
	}
}

// An app that displays itself again and again does not have the file written each time.
func TestLastRunIsWrittenOnce(t *testing.T) {
	h := newHarness(t, nil)
	h.start()
	h.write("apps/bell/viewdefs/Bell.DEFAULT.html", `<template><p></p></template>`)
	h.write("apps/bell/app.lua", bell)
	file := func() os.FileInfo {
		if _, err := h.Run(t.Context(), "1", `mcp:display("bell")`); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(h.dir, ".last-run.json"))
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	first := file()
	if again := file(); !os.SameFile(first, again) || !first.ModTime().Equal(again.ModTime()) {
		t.Error("the file was written again")
	}
}

// Sessions of the last run are opened when somebody asks for them: however many they are, they hold
// up no start, and leave room for others.
func TestRememberedSessions(t *testing.T) {
	h := newHarness(t, nil)
	h.write("apps/bell/viewdefs/Bell.DEFAULT.html", `<template><p></p></template>`)
	h.write("apps/bell/app.lua", bell)
	var displayed []string
	for i := range 300 {
		displayed = append(displayed, fmt.Sprintf(`"s%d": "bell"`, i))
	}
	h.write(".last-run.json", `{"format": 1, "displayed": {`+strings.Join(displayed, ",")+`}}`)
	h.start()
	if _, err := h.App.Run(t.Context(), "new", "return 1"); err != nil {
		t.Errorf("a new session: %v", err)
	}
	for name, ask := range map[string]func(session string) error{
		"a page": func(session string) error {
			s, err := h.Session(t.Context(), session)
			if err == nil {
				_, _, err = s.Variables(t.Context(), "")
			}
			return err
		},
		"ui_inspect": func(session string) error {
			text, err := h.Inspect(t.Context(), session, ui.Inspection{})
			if err == nil && !strings.Contains(text, "Bell") {
				t.Errorf("session %s displays\n%s", session, text)
			}
			return err
		},
		"GET /state": func(session string) error {
			state, err := h.State(t.Context(), session)
			if err == nil && string(state) == "null" {
				t.Errorf("session %s has the state %s", session, state)
			}
			return err
		},
	} {
		if err := ask("s7"); err != nil {
			t.Errorf("%s of a session of the last run: %v", name, err)
		}
		if err := ask("s300"); fault.KindOf(err) != fault.NotFound {
			t.Errorf("%s of an unknown session: %v", name, err)
		}
	}
}

// A server starts even if its port is taken, its app is gone or the file of the last run is
// invalid.
func TestStartAgainElsewhere(t *testing.T) {
	const newerRun = `{"format":2,"displayed":["bell"]}`
	for name, spoil := range map[string]func(dir, url string){
		"the port is taken": func(_, url string) {
			l, err := net.Listen("tcp", strings.TrimPrefix(url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { l.Close() })
		},
		"the app is gone": func(dir, _ string) {
			if err := os.RemoveAll(filepath.Join(dir, "apps")); err != nil {
				t.Fatal(err)
			}
		},
		"the file is broken": func(dir, _ string) {
			if err := os.WriteFile(filepath.Join(dir, ".last-run.json"), []byte(`{"ui_port": -1}`), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"a newer version's file": func(dir, _ string) {
			if err := os.WriteFile(filepath.Join(dir, ".last-run.json"), []byte(newerRun), 0o600); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, nil)
			url := h.start()
			h.write("apps/bell/viewdefs/Bell.DEFAULT.html", `<template><p></p></template>`)
			h.write("apps/bell/app.lua", bell)
			if _, err := h.Display(t.Context(), "1", "bell"); err != nil {
				t.Fatal(err)
			}
			h.Close()
			spoil(h.dir, url)
			again := h.again(nil)
			got := again.start()
			if name == "the port is taken" && got == url {
				t.Errorf("pages are at %s, which was taken", got)
			}
			if content, err := os.ReadFile(filepath.Join(h.dir, ".last-run.json")); name == "a newer version's file" && string(content) != newerRun {
				t.Errorf("the file became %s, %v", content, err)
			}
		})
	}
}

// A port that was asked for and is taken is an error that says which flag chooses another.
func TestPortInUse(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	taken := l.Addr().(*net.TCPAddr).Port
	for flag, change := range map[string]func(*app.Options){
		"--port":     func(o *app.Options) { o.UIPort = taken },
		"--mcp-port": func(o *app.Options) { o.MCPPort = taken },
	} {
		_, err := newHarness(t, change).Start(t.Context())
		if err == nil || !strings.Contains(err.Error(), "is in use: choose another one with "+flag+",") {
			t.Errorf("%s: %v", flag, err)
		}
	}
}

// Two servers of one directory know of each other, and only the older one decides what the next
// takes up.
func TestTwoServers(t *testing.T) {
	registry := newRegistry(t)
	first := newHarness(t, func(o *app.Options) { o.Claim = newClaim(t, registry, 1) })
	url := first.start()
	second := newHarness(t, func(o *app.Options) { o.Dir, o.Claim = first.dir, newClaim(t, registry, 2) })
	other := second.start()
	for h, want := range map[*harness]string{first: other, second: url} {
		st := h.Status(t.Context())
		if st.Live == nil || len(st.OtherServers) != 1 || st.OtherServers[0].URL != want {
			t.Errorf("status %+v has no other server at %s", st.Live, want)
		}
	}
	second.Close()
	if st := first.Status(t.Context()); len(st.OtherServers) != 0 {
		t.Errorf("other servers: %+v", st.OtherServers)
	}
	if got := first.again(nil).start(); got != url {
		t.Errorf("pages are at %s, and were at %s", got, url)
	}
}
