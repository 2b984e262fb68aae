package wire

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A Scanner reads a JSON text that is valid: what may stand between two values need not be told
// apart. The tokens of encoding/json take twice the time and allocations.
type Scanner struct {
	Text string
	Pos  int // in bytes
}

// Next goes to the next value, name or end, and returns its first byte.
func (s *Scanner) Next() byte {
	for {
		switch c := s.Text[s.Pos]; c {
		case ' ', '\t', '\r', '\n', ':', ',':
			s.Pos++
		default:
			return c
		}
	}
}

// A Scalar is a value that is neither an array nor an object. Kind is its first byte, or 0 for a
// number.
type Scalar struct {
	Kind   byte
	Text   string // of a string, or of a number as written
	Number float64
}

// Scalar reads the next value. It returns false for a number that is too large.
func (s *Scanner) Scalar() (v Scalar, ok bool) {
	switch c := s.Next(); c {
	case '"':
		return Scalar{Kind: c, Text: s.Quoted()}, true
	case 't', 'n':
		s.Pos += len("true")
		return Scalar{Kind: c}, true
	case 'f':
		s.Pos += len("false")
		return Scalar{Kind: c}, true
	}
	from := s.Pos
	for s.Pos < len(s.Text) && strings.IndexByte("+-.0123456789eE", s.Text[s.Pos]) >= 0 {
		s.Pos++
	}
	v.Text = s.Text[from:s.Pos]
	var err error
	v.Number, err = strconv.ParseFloat(v.Text, 64)
	return v, err == nil // a number that is too small is 0
}

// Quoted reads a string, which must come next. Bytes that are not UTF-8 become U+FFFD.
func (s *Scanner) Quoted() string {
	from := s.Pos
	for s.Pos++; s.Text[s.Pos] != '"'; s.Pos++ {
		if s.Text[s.Pos] == '\\' {
			s.Pos++
		}
	}
	s.Pos++
	text, err := strconv.Unquote(s.Text[from:s.Pos])
	if err != nil { // Go has neither \/ nor surrogates
		_ = json.Unmarshal([]byte(s.Text[from:s.Pos]), &text) // it is valid
	}
	return text
}
