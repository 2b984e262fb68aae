package term

import (
	"cmp"
	"encoding/base64"
	"strconv"
	"strings"

	"ui-mcp/internal/term/vt"
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
		wake(v.changed)
	}
}

// forwardProgress hands the progress of what runs to the terminal of a person who arrives.
func (v *Viewer) forwardProgress(st *state) {
	if p := st.progress; v.o.Forward && p.State != vt.ProgressNone {
		f := &v.terminal.forwarding
		f.progress, f.progressing = &p, true
		wake(v.changed)
	}
}

func (f *forwarding) append(b []byte) []byte {
	if f.clipboard != nil {
		b = appendClipboard(b, f.clipboard.Selection, f.clipboard.Data)
	}
	if p := f.progress; p != nil {
		b = append(strconv.AppendInt(append(b, "\x1b]9;4;"...), int64(p.State), 10), ';')
		b = append(strconv.AppendInt(b, int64(p.Percent), 10), "\x1b\\"...)
	}
	if n := f.notification; n != nil && n.Title != "" {
		b = append(append(b, "\x1b]777;notify;"...), strings.ReplaceAll(n.Title, ";", ",")...)
		b = append(append(append(b, ';'), n.Body...), "\x1b\\"...)
	} else if n != nil {
		b = append(b, "\x1b]9;"...)
		if isConEmu(n.Body) {
			b = append(b, ' ')
		}
		b = append(append(b, n.Body...), "\x1b\\"...)
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

// appendNoProgress appends the sequence that ends a progress display, if there is one.
func appendNoProgress(b []byte, displayed bool) []byte {
	if displayed {
		b = append(b, "\x1b]9;4;0;0\x1b\\"...)
	}
	return b
}

// appendClipboard appends the sequence that puts data on a clipboard of a terminal (OSC 52).
func appendClipboard(b []byte, selection string, data []byte) []byte {
	selection = cmp.Or(selection, "c")
	b = append(append(append(b, "\x1b]52;"...), selection...), ';')
	return append(base64.StdEncoding.AppendEncode(b, data), "\x1b\\"...)
}
