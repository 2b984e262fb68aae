package markdown_test

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"ui-mcp/internal/markdown"
	"ui-mcp/internal/richtext"
)

func TestHTML(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"**a** `b`", "<p><strong>a</strong> <code>b</code></p>\n"},
		{"# t\n\n- x\n- [x] y", "<h1>t</h1>\n<ul>\n<li>x</li>\n<li><input checked=\"\" disabled=\"\" type=\"checkbox\"> y</li>\n</ul>\n"},
		{"~~a~~ https://example.org", "<p><del>a</del> <a href=\"https://example.org\">https://example.org</a></p>\n"},
		{"a <b>bold</b>", "<p>a &lt;b&gt;bold&lt;/b&gt;</p>\n"},
		{"<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"},
		{"<div>\n*a*\n</div>\n\nb", "<p>&lt;div&gt;\n*a*\n&lt;/div&gt;\n</p>\n<p>b</p>\n"},
		{"[x](javascript:alert(1))", "<p><a href=\"\">x</a></p>\n"},
		{"![x](data:text/html,<b>)", "<p><img src=\"\" alt=\"x\"></p>\n"},
	} {
		if got := markdown.HTML(c.in); got != c.want {
			t.Errorf("HTML(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// Converting a text takes little time and memory, whatever it is.
func TestHTMLIsBounded(t *testing.T) {
	const length = 256 << 10
	attacks := map[string]string{
		"table":                     strings.Repeat("|a", 5_000) + "\n" + strings.Repeat("|-", 5_000) + "\n" + strings.Repeat("|\n", 7_000),
		"table in a list":           "- " + strings.Repeat("|a", 5_000) + "\n  " + strings.Repeat("|-", 5_000) + "\n" + strings.Repeat("  |\n", 7_000),
		"table in a quotation":      "> " + strings.Repeat("|a", 5_000) + "\n> " + strings.Repeat("|-", 5_000) + "\n" + strings.Repeat("> |\n", 7_000),
		"table without outer lines": strings.Repeat("a|", 5_000) + "a\n" + strings.Repeat("-|", 5_000) + "-\n" + strings.Repeat("a\n", 7_000),
		"many tables":               strings.Repeat(strings.Repeat("|a", 300)+"\n"+strings.Repeat("|-", 300)+"\n"+strings.Repeat("|\n", 300)+"\n", 100),
		"lists by indentation": func() string {
			var b strings.Builder
			for i := range 700 {
				b.WriteString(strings.Repeat(" ", 2*i) + "- a\n")
			}
			return b.String()
		}(),
	}
	for _, unit := range []string{"[", "![", "[a](", "[a", "*a **b ", "*a_ ", "**", "a*_", "`", "<", "<!--", "&", "a@b.c ", "http://a ", "~~a",
		"- ", "1. ", "> ", ">", "|", "* * *\n", "# ", "a\n", "[a]: b\n[a]\n", "- a\n\n", "\t", "](", "[[a]", "<?", "a|b\n-|-\n", "![a](", "\\", ">\n", "*\n"} {
		attacks[unit] = strings.Repeat(unit, length/len(unit))
		attacks[unit+" after text"] = "a " + strings.Repeat(unit, 20<<10/len(unit))
	}
	for name, text := range attacks {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		begin := time.Now()
		out := markdown.HTML(text)
		took := time.Since(begin)
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; took > 10*time.Second || n > maxAllocated || len(out) > 16<<20 {
			t.Errorf("%q: it took %s and %d MiB, and made %d bytes", name, took, n>>20, len(out))
		}
	}
	// Real documents are far from that.
	const plain = "# Title\n\nSome *text* with a [link](https://example.org), and\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> - quoted\n>   - deeper\n\n```go\nf(x[1], *p)\n```\n\n"
	if out := markdown.HTML(strings.Repeat(plain, 1_000)); strings.Count(out, "<table>") != 1_000 {
		t.Errorf("a long text is not converted: %.200s", out)
	}
}

// elements are all that Markdown can make.
var elements = strings.Fields(`html head body h1 h2 h3 h4 h5 h6 p blockquote pre code ul ol li input table thead tbody
	tr th td strong em del a img br hr`)

var attributes = strings.Fields("href src alt title class start align checked disabled type")

func FuzzHTML(f *testing.F) {
	for _, s := range []string{"<script>", "[a](javascript:x)", "<a href='x' onclick=y>", "```html\n<b>\n```", "<javascript:x>", "| a |\n|--|\n| <i> |", "[a](JAVA&#10;script:x)", "<!-- --><img src=x onerror=y>", "[a]: vbscript:x\n[a]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := html.Parse(strings.NewReader(markdown.HTML(text)))
		if err != nil {
			t.Fatal(err)
		}
		for n := range doc.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			if !slices.Contains(elements, n.Data) {
				t.Errorf("%q makes a <%s>", text, n.Data)
			}
			for _, a := range n.Attr {
				if !slices.Contains(attributes, a.Key) {
					t.Errorf("%q makes a %s=%q", text, a.Key, a.Val)
				}
				link := strings.ToLower(strings.TrimLeft(a.Val, "\x00\t\n\f\r "))
				if (a.Key == "href" || a.Key == "src") && (strings.HasPrefix(link, "javascript:") || strings.HasPrefix(link, "vbscript:") || strings.HasPrefix(link, "data:text")) {
					t.Errorf("%q makes a link to %q", text, a.Val)
				}
			}
		}
	})
}

// The styles that tables have are those that StylePolicy admits.
func TestStylePolicy(t *testing.T) {
	t.Parallel()
	styles := regexp.MustCompile(`style="([^"]*)"`).FindAllStringSubmatch(markdown.HTML("| a | b | c |\n|:--|:-:|--:|\n"), -1)
	if n := strings.Count(markdown.StylePolicy, "sha256"); len(styles) != n {
		t.Errorf("%d styles and %d hashes", len(styles), n)
	}
	for _, m := range styles {
		sum := sha256.Sum256([]byte(m[1]))
		if !strings.Contains(markdown.StylePolicy, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
			t.Errorf("%s is not admitted", m[1])
		}
	}
}

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
