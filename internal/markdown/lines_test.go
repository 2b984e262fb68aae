package markdown_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/markdown"
	"ui-mcp/internal/richtext"
)

// marks show styles in the expected texts below.
var marks = []struct {
	style richtext.Style
	mark  string
}{
	{richtext.Strong, "*"}, {richtext.Emphasis, "/"}, {richtext.Code, "`"}, {richtext.Struck, "-"}, {richtext.Address, "_"},
}

// printed returns lines with the second prefix after the first where it differs, and styles as
// marks around the text.
func printed(lines []richtext.Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.First)
		if l.Rest != l.First {
			b.WriteString("{" + l.Rest + "}")
		}
		for _, s := range l.Spans {
			text := s.Text
			for _, m := range marks {
				if s.Style&m.style != 0 {
					text = m.mark + text + m.mark
				}
			}
			b.WriteString(text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestLines(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ source, want string }{
		"paragraphs":       {"One\ntwo\n\nthree  \nfour", "One\ntwo\n\nthree\nfour\n"},
		"emphasis":         {"a **b *c*** ~~d~~ `e  f`", "a *b */*c*/ -d- `e  f`\n"},
		"headings":         {"# A *b*\n\nc", "*A */*b*/\n\nc\n"},
		"a tight list":     {"- a\n- b\n  - c\n\nd", "• {  }a\n• {  }b\n  • {    }c\n\nd\n"},
		"a loose list":     {"9. a\n\n   b\n\n10. c", "9. {   }a\n\n   b\n\n10. {    }c\n"},
		"an empty item":    {"-\n- b", "•\n• {  }b\n"},
		"tasks":            {"- [x] a\n- [ ] b", "• {  }[x] a\n• {  }[ ] b\n"},
		"code":             {"a\n\n```sh\nrm  -rf /\n\tx\n```", "a\n\n  `rm  -rf /`\n  `\tx`\n"},
		"a quotation":      {"> a\n> b\n>\n> - c", "│ a\n│ b\n│\n│ • {│   }c\n"},
		"a link":           {"see [here](https://a.example/b)", "see here (_https://a.example/b_)\n"},
		"a link as it is":  {"<https://a.example> https://b.example [c](c)", "_https://a.example_ _https://b.example_ c\n"},
		"a misleading one": {"[https://good.example](https://bad.example)", "https://good.example (_https://bad.example_)\n"},
		"a script":         {"[x](javascript:alert(1))", "x (_javascript:alert(1)_)\n"},
		"an image":         {"![alt](data:,x)", "alt (_data:,x_)\n"},
		"references":       {`\*a\* &lt;b&gt; &#65;`, "*a* <b> A\n"},
		"HTML":             {"<b>a</b>\n\n<script>\nx\n</script>", "<b>a</b>\n\n  `<script>`\n  `x`\n  `</script>`\n"},
		"a table":          {"| a | b |\n|---|---|\n| c | d |", "*a* │ *b*\nc │ d\n"},
		"a rule":           {"a\n\n---\n\nb", "a\n\n───\n\nb\n"},
		"nested too deep":  {strings.Repeat("> ", 60) + "a", "`" + strings.Repeat("> ", 60) + "a`\n"},
		"nothing":          {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, printed(markdown.Lines(tt.source))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Whatever the text holds, a line is one line.
func FuzzLines(f *testing.F) {
	f.Add("# a\n\n- b\n  1. c\n\n> d | e\n\n```\nf\n```")
	f.Add("[a](b) ![c](d) <e> `f` **g**")
	f.Fuzz(func(t *testing.T, source string) {
		for _, l := range markdown.Lines(source) {
			for _, s := range l.Spans {
				if strings.Contains(s.Text, "\n") {
					t.Errorf("a line has two rows: %q", s.Text)
				}
			}
		}
	})
}
