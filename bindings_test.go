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

// bindingsOnTheWire are the version of the protocol and the kinds of bindings that pages of this
// version know. A page without a kind would ignore it, so a new one needs another version.
const bindingsOnTheWire = "8: list view value attr class style event key action code html focus scroll measure"

// Each kind of binding is in the protocol's document under the number of its version, is tried in a
// page, and each attribute is in a guide.
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
	tests, guides := allText(t, "web/*_test.go"), allText(t, "bundle/base/resources/*.md")
	for _, kind := range kinds {
		if !strings.Contains(document, "\n| `"+kind+"` |") {
			t.Errorf("docs/protocol.md lacks the kind %s", kind)
		}
		if !regexp.MustCompile(`\[\d+,"` + kind + `",`).MatchString(tests) {
			t.Errorf("no test in web has a template with the kind %s", kind)
		}
	}
	_, rest, _ := strings.Cut(readText(t, "internal/ui/viewdef/build.go"), "\nvar attributes = ")
	list, _, _ := strings.Cut(rest, "\n}")
	attributes := regexp.MustCompile(`"(ui-[a-z-]+)"`).FindAllStringSubmatch(list, -1)
	if len(attributes) < 14 {
		t.Errorf("only %d attributes were found", len(attributes))
	}
	for _, a := range attributes {
		if !strings.Contains(guides, a[1]) {
			t.Errorf("no guide has %s", a[1])
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
