package run

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestFilter(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, plain, terminal string }{
		{"lines", "a\r\nb\r\n", "a\nb\n", "a\r\nb\r\n"},
		{"progress", "10%\r20%\r\n", "10%\r20%\n", "10%\r20%\r\n"},
		{"colours", "\x1b[1;31mred\x1b[0m", "red", "\x1b[1;31mred\x1b[0m\x1b[m"},
		{"cursor", "a\x1b[2K\x1b[1Gb", "ab", "a\x1b[2K\x1b[1Gb"},
		{"questions", "\x1b[6n\x1b[c\x1b[?1$p\x1b[>q\x1b[?u\x1b]10;?\x07\x1bP+q544e\x1b\\x", "x", "x"},
		{"modes", "\x1b[?1049h\x1b[?1000hx\x1b[?25l\x1b=", "x", "x"},
		{"titles", "\x1b]2;title\x07x\x1b]0;y\x1b\\z", "xz", "xz"},
		{"character sets", "\x1b(0x\x1b(B", "x", "x"},
		{"broken off", "\x1b[1\nx\x1b", "\nx", "\nx"},
		{"C1", "\u009b6nx\u009d52;c;eA==\u009cy\u009b31mz\u0085\u0090q\x1b\\", "xyz", "xy\x1b[31mz\x1b[m"},
		{"no C1", "¢ \u00a0Â Ã", "¢ \u00a0Â Ã", "¢ \u00a0Â Ã"},
		{"wide", "żółć 日本\n", "żółć 日本\n", "żółć 日本\n"},
		{"bell and the rest", "\a\x00\x0e\x7fx\t", "x\t", "\ax\t"},
	} {
		for terminal, want := range map[bool]string{false: tt.plain, true: tt.terminal} {
			for _, step := range []int{1, 2, 3, 100} {
				var out bytes.Buffer
				f := newFilter(&out, terminal)
				for rest := []byte(tt.in); len(rest) > 0; {
					n := min(step, len(rest))
					if err := f.write(rest[:n]); err != nil {
						t.Fatal(err)
					}
					rest = rest[n:]
				}
				if err := f.end(); err != nil {
					t.Fatal(err)
				}
				if out.String() != want {
					t.Errorf("%s, on a terminal %v, %d at a time: %q, want %q", tt.name, terminal, step, out.String(), want)
				}
			}
		}
	}
}

// No escape sequence is left in plain output, whatever a program writes and however it is split.
func FuzzFilter(f *testing.F) {
	f.Add("a\x1b[1mb\x1b]2;t\ac\r\n", uint8(3))
	f.Add("\x1bP\x1b\x1b[", uint8(1))
	f.Fuzz(func(t *testing.T, in string, step uint8) {
		var whole, pieces bytes.Buffer
		a, b := newFilter(&whole, false), newFilter(&pieces, false)
		_ = a.write([]byte(in))
		for rest := []byte(in); len(rest) > 0; {
			n := min(int(step)+1, len(rest))
			_ = b.write(rest[:n])
			rest = rest[n:]
		}
		_, _ = a.end(), b.end()
		if strings.ContainsRune(whole.String(), 0x1b) || whole.String() != pieces.String() {
			t.Errorf("%q, in pieces %q", whole.String(), pieces.String())
		}
	})
}

// However long a sequence has no end, only a little of it is looked at again with each piece, and
// what follows its end is written.
func TestFilterEndlessSequences(t *testing.T) {
	t.Parallel()
	digits, blanks := strings.Repeat("1;", 500), strings.Repeat(" ", 1000)
	for _, pieces := range [][]string{
		{"a\x1b]", "2;" + digits, digits, digits, "\a", "b"},
		{"a\x1bPq" + digits, digits, digits + "\x1b", "\\b"},
		{"a\x1b[", digits, digits, digits, "mb"},
		{"a\x1b(" + blanks, blanks, "Bb"},
	} {
		var out bytes.Buffer
		f, most := newFilter(&out, true), 0
		for _, b := range pieces {
			if err := f.write([]byte(b)); err != nil {
				t.Fatal(err)
			}
			most = max(most, len(f.held))
		}
		if out.String() != "ab" || most == 0 || most > maxHeld {
			t.Errorf("%.10q: wrote %q, looks again at %d bytes", pieces, out.String(), most)
		}
	}
	f := newFilter(io.Discard, true)
	for n := 0; n <= maxSequence || f.held != nil; n += len(digits) {
		if err := f.write([]byte("\x1b]"[:min(2, max(0, 2-n))] + digits)); err != nil || n > 2*maxSequence {
			t.Fatal("a sequence has no end", err)
		}
	}
}

func TestCommandLine(t *testing.T) {
	t.Parallel()
	for want, words := range map[string][]string{
		"make && ls":         {"make && ls"},
		"make test":          {"make", "test"},
		`echo 'a b' '' '$x'`: {"echo", "a b", "", "$x"},
		`echo 'it'\''s'`:     {"echo", "it's"},
	} {
		if got := commandLine(words); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
