package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const document = "# The `wsh` command\n\nBefore [all](other.md#part), with\n[source](../code.go) and ![a picture](p.webp).\n\n" +
	"## Keys, and more\n\n- one\n- two <b>\n\nAnd\n\n    code\n\n## Keys, and more\n\n| a | b |\n|---|---|\n| c | d |\n"

func TestParse(t *testing.T) {
	t.Parallel()
	d := Parse(document, func(to string, image bool) string {
		switch {
		case image:
			return "/pictures/" + to
		case strings.HasSuffix(to, ".go"):
			return ""
		}
		return "/docs/" + to
	})
	want := []Section{
		{1, "The wsh command", "the-wsh-command", "Before all, with source and a picture."},
		{2, "Keys, and more", "keys-and-more", "one two <b> And code"},
		{2, "Keys, and more", "keys-and-more-1", "a b c d"},
	}
	if diff := cmp.Diff(want, d.Sections); diff != "" {
		t.Errorf("sections (-want +got)\n%s", diff)
	}
	if d.Title != "The wsh command" {
		t.Errorf("the title is %q", d.Title)
	}
	for _, part := range []string{
		`<h1 id="the-wsh-command">The <code>wsh</code> command</h1>`, `<h2 id="keys-and-more-1">`,
		`<a href="/docs/other.md#part">all</a>`, "with\nsource and", `<img src="/pictures/p.webp" alt="a picture">`, "<td>d</td>",
	} {
		if !strings.Contains(d.HTML, part) {
			t.Errorf("%q is missing in\n%s", part, d.HTML)
		}
	}
}

// What stands before the first heading is a section, too.
func TestParseWithoutHeading(t *testing.T) {
	t.Parallel()
	d := Parse("Only text.\n", func(to string, _ bool) string { return to })
	if diff := cmp.Diff([]Section{{Text: "Only text."}}, d.Sections); diff != "" || d.Title != "" {
		t.Errorf("title %q, sections (-want +got)\n%s", d.Title, diff)
	}
}
