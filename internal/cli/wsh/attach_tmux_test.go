//go:build linux || darwin

package wsh

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit/wait"
)

// A pane is a person's terminal that tmux emulates, so what it displays is not our own opinion.
type pane struct {
	t    *testing.T
	tmux []string // the command and its first arguments
	env  []string
	cols int
	rows int
}

// newPane runs a script of the shell in tmux, as sit does in our own terminal.
func newPane(t *testing.T, cols, rows int, script string) *pane {
	t.Helper()
	program, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("there is no tmux")
	}
	dir := testkit.ShortDir(t)
	p := &pane{t: t, tmux: []string{program, "-u", "-f", os.DevNull, "-S", filepath.Join(dir, "s")}, cols: cols, rows: rows}
	p.env = pty.Environment(vars(t), map[string]string{
		"WSH": os.Args[0], "WSH_TEST": "run", inSession: "yes", "SHELL": "/bin/sh", "PS1": "$ ", "ENV": "", "TMUX": "", "LC_ALL": "C.UTF-8",
	})
	p.run("start-server", ";", "set-option", "-g", "history-limit", "1000000", ";", "set-option", "-g", "status", "off", ";", "set-option", "-s", "escape-time", "0", ";",
		"new-session", "-d", "-x", strconv.Itoa(cols), "-y", strconv.Itoa(rows), "exec sh -c '"+strings.ReplaceAll(script, "'", `'\''`)+"'")
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("tmux displays:\n%s", p.history())
		}
		p.run("kill-server")
	})
	return p
}

// run runs a command of tmux and returns its output.
func (p *pane) run(args ...string) string {
	p.t.Helper()
	cmd := exec.Command(p.tmux[0], append(p.tmux[1:len(p.tmux):len(p.tmux)], args...)...)
	cmd.Env = p.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// history returns the text of the scrollback and of the screen.
func (p *pane) history() string {
	p.t.Helper()
	return p.run("capture-pane", "-p", "-S", "-")
}

// types types keys.
func (p *pane) types(keys string) {
	p.t.Helper()
	var codes []string
	for _, b := range []byte(keys) {
		codes = append(codes, fmt.Sprintf("%x", b))
	}
	p.run(append([]string{"send-keys", "-H"}, codes...)...)
}

// sees waits until the screen has a line.
func (p *pane) seesLine(text string) {
	p.t.Helper()
	wait.Until(p.t, fmt.Sprintf("tmux displays the line %q", text), func() bool {
		return strings.Contains("\n"+p.run("capture-pane", "-p"), "\n"+text+"\n")
	})
}

// sees waits until the screen has a text.
func (p *pane) sees(text string) {
	p.t.Helper()
	wait.Until(p.t, fmt.Sprintf("tmux displays %q", text), func() bool { return strings.Contains(p.run("capture-pane", "-p"), text) })
}

// state returns the modes of the terminal that tmux reports.
func (p *pane) state() string {
	p.t.Helper()
	return p.run("display-message", "-p", "alternate #{alternate_on}, cursor #{cursor_flag} #{cursor_shape}, insert #{insert_flag}, keypad #{keypad_flag} #{keypad_cursor_flag}, "+
		"mouse #{mouse_all_flag} #{mouse_any_flag} #{mouse_button_flag} #{mouse_sgr_flag} #{mouse_standard_flag} #{mouse_utf8_flag}, "+
		"origin #{origin_flag}, wrap #{wrap_flag}, margins #{scroll_region_upper} #{scroll_region_lower}, title #{pane_title}")
}

// displays returns what tmux displays, as the server describes pictures. The shape of the cursor is
// not known.
func (p *pane) displays() wire.Picture {
	p.t.Helper()
	term, err := vt.New(vt.Options{Cols: p.cols, Rows: p.rows})
	if err != nil {
		p.t.Fatal(err)
	}
	text := strings.TrimSuffix(p.run("capture-pane", "-p", "-e", "-N"), "\n")
	fields := strings.Fields(p.run("display-message", "-p", "#{cursor_y} #{cursor_x} #{cursor_flag} #{alternate_on}"))
	row, _ := strconv.Atoi(fields[0])
	col, _ := strconv.Atoi(fields[1])
	if _, err := fmt.Fprintf(term, "%s\x1b[%d;%dH", strings.ReplaceAll(text, "\n", "\r\n"), row+1, col+1); err != nil {
		p.t.Fatal(err)
	}
	picture := pictureOf(p.t, term.Snapshot())
	picture.Cursor.Visible = fields[2] == "1"
	if fields[3] == "1" {
		picture.Mode = "alt"
	}
	return picture
}

// sameInTmux waits until tmux displays the session, cell by cell.
func (d *host) sameInTmux(p *pane, session string) {
	d.t.Helper()
	var diff string
	defer func() {
		if diff != "" {
			d.t.Logf("-server +tmux:\n%s", diff)
		}
	}()
	wait.Until(d.t, "tmux displays the session's picture", func() bool {
		want, got := d.picture(session), p.displays()
		got.Cursor.Shape = want.Cursor.Shape
		diff = cmp.Diff(look(d.t, want), look(d.t, got))
		return diff == ""
	})
}

// In tmux, too, programs that are attached to half-way look as on the server, an overlay above them
// leaves no trace, and the terminal is afterwards as before.
func TestTmux(t *testing.T) {
	t.Parallel()
	skipInShort(t)
	for _, tt := range []struct {
		program, command, shows string
		keys                    []string
		still                   string // makes it display the same until a key is typed
	}{
		{"vim", "vim -u NONE -i NONE -c 'syntax on' -c 'set mouse=a number title' file.c", "main", []string{"ix\x1b", "yyp", ":split\r", "\x06", "\x1d"}, ""},
		{"less", "LESSCHARSET=utf-8 less -R file.c", "main", []string{" ", "/int\r", "G", "b"}, ""},
		{"htop", "htop -d 100", "Tasks", []string{"\x1b[B", "t", "I"}, "Z"},
	} {
		t.Run(tt.program, func(t *testing.T) {
			if _, err := exec.LookPath(tt.program); err != nil {
				t.Skip("there is no ", tt.program)
			}
			d := newHost(t)
			dir := t.TempDir()
			text := "int main(void) { /* 日本語 é */ return 0; }\n" + strings.Repeat("int more;\tchar *text = \"string\";\n", 60)
			if err := os.WriteFile(filepath.Join(dir, "file.c"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			d.create(`{"name":"a","cwd":` + strconv.Quote(dir) + `,"rows":24,"cols":80}`)
			d.send("a", tt.command+"\r")
			d.shows("a", tt.shows)
			d.send("a", tt.still)
			p := newPane(t, 80, 24, `echo above; before=$(stty -g); read go; "$WSH" attach a; echo "status $?"; [ "$(stty -g)" = "$before" ] && echo "settings kept"; read end`)
			p.seesLine("above")
			before := p.state()
			p.types("\r")
			p.sees(tt.shows)
			d.sameInTmux(p, "a")
			for _, k := range tt.keys {
				p.types(k)
				d.sameInTmux(p, "a")
			}
			if status, answer := d.ask("POST", "/sessions/a/overlay", `{"x":10,"y":5,"width":20,"height":4,"background":{"bg":"blue"},"spans":[{"text":"hello"}]}`); status != 201 {
				t.Fatalf("overlay: %d %s", status, answer)
			}
			p.sees("hello")
			d.sameInTmux(p, "a")
			if status, answer := d.ask("DELETE", "/sessions/a/overlay", ""); status >= 300 {
				t.Fatalf("overlay: %d %s", status, answer)
			}
			d.sameInTmux(p, "a")
			p.types("\x1c\x1c")
			p.seesLine(`[detached from a: wsh attach a]`)
			p.seesLine("status 0")
			p.seesLine("settings kept")
			if after := p.state(); after != before {
				t.Errorf("the terminal is %swas %s", after, before)
			}
			if text := p.history(); strings.Count(text, "above\n") != 1 || strings.Contains(text, tt.shows) {
				t.Errorf("the program left something on the terminal:\n%s", text)
			}
		})
	}
}

// A flood that is attached to half-way displays what the session displays once it stands still. The
// history is above it once, and the terminal is afterwards as before.
func TestTmuxFlood(t *testing.T) {
	t.Parallel()
	skipInShort(t)
	d := newHost(t)
	d.create(`{"name":"a","rows":24,"cols":80,"cwd":` + strconv.Quote(t.TempDir()) + `,"command":"stty -echo; (while [ ! -e stop ]; do seq -f 'flood %.0f' 1000; done) & read x; : >stop; wait; echo over; cat"}`)
	d.shows("a", "flood")
	p := newPane(t, 80, 24, `echo above; before=$(stty -g); "$WSH" attach a; echo "status $?"; [ "$(stty -g)" = "$before" ] && echo "settings kept"; read end`)
	p.sees("flood")
	p.types("\r")
	p.seesLine("over")
	d.sameInTmux(p, "a")
	p.types("\x1c\x1c")
	p.seesLine("settings kept")
	if text := p.history(); strings.Count(text, "above\n") != 1 || strings.Count(text, "over\n") != 1 {
		t.Errorf("what was shown is not above the prompt once:\n%s", text)
	}
}

// skipInShort leaves out a test in runs with the race detector: it sees nothing in the processes
// that the test starts, and they would take most of the time.
func skipInShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("compares processes")
	}
}
