package term

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"strings"

	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/wake"
)

// A forwarding is what a program wants of the person's terminal besides a picture, until the
// terminal gets it with the next one: the bell, a notification, its progress, and if the person
// allows that, the clipboard. Of several, the newest counts, so that it is bounded.
type forwarding struct {
	bell         bool
	notification *vt.Notification
	progress     *vt.Progress
	clipboard    *vt.Clipboard

	progressing bool // the terminal displays progress, or will with the next picture
}

// forward hands an effect of the program to the terminals of persons.
func (st *state) forward(e vt.Effect) {
	if p, ok := e.(vt.Progress); ok {
		st.progress = p
	}
	for v := range st.persons {
		if !v.o.Forward {
			continue
		}
		f := &v.terminal.forwarding
		switch e := e.(type) {
		case vt.Bell:
			f.bell = true
		case vt.Notification:
			f.notification = &e
		case vt.Progress:
			f.progress, f.progressing = &e, e.State != vt.ProgressNone
		case vt.Clipboard:
			if !v.o.Clipboard || e.Query {
				continue
			}
			f.clipboard = &e
		default:
			continue
		}
		wake.Up(v.changed)
	}
}

// forwardProgress hands the progress of what runs to the terminal of a person who arrives.
func (v *Viewer) forwardProgress(st *state) {
	if p := st.progress; v.o.Forward && p.State != vt.ProgressNone {
		f := &v.terminal.forwarding
		f.progress, f.progressing = &p, true
		wake.Up(v.changed)
	}
}

func (f *forwarding) append(b []byte) []byte {
	if f.clipboard != nil {
		b = appendClipboard(b, f.clipboard.Selection, f.clipboard.Data)
	}
	if p := f.progress; p != nil {
		b = fmt.Appendf(b, "\x1b]9;4;%d;%d\x1b\\", p.State, p.Percent)
	}
	switch n := f.notification; {
	case n == nil:
	case n.Title != "":
		b = fmt.Appendf(b, "\x1b]777;notify;%s;%s\x1b\\", strings.ReplaceAll(n.Title, ";", ","), n.Body)
	case isConEmu(n.Body):
		b = fmt.Appendf(b, "\x1b]9; %s\x1b\\", n.Body)
	default:
		b = fmt.Appendf(b, "\x1b]9;%s\x1b\\", n.Body)
	}
	if f.bell {
		b = append(b, '\a')
	}
	return b
}

// isConEmu reports whether terminals take a notification (OSC 9) for a command of ConEmu, such as
// one that displays progress: a number, alone or before a semicolon.
func isConEmu(body string) bool {
	number, _, _ := strings.Cut(body, ";")
	return number != "" && strings.Trim(number, "0123456789") == ""
}

// appendClipboard appends the sequence that puts data on a clipboard of a terminal (OSC 52).
func appendClipboard(b []byte, selection string, data []byte) []byte {
	selection = cmp.Or(selection, "c")
	b = append(append(append(b, "\x1b]52;"...), selection...), ';')
	return append(base64.StdEncoding.AppendEncode(b, data), "\x1b\\"...)
}
