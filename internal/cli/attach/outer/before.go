package outer

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"ui-mcp/internal/term/escape"
)

// modes are the private modes that pictures change, with their state after [render.AppendRestore].
// Of the mouse modes, the one set last is active, so they are in the order of how much they report.
var modes = [...]struct {
	number int
	on     bool
}{
	{1, false}, {5, false}, {7, true}, {25, true}, {66, false}, {69, false},
	{9, false}, {1000, false}, {1002, false}, {1003, false}, {1004, false}, {1005, false}, {1006, false}, {1007, false},
	{1015, false}, {1016, false}, {2004, false}, {2027, true},
}

// A state is the previous state of a mode, as terminals report it (DECRPM).
type state byte

const (
	unknown state = iota
	set
	reset
)

// Before is what is known about the state of a terminal before a client drew on it. In the zero
// Before nothing is known. It can be copied.
type Before struct {
	modes           [len(modes)]state
	modifyOtherKeys int    // 1 more than the level, or 0
	cursorStyle     string // the parameter of DECSCUSR, or ""
	pen             string // the parameters of SGR, or ""
	cursorColor     string // as OSC 12 has it, or ""
	answered        bool

	colored    bool // a picture has set the colour of the cursor
	progresses bool // a picture has displayed progress
}

// Questions returns the bytes that ask a terminal for its state. They must be sent before anything
// else. The last question is one that all terminals answer: what they are (DA1). kind is the value
// of TERM: GNU screen writes the content of control strings (DCS) to the terminal around it, and
// old consoles of Linux display it, so those are not asked for settings.
func Questions(kind string) []byte {
	var b []byte
	for _, m := range modes {
		b = fmt.Appendf(b, "\x1b[?%d$p", m.number)
	}
	b = append(b, "\x1b[?4m"...)
	if !strings.HasPrefix(kind, "screen") && kind != "linux" {
		b = append(b, askString+" q\x1b\\"+askString+"m\x1b\\"...)
	}
	return append(b, "\x1b]12;?\x1b\\\x1b[c"...)
}

// askString begins a question about a setting (DECRQSS).
const askString = "\x1bP$q"

// stringStarts are how the answers begin that are control strings: whether the terminal knows the
// setting (DECRPSS), and the colour of the cursor. The last one of a terminal within another may
// come after the answer to the last question.
var stringStarts = [...]string{"\x1bP0$r", "\x1bP1$r", "\x1b]12;"}

// maxString is the longest such answer, in bytes.
const maxString = 256

// nextString returns the length of the answer at the start of b that is a control string, or 0. It
// reports whether b may be the start of one. Alt+P and Alt+] look like that while answers may come.
func (b *Before) nextString(in []byte) (n int, incomplete bool) {
	if len(in) > maxString {
		in = in[:maxString]
	}
	for _, start := range stringStarts {
		if len(in) < len(start) {
			if len(in) > 1 && strings.HasPrefix(start, string(in)) && (!b.answered || len(in) > 2) {
				incomplete = true
			}
			continue
		}
		if bytes.HasPrefix(in, []byte(start)) {
			if n, end := escape.String(in, len(start)); end == escape.Whole {
				return n, false
			} else if end == escape.Open {
				return 0, len(in) < maxString
			}
			return 0, false
		}
	}
	return 0, incomplete
}

// answerString records an answer that is a control string.
func (b *Before) answerString(seq []byte) {
	content := string(bytes.TrimRight(seq, "\x07\x1b\\"))
	if value, ok := strings.CutPrefix(content, "\x1b]12;"); ok {
		if isColor(value) {
			b.cursorColor = value
		}
		return
	}
	value, ok := strings.CutPrefix(content, "\x1bP1$r")
	if !ok {
		return
	}
	if style, ok := strings.CutSuffix(value, " q"); ok {
		if len(style) == 1 && style[0] >= '0' && style[0] <= '6' {
			b.cursorStyle = style
		}
	} else if pen, ok := strings.CutSuffix(value, "m"); ok && strings.Trim(pen, "0123456789;:") == "" {
		b.pen = pen
	}
}

// isColor reports whether a text is a colour as terminals report it.
func isColor(text string) bool {
	return strings.HasPrefix(text, "rgb") && strings.Trim(text, "rg:/0123456789abcdefABCDEF") == ""
}

// Draws records that the terminal gets a picture.
func (b *Before) Draws(picture []byte) {
	b.colored = b.colored || bytes.Contains(picture, []byte("\x1b]12;"))
	b.progresses = b.progresses || bytes.Contains(picture, []byte(progress))
}

// progress begins the sequence that displays progress besides the text. A state follows, of which 0
// ends the display, and a percentage.
const progress = "\x1b]9;4;"

// RestoreEffects appends the bytes that undo what pictures have done besides drawing: to the colour
// of the cursor, and to the display of progress, of which there was none before.
func (b *Before) RestoreEffects(out []byte) []byte {
	if b.progresses {
		out = append(append(out, progress...), "0;0\x1b\\"...)
	}
	switch {
	case !b.colored:
		return out
	case b.cursorColor != "":
		return append(append(append(out, "\x1b]12;"...), b.cursorColor...), "\x1b\\"...)
	}
	return append(out, "\x1b]112\x1b\\"...)
}

// Answered reports whether the terminal has answered the last question.
func (b *Before) Answered() bool { return b.answered }

// answer records the answer to a question. It reports false if the sequence is not one.
func (b *Before) answer(seq []byte) bool {
	if rest, ok := bytes.CutPrefix(seq, []byte("\x1b[?")); ok {
		if rest, ok = bytes.CutSuffix(rest, []byte("$y")); ok {
			number, value, _ := bytes.Cut(rest, []byte(";"))
			n, _ := strconv.Atoi(string(number))
			for i, m := range modes {
				if m.number == n && len(value) == 1 && (value[0] == '1' || value[0] == '2') {
					b.modes[i] = state(value[0] - '0')
				}
			}
			return true
		}
		if bytes.HasSuffix(seq, []byte("c")) {
			b.answered = true
			return true
		}
		return false
	}
	if rest, ok := bytes.CutPrefix(seq, []byte("\x1b[>4;")); ok {
		if rest, ok = bytes.CutSuffix(rest, []byte("m")); ok {
			if len(rest) == 1 && rest[0] >= '0' && rest[0] <= '3' {
				b.modifyOtherKeys = int(rest[0]-'0') + 1
			}
			return true
		}
	}
	return false
}

// Prepare appends the bytes that save what can be saved on the terminal itself: its title, and how
// it reports keys. With alternate, it uses the alternate screen.
func Prepare(b []byte, alternate bool) []byte {
	b = append(b, "\x1b[22;2t"...)
	if alternate {
		b = append(b, "\x1b[?1049h"...)
	}
	return append(b, "\x1b[>0u"...)
}

// Restore appends the bytes that undo [Prepare] and return modes, pen and cursor to their previous
// state. The terminal must be as [render.AppendRestore] leaves it. The cursor stays where it is,
// unless the alternate screen is left.
func (b *Before) Restore(out []byte, alternate bool) []byte {
	out = append(out, "\x1b[<u"...)
	if alternate {
		out = append(out, "\x1b[?1049l"...)
	}
	out = append(out, "\x1b[>4"...)
	if b.modifyOtherKeys > 0 {
		out = append(out, ';', byte('0'+b.modifyOtherKeys-1))
	}
	out = append(out, 'm')
	for i, m := range modes {
		was := b.modes[i]
		if was == unknown && m.number == 2027 {
			was = reset // few terminals have it on by default, and those answer
		}
		if was == unknown || m.on == (was == set) {
			continue
		}
		final := 'l'
		if was == set {
			final = 'h'
		}
		if m.number == 66 {
			out = append(out, "\x1b="...)
		} else {
			out = fmt.Appendf(out, "\x1b[?%d%c", m.number, final)
		}
	}
	if b.cursorStyle != "" && b.cursorStyle != "0" {
		out = append(append(append(out, "\x1b["...), b.cursorStyle...), " q"...)
	}
	out = append(b.RestoreEffects(out), "\x1b[23;2t"...)
	if strings.Trim(b.pen, "0") != "" {
		out = append(append(append(out, "\x1b["...), b.pen...), 'm')
	}
	return out
}
