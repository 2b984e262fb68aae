package ui_test

import (
	"log/slog"
	"testing"
	"time"

	"ui-mcp/internal/ui"
	"ui-mcp/internal/ui/lua/async"
)

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
