package web_test

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/ui/viewdef"
	"ui-mcp/web"
)

var slTag = regexp.MustCompile(`\bsl-[a-z]+(?:-[a-z]+)*`)

// between returns the distinct sl- tags of a file between two texts.
func between(t *testing.T, file, from, to string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(testkit.Read(t, ".", file), from)
	part, _, end := strings.Cut(rest, to)
	if !ok || !end {
		t.Fatalf("%s has no part between %q and %q", file, from, to)
	}
	tags := slTag.FindAllString(part, -1)
	slices.Sort(tags)
	return slices.Compact(tags)
}

// The client, the parser of view definitions, the outline of ui_inspect, the guide for agents and
// the tests of controls agree on which elements of Shoelace have a value.
func TestElementTables(t *testing.T) {
	t.Parallel()
	edited := between(t, "src/dom/control.ts", "const EDITED", ");\n")
	displayed := between(t, "src/dom/control.ts", "const DISPLAYED", ");\n")
	if len(edited) < 9 || len(displayed) < 5 {
		t.Fatalf("control.ts has %v and %v", edited, displayed)
	}
	for _, tag := range slices.Concat(edited, displayed) {
		if _, err := fs.Stat(web.Dist(), "shoelace/components/"+tag+".js"); err != nil {
			t.Errorf("%s is not a component: %v", tag, err)
		}
	}
	entries, err := fs.ReadDir(web.Dist(), "shoelace/components")
	if err != nil {
		t.Fatal(err)
	}
	var parsed, acted []string
	for _, e := range entries {
		tag := strings.TrimSuffix(e.Name(), ".js")
		if viewdef.IsControl(tag) {
			acted = append(acted, tag)
		}
		tmpl, err := viewdef.Parse("A.DEFAULT", "A.DEFAULT.html", `<template><`+tag+` ui-value="x"></`+tag+`></template>`)
		if err != nil {
			t.Fatal(err)
		}
		if tmpl.Bindings[0].Access.Writable() {
			parsed = append(parsed, tag)
		}
	}
	const guide = "../bundle/base/resources/viewdefs.md"
	for _, other := range []struct {
		name      string
		got, want []string
	}{
		{"viewdef", parsed, edited},
		{"guide, edited", between(t, guide, "The person edits the value of ", ".\n"), edited},
		{"guide, displayed", between(t, guide, "- The value of ", "is read-only"), displayed},
		{"TestShoelaceControls", within(between(t, "shoelace_test.go", "func TestShoelaceControls", "\nfunc "), edited), edited},
		{"ui_inspect", within(acted, edited), edited},
	} {
		if diff := cmp.Diff(other.want, other.got); diff != "" {
			t.Errorf("%s differs from control.ts (-control.ts +%s):\n%s", other.name, other.name, diff)
		}
	}
}

// within returns the tags that are in both lists.
func within(tags, of []string) []string {
	return slices.DeleteFunc(slices.Clone(tags), func(tag string) bool { return !slices.Contains(of, tag) })
}
