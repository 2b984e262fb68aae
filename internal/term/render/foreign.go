package render

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/escape"
	"ui-mcp/internal/term/vt"
)

// A Foreign is what another host sends as pictures for a person's terminal. The terminal gets what
// a picture of a session here could have done to it, and nothing else: no question, which it would
// answer by typing; no setting that pictures do not change; the clipboard and whatever else is not
// drawn only if the client has asked for that. It is not safe for concurrent use.
type Foreign struct {
	// Screens is as in [Display]. Forward and Clipboard say that the client takes bells,
	// notifications and progress, and what programs put on the clipboard.
	Screens, Forward, Clipboard bool

	held      []byte // the start of a sequence
	scanned   int    // how many bytes of it have no end
	alternate bool   // the terminal's alternate screen is active
	pushed    bool   // the terminal keeps keyboard flags of its other screen
	updating  bool   // the terminal displays nothing until the update ends
	rung      bool   // in this part
	notified  bool   // in this part
}

const (
	maxForeign      = 512 << 10 // the length of a sequence, which may be one for the clipboard
	maxForeignTitle = 1024
	maxForeignNote  = 6000
	maxForeignCSI   = 256
)

// Append appends what the terminal gets of the next part. Parts may be cut anywhere.
func (f *Foreign) Append(out, part []byte) []byte {
	in, scanned := part, 0
	if len(f.held) > 0 {
		in, scanned = append(f.held, part...), f.scanned
		f.held, f.scanned = nil, 0
	} else {
		in = bytes.Clone(part)
	}
	f.rung, f.notified = false, false
	for len(in) > 0 {
		c := in[0]
		switch {
		case c >= ' ' && c <= '~':
			n := 1
			for n < len(in) && in[n] >= ' ' && in[n] <= '~' {
				n++
			}
			out, in = append(out, in[:n]...), in[n:]
		case c == 0x1b:
			n, passed := f.sequence(in, scanned)
			scanned = 0
			if n == 0 {
				if len(in) < maxForeign {
					f.held, f.scanned = in, len(in)-1
					return f.whole(out)
				}
				n = 1
			}
			out, in = append(out, passed...), in[n:]
		case c >= utf8.RuneSelf:
			if !utf8.FullRune(in) {
				f.held = in
				return f.whole(out)
			}
			r, n := utf8.DecodeRune(in)
			if r > 0x9f {
				out = utf8.AppendRune(out, r)
			}
			in = in[n:]
		case c == '\a' && f.Forward && !f.rung, c == '\r', c == '\n', c == 0x0f:
			f.rung = f.rung || c == '\a'
			out, in = append(out, c), in[1:]
		default:
			in = in[1:]
		}
	}
	return f.whole(out)
}

// whole ends an update that a part leaves open.
func (f *Foreign) whole(out []byte) []byte {
	if f.updating {
		f.updating = false
		out = append(out, endUpdate...)
	}
	return out
}

// sequence returns the length of the sequence at the start of in, 0 if its rest is missing, and
// what the terminal gets of it. The first scanned bytes are known to have no end.
func (f *Foreign) sequence(in []byte, scanned int) (n int, passed []byte) {
	if len(in) < 2 {
		return 0, nil
	}
	switch in[1] {
	case '[':
		return f.control(in)
	case ']':
		return f.command(in, scanned)
	case '=', '>', '7', '8':
		return 2, in[:2]
	case '\\', 'P', 'X', '^', '_': // an end, and strings that pictures do not have: their text is displayed
		return 2, nil
	case '(', '#':
		if len(in) < 3 {
			return 0, nil
		}
		if in[1] == '(' && in[2] == 'B' || in[1] == '#' && in[2] >= '3' && in[2] <= '6' {
			return 3, in[:3]
		}
	}
	return 1, nil
}

// control is sequence for a control sequence (CSI).
func (f *Foreign) control(in []byte) (n int, passed []byte) {
	n, end := escape.Next(in)
	switch {
	case end == escape.Open && n < maxForeignCSI:
		return 0, nil
	case end == escape.Whole && n <= maxForeignCSI && f.draws(string(in[2:n])):
		return n, in[:n]
	}
	return n, nil // terminals give up a sequence that is broken off, or carry out the control at once
}

// drawn matches the control sequences of pictures, without their start, except for those that
// change a Foreign.
var drawn = sync.OnceValue(func() *regexp.Regexp {
	const set = `1|5|7|9|25|1000|1002|1003|1004|1006|1007|2004|2027`
	const reset = set + `|6|69|1005|1015|1016`
	return regexp.MustCompile(`^(?:[0-9;]*[CHLMXr]|J|2?K|[0-9:;]*m|>4;[0-3]m|[0-6] q|=[0-9]{1,2};1u|4l` + // J not of the scrollback
		`|\?(?:` + set + `)(?:;(?:` + set + `))*h|\?(?:` + reset + `)(?:;(?:` + reset + `))*l)$`)
})

// draws reports whether pictures have such a control sequence, and records what it does.
func (f *Foreign) draws(sequence string) bool {
	switch sequence {
	case ">0u":
		pushes := f.alternate && !f.pushed
		f.pushed = f.pushed || pushes
		return pushes
	case "<u":
		pops := f.pushed
		f.pushed = false
		return pops
	case "?1049h", "?1049l":
		switches := f.Screens && f.alternate != (sequence == "?1049h")
		f.alternate = f.alternate != switches
		return switches
	case "?2026h", "?2026l":
		f.updating = sequence == "?2026h"
		return true
	}
	return drawn().MatchString(sequence)
}

// command is sequence for an operating system command (OSC).
func (f *Foreign) command(in []byte, scanned int) (n int, passed []byte) {
	n, end := escape.String(in, scanned)
	switch {
	case end == escape.Open:
		return 0, nil
	case end == escape.Whole && in[n-1] == '\\': // pictures have no other end
		return n, f.allowed(string(escape.Content(in[:n])))
	}
	return n, nil
}

// allowed returns what the terminal gets of a command.
func (f *Foreign) allowed(content string) []byte {
	number, rest, _ := strings.Cut(content, ";")
	pass := func(parts ...string) []byte {
		return []byte("\x1b]" + number + strings.Join(parts, "") + "\x1b\\")
	}
	switch {
	case number == "2":
		return pass(";", safetext.Cut(safetext.Plain(rest), maxForeignTitle))
	case number == "8":
		if uri, ok := strings.CutPrefix(rest, ";"); ok && vt.SafeLink(uri) {
			return pass(";;", uri)
		}
		return pass(";;")
	case content == "112":
		return pass()
	case number == "12" && len(rest) == len("rgb:00/00/00") && strings.HasPrefix(rest, "rgb:") && strings.Trim(rest[4:], "0123456789abcdef/") == "":
		return pass(";", rest)
	case number == "9" && f.Forward && strings.HasPrefix(rest, "4;"):
		if len(rest) <= len("4;0;100") && strings.Trim(rest, "0123456789;") == "" {
			return pass(";", rest)
		}
	case (number == "9" || number == "777") && f.Forward && !f.notified:
		first, _, _ := strings.Cut(rest, ";")
		if number == "9" && strings.Trim(first, "0123456789") == "" || number == "777" && first != "notify" {
			return nil // which terminals take for a command of another kind
		}
		f.notified = true
		return pass(";", safetext.Cut(safetext.Plain(rest), maxForeignNote))
	case number == "52" && f.Clipboard:
		selection, data, ok := strings.Cut(rest, ";")
		if _, err := base64.StdEncoding.DecodeString(data); ok && err == nil && len(selection) <= 8 && strings.Trim(selection, "cpqs01234567") == "" {
			return pass(";", selection, ";", data)
		}
	}
	return nil
}
