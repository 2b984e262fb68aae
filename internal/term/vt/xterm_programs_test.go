package vt

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/load"
)

// erasure is ECH and DCH.
var erasure = regexp.MustCompile(`\x1b\[[0-9]*[XP]`)

// settled returns the recording with a movement to the right before every ECH and DCH while a wrap
// is pending. That changes nothing here and in xterm, where the cursor is in the last column; but
// xterm's engine would not erase anything.
func (r recording) settled(t *testing.T) recording {
	t.Helper()
	vt := newTerminal(t, r.cols, r.rows, 0)
	whole := r
	whole.output = nil
	done := 0
	for _, at := range append(erasure.FindAllIndex(r.output, -1), []int{len(r.output)}) {
		piece := recording{output: r.output[done:at[0]]}
		for _, s := range piece.steps(t, func() int { return len(r.output) }) {
			if s.Write != nil {
				write(vt, s.Write)
			} else if err := vt.Resize(s.Resize[0], s.Resize[1]); err != nil {
				t.Fatal(err)
			}
		}
		whole.output = append(whole.output, piece.output...)
		if vt.cur.pending {
			whole.output = append(whole.output, "\x1b[C"...)
		}
		done = at[0]
	}
	return whole
}

// TestXtermPrograms replays recordings of real programs, and compares with xterm's headless engine
// along the way: programs often draw over an error later. With -update it writes xterm's final
// screens for TestPrograms.
func TestXtermPrograms(t *testing.T) {
	t.Parallel()
	x := newXterm(t)
	for i, r := range recordings(t) {
		t.Run(filepath.Base(r.name), func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(i), 2))
			piece := max(100, len(r.output)/load.Count(10, 30))
			p := play{Cols: r.cols, Rows: r.rows, Scrollback: 2000}
			p.Steps = r.settled(t).steps(t, func() int { return 1 + random.IntN(2*piece) })
			sameAsXterm(t, x, p, false)
			if *update {
				p.Steps = r.settled(t).steps(t, func() int { return len(r.output) })
				list := x.pictures(t, p)
				screen := list[len(list)-1].Text
				// TestPrograms may be reading it.
				if old, err := os.ReadFile(r.name + ".screen"); err == nil && string(old) == screen {
					return
				}
				if err := os.WriteFile(r.name+".screen", []byte(screen), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestXtermProgramsResized does the same while the terminal of a full-screen program becomes
// higher, lower and narrower without the program noticing. It does not become wider, because
// xterm's engine restores text that a narrower size has cut off. The primary screen does not change
// size: see TestXtermReflow.
func TestXtermProgramsResized(t *testing.T) {
	load.Long(t, "TestXtermPrograms has the same programs at one size")
	t.Parallel()
	x := newXterm(t)
	// These draw over half of a wide character. The other half becomes a blank, with the cursor's
	// colour in xterm's engine and with the character's in ours.
	halves := []string{"vim", "vim-40x10"}
	for i, r := range recordings(t) {
		if slices.Contains(halves, filepath.Base(r.name)) {
			continue
		}
		t.Run(filepath.Base(r.name), func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(i), 5))
			p := play{Cols: r.cols, Rows: r.rows, Scrollback: 2000}
			vt := newTerminal(t, r.cols, r.rows, 0)
			cols, piece := r.cols, max(100, len(r.output)/load.Count(10, 30))
			for _, s := range r.settled(t).steps(t, func() int { return piece }) {
				if s.Write == nil {
					continue
				}
				write(vt, s.Write)
				p.Steps = append(p.Steps, s)
				if vt.live().AltScreen() && random.IntN(3) == 0 {
					p.Steps = append(p.Steps, step{Resize: []int{cols, 5 + random.IntN(40)}, Show: true})
					cols = max(5, cols-random.IntN(8))
				}
			}
			sameAsXterm(t, x, p, false)
		})
	}
}

// TestXtermReplies compares the replies to queries, except for device attributes and for modes that
// only one of the terminals has. It avoids errors of xterm's engine, which reports a column beyond
// the last one while a wrap is pending, absolute positions in origin mode, and the configured
// cursor style.
func TestXtermReplies(t *testing.T) {
	t.Parallel()
	x := newXterm(t)
	for _, question := range []string{
		"\x1b[5n", "ab\r\nc\x1b[6n", "\x1b[2;3r\x1b[2;3H\x1b[6n",
		"\x1b[4$p", "\x1b[4h\x1b[4$p", "\x1b[20$p", "\x1b[99$p",
		"\x1b[?1$p", "\x1b[?1h\x1b[?1$p", "\x1b[?6$p", "\x1b[?7$p", "\x1b[?7l\x1b[?7$p", "\x1b[?25$p", "\x1b[?25l\x1b[?25$p", "\x1b[?45$p",
		"\x1b[?66$p", "\x1b=\x1b[?66$p", "\x1b[?1000$p", "\x1b[?1002h\x1b[?1002$p\x1b[?1000$p", "\x1b[?1003h\x1b[?1000l\x1b[?1003$p", "\x1b[?1004$p", "\x1b[?1006h\x1b[?1006$p",
		"\x1b[?47$p", "\x1b[?1047h\x1b[?1047$p\x1b[?47$p\x1b[?1049$p", "\x1b[?1048$p", "\x1b[?2004h\x1b[?2004$p", "\x1b[?2026$p", "\x1b[?2026h\x1b[?2026$p", "\x1b[?9999$p",
		"\x1bP$qr\x1b\\", "\x1b[2;3r\x1bP$qr\x1b\\", "\x1bP$q\"q\x1b\\", "\x1b[1\"q\x1bP$q\"q\x1b\\", "\x1bP$qzz\x1b\\",
	} {
		p := play{Cols: 10, Rows: 4, Steps: []step{{Write: []byte(question), Show: true}}}
		theirs, ours := x.pictures(t, p)[0].Replies, pictures(t, p)[0].Replies
		if theirs != ours || ours == "" {
			t.Errorf("%q: xterm answers %q, vt %q", question, theirs, ours)
		}
	}
}

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
