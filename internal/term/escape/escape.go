// Package escape finds the ends of escape sequences, in what is typed and in what programs write,
// for those who pass the bytes on. What they mean is up to the caller. It is pure. Package vt,
// which carries sequences out, keeps a parser's state instead.
package escape

// An End says how a sequence ends.
type End int

const (
	Whole  End = iota // it is whole
	Open              // its rest is missing
	Broken            // it is broken off by the byte that follows, which does not belong to it
)

// Next returns the length of the sequence at the start of b, which begins with ESC.
func Next(b []byte) (n int, end End) {
	if len(b) > 1 {
		switch b[1] {
		case '[':
			return span(b, 2, '@')
		case ']', 'P', 'X', '^', '_':
			return String(b, 2)
		}
	}
	return span(b, 1, '0')
}

// span returns the length of a sequence whose first byte from that index on that is not below final
// is the last one.
func span(b []byte, from int, final byte) (n int, end End) {
	for n = from; n < len(b); n++ {
		switch c := b[n]; {
		case c < ' ' || c > '~':
			return n, Broken
		case c >= final:
			return n + 1, Whole
		}
	}
	return n, Open
}

// String returns the length of the control string at the start of b. The bytes before from are
// known not to end it. Terminals ignore most controls within strings; a caller that does so, too,
// goes on behind the one that has broken it.
func String(b []byte, from int) (n int, end End) {
	for n = max(from, 2); n < len(b); n++ {
		switch c := b[n]; {
		case c == '\a':
			return n + 1, Whole
		case c == '\x1b' && n+1 == len(b):
			return n, Open
		case c == '\x1b' && b[n+1] == '\\':
			return n + 2, Whole
		case c < ' ' || c == 0x7f:
			return n, Broken
		}
	}
	return n, Open
}

// Incomplete reports whether b is a control sequence (CSI) without its end. ESC and ESC [ alone do
// not count, since a person can type them.
func Incomplete(b []byte) bool {
	if len(b) < 3 || b[1] != '[' {
		return false
	}
	_, end := Next(b)
	return end == Open
}

// Content returns what is between the start of a control string, such as ESC ], and its end.
func Content(whole []byte) []byte {
	end := 1
	if whole[len(whole)-1] == '\\' {
		end = 2
	}
	return whole[2 : len(whole)-end]
}
