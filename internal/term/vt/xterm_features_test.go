package vt

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// drawn returns the rows of a 10x4 terminal after some output, with "|" for the cursor.
func drawn(t *testing.T, output string) []string {
	t.Helper()
	vt := newTerminal(t, 10, 4, 10)
	write(vt, []byte(output))
	checkState(t, vt)
	s := vt.Snapshot()
	var rows []string
	for y, l := range s.Lines {
		text := l.Plain()
		if y == s.Cursor.Row {
			text += strings.Repeat(" ", max(0, s.Cursor.Col-len(text)))
			text = text[:s.Cursor.Col] + "|" + text[s.Cursor.Col:]
		}
		rows = append(rows, text)
	}
	return rows
}

func TestMarginsFollowXterm(t *testing.T) {
	t.Parallel()
	const page = "0123456789\r\nabcdefghij\r\nABCDEFGHIJ\r\n"
	// Margins at columns 3 to 6 and rows 1 to 3.
	const margins = page + "\x1b[?69h\x1b[3;6s\x1b[1;3r"
	for _, tt := range []struct {
		name, output string
		want         []string
	}{
		{"NEL right of the margin", margins + "\x1b[3;9H\x1bE", []string{"0123456789", "abcdefghij", "AB|CDEFGHIJ", ""}},
		{"NEL within", margins + "\x1b[3;4H\x1bE", []string{"01cdef6789", "abCDEFghij", "AB|    GHIJ", ""}},
		{"LF with LNM right of the margin", margins + "\x1b[20h\x1b[3;9H\n", []string{"0123456789", "abcdefghij", "AB|CDEFGHIJ", ""}},
		{"wrap right of the margin", margins + "\x1b[3;10Hxy", []string{"0123456789", "abcdefghij", "ABy|DEFGHIx", ""}},
		{"SL within", margins + "\x1b[2;4H\x1b[ @", []string{"01345 6789", "abd|ef ghij", "ABDEF GHIJ", ""}},
		{"SL left of the margin", margins + "\x1b[2;1H\x1b[ @", []string{"0123456789", "|abcdefghij", "ABCDEFGHIJ", ""}},
		{"SR below the margins", margins + "\x1b[4;4H\x1b[ A", []string{"0123456789", "abcdefghij", "ABCDEFGHIJ", "   |"}},
		{"IRM within", margins + "\x1b[4h\x1b[1;4Hx", []string{"012x|346789", "abcdefghij", "ABCDEFGHIJ", ""}},
		{"IRM right of the margin", margins + "\x1b[4h\x1b[1;8Hx", []string{"0123456x|89", "abcdefghij", "ABCDEFGHIJ", ""}},
		{"IRM left of the margin", margins + "\x1b[4h\x1b[1;1Hx", []string{"x|123456789", "abcdefghij", "ABCDEFGHIJ", ""}},

		{"a wide character across the right margin", "\x1b[1;6H日\x1b[?69h\x1b[3;6s\x1b[1;6H本\x1b[H", []string{"|", "  本", "", ""}},
		{"reverse wrap needs a wrapped line", page + "\x1b[?45h\x1b[2;2H\b\b", []string{"0123456789", "|abcdefghij", "ABCDEFGHIJ", ""}},
		{"extended reverse wrap", page + "\x1b[?1045h\x1b[2;2H\b\b", []string{"012345678|9", "abcdefghij", "ABCDEFGHIJ", ""}},
		{"to the bottom", page + "\x1b[?1045h\x1b[H\b", []string{"0123456789", "abcdefghij", "ABCDEFGHIJ", "         |"}},
		{"between margins", margins + "\x1b[?1045h\x1b[1;3H\b", []string{"0123456789", "abcdefghij", "ABCDE|FGHIJ", ""}},
	} {
		if d := cmp.Diff(tt.want, drawn(t, tt.output)); d != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, d)
		}
	}
}

func TestLineSizes(t *testing.T) {
	t.Parallel()
	const page = "0123456789\r\nabcdefghij\r\n"
	for _, tt := range []struct {
		name, output string
		want         []string
		sizes        []LineSize
	}{
		{"the cursor moves into the visible half", page + "\x1b[1;9H\x1b#6", []string{"0123|456789", "abcdefghij", "", ""}, []LineSize{DoubleWidth, 0, 0, 0}},
		{"text wraps at half of the columns", "\x1b#6abcdefg", []string{"abcde", "fg|", "", ""}, []LineSize{DoubleWidth, 0, 0, 0}},
		{"movements stay in it", page + "\x1b[2H\x1b#3\x1b[1;9H\x1b[B", []string{"0123456789", "abcd|efghij", "", ""}, []LineSize{0, DoubleTop, 0, 0}},
		{"EL keeps the size", "\x1b#4abc\x1b[2K", []string{"   |", "", "", ""}, []LineSize{DoubleBottom, 0, 0, 0}},
		{"ED does not", "\x1b#4abc\x1b[2J", []string{"   |", "", "", ""}, []LineSize{0, 0, 0, 0}},
		{"single again", page + "\x1b[1;9H\x1b#6\x1b#5", []string{"0123|456789", "abcdefghij", "", ""}, []LineSize{0, 0, 0, 0}},
		{"lines move with their size", "\x1b[2H\x1b#6x\x1b[H\x1b[L", []string{"|", "", "x", ""}, []LineSize{0, 0, DoubleWidth, 0}},
		{"a wide character across the middle", "\x1b[1;5H日\x1b#6\x1b[1;5H日\x1b[H", []string{"|", "日", "", ""}, []LineSize{DoubleWidth, 0, 0, 0}},
		{"RIS", "\x1b#6\x1bcabcdefg", []string{"abcdefg|", "", "", ""}, []LineSize{0, 0, 0, 0}},
	} {
		if d := cmp.Diff(tt.want, drawn(t, tt.output)); d != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, d)
		}
		vt := newTerminal(t, 10, 4, 10)
		write(vt, []byte(tt.output))
		var sizes []LineSize
		for _, l := range vt.Snapshot().Lines {
			sizes = append(sizes, l.Size)
		}
		if d := cmp.Diff(tt.sizes, sizes); d != "" {
			t.Errorf("%s: sizes (-want +got)\n%s", tt.name, d)
		}
	}
	vt := newTerminal(t, 10, 2, 10)
	write(vt, []byte("\x1b#3top\r\n\x1b#4top\r\nx\r\ny"))
	if err := vt.Resize(8, 2); err != nil {
		t.Fatal(err)
	}
	_, lines := vt.Lines(0, 2)
	if lines[0].Size != DoubleTop || lines[1].Size != DoubleBottom {
		t.Errorf("history %+v", lines)
	}
	// The first line is history once nothing on the screen has a double size, and comes back.
	write(vt, []byte("z\r\nz"))
	if err := vt.Resize(8, 7); err != nil {
		t.Fatal(err)
	}
	write(vt, []byte("\x1b[1;8H"))
	if s := vt.Snapshot(); s.Lines[0].Size != DoubleTop || s.Cursor.Col != 3 {
		t.Errorf("in line %+v, the cursor is at column %d", s.Lines[0], s.Cursor.Col)
	}
}

// TestResetClearsHistory checks that no line from before RIS can be read.
func TestResetClearsHistory(t *testing.T) {
	t.Parallel()
	vt := newTerminal(t, 10, 2, 10)
	write(vt, []byte("\x1b]133;A\x07secret 1\r\nsecret 2\r\nsecret 3\r\n"))
	_, before, _ := vt.Extent()
	write(vt, []byte("\x1bc"))
	first, screen, _ := vt.Extent()
	if first != screen || screen != before {
		t.Errorf("lines %d to %d are history, before %d", first, screen, before)
	}
	if _, ok := vt.Mark(1); ok {
		t.Error("the mark is kept")
	}
	write(vt, []byte("a\r\nb\r\nc"))
	if _, lines := vt.Lines(0, 100); len(lines) != 3 || lines[0].Text != "a" {
		t.Errorf("lines %+v", lines)
	}
}

func TestColors(t *testing.T) {
	t.Parallel()
	for spec, want := range map[string]string{
		"#f80": "f0f0/8080/0000", "#ff8000": "ffff/8080/0000", "#fff800000": "ffff/8080/0000", "#ffff80000000": "ffff/8080/0000",
		"#f00f00f00": "f0f0/f0f0/f0f0", "#00ff00ff00ff": "0000/0000/0000",
		"rgb:f/8/0": "ffff/8888/0000", "rgb:ffff/8000/0": "ffff/8080/0000", "RGB:ff/0/0": "ffff/0000/0000",
		"red": "ffff/0000/0000", "Orange": "ffff/a5a5/0000", "PURPLE": "a0a0/2020/f0f0",
		"": "", "#": "", "#ff": "", "#fffffffffffff": "", "rgb:/0/0": "", "rgb:0/0": "", "rgb:00000/0/0": "", "light goldenrod yellow": "", "rgb:+1/0/0": "",
	} {
		for _, command := range [...]string{"4;1", "10", "11", "12"} {
			var replies strings.Builder
			vt, err := New(Options{Cols: 1, Rows: 1, Effect: func(e Effect) { replies.Write(e.(Reply).Data) }})
			if err != nil {
				t.Fatal(err)
			}
			ask := []byte("\x1b]" + command + ";?\x07")
			write(vt, ask)
			before := replies.String()
			replies.Reset()
			write(vt, []byte("\x1b]"+command+";"+spec+"\x07"))
			write(vt, ask)
			expected := "\x1b]" + command + ";rgb:" + want + "\x1b\\"
			if want == "" {
				expected = before
			}
			if got := replies.String(); got != expected {
				t.Errorf("OSC %s;%s: %q, want %q", command, spec, got, expected)
			}
		}
	}
}

func TestReports(t *testing.T) {
	t.Parallel()
	for output, want := range map[string]string{
		"\x1b[14t": "\x1b[4;64;80t", "\x1b[14;2t": "\x1b[4;64;80t", "\x1b[15t": "\x1b[5;64;80t", "\x1b[16t": "\x1b[6;16;8t",
		"\x1b[?2048h":                 "\x1b[48;4;10;64;80t",
		"\x1b[?996n":                  "\x1b[?997;1n",
		"\x1b]11;white\x07\x1b[?996n": "\x1b[?997;2n",
		"\x1b[996n":                   "",
		"\x1b[?2031$p":                "\x1b[?2031;2$y",
		"\x1b[?2031h\x1b]11;#eee\x07\x1b]11;#fff\x07\x1b]10;red\x07\x1b]111\x07": "\x1b[?997;2n\x1b[?997;1n",
		"\x1b]11;#eee\x07\x1b[?2031h\x1b[?2031l\x1b]111\x07":                     "",
		"\x1b[?2031h\x1b]11;#eee\x07\x1bc":                                       "\x1b[?997;2n",
		"\x1b[?1045h\x1b[?1045$p":                                                "\x1b[?1045;1$y",
	} {
		var replies strings.Builder
		vt, err := New(Options{Cols: 10, Rows: 4, Effect: func(e Effect) {
			if r, ok := e.(Reply); ok {
				replies.Write(r.Data)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		write(vt, []byte(output))
		if got := replies.String(); got != want {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
}

func TestPointer(t *testing.T) {
	t.Parallel()
	vt := newTerminal(t, 10, 4, 0)
	for _, tt := range []struct{ output, want string }{
		{"\x1b]22;text\x07", "text"}, {"\x1b]22;a b\x07", "text"}, {"\x1b]22;>wait\x07", "text"}, {"\x1b]22;" + strings.Repeat("x", 65) + "\x07", "text"},
		{"\x1b]22;top_left-1\x1b\\", "top_left-1"}, {"\x1b]22;\x07", ""}, {"\x1b]22;hand2\x07\x1bc", ""},
	} {
		before := vt.Epoch()
		write(vt, []byte(tt.output))
		if s := vt.Snapshot(); s.Pointer != tt.want {
			t.Errorf("after %q the pointer is %q, want %q", tt.output, s.Pointer, tt.want)
		}
		if changed := vt.Epoch() != before; changed != (tt.want != "text" || before == 0) {
			t.Errorf("after %q, epoch %d after %d", tt.output, vt.Epoch(), before)
		}
	}
}
