package bundle_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/transport/mcpui"
)

var update = flag.Bool("update", false, "write the table of classes of the cheatsheet")

const (
	cheatsheet = "base/resources/cheatsheet.md"
	baseStyle  = "base/html/ui.css"
)

var (
	// described is a line of the comment at the top of the base style: classes, and what they do.
	described = regexp.MustCompile(`(?m)^ \*   (\.[\w-]+(?:, \.[\w-]+)*) {2,}(.+)$`)
	// comments and declarations of a style have dots that are no classes.
	notSelectors = regexp.MustCompile(`(?s)/\*.*?\*/|\{[^{}]*\}`)
	classes      = regexp.MustCompile(`\.([a-zA-Z][\w-]*)`)
	variants     = regexp.MustCompile(`\[variant="(\w+)"\]`)
)

// older are the classes that the base style has for apps that were made before variant, or
// elsewhere.
var older = []string{"primary", "quiet", "danger", "hidden", "showing"}

// The cheatsheet's table of classes is made from the base style, which describes exactly the
// classes that it has for apps.
func TestClassesAreDescribed(t *testing.T) {
	t.Parallel()
	style := text(t, baseStyle)
	table, listed := "| class | for |\n|---|---|\n", []string{}
	for _, m := range described.FindAllStringSubmatch(style, -1) {
		names := strings.Split(m[1], ", ")
		for i, name := range names {
			listed = append(listed, name[1:])
			names[i] = "`" + name[1:] + "`"
		}
		table += "| " + strings.Join(names, ", ") + " | " + m[2] + " |\n"
	}
	slices.Sort(listed)

	has := []string{"slides"} // which the client knows
	for _, m := range classes.FindAllStringSubmatch(notSelectors.ReplaceAllString(style, " "), -1) {
		isOurs := strings.HasPrefix(m[1], "mcp-") || strings.HasPrefix(m[1], "ui-") && m[1] != "ui-empty"
		if !isOurs && m[1] != "on" && !slices.Contains(older, m[1]) {
			has = append(has, m[1])
		}
	}
	slices.Sort(has)
	has = slices.Compact(has)
	if diff := cmp.Diff(has, listed); diff != "" {
		t.Errorf("%s (-classes in its rules +in the comment at its top)\n%s", baseStyle, diff)
	}

	sheet := text(t, cheatsheet)
	before, rest, found := strings.Cut(sheet, "| class | for |\n")
	if !found {
		t.Fatal("the cheatsheet has no table of classes")
	}
	end := strings.Index(rest, "\n\n") + 1
	if *update {
		if err := os.WriteFile(cheatsheet, []byte(before+table+rest[end:]), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(table, "| class | for |\n"+rest[:end]); diff != "" {
		t.Errorf("%s: -update makes the table (-from the style +in the sheet)\n%s", cheatsheet, diff)
	}
	for _, m := range variants.FindAllStringSubmatch(style, -1) {
		if !strings.Contains(sheet, "`"+m[1]+"`") {
			t.Errorf("the cheatsheet does not name the variant %s", m[1])
		}
	}
}

// What agents read stays short: they read it in every conversation. A limit is a little more than
// the document has; raise it only for what agents cannot do without.
func TestDocumentsAreShort(t *testing.T) {
	t.Parallel()
	limits := map[string]int{
		cheatsheet:                                   7000,
		"base/resources/catalog.md":                  2600,
		"base/resources/reference.md":                3000,
		"base/resources/viewdefs.md":                 8900,
		"base/resources/lua.md":                      5000,
		"base/resources/mcp.md":                      5600,
		"base/resources/terminals.md":                5100,
		"project/.claude/skills/ui/SKILL.md":         2000,
		"project/.claude/skills/ui-builder/SKILL.md": 2200,
		"project/.claude/agents/ui-builder.md":       1000,
		"claude.md":                                  500,
	}
	const patterns = "base/resources/patterns/"
	const pattern = 3300 // each
	for name, text := range documents(t) {
		limit := limits[name]
		if strings.HasPrefix(name, patterns) {
			limit = pattern
		}
		if strings.Contains(name, "/examples/") {
			continue // of an app's own documents
		}
		if len(text) > limit {
			t.Errorf("%s has %d bytes, which may be %d", name, len(text), limit)
		}
	}
	// A first app: the skill, the sheet, and the pattern that fits.
	if list := len(text(t, "project/.claude/skills/ui-builder/SKILL.md")) + len(text(t, cheatsheet)) + pattern; list > 15_000 {
		t.Errorf("for a first app, agents read %d bytes", list)
	}
	if n := len(mcpui.Instructions); n > 800 {
		t.Errorf("the instructions have %d bytes", n)
	}
	for _, pointer := range []string{mcpui.Instructions, text(t, "project/.claude/skills/ui-builder/SKILL.md"), text(t, "claude.md"), text(t, "base/resources/reference.md")} {
		if !strings.Contains(pointer, "cheatsheet") {
			t.Errorf("this does not point to the cheatsheet: %s", fmt.Sprintf("%.80s…", pointer))
		}
	}
}
