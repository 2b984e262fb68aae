package dialog

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"ui-mcp/internal/richtext"
	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// lay lays out a line in as many rows as it needs.
func (d *Dialog) lay(l richtext.Line, cols int) []cells.Row {
	pieces := make([]cells.Piece, len(l.Spans))
	for i, s := range l.Spans {
		pieces[i] = cells.Piece{Text: s.Text, Style: d.look.styleOf(s.Style)}
	}
	return rowsOf(pieces, l.First, l.Rest, plain, cols, l.Code)
}

// wrap lays out text in one style. first precedes it, and further rows are as far to the right.
func (d *Dialog) wrap(s string, style sgr.Style, first string, cols int) []cells.Row {
	return rowsOf([]cells.Piece{{Text: s + " ", Style: style}}, first, strings.Repeat(" ", len(first)), style, cols, false)
}

var attrs = []struct {
	style richtext.Style
	attr  sgr.Attr
}{
	{richtext.Strong, sgr.Bold}, {richtext.Emphasis, sgr.Italic}, {richtext.Struck, sgr.Strikethrough},
	{richtext.Address, sgr.Attr(0).WithUnderline(sgr.UnderlineSingle)},
}

func (l Look) styleOf(s richtext.Style) sgr.Style {
	var style sgr.Style
	for _, a := range attrs {
		if s&a.style != 0 {
			style.Attr |= a.attr
		}
	}
	if s&richtext.Code != 0 {
		style = l.color(style, cyan)
	}
	return style
}

// rowsOf lays out text in rows of at most cols columns. A row ends at a blank, or beside a wide
// character, as texts without blanks have them; and anywhere in a word that is longer than a row,
// and in code, whose blanks count. The rows begin with a prefix in a style: first, then rest.
func rowsOf(pieces []cells.Piece, first, rest string, style sgr.Style, cols int, code bool) []cells.Row {
	var all []vt.Cell
	for _, p := range pieces {
		for n := 0; p.Text != ""; p.Text = p.Text[n:] {
			n = partLen(p.Text)
			for w := cells.OneRow([]cells.Piece{{Text: p.Text[:n], Style: p.Style}}, vt.MaxSize).Walk(); w.Next(); {
				all = append(all, w.Cell)
			}
		}
	}
	var rows []cells.Row
	for prefix := first; len(rows) == 0 || len(all) > 0; prefix = rest {
		before := cells.Text(prefix, style, cols/2) // of nested lists
		n := lengthOf(all, cols-before.Columns(), code)
		row := []cells.Piece{{Text: before.Text, Style: style}}
		for _, c := range all[:n] {
			row = append(row, cells.Piece{Text: c.Text, Style: c.Style})
		}
		rows = append(rows, cells.OneRow(row, cols))
		all = all[n:]
		for !code && len(all) > 0 && isBlank(all[0]) {
			all = all[1:]
		}
	}
	return rows
}

// maxPart is how many characters are laid out at a time: a row has all of them, even if they are
// tabs.
const maxPart = vt.MaxSize / 8

// partLen returns the length of the start of a text that is laid out by itself. It ends before an
// ASCII character, if it can: others may belong to the one before.
func partLen(s string) int {
	characters, end := 0, 0
	for i, r := range s {
		if characters == maxPart {
			return cmp.Or(end, i)
		}
		if r < utf8.RuneSelf {
			end = i
		}
		characters++
	}
	return len(s)
}

// lengthOf returns how many cells are in a row of some columns, at least one of those there are.
func lengthOf(all []vt.Cell, cols int, code bool) int {
	n, width := 0, 0
	for n < len(all) && width+all[n].Width <= cols {
		width += all[n].Width
		n++
	}
	if n == len(all) || code {
		return max(n, min(1, len(all)))
	}
	for end := n; end > 0; end-- {
		if isBlank(all[end]) || all[end].Width > 1 || isBlank(all[end-1]) || all[end-1].Width > 1 {
			return end
		}
	}
	return max(n, 1)
}

func isBlank(c vt.Cell) bool { return c.Text == " " || c.Text == "" }
