package dialog

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/vt"
)

// The size of a dialog, in columns and rows.
const (
	minCols, maxCols = 20, 76
	padding          = 2 // columns on each side of the text
	minMessage       = 1 // rows of the message that must fit
)

// Colours that stand out on dark and on light terminals.
var (
	background = vt.Indexed(236)
	text       = vt.Style{FG: vt.Indexed(255), BG: background}
	bold       = vt.Style{FG: vt.Indexed(255), BG: background, Attr: vt.Bold}
	faint      = vt.Style{FG: vt.Indexed(250), BG: background}
	selected   = vt.Style{FG: vt.Indexed(236), BG: vt.Indexed(255), Attr: vt.Bold}
)

// Draw returns the dialog in the middle of a terminal of the given size. It reports false if the
// terminal is too small for the question.
func (d *Dialog) Draw(cols, rows int) (overlay.Layer, bool) {
	width := min(cols, maxCols)
	inner := width - 2*padding
	if width < minCols {
		return overlay.Layer{}, false
	}
	head := append([]cells.Row{{}}, wrap(oneLine(d.question.Title), bold, inner)...)
	head = append(head, cells.Row{})
	foot := d.foot(inner)
	message := wrap(strings.TrimRight(d.question.Message, "\n"), text, inner)
	room := rows - len(head) - len(foot)
	if len(message) > room {
		room-- // for the row that says so
	}
	if room < minMessage {
		return overlay.Layer{}, false
	}
	d.all, d.page = len(message), min(room, len(message))
	d.scroll(0) // to what there is at this size
	d.read = max(d.read, d.top+d.page)
	lines := append(head, message[d.top:d.top+d.page]...)
	if d.page < d.all {
		lines = append(lines, d.position(inner))
	}
	lines = append(lines, foot...)
	for i := range lines {
		lines[i] = indent(lines[i])
	}
	return overlay.Layer{
		Kind: overlay.Overlay, Row: (rows - len(lines)) / 2, Col: (cols - width) / 2, Width: width, Height: len(lines),
		Filled: true, Background: background, Lines: lines,
	}, true
}

// position says which part of the message is displayed.
func (d *Dialog) position(inner int) cells.Row {
	where := fmt.Sprintf("rows %d to %d of %d: PgDn and PgUp scroll", d.top+1, d.top+d.page, d.all)
	return line(where, faint, inner)
}

// foot returns the rows below the message: the options, and what keys do.
func (d *Dialog) foot(inner int) []cells.Row {
	rows := []cells.Row{{}}
	if d.question.Text {
		rows = append(rows, d.field(inner))
	}
	for i, option := range d.question.Options {
		style := text
		if i == d.selected {
			style = selected
		}
		label := fmt.Sprintf(" %d  %s ", i+1, oneLine(option))
		if d.question.Text {
			label = " " + oneLine(option) + " "
		}
		rows = append(rows, line(label, style, inner))
	}
	if n := len(rows); n > 1 {
		rows = append(rows, cells.Row{})
	}
	rows = append(rows, wrap(d.help(), faint, inner)...)
	return append(rows, cells.Row{})
}

// help says what keys do.
func (d *Dialog) help() string {
	const away = "   Esc: not now"
	switch n := len(d.question.Options); {
	case d.selected == textField:
		return "Enter: answer   Tab: next" + away
	case d.question.Text:
		return "Tab: type the answer" + away
	case n == 0:
		return d.question.Elsewhere + away
	case d.question.Careful:
		return "Tab and Enter: answer" + away
	case n == 1:
		return "1, or Tab and Enter: answer" + away
	default:
		return fmt.Sprintf("1 to %d, or Tab and Enter: answer%s", n, away)
	}
}

// field returns the row with the text: its end if it is too long, and one dot for each character of
// a secret.
func (d *Dialog) field(inner int) cells.Row {
	typed, style, cursor := string(d.text), text, ""
	if d.question.Secret {
		typed = strings.Repeat("•", len(d.text))
	}
	if d.selected == textField {
		style, cursor = selected, "▏"
	}
	room := inner - len(" > ▏ ")
	for width, _ := cells.Measure([]cells.Piece{{Text: typed}}); width > room && typed != ""; width, _ = cells.Measure([]cells.Piece{{Text: typed}}) {
		_, n := utf8.DecodeRuneInString(typed)
		typed = typed[n:]
	}
	return line(" > "+typed+cursor+" ", style, inner)
}

// wrap lays out text in as many rows as it needs. Empty text has none.
func wrap(s string, style vt.Style, cols int) []cells.Row {
	return cells.Wrap([]cells.Piece{{Text: s, Style: style}}, cols)
}

// line lays out text in one row, and cuts what does not fit.
func line(s string, style vt.Style, cols int) cells.Row {
	rows := cells.Shape([]cells.Piece{{Text: s, Style: style}}, cols, 1)
	if len(rows) == 0 {
		return cells.Row{}
	}
	return rows[0]
}

// oneLine makes line feeds blanks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// indent moves a row to the right of the padding.
func indent(r cells.Row) cells.Row {
	var p cells.Painter
	p.Reset(padding + r.Columns())
	p.Fill(0, padding, text)
	p.Paint(r, padding, 0, padding+r.Columns(), background)
	return p.Row()
}
