package vt

import "unicode/utf8"

// A state is a state of DEC's parser for ANSI sequences, as described by Paul Williams.
type state uint8

const (
	stateGround state = iota
	stateEscape
	stateEscapeIntermediate
	stateCSI // entry, parameters and intermediates: see parser.misplaced
	stateDCS // the part before the string
	stateOSC
	stateDCSString
	stateIgnoreString // SOS, PM, APC, and unsupported DCS strings
)

// The limits of a sequence. Anything beyond them is ignored.
const (
	maxParams = 32 // as many as parser.colons has bits
	maxParam  = 65535
	// maxString is the maximum length of an OSC or DCS string in bytes. Longer ones have no effect.
	maxString = 256 << 10
	// keptString is how much memory for strings is kept between sequences.
	keptString = 4 << 10
)

// A parser is the state of an incomplete sequence.
type parser struct {
	state     state
	partial   [utf8.UTFMax]byte // an incomplete character
	npartial  int
	private   byte // '<', '=', '>', '?' or 0
	inter     byte // the intermediate character; misplaced is set if there was more than one
	misplaced bool // the sequence is malformed, and will be ignored
	params    [maxParams]uint16
	colons    uint32 // has a bit set for each parameter that follows a colon, not a semicolon
	nparams   int    // including the one being read; 0 before its first character
	overflow  bool   // there were more parameters

	str     []byte
	tooLong bool
	c2      bool // the last byte of the string was 0xC2, which with 0x9C is ST
}

// param returns parameter i, or def if it is missing or 0.
func (p *parser) param(i, def int) int {
	if i < p.nparams && p.params[i] != 0 {
		return int(p.params[i])
	}
	return def
}

// begin enters state s at the start of a sequence.
func (p *parser) begin(s state) {
	p.state = s
	p.private, p.inter, p.misplaced, p.overflow = 0, 0, false, false
	p.nparams, p.colons = 0, 0
}

// step processes a prefix of b, which must not be empty, and returns its length.
func (t *Terminal) step(b []byte) int {
	switch t.state {
	case stateGround:
		return t.ground(b)
	case stateOSC, stateDCSString, stateIgnoreString:
		return t.stringBytes(b)
	case stateCSI:
		return t.csiBytes(b)
	}
	c := b[0]
	switch {
	case c == esc:
		t.begin(stateEscape)
	case c == can || c == sub:
		t.state = stateGround
	case c < ' ':
		if t.state != stateDCS {
			t.control(c)
		}
	case c == del:
	case c >= 0x80:
		t.state = stateGround
		return 0
	case t.state == stateDCS:
		t.dcsByte(c)
	case c <= '/':
		t.misplaced = t.misplaced || t.inter != 0
		t.inter = c
		t.state = stateEscapeIntermediate
	default:
		t.state = stateGround
		if !t.misplaced {
			t.escape(c)
		}
	}
	return 1
}

// ground processes text and controls up to the next sequence.
func (t *Terminal) ground(b []byte) int {
	if t.npartial > 0 {
		return t.resume(b)
	}
	for i := 0; i < len(b); {
		c := b[i]
		switch {
		case c-' ' <= '~'-' ':
			if t.direct {
				i += t.printASCII(b[i:])
				continue
			}
			t.print(rune(c))
			if t.cur.sets.single == 0 {
				t.updateDirect()
			}
			i++
		case c >= 0x80:
			if t.direct {
				if n := t.printWide(b[i:]); n > 0 {
					i += n
					continue
				}
			}
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n == 1 {
				n = validPrefix(b[i:])
				if i+n == len(b) && !utf8.FullRune(b[i:]) {
					t.npartial = copy(t.partial[:], b[i:])
					return len(b)
				}
			}
			i += n
			if r <= 0x9F {
				t.c1(byte(r))
				if t.state != stateGround {
					return i
				}
				continue
			}
			t.print(r)
		case c == esc:
			t.begin(stateEscape)
			i++
			if i < len(b) && b[i] == '[' { // nearly always
				t.begin(stateCSI)
				i++
				if n := t.csiWhole(b[i:]); n > 0 {
					i += n
					continue
				}
			}
			return i
		default:
			t.control(c)
			i++
		}
	}
	return len(b)
}

// validPrefix returns how many bytes of b, which does not start with a complete character, could be
// the start of one: at least 1.
func validPrefix(b []byte) int {
	n := 1
	for n < len(b) && n < utf8.UTFMax && !utf8.FullRune(b[:n]) {
		if utf8.FullRune(b[:n+1]) {
			return n
		}
		n++
	}
	return n
}

// Whole returns the length of b without the start of a character at its end. Bytes that cannot
// become a character count as whole.
func Whole(b []byte) int {
	for i := len(b) - 1; i >= 0 && i > len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if utf8.FullRune(b[i:]) {
				break
			}
			return i
		}
	}
	return len(b)
}

// AppendValid appends p as UTF-8: each sequence of bytes that is not a character, but could be the
// start of one, becomes U+FFFD, which is how [Terminal.Write] reads it.
func AppendValid(b, p []byte) []byte {
	for len(p) > 0 {
		r, n := utf8.DecodeRune(p)
		if r == utf8.RuneError && n == 1 {
			n = validPrefix(p)
		}
		b = utf8.AppendRune(b, r)
		p = p[n:]
	}
	return b
}

// resume continues a character that an earlier call to Write left incomplete.
func (t *Terminal) resume(b []byte) int {
	t.partial[t.npartial] = b[0]
	whole := t.partial[:t.npartial+1]
	if !utf8.FullRune(whole) {
		t.npartial++
		return 1
	}
	r, n := utf8.DecodeRune(whole)
	t.npartial = 0
	switch {
	case n != len(whole): // b[0] is not part of it
		t.print(utf8.RuneError)
		return 0
	case r <= 0x9F:
		t.c1(byte(r))
	default:
		t.print(r)
	}
	return 1
}

// csiWhole executes the control sequence at the start of b, after its CSI, if it is complete and
// has nothing but parameters separated by semicolons, which is the usual case. It returns the
// number of bytes processed; 0 leaves the sequence to csiBytes.
func (t *Terminal) csiWhole(b []byte) int {
	value, n := uint32(0), 0
	for i, c := range b {
		switch {
		case c-'0' <= 9:
			value = min(value*10+uint32(c-'0'), maxParam)
		case c == ';' && n < maxParams-1:
			t.params[n] = uint16(value)
			value = 0
			n++
		case c >= '@' && c <= '~':
			if i > 0 {
				t.params[n] = uint16(value)
				t.nparams = n + 1
			}
			t.state = stateGround
			if c == 'm' { // the most frequent one
				t.last = 0
				t.sgr()
			} else {
				t.csi(c)
			}
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// csiBytes processes bytes of a control sequence up to its end.
func (t *Terminal) csiBytes(b []byte) int {
	for i, c := range b {
		switch {
		case c >= '0' && c <= ';':
			if t.nparams == 0 {
				t.nparams, t.params[0] = 1, 0
			}
			t.misplaced = t.misplaced || t.inter != 0
			switch {
			case t.overflow:
			case c <= '9':
				p := &t.params[t.nparams-1]
				*p = uint16(min(uint32(*p)*10+uint32(c-'0'), maxParam))
			case t.nparams == maxParams:
				t.overflow = true
			default:
				t.params[t.nparams] = 0
				if c == ':' {
					t.colons |= 1 << t.nparams
				}
				t.nparams++
			}
		case c >= '@' && c <= '~':
			t.state = stateGround
			if !t.misplaced {
				t.csi(c)
			}
			return i + 1
		case c >= '<' && c <= '?':
			t.misplaced = t.misplaced || t.nparams > 0 || t.private != 0 || t.inter != 0
			t.private = c
		case c >= ' ' && c <= '/':
			t.misplaced = t.misplaced || t.inter != 0
			t.inter = c
		case c == esc:
			t.begin(stateEscape)
			return i + 1
		case c == can || c == sub:
			t.state = stateGround
			return i + 1
		case c < ' ':
			t.control(c)
		case c >= 0x80:
			t.state = stateGround
			return i
		}
	}
	return len(b)
}

// dcsByte processes a byte between DCS and its string.
func (t *Terminal) dcsByte(c byte) {
	switch {
	case c <= '/':
		t.misplaced = t.misplaced || t.inter != 0
		t.inter = c
	case c >= '@':
		if t.inter == 0 || t.misplaced || c != 'q' {
			t.beginString(stateIgnoreString)
			return
		}
		t.beginString(stateDCSString)
	}
	// The supported strings have no parameters.
}

func (t *Terminal) beginString(s state) {
	t.state = s
	t.str, t.tooLong, t.c2 = t.str[:0], false, false
}

// stringBytes processes bytes of a string up to its end.
func (t *Terminal) stringBytes(b []byte) int {
	start := 0 // of the bytes not yet in t.str
	for i, c := range b {
		if c >= ' ' && c < 0x80 {
			t.c2 = false
			continue
		}
		st := c == 0x9C && t.c2 // as UTF-8
		switch {
		case st || c == esc || c == bel && t.state == stateOSC:
			t.collect(b[start:i])
			if n := len(t.str); st && n > 0 && !t.tooLong {
				t.str = t.str[:n-1]
			}
			t.endString()
			if t.state = stateGround; c == esc {
				t.begin(stateEscape)
			}
			return i + 1
		case c == can || c == sub:
			t.dropString()
			t.state = stateGround
			return i + 1
		case c < ' ':
			t.collect(b[start:i])
			start = i + 1
		}
		t.c2 = c == 0xC2
	}
	t.collect(b[start:])
	return len(b)
}

// collect appends to the string, up to the limit.
func (t *Terminal) collect(b []byte) {
	if t.state == stateIgnoreString || t.tooLong {
		return
	}
	if len(t.str)+len(b) > maxString {
		t.dropString()
		t.tooLong = true
		return
	}
	t.str = append(t.str, b...)
}

func (t *Terminal) endString() {
	if !t.tooLong {
		switch t.state {
		case stateOSC:
			t.osc(t.str)
		case stateDCSString:
			t.dcs(t.inter, t.str)
		}
	}
	t.dropString()
}

func (t *Terminal) dropString() {
	t.str = t.str[:0]
	if cap(t.str) > keptString {
		t.str = nil
	}
}
