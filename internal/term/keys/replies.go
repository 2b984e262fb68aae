package keys

import (
	"bytes"
	"slices"

	"ui-mcp/internal/term/escape"
)

// maxReply is how long an incomplete reply may become, in bytes, before it counts as typed.
const maxReply = 4 << 10

// Replies takes a terminal's replies to a program's queries out of what the terminal sends: device
// attributes, status and position reports, modes, colours, and all other strings. It is for
// terminals that display the program's output although another terminal has replied already. Its
// zero value is ready.
type Replies struct {
	rest  []byte // the start of a reply, or of the end of a paste, whose rest is missing
	paste Bracket
}

// Remove returns what was typed. position says that the program has asked for the cursor's position
// lately: otherwise, reports that look like F3 with modifiers count as that key.
func (r *Replies) Remove(b []byte, position bool) []byte {
	b = slices.Concat(r.rest, b)
	r.rest = nil
	var typed []byte
	for len(b) > 0 {
		if r.paste.Open {
			n := r.paste.Find(b)
			held := n - r.paste.matched // it comes again, with what follows
			typed, r.rest, b, r.paste.matched = append(typed, b[:held]...), b[held:n], b[n:], 0
			continue
		}
		i := bytes.IndexByte(b, 0x1b)
		if i < 0 {
			return append(typed, b...)
		}
		typed, b = append(typed, b[:i]...), b[i:]
		n, whole := replyLength(b, position)
		switch {
		case n > 0 && whole:
			b = b[n:]
		case n > 0 && len(b) <= maxReply:
			r.rest = b
			return typed
		case bytes.HasPrefix(b, []byte(PasteStart)):
			typed, b, r.paste.Open = append(typed, PasteStart...), b[len(PasteStart):], true
		default:
			typed, b = append(typed, 0x1b), b[1:]
		}
	}
	return typed
}

// replyLength returns the length of the reply at the start of b, whole or not, or 0 without one.
func replyLength(b []byte, position bool) (n int, whole bool) {
	if len(b) < 3 {
		return 0, false // a key, typed with Alt
	}
	n, end := escape.Next(b)
	switch {
	case end == escape.Broken, b[1] == '[' && end == escape.Whole && !isReport(b[2:n-1], b[n-1], position):
		return 0, false
	case b[1] == '[':
	case b[1] == ']' && b[2] >= '0' && b[2] <= '9': // colours, the clipboard
	case b[1] == 'P' && bytes.IndexByte([]byte("01>!"), b[2]) >= 0: // settings, the terminal's name
	case b[1] == '_' && b[2] == 'G': // graphics
	default:
		return 0, false
	}
	return n, end == escape.Whole
}

// isReport reports whether a control sequence with these parameters is a report.
func isReport(params []byte, final byte, position bool) bool {
	var mark byte
	if len(params) > 0 && params[0] >= '<' {
		mark = params[0]
	}
	switch final {
	case 'c': // device attributes
		return mark == '?' || mark == '>'
	case 'n': // status, colour scheme
		return mark == '?' || string(params) == "0" || string(params) == "3"
	case 'R': // cursor
		row, col, two := bytes.Cut(params, []byte{';'})
		if mark != 0 || !two || position {
			return mark == '?' || two
		}
		return string(row) != "1" || len(col) != 1 || col[0] < '2' || col[0] > '8'
	case 'y': // mode
		return bytes.HasSuffix(params, []byte{'$'})
	case 'u': // keyboard protocol
		return mark == '?'
	case 'm': // modifyOtherKeys
		return mark == '>'
	case 't', 'x': // window, terminal parameters
		return mark == 0 && len(params) > 0
	case 'S': // graphics
		return mark == '?'
	}
	return false
}
