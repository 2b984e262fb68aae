package uimcp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/ui/viewdef"
	"ui-mcp/internal/ui/wire"
)

var (
	// reference is a package or file that docs/conformance.md names, or a test of that package.
	reference = regexp.MustCompile("`([^`]+)`|\\b((?:Test|Fuzz|Benchmark)[A-Z]\\w*)")
	declared  = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
)

// Every row of docs/conformance.md names tests that exist, or says what is missing.
func TestConformance(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, sections := 0, map[string]bool{}
	for n, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if !strings.HasPrefix(line, "| ") || len(cells) < 2 || cells[len(cells)-1] == "verified by" {
			continue
		}
		rows++
		for s := range strings.SplitSeq(cells[0], ", ") {
			sections[s[:1]] = true
		}
		held := cells[len(cells)-1]
		if missing, ok := strings.CutPrefix(held, "not yet: "); ok {
			if len(missing) < 10 {
				t.Errorf("docs/conformance.md:%d does not say what is missing", n+1)
			}
			continue
		}
		checkRow(t, n+1, held)
	}
	if rows < 60 {
		t.Errorf("%d rows: has the table changed its form?", rows)
	}
	for _, s := range []string{"1", "2", "3", "4", "5", "6", "7", "8"} {
		if !sections[s] {
			t.Errorf("docs/conformance.md has no row of section %s", s)
		}
	}
}

// checkRow looks for all that a row names.
func checkRow(t *testing.T, line int, held string) {
	t.Helper()
	dir, proofs := "", 0
	var tests map[string]bool
	for _, m := range reference.FindAllStringSubmatch(held, -1) {
		if m[1] == "" {
			proofs++
			if !tests[m[2]] {
				t.Errorf("docs/conformance.md:%d: %s has no %s", line, dir, m[2])
			}
			continue
		}
		dir = m[1]
		info, err := os.Stat(filepath.FromSlash(dir))
		switch {
		case err != nil:
			t.Errorf("docs/conformance.md:%d: %v", line, err)
		case info.IsDir():
			tests = testsIn(t, dir)
		default:
			proofs++
		}
	}
	if proofs == 0 {
		t.Errorf("docs/conformance.md:%d: nothing verifies %q", line, held)
	}
}

// testsIn lists the tests of a package.
func testsIn(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range declared.FindAllSubmatch(text, -1) {
			tests[string(m[1])] = true
		}
	}
	return tests
}

// bindingsOnTheWire are the version of the protocol and the kinds of bindings that pages of this
// version know. A page without a kind would ignore it, so a new one needs another version.
const bindingsOnTheWire = "8: list view value attr class style event key action html focus scroll measure code"

// notOutlined are kinds whose effect agents do not read in an outline, and do not act through.
var notOutlined = []string{"code", "focus", "scroll", "measure"}

// Each kind of binding is in the protocol's document under the number of its version, is tried in a
// page, is in outlines, and each attribute is in a guide.
func TestEachBindingIsWhole(t *testing.T) {
	t.Parallel()
	var kinds []string
	for k, ok := viewdef.Kind(0), true; ok; k++ {
		func() {
			defer func() { ok = recover() == nil }() // no kind has this number
			kinds = append(kinds, k.String())
		}()
	}
	if got := fmt.Sprintf("%d: %s", wire.Proto, strings.Join(kinds, " ")); got != bindingsOnTheWire {
		t.Errorf("the bindings are\n%s\nwere\n%s\nRaise wire.Proto for a new kind, in wire.go and web/src/wire.ts, then write both here", got, bindingsOnTheWire)
	}
	document := readText(t, "docs/protocol.md")
	if !strings.Contains(readText(t, "web/src/wire.ts"), fmt.Sprintf("export const PROTO = %d;", wire.Proto)) {
		t.Errorf("web/src/wire.ts has another number than %d", wire.Proto)
	}
	if !strings.Contains(document, fmt.Sprintf(`"proto":%d,`, wire.Proto)) {
		t.Errorf("the snapshot in docs/protocol.md has another number than %d", wire.Proto)
	}
	var list string
	for _, start := range []string{"func meant(", "var kinds = ", "func classify("} {
		_, rest, _ := strings.Cut(readText(t, "internal/ui/viewdef/build.go"), "\n"+start)
		part, _, _ := strings.Cut(rest, "\n}")
		list += part
	}
	tests, outline, page := allText(t, "web/*_test.go"), strings.ToLower(allText(t, "internal/ui/variable/outline*.go")), readText(t, "web/src/dom/template.ts")
	for _, kind := range kinds {
		if !regexp.MustCompile(`(?i)\b` + kind + `\b`).MatchString(list) {
			t.Errorf("internal/ui/viewdef/build.go has no attribute for the kind %s", kind)
		}
		if !regexp.MustCompile(`"` + kind + `"|\b` + kind + `: [A-Z]`).MatchString(page) {
			t.Errorf("web/src/dom/template.ts makes nothing of the kind %s", kind)
		}
		if !strings.Contains(document, "\n| `"+kind+"` |") {
			t.Errorf("docs/protocol.md lacks the kind %s", kind)
		}
		if !regexp.MustCompile(`\[\d+,"` + kind + `",`).MatchString(tests) {
			t.Errorf("no test in web has a template with the kind %s", kind)
		}
		if slices.Contains(notOutlined, kind) == strings.Contains(outline, "viewdef."+kind) {
			t.Errorf("internal/ui/variable/outline_html.go shows the kind %s, or notOutlined has it: one of both", kind)
		}
	}
	attributes := regexp.MustCompile(`"(ui-[a-z-]+)"`).FindAllStringSubmatch(list, -1)
	if len(attributes) < 17 {
		t.Errorf("only %d attributes were found", len(attributes))
	}
	guides := allText(t, "bundle/base/resources/*.md")
	for _, a := range attributes {
		if !regexp.MustCompile(`\n\| .*` + a[1]).MatchString(guides) {
			t.Errorf("no table in bundle/base/resources/cheatsheet.md or viewdefs.md has %s", a[1])
		}
	}
}

// allText returns the text of all files that match a pattern.
func allText(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.FromSlash(pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %q, %v", pattern, files, err)
	}
	slices.Sort(files)
	var all strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	return all.String()
}
