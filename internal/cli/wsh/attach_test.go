//go:build linux || darwin

package wsh

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit/wait"
)

// inSession is a variable that programs in sessions inherit, unlike WSH_TEST.
const inSession = "TESTING_WSH"

// A person is somebody at a terminal, which runs a script that may use wsh.
type person struct {
	t       *testing.T
	process *pty.Process

	mu    sync.Mutex // guards the fields below
	term  *vt.Terminal
	wrote int         // bytes that programs have written to it
	asked []vt.Effect // what they want of it besides
	most  int         // how many bytes it reads at a time; 0: as many as there are
}

// sit gives a person a terminal that runs a script of the shell. WSH in it is this program.
func sit(t *testing.T, cols, rows int, script string) *person {
	t.Helper()
	env := map[string]string{"WSH": os.Args[0], "WSH_TEST": "run", inSession: "yes", "SHELL": "/bin/sh", "PS1": "$ ", "ENV": ""}
	process, err := pty.Start(pty.Options{
		Path: "/bin/sh", Args: []string{"-c", script}, Dir: t.TempDir(), Env: pty.Environment(os.Environ(), env), Cols: cols, Rows: rows,
	})
	if err != nil {
		t.Fatal(err)
	}
	p := &person{t: t, process: process}
	p.term, err = vt.New(vt.Options{Cols: cols, Rows: rows, Scrollback: 10_000, Effect: func(e vt.Effect) {
		if r, ok := e.(vt.Reply); ok {
			_, _ = process.Write(r.Data)
		} else {
			p.asked = append(p.asked, e)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		buf := make([]byte, 32<<10)
		for {
			n, err := process.Read(p.room(buf))
			p.mu.Lock()
			_, _ = p.term.Write(buf[:n])
			p.wrote += n
			p.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		if err := process.Close(); err != nil {
			t.Error(err)
		}
		<-read
		if t.Failed() {
			t.Logf("the terminal of %dx%d displays:\n%s", cols, rows, strings.Join(p.history(), "\n"))
		}
	})
	return p
}

// room returns the part of a buffer to read into. A slow terminal waits a moment first.
func (p *person) room(buf []byte) []byte {
	p.mu.Lock()
	n := p.most
	p.mu.Unlock()
	if n == 0 {
		return buf
	}
	wait.Pause(time.Millisecond)
	return buf[:n]
}

// slow makes the terminal read n bytes in a millisecond, or as fast as it can if n is 0.
func (p *person) slow(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.most = n
}

// bytes returns how many bytes programs have written to the terminal.
func (p *person) bytes() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.wrote
}

// look calls f with the terminal, which f must not keep.
func (p *person) look(f func(*vt.Terminal)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f(p.term)
}

func (p *person) snapshot() (s *vt.Snapshot) {
	p.look(func(term *vt.Terminal) { s = term.Snapshot() })
	return s
}

// lines returns the text of the screen.
func (p *person) lines() []string {
	var lines []string
	for _, l := range p.snapshot().Lines {
		lines = append(lines, l.Plain())
	}
	return lines
}

// history returns the text of the scrollback and of the primary screen.
func (p *person) history() []string {
	var lines []string
	p.look(func(term *vt.Terminal) {
		oldest, _, end := term.Extent()
		_, list := term.Lines(oldest, int(end-oldest))
		for _, l := range list {
			lines = append(lines, l.Plain())
		}
	})
	return lines
}

func (p *person) types(text string) {
	p.t.Helper()
	if _, err := io.WriteString(p.process, text); err != nil {
		p.t.Fatal(err)
	}
}

// sees waits until the screen has a text.
func (p *person) sees(text string) {
	p.t.Helper()
	wait.Until(p.t, fmt.Sprintf("the person sees %q", text), func() bool { return strings.Contains(strings.Join(p.lines(), "\n"), text) })
}

// seesLine waits until a line of the screen is text.
func (p *person) seesLine(text string) {
	p.t.Helper()
	wait.Until(p.t, fmt.Sprintf("the person sees the line %q", text), func() bool {
		return strings.Contains("\n"+strings.Join(p.lines(), "\n")+"\n", "\n"+text+"\n")
	})
}

// resize changes the size of the terminal.
func (p *person) resize(cols, rows int) {
	p.t.Helper()
	p.look(func(term *vt.Terminal) {
		if err := term.Resize(cols, rows); err != nil {
			p.t.Error(err)
		}
	})
	if err := p.process.Resize(cols, rows); err != nil {
		p.t.Fatal(err)
	}
}

// A host is a server of the test's own, for clients at terminals.
type host struct {
	t      *testing.T
	dir    string
	server *process
	http   interface {
		ask(method, path, body string) (int, string)
	}
}

type socketClient struct {
	t    *testing.T
	path string
}

func (c socketClient) ask(method, path, body string) (int, string) {
	c.t.Helper()
	return ask(c.t, overSocket(c.t, c.path), method, "http://localhost"+path, body)
}

// newHost starts a server.
func newHost(t *testing.T) *host {
	t.Helper()
	dir := runtimeDir(t)
	t.Setenv("HOME", t.TempDir()) // the person's own start-up files do not count
	t.Setenv("SHELL", "/bin/sh")
	t.Setenv("PS1", "% ")
	t.Setenv("ENV", "")
	server := launch(t)
	if server.address == "" {
		_, errs := server.status()
		t.Fatal(errs)
	}
	return &host{t, dir, server, socketClient{t, filepath.Join(dir, "default.sock")}}
}

func (d *host) create(body string) {
	d.t.Helper()
	if status, answer := d.http.ask("POST", "/sessions", body); status != 201 {
		d.t.Fatalf("create: %d %s", status, answer)
	}
}

func (d *host) send(session, text string) {
	d.t.Helper()
	if status, answer := d.http.ask("POST", "/sessions/"+session+"/input", text); status >= 300 {
		d.t.Fatalf("send: %d %s", status, answer)
	}
}

// picture returns what the server would display.
func (d *host) picture(session string) wire.Picture {
	d.t.Helper()
	status, answer := d.http.ask("GET", "/sessions/"+session+"/composed?format=styled", "")
	var p wire.Picture
	if err := json.Unmarshal([]byte(answer), &p); err != nil || status != 200 {
		d.t.Fatalf("picture: %d %s", status, answer)
	}
	return p
}

// look is a picture in a form in which equal pictures are equal.
func look(t *testing.T, p wire.Picture) []string {
	t.Helper()
	var rows []string
	list, _ := p.Lines.([]any)
	for _, l := range list {
		spans, _ := l.([]any)
		row, blank := "", 0
		for _, s := range spans {
			fields := s.(map[string]any)
			text := fields["text"].(string)
			delete(fields, "text")
			style, err := json.Marshal(fields)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range text {
				row += fmt.Sprintf("%c%s ", c, strings.TrimSuffix(strings.TrimPrefix(string(style), "{"), "}"))
				if c != ' ' || len(fields) > 0 {
					blank = len(row)
				}
			}
		}
		rows = append(rows, row[:blank])
	}
	cursor := "hidden"
	if p.Cursor.Visible {
		cursor = fmt.Sprintf("%d %d %s", p.Cursor.Row, p.Cursor.Col, p.Cursor.Shape)
	}
	return append(rows, cursor, p.Mode)
}

// displays returns what a person's terminal displays, as the server describes pictures.
func (p *person) displays() wire.Picture { return pictureOf(p.t, p.snapshot()) }

func pictureOf(t *testing.T, s *vt.Snapshot) wire.Picture {
	t.Helper()
	var rows []cells.Row
	for _, l := range s.Lines {
		rows = append(rows, cells.FromLine(l))
	}
	mode := "normal"
	if s.AltScreen() {
		mode = "alt"
	}
	b, err := json.Marshal(wire.Picture{
		Lines: wire.NewRows(rows, wire.Styled), Cols: s.Cols, Rows: s.Rows, Mode: mode,
		Cursor: wire.Cursor{Row: s.Cursor.Row, Col: s.Cursor.Col, Visible: s.Cursor.Visible, Shape: s.Cursor.Shape.String()},
	})
	var out wire.Picture
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// same waits until the person's terminal displays the session, cell by cell.
func (d *host) same(p *person, session string) {
	d.t.Helper()
	var diff string
	defer func() {
		if diff != "" {
			d.t.Logf("-server +terminal:\n%s", diff)
		}
	}()
	wait.Until(d.t, "the terminal displays the session's picture", func() bool {
		want := d.picture(session)
		diff = cmp.Diff(look(d.t, want), look(d.t, p.displays()))
		return diff == ""
	})
}

// recorded is a script that compares the terminal's settings after a command with those before.
func recorded(command string) string {
	return `echo above; before=$(stty -g); ` + command + `; echo "status $?"; [ "$(stty -g)" = "$before" ] && echo "settings kept"; cat`
}

// wantPlain checks that a terminal is as programs expect it.
func (p *person) wantPlain() {
	p.t.Helper()
	fresh, err := vt.New(vt.Options{Cols: 80, Rows: 24})
	if err != nil {
		p.t.Fatal(err)
	}
	p.look(func(term *vt.Terminal) {
		s := term.Snapshot()
		if term.Modes() != fresh.Modes() || term.Keys() != 0 || term.ModifyOtherKeys() != 0 || s.Title != "" || !s.Cursor.Visible || s.Cursor.Shape != fresh.Snapshot().Cursor.Shape {
			p.t.Errorf("the terminal has modes %b (fresh: %b), keys %v, other keys %d, title %q, cursor %+v", term.Modes(), fresh.Modes(), term.Keys(), term.ModifyOtherKeys(), s.Title, s.Cursor)
		}
	})
	p.types("plain\r")
	p.sees("plain\nplain") // the terminal's echo, and cat's
	s := p.snapshot()
	for _, l := range s.Lines {
		for _, span := range l.Spans {
			if strings.Contains(l.Plain(), "plain") && span.Style != (vt.Style{}) {
				p.t.Errorf("text has the style %+v", span.Style)
			}
		}
	}
}

// Without a command, wsh starts a server, runs the person's shell where the person is with the
// person's variables, and ends with the shell's status.
func TestNew(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	dir := runtimeDir(t)
	t.Setenv("HOME", t.TempDir())
	p := sit(t, 60, 12, `cd /usr; export MINE=variable PS1='% '; `+recorded(`"$WSH" --name n --tag x`))
	p.seesLine("%")
	p.types("pwd; echo $MINE $WSH_SESSION $WSH_SERVER_NAME; WSH_TEST=run \"$WSH\"; echo status $?\r")
	p.seesLine("/usr")
	p.seesLine("variable n default")
	p.sees(`in the session "n"`)
	p.seesLine("status 1")
	wait.Until(t, "the server is there", func() bool { return strings.Contains(left(t, dir), "default.sock") })
	p.types("exit 7\r")
	p.seesLine("status 7")
	p.seesLine("settings kept")
	p.wantPlain()
	if all := strings.Join(p.history(), "\n"); strings.Count(all, "\nvariable n default") != 1 || !strings.HasPrefix(all, "above\n%") {
		t.Errorf("what was shown is not above the prompt once:\n%s", all)
	}
	wait.Until(t, "the server has ended with its last session", func() bool { return !strings.Contains(left(t, dir), "default.sock") })
}

// The client ends with the status of the program.
func TestStatus(t *testing.T) {
	newHost(t)
	for command, want := range map[string]int{"true": 0, "exit 3": 3, "kill -TERM $$": 128 + 15, "/no/such/program": 127} {
		p := sit(t, 40, 8, recorded(`"$WSH" -c `+"'"+command+"'"))
		p.seesLine("status " + strconv.Itoa(want))
		p.seesLine("settings kept")
	}
}

// Twice Ctrl+\ detaches; typed once, it goes to the program.
func TestDetach(t *testing.T) {
	d := newHost(t)
	d.create(`{"name":"a","command":"trap 'echo quit' QUIT; echo ready; while :; do read x; echo got $x; done"}`)
	p := sit(t, 40, 8, recorded(`"$WSH" attach a`))
	p.seesLine("ready")
	p.types("x\r")
	p.seesLine("got x")
	p.types("\x1c")
	p.sees("quit")
	p.types("\x1c\x1c")
	p.seesLine(`[detached from session "a"]`)
	p.seesLine("status 0")
	p.seesLine("settings kept")
	p.wantPlain()
	wait.Until(t, "the session runs without clients", func() bool { // the client leaves first
		_, answer := d.http.ask("GET", "/sessions/a", "")
		return strings.Contains(answer, `"running":true`) && strings.Contains(answer, `"clients":0`)
	})
	if all := strings.Join(p.lines(), "\n"); strings.Count(all, "quit") != 1 {
		t.Errorf("afterwards:\n%s", all)
	}
	p = sit(t, 40, 8, recorded(`"$WSH" attach --detach-key ctrl-] a`))
	p.seesLine("got x")
	p.types("\x1d\x1d")
	p.seesLine("status 0")
	p = sit(t, 40, 8, recorded(`"$WSH" attach nosuch`))
	p.sees("nosuch")
	p.seesLine("status 1")
	p = sit(t, 40, 8, recorded(`"$WSH" attach --create -c 'echo made; exit 5' made`))
	p.seesLine("made")
	p.seesLine("status 5")
	p = sit(t, 60, 8, recorded(`WSH_SESSION=z "$WSH" attach a`))
	p.sees(`in the session "z"`)
	p.seesLine("status 1")
}

// The newest lines of the history go into the terminal's scrollback, once.
func TestScrollback(t *testing.T) {
	d := newHost(t)
	d.create(`{"name":"a","rows":8,"cols":40,"command":"seq 100; echo done; cat"}`)
	wait.Until(t, "the program has written", func() bool {
		_, answer := d.http.ask("GET", "/sessions/a/screen?format=plain", "")
		return strings.Contains(answer, "done")
	})
	for flag, want := range map[string]int{"": 1, "--scrollback none": 0, "--scrollback 20": 75, "--scrollback all": 1} {
		p := sit(t, 40, 8, `echo above; "$WSH" attach `+flag+` a; cat`)
		p.seesLine("done")
		d.same(p, "a")
		var got []string
		for _, line := range p.history() {
			if line != "" {
				got = append(got, line)
			}
		}
		var wanted []string
		for n := 1; n <= 100; n++ {
			if onScreen := n >= 95; onScreen || want > 0 && n >= want {
				wanted = append(wanted, strconv.Itoa(n))
			}
		}
		wanted = append(append([]string{"above"}, wanted...), "done")
		if diff := cmp.Diff(wanted, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", flag, diff)
		}
		p.types("\x1c\x1c")
		p.sees("detached")
	}
}

// Full-screen programs look the same as on the server, and leave no trace.
func TestPrograms(t *testing.T) {
	for _, tt := range []struct {
		program, command, shows string
		keys                    []string
		quit                    string
	}{
		{"vim", "vim -u NONE -c 'syntax on' -c 'set mouse=a number' file.c", "main", []string{"ix\x1b", "yyp", ":split\r", "\x06"}, ":qa!\r"},
		{"less", "less file.c", "main", []string{" ", "/int\r", "G"}, "q"},
	} {
		t.Run(tt.program, func(t *testing.T) {
			if _, err := exec.LookPath(tt.program); err != nil {
				t.Skip("there is no ", tt.program)
			}
			d := newHost(t)
			dir := t.TempDir()
			text := "int main(void) { /* 日本語 */ return 0; }\n" + strings.Repeat("int more;\tchar *text = \"string\";\n", 60)
			if err := os.WriteFile(filepath.Join(dir, "file.c"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			d.create(`{"name":"a","cwd":` + strconv.Quote(dir) + `,"rows":20,"cols":70}`)
			p := sit(t, 70, 20, recorded(`"$WSH" attach a`))
			p.sees("%")
			p.types(tt.command + "\r")
			p.sees(tt.shows)
			d.same(p, "a")
			late := sit(t, 70, 20, recorded(`"$WSH" attach a`))
			for _, k := range tt.keys {
				p.types(k)
				d.same(p, "a")
				d.same(late, "a")
			}
			if status, answer := d.http.ask("POST", "/sessions/a/overlay", `{"x":10,"y":5,"width":20,"height":4,"background":{"bg":"blue"},"spans":[{"text":"hello"}]}`); status != 201 {
				t.Fatalf("overlay: %d %s", status, answer)
			}
			late.sees("hello")
			d.same(p, "a")
			if status, answer := d.http.ask("DELETE", "/sessions/a/overlay", ""); status >= 300 {
				t.Fatalf("overlay: %d %s", status, answer)
			}
			d.same(p, "a")
			d.same(late, "a")
			late.types("\x1c\x1c")
			late.seesLine("settings kept")
			late.wantPlain()
			p.types(tt.quit)
			wait.Until(t, "the program has ended", func() bool { return !p.snapshot().AltScreen() })
			d.same(p, "a")
			p.types("exit\r")
			p.seesLine("status 0")
			p.seesLine("settings kept")
			p.wantPlain()
		})
	}
}

// A terminal is restored when the server is killed, and when the client is.
func TestKilled(t *testing.T) {
	const program = `{"name":"a","command":"printf '\\033[?1049h\\033[?1003h\\033[?2004h\\033[>1u\\033[31m\\033[?25lred'; cat"}`
	t.Run("server", func(t *testing.T) {
		d := newHost(t)
		d.create(program)
		p := sit(t, 70, 8, recorded(`"$WSH" attach a`))
		p.sees("red")
		if err := d.server.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		p.sees("the server is gone")
		p.seesLine("status 1")
		p.seesLine("settings kept")
		p.wantPlain()
	})
	t.Run("client", func(t *testing.T) {
		d := newHost(t)
		d.create(program)
		// The shell may report the killed client while a line feed does not return to the first
		// column yet.
		p := sit(t, 70, 8, `echo above; before=$(stty -g); "$WSH" attach a; while [ "$(stty -g)" != "$before" ]; do :; done; echo; echo restored; cat`)
		p.sees("red")
		untilGuarded(t, p.client(), func() {
			for _, key := range []string{"x", "y"} { // so the client has read the terminal's answers
				p.types(key)
				p.sees(key)
			}
		})
		p.kill(syscall.SIGKILL)
		p.seesLine("restored")
		wait.Until(t, "the modes are restored", func() bool { return !p.snapshot().AltScreen() && p.snapshot().Cursor.Visible })
		p.wantPlain()
	})
}

// untilGuarded waits until the guard of a client can restore the terminal, and returns it. update
// lets the client draw: it tells the guard before, if it has one.
func untilGuarded(t *testing.T, client int, update func()) (guard int) {
	t.Helper()
	wait.Until(t, "the client has a guard", func() bool {
		children := childrenOf(t, client)
		if len(children) == 1 {
			guard = children[0]
		}
		return guard != 0
	})
	update()
	return guard
}

// kill sends a signal to the client.
func (p *person) kill(s syscall.Signal) {
	p.t.Helper()
	if err := syscall.Kill(p.client(), s); err != nil {
		p.t.Fatal(err)
	}
}

// client returns the process ID of the client, which is the only process of its name with the
// terminal.
func (p *person) client() int {
	p.t.Helper()
	out, err := exec.Command("ps", "-o", "pid=,args=", "-t", strings.TrimPrefix(p.tty(), "/dev/")).Output()
	if err != nil {
		p.t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) > 2 && fields[1] == os.Args[0] {
			pid, err := strconv.Atoi(fields[0])
			if err != nil {
				p.t.Fatal(err)
			}
			return pid
		}
	}
	p.t.Fatalf("there is no client among %s", out)
	return 0
}

// tty returns the name of the terminal.
func (p *person) tty() string {
	out, err := exec.Command("ps", "-o", "tty=", "-p", strconv.Itoa(p.process.PID())).Output()
	if err != nil {
		p.t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// proxy listens on a socket and passes connections on to the server. What the server writes goes
// through rewrite. cut returns a function for each connection, which breaks it.
func (d *host) proxy(rewrite func([]byte) []byte) (path string, cut <-chan func()) {
	d.t.Helper()
	path = filepath.Join(filepath.Dir(d.dir), "proxy")
	l, err := net.Listen("unix", path)
	if err != nil {
		d.t.Fatal(err)
	}
	links := make(chan func(), 100)
	var running sync.WaitGroup
	running.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := new(net.Dialer).DialContext(context.Background(), "unix", filepath.Join(d.dir, "default.sock"))
			if err != nil {
				near.Close()
				continue
			}
			running.Go(func() {
				defer near.Close()
				for buf := make([]byte, 64<<10); ; {
					n, err := far.Read(buf)
					if n > 0 {
						_, _ = near.Write(rewrite(buf[:n]))
					}
					if err != nil {
						return
					}
				}
			})
			running.Go(func() { _, _ = io.Copy(far, near); far.Close() })
			links <- func() { near.Close(); far.Close() }
		}
	})
	d.t.Cleanup(func() { l.Close(); running.Wait() })
	return path, links
}

// A client goes on with a server of another protocol, and says afterwards what to do. It says so,
// too, when the server refuses what it does not understand.
func TestOtherProtocol(t *testing.T) {
	d := newHost(t)
	d.create(`{"name":"a","rows":8,"cols":100,"command":"echo here; cat"}`)
	own := fmt.Appendf(nil, `"protocol":%d`, terminals.Protocol)
	path, _ := d.proxy(func(b []byte) []byte {
		b = bytes.ReplaceAll(b, []byte(`"session_not_found"`), []byte(`"invalid_request"  `)) // of equal length
		return bytes.ReplaceAll(b, own, []byte(`"protocol":9`))
	})
	p := sit(t, 100, 8, recorded(`"$WSH" --socket `+path+` attach a 2>&1`))
	p.seesLine("here")
	p.types("text\r")
	p.sees("text\ntext")
	d.same(p, "a")
	p.types("\x1c\x1c")
	p.sees("with protocol 9, and this is version")
	p.sees("update this wsh")
	p.seesLine("status 0")
	p.seesLine("settings kept")
	p = sit(t, 100, 8, recorded(`"$WSH" --socket `+path+` attach refused 2>&1`))
	p.sees("update this wsh")
	p.seesLine("status 1")
	p = sit(t, 100, 8, recorded(`"$WSH" --socket `+path+` attach a --as "$(printf 'a\001')" 2>&1`))
	p.sees("cannot name a client")
	p.seesLine("status 1")
	if all := strings.Join(p.lines(), ""); strings.Contains(all, "protocol") {
		t.Errorf("an error that has nothing to do with it: %s", all)
	}
}

// A connection that breaks while the server lives comes back by itself, and nothing that was typed
// meanwhile is lost.
func TestReconnect(t *testing.T) {
	d := newHost(t)
	d.create(`{"name":"a","rows":8,"cols":40,"command":"stty -echo; seq 50; while read x; do echo got $x; done"}`)
	proxy, links := d.proxy(func(b []byte) []byte { return b })
	p := sit(t, 40, 8, recorded(`"$WSH" --socket `+proxy+` attach a`))
	p.seesLine("50")
	cut := <-links
	for i := range 5 {
		cut()
		cut = <-links // so the client has noticed
		p.types(fmt.Sprintf("%d\r", i))
		p.seesLine(fmt.Sprintf("got %d", i))
		d.same(p, "a")
	}
	if all := strings.Join(p.history(), "\n"); strings.Count(all, "\n37\n") != 1 {
		t.Errorf("the history is not there once:\n%s", all)
	}
	// It comes back to the same session, even if that has another name and another one has its.
	if status, answer := d.http.ask("PATCH", "/sessions/a", `{"name":"renamed"}`); status != 200 {
		t.Fatalf("rename: %d %s", status, answer)
	}
	d.create(`{"name":"a","command":"echo wrong; cat"}`)
	cut()
	<-links
	p.types("after\r")
	p.seesLine("got after")
	p.types("\x1c\x1c")
	p.seesLine(`[detached from session "renamed"]`)
	p.seesLine("status 0")
	p.seesLine("settings kept")
	p.wantPlain()
}

// A client that is suspended returns the terminal, and displays the session again when it
// continues.
func TestSuspend(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	d := newHost(t)
	d.create(`{"name":"a","rows":8,"cols":40,"command":"printf '\\033[?2004h\\033[31m'; while read x; do echo got $x; done"}`)
	p := sit(t, 40, 8, `exec `+bash+` --norc --noprofile`)
	p.types("PS1='> '; bind 'set enable-bracketed-paste off'; clear; before=$(stty -g)\r")
	p.types("\"$WSH\" attach a\r")
	wait.Until(t, "the client is attached", func() bool { return p.snapshot().Modes.Has(vt.ModeBracketedPaste) })
	p.types("one\r")
	p.seesLine("got one")
	p.kill(syscall.SIGTSTP)
	p.sees("Stopped")
	wait.Until(t, "the modes are restored", func() bool { return !p.snapshot().Modes.Has(vt.ModeBracketedPaste) })
	p.types("clear; echo between\r")
	p.seesLine("between")
	d.send("a", "two\n")
	p.types("fg\r")
	p.seesLine("got two")
	d.same(p, "a")
	// By the person's own key, of which the program gets nothing.
	p.types("\x1c\x1a")
	p.sees("Stopped")
	p.types("clear; sleep 0.8; fg\r") // so long that the program would have been killed
	wait.Until(t, "the terminal is cleared", func() bool { return !strings.Contains(strings.Join(p.lines(), "\n"), "Stopped") })
	p.seesLine("got two")
	p.types("three\r")
	p.seesLine("got three")
	d.same(p, "a")
	p.types("\x1c\x1c")
	p.seesLine(`[detached from session "a"]`)
	p.types("[ \"$(stty -g)\" = \"$before\" ] && echo settings kept\r")
	p.seesLine("settings kept")
}

// However the terminal's size changes while the program writes, it displays the session in the end,
// and the session has its size.
func TestResizeStorm(t *testing.T) {
	d := newHost(t)
	// The last size may arrive after the key: nothing orders a signal and input.
	d.create(`{"name":"a","command":"trap : WINCH; while :; do for i in 1 2 3 4 5 6 7 8; do echo line $i of a text that is longer than some sizes; done; read x && break; done; echo; trap 'stty size' WINCH; stty size; while :; do read x; done"}`)
	p := sit(t, 40, 8, `"$WSH" attach a; cat`)
	p.sees("line")
	for i := range 40 {
		p.resize(10+i*7%60, 3+i*5%20)
	}
	p.resize(50, 9)
	p.types("\r")
	p.seesLine("9 50")
	d.same(p, "a")
}
