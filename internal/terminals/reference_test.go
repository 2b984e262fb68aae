package terminals_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"ui-mcp/internal/terminals"
)

var update = flag.Bool("update", false, "rewrite docs/api.md")

const referenceFile = "../../docs/api.md"

// docs/api.md describes the table.
func TestReference(t *testing.T) {
	got := reference()
	if *update {
		if err := os.WriteFile(referenceFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(referenceFile)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("docs/api.md is not the table; \"go test ./internal/terminals -update\" writes it (-file +table):\n%s", d)
	}
}

const preface = `# Operations on terminals

Generated from the table in ` + "`internal/terminals`" + ` by its tests. Every interface offers these
operations or some of them; [terminal.md](terminal.md) says which are available over HTTP, and what
sessions, silence and commands are. WebSockets and the scripts of apps call them by name; older
names are for clients that know those, with the parameters that differ in brackets.

Each operation needs a right: *read* sees sessions and their screens, *type* sends input, resizes
and runs commands, *draw* changes overlays, panels, capture and focus, *manage* creates, changes and
removes sessions and detaches clients, *administer* governs the server and issues tokens, *answer*
sees the questions to the person and replies as that person. Without it the operation fails with
*precondition* and the detail ` + "`not_allowed`" + `. Rights can be limited to some sessions; the others do
not exist for the caller. [security.md](security.md) says how callers get rights.

A server that knows others takes ` + "`HOST/SESSION`" + ` wherever it takes a session, and so are sessions of
other hosts called in its answers. All operations on such a session can also fail with *not_found*
and the detail ` + "`server_not_found`" + `, or with *unreachable* and ` + "`host_away`" + `: nothing was done then.

`

func reference() string {
	var b strings.Builder
	b.WriteString(preface)
	seen := map[string]string{} // answers, and the first operation that has them
	for _, o := range terminals.All() {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", o.Name, wrap(o.Doc))
		about := fmt.Sprintf("A %s; needs the right to %s.", o.Kind, strings.ReplaceAll(o.Right.String(), ", ", " and "))
		if older := o.Older(); older != "" {
			about += " " + older + "."
		}
		b.WriteString(wrap(about) + "\n\n")
		b.WriteString(fields("input", o.In()))
		if out := o.Out(); out != nil && o.Kind != terminals.Stream {
			isList := out.Items != nil
			if isList {
				b.WriteString("The answer is a list.\n\n")
				out = out.Items
			}
			answer := fields("answer", out)
			if answer == "" {
				answer = fmt.Sprintf("The answer: %s.\n\n", out.Description)
			}
			if first, ok := seen[answer]; ok {
				list := "The answer has"
				if isList {
					list = "Its items have"
				}
				answer = fmt.Sprintf("%s the members that `%s` answers.\n\n", list, first)
			} else {
				seen[answer] = o.Name
			}
			b.WriteString(answer)
		}
		if len(o.Fails) > 0 {
			b.WriteString("| error | when |\n|---|---|\n")
			for _, f := range o.Fails {
				name := f.Kind.String()
				if f.Detail != "" {
					name += ", `" + string(f.Detail) + "`"
				}
				fmt.Fprintf(&b, "| %s | %s |\n", name, f.When)
			}
			b.WriteString("\n")
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// fields is a table of an object's members, required ones first.
func fields(title string, s *jsonschema.Schema) string {
	if len(s.Properties) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | type | |\n|---|---|---|\n", title)
	names := slices.SortedFunc(maps.Keys(s.Properties), func(x, y string) int {
		required := func(n string) int {
			if slices.Contains(s.Required, n) {
				return 0
			}
			return 1
		}
		if d := required(x) - required(y); d != 0 && title == "input" {
			return d
		}
		return slices.Index(s.PropertyOrder, x) - slices.Index(s.PropertyOrder, y)
	})
	for _, name := range names {
		p := s.Properties[name]
		about := []string{}
		if p.Description != "" {
			about = append(about, p.Description)
		}
		if title == "input" && !slices.Contains(s.Required, name) && p.Default == nil && p.Description == "" {
			about = append(about, "optional")
		}
		switch {
		case p.Minimum != nil && p.Maximum != nil:
			about = append(about, fmt.Sprintf("%.0f to %.0f", *p.Minimum, *p.Maximum))
		case p.MaxItems != nil:
			about = append(about, fmt.Sprintf("at most %d", *p.MaxItems))
		}
		if p.Default != nil {
			about = append(about, fmt.Sprintf("default `%s`", p.Default))
		}
		mark := ""
		if title == "input" && slices.Contains(s.Required, name) {
			mark = " (required)"
		}
		fmt.Fprintf(&b, "| `%s`%s | %s | %s |\n", name, mark, typeOf(p), strings.ReplaceAll(strings.Join(about, "; "), "|", "\\|"))
	}
	b.WriteString("\n")
	return b.String()
}

func typeOf(s *jsonschema.Schema) string {
	kinds := s.Types
	if s.Type != "" {
		kinds = []string{s.Type}
	}
	kinds = slices.DeleteFunc(slices.Clone(kinds), func(k string) bool { return k == "null" })
	if len(kinds) == 0 {
		return "any"
	}
	if kinds[0] == "array" && s.Items != nil {
		return "list of " + typeOf(s.Items)
	}
	return kinds[0]
}

// wrap breaks a text at 100 columns.
func wrap(text string) string {
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		if column > 0 && column+1+len(word) > 100 {
			b.WriteByte('\n')
			column = 0
		} else if column > 0 {
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}
