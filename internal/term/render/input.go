package render

import (
	"strconv"

	"ui-mcp/internal/term/vt"
)

// An Input is how a program wants the person's keys and mouse reported. A
// person's terminal has to be told, since it makes the reports. Those of the mouse
// are always asked for in one form, ModeMouseSGR: they have to be moved to where
// the program's screen is, and made into the form that it wants, in any case.
type Input struct {
	Modes           vt.Modes // those of inputModes
	Keys            vt.KeyFlags
	ModifyOtherKeys int
}

// inputModes are the modes that change what a terminal sends, with their DEC
// numbers.
var inputModes = [...]struct {
	mode   vt.Mode
	number string
}{
	{vt.ModeAppCursor, "1"}, {vt.ModeMouseX10, "9"}, {vt.ModeAppKeypad, "66"},
	{vt.ModeMouseNormal, "1000"}, {vt.ModeMouseButton, "1002"}, {vt.ModeMouseAny, "1003"}, {vt.ModeFocus, "1004"},
	{vt.ModeMouseSGR, "1006"}, {vt.ModeAltScroll, "1007"}, {vt.ModeBracketedPaste, "2004"},
}

// inputOf returns what the program of a screen wants. The wheel may send arrow
// keys only while the program itself shows its alternate screen: the person's
// terminal may show its own all the time.
func inputOf(s *vt.Snapshot) Input {
	in := Input{Keys: s.Keys, ModifyOtherKeys: s.ModifyOtherKeys}
	for _, m := range inputModes {
		on := s.Modes.Has(m.mode)
		switch m.mode {
		case vt.ModeMouseSGR:
			on = s.Modes.Mouse()
		case vt.ModeAltScroll:
			on = on && s.AltScreen()
		}
		if on {
			in.Modes |= 1 << m.mode
		}
	}
	return in
}

// input tells the terminal how to report keys and mouse. What is switched off
// comes first, since one mode of the mouse replaces another.
func (e *encoder) input(from, to Input) {
	for _, on := range [...]bool{false, true} {
		for _, m := range inputModes {
			if to.Modes.Has(m.mode) == on && from.Modes.Has(m.mode) != on {
				e.mode(m.number, on)
			}
		}
	}
	if to.Keys != from.Keys {
		e.out = append(e.out, "\x1b[="...)
		e.out = append(strconv.AppendInt(e.out, int64(to.Keys), 10), ";1u"...)
	}
	if to.ModifyOtherKeys != from.ModifyOtherKeys {
		e.out = append(e.out, "\x1b[>4;"...)
		e.out = append(strconv.AppendInt(e.out, int64(to.ModifyOtherKeys), 10), 'm')
	}
}

// noInput switches off all that Input can ask for.
const noInput = "\x1b[?1;9;66;1000;1002;1003;1004;1005;1006;1007;1015;1016;2004l\x1b[=0;1u\x1b[>4;0m"

// AppendRestore appends what leaves a terminal as programs expect it, after frames
// were shown on it: in the plain style, with a visible cursor of its own shape,
// the whole screen to scroll, and usual reports of keys and mouse. What it shows
// stays, and the cursor where it is.
func AppendRestore(b []byte) []byte {
	return append(append(b, "\x1b[?2026l\x1b7\x1b[r\x1b8\x1b[?5l\x1b]8;;\x1b\\\x1b[m\x1b[0 q\x1b[?25h"...), noInput...)
}
