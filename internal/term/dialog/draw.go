package dialog

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"ui-mcp/internal/markdown"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/richtext"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/sgr"
)

// The size of a dialog, in columns and rows.
const (
	minCols, maxCols = 20, 76
	padding          = 2 // columns on each side of the text: the border and a blank
	minMessage       = 1 // rows of the message that must fit
)

// The colours are the terminal's own, whether it is dark or light.
var (
	plain    = sgr.Style{}
	bold     = sgr.Style{Attr: sgr.Bold}
	faint    = sgr.Style{Attr: sgr.Faint}
	selected = sgr.Style{Attr: sgr.Inverse | sgr.Bold}
)

// Colours of the border and of code, as entries of the terminal's palette.
const red, yellow, cyan = 1, 3, 6

// color returns a style in a colour, unless the person wants none.
func (l Look) color(s sgr.Style, index uint8) sgr.Style {
	if !l.Plain {
		s.FG = sgr.Indexed(index)
	}
	return s
}

func (d *Dialog) border() (border, title sgr.Style) {
	switch d.question.Severity {
	case question.Danger:
		s := d.look.color(bold, red)
		return s, s
	case question.Warning:
		return d.look.color(bold, yellow), bold
	}
	return d.look.color(plain, cyan), bold
}

// A place is the rectangle of a drawn dialog, with the option or button in each of its rows.
type place struct {
	row, col, width int
	targets         []int // for each row: what a click on it is for
}

// at returns what a click at a position of the terminal is for.
func (p *place) at(row, col int) int {
	if row -= p.row; row < 0 || row >= len(p.targets) || col < p.col+1 || col >= p.col+p.width-1 {
		return noSelection
	}
	return p.targets[row]
}

// Draw returns the dialog in the middle of a terminal of the given size, or else what [Dialog.hint]
// does.
func (d *Dialog) Draw(cols, rows int) overlay.Layer {
	width := min(cols, maxCols)
	inner := width - 2*padding
	if width < minCols {
		return d.hint(cols, rows)
	}
	_, titled := d.border()
	title := d.wrap(oneLine(d.question.Title), titled, "", inner)
	if d.inner != inner {
		d.message, d.inner = d.layMessage(inner), inner
	}
	top := d.upperEdge(width)
	borders := len(top) + 1
	var head, foot []cells.Row
	var targets []int
	room := 0
	for fit := roomy; fit <= tight; fit++ {
		head = title
		if fit < tight {
			head = append(slices.Clip(title), cells.Row{})
		}
		foot, targets = d.foot(inner, fit)
		if room = rows - borders - len(head) - len(foot); room >= min(minMessage+1, len(d.message)) {
			break
		}
	}
	if len(d.message) > room {
		room-- // for the row that says so
	}
	if room < minMessage {
		return d.hint(cols, rows)
	}
	d.all, d.page = len(d.message), min(room, len(d.message))
	d.scroll(0) // to what there is at this size
	d.read = max(d.read, d.top+d.page)
	lines := append(slices.Clip(head), d.message[d.top:d.top+d.page]...)
	if d.page < d.all {
		lines = append(lines, d.position(inner))
	}
	before := len(top) + len(lines)
	lines = d.framed(top, append(lines, foot...), width)
	d.drawn = place{row: (rows - len(lines)) / 2, col: (cols - width) / 2, width: width, targets: make([]int, len(lines))}
	for i := range d.drawn.targets {
		d.drawn.targets[i] = noSelection
	}
	copy(d.drawn.targets[before:], targets)
	return overlay.Layer{
		Row: d.drawn.row, Col: d.drawn.col, Width: width, Height: len(lines), Filled: true, Lines: lines,
	}
}

// hint returns what is displayed in the last rows of a terminal that is too small for the question.
// Nothing answers it there.
func (d *Dialog) hint(cols, rows int) overlay.Layer {
	d.page, d.drawn = 0, place{}
	lines := d.wrap("A question: enlarge the terminal   Esc: not now   "+d.where, selected, "", cols)
	lines = lines[:min(len(lines), rows)]
	return overlay.Layer{Row: rows - len(lines), Width: cols, Height: len(lines), Filled: true, Lines: lines}
}

// layMessage lays out all that is to be read: why the last answer was not accepted, the message and
// what it quotes.
func (d *Dialog) layMessage(inner int) (rows []cells.Row) {
	if d.problem != "" {
		rows = append(d.wrap(d.problem, d.look.color(bold, red), "", inner), cells.Row{})
	}
	message := strings.TrimRight(d.question.Message, "\n")
	if d.elsewhere != "" {
		message = safetext.Clip(message, MaxMessage)
	}
	read := richtext.Plain
	if !d.question.Plain {
		read = markdown.Lines
	}
	lines := read(message)
	if quote := strings.TrimRight(d.question.Quote, "\n"); quote != "" {
		if len(lines) > 0 {
			lines = append(lines, richtext.Line{})
		}
		lines = append(lines, richtext.AsCode(quote)...)
	}
	for _, l := range lines {
		rows = append(rows, d.lay(l, inner)...)
	}
	return rows
}

// maxHost is how much there is of the name of a host at most, in bytes: no host has a longer one.
const maxHost = 255

// upperEdge returns the upper border. It names the severity of the question and the other host that
// asks, in rows of its own if it is too long: no text of the question can look like that, and no
// host like another one.
func (d *Dialog) upperEdge(width int) []cells.Row {
	border, _ := d.border()
	name := ""
	switch d.question.Severity {
	case question.Danger, question.Warning:
		name = " " + string(d.question.Severity) + " "
	}
	if d.host == "" {
		return []cells.Row{edge("╭", name, "╮", border, width)}
	}
	host := safetext.Label(d.host, maxHost)
	for _, on := range []string{" asked on ", " on "} {
		if all := name + on + host + " "; cells.Width(all) < width-2 {
			return []cells.Row{edge("╭", all, "╮", border, width)}
		}
	}
	rows := []cells.Row{edge("╭", name+" on ", "╮", border, width)}
	for _, r := range d.wrap(host, border, "", width-2*padding) {
		rows = append(rows, between("├", r, "┤", border, width))
	}
	return rows
}

// framed puts rows into a border with the given top.
func (d *Dialog) framed(top, rows []cells.Row, width int) []cells.Row {
	border, _ := d.border()
	framed := slices.Clip(top)
	for _, r := range rows {
		framed = append(framed, between("│", r, "│", border, width))
	}
	return append(framed, edge("╰", "", "╯", border, width))
}

func edge(left, name, right string, border sgr.Style, width int) cells.Row {
	return cells.Text(left+name+strings.Repeat("─", width-2-cells.Width(name))+right, border, width)
}

func between(left string, r cells.Row, right string, border sgr.Style, width int) cells.Row {
	var p cells.Painter
	p.Reset(width)
	p.Fill(0, width, plain)
	p.Paint(cells.Text(left, border, 1), 0, 0, 1, plain.BG)
	p.Paint(r, padding, padding, width-padding, plain.BG)
	p.Paint(cells.Text(right, border, 1), width-1, width-1, width, plain.BG)
	return p.Row()
}

// position says which part of the message is displayed.
func (d *Dialog) position(inner int) cells.Row {
	where := fmt.Sprintf("rows %d to %d of %d: PgDn and PgUp scroll", d.top+1, d.top+d.page, d.all)
	return cells.Text(where, faint, inner)
}

// A fit is how a dialog uses the rows of the terminal.
type fit int

const (
	roomy fit = iota
	low       // each option has one row, and no description
	tight     // and there are no empty rows
)

// foot returns the rows below the message, options and help, and what a click on each is for.
func (d *Dialog) foot(inner int, f fit) (rows []cells.Row, targets []int) {
	add := func(target int, more ...cells.Row) {
		for _, r := range more {
			rows, targets = append(rows, r), append(targets, target)
		}
	}
	if f < tight {
		add(noSelection, cells.Row{})
	}
	if d.question.AllowText {
		add(textField, d.field(inner))
	}
	for i, option := range d.question.Options {
		style := plain
		if i == d.selected {
			style = selected
		}
		first := fmt.Sprintf(" %d  ", i+1)
		if d.question.AllowText {
			first = " "
		}
		label := oneLine(option.Label)
		if f >= low && (!d.careful() || cells.Width(first+label) <= inner) { // what is done with care is read whole
			add(i, cells.Text(first+label+" ", style, inner))
			continue
		}
		add(i, d.wrap(label, style, first, inner)...)
		if option.Description != "" && f < low {
			add(i, d.wrap(oneLine(option.Description), faint, strings.Repeat(" ", len(first)), inner)...)
		}
	}
	if len(rows) > 1 && f < tight {
		add(noSelection, cells.Row{})
	}
	add(noSelection, d.wrap(d.help(), faint, "", inner)...)
	return rows, targets
}

func (d *Dialog) help() string {
	const away = "   Esc: not now"
	switch n := len(d.question.Options); {
	case d.question.AllowText && d.selected != noSelection:
		return "Enter: answer   Tab: next" + away
	case d.question.AllowText && n > 0:
		return "Tab: type or choose the answer" + away
	case d.question.AllowText:
		return "Tab: type the answer" + away
	case n == 0:
		return d.elsewhere + away
	case d.careful():
		return "Tab and Enter: answer" + away
	case n == 1:
		return "1, or Tab and Enter: answer" + away
	default:
		return fmt.Sprintf("1 to %d, or Tab and Enter: answer%s", n, away)
	}
}

// field returns the row with the text, or its end. A secret has one dot for each character.
func (d *Dialog) field(inner int) cells.Row {
	typed, style, cursor := d.text, sgr.Style{Attr: sgr.Attr(0).WithUnderline(sgr.UnderlineSingle)}, ""
	if d.question.Secret {
		typed = strings.Repeat("•", utf8.RuneCountInString(d.text))
	}
	if d.selected == textField {
		style, cursor = selected, "▏"
	}
	room := inner - len(" > ▏ ")
	for cells.Width(typed) > room && typed != "" {
		_, n := utf8.DecodeRuneInString(typed)
		typed = typed[n:]
	}
	if cursor == "" { // as wide as it may get
		return cells.Text(" > "+typed+strings.Repeat(" ", max(room-utf8.RuneCountInString(typed), 1)), style, inner)
	}
	return cells.Text(" > "+typed+cursor+" ", style, inner)
}

// oneLine makes line feeds blanks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
