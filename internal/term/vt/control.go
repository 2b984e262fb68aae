package vt

// C0 controls, by their names in ECMA-48, and DEL.
const (
	enq = 0x05
	bel = 0x07
	bs  = 0x08
	ht  = 0x09
	lf  = 0x0A
	vt  = 0x0B
	ff  = 0x0C
	cr  = 0x0D
	so  = 0x0E
	si  = 0x0F
	can = 0x18
	sub = 0x1A
	esc = 0x1B
	del = 0x7F
)

func (t *Terminal) control(c byte) {
	t.last = 0
	switch c {
	case lf, vt, ff:
		t.lineFeed()
		if t.modes.Has(ModeLineFeed) {
			t.carriageReturn()
		}
	case cr:
		t.carriageReturn()
	case bs:
		t.back(1)
	case ht:
		t.tab(1)
	case bel:
		t.emit(Bell{})
	case so:
		t.shiftTo(1)
	case si:
		t.shiftTo(0)
	case can, sub, enq, del: // ignored; there is no answerback
	}
}

// c1 executes a C1 control, which programs usually write as ESC and another byte.
func (t *Terminal) c1(c byte) { t.escapePlain(c - 0x40) }

// escape executes an escape sequence with final character c.
func (t *Terminal) escape(c byte) {
	if t.inter == 0 {
		t.escapePlain(c)
		return
	}
	t.last = 0
	switch t.inter {
	case '(', ')', '*', '+':
		t.designate(int(t.inter-'('), c)
	case '-', '.', '/': // sets of 96 characters: none is supported
	case '#':
		switch c {
		case '3':
			t.setLineSize(DoubleTop)
		case '4':
			t.setLineSize(DoubleBottom)
		case '5':
			t.setLineSize(SingleSize)
		case '6':
			t.setLineSize(DoubleWidth)
		case '8':
			t.align()
		}
	}
}

func (t *Terminal) escapePlain(c byte) {
	if c != '[' { // a control sequence may be REP
		t.last = 0
	}
	switch c {
	case '6':
		t.backIndex()
	case '7':
		t.saveCursor()
	case '8':
		t.restoreCursor()
	case '9':
		t.forwardIndex()
	case '=':
		t.modes.set(ModeAppKeypad, true)
	case '>':
		t.modes.set(ModeAppKeypad, false)
	case 'D': // IND
		t.lineFeed()
	case 'E': // NEL
		t.lineFeed() // first, because it scrolls only between the left and right margins
		t.carriageReturn()
	case 'H': // HTS
		t.tabs[t.cur.x] = true
	case 'M': // RI
		t.reverseLineFeed()
	case 'N':
		t.shiftOnce(2)
	case 'O':
		t.shiftOnce(3)
	case 'P':
		t.begin(stateDCS)
	case 'X', '^', '_': // SOS, PM, APC
		t.beginString(stateIgnoreString)
	case 'Z': // DECID
		t.reply(primaryAttributes)
	case '[':
		t.begin(stateCSI)
	case ']':
		t.beginString(stateOSC)
	case 'c': // RIS
		t.reset()
	case 'n':
		t.shiftTo(2)
	case 'o':
		t.shiftTo(3)
	}
}
