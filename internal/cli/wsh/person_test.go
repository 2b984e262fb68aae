//go:build linux || darwin

package wsh

import (
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
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
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
		Path: "/bin/sh", Args: []string{"-c", script}, Dir: t.TempDir(), Env: pty.Environment(vars(t), env), Cols: cols, Rows: rows,
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
	t       *testing.T
	dir     string
	server  *process
	passing sync.Mutex // new connections to a proxy wait while a test holds it
}

// ask makes a request at the server's socket.
func (d *host) ask(method, path, body string) (int, string) {
	d.t.Helper()
	return ask(d.t, overSocket(d.t, filepath.Join(d.dir, "default.sock")), method, "http://localhost"+path, body)
}

// shows waits until the screen of a session has a text.
func (d *host) shows(session, text string) {
	d.t.Helper()
	wait.Until(d.t, session+" displays "+text, func() bool {
		_, answer := d.ask("GET", "/sessions/"+session+"/screen?format=plain", "")
		return strings.Contains(answer, text)
	})
}

// newHost starts a server.
func newHost(t *testing.T, args ...string) *host {
	t.Helper()
	dir := runtimeDir(t)
	setenv(t, "HOME", t.TempDir()) // the person's own start-up files do not count
	setenv(t, "SHELL", "/bin/sh")
	setenv(t, "PS1", "% ")
	setenv(t, "ENV", "")
	return &host{t: t, dir: dir, server: launch(t, args...)}
}

func (d *host) create(body string) {
	d.t.Helper()
	if status, answer := d.ask("POST", "/sessions", body); status != 201 {
		d.t.Fatalf("create: %d %s", status, answer)
	}
}

func (d *host) send(session, text string) {
	d.t.Helper()
	if status, answer := d.ask("POST", "/sessions/"+session+"/input", text); status >= 300 {
		d.t.Fatalf("send: %d %s", status, answer)
	}
}

// picture returns what the server would display.
func (d *host) picture(session string) wire.Picture {
	d.t.Helper()
	status, answer := d.ask("GET", "/sessions/"+session+"/composed?format=styled", "")
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
		if term.Input() != fresh.Input() || s.Title != "" || !s.Cursor.Visible || s.Cursor.Shape != fresh.Snapshot().Cursor.Shape {
			p.t.Errorf("the terminal has %+v (fresh: %+v), title %q, cursor %+v", term.Input(), fresh.Input(), s.Title, s.Cursor)
		}
	})
	p.types("plain\r")
	p.sees("plain\nplain") // the terminal's echo, and cat's
	s := p.snapshot()
	for _, l := range s.Lines {
		for _, span := range l.Spans {
			if strings.Contains(l.Plain(), "plain") && span.Style != (sgr.Style{}) {
				p.t.Errorf("text has the style %+v", span.Style)
			}
		}
	}
}

// kill sends a signal to the client.
func (p *person) kill(s syscall.Signal) {
	p.t.Helper()
	if err := syscall.Kill(p.client(), s); err != nil {
		p.t.Fatal(err)
	}
}

// client returns the process ID of the client, which is the only process of its name with the
// terminal, but for its own children.
func (p *person) client() int {
	p.t.Helper()
	out, err := exec.Command("ps", "-o", "pid=,ppid=,args=", "-t", strings.TrimPrefix(p.tty(), "/dev/")).Output()
	if err != nil {
		p.t.Fatal(err)
	}
	parents := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if fields := strings.Fields(line); len(fields) > 3 && fields[2] == os.Args[0] {
			parents[fields[0]] = fields[1]
		}
	}
	for of, parent := range parents {
		if _, ok := parents[parent]; ok {
			continue
		}
		pid, err := strconv.Atoi(of)
		if err != nil {
			p.t.Fatal(err)
		}
		return pid
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
			d.passing.Lock()
			far, err := new(net.Dialer).DialContext(context.Background(), "unix", filepath.Join(d.dir, "default.sock"))
			d.passing.Unlock()
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
