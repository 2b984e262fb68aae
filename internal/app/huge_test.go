//go:build unix

package app_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/app"
	"ui-mcp/internal/ui"
)

// Files that are far too large, that grow, or that never end hold up nothing: no start, no call and
// no end. What cannot be used is a problem that names the file and says what to do.
func TestEndlessFiles(t *testing.T) {
	h := newHarness(t, nil)
	h.write("apps/bell/viewdefs/Bell.DEFAULT.html", `<template><p></p></template>`)
	h.write("apps/bell/app.lua", bell)
	const huge = "apps/bell/viewdefs/Huge.DEFAULT.html"
	files := []string{huge, "apps/bell/huge.lua", "lua/main.lua", "viewdefs/Other.DEFAULT.html", "html/huge.html", "resources/huge.md"}
	for _, name := range files {
		h.write(name, "")
		if err := os.Truncate(filepath.Join(h.dir, name), 200<<30); err != nil {
			t.Skip("this file system has no sparse files of that size: ", err)
		}
	}
	for name, target := range map[string]string{"apps/bell/viewdefs/Endless.DEFAULT.html": "/dev/zero", "apps/bell/endless.lua": "/dev/zero"} {
		if err := os.Symlink(target, filepath.Join(h.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	begin := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := h.Start(ctx); err != nil {
		t.Fatal(err)
	}
	displayed, err := h.Display(ctx, app.DefaultSession, "bell")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, p := range displayed.Problems {
		text.WriteString(p.String() + "\n")
	}
	for _, name := range []string{huge, "lua/main.lua", "viewdefs/Other.DEFAULT.html"} {
		if !strings.Contains(text.String(), name+":") {
			t.Errorf("no problem names %s:\n%s", name, text.String())
		}
	}
	if !strings.Contains(text.String(), "split it, or move it away") {
		t.Errorf("no problem says what to do:\n%s", text.String())
	}
	if _, err := h.CheckNews(ctx, app.DefaultSession, "bell"); err != nil {
		t.Error(err)
	}
	for range 3 { // they grow
		for _, name := range files {
			f, err := os.OpenFile(filepath.Join(h.dir, name), os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteString("x"); err != nil {
				t.Error(err)
			}
			f.Close()
		}
		if _, err := h.App.Run(ctx, app.DefaultSession, "return 1"); err != nil {
			t.Error(err)
		}
		if _, err := h.Inspect(ctx, app.DefaultSession, ui.Inspection{}); err != nil {
			t.Error(err)
		}
	}
	h.Close()
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}
