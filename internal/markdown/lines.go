package markdown

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"ui-mcp/internal/richtext"
)

// Lines returns the text as lines, with the addresses of links after their texts. Empty lines are
// between blocks. A text that HTML would show as it is written is so here, too. Lines is safe for
// concurrent use.
func Lines(source string) []richtext.Line {
	if !simple(source) {
		return richtext.AsCode(source)
	}
	p := printer{source: []byte(source)}
	p.blocks(converter().Parser().Parse(text.NewReader(p.source)), "", "", false)
	return p.lines
}

// A printer collects the lines of a document.
type printer struct {
	source []byte
	lines  []richtext.Line
}

// blocks prints the blocks in n. The first line has the prefix first, all others rest. In a tight
// list, no empty lines are between them.
func (p *printer) blocks(n ast.Node, first, rest string, tight bool) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c != n.FirstChild() {
			first = rest
			if !tight {
				p.blank(rest)
			}
		}
		p.block(c, first, rest)
	}
}

// blank adds a line with a prefix alone.
func (p *printer) blank(prefix string) {
	prefix = strings.TrimRight(prefix, " ")
	p.lines = append(p.lines, richtext.Line{First: prefix, Rest: prefix})
}

func (p *printer) block(n ast.Node, first, rest string) {
	switch n := n.(type) {
	case *ast.Heading:
		p.text(n, first, rest, richtext.Strong)
	case *ast.Blockquote:
		p.blocks(n, first+"│ ", rest+"│ ", false)
	case *ast.List:
		p.list(n, first, rest)
	case *ast.ThematicBreak:
		p.lines = append(p.lines, richtext.Line{First: first, Rest: rest, Spans: []richtext.Span{{Text: "───"}}})
	case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.HTMLBlock:
		p.code(n, first+"  ", rest+"  ")
	case *extast.Table:
		p.table(n, first, rest)
	default: // a paragraph
		p.text(n, first, rest, 0)
	}
}

func (p *printer) list(n *ast.List, first, rest string) {
	number := n.Start
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		marker := "• "
		if n.IsOrdered() {
			marker = fmt.Sprintf("%d%c ", number, n.Marker)
			number++
		}
		if c != n.FirstChild() && !n.IsTight {
			p.blank(rest)
		}
		before := len(p.lines)
		p.blocks(c, first+marker, rest+strings.Repeat(" ", len([]rune(marker))), n.IsTight)
		if len(p.lines) == before { // an empty item
			p.blank(first + marker)
		}
		first = rest
	}
}

func (p *printer) code(n ast.Node, first, rest string) {
	code := n.Lines().Value(p.source)
	if h, ok := n.(*ast.HTMLBlock); ok && h.HasClosure() {
		code = append(code, h.ClosureLine.Value(p.source)...)
	}
	for _, l := range richtext.AsCode(string(code)) {
		l.First, l.Rest = first, rest
		p.lines = append(p.lines, l)
		first = rest
	}
}

// table prints a row of a table as a line, with its cells side by side.
func (p *printer) table(n ast.Node, first, rest string) {
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		line := richtext.Line{First: first, Rest: rest}
		style := richtext.Style(0)
		if row.Kind() == extast.KindTableHeader {
			style = richtext.Strong
		}
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			if cell != row.FirstChild() {
				line.Spans = append(line.Spans, richtext.Span{Text: " │ "})
			}
			in := inline{source: p.source, lines: []richtext.Line{line}}
			in.children(cell, style)
			line = in.lines[0]
		}
		p.lines = append(p.lines, line)
		first = rest
	}
}

func (p *printer) text(n ast.Node, first, rest string, style richtext.Style) {
	in := inline{source: p.source, rest: rest, lines: []richtext.Line{{First: first, Rest: rest}}}
	in.children(n, style)
	p.lines = append(p.lines, in.lines...)
}

// inline collects the text of a block; line ends in it begin lines, as they do in a page.
type inline struct {
	source []byte
	rest   string
	lines  []richtext.Line
}

func (in *inline) add(s string, style richtext.Style) {
	last := &in.lines[len(in.lines)-1]
	if s != "" {
		last.Spans = append(last.Spans, richtext.Span{Text: strings.ReplaceAll(s, "\n", " "), Style: style})
	}
}

func (in *inline) children(n ast.Node, style richtext.Style) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		in.node(c, style)
	}
}

func (in *inline) node(n ast.Node, style richtext.Style) {
	switch n := n.(type) {
	case *ast.Text:
		in.add(unescape(n.Value(in.source), n.IsRaw()), style)
		if n.SoftLineBreak() || n.HardLineBreak() {
			in.lines = append(in.lines, richtext.Line{First: in.rest, Rest: in.rest})
		}
	case *ast.String:
		in.add(string(n.Value), style)
	case *ast.CodeSpan:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				in.add(string(t.Value(in.source)), style|richtext.Code)
			}
		}
	case *ast.Emphasis:
		if n.Level > 1 {
			style |= richtext.Strong
		} else {
			style |= richtext.Emphasis
		}
		in.children(n, style)
	case *extast.Strikethrough:
		in.children(n, style|richtext.Struck)
	case *extast.TaskCheckBox:
		in.add(map[bool]string{true: "[x] ", false: "[ ] "}[n.IsChecked], style)
	case *ast.AutoLink:
		in.add(string(n.URL(in.source)), style|richtext.Address)
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			s := n.Segments.At(i)
			in.add(string(s.Value(in.source)), style)
		}
	case *ast.Link:
		in.linked(n, string(n.Destination), style)
	case *ast.Image:
		in.linked(n, string(n.Destination), style)
	default:
		in.children(n, style)
	}
}

// linked prints the text of a link and its address, which is what the person must know.
func (in *inline) linked(n ast.Node, address string, style richtext.Style) {
	line, before := len(in.lines), len(in.lines[len(in.lines)-1].Spans)
	in.children(n, style)
	if line == len(in.lines) {
		written := ""
		for _, s := range in.lines[line-1].Spans[before:] {
			written += s.Text
		}
		if written == address {
			return
		}
	}
	in.add(" (", style)
	in.add(address, style|richtext.Address)
	in.add(")", style)
}

// unescape returns text as it is meant: without backslashes before punctuation, and with the
// characters that references name.
func unescape(b []byte, raw bool) string {
	if raw {
		return string(b)
	}
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(b))))
}
