package vt

import (
	"strings"
	"testing"
)

func TestLineSizes(t *testing.T) {
	t.Parallel()
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
