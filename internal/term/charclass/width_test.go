package charclass

import (
	"bufio"
	"bytes"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/clipperhouse/displaywidth"
)

// TestWidthsOfMarks checks that the marks which Go knows and those of Unicode 16 and 17 take no
// column, and the format characters that are drawn one.
func TestWidthsOfMarks(t *testing.T) {
	t.Parallel()
	want := ownWidths()
	for _, r := range []rune{0x0897, 0x1ACF, 0x1AEB, 0x10EFA, 0x11B60, 0x1E5EE, 0x1E6F5} { // one of each block
		if w, ok := want[r]; !ok || w != 0 {
			t.Errorf("%U is not in newMarks", r)
		}
	}
	drawn := 0
	for r, w := range want {
		if got := int(Of(r) & Width); got != w {
			t.Errorf("%U takes %d columns, want %d", r, got, w)
		}
		drawn += w
	}
	if drawn != 14 {
		t.Errorf("%d drawn format characters", drawn)
	}
	for _, table := range [...]*unicode.RangeTable{unicode.Mn, unicode.Me} {
		for _, r := range table.R16 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				if Of(c)&Width != 0 {
					t.Errorf("the mark %U takes columns", c)
				}
			}
		}
	}
}

// ownWidths returns the code points whose widths this package determines itself.
func ownWidths() map[rune]int {
	widths := map[rune]int{softHyphen: 1}
	for r := range rune(unicode.MaxRune) {
		switch {
		case unicode.Is(newMarks, r):
			widths[r] = 0
		case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
			widths[r] = 1
		}
	}
	return widths
}

// wcwidths prints code points with their widths in the C library, and in Python's package wcwidth
// if that is installed; "-" stands for a character that they do not know.
const wcwidths = `
import ctypes, locale, sys
locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
libc = ctypes.CDLL(None)
try:
    import wcwidth
    new = tuple(map(int, wcwidth.list_versions()[-1].split("."))) >= (17,)
except ImportError:
    new = False
for line in sys.stdin:
    r = int(line)
    c = libc.wcwidth(r)
    print(r, "-" if c < 0 else c, wcwidth.wcwidth(chr(r)) if new else "-")
`

// TestWidthsElsewhere compares these widths with those of the C library, which decide where a shell
// believes the cursor to be, and with those of Python's package wcwidth.
func TestWidthsElsewhere(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("Python is not installed: install it to compare with the C library's wcwidth")
	}
	var input strings.Builder
	for r := range ownWidths() {
		input.WriteString(strconv.Itoa(int(r)) + "\n")
	}
	cmd := exec.CommandContext(t.Context(), python, "-c", wcwidths)
	cmd.Stdin = strings.NewReader(input.String())
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("Python cannot call the C library's wcwidth: %v", err)
	}
	compared := map[string]int{}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		r, err := strconv.Atoi(fields[0])
		if err != nil {
			t.Fatal(err)
		}
		for i, who := range [...]string{"the C library", "wcwidth"} {
			want := fields[i+1]
			if want == "-" {
				continue
			}
			compared[who]++
			if got := strconv.Itoa(int(Of(rune(r)) & Width)); got != want {
				t.Errorf("%U takes %s columns, in %s %s", r, got, who, want)
			}
		}
	}
	t.Logf("compared %v", compared)
}

// TestWidths compares the classes with the library's widths.
func TestWidths(t *testing.T) {
	t.Parallel()
	own := ownWidths()
	for r := rune(0xA0); r < 0x20000; r += 7 {
		if _, ok := own[r]; ok || r >= 0xD7B0 && r <= 0xDFFF || r >= 0x1160 && r <= 0x11FF {
			continue // Hangul parts and surrogates
		}
		if got, want := int(Of(r)&Width), displaywidth.Rune(r); got != want {
			t.Errorf("%U: %d columns, want %d", r, got, want)
		}
	}
	for _, r := range "👩💻❤☂⌚" {
		if Of(r)&Picture == 0 {
			t.Errorf("%c is not a pictograph", r)
		}
	}
	for _, r := range "aé日\u0301\u0e33ก" {
		if Of(r)&Picture != 0 {
			t.Errorf("%c is a pictograph", r)
		}
	}
}
