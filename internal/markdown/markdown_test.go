package markdown_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"ui-mcp/internal/markdown"
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
