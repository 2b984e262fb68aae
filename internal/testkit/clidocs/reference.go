package clidocs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/testkit"
)

const width = 100 // columns of prose

// CheckReference compares a page of docs with the reference of a program's commands, or writes it.
func CheckReference(t *testing.T, page, intro string, model *kong.Application, update bool) {
	t.Helper()
	root, name, got := testkit.Root(t), "docs/"+page, reference(model, intro)
	if update {
		testkit.Write(t, root, name, got)
	}
	if diff := cmp.Diff(testkit.Read(t, root, name), got); diff != "" {
		t.Errorf("docs/%s is out of date; the flag -update of this test writes it (-file +commands):\n%s", page, diff)
	}
}

// reference returns a Markdown page that describes every command of a program with its flags, as
// --help does. intro follows the title.
func reference(model *kong.Application, intro string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# The commands of %s\n\n", model.Name)
	prose(&b, intro)
	b.WriteString("## Flags of every command\n\n")
	flags(&b, model.Flags)
	for _, c := range model.Leaves(true) {
		fmt.Fprintf(&b, "## %s\n\n", strings.TrimSpace(model.Name+" "+commandline.Path(c)))
		prose(&b, c.Help)
		fmt.Fprintf(&b, "    %s\n\n", strings.Join(strings.Fields(model.Name+" "+c.Summary()), " "))
		detail := c.Detail
		if detail == "" && c.Parent.Type == kong.CommandNode {
			detail = c.Parent.Detail
		}
		prose(&b, detail)
		own := c.Flags
		if c.Parent.Type == kong.CommandNode {
			own = append(own[:len(own):len(own)], c.Parent.Flags...)
		}
		var rows []string
		for _, p := range c.Positional {
			rows = append(rows, fmt.Sprintf("| `%s` | %s |", p.Name, cell(p.Help)))
		}
		table(&b, "argument", rows)
		flags(&b, own)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func flags(b *strings.Builder, flags []*kong.Flag) {
	var rows []string
	for _, f := range flags {
		if f.Hidden {
			continue
		}
		name := "--" + f.Name
		if f.Tag.Negatable != "" {
			name = "--[no-]" + f.Name
		}
		if !f.IsBool() {
			name += "=" + strings.Trim(f.FormatPlaceHolder(), `"`)
		}
		if f.Short != 0 {
			name = "-" + string(f.Short) + ", " + name
		}
		help := cell(f.Help)
		if len(f.Envs) > 0 {
			help += " Also `" + strings.Join(f.Envs, "` or `") + "` in the environment."
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s |", name, help))
	}
	table(b, "flag", rows)
}

func table(b *strings.Builder, what string, rows []string) {
	if len(rows) > 0 {
		fmt.Fprintf(b, "| %s | meaning |\n|---|---|\n%s\n\n", what, strings.Join(rows, "\n"))
	}
}

var plain = strings.NewReplacer("<", `\<`, "*", `\*`)

func cell(s string) string { return strings.ReplaceAll(plain.Replace(s), "|", `\|`) }

// prose writes paragraphs, and lines that are indented by four blanks as they are.
func prose(b *strings.Builder, text string) {
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		column := 0
		for line := range strings.SplitSeq(paragraph, "\n") {
			if strings.HasPrefix(line, "    ") {
				if column > 0 {
					b.WriteString("\n\n")
					column = 0
				}
				b.WriteString(line + "\n")
				continue
			}
			for word := range strings.FieldsSeq(plain.Replace(line)) {
				switch length := len([]rune(word)); {
				case column == 0:
					column = length
				case column+1+length > width:
					b.WriteString("\n")
					column = length
				default:
					b.WriteString(" ")
					column += 1 + length
				}
				b.WriteString(word)
			}
		}
		if column > 0 {
			b.WriteString("\n")
		}
		b.WriteString("\n")
	}
}
