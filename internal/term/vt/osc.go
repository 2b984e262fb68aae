package vt

import (
	"cmp"
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"

	"ui-mcp/internal/safetext"
)

// The limits of what a program can report about itself, in bytes.
const (
	maxTitle     = 1024
	maxDirectory = 4096
	maxMessage   = 4096
)

// osc executes an operating system command: a number, a semicolon and the rest.
func (t *Terminal) osc(s []byte) {
	number, rest, _ := strings.Cut(string(s), ";")
	n, err := strconv.ParseUint(number, 10, 16)
	if err != nil {
		return
	}
	if n == 133 { // it may parse more, so it is not in the table that parsing refers to
		t.promptMark(rest)
	} else if f := oscCommands[n]; f != nil {
		f(t, rest)
	}
}

var oscCommands = map[uint64]func(t *Terminal, s string){
	0:   (*Terminal).setTitle,
	2:   (*Terminal).setTitle,
	4:   (*Terminal).setColors,
	7:   (*Terminal).setDirectoryURL,
	8:   (*Terminal).setLink,
	9:   (*Terminal).conEmu,
	10:  func(t *Terminal, s string) { t.setDynamicColors(10, s) },
	11:  func(t *Terminal, s string) { t.setDynamicColors(11, s) },
	12:  func(t *Terminal, s string) { t.setDynamicColors(12, s) },
	22:  (*Terminal).setPointer,
	52:  (*Terminal).clipboard,
	99:  (*Terminal).notifyKitty,
	104: (*Terminal).resetColors,
	110: func(t *Terminal, _ string) { t.changeColor(PaletteForeground, 0) },
	111: func(t *Terminal, _ string) { t.changeColor(PaletteBackground, 0) },
	112: func(t *Terminal, _ string) { t.changeColor(PaletteCursor, 0) },
	777: (*Terminal).notify,
}

// printable returns s without characters that disturb others, truncated to at most limit bytes.
func printable(s string, limit int) string { return safetext.Cut(safetext.Plain(s), limit) }

// A Directory is a working directory as reported by a program. Host is empty if the program did not
// name one. The directory need not exist.
type Directory struct{ Host, Path string }

// setDirectoryURL is OSC 7: file://HOST/PATH.
func (t *Terminal) setDirectoryURL(s string) {
	if s == "" {
		t.setDirectory(Directory{})
		return
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "file" && u.Scheme != "kitty-shell-cwd" {
		return
	}
	path := u.Path
	if u.Scheme == "kitty-shell-cwd" { // not escaped
		path = strings.TrimPrefix(s, "kitty-shell-cwd://"+u.Host)
	}
	t.setDirectory(Directory{Host: printable(u.Hostname(), maxTitle), Path: path})
}

// setDirectory keeps a directory, unless its path is too long or unprintable.
func (t *Terminal) setDirectory(d Directory) {
	if len(d.Path) > maxDirectory || d.Path != printable(d.Path, maxDirectory) {
		return
	}
	t.cwd = d
}

// maxPointer is the maximum length of the name of a pointer shape.
const maxPointer = 64

// setPointer is OSC 22: the mouse pointer's shape, as in CSS ("text", "pointer") or X11 ("xterm",
// "hand2"), or none for the usual one. kitty's stack of shapes and its queries are ignored.
func (t *Terminal) setPointer(name string) {
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
		default:
			return
		}
	}
	if len(name) <= maxPointer {
		t.pointer = name
	}
}

// conEmu is OSC 9: a notification, or one of ConEmu's commands, of which progress (4) and the
// working directory (9) are supported.
func (t *Terminal) conEmu(s string) {
	number, rest, _ := strings.Cut(s, ";")
	switch n, err := strconv.ParseUint(number, 10, 8); {
	case err != nil || n == 0 || n > 12:
		t.emit(Notification{Body: printable(s, maxMessage)})
	case n == 4:
		t.progress(rest)
	case n == 9:
		t.setDirectory(Directory{Path: strings.Trim(rest, `"`)})
	}
}

// progress is OSC 9;4: a state and a percentage.
func (t *Terminal) progress(s string) {
	state, percent, _ := strings.Cut(s, ";")
	n, err := strconv.ParseUint(state, 10, 8)
	if err != nil || n > uint64(ProgressPaused) {
		return
	}
	p, err := strconv.ParseUint(percent, 10, 16)
	if err != nil {
		p = 0
	}
	t.emit(Progress{State: ProgressState(n), Percent: int(min(p, 100))})
}

// notify is OSC 777: notify;TITLE;BODY.
func (t *Terminal) notify(s string) {
	rest, ok := strings.CutPrefix(s, "notify;")
	if !ok {
		return
	}
	title, body, _ := strings.Cut(rest, ";")
	t.emit(Notification{Title: printable(title, maxTitle), Body: printable(body, maxMessage)})
}

// notifyKitty is OSC 99, kitty's notifications: members KEY=VALUE, separated by colons, a
// semicolon, and a part of the title or the body. A notification in several parts is reported with
// the last one. Buttons, icons and whatever asks for an answer are ignored.
func (t *Terminal) notifyKitty(s string) {
	members, payload, _ := strings.Cut(s, ";")
	id, part, encoded, more := "", "title", false, false
	for member := range strings.SplitSeq(members, ":") {
		switch key, value, _ := strings.Cut(member, "="); key {
		case "i":
			id = value
		case "p":
			part = value
		case "e":
			encoded = value == "1"
		case "d":
			more = value == "0"
		}
	}
	if encoded {
		b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(payload, "="))
		if err != nil {
			return
		}
		payload = string(b)
	}
	if len(id) > maxNotificationID || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return
	}
	n := t.notification
	if n.id != id {
		n = partialNotification{id: id}
	}
	switch part {
	case "title":
		n.title = printable(n.title+payload, maxTitle)
	case "body":
		n.body = printable(n.body+payload, maxMessage)
	default:
		if part != "buttons" && part != "icon" {
			return // a query, or the end of a notification
		}
	}
	if more {
		t.notification = n
		return
	}
	t.notification = partialNotification{}
	switch {
	case n.body != "":
		t.emit(Notification{Title: n.title, Body: n.body})
	case n.title != "":
		t.emit(Notification{Body: n.title})
	}
}

// maxNotificationID limits the names that programs give to their notifications, in bytes.
const maxNotificationID = 256

// A partialNotification is the part of a notification (OSC 99) that has come so far.
type partialNotification struct{ id, title, body string }

// clipboard is OSC 52: letters for selections, and base64 or a question mark.
func (t *Terminal) clipboard(s string) {
	selection, data, ok := strings.Cut(s, ";")
	if !ok || len(selection) > 16 || strings.Trim(selection, "cpqs01234567") != "" {
		return
	}
	selection = cmp.Or(selection, "s0")
	if data == "?" {
		t.emit(Clipboard{Selection: selection, Query: true})
		return
	}
	decoded, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		decoded, err = base64.RawStdEncoding.DecodeString(data)
	}
	if err != nil {
		decoded = nil // as in xterm, invalid base64 clears the selection
	}
	t.emit(Clipboard{Selection: selection, Data: decoded})
}
