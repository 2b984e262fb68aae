package render

import (
	"fmt"

	"ui-mcp/internal/term/vt"
)

// inputModes are the modes that affect what a terminal sends, with their numbers. The keypad's is
// "": more terminals know ESC = and ESC > than the mode 66.
var inputModes = [...]struct {
	mode   vt.Mode
	number string
}{
	{vt.ModeAppCursor, "1"}, {vt.ModeMouseX10, "9"}, {vt.ModeAppKeypad, ""},
	{vt.ModeMouseNormal, "1000"}, {vt.ModeMouseButton, "1002"}, {vt.ModeMouseAny, "1003"}, {vt.ModeFocus, "1004"},
	{vt.ModeMouseSGR, "1006"}, {vt.ModeAltScroll, "1007"}, {vt.ModeBracketedPaste, "2004"},
}

// inputOf returns how the program of a screen wants keys and mouse reported by the person's
// terminal: with a subset of inputModes. Mouse reports are always requested in one form,
// ModeMouseSGR, because they must be translated to the program's part of the screen anyway, and are
// then converted to the form that the program wants. The wheel may send arrow keys only on the
// program's alternate screen, because the person's terminal may be on its own all the time.
func inputOf(s *vt.Snapshot) vt.Input {
	in := vt.Input{Keys: s.Keys, ModifyOtherKeys: s.ModifyOtherKeys}
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

// input sets how the terminal reports keys and mouse. It turns modes off first, because resetting
// any mouse mode resets all.
func (e *encoder) input(from, to vt.Input) {
	for _, on := range [...]bool{false, true} {
		for _, m := range inputModes {
			if to.Modes.Has(m.mode) == on && from.Modes.Has(m.mode) != on {
				e.inputMode(m.number, on)
			}
		}
	}
	if to.Keys != from.Keys {
		e.out = fmt.Appendf(e.out, "\x1b[=%d;1u", to.Keys)
	}
	if to.ModifyOtherKeys != from.ModifyOtherKeys {
		e.out = fmt.Appendf(e.out, "\x1b[>4;%dm", to.ModifyOtherKeys)
	}
}

// inputMode sets one of inputModes.
func (e *encoder) inputMode(number string, on bool) {
	switch {
	case number != "":
		e.mode(number, on)
	case on:
		e.out = append(e.out, "\x1b="...)
	default:
		e.out = append(e.out, "\x1b>"...)
	}
}

// noInput turns off everything that Input can ask for.
const noInput = "\x1b>\x1b[?1;9;1000;1002;1003;1004;1005;1006;1007;1015;1016;2004l\x1b[=0;1u\x1b[>4;0m"

// AppendRestore appends the bytes that return a terminal to the state that programs expect, after
// frames were shown on it: the plain style, a visible cursor of the default shape, no margins, and
// default keys and mouse. The text and the cursor's position stay.
func AppendRestore(b []byte) []byte {
	return append(append(b, "\x1b[?2026l\x1b7\x1b[r\x1b8\x1b[?5l\x1b]8;;\x1b\\\x1b[m\x1b[0 q\x1b[?25h"...), noInput...)
}
