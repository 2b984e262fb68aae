package outer

import (
	"bytes"
	"strconv"
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
	modifyOtherKeys int // 1 more than the level, or 0
	answered        bool
}

// Questions returns the bytes that ask a terminal for its state. They must be sent before anything
// else. The last question is one that all terminals answer: what they are (DA1).
func Questions() []byte {
	var b []byte
	for _, m := range modes {
		b = append(strconv.AppendInt(append(b, "\x1b[?"...), int64(m.number), 10), "$p"...)
	}
	return append(b, "\x1b[?4m\x1b[c"...)
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

// Restore appends the bytes that undo [Prepare] and return the modes to their previous state. The
// terminal must be as [render.AppendRestore] leaves it. The cursor stays where it is, unless the
// alternate screen is left.
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
		switch {
		case m.number == 66:
			out = append(out, "\x1b="...)
			continue
		case was == set:
			out = append(strconv.AppendInt(append(out, "\x1b[?"...), int64(m.number), 10), 'h')
		default:
			out = append(strconv.AppendInt(append(out, "\x1b[?"...), int64(m.number), 10), 'l')
		}
	}
	return append(out, "\x1b[23;2t"...)
}
