package bench

import (
	"log/slog"
	"regexp"
	"testing"
	"time"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/ui"
)

// BenchmarkAct measures an act without a page, on an app with 1,000 rows, until its answer.
func BenchmarkAct(b *testing.B) {
	s := actSession(b)
	text, err := s.Inspect(b.Context(), ui.Inspection{Tokens: 20_000})
	if err != nil {
		b.Fatal(err)
	}
	ref := regexp.MustCompile(`button Add → add\(\) (@\w+)`).FindStringSubmatch(text)
	if ref == nil {
		b.Fatalf("no button in %s", text)
	}
	for b.Loop() {
		if _, err := s.Act(b.Context(), ref[1], ui.Input{Click: true}); err != nil {
			b.Fatal(err)
		}
	}
}

// actSession is a session that displays a list of 1,000 rows, and a button.
func actSession(b *testing.B) *ui.Session {
	b.Helper()
	dir := b.TempDir()
	for name, content := range map[string]string{
		"viewdefs/MCP.DEFAULT.html": `<template><main ui-view="value"></main></template>`,
		"apps/act/app.lua": `
Row = session:prototype("Row", { name = "" })
Act = session:prototype("Act", { rows = EMPTY, n = 0 })
function Act:add() self.n = self.n + 1 end
act = Act:new({ rows = {} })
for i = 1, 1000 do act.rows[i] = Row:new({ name = "row " .. i }) end`,
		"apps/act/viewdefs/Act.DEFAULT.html":   `<template><div><b ui-value="n"></b><button ui-action="add()">Add</button><ul ui-viewlist="rows"><li></li></ul></div></template>`,
		"apps/act/viewdefs/Row.list-item.html": `<template><li><span ui-value="name"></span><input ui-value="name"></li></template>`,
	} {
		testkit.Write(b, dir, name, content)
	}
	engine := ui.NewEngine(ui.Options{
		Dir: dir, LuaTimeout: time.Minute, Log: slog.New(slog.DiscardHandler), Announce: func(ui.Announcement) {},
		Setup: func(bridge *ui.Bridge) error {
			bridge.Define("mcp", map[string]any{"type": "MCP"})
			return nil
		},
	})
	b.Cleanup(engine.Close)
	s, err := engine.Open(b.Context(), "1")
	if err == nil {
		err = s.Do(b.Context(), func(tx *ui.Tx) error { return tx.Display("act") })
	}
	if err != nil {
		b.Fatal(err)
	}
	return s
}
