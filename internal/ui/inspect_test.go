package ui_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui"
)

var update = flag.Bool("update", false, "write inspections as they are to testdata")

// references matches those in an inspection: their names begin with letters of the engine's run.
var references = regexp.MustCompile(`@[a-z2-7]{4}(\d+)`)

// TestInspect makes a base directory of the files of each archive, displays the app that its
// comment begins with, runs the Lua in the rest of the comment, and compares inspections with the
// files called "inspect" and, after that, path=…, depth=… and tokens=….
func TestInspect(t *testing.T) {
	archives, err := filepath.Glob("testdata/inspect/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, file := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			for _, f := range a.Files {
				if !strings.HasPrefix(f.Name, "inspect") {
					files[f.Name] = string(f.Data)
				}
			}
			w := newWorld(t, files)
			app, code, _ := strings.Cut(strings.TrimSpace(string(a.Comment)), "\n")
			w.display(app)
			w.run(code)
			for i, f := range a.Files {
				if !strings.HasPrefix(f.Name, "inspect") {
					continue
				}
				what := inspection(t, f.Name)
				got := references.ReplaceAllString(w.inspect(what), "@$1")
				if limit := max(what.Tokens, 0) * 4; limit > 0 && len(got) > limit {
					t.Errorf("%s has %d bytes, more than %d", f.Name, len(got), limit)
				}
				if *update {
					a.Files[i].Data = []byte(got)
				} else if d := cmp.Diff(string(f.Data), got); d != "" {
					t.Errorf("%s: -want +got:\n%s", f.Name, d)
				}
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func inspection(t *testing.T, name string) (what ui.Inspection) {
	t.Helper()
	for _, arg := range strings.Fields(name)[1:] {
		key, value, _ := strings.Cut(arg, "=")
		var err error
		switch key {
		case "path":
			what.Path = value
		case "depth":
			what.Depth, err = strconv.Atoi(value)
		case "tokens":
			what.Tokens, err = strconv.Atoi(value)
		default:
			t.Fatalf("%s: what is %s?", name, key)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return what
}

func TestInspectErrors(t *testing.T) {
	w := newWorld(t, counter)
	w.display("counter")
	for _, tt := range []struct {
		what ui.Inspection
		kind fault.Kind
		want string
	}{
		{ui.Inspection{Path: "value.nothing"}, fault.NotFound, `nothing at "value.nothing" after value; there is items, label(), n, add(), fail(), hang(), bug()`},
		{ui.Inspection{Path: "value.items.2"}, fault.NotFound, `nothing at "value.items.2" after value.items; there is 0 to 1`},
		{ui.Inspection{Path: "value.items.x"}, fault.NotFound, `there is 0 to 1`},
		{ui.Inspection{Path: "value.n.more"}, fault.NotFound, `nothing at "value.n.more" after value.n; there is nothing below`},
		{ui.Inspection{Path: "else"}, fault.NotFound, `nothing at "else"; there is value`},
		{ui.Inspection{Path: "4711"}, fault.Gone, "nothing has the id 4711 now"},
		{ui.Inspection{Depth: -1}, fault.Invalid, "depth must be 0 or more"},
		{ui.Inspection{Tokens: 99}, fault.Invalid, "max_tokens must be from 100 to 25000"},
		{ui.Inspection{Tokens: 25001}, fault.Invalid, "max_tokens must be from 100 to 25000"},
	} {
		_, err := w.session.Inspect(t.Context(), tt.what)
		if fault.KindOf(err) != tt.kind || !strings.Contains(fmt.Sprint(err), tt.want) {
			t.Errorf("%+v: %v, want %q", tt.what, err, tt.want)
		}
	}
}

// A caller that has the list already learns so without the list being made again.
func TestVariablesVersion(t *testing.T) {
	w := newWorld(t, counter)
	w.display("counter")
	_, version, err := w.session.Variables(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	list, again, err := w.session.Variables(t.Context(), version)
	if list != nil || again != version || err != nil {
		t.Errorf("nothing has changed: %s, %s after %s, %v", list, again, version, err)
	}
	w.run("counter.n = 1")
	list, again, _ = w.session.Variables(t.Context(), version)
	if again == version || !strings.HasPrefix(string(list), `[{"id":1,"parentId":0,"type":"MCP","path":"","value":{"obj":1},"properties":{`) {
		t.Errorf("something has changed: %s, %s", list, again)
	}
	if ui.ChangesOf(again) != ui.ChangesOf(version)+1 || ui.ChangesOf("v1") != 0 || ui.ChangesOf("") != 0 {
		t.Errorf("changes of %s and %s: %d, %d", version, again, ui.ChangesOf(version), ui.ChangesOf(again))
	}
}

// Inspecting a row that no page holds mounts it, and only the last such row stays mounted.
func TestInspectBeyondWindow(t *testing.T) {
	w := newWorld(t, long)
	w.display("long")
	a := w.connect()
	a.send(`{"type":"window","at":[%s],"start":100,"count":3}`, w.binding("list", "items"))
	id := regexp.MustCompile(`#\d+`)
	last := ""
	for _, k := range []int{700, 0, 999} {
		text := w.inspect(ui.Inspection{Path: fmt.Sprint("value.items.", k)})
		if !strings.Contains(text, fmt.Sprint("{name: row ", k, "}")) {
			t.Errorf("row %d is %s", k, text)
		}
		if again := w.inspect(ui.Inspection{Path: id.FindString(text)}); again != text {
			t.Errorf("by id, row %d is %s", k, again)
		}
		if last != "" {
			if _, err := w.session.Inspect(t.Context(), ui.Inspection{Path: last}); fault.KindOf(err) != fault.Gone {
				t.Errorf("the row before is still there: %v", err)
			}
		}
		last = id.FindString(text)
	}
	if text := w.inspect(ui.Inspection{}); !strings.Contains(text, "[100] ") || strings.Contains(text, "[0] ") {
		t.Errorf("the page's rows are gone: %s", text)
	}
	if _, err := w.session.Inspect(t.Context(), ui.Inspection{Path: "value.items.1000"}); !strings.Contains(fmt.Sprint(err), "there is 0 to 999") {
		t.Errorf("beyond the end: %v", err)
	}
}

// Each problem is told until an answer has listed it, however many there are and whichever call
// lists them.
func TestProblemsBeyondAnInspection(t *testing.T) {
	views := strings.Repeat("<p ui-value=\"x%d\"></p>\n", 30)
	numbers := make([]any, 30)
	for i := range numbers {
		numbers[i] = i
	}
	w := newWorld(t, map[string]string{
		"apps/a/app.lua": `A = session:prototype("A", { b = EMPTY, title = "t" })
			B = session:prototype("B", {})
			if not session.reloading then a = A:new({ b = B:new() }) end`,
		"apps/a/viewdefs/A.DEFAULT.html": `<template><div><h1 ui-value="title"></h1><div ui-view="b"></div></div></template>`,
		"apps/a/viewdefs/B.DEFAULT.html": `<template><div>` + fmt.Sprintf(views, numbers...) + `</div></template>`,
	})
	if err := w.session.Do(t.Context(), func(tx *ui.Tx) error { return tx.Display("a") }); err != nil {
		t.Fatal(err)
	}
	reported := map[string]bool{}
	tell := func(text string) {
		for _, name := range regexp.MustCompile(`declares no (x\d+)`).FindAllStringSubmatch(text, -1) {
			reported[name[1]] = true
		}
	}
	tell(w.inspect(ui.Inspection{Path: "value.title"})) // all are elsewhere
	tell(w.inspect(ui.Inspection{Path: "value.b"}))
	tell(w.inspect(ui.Inspection{}))
	for range 2 {
		_, list := w.run("return 1")
		tell(strings.Join(list, "\n"))
	}
	if len(reported) != 30 {
		t.Errorf("%d of 30 problems were told", len(reported))
	}
}
