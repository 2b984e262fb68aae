package app_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"ui-mcp/internal/app"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui"
)

// A page keeps what is delivered to it.
type page struct {
	mu  sync.Mutex // guards the field below
	got []string
}

func (p *page) Deliver(msg []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got = append(p.got, string(msg))
	return true
}

func (p *page) last() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.got[len(p.got)-1]
}

func TestUpload(t *testing.T) {
	h := started(t, nil)
	h.write("apps/a/app.lua", `A = session:prototype("A", {n = 1}) if not session.reloading then a = A:new() end`)
	h.write("apps/a/viewdefs/A.DEFAULT.html", `<template><p ui-value="n"></p></template>`)
	if _, err := h.Display(t.Context(), "1", "a"); err != nil {
		t.Fatal(err)
	}
	s, err := h.Session(t.Context(), app.DefaultSession)
	if err != nil {
		t.Fatal(err)
	}
	p := &page{}
	if err := s.Attach(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	upload := func(content string) (app.Uploaded, error) {
		t.Helper()
		return h.Upload(context.Background(), "A", "DEFAULT", content)
	}
	up, err := upload(`<template><h1 ui-value="n"></h1></template>`)
	if err != nil || up.Key != "A.DEFAULT" || up.Pages != 1 || up.Problems != nil {
		t.Errorf("Upload = %+v, %v", up, err)
	}
	// It is there when Upload returns, with the values.
	if got := p.last(); !strings.Contains(got, "<h1") || !strings.Contains(got, `"mount"`) && !strings.Contains(got, `"view"`) {
		t.Errorf("the page got %s", got)
	}
	up, err = upload(`<template><h2 ui-value="nothing()"></h2></template>`)
	if err != nil || len(up.Problems) != 1 || !strings.Contains(up.Problems[0].String(), "uploaded A.DEFAULT:1") {
		t.Errorf("with a mistake in it: %+v, %v", up, err)
	}
	// An invalid view definition changes nothing.
	for _, bad := range []string{"", "<p>", "<template></template>", `<template><p ui-value="a..b"></p></template>`} {
		if _, err := upload(bad); fault.KindOf(err) != fault.Script {
			t.Errorf("upload of %q: %v", bad, err)
		}
	}
	for _, key := range [][2]string{{"", "DEFAULT"}, {"A", ""}, {"../A", "DEFAULT"}, {"A", "x/y"}, {"A b", "DEFAULT"}, {"A", "."}} {
		if _, err := h.Upload(t.Context(), key[0], key[1], "<template><p></p></template>"); fault.KindOf(err) != fault.Invalid {
			t.Errorf("upload of %q: %v", key, err)
		}
	}
	// A file that is saved counts again.
	h.write("apps/a/viewdefs/A.DEFAULT.html", `<template><h3 ui-value="n"></h3></template>`)
	if _, err := h.Display(t.Context(), "1", "a"); err != nil {
		t.Fatal(err)
	}
	if got := p.last(); !strings.Contains(got, "<h3") && !strings.Contains(got, "problems") {
		t.Errorf("the page got %s", got)
	}
	if text, err := h.Inspect(t.Context(), "1", ui.Inspection{}); err != nil || !strings.Contains(text, "A.DEFAULT") || strings.Contains(text, "nothing") {
		t.Errorf("after saving: %s, %v", text, err)
	}
	// A namespace and a dotted type.
	if _, err := h.Upload(t.Context(), "my.Type", "list-item", "<template><p></p></template>"); err != nil {
		t.Error(err)
	}
}
