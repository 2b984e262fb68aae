package vt

import (
	"ui-mcp/internal/term/scrollback"
	"ui-mcp/internal/term/sgr"
)

// csi executes a control sequence with final character c.
func (t *Terminal) csi(c byte) {
	if c == 'b' && t.private == 0 && t.inter == 0 {
		t.repeat()
		return
	}
	t.last = 0
	switch {
	case t.private == 0 && t.inter == 0:
		if f := csiPlain[c]; f != nil {
			f(t)
		}
	default:
		if f := csiMarked[[3]byte{t.private, t.inter, c}]; f != nil {
			f(t)
		}
	}
}

// csiPlain has the control sequences without private or intermediate characters, by final byte.
var csiPlain = [128]func(*Terminal){
	'@': func(t *Terminal) { t.shiftChars(t.param(0, 1)) },               // ICH
	'A': func(t *Terminal) { t.up(t.param(0, 1)) },                       // CUU
	'B': func(t *Terminal) { t.down(t.param(0, 1)) },                     // CUD
	'C': func(t *Terminal) { t.forward(t.param(0, 1)) },                  // CUF
	'D': func(t *Terminal) { t.back(t.param(0, 1)) },                     // CUB
	'E': func(t *Terminal) { t.down(t.param(0, 1)); t.carriageReturn() }, // CNL
	'F': func(t *Terminal) { t.up(t.param(0, 1)); t.carriageReturn() },   // CPL
	'G': func(t *Terminal) { t.moveToColumn(t.param(0, 1)) },             // CHA
	'H': func(t *Terminal) { t.moveTo(t.param(0, 1), t.param(1, 1)) },    // CUP
	'I': func(t *Terminal) { t.tab(t.param(0, 1)) },                      // CHT
	'J': func(t *Terminal) { t.eraseDisplay(false) },                     // ED
	'K': func(t *Terminal) { t.eraseLine(false) },                        // EL
	'L': func(t *Terminal) { t.shiftLines(t.param(0, 1)) },               // IL
	'M': func(t *Terminal) { t.shiftLines(-t.param(0, 1)) },              // DL
	'P': func(t *Terminal) { t.shiftChars(-t.param(0, 1)) },              // DCH
	'S': func(t *Terminal) { t.scrollUp(t.param(0, 1)) },                 // SU
	'T': (*Terminal).scrollDown,                                          // SD
	'W': (*Terminal).controlTabs,                                         // CTC
	'X': (*Terminal).eraseChars,                                          // ECH
	'Z': func(t *Terminal) { t.backTab(t.param(0, 1)) },                  // CBT
	'^': (*Terminal).scrollDown,                                          // SD, misprinted so in ECMA-48:1991
	'`': func(t *Terminal) { t.moveToColumn(t.param(0, 1)) },             // HPA
	'a': func(t *Terminal) { t.forward(t.param(0, 1)) },                  // HPR
	'c': reports(primaryAttributes),                                      // DA1
	'd': func(t *Terminal) { t.moveToRow(t.param(0, 1)) },                // VPA
	'e': func(t *Terminal) { t.down(t.param(0, 1)) },                     // VPR
	'f': func(t *Terminal) { t.moveTo(t.param(0, 1), t.param(1, 1)) },    // HVP
	'g': (*Terminal).clearTabs,                                           // TBC
	'h': func(t *Terminal) { t.setModes(true) },                          // SM
	'l': func(t *Terminal) { t.setModes(false) },                         // RM
	'm': (*Terminal).sgr,                                                 // SGR
	'n': (*Terminal).deviceStatus,                                        // DSR
	'r': (*Terminal).setTopBottom,                                        // DECSTBM
	's': (*Terminal).saveOrMargins,                                       // SCOSC, DECSLRM
	't': (*Terminal).windowOps,                                           // XTWINOPS
	'u': (*Terminal).restoreCursor,                                       // SCORC
}

// csiMarked has the others, by private, intermediate and final character.
var csiMarked = map[[3]byte]func(*Terminal){
	{'?', 0, 'J'}:   func(t *Terminal) { t.eraseDisplay(true) },                    // DECSED
	{'?', 0, 'K'}:   func(t *Terminal) { t.eraseLine(true) },                       // DECSEL
	{'?', 0, 'W'}:   (*Terminal).resetTabs,                                         // DECST8C
	{'?', 0, 'h'}:   func(t *Terminal) { t.setModes(true) },                        // DECSET
	{'?', 0, 'l'}:   func(t *Terminal) { t.setModes(false) },                       // DECRST
	{'?', 0, 'm'}:   (*Terminal).reportModifyKeys,                                  // XTQMODKEYS
	{'?', 0, 'n'}:   (*Terminal).deviceStatus,                                      // DECDSR
	{'?', 0, 'r'}:   (*Terminal).restoreModes,                                      // XTRESTORE
	{'?', 0, 's'}:   (*Terminal).saveModes,                                         // XTSAVE
	{'?', 0, 'u'}:   (*Terminal).reportKeyFlags,                                    // kitty keyboard: query
	{'?', '$', 'p'}: (*Terminal).reportMode,                                        // DECRQM
	{0, '$', 'p'}:   (*Terminal).reportMode,                                        // DECRQM, ANSI modes
	{'>', 0, 'c'}:   reports(secondaryAttributes),                                  // DA2
	{'>', 0, 'm'}:   (*Terminal).setModifyKeys,                                     // XTMODKEYS
	{'>', 0, 'q'}:   (*Terminal).reportVersion,                                     // XTVERSION
	{'>', 0, 'u'}:   func(t *Terminal) { t.scr.keys.push(t.param(0, 0)) },          // kitty keyboard: push
	{'<', 0, 'u'}:   func(t *Terminal) { t.scr.keys.pop(t.param(0, 1)) },           // kitty keyboard: pop
	{'=', 0, 'u'}:   (*Terminal).setKeyFlags,                                       // kitty keyboard: set
	{'=', 0, 'c'}:   reports(tertiaryAttributes),                                   // DA3
	{0, ' ', '@'}:   func(t *Terminal) { t.shiftColumns(t.left, -t.param(0, 1)) },  // SL
	{0, ' ', 'A'}:   func(t *Terminal) { t.shiftColumns(t.left, t.param(0, 1)) },   // SR
	{0, ' ', 'q'}:   (*Terminal).setCursorStyle,                                    // DECSCUSR
	{0, '!', 'p'}:   (*Terminal).softReset,                                         // DECSTR
	{0, '"', 'q'}:   (*Terminal).setProtection,                                     // DECSCA
	{0, '$', 'v'}:   (*Terminal).copyRect,                                          // DECCRA
	{0, '$', 'x'}:   (*Terminal).fillRect,                                          // DECFRA
	{0, '$', 'z'}:   func(t *Terminal) { t.eraseRect(false) },                      // DECERA
	{0, '$', '{'}:   func(t *Terminal) { t.eraseRect(true) },                       // DECSERA
	{0, '\'', '}'}:  func(t *Terminal) { t.shiftColumns(t.cur.x, t.param(0, 1)) },  // DECIC
	{0, '\'', '~'}:  func(t *Terminal) { t.shiftColumns(t.cur.x, -t.param(0, 1)) }, // DECDC
}

// scrollDown is SD. With five parameters the sequence is one for highlight mouse tracking.
func (t *Terminal) scrollDown() {
	if t.nparams <= 1 {
		t.moveRows(t.top, t.param(0, 1))
	}
}

// saveOrMargins is DECSLRM if left and right margins are enabled (DECLRMM), else SCOSC.
func (t *Terminal) saveOrMargins() {
	switch {
	case t.modes.Has(ModeLeftRightMargins):
		t.setLeftRight()
	case t.nparams == 0:
		t.saveCursor()
	}
}

// resetTabs is DECST8C.
func (t *Terminal) resetTabs() {
	if t.param(0, 0) == 5 {
		t.tabs.reset()
	}
}

// setProtection is DECSCA.
func (t *Terminal) setProtection() {
	switch t.param(0, 0) {
	case 1:
		t.cur.pen.Attr |= sgr.Protected
	case 0, 2:
		t.cur.pen.Attr &^= sgr.Protected
	}
	t.inkFresh = false
}

// softReset is DECSTR.
func (t *Terminal) softReset() {
	t.cur.pending = false
	t.cur.pen, t.cur.sets = scrollback.Pen{}, charsets{}
	t.inkFresh = false
	t.resetMargins()
	t.scr.saved = savedCursor{}
	t.scr.keys = keyStack{}
	for _, m := range [...]Mode{ModeOrigin, ModeInsert, ModeAppCursor, ModeAppKeypad, ModeReverseWrap, ModeReverseWrapAll, ModeLeftRightMargins} {
		t.modes.set(m, false)
	}
	t.modes.set(ModeCursorVisible, true)
	t.modes.set(ModeWrap, true)
	t.updateDirect()
}
