package vt

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/testkit/load"
)

// TestTmux compares the screen and the cursor after random output with tmux's.
func TestTmux(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compares with another program")
	}
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed: install it to compare with it")
	}
	const cols, rows = 20, 8
	dir := t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), tmux, append([]string{"-f", os.DevNull, "-S", filepath.Join(dir, "s")}, args...)...)
		cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TERM=xterm-256color", "TMUX=")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run("new-session", "-d", "-x", fmt.Sprint(cols), "-y", fmt.Sprint(rows), "cat")
	t.Cleanup(func() {
		cmd := exec.Command(tmux, "-S", filepath.Join(dir, "s"), "kill-server")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("tmux kill-server: %v\n%s", err, out)
		}
	})
	run("set", "-g", "status", "off")
	run("set", "-g", "remain-on-exit", "on")
	run("set", "-g", "remain-on-exit-format", "")
	run("resize-window", "-x", fmt.Sprint(cols), "-y", fmt.Sprint(rows))

	narrow, wide := tmuxSequences()
	for seed := range uint64(load.Count(20, 500)) {
		r := rand.New(rand.NewPCG(seed, 1))
		words := narrow
		if seed%4 == 0 {
			words = wide
		}
		vt, err := New(Options{Cols: cols, Rows: rows, Scrollback: 100})
		if err != nil {
			t.Fatal(err)
		}
		var data []byte
		for range 40 {
			word := randomOutput(r, 1, words)
			if final := word[len(word)-1]; vt.cur.pending && word[0] < ' ' && !bytes.ContainsRune([]byte("mJK"), rune(final)) {
				word = append([]byte("\r"), word...) // tmux leaves wraps pending where xterm does not
			}
			word = bytes.ReplaceAll(word, []byte(";0r"), []byte(";8r")) // and 0 is not the default
			write(vt, word)
			data = append(data, word...)
		}
		path := filepath.Join(dir, fmt.Sprintf("%d.out", seed))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		channel := fmt.Sprintf("done%d", seed)
		run("respawn-pane", "-k", fmt.Sprintf("stty raw -echo; cat %s; printf '\\033[6n'; until [ \"$(dd bs=1 count=1 2>/dev/null)\" = R ]; do :; done; %s -S %s wait-for -S %s; exec cat >/dev/null",
			path, tmux, filepath.Join(dir, "s"), channel))
		run("wait-for", channel)
		want := strings.Split(strings.TrimSuffix(run("capture-pane", "-p"), "\n"), "\n")
		want = append(want, strings.TrimSpace(run("display-message", "-p", "#{cursor_y},#{cursor_x}")))

		var got []string
		s := vt.Snapshot()
		for _, l := range s.Lines {
			got = append(got, l.Plain())
		}
		x := s.Cursor.Col
		if s.Cursor.PendingWrap {
			x++ // tmux counts the column after the last
		}
		got = append(got, fmt.Sprintf("%d,%d", s.Cursor.Row, x))
		for i := range want {
			want[i] = strings.TrimRight(want[i], " ")
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("seed %d: after %q (-tmux +vt)\n%s", seed, data, d)
		}
	}
}

// notTmux are sequences that tmux executes or reports differently.
var notTmux = map[string]string{
	"\x1b(0":      "captures line drawing as letters",
	"\x1b[#b":     "repeats up to the end of the line only",
	"\x1b[?7l":    "drops what does not fit, where xterm overwrites the last column",
	"\x1b[#I":     "does not know CHT",
	"\x1b[#L":     "leaves the cursor in its column",
	"\x1b[#M":     "leaves the cursor in its column",
	"\x1b[?6h":    "goes to the upper left of the screen when margins are set in origin mode",
	"\x1b[?1049l": "restores no cursor when the primary screen shows already",
	"\x1b[?1049h": "does not empty the alternate screen when that shows already",
	"日本":          "leaves half of a wide character when the other is erased",
	"☂\ufe0f":     "by its version",
	"👩‍💻":         "by its version",
	"🇩🇪":          "by its version",
	"\u0301":      "combines with the last character printed, wherever the cursor went",
}

// tmuxSequences are the others, and some that print and scroll wide characters.
func tmuxSequences() (narrow, wide []string) {
	narrow = slices.DeleteFunc(slices.Clone(sequences), func(s string) bool { return notTmux[s] != "" })
	return narrow, []string{"日本", "日本", "word", "e\u0301", "\r\n", "\x1b[#S", "\x1b[#T", "\x1bM", "\x1b[3#m", "\x1b[m"}
}
