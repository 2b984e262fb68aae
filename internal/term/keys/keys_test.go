package keys_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/vt"
)

// after returns the mode of a program that has written s.
func after(t testing.TB, s string) vt.Input {
	t.Helper()
	term, err := vt.New(vt.Options{Cols: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := term.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	return term.Input()
}

func TestEncode(t *testing.T) {
	const (
		plain  = ""
		cursor = "\x1b[?1h"
		kitty  = "\x1b[>1u"
		all    = "\x1b[>8u"
		text   = "\x1b[>24u"
		keypad = "\x1b="
		lines  = "\x1b[20h"
		other1 = "\x1b[>4;1m"
		other2 = "\x1b[>4;2m"
		types  = "\x1b[>3u"  // disambiguate, event types
		moved  = "\x1b[>2u"  // event types only
		each   = "\x1b[>10u" // all as escapes, event types
		others = "\x1b[>5u"  // disambiguate, alternates
		whole  = "\x1b[>31u"
	)
	for _, tt := range []struct{ mode, key, want string }{
		{plain, "a", "a"}, {plain, "€", "€"}, {plain, "-", "-"}, {plain, "+", "+"}, {plain, "C--", ""},
		{plain, "Enter", "\r"}, {plain, "return", "\r"}, {plain, "Tab", "\t"}, {plain, "Escape", "\x1b"},
		{plain, "Space", " "}, {plain, "Backspace", "\x7f"}, {plain, "C-Backspace", "\b"},
		{plain, "C-c", "\x03"}, {plain, "C-C", "\x03"}, {plain, "Ctrl+c", "\x03"}, {plain, "^-d", "\x04"},
		{plain, "C-Space", "\x00"}, {plain, "C-@", "\x00"}, {plain, "C-[", "\x1b"}, {plain, "C-\\", "\x1c"},
		{plain, "C-]", "\x1d"}, {plain, "C-^", "\x1e"}, {plain, "C-_", "\x1f"}, {plain, "C-/", "\x1f"}, {plain, "C-?", "\x7f"},
		{plain, "C-!", ""}, {plain, "C-€", ""}, {plain, "S-1", ""}, {plain, "S-a", "A"}, {plain, "S-ä", "Ä"},
		{plain, "M-x", "\x1bx"}, {plain, "Alt+X", "\x1bX"}, {plain, "C-M-x", "\x1b\x18"}, {plain, "M-Enter", "\x1b\r"},
		{plain, "S-Tab", "\x1b[Z"}, {plain, "M-Escape", "\x1b\x1b"},
		{plain, "Up", "\x1b[A"}, {plain, "down", "\x1b[B"}, {plain, "Right", "\x1b[C"}, {plain, "Left", "\x1b[D"},
		{plain, "Home", "\x1b[H"}, {plain, "End", "\x1b[F"}, {plain, "C-Up", "\x1b[1;5A"}, {plain, "C-M-S-Left", "\x1b[1;8D"},
		{plain, "Insert", "\x1b[2~"}, {plain, "Delete", "\x1b[3~"}, {plain, "PgUp", "\x1b[5~"}, {plain, "S-PageDown", "\x1b[6;2~"},
		{plain, "F1", "\x1bOP"}, {plain, "F4", "\x1bOS"}, {plain, "S-F1", "\x1b[1;2P"}, {plain, "F5", "\x1b[15~"}, {plain, "C-F12", "\x1b[24;5~"},
		{plain, "F13", "\x1b[1;2P"}, {plain, "F24", "\x1b[24;2~"},
		{cursor, "Up", "\x1bOA"}, {cursor, "End", "\x1bOF"}, {cursor, "S-Up", "\x1b[1;2A"}, {cursor, "Delete", "\x1b[3~"},
		{kitty, "a", "a"}, {kitty, "A", "A"}, {kitty, "S-a", "A"}, {kitty, "Escape", "\x1b[27u"}, {kitty, "C-c", "\x1b[99;5u"},
		{kitty, "C-C", "\x1b[99;6u"}, {kitty, "M-x", "\x1b[120;3u"}, {kitty, "C-!", "\x1b[33;5u"},
		{kitty, "Enter", "\r"}, {kitty, "C-Enter", "\x1b[13;5u"}, {kitty, "S-Tab", "\x1b[9;2u"}, {kitty, "Tab", "\t"},
		{kitty, "Up", "\x1b[A"}, {kitty + cursor, "Up", "\x1b[A"}, {kitty, "F1", "\x1b[P"}, {kitty, "F3", "\x1b[13~"},
		{kitty, "F5", "\x1b[15~"}, {kitty, "F13", "\x1b[57376u"}, {kitty, "S-1", ""},
		{all, "a", "\x1b[97u"}, {all, "A", "\x1b[97;2u"}, {all, "Enter", "\x1b[13u"}, {all, "Space", "\x1b[32u"},
		{text, "a", "\x1b[97;;97u"}, {text, "A", "\x1b[97;2;65u"}, {text, "C-a", "\x1b[97;5u"},
		{lines, "Enter", "\r\n"}, {lines, "KPEnter", "\r\n"}, {lines, "M-Enter", "\x1b\r\n"}, {lines, "Tab", "\t"}, {lines + all, "Enter", "\x1b[13u"},

		{plain, "KP5", "5"}, {plain, "kp+", "+"}, {plain, "KPAdd", "+"}, {plain, "KPEnter", "\r"}, {plain, "KPLeft", "\x1b[D"}, {plain, "C-KPPageUp", "\x1b[5;5~"},
		{plain, "KPBegin", "\x1b[E"}, {plain, "M-KP1", "\x1b1"}, {plain, "KPDelete", "\x1b[3~"},
		{keypad, "KP0", "\x1bOp"}, {keypad, "KP9", "\x1bOy"}, {keypad, "KPDecimal", "\x1bOn"}, {keypad, "KPSubtract", "\x1bOm"}, {keypad, "KPSeparator", "\x1bOl"},
		{keypad, "KPEnter", "\x1bOM"}, {keypad, "KPMultiply", "\x1bOj"}, {keypad, "KPEqual", "\x1bOX"}, {keypad, "M-KP0", "\x1b\x1bOp"}, {keypad, "5", "5"},
		{keypad, "KPHome", "\x1b[H"}, {cursor, "KPHome", "\x1bOH"},
		{kitty, "KP0", "\x1b[57399u"}, {kitty, "KPDecimal", "\x1b[57409u"}, {kitty, "C-KPEnter", "\x1b[57414;5u"}, {kitty, "KPDelete", "\x1b[57426u"}, {kitty, "KPBegin", "\x1b[E"},

		{plain, "Menu", "\x1b[29~"}, {plain, "S-Menu", "\x1b[29;2~"}, {kitty, "Menu", "\x1b[57363u"},
		{kitty, "MediaPlay", "\x1b[57428u"}, {kitty, "VolumeUp", "\x1b[57439u"}, {kitty, "Mute", "\x1b[57440u"}, {kitty, "C-MediaNext", "\x1b[57435;5u"},
		{kitty, "PrintScreen", "\x1b[57361u"}, {kitty, "Pause", "\x1b[57362u"}, {plain, "MediaPlay", ""}, {plain, "Pause", ""}, {other2, "Mute", ""},
		{kitty, "Super", ""}, {all, "Super", "\x1b[57444;9u"}, {each, "Super", "\x1b[57444;9u\x1b[57444;1:3u"}, {plain, "Super", ""}, {all, "CapsLock", "\x1b[57358u"},
		{kitty, "Super-a", "\x1b[97;9u"}, {kitty, "Super-Left", "\x1b[1;9D"}, {kitty, "C-Super-Enter", "\x1b[13;13u"}, {plain, "Super-a", ""}, {plain, "Super-Left", ""}, {other2, "Super-a", ""},

		{other2, "a", "a"}, {other2, "S-a", "A"}, {other2, "C-c", "\x03"}, {other2, "C-C", "\x03"}, {other2, "M-x", "\x1bx"}, {other2, "C-M-x", "\x1b\x18"}, {other2, "S-Tab", "\x1b[Z"},
		{other2, "C-!", "\x1b[27;5;33~"}, {other2, "C-Enter", "\x1b[27;5;13~"}, {other2, "S-Enter", "\x1b[27;2;13~"}, {other2, "M-Enter", "\x1b\r"}, {other2, "C-Tab", "\x1b[27;5;9~"},
		{other2, "C-Backspace", "\b"}, {other2, "C-Up", "\x1b[1;5A"}, {other2, "Escape", "\x1b"}, {other2, "S-Escape", "\x1b[27;2;27~"}, {other1, "C-€", "\x1b[27;5;8364~"},
		{other2, "S-F1", "\x1b[1;2P"}, {other2, "S-1", ""}, {other2 + kitty, "C-c", "\x1b[99;5u"},

		{types, "a", "a"}, {types, "Enter", "\r"}, {types, "C-a", "\x1b[97;5u\x1b[97;5:3u"}, {types, "Escape", "\x1b[27u\x1b[27;1:3u"}, {types, "C-Enter", "\x1b[13;5u\x1b[13;5:3u"},
		{types, "Up", "\x1b[A\x1b[1;1:3A"}, {types, "S-Delete", "\x1b[3;2~\x1b[3;2:3~"}, {types, "F1", "\x1b[P\x1b[1;1:3P"}, {types, "F3", "\x1b[13~\x1b[13;1:3~"},
		{types, "F13", "\x1b[57376u\x1b[57376;1:3u"}, {types, "KP1", "\x1b[57400u\x1b[57400;1:3u"},
		{moved, "a", "a"}, {moved, "C-a", "\x01"}, {moved, "Escape", "\x1b"}, {moved, "Up", "\x1b[A\x1b[1;1:3A"}, {moved, "Delete", "\x1b[3~\x1b[3;1:3~"},
		{each, "a", "\x1b[97u\x1b[97;1:3u"}, {each, "A", "\x1b[97;2u\x1b[97;2:3u"}, {each, "Enter", "\x1b[13u\x1b[13;1:3u"}, {each, "Tab", "\x1b[9u\x1b[9;1:3u"},
		{others, "C-a", "\x1b[97;5u"}, {others, "C-A", "\x1b[97:65;6u"}, {others, "C-S-ä", "\x1b[228:196;6u"}, {others, "C-S-1", "\x1b[49;6u"}, {others, "a", "a"},
		{whole, "A", "\x1b[97:65;2;65u\x1b[97:65;2:3u"}, {whole, "a", "\x1b[97;;97u\x1b[97;1:3u"},

		{plain, "", ""}, {plain, "Nope", ""}, {plain, "F0", ""}, {plain, "F25", ""}, {plain, "C-Nope", ""}, {plain, "X-a", ""},
		{plain, "\x1b", ""}, {plain, "\xff", ""}, {plain, "C+c", ""},
	} {
		got, err := keys.Encode(tt.key, after(t, tt.mode))
		if string(got) != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("after %q, Encode(%q) = %q, %v; want %q", tt.mode, tt.key, got, err, tt.want)
		}
		if err != nil && fault.KindOf(err) != fault.Invalid {
			t.Errorf("Encode(%q): kind %v", tt.key, fault.KindOf(err))
		}
	}
}

// The names that an error lists are names of keys.
func TestNames(t *testing.T) {
	_, err := keys.Encode("NoKey", vt.Input{})
	_, list, ok := strings.Cut(fmt.Sprint(err), "one character, or ")
	if !ok {
		t.Fatalf("the error %q lists no names", err)
	}
	list, _, _ = strings.Cut(list, ";")
	for name := range strings.SplitSeq(list, ", ") {
		first, _, _ := strings.Cut(name, " ")
		if _, err := keys.Encode(first, vt.Input{Keys: vt.KeyAllAsEscapes}); err != nil {
			t.Error(err)
		}
	}
}

func TestPaste(t *testing.T) {
	for _, tt := range []struct{ mode, text, want string }{
		{"", "one\ntwo\r\nthree\tä\x00\x03", "one\rtwo\rthree\tä"},
		{"\x1b[?2004h", "one\ntwo", "\x1b[200~one\rtwo\x1b[201~"},
		{"\x1b[?2004h", "evil\x1b[201~rm -rf\u009b1~\x7f", "\x1b[200~evil[201~rm -rf1~\x1b[201~"},
		{"\x1b[?2004h", "\x1b\x1b[201~[201~", "\x1b[200~[201~[201~\x1b[201~"},
	} {
		if got := string(keys.Paste(tt.text, after(t, tt.mode))); got != tt.want {
			t.Errorf("after %q, Paste(%q) = %q, want %q", tt.mode, tt.text, got, tt.want)
		}
	}
}

func TestMouse(t *testing.T) {
	click := keys.MouseEvent{Button: keys.Left, Action: keys.Press, Col: 9, Row: 4}
	with := func(f func(*keys.MouseEvent)) keys.MouseEvent {
		e := click
		f(&e)
		return e
	}
	release := with(func(e *keys.MouseEvent) { e.Action = keys.Release })
	drag := with(func(e *keys.MouseEvent) { e.Action = keys.Move })
	hover := with(func(e *keys.MouseEvent) { e.Action, e.Button = keys.Move, keys.NoButton })
	wheel := with(func(e *keys.MouseEvent) { e.Button, e.Control = keys.WheelDown, true })
	far := with(func(e *keys.MouseEvent) { e.Col = 300 })
	for _, tt := range []struct {
		name, mode string
		e          keys.MouseEvent
		want       string
		kind       fault.Kind // if want is ""
	}{
		{"not asked", "", click, "", fault.Precondition},
		{"X10", "\x1b[?9h", click, "\x1b[M *%", 0},
		{"X10 release", "\x1b[?9h", release, "", fault.Precondition},
		{"normal", "\x1b[?1000h", click, "\x1b[M *%", 0},
		{"normal release", "\x1b[?1000h", release, "\x1b[M#*%", 0},
		{"normal drag", "\x1b[?1000h", drag, "", fault.Precondition},
		{"normal far", "\x1b[?1000h", far, "", fault.Precondition},
		{"SGR", "\x1b[?1000h\x1b[?1006h", click, "\x1b[<0;10;5M", 0},
		{"SGR release", "\x1b[?1000h\x1b[?1006h", release, "\x1b[<0;10;5m", 0},
		{"SGR wheel", "\x1b[?1000h\x1b[?1006h", wheel, "\x1b[<81;10;5M", 0},
		{"SGR drag", "\x1b[?1002h\x1b[?1006h", drag, "\x1b[<32;10;5M", 0},
		{"SGR hover", "\x1b[?1002h\x1b[?1006h", hover, "", fault.Precondition},
		{"any hover", "\x1b[?1003h\x1b[?1006h", hover, "\x1b[<35;10;5M", 0},
		{"pixels", "\x1b[?1000h\x1b[?1016h", click, "\x1b[<0;77;73M", 0},
		{"pixels release", "\x1b[?1000h\x1b[?1016h", release, "\x1b[<0;77;73m", 0},
		{"outside", "\x1b[?1003h", with(func(e *keys.MouseEvent) { e.Row = 50 }), "", fault.Invalid},
		{"no such button", "\x1b[?1003h", with(func(e *keys.MouseEvent) { e.Button = "fifth" }), "", fault.Invalid},
		{"no such action", "\x1b[?1003h", with(func(e *keys.MouseEvent) { e.Action = "lick" }), "", fault.Invalid},
		{"wheel release", "\x1b[?1003h", with(func(e *keys.MouseEvent) { e.Button, e.Action = keys.WheelUp, keys.Release }), "", fault.Invalid},
		{"press of nothing", "\x1b[?1003h", with(func(e *keys.MouseEvent) { e.Button = keys.NoButton }), "", fault.Invalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := keys.Mouse(tt.e, 400, 50, after(t, tt.mode))
			if string(got) != tt.want {
				t.Errorf("Mouse = %q, %v; want %q", got, err, tt.want)
			}
			if tt.want == "" && fault.KindOf(err) != tt.kind {
				t.Errorf("Mouse = %v (%v), want %v", err, fault.KindOf(err), tt.kind)
			}
		})
	}
}

// A person's terminal reports in one form, and the program gets reports in the form that it chose.
func TestMouseReport(t *testing.T) {
	for _, tt := range []struct{ mode, report, want string }{
		{"", "\x1b[<0;10;5M", ""},
		{"\x1b[?1000;1006h", "\x1b[<0;10;5M", "\x1b[<0;10;5M"},
		{"\x1b[?1000;1006h", "\x1b[<0;10;5m", "\x1b[<0;10;5m"},
		{"\x1b[?1000;1006h", "\x1b[<81;10;5M", "\x1b[<81;10;5M"},
		{"\x1b[?1000;1006h", "\x1b[<32;10;5M", ""}, // a move, which the program did not ask for
		{"\x1b[?1002;1006h", "\x1b[<32;10;5M", "\x1b[<32;10;5M"},
		{"\x1b[?1002;1006h", "\x1b[<35;10;5M", ""},
		{"\x1b[?1003;1006h", "\x1b[<35;10;5M", "\x1b[<35;10;5M"},
		{"\x1b[?1000h", "\x1b[<18;10;5M", "\x1b[M2*%"},
		{"\x1b[?1000h", "\x1b[<18;10;5m", "\x1b[M3*%"}, // the old form does not name the button
		{"\x1b[?1000h", "\x1b[<0;300;5M", ""},          // nor can it express the column
		{"\x1b[?1000;1016h", "\x1b[<0;10;5M", "\x1b[<0;77;73M"},
		{"\x1b[?9h", "\x1b[<16;10;5M", "\x1b[M *%"},
		{"\x1b[?9h", "\x1b[<0;10;5m", ""},
	} {
		r, ok := keys.ParseMouse([]byte(tt.report))
		if !ok || r.Col < 9 || r.Row != 4 || string(r.SGR()) != tt.report {
			t.Errorf("ParseMouse(%q) = %+v, %t, again %q", tt.report, r, ok, r.SGR())
		}
		if got := string(r.For(after(t, tt.mode).Modes)); got != tt.want {
			t.Errorf("after %q, %q is %q, want %q", tt.mode, tt.report, got, tt.want)
		}
	}
	for _, no := range []string{"", "x", "\x1b[<", "\x1b[<M", "\x1b[<0;1M", "\x1b[<0;0;1M", "\x1b[<0;1;0m", "\x1b[<0;1;1", "\x1b[<0;1;1;1M", "\x1b[<a;1;1M",
		"\x1b[<224;1;1M", "\x1b[<0;-1;1M", "\x1b[<0;1;65536M", "\x1b[0;1;1M", "\x1b[<0;1;1Mx", "\x1b[M !!"} {
		if r, ok := keys.ParseMouse([]byte(no)); ok {
			t.Errorf("ParseMouse(%q) = %+v", no, r)
		}
	}
}

func FuzzMouseReport(f *testing.F) {
	f.Add("\x1b[<0;10;5M", "\x1b[?1000;1006h")
	f.Add("\x1b[<35;10;5m", "\x1b[?1003h")
	f.Fuzz(func(t *testing.T, report, mode string) {
		r, ok := keys.ParseMouse([]byte(report))
		if !ok || len(mode) > 100 {
			return
		}
		if again, ok := keys.ParseMouse(r.SGR()); !ok || again != r {
			t.Errorf("%q is %+v, and then %+v", report, r, again)
		}
		if b := r.For(after(t, mode).Modes); len(b) > 0 && !bytes.HasPrefix(b, []byte("\x1b[")) {
			t.Errorf("%q after %q is %q", report, mode, b)
		}
	})
}

func FuzzEncode(f *testing.F) {
	for _, s := range []string{"C-c", "M-S-F5", "Ctrl+Alt+Del", "--", "C-", "-", "€"} {
		f.Add(s, "\x1b[?1h")
		f.Add(s, "\x1b[>25u")
	}
	f.Fuzz(func(t *testing.T, name, mode string) {
		if len(mode) > 100 {
			return
		}
		b, err := keys.Encode(name, after(t, mode))
		if (err == nil) != (len(b) > 0) {
			t.Errorf("Encode(%q) = %q, %v", name, b, err)
		}
	})
}

// FuzzPaste checks that no control character gets through, and that nothing else is lost.
func FuzzPaste(f *testing.F) {
	for _, s := range []string{"a\x1b[201~b\r\n", "\x9b201~", "\u009b201~", "\xe2\x1b\x80", "\r\r\n\n", "👩\u200d💻\t\u2028"} {
		f.Add(s)
	}
	bracketed := after(f, "\x1b[?2004h")
	visible := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return -1
			}
			return r
		}, s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b := string(keys.Paste(text, bracketed))
		inner, begun := strings.CutPrefix(b, "\x1b[200~")
		inner, ended := strings.CutSuffix(inner, "\x1b[201~")
		if plain := string(keys.Paste(text, vt.Input{})); !begun || !ended || inner != plain {
			t.Errorf("Paste(%q) = %q, without brackets %q", text, b, plain)
		}
		if !utf8.ValidString(inner) || strings.ContainsFunc(inner, func(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\r' }) {
			t.Errorf("Paste(%q) = %q", text, b)
		}
		if got, want := visible(inner), visible(text); got != want {
			t.Errorf("Paste(%q) = %q, which shows %q, want %q", text, b, got, want)
		}
	})
}
