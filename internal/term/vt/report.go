package vt

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"ui-mcp/internal/term/sgr"
)

// The terminal's device attributes: level 4 with selective erase,
// horizontal scrolling, colour and rectangles; an xterm for DA2, consistent with TERM.
const (
	primaryAttributes   = "\x1b[?64;6;21;22;28c"
	secondaryAttributes = "\x1b[>41;390;0c"
	tertiaryAttributes  = "\x1bP!|00000000\x1b\\"
)

func (t *Terminal) reply(s string) { t.emit(Reply{Data: []byte(s)}) }

// reports returns a command that asks for something fixed: DA1 to DA3.
func reports(answer string) func(*Terminal) {
	return func(t *Terminal) {
		if t.param(0, 0) == 0 {
			t.reply(answer)
		}
	}
}

// reportVersion is XTVERSION.
func (t *Terminal) reportVersion() {
	if t.name != "" {
		reports("\x1bP>|" + t.name + "\x1b\\")(t)
	}
}

// deviceStatus is DSR and DECDSR.
func (t *Terminal) deviceStatus() {
	private := t.private == '?'
	switch n := t.param(0, 0); {
	case n == 5 && !private:
		t.reply("\x1b[0n")
	case n == 6:
		x, y := t.cur.x+1, t.cur.y+1
		if t.modes.Has(ModeOrigin) {
			x, y = x-t.left, y-t.top
		}
		if private {
			t.reply(fmt.Sprintf("\x1b[?%d;%d;1R", y, x))
		} else {
			t.reply(fmt.Sprintf("\x1b[%d;%dR", y, x))
		}
	case n == 996 && private:
		t.reportScheme()
	case n == 15 && private: // a printer
		t.reply("\x1b[?13n")
	case n == 25 && private: // user-defined keys
		t.reply("\x1b[?20n")
	case n == 26 && private: // the keyboard
		t.reply("\x1b[?27;1;0;0n")
	}
}

// reportMode is DECRQM.
func (t *Terminal) reportMode() {
	n := t.param(0, 0)
	const (
		unknown = iota
		set
		reset
	)
	table, mark := ansiModes, ""
	if t.private == '?' {
		table, mark = privateModes, "?"
	}
	state := unknown
	if m, ok := table[n]; ok {
		state = reset
		if t.modes.Has(m) {
			state = set
		}
	} else if n == 1048 && t.private == '?' {
		state = set
	}
	t.reply(fmt.Sprintf("\x1b[%s%d;%d$y", mark, n, state))
}

// CellWidth and CellHeight are the size of a cell in pixels that programs get in reports of sizes
// and of the mouse. The cells of the terminals that people look at vary.
const CellWidth, CellHeight = 8, 16

// reportSize is the report of mode 2048.
func (t *Terminal) reportSize() {
	t.reply(fmt.Sprintf("\x1b[48;%d;%d;%d;%dt", t.rows, t.cols, t.rows*CellHeight, t.cols*CellWidth))
}

// reportScheme answers DSR 996, and is mode 2031's report: dark background (1) or light (2).
func (t *Terminal) reportScheme() {
	scheme := 1
	if t.light() {
		scheme = 2
	}
	t.reply(fmt.Sprintf("\x1b[?997;%dn", scheme))
}

// windowOps is XTWINOPS, as far as it is harmless: programs cannot move or resize a window, and
// titles are not reported, because that would let output type into the shell.
func (t *Terminal) windowOps() {
	switch t.param(0, 0) {
	case 14: // the text area in pixels, or with ;2 the window, which is no larger
		t.reply(fmt.Sprintf("\x1b[4;%d;%dt", t.rows*CellHeight, t.cols*CellWidth))
	case 15: // the screen in pixels
		t.reply(fmt.Sprintf("\x1b[5;%d;%dt", t.rows*CellHeight, t.cols*CellWidth))
	case 16:
		t.reply(fmt.Sprintf("\x1b[6;%d;%dt", CellHeight, CellWidth))
	case 18:
		t.reply(fmt.Sprintf("\x1b[8;%d;%dt", t.rows, t.cols))
	case 19:
		t.reply(fmt.Sprintf("\x1b[9;%d;%dt", t.rows, t.cols))
	case 22:
		t.pushTitle()
	case 23:
		t.popTitle()
	}
}

// dcs executes a device control string.
func (t *Terminal) dcs(inter byte, s []byte) {
	switch inter {
	case '$':
		t.reportSetting(string(s))
	case '+':
		t.reportCapabilities(string(s))
	}
}

// reportSetting is DECRQSS.
func (t *Terminal) reportSetting(name string) {
	var value string
	switch name {
	case "m":
		value = string(t.cur.pen.AppendSGR(nil))
	case "r":
		value = fmt.Sprintf("%d;%d", t.top+1, t.bottom+1)
	case "s":
		value = fmt.Sprintf("%d;%d", t.left+1, t.right+1)
	case " q":
		value = strconv.Itoa(t.cursorStyle())
	case "\"q":
		value = "0"
		if t.cur.pen.Attr&sgr.Protected != 0 {
			value = "1"
		}
	case "\"p":
		value = "64;1"
	default:
		t.reply("\x1bP0$r\x1b\\")
		return
	}
	t.reply("\x1bP1$r" + value + name + "\x1b\\")
}

var capabilities = map[string]string{
	"TN": "xterm-256color", "name": "xterm-256color",
	"Co": "256", "colors": "256",
	"RGB": "8/8/8", "Tc": "",
	"Su": "", "Smulx": "\x1b[4:%p1%dm",
	"Setulc": "\x1b[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%dm",
	"Ss":     "\x1b[%p1%d q", "Se": "\x1b[2 q",
	"Ms": "\x1b]52;%p1%s;%p2%s\x07",
}

// maxCapability is the maximum length of a capability's name.
const maxCapability = 32

// reportCapabilities is XTGETTCAP: names and values as hexadecimal digits.
func (t *Terminal) reportCapabilities(names string) {
	for i, name := range strings.Split(names, ";") {
		if i == maxParams || len(name) > 2*maxCapability {
			return
		}
		decoded, err := hex.DecodeString(name)
		if err != nil {
			return
		}
		value, ok := capabilities[string(decoded)]
		switch {
		case !ok:
			t.reply("\x1bP0+r" + hex.EncodeToString(decoded) + "\x1b\\")
		case value == "":
			t.reply("\x1bP1+r" + name + "\x1b\\")
		default:
			t.reply("\x1bP1+r" + name + "=" + strings.ToUpper(hex.EncodeToString([]byte(value))) + "\x1b\\")
		}
	}
}
