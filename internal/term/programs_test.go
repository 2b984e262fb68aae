//go:build linux || darwin

package term_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/testkit/wait"
)

// A step is something to wait for and then what to do.
type step struct {
	see  string // a regular expression
	keys string // separated by blanks
	text string // typed as it is, before the keys
}

// Real programs are started, driven and left, as an agent would.
func TestPrograms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, command string
		steps         []step
		code          int
	}{
		{"vim", "vim -u NONE -N FILE", []step{
			{`line 1`, "", "Gohello"}, {`hello`, "Escape", ""}, {`hello`, "", ":w\r"}, {`written`, "", ":q\r"}}, 0},
		{"less", "less -X FILE", []step{
			{`line 1\b`, "G", ""}, {`line 200`, "g", ""}, {`line 1\b`, "", "/line 15.\r"}, {`line 150`, "q", ""}}, 0},
		{"htop", "htop", []step{{`F10\s*Quit|Quit`, "F10", ""}}, 0},
		{"nano", "nano --ignorercfiles FILE", []step{
			{`line 1\b`, "", "typed "}, {`typed line 1\b`, "C-x", ""}, {`(?i)save modified`, "", "y"}, {`(?i)file name`, "Enter", ""}}, 0},
		{"mc", "mc -u DIR", []step{{`10Quit|Quit`, "F10", ""}}, 0},
		{"python3", "python3 -q", []step{
			{`>>> $`, "", "6 * 7\r"}, {`^42`, "", "print('a' 'b')\r"}, {`^ab`, "", "import sys; sys.exit(3)\r"}}, 3},
		{"tmux", "tmux -L test-DIRNAME -f /dev/null new-session 'printf \"in%s\" side; read x; exit 0'", []step{
			{`inside`, "", "\r"}, {`exited`, "", ""}}, 0},
		{"fish", "fish --no-config", []step{
			{`> ?$|# ?$`, "", "math 6 x 7\r"}, {`^42`, "", ""}, {`> ?$|# ?$`, "C-d", ""}}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			program(t, tt.name)
			dir := t.TempDir()
			file := filepath.Join(dir, "FILE")
			var lines strings.Builder
			for i := range 200 {
				fmt.Fprintf(&lines, "line %d\n", i+1)
			}
			if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			r := newRegistry(t)
			command := strings.NewReplacer("FILE", file, "DIRNAME", filepath.Base(filepath.Dir(dir))+filepath.Base(dir), "DIR", dir).Replace(tt.command)
			s := create(t, r, term.CreateOptions{Command: command, Cols: 100, Rows: 30})
			show := func() string {
				screen, err := s.Screen(t.Context())
				if err != nil {
					return err.Error()
				}
				return strings.Join(plain(screen), "\n")
			}
			for _, step := range tt.steps {
				if _, err := s.WaitFor(t.Context(), step.see, 2*time.Minute); err != nil {
					t.Fatalf("%v\nscreen:\n%s", err, show())
				}
				if step.text == "" && step.keys == "" {
					continue
				}
				if err := s.Send(t.Context(), []byte(step.text)); err != nil {
					t.Fatal(err)
				}
				if step.keys == "" {
					continue // the text may have ended the program
				}
				if err := s.Keys(t.Context(), strings.Fields(step.keys)...); err != nil {
					t.Fatal(err)
				}
			}
			e, err := s.WaitExit(t.Context(), 2*time.Minute)
			if err != nil || e.Code != tt.code {
				t.Errorf("exit %+v, %v\nscreen:\n%s", e, err, show())
			}
		})
	}
}

// The same streams give the same screens as in tmux. Line drawing is left out, since tmux returns
// the letters that stand for it.
func TestLikeTmux(t *testing.T) {
	t.Parallel()
	tmux := program(t, "tmux")
	const cols, rows = 60, 16
	for name, stream := range map[string]string{
		"text and wrapping":  strings.Repeat("the quick brown fox jumps over the lazy dog. ", 9) + "\r\nend",
		"scrolling":          strings.Repeat("line\r\n", 40) + "last",
		"cursor":             "\x1b[2J\x1b[5;10Hfive ten\x1b[3A\x1b[4Dup\x1b[10;1Hten\x1b[Kx\x1b[2;50Hright edge and beyond",
		"regions":            "\x1b[3;8r\x1b[3;1Htop" + strings.Repeat("\r\nregion", 12) + "\x1b[r\x1b[16;1Hbottom\x1b[4;1H\x1b[2Linserted\x1b[6;1H\x1b[M",
		"insert and delete":  "abcdefghij\r\x1b[3C\x1b[2@XY\r\n0123456789\r\x1b[4C\x1b[3P\r\nerased\x1b[3X!\r\nabc\x1b[1K",
		"tabs and backspace": "a\tb\tc\r\n\x1b[3g\x1b[5C\x1bH\rx\ty\r\nab\b\bc",
		"wide characters":    "日本語テキスト\r\n" + strings.Repeat("한국어 ", 15) + "\r\nz\u0301e\u0301 fin",
		"alternate screen":   "before\x1b[?1049h\x1b[Hinside\x1b[?1049lafter",
		"saved cursor":       "\x1b[4;4H\x1b7\x1b[1;1Hhome\x1b8back\x1b[s\x1b[9;9Hnine\x1b[uagain",
		"erasing":            strings.Repeat("full line of text\r\n", 10) + "\x1b[5;5H\x1b[J\x1b[3;3H\x1b[1J\x1b[2;1Hagain",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "stream")
			if err := os.WriteFile(file, []byte(stream), 0o600); err != nil {
				t.Fatal(err)
			}
			command := "stty -echo raw; cat " + file + `; printf '\033]2;all\a'; exec sleep 1000`
			s := create(t, newRegistry(t), term.CreateOptions{Command: command, Cols: cols, Rows: rows})
			wait.Until(t, "the title is the last output", func() bool {
				j, err := s.Job(t.Context())
				return err != nil || j.Title == "all"
			})
			screen, err := s.Screen(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			ours := strings.TrimRight(strings.Join(plain(screen), "\n"), "\n")
			run := func(args ...string) string {
				cmd := exec.Command(tmux, append([]string{"-S", filepath.Join(dir, "socket"), "-u", "-f", "/dev/null"}, args...)...)
				cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "HOME=" + dir, "SHELL=/bin/sh"}
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("tmux %q: %v\n%s", args, err, out)
				}
				return strings.TrimRight(string(out), "\n")
			}
			run("new-session", "-d", "-x", fmt.Sprint(cols), "-y", fmt.Sprint(rows), command)
			defer run("kill-server")
			theirs := ""
			defer func() {
				if t.Failed() {
					t.Logf("ours:\n%s\n\ntmux:\n%s", ours, theirs)
				}
			}()
			wait.Until(t, "tmux shows what we show", func() bool {
				theirs = run("capture-pane", "-p")
				return theirs == ours
			})
		})
	}
}
