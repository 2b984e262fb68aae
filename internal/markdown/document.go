package markdown

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// A Document is a page of documentation.
type Document struct {
	Title    string // of its first heading, as plain text
	HTML     string
	Sections []Section
}

// A Section is what stands below a heading, up to the next heading of any level. What stands before
// the first heading is one with an empty title.
type Section struct {
	Level  int    // of the heading, from 1
	Title  string // as plain text
	Anchor string // the heading's identifier in the page, as forges give it
	Text   string // as plain text, with one blank for each run of white space
}

// Links returns where a link or an image of a document leads in a page. With an empty address, a
// link is shown as its text alone.
type Links func(destination string, image bool) string

// Parse reads a document of the project itself: unlike HTML, it has no bounds, so it is not for
// texts of strangers. Headings have the identifiers that forges give them. Parse is safe for
// concurrent use, if links is.
func Parse(source string, links Links) Document {
	src := []byte(source)
	root := converter().Parser().Parse(text.NewReader(src))
	d := Document{Sections: []Section{{}}}
	taken := map[string]int{}
	var words strings.Builder // of the section
	finish := func() {
		d.Sections[len(d.Sections)-1].Text = strings.Join(strings.Fields(words.String()), " ")
		words.Reset()
	}
	var unlinked []*ast.Link
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function never fails
		if !entering {
			if n.Type() == ast.TypeBlock {
				words.WriteByte(' ')
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			finish()
			title := plain(n, src)
			anchor := anchorOf(title, taken)
			n.SetAttributeString("id", []byte(anchor))
			d.Sections = append(d.Sections, Section{Level: n.Level, Title: title, Anchor: anchor})
			if d.Title == "" {
				d.Title = title
			}
			return ast.WalkContinue, nil
		case *ast.Link:
			n.Destination = []byte(links(string(n.Destination), false))
			if len(n.Destination) == 0 {
				unlinked = append(unlinked, n)
			}
		case *ast.Image:
			n.Destination = []byte(links(string(n.Destination), true))
		}
		if !inHeading(n) {
			words.WriteString(own(n, src))
		}
		return ast.WalkContinue, nil
	})
	finish()
	for _, n := range unlinked {
		unwrap(n)
	}
	if d.Sections[0].Text == "" {
		d.Sections = d.Sections[1:]
	}
	var out bytes.Buffer
	_ = converter().Renderer().Render(&out, src, root) // a bytes.Buffer takes everything
	d.HTML = out.String()
	return d
}

// unwrap puts what a node contains in its place.
func unwrap(n ast.Node) {
	parent := n.Parent()
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		parent.InsertBefore(parent, n, c)
		c = next
	}
	parent.RemoveChild(parent, n)
}

func inHeading(n ast.Node) bool {
	for ; n != nil; n = n.Parent() {
		if n.Kind() == ast.KindHeading {
			return true
		}
	}
	return false
}

// plain returns the text of a node without its form.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function never fails
		if entering {
			b.WriteString(own(n, source))
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// own returns the text of a node itself, without its child nodes.
func own(n ast.Node, source []byte) string {
	switch n := n.(type) {
	case *ast.Text:
		if n.SoftLineBreak() || n.HardLineBreak() {
			return string(n.Value(source)) + " "
		}
		return string(n.Value(source))
	case *ast.String:
		return string(n.Value)
	case *ast.RawHTML: // which is shown as it is written
		return string(n.Segments.Value(source))
	case *ast.AutoLink:
		return string(n.Label(source))
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		return string(n.Lines().Value(source))
	}
	return ""
}

// anchorOf returns the identifier of a heading: its letters in lower case, digits, hyphens and
// underscores, with a hyphen for each blank; and a number, where others have it already.
func anchorOf(title string, taken map[string]int) string {
	anchor := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, title)
	n := taken[anchor]
	taken[anchor]++
	if n == 0 {
		return anchor
	}
	return anchor + "-" + strconv.Itoa(n)
}
