//go:build unix

package evals

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
)

// A workplace is where one agent works on one wish: a project and a home of its own, and the
// servers that the agent starts there, whose messages it counts. The newest server goes on when the
// agent has ended, as it does while a person has a conversation open, so that the checks find
// terminals and apps as the agent left them.
type workplace struct {
	probe         *probe
	project, home string
	config        string // path of the file for the agent's client
	listener      net.Listener
	work          sync.WaitGroup

	mu      sync.Mutex // guards the fields below
	servers []*child
	calls   int    // of tools, resources and prompts
	bytes   int    // of their results, as JSON
	shown   string // the app that was displayed last
}

// A child server belongs to one connection of the agent's client.
type child struct {
	cmd   *exec.Cmd
	input io.WriteCloser
	gone  bool // the client has left; guarded by workplace.mu
}

// newWorkplace makes a workplace below a directory. Its errors end the attempt of the probe.
func newWorkplace(p *probe, dir string, w wish) *workplace {
	d := &workplace{probe: p, project: filepath.Join(dir, "project"), home: filepath.Join(dir, "home"), config: filepath.Join(dir, "mcp.json")}
	for _, name := range []string{d.project, d.home} {
		if err := os.MkdirAll(name, 0o755); err != nil {
			p.Fatal(err)
		}
	}
	for _, f := range w.given {
		testkit.Write(p, d.project, f.Name, string(f.Data))
		if strings.HasPrefix(string(f.Data), "#!") {
			if err := os.Chmod(filepath.Join(d.project, f.Name), 0o755); err != nil {
				p.Fatal(err)
			}
		}
	}
	testkit.Write(p, d.home, ".bashrc", "PS1='$ '\n") // short, so that no command wraps
	// A client that connects can run programs, so other users of the machine must not. The path of
	// a socket is short.
	private := testkit.ShortDir(p)
	var err error
	if d.listener, err = net.Listen("unix", filepath.Join(private, "s")); err != nil {
		p.Fatal(err)
	}
	p.Cleanup(d.close)
	command, err := exec.LookPath("evals-bridge")
	if err != nil {
		p.Fatal(err)
	}
	data, err := json.MarshalIndent(configuration{map[string]launch{"ui-mcp": {command, []string{d.listener.Addr().String()}}}}, "", "  ")
	if err != nil {
		p.Fatal(err)
	}
	testkit.Write(p, dir, "mcp.json", string(data)+"\n")
	d.work.Go(d.accept)
	return d
}

// base is the base directory of the server.
func (d *workplace) base() string { return filepath.Join(d.project, ".claude", "ui") }

// server returns the command of the server.
func (d *workplace) server() *exec.Cmd {
	cmd := exec.Command("ui-mcp", "mcp", "--own", "--dir", d.base(), "--toolsets", "ui,popup,terminal")
	cmd.Dir = d.project
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "XDG_") })
	cmd.Env = append(cmd.Env, "HOME="+d.home, "SHELL=/bin/bash", "DISPLAY=", "WAYLAND_DISPLAY=", "BROWSER=")
	return cmd
}

// accept serves the connections of bridges until the listener is closed.
func (d *workplace) accept() {
	for {
		conn, err := d.listener.Accept()
		if err != nil {
			return
		}
		d.stop(func(s *child) bool { return s.gone }) // their client would have ended them long ago
		cmd := d.server()
		log, err := os.OpenFile(filepath.Join(filepath.Dir(d.project), "server.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			d.probe.Error(err)
			return
		}
		cmd.Stderr = log
		input, err := cmd.StdinPipe()
		if err != nil {
			d.probe.Error(err)
			return
		}
		output, err := cmd.StdoutPipe()
		if err != nil {
			d.probe.Error(err)
			return
		}
		if err := cmd.Start(); err != nil {
			d.probe.Error(err)
			return
		}
		_ = log.Close()
		s := &child{cmd: cmd, input: input}
		d.mu.Lock()
		d.servers = append(d.servers, s)
		d.mu.Unlock()
		asked := &sync.Map{} // the counted requests, by their IDs
		d.work.Go(func() { d.forward(conn, input, func(line []byte) { d.request(asked, line) }); d.left(s) })
		d.work.Go(func() { d.forward(output, conn, func(line []byte) { d.answer(asked, line) }); _ = conn.Close() })
	}
}

// forward passes lines on, and shows each to see first.
func (d *workplace) forward(from io.Reader, to io.Writer, see func([]byte)) {
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		see(line)
		if _, failed := to.Write(line); err != nil || failed != nil {
			if err == nil {
				_, _ = io.Copy(io.Discard, lines) // the client has left: the server must not block
			}
			return
		}
	}
}

func (d *workplace) left(s *child) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s.gone = true
}

func (d *workplace) request(asked *sync.Map, line []byte) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Name      string
			Arguments struct{ Name any }
		}
	}
	if json.Unmarshal(line, &m) != nil || !slices.Contains([]string{"tools/call", "resources/read", "prompts/get"}, m.Method) {
		return
	}
	asked.Store(string(m.ID), true)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	if app, ok := m.Params.Arguments.Name.(string); ok && m.Params.Name == "ui_display" {
		d.shown = app
	}
}

func (d *workplace) answer(asked *sync.Map, line []byte) {
	var m struct{ ID, Result, Error json.RawMessage }
	if json.Unmarshal(line, &m) != nil || m.Result == nil && m.Error == nil {
		return
	}
	if _, counted := asked.LoadAndDelete(string(m.ID)); counted {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.bytes += len(m.Result) + len(m.Error)
	}
}

// stop ends the servers for which which is true, as clients do: by ending their standard input.
func (d *workplace) stop(which func(*child) bool) {
	d.mu.Lock()
	var ending []*child
	d.servers = slices.DeleteFunc(d.servers, func(s *child) bool {
		if which(s) {
			ending = append(ending, s)
			return true
		}
		return false
	})
	d.mu.Unlock()
	for _, s := range ending {
		_ = s.input.Close()
		kill := time.AfterFunc(wait.Patience, func() { _ = s.cmd.Process.Kill() })
		if err := s.cmd.Wait(); err != nil {
			d.probe.Errorf("the server: %v", err)
		}
		kill.Stop()
	}
}

func (d *workplace) close() {
	_ = d.listener.Close()
	d.stop(func(*child) bool { return true })
	d.work.Wait()
}

// app returns the name of the app that the agent has made.
func (d *workplace) app() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shown != "" {
		return d.shown
	}
	list, _ := os.ReadDir(filepath.Join(d.base(), "apps"))
	for _, e := range list {
		if e.IsDir() && !slices.Contains([]string{"catalog", "contacts", "terminals"}, e.Name()) {
			return e.Name()
		}
	}
	d.probe.Fatal("the agent has made no app")
	return ""
}

// restart ends the servers, and starts one that displays the agent's app.
func (d *workplace) restart() {
	app := d.app()
	d.stop(func(*child) bool { return true })
	session := testkit.Connect(d.probe, d.server())
	testkit.Call(d.probe, session, "ui_start", nil)
	if text, failed := testkit.Call(d.probe, session, "ui_display", map[string]any{"name": app}); failed {
		d.probe.Fatalf("after a restart: %s", text)
	}
}

// An agent is a command line of the shell. In it, {wish}, {mcp} and {file} stand for the text of
// the wish, the path of a configuration for clients of MCP, and the file of the wish.
type agent struct {
	command string
	limit   time.Duration
}

// run lets the agent work on the wish. It returns when the agent's process and all of its children
// have ended, and why it has failed.
func (a agent) run(ctx context.Context, d *workplace, w wish) error {
	ctx, cancel := context.WithTimeout(ctx, a.limit)
	defer cancel()
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	line := strings.NewReplacer("{wish}", quote(w.text), "{mcp}", quote(d.config), "{file}", quote(w.file)).Replace(a.command)
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	cmd.Dir = d.project
	cmd.Env = append(os.Environ(), "UI_MCP_EVAL_WISH="+w.text, "UI_MCP_EVAL_MCP="+d.config)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	log, err := os.Create(filepath.Join(filepath.Dir(d.project), "agent.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	err = cmd.Run()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it has left
	if ctx.Err() != nil {
		return fmt.Errorf("the agent was stopped after %v", a.limit)
	}
	if err != nil {
		text, _ := os.ReadFile(log.Name())
		return fmt.Errorf("the agent: %w: %s", err, text[max(0, len(text)-600):])
	}
	return nil
}
