package vt

// A Mode is a setting that a program can turn on and off.
type Mode uint8

const (
	ModeInsert           Mode = iota // IRM
	ModeLineFeed                     // LNM: a line feed implies a carriage return
	ModeAppCursor                    // DECCKM: arrow keys send application sequences
	ModeReverseScreen                // DECSCNM: text and background colours are swapped
	ModeOrigin                       // DECOM
	ModeWrap                         // DECAWM
	ModeAutoRepeat                   // DECARM
	ModeCursorBlink                  // the cursor blinks; DECSCUSR says so, too
	ModeCursorVisible                // DECTCEM
	ModeReverseWrap                  // backspace at the left margin moves to the line above if that wraps
	ModeAppKeypad                    // DECNKM, DECKPAM
	ModeLeftRightMargins             // DECLRMM
	ModeMouseX10                     // report presses
	ModeMouseNormal                  // report presses and releases
	ModeMouseButton                  // and motion with a button down
	ModeMouseAny                     // and all motion
	ModeMouseSGR                     // coordinates as decimal numbers
	ModeMousePixels                  // as ModeMouseSGR, in pixels
	ModeAltScroll                    // the wheel sends arrow keys on the alternate screen
	ModeFocus                        // report focus gained and lost
	ModeBracketedPaste               // bracket pasted text
	ModeSynchronized                 // hold back the picture until it is reset
	ModeGraphemes                    // a cell holds a grapheme cluster
	ModeResizeReports                // report a new size in-band
	ModeAltScreen                    // the alternate screen is active
	ModeReverseWrapAll               // as ModeReverseWrap, to any line above, and from the top to the bottom
	ModeSchemeReports                // report whether the colours became dark or light
	numModes
)

// Modes is a set of modes.
type Modes uint32

const _ = Modes(1) << (numModes - 1) // the set has room for all

// Has reports whether m is set.
func (s Modes) Has(m Mode) bool { return s>>m&1 != 0 }

func (s *Modes) set(m Mode, on bool) {
	if on {
		*s |= 1 << m
	} else {
		*s &^= 1 << m
	}
}

// Mouse reports whether the program asks for any mouse reports.
func (s Modes) Mouse() bool { return s&mouseModes != 0 }

const (
	mouseModes Modes = 1<<ModeMouseX10 | 1<<ModeMouseNormal | 1<<ModeMouseButton | 1<<ModeMouseAny
	mouseForms Modes = 1<<ModeMouseSGR | 1<<ModeMousePixels

	initialModes Modes = 1<<ModeWrap | 1<<ModeAutoRepeat | 1<<ModeCursorBlink | 1<<ModeCursorVisible | 1<<ModeGraphemes | 1<<ModeAltScroll
)

var ansiModes = map[int]Mode{
	4:  ModeInsert,
	20: ModeLineFeed,
}

// privateModes are the modes of DECSET and DECRST that have a state. The alternate screens' effects
// are in setPrivateMode.
var privateModes = map[int]Mode{
	1:    ModeAppCursor,
	5:    ModeReverseScreen,
	6:    ModeOrigin,
	7:    ModeWrap,
	8:    ModeAutoRepeat,
	9:    ModeMouseX10,
	12:   ModeCursorBlink,
	25:   ModeCursorVisible,
	45:   ModeReverseWrap,
	47:   ModeAltScreen,
	66:   ModeAppKeypad,
	69:   ModeLeftRightMargins,
	1000: ModeMouseNormal,
	1002: ModeMouseButton,
	1003: ModeMouseAny,
	1004: ModeFocus,
	1006: ModeMouseSGR,
	1007: ModeAltScroll,
	1016: ModeMousePixels,
	1045: ModeReverseWrapAll,
	1047: ModeAltScreen,
	1049: ModeAltScreen,
	2004: ModeBracketedPaste,
	2026: ModeSynchronized,
	2027: ModeGraphemes,
	2031: ModeSchemeReports,
	2048: ModeResizeReports,
}

// setModes is SM, RM, DECSET and DECRST.
func (t *Terminal) setModes(on bool) {
	for i := range t.nparams {
		n := int(t.params[i])
		if t.private == '?' {
			t.setPrivateMode(n, on)
		} else if m, ok := ansiModes[n]; ok {
			t.modes.set(m, on)
		}
	}
	t.updateDirect()
}

func (t *Terminal) setPrivateMode(n int, on bool) {
	switch n {
	case 47:
		t.setAlternate(on, false)
		return
	case 1047:
		t.setAlternate(on, !on)
		return
	case 1048:
		if on {
			t.saveCursor()
		} else {
			t.restoreCursor()
		}
		return
	case 1049:
		if on {
			t.saveCursor()
			t.setAlternate(true, true)
		} else {
			t.setAlternate(false, false)
			t.restoreCursor()
		}
		return
	}
	m, ok := privateModes[n]
	if !ok {
		return
	}
	before := t.modes.Has(m)
	if m == ModeSynchronized && on && !before {
		t.freeze()
	}
	if bit := Modes(1) << m; bit&mouseModes != 0 {
		t.modes &^= mouseModes // at most one is set, and resetting any of them resets all
	} else if on && bit&mouseForms != 0 {
		t.modes &^= mouseForms
	}
	t.modes.set(m, on)
	switch m {
	case ModeOrigin:
		t.home()
	case ModeWrap:
		t.cur.pending = t.cur.pending && on
	case ModeLeftRightMargins:
		t.left, t.right = 0, t.cols-1
	case ModeReverseScreen:
		if on != before {
			t.redraw()
		}
	case ModeSynchronized:
		if !on {
			t.frozen = nil
		}
	case ModeResizeReports:
		if on {
			t.reportSize()
		}
	}
}

// setAlternate makes the alternate or the primary screen active. With erase, it empties the
// alternate screen on entering or leaving it.
func (t *Terminal) setAlternate(on, erase bool) {
	if t.replays || on == (t.scr == &t.alternate) && !(on && erase) {
		return
	}
	t.cur.pending = false
	if on {
		t.show(&t.alternate)
	}
	if erase {
		for y := range t.alternate.rows {
			t.alternate.rows[y].clear(t.eraser())
		}
		t.redraw()
	}
	if !on {
		t.show(&t.primary)
	}
	t.modes.set(ModeAltScreen, on)
	t.updateTape()
}

// saveModes is XTSAVE.
func (t *Terminal) saveModes() {
	for i := range t.nparams {
		if m, ok := privateModes[int(t.params[i])]; ok {
			t.savedModes.set(m, t.modes.Has(m))
		}
	}
}

// restoreModes is XTRESTORE.
func (t *Terminal) restoreModes() {
	for i := range t.nparams {
		n := int(t.params[i])
		if m, ok := privateModes[n]; ok && t.modes.Has(m) != t.savedModes.Has(m) {
			t.setPrivateMode(n, t.savedModes.Has(m))
		}
	}
	t.updateDirect()
}
