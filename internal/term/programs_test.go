//go:build linux || darwin

package term_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/term/registry"
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
			must(t, os.WriteFile(file, []byte(lines.String()), 0o600))
			r := newRegistry(t)
			command := strings.NewReplacer("FILE", file, "DIRNAME", filepath.Base(filepath.Dir(dir))+filepath.Base(dir), "DIR", dir).Replace(tt.command)
			s := create(t, r, registry.CreateOptions{Command: command, Cols: 100, Rows: 30})
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
				must(t, s.Send(t.Context(), []byte(step.text)))
				if step.keys == "" {
					continue // the text may have ended the program
				}
				must(t, s.Keys(t.Context(), strings.Fields(step.keys)...))
			}
			e, err := s.WaitExit(t.Context(), 2*time.Minute)
			if err != nil || e.Code != tt.code {
				t.Errorf("exit %+v, %v\nscreen:\n%s", e, err, show())
			}
		})
	}
}
