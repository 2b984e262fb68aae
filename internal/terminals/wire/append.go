package wire

import (
	"encoding/binary"
	"encoding/json"
	"strconv"

	"ui-mcp/internal/fault"
)

// AppendJSON appends the screen as encoding/json would encode it, in a third of the time: screens
// are read often, and consist of long strings.
func (s *Screen) AppendJSON(b []byte) []byte {
	b = append(b, `{"epoch":`...)
	b = strconv.AppendUint(b, s.Epoch, 10)
	b = append(b, `,"first_line_index":`...)
	b = strconv.AppendUint(b, s.FirstLineIndex, 10)
	b = append(b, `,"total_lines":`...)
	b = strconv.AppendUint(b, s.TotalLines, 10)
	b = append(b, `,"lines":`...)
	b = appendLines(b, s.Lines)
	b = append(b, `,"cursor":`...)
	b = appendValue(b, s.Cursor)
	b = append(b, `,"cols":`...)
	b = strconv.AppendInt(b, int64(s.Cols), 10)
	b = append(b, `,"rows":`...)
	b = strconv.AppendInt(b, int64(s.Rows), 10)
	b = append(b, `,"alternate_active":`...)
	b = strconv.AppendBool(b, s.AlternateActive)
	b = append(b, `,"mode":`...)
	b = appendString(b, s.Mode)
	if s.Title != "" {
		b = append(b, `,"title":`...)
		b = appendString(b, s.Title)
	}
	return append(b, '}')
}

func appendLines(b []byte, l Lines) []byte {
	switch l := l.(type) {
	case []string:
		return appendList(b, l, appendString)
	case [][]Span:
		return appendList(b, l, func(b []byte, spans []Span) []byte { return appendList(b, spans, appendSpan) })
	}
	return appendValue(b, l)
}

func appendList[T any](b []byte, list []T, add func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, item := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = add(b, item)
	}
	return append(b, ']')
}

func appendSpan(b []byte, s Span) []byte {
	if s != (Span{Text: s.Text}) { // it has a style
		return appendValue(b, s)
	}
	b = append(b, `{"text":`...)
	b = appendString(b, s.Text)
	return append(b, '}')
}

func appendValue(b []byte, v any) []byte {
	return append(b, fault.Must(json.Marshal(v))...) // the types of this package can be encoded
}

// appendString appends a string in quotes. Most text needs no escapes and is copied whole.
func appendString(b []byte, s string) []byte {
	start := len(b)
	b = append(b, '"')
	b = append(b, s...)
	if !isPlain(b[start+1:]) {
		return appendValue(b[:start], s)
	}
	return append(b, '"')
}

// isPlain reports whether s is ASCII that encoding/json copies as it is. It looks at eight bytes at
// a time.
func isPlain(s []byte) bool {
	for len(s) >= 8 {
		if special(binary.LittleEndian.Uint64(s)) {
			return false
		}
		s = s[8:]
	}
	w := uint64(ones * ' ')
	for _, c := range s {
		w = w<<8 | uint64(c)
	}
	return !special(w)
}

const ones = 0x0101010101010101

// special reports whether one of eight bytes is not ASCII, a control character, or one of "\<>&. A
// borrow in a subtraction can only start at a byte that is special itself.
func special(w uint64) bool {
	found := w | (w - ones*' ') | ((w ^ ones*'"') - ones) | ((w ^ ones*'\\') - ones) |
		((w ^ ones*'<') - ones) | ((w ^ ones*'>') - ones) | ((w ^ ones*'&') - ones)
	return found&(ones*0x80) != 0
}
