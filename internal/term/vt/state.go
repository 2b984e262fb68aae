package vt

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ui-mcp/internal/term/scrollback"
	"ui-mcp/internal/term/sgr"
)

// AppendState appends the bytes that, written to a new terminal of the same size, bring it into the
// state of t: both screens with the sizes of their lines, their saved cursors and keyboard stacks,
// the newest history lines up to the given number, the cursor with its pen, character sets and
// pending wrap, margins, tab stops, modes, palette, title, working directory, pointer, and the
// beginning of an incomplete sequence or character. Output that t gets next then has the same
// effect on both. The shell's marks are left out, the modes that XTSAVE has saved, the stack of
// titles, the parts of a notification, and the picture from before a synchronized update.
//
// A stream that begins with these bytes can begin at any moment, also in the middle of a sequence.
// They are sequences that programs use, too, so other terminals understand them as far as they have
// the features.
//
// What programs hardly ever leave behind is approximated: empty cells in a style become blanks in
// it; an emoji in the last column that lacks room is its first character; the last row of the
// screen loses its wrap mark, and a wrapped history line of a screen of one row its size; a cursor
// outside the margins in origin mode moves to them, a wrap is pending only where a character was
// printed last, and the next character joins that one only if nothing was set since.
func (t *Terminal) AppendState(b []byte, history int) []byte {
	w := &stateWriter{t: t, b: b, graphemes: true}
	w.tabs() // before lines of double width keep the cursor from some columns
	first := max(t.history.First, t.history.Next-min(t.history.Next, uint64(max(history, 0))))
	alternate := &t.alternate
	if alternate.rows != nil {
		alternate.crop(t.rows, t.cols, t.stamp) // as show would
	}
	if t.scr == alternate {
		w.screen(&t.primary, first)
		w.enterAlternate()
		w.screen(alternate, t.history.Next)
	} else {
		if alternate.content() > 0 || alternate.saved != (savedCursor{}) || alternate.keys.current != 0 || len(alternate.keys.pushed) > 0 {
			w.privateMode(ModeAltScreen, true)
			w.screen(alternate, t.history.Next)
			w.privateMode(ModeAltScreen, false)
		}
		w.screen(&t.primary, first)
	}
	w.settings()
	w.margins()
	w.modes()
	w.cursor()
	return t.parser.appendPrefix(w.b)
}

// A stateWriter writes t's state for a new terminal, whose pen, sets and mode 2027 it tracks.
type stateWriter struct {
	t         *Terminal
	b         []byte
	pen       scrollback.Pen
	sets      charsets
	graphemes bool

	y, x      int // the cursor; y is -1 if it is unknown
	top, left int // where the cursor's coordinates begin
}

func (w *stateWriter) add(s string) { w.b = append(w.b, s...) }

// csi writes a control sequence. mark is a private character or "", and final may begin with an
// intermediate character.
func (w *stateWriter) csi(mark, final string, params ...int) {
	w.add("\x1b[")
	w.add(mark)
	for i, p := range params {
		if i > 0 {
			w.add(";")
		}
		w.b = strconv.AppendInt(w.b, int64(p), 10)
	}
	w.add(final)
}

func (w *stateWriter) osc(s string) { w.add("\x1b]" + s + "\x1b\\") }

func (w *stateWriter) privateMode(m Mode, on bool) {
	final := "l"
	if on {
		final = "h"
	}
	w.csi("?", final, modeNumber(m))
}

// modeNumber returns the lowest number of a private mode.
func modeNumber(m Mode) int {
	number := 0
	for n, mode := range privateModes {
		if mode == m && (number == 0 || n < number) {
			number = n
		}
	}
	return number
}

// screen writes a screen, which must be the active one of the new terminal: the keyboard's stack,
// the saved cursor, the history from line first on if it is the primary one, and the rows.
func (w *stateWriter) screen(s *screen, first uint64) {
	if k := s.keys; len(k.pushed) > 0 || k.current != 0 {
		flags := append(slices.Clone(k.pushed), k.current)
		w.csi("=", "u", int(flags[0]))
		for _, f := range flags[1:] {
			w.csi(">", "u", int(f))
		}
	}
	w.rows(s, first)
}

// enterAlternate shows the alternate screen by mode 1049, as programs do: viewers look for it. That
// saves the cursor of the primary screen, so the saved one is restored first, unless terminals
// restore it differently.
func (w *stateWriter) enterAlternate() {
	s, rows := w.t.primary.saved, w.t.primary.rows
	placeable := s.y < len(rows) && s.x < w.t.cols && rows[s.y].size == SingleSize
	if !placeable || s.origin || s.pending || s.sets.single != 0 || s.pen.Attr&sgr.Protected != 0 {
		w.privateMode(ModeAltScreen, true)
		return
	}
	w.add("\x1b8")
	w.pen, w.sets = s.pen, s.sets
	w.csi("?", "h", 1049)
	w.setPen(scrollback.Pen{})
	w.setCharsets(charsets{})
	if s.pen != (scrollback.Pen{}) { // with which the screen was erased
		w.csi("", "H")
		w.csi("", "J")
	}
	w.lost()
}

// settings writes what neither the screens nor the modes have.
func (w *stateWriter) settings() {
	t := w.t
	if t.title != "" {
		w.osc("2;" + t.title)
	}
	for slot := range paletteSize {
		r, g, b, ok := t.palette.At(slot).RGB()
		if !ok {
			continue
		}
		command := "4;" + strconv.Itoa(slot)
		if slot >= PaletteForeground {
			command = strconv.Itoa(10 + slot - PaletteForeground)
		}
		w.osc(fmt.Sprintf("%s;#%02x%02x%02x", command, r, g, b))
	}
	w.directory(t.cwd)
	if t.pointer != "" {
		w.osc("22;" + t.pointer)
	}
	if t.modify != 0 {
		w.csi(">", "m", 4, t.modify)
	}
	if t.shape != CursorBlock || !t.modes.Has(ModeCursorBlink) {
		w.csi("", " q", t.cursorStyle())
	}
}

func (w *stateWriter) directory(d Directory) {
	switch {
	case d == Directory{}:
	case d.Host == "" && !strings.HasPrefix(d.Path, "/"):
		w.osc("9;9;" + d.Path)
	default:
		host := d.Host
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		w.osc("7;" + (&url.URL{Scheme: "file", Host: host, Path: d.Path}).String())
	}
}

func (w *stateWriter) tabs() {
	var usual tabStops
	usual.reset()
	if w.t.tabs == (tabStops{}) {
		w.csi("", "g", 3)
		return
	}
	for x := range w.t.cols {
		if on := w.t.tabs[x]; on != usual[x] {
			w.csi("", "G", x+1)
			if on {
				w.add("\x1bH")
			} else {
				w.csi("", "g", 0)
			}
		}
	}
}

func (w *stateWriter) margins() {
	t := w.t
	if t.top > 0 || t.bottom < t.rows-1 {
		w.csi("", "r", t.top+1, t.bottom+1)
	}
	if t.modes.Has(ModeLeftRightMargins) {
		w.privateMode(ModeLeftRightMargins, true)
		if !t.fullWidth() {
			w.csi("", "s", t.left+1, t.right+1)
		}
	}
}

// modes sets the modes, except those set elsewhere: with margins, screens and the cursor.
func (w *stateWriter) modes() {
	const elsewhere Modes = 1<<ModeLeftRightMargins | 1<<ModeAltScreen | 1<<ModeGraphemes | 1<<ModeCursorBlink
	from, to := initialModes&^elsewhere, w.t.modes&^elsewhere
	for _, m := range slices.Compact(slices.Sorted(maps.Values(privateModes))) {
		if from.Has(m) != to.Has(m) {
			w.privateMode(m, to.Has(m))
		}
	}
	if w.t.modes.Has(ModeLineFeed) {
		w.csi("", "h", 20)
	}
}

// appendPrefix appends the bytes of the incomplete sequence or character, or others that leave the
// parser in an equivalent state.
func (p *parser) appendPrefix(b []byte) []byte {
	intermediates := func(b []byte) []byte {
		if p.inter != 0 {
			b = append(b, p.inter)
			if p.misplaced {
				b = append(b, p.inter)
			}
		}
		return b
	}
	switch p.state {
	case stateGround:
		return append(b, p.partial[:p.npartial]...)
	case stateEscape, stateEscapeIntermediate:
		return intermediates(append(b, esc))
	case stateCSI:
		b = append(b, "\x1b["...)
		if p.misplaced {
			return append(b, "??"...)
		}
		if p.private != 0 {
			b = append(b, p.private)
		}
		for i, v := range p.params[:p.nparams] {
			if i > 0 && p.colons>>i&1 != 0 {
				b = append(b, ':')
			} else if i > 0 {
				b = append(b, ';')
			}
			b = strconv.AppendUint(b, uint64(v), 10)
		}
		if p.overflow {
			b = append(b, ';')
		}
		return intermediates(b)
	case stateDCS:
		return intermediates(append(b, "\x1bP"...))
	case stateOSC:
		b = append(b, "\x1b]"...)
		if p.tooLong {
			b = append(b, '-') // no command begins so
		}
	case stateDCSString:
		if p.tooLong {
			b = append(b, "\x1bX"...)
		} else {
			b = append(b, 0x1b, 'P', p.inter, 'q')
		}
	case stateIgnoreString:
		b = append(b, "\x1bX"...)
	}
	b = append(b, p.str...)
	half := len(b) > 0 && b[len(b)-1] == 0xC2
	switch {
	case p.c2 && !half:
		b = append(b, 0xC2)
	case half && !p.c2:
		b = append(b, 0) // so that the next byte does not complete ST
	}
	return b
}
