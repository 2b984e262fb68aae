package ui_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/ui"
	"ui-mcp/internal/ui/lua/async"
)

// Deferred work without end rests, and the author is notified; what the agent and the person do is
// not held up.
func TestDeferredWorkRests(t *testing.T) {
	for name, code := range map[string]string{
		"immediates": `function again() n = n + 1 session:setImmediate(again) end again()`,
		"intervals":  `for i = 1, 200 do session:setInterval(function() n = n + 1 for k = 1, 1e3 do end end, 1) end`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, nil)
			w.session.SetBurst(20 * time.Millisecond)
			w.run("n = 0 " + code)
			var reported string
			w.until("the author is notified", func() bool {
				for _, p := range w.problems() {
					if strings.Contains(p, "so they rest for 20ms at a time") {
						reported = p
					}
				}
				return reported != ""
			})
			if !strings.HasPrefix(reported, "timers and listeners keep this session busy") || !strings.Contains(reported, "ui_run:1") {
				t.Errorf("the problem is %s", reported)
			}
			before, _ := w.run("return n")
			w.until("it goes on", func() bool { now, _ := w.run("return n"); return now != before })
		})
	}
}

// The time in which files run again does not count as that of the deferred work before.
func TestReloadingIsNoDeferredWork(t *testing.T) {
	const file, burst = "lua/main.lua", time.Second
	w := newWorld(t, map[string]string{file: ""})
	w.session.SetBurst(burst)
	w.write(file, `local start = os.clock() while os.clock() - start < 2 do end again = true`)
	w.run(`session:setImmediate(mcp.catchUp)`)
	w.until("the file has run again", func() bool { again, _ := w.run("return again"); return again == "true" })
	want(t, "problems", w.problems())
}

// Functions that wait keep their order.
func TestRestingWorkKeepsItsOrder(t *testing.T) {
	w := newWorld(t, nil)
	w.session.SetBurst(0)
	w.run(`order = {} for i = 1, 50 do session:setImmediate(function() order[#order + 1] = i for k = 1, 1e4 do end end) end
		session:setTimeout(function() for i = 51, 100 do session:setImmediate(function() order[#order + 1] = i end) end end, 1)`)
	w.until("all have run", func() bool { n, _ := w.run("return #order"); return n == "100" })
	w.gives("the order", `for i = 1, 100 do if order[i] ~= i then return i end end return "ok"`, `"ok"`)
}

// A check gives its app no terminals, also if there are some from a later time on.
func TestCheckWithoutLaterTerminals(t *testing.T) {
	w := newWorld(t, map[string]string{
		"apps/shop/app.lua":                    `shop = session:create(session:prototype("Shop", { there = terminal.available }))`,
		"apps/shop/viewdefs/Shop.DEFAULT.html": `<template><p ui-value="there"></p></template>`,
	})
	calls := 0
	_, err := ui.Check(t.Context(), ui.Options{
		Dir: w.dir, LuaTimeout: time.Minute, Log: slog.New(slog.DiscardHandler),
		Effects: async.Effects{Terminals: func() async.Terminals { calls++; return nil }, NoTerminals: "there are none"},
		Setup: func(b *ui.Bridge) error {
			b.Define("mcp", map[string]any{"type": "MCP"})
			return nil
		},
	}, "shop", nil)
	if err != nil || calls != 1 {
		t.Errorf("the check asks for terminals %d times, not once: %v", calls, err)
	}
}
