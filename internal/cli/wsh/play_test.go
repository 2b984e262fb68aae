//go:build linux || darwin

package wsh

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestPlayer(t *testing.T) {
	t.Parallel()
	p := player{speed: 1}
	step := func(keys string, real time.Duration, at time.Duration, rewinds, quits bool) {
		t.Helper()
		rewind, quit := p.keys([]byte(keys))
		p.pass(real)
		if p.at != at || rewind != rewinds || quit != quits {
			t.Errorf("after %q and %v: at %v, rewind %t, quit %t; want %v, %t, %t", keys, real, p.at, rewind, quit, at, rewinds, quits)
		}
	}
	const s = time.Second
	step("", 2*s, 2*s, false, false)
	step("+", 2*s, 6*s, false, false)
	step(" ", 9*s, 6*s, false, false)
	if _, plays := p.wait(7 * s); plays {
		t.Error("it plays while it is paused")
	}
	step("\x1b[C", 0, 11*s, false, false)
	step("\x1b[D\x1b[D", 0, 1*s, true, false)
	step("\x1b[D", 0, 0, true, false)
	step(" --", 4*s, 2*s, false, false)
	if rest, plays := p.wait(3 * s); rest != 2*s || !plays {
		t.Errorf("wait = %v, %t", rest, plays)
	}
	step("---------", 16*s, 3*s, false, false) // 1/16 at least
	step("x", 0, 3*s, false, false)
	step("q", 0, 3*s, false, true)
	step("\x03", 0, 3*s, false, true)
}

// A recording is paused, skipped and rewound on a terminal, which is then as before.
func TestPlayKeys(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.cast")
	cast := `{"version": 2, "width": 40, "height": 8}
[0, "o", "first\r\n"]
[4, "o", "second\r\n"]
[3600, "o", "third\r\n"]
`
	if err := os.WriteFile(file, []byte(cast), 0o600); err != nil {
		t.Fatal(err)
	}
	p := sit(t, 40, 8, recorded(`"$WSH" play `+file))
	p.seesLine("first")
	p.types(" ") // an hour would be too long
	p.types("\x1b[C")
	p.seesLine("second")
	p.types("0")
	p.seesLine("first\n\n")
	p.types("\x1b[C")
	p.seesLine("first\nsecond\n")
	p.types("q")
	p.seesLine("status 0")
	p.seesLine("settings kept")
}
