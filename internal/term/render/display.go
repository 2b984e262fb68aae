package render

import (
	"bytes"
	"fmt"
	"slices"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/vt"
)

// A Display draws frames on a person's terminal one after the other, and remembers what the
// terminal displays. The zero Display draws all frames in place. It is not safe for concurrent use.
type Display struct {
	// Screens draws the alternate screen on the terminal's own alternate screen, and the normal one
	// on the primary screen, whose previous text moves into the scrollback.
	Screens bool
	// Adopted says that an earlier Display with Screens has drawn on the primary screen.
	Adopted bool

	frame     *Frame // nil: what the terminal displays is unknown
	primary   *Frame // what the primary screen displays while the alternate one is active
	alternate bool   // the terminal's alternate screen is active
	last      *Frame // drawn last, also after Forget
}

// Sequences that switch the screens of a terminal. Each screen has its own stack of keyboard flags.
const (
	enterAlternate = "\x1b[?1049h\x1b[>0u"
	leaveAlternate = "\x1b[<u\x1b[?1049l"
)

// Displayed returns the frame that the terminal displays, or nil if that is unknown.
func (d *Display) Displayed() *Frame { return d.frame }

// Forget makes the next frame be drawn from scratch.
func (d *Display) Forget() { d.frame, d.primary = nil, nil }

// Draw appends the bytes that make the terminal display a frame, or nothing if it does. It assumes
// nothing about a terminal that displays nothing yet, or a frame of another size: it sets the
// relevant modes, clears the screen and draws all of it. The terminal must have the size of the
// frame, and must not be used for anything else. The changes appear at once if the terminal
// supports synchronized output, or if they take few bytes.
//
// off are rows that have scrolled off the program's primary screen since the frame that the
// terminal displays: with Screens, they move into the terminal's own scrollback, where that is
// possible.
func (d *Display) Draw(b []byte, off []cells.Row, to *Frame) []byte {
	primary := d.primary // to which d may return
	if d.Screens {
		if to.Mode == overlay.Alternate && !d.alternate { // what comes first is for the other screen
			b = d.scroll(b, d.frame, off, to)
			off = nil
		}
		b = d.enter(b, to)
	}
	start, fresh := len(b), isFresh(d.frame, to)
	if d.frame != nil {
		primary = d.frame
	}
	b = d.scroll(b, primary, off, to)
	b = appendDiff(b, d.frame, d.last, to)
	d.frame, d.last = to, to
	return atOnce(b, start, fresh)
}

// scroll appends the bytes that move rows into the terminal's own scrollback. It does nothing where
// terminals keep no rows that scroll off, which is below a panel at the top, and where it is not
// known what the terminal displays on the primary screen: from, or nil.
func (d *Display) scroll(b []byte, from *Frame, off []cells.Row, to *Frame) []byte {
	if !d.Screens || len(off) == 0 || d.alternate || from == nil || from.Cols != to.Cols || from.Rows != to.Rows || from.Top > 0 || to.Top > 0 {
		return b
	}
	height := to.Rows - to.Bottom
	if to.Bottom > 0 && height < 2 { // terminals do not let a single row scroll
		return b
	}
	e := encoder{out: b, rows: to.Rows, cols: to.Cols, unsure: true}
	if to.Bottom > 0 {
		e.margins(0, height)
	}
	shown := *from
	shown.Lines = slices.Clone(from.Lines)
	for len(off) > 0 {
		n := min(height, len(off))
		for y, r := range off[:n] {
			if !shown.Lines[y].Equal(r) {
				e.sizedLine(y, shown.Lines[y], r)
			}
		}
		e.plain()
		e.move(height-1, 0)
		for range n {
			e.out = append(e.out, '\n')
		}
		copy(shown.Lines[:height], shown.Lines[n:height])
		clear(shown.Lines[height-n : height])
		off = off[n:]
	}
	if to.Bottom > 0 {
		e.out = append(e.out, "\x1b[r"...)
		e.home()
	}
	shown.Cursor.Row, shown.Cursor.Col = e.row, e.col
	if d.frame != nil { // else all of the frame is drawn: the other screen may have left anything
		d.frame = &shown
	}
	return e.out
}

// enter makes the screen active that a frame belongs to.
func (d *Display) enter(b []byte, to *Frame) []byte {
	alternate := to.Mode == overlay.Alternate
	switch {
	case alternate && !d.alternate:
		b = append(b, enterAlternate...)
		d.frame, d.primary = nil, d.frame
	case !alternate && d.alternate:
		b = append(b, leaveAlternate...)
		d.frame, d.primary = nil, nil
	}
	d.alternate = alternate
	if !alternate && !d.Adopted {
		// Wherever the cursor is, these line feeds scroll only the rows above it out of the screen.
		b = append(b, '\r')
		for range to.Rows - 1 {
			b = append(b, '\n')
		}
		d.Adopted = true
	}
	return b
}

// Leave appends the bytes that restore the terminal for programs: see [AppendRestore]. With
// Screens, the primary screen is active then, and the cursor below what it displays.
func (d *Display) Leave(b []byte) []byte {
	if d.alternate { // before the cursor is saved again
		b = append(b, leaveAlternate...)
		d.frame, d.primary, d.alternate = d.primary, nil, false
	}
	b = AppendRestore(b)
	if d.last != nil && d.last.CursorColor != 0 {
		b = appendCursorColor(b, 0)
		last := *d.last
		last.CursorColor = 0
		d.last = &last
	}
	if d.Screens && d.Adopted {
		b = appendBelow(b, d.frame)
	}
	return b
}

// Alternate reports whether a terminal that has drawn the output of a Display with Screens is on
// its alternate screen, given whether it was before.
func Alternate(output []byte, before bool) bool {
	return lastMode(output, enterAlternate[:len("\x1b[?1049")], before)
}

// lastMode returns which state output gives to a mode, the beginning of whose sequence is given.
func lastMode(output []byte, sequence string, before bool) bool {
	i := bytes.LastIndex(output, []byte(sequence)) + len(sequence)
	if i < len(sequence) || i == len(output) {
		return before
	}
	return output[i] == 'h'
}

// Abandon appends the bytes that do the same as [Display.Leave] without the Display, for a client
// whose server is gone. It needs to know whether the alternate screen is active, and whether the
// primary one displays something below which the cursor belongs.
func Abandon(b []byte, alternate, below bool) []byte {
	if alternate {
		b = append(b, leaveAlternate...)
	}
	b = AppendRestore(b)
	if below {
		b = appendBelow(b, nil)
	}
	return b
}

// appendBelow moves the cursor below the text of a frame, or below the screen if f is nil. What a
// terminal that has another size by now displays there goes.
func appendBelow(b []byte, f *Frame) []byte {
	if f == nil {
		return append(b, "\x1b[9999H\r\n"...)
	}
	used := len(f.Lines)
	for used > 0 && isEmpty(f.Lines[used-1]) {
		used--
	}
	if used == f.Rows {
		return fmt.Appendf(b, "\x1b[%dH\r\n", f.Rows)
	}
	return fmt.Appendf(b, "\x1b[%dH\x1b[J", used+1)
}

// isEmpty reports whether a row has single size and only blanks in the default style.
func isEmpty(r cells.Row) bool {
	if r.Size != vt.SingleSize {
		return false
	}
	for w := r.Walk(); w.Next(); {
		if !isBlank(&w.Cell) {
			return false
		}
	}
	return true
}

// Cover appends the bytes that hide what another Display has drawn on the primary screen behind the
// alternate one. The modes stay as they are. Frames that d draws then appear there. The zero
// Display can cover.
func (d *Display) Cover(b []byte, cols, rows int) []byte {
	d.frame = &Frame{Cols: cols, Rows: rows, Lines: make([]cells.Row, rows)}
	return append(append(b, enterAlternate...), hideCursor...)
}

// Uncover appends the bytes that undo Cover, unless the terminal was resized since. visible says
// whether the cursor was: see [CursorVisible].
func (d *Display) Uncover(b []byte, visible bool) []byte {
	d.frame = nil
	b = append(b, leaveAlternate...)
	if visible {
		return append(b, showCursor...)
	}
	return append(b, hideCursor...)
}

const (
	showCursor = "\x1b[?25h"
	hideCursor = "\x1b[?25l"
)

// CursorVisible reports whether the cursor of a terminal that has drawn the output of a Display is
// visible, given whether it was before.
func CursorVisible(output []byte, before bool) bool {
	return lastMode(output, showCursor[:len(showCursor)-1], before)
}
