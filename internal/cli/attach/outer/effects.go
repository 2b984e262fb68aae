package outer

import "bytes"

// Effects are what pictures have done to a terminal besides drawing. They can be copied.
type Effects struct {
	colored    bool // the cursor has a colour
	progresses bool // progress is displayed
}

// progress begins the sequence that displays progress besides the text. A state follows, of which 0
// ends the display, and a percentage.
const progress = "\x1b]9;4;"

// Draws records that the terminal gets a picture.
func (e *Effects) Draws(picture []byte) {
	e.colored = e.colored || bytes.Contains(picture, []byte("\x1b]12;"))
	e.progresses = e.progresses || bytes.Contains(picture, []byte(progress))
}

// Undo appends the bytes that undo them.
func (e *Effects) Undo(out []byte) []byte {
	if e.progresses {
		out = append(append(out, progress...), "0;0\x1b\\"...)
	}
	if e.colored {
		out = append(out, "\x1b]112\x1b\\"...)
	}
	return out
}

// modes and graphemes are the private modes that pictures change, which most terminals can save and
// restore: some at most 16 by a sequence.
const (
	modes     = "\x1b[?1;5;7;25;66;9;1000;1002;1003;1004;1005;1006;1007;1015;1016;2004"
	graphemes = "\x1b[?2027"
)

// Prepare appends the bytes that save what can be saved on the terminal itself: its title, modes,
// and how it reports keys. With alternate, it uses the alternate screen.
func Prepare(b []byte, alternate bool) []byte {
	b = append(b, "\x1b[22;2t"+modes+"s"+graphemes+"s"...)
	if alternate {
		b = append(b, "\x1b[?1049h"...)
	}
	return append(b, "\x1b[>0u"...)
}

// Restore appends the bytes that undo [Prepare] and the effects of pictures. The terminal must be
// as [render.AppendRestore] leaves it; what it has not saved has its usual state then. The cursor
// stays where it is, unless the alternate screen is left.
func (e *Effects) Restore(out []byte, alternate bool) []byte {
	out = append(out, "\x1b[<u"...)
	if alternate {
		out = append(out, "\x1b[?1049l"...)
	}
	out = append(out, "\x1b[>4m\x1b[?1007h"+graphemes+"l"...)
	// Some may take the sequences in between for ones about margins, which move the cursor.
	out = append(out, "\x1b7"+modes+"r"+graphemes+"r\x1b[r\x1b8"...)
	return append(e.Undo(out), "\x1b[23;2t"...)
}
