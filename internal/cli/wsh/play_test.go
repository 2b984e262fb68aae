//go:build linux || darwin

package wsh

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/testkit/wait"
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

// playing writes a recording of version 2 with a size and events, and returns its path.
func playing(t *testing.T, size, events string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.cast")
	if err := os.WriteFile(file, []byte(`{"version": 2, `+size+"}\n"+events), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Keys and signals end playing while output is due, however much that is.
func TestPlayStopsWhileDue(t *testing.T) {
	t.Parallel()
	file := playing(t, `"width": 40, "height": 8`, strings.Repeat(`[0, "o", "`+strings.Repeat("x", 30_000)+`\r\n"]`+"\n", 5000))
	p := sit(t, 40, 8, recorded(`"$WSH" play `+file))
	p.slow(8 << 10)
	p.sees("xxx")
	p.types("q")
	wait.Until(t, "playing has ended", func() bool { return p.bytes() > 100<<20 || strings.Contains(strings.Join(p.lines(), "\n"), "status 0") })
	if n := p.bytes(); n > 100<<20 {
		t.Errorf("after q, %d bytes were played", n)
	}
	p.seesLine("settings kept")

	// Without a terminal, a signal ends it.
	for _, args := range [][]string{{"play", file}, {"play", file, "--text"}} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(endSignal{syscall.SIGINT})
		var out, errs bytes.Buffer
		Run(ctx, "dev", args, vars(t), commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if out.Len() > 1<<20 || errs.Len() > 0 {
			t.Errorf("wsh %q: %d bytes after the signal, %s", args, out.Len(), errs.String())
		}
	}
}

func TestPlaySpeeds(t *testing.T) {
	t.Parallel()
	file := playing(t, `"width": 40, "height": 8`, `[0, "o", "x"]`)
	for _, speed := range []string{"nan", "inf", "-inf", "1e-300", "1e300", "0", "-1"} {
		if _, errs, status := wsh(t, "play", file, "--speed="+speed); status != commandline.ExitUsage || !strings.Contains(errs, "--speed must be from 0.0625 to 1000") {
			t.Errorf("--speed %s: status %d, %s", speed, status, errs)
		}
	}
	must(t, "play", file, "--speed", "1000")
}

// --text prints the lines as a terminal displays them: where the cursor moves to another one, a new
// one begins, and what is drawn again counts once.
func TestPlayText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, size, events, want string }{
		{"a full screen", `"width": 20, "height": 4`, `[0, "o", "\u001b[H\u001b[2Jtop\u001b[2;1Hmiddle\u001b[4;1Hbottom"]`, "top\nmiddle\n\nbottom\n"},
		{"what was drawn before", `"width": 20, "height": 4`, `[0, "o", "10%"]` + "\n" + `[1, "o", "\r100%\r\ndone\r\n"]`, "100%\ndone\n"},
		{"more than a screen", `"width": 20, "height": 2`, `[0, "o", "1\r\n2\r\n3\r\n4\r\n"]`, "1\n2\n3\n4\n"},
		{"wrapped lines", `"width": 4, "height": 2`, `[0, "o", "abcdefghij\r\nk"]`, "abcdefghij\nk\n"},
		{"an editor that has ended", `"width": 20, "height": 4`, `[0, "o", "$ vi\r\n\u001b[?1049h~\u001b[?1049l$ "]`, "$ vi\n$\n"},
		{"an editor at the end", `"width": 20, "height": 4`, `[0, "o", "$ vi\r\n\u001b[?1049h\u001b[Htext"]`, "$ vi\ntext\n"},
		{"a new size", `"width": 20, "height": 2`, `[0, "o", "one two"]` + "\n" + `[1, "r", "3x2"]` + "\n" + `[2, "o", "\r\nx"]`, "one two\nx\n"},
	} {
		if out := must(t, "play", playing(t, tt.size, tt.events), "--text"); out != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, out, tt.want)
		}
	}
}
