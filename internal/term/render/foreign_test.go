package render

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"ui-mcp/internal/term/vt"
)

func TestForeign(t *testing.T) {
	for _, tt := range []struct{ in, plain, all string }{ // with nothing asked for, and with everything
		{"a日é\r\n\x0f", "a日é\r\n\x0f", "a日é\r\n\x0f"},
		{"\x1b[1;31mred\x1b[m\x1b[2;3H\x1b[38:2::1:2:3m", "\x1b[1;31mred\x1b[m\x1b[2;3H\x1b[38:2::1:2:3m", "\x1b[1;31mred\x1b[m\x1b[2;3H\x1b[38:2::1:2:3m"},
		// The clipboard, and asking for it.
		{"\x1b]52;c;QUJD\x1b\\x", "x", "\x1b]52;c;QUJD\x1b\\x"},
		{"\x1b]52;c;?\x1b\\x", "x", "x"}, {"\x1b]52;c;QUJD\ax", "x", "x"}, {"\x1b]52;c!;QUJD\x1b\\x", "x", "x"},
		// Links.
		{"\x1b]8;;https://a.example/\x1b\\x", "\x1b]8;;https://a.example/\x1b\\x", "\x1b]8;;https://a.example/\x1b\\x"},
		{"\x1b]8;;vscode://x\x1b\\x", "\x1b]8;;\x1b\\x", "\x1b]8;;\x1b\\x"}, {"\x1b]8;id=1;https://a\x1b\\x", "\x1b]8;;\x1b\\x", "\x1b]8;;\x1b\\x"},
		{"\x1b]8;;file:///\u202eb\x1b\\x", "\x1b]8;;\x1b\\x", "\x1b]8;;\x1b\\x"},
		// Titles, and asking for them.
		{"\x1b]2;a\u202eb\x1b\\x", "\x1b]2;ab\x1b\\x", "\x1b]2;ab\x1b\\x"}, {"\x1b]0;a\x1b\\\x1b]1;a\x1b\\x", "x", "x"}, {"\x1b[21tx\x1b[22;2t\x1b[8;999;999t", "x", "x"},
		// Bells, notifications and progress: one of each.
		{"\a\a\a", "", "\a"}, {"\x1b]9;hi\x1b\\\x1b]777;notify;a;b\x1b\\", "", "\x1b]9;hi\x1b\\"}, {"\x1b]777;other;a\x1b\\", "", ""},
		{"\x1b]9;4;1;50\x1b\\", "", "\x1b]9;4;1;50\x1b\\"}, {"\x1b]9;4;1;5;6;7;8;9;10\x1b\\", "", ""}, {"\x1b]9;2;box\x1b\\\x1b]9;3\x1b\\", "", ""},
		// Strings for devices, printers and programs around.
		{"\x1bPq#0;1~\x1b\\", "q#0;1~", "q#0;1~"}, {"\x1b_Gx\x1b\\\x1b^y\x1b\\\x1bXz\x1b\\", "Gxyz", "Gxyz"}, {"\x1b[5i\x1b[4i", "", ""}, {"\x1bPtmux;\x1b\x1b]52;c;QQ==\a\x1b\\", "tmux;", "tmux;"},
		// Questions, which a terminal answers by typing.
		{"\x1b[c\x1b[>c\x1b[6n\x1b[?6n\x1b[?2026$p\x1bP$qm\x1b\\\x1b[>q\x1b[?u\x1b[x\x05\x1b]10;?\x1b\\\x1b]12;?\x1b\\\x1b]4;1;?\x1b\\\x1b[?4m\x1bZ\x1b[0x", "$qmZ", "$qmZ"},
		// Settings that pictures leave alone.
		{"\x1bc\x1b[!p\x1b[?3h\x1b[?1;47h\x1b[4h\x1b[20h\x1b[?5W\x1b(0\x0e\x1bn\x1b]4;1;#000\x1b\\\x1b]104\x1b\\\x1b]1337;File=x\x1b\\\x1b[>1;2m\x1b[>5u\x1b[3J\x1b[=0;1u", "c(0n\x1b[=0;1u", "c(0n\x1b[=0;1u"},
		// Controls in eight bits, and in the middle of a sequence.
		{"\x9b6n\u009b6n\u0090q\u009c\x9d52;c;QQ==\x9c", "\ufffd6n6nq\ufffd52;c;QQ==\ufffd", "\ufffd6n6nq\ufffd52;c;QQ==\ufffd"},
		{"\x1b[6\x1b[cn", "n", "n"}, {"\x1b[1\nm", "\nm", "\nm"}, {"\x1b]2;a\x18b", "b", "b"}, {"\x1b]2;a\x1b[6n", "", ""},
		// The other screen, as it is entered and left.
		{"\x1b[?1049l\x1b[<u", "", ""}, {"\x1b[?1049h\x1b[>0u\x1b[>0u\x1b[<u\x1b[<u\x1b[?1049l", "", "\x1b[?1049h\x1b[>0u\x1b[<u\x1b[?1049l"},
		// An update that does not end.
		{"\x1b[?2026hx", "\x1b[?2026hx\x1b[?2026l", "\x1b[?2026hx\x1b[?2026l"},
	} {
		plain, all := Foreign{}, Foreign{Screens: true, Forward: true, Clipboard: true}
		if got := plain.Append(nil, []byte(tt.in)); string(got) != tt.plain {
			t.Errorf("%q becomes %q, want %q", tt.in, got, tt.plain)
		}
		if got := all.Append(nil, []byte(tt.in)); string(got) != tt.all {
			t.Errorf("%q becomes %q with everything, want %q", tt.in, got, tt.all)
		}
	}
}

// What is cut between parts comes out as if it were whole, and what never ends is not kept.
func TestForeignParts(t *testing.T) {
	whole := "\x1b[1;31mred 日本\x1b]8;;https://a.example/\x1b\\link\x1b]8;;\x1b\\\x1b[?25l\x1b(B\x1b#5\x1b]2;title\x1b\\"
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var f Foreign
		var got []byte
		for rest := whole; rest != ""; {
			n := 1 + r.IntN(min(len(rest), 9))
			got = f.Append(got, []byte(rest[:n]))
			rest = rest[n:]
		}
		if string(got) != whole {
			t.Fatalf("%q", got)
		}
	}
	f := Foreign{Clipboard: true}
	f.Append(nil, []byte("\x1b]52;c;"))
	for range 4 * maxForeign / 10_000 {
		f.Append(nil, bytes.Repeat([]byte("A"), 10_000))
	}
	if len(f.held) > maxForeign {
		t.Errorf("it keeps %d bytes", len(f.held))
	}
}

// judge shows a terminal what a Foreign lets pass, and fails if that does more than draw.
func judge(t *testing.T, f Foreign, parts [][]byte) {
	t.Helper()
	person, err := vt.New(vt.Options{Cols: 40, Rows: 10, Effect: func(e vt.Effect) {
		switch e := e.(type) {
		case vt.Reply:
			t.Errorf("the terminal types %q", e.Data)
		case vt.Prompt:
			t.Errorf("the terminal gets a mark of a shell")
		case vt.Clipboard:
			if e.Query || !f.Clipboard {
				t.Errorf("the clipboard: %+v", e)
			}
		case vt.Bell, vt.Notification, vt.Progress:
			if !f.Forward {
				t.Errorf("%T", e)
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	again := f
	for _, part := range parts {
		out := f.Append(nil, part)
		write(person, out)
		if twice := again.Append(nil, out); !bytes.Equal(twice, out) {
			t.Errorf("%q passes as %q", out, twice)
		}
		if bytes.ContainsAny(out, "\x00\x05\x0e\x18\x1a") || bytes.Contains(out, []byte("\x1bP")) || bytes.Contains(out, []byte("\x1b_")) {
			t.Errorf("%q passes", out)
		}
	}
	if person.Snapshot().AltScreen() && !f.Screens {
		t.Error("the terminal is on its other screen")
	}
}

func FuzzForeign(f *testing.F) {
	f.Add([]byte("\x1b]52;c;QUJD\x1b\\\x1b[6n\x1b[1;31mx"), []byte("\x1bP$qm\x1b\\\x1b[?1049h"), byte(0))
	f.Add([]byte("\x1b]8;;javascript:x\x1b"), []byte("\\\xe6\x97"), byte(7))
	f.Add([]byte("\x1b]2;a\x9cb\a\x1b[?25;2026h\x1b[>4;2m"), []byte("\u009b6n\x1b[?1;9;1000l"), byte(3))
	f.Fuzz(func(t *testing.T, a, b []byte, asked byte) {
		judge(t, Foreign{Screens: asked&1 != 0, Forward: asked&2 != 0, Clipboard: asked&4 != 0}, [][]byte{a, b})
	})
}

// Whatever another host sends, made of all that terminals know, draws and does nothing else.
func TestForeignDraws(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pieces := strings.Split("\x1b|\x1b[|\x1b]|\x1bP|\x1b_|\x1b\\|\a|\x9b|\u009b|\u009c|?|>|<|=|;|:|0|1|2|6|9|25|52;c;QUJD|8;;file:///x|1049|2026|777;notify;a;b|h|l|m|n|c|u|q| q|p|$p|t|J|H|i|日|\xe6|a b|\r\n|\x18|\x05|!|#8|(0|Z|c|133;A", "|")
	for range 3000 {
		var parts [][]byte
		for range 1 + r.IntN(3) {
			var b []byte
			for range r.IntN(30) {
				b = append(b, pieces[r.IntN(len(pieces))]...)
			}
			parts = append(parts, b)
		}
		judge(t, Foreign{Screens: r.IntN(2) == 0, Forward: r.IntN(2) == 0, Clipboard: r.IntN(2) == 0}, parts)
	}
}
