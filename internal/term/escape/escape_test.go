package escape

import (
	"fmt"
	"strings"
	"testing"
)

func TestNext(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b": "1 open", "\x1b[": "2 open", "\x1b]": "2 open", "\x1b(": "2 open",
		"\x1b[1;2H": "6 whole", "\x1b[?1$px": "6 whole", "\x1b[1;": "4 open", "\x1b[1\rm": "3 broken", "\x1b[é": "2 broken",
		"\x1bMx": "2 whole", "\x1b(B": "3 whole", "\x1b7x": "2 whole", "\x1b\r": "1 broken", "\x1b\x1b[A": "1 broken",
		"\x1b]0;x\ay": "6 whole", "\x1b]0;x\x1b\\y": "7 whole", "\x1b]0;x\x1b": "5 open", "\x1b]0;é": "6 open", "\x1b]0;x\x1b[A": "5 broken", "\x1b]x\r": "3 broken",
		"\x1bPx\a\x1b\\": "4 whole", "\x1b[\x7fA": "2 broken", "\x1b_Gx\x1b\\": "6 whole", "\x1b^x\x18": "3 broken",
	} {
		n, end := Next([]byte(in))
		if got := fmt.Sprint(n, " ", []string{"whole", "open", "broken"}[end]); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// However a sequence is cut, its end is the same once it is there, and before that it is open.
func FuzzNext(f *testing.F) {
	f.Add([]byte("\x1b[1;2Hx"), []byte("y"))
	f.Add([]byte("\x1b]52;c;QQ==\x1b\\"), []byte("\x1b[A"))
	f.Add([]byte("\x1bP1$r0m\x1b"), []byte("\\"))
	f.Fuzz(func(t *testing.T, b, more []byte) {
		b = append([]byte("\x1b"), b...)
		n, end := Next(b)
		if n < 1 || n > len(b) || end == Broken && n == len(b) {
			t.Fatalf("%q: %d of %d bytes, %d", b, n, len(b), end)
		}
		again, same := Next(append(b[:len(b):len(b)], more...))
		if end != Open && (again != n || same != end) {
			t.Fatalf("%q: %d %d, and %d %d before %q", b, n, end, again, same, more)
		}
		if end != Whole {
			return
		}
		for cut := 1; cut < n; cut++ {
			if _, open := Next(b[:cut]); open != Open {
				t.Fatalf("%q: %d is not open before %q", b[:cut], open, b[cut:n])
			}
		}
		if strings.IndexByte("]PX^_", b[1]) >= 0 {
			if whole := b[:n]; len(Content(whole)) > n-3 {
				t.Fatalf("%q: %q", whole, Content(whole))
			}
		}
	})
}
