//go:build linux

package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A shellServer is "wsh server", run again and again at the same address.
type shellServer struct {
	*server
	client    *http.Client
	addr      string // a host and a port; "" before the first start
	proxy     *proxy
	quiet     int // how many of the terminals do not flood: the first ones
	terminals []*terminal
	bridges   []*bridge
}

func (s *soak) newShellServer() *shellServer {
	x := &shellServer{server: s.newServer("wsh server"), client: s.client(), quiet: scaled(90)}
	for i := range x.quiet + scaled(10) {
		x.terminals = append(x.terminals, &terminal{x: x, name: fmt.Sprint("t", i), floods: i >= x.quiet})
	}
	for i := range scaled(8) {
		x.bridges = append(x.bridges, &bridge{x: x, name: fmt.Sprint("bridge", i), kill: make(chan struct{}, 1)})
	}
	return x
}

// actors returns all that act on terminals.
func (x *shellServer) actors() (list []func(ctx context.Context)) {
	add := func(act func(ctx context.Context)) { list = append(list, act) }
	for _, t := range x.terminals {
		add(t.tend)
	}
	for i := range scaled(10) {
		add(func(ctx context.Context) { x.person(ctx, fmt.Sprint("person", i)) })
	}
	add(func(ctx context.Context) { x.exits(ctx, "exits") })
	add(func(ctx context.Context) { x.runs(ctx, "runs", x.runOverHTTP) })
	for i, address := range []string{x.addr, x.proxy.address()} {
		add(func(ctx context.Context) {
			x.typist(ctx, fmt.Sprint("typist", i), func(ctx context.Context, session, text string) error {
				return x.request(ctx, address, "POST", "/sessions/"+session+"/input", text+"\n", nil)
			})
		})
	}
	for i, b := range x.bridges {
		if i%2 == 0 {
			add(func(ctx context.Context) { x.runs(ctx, b.name, b.run) })
		} else {
			add(func(ctx context.Context) { x.typist(ctx, b.name, b.typeLine) })
		}
	}
	return list
}

func (x *shellServer) start() error {
	bind := x.addr
	if bind == "" {
		bind = "127.0.0.1:0"
	}
	p, err := x.s.launch(x.name, "wsh", "server", "--bind", bind, "--server-name", "soak", "--config", os.DevNull,
		"--linger", "1m", "--log-level", "warn")
	if err != nil {
		return err
	}
	url, err := p.awaitLine(" on ")
	if err != nil {
		return err
	}
	x.process.Store(p)
	if x.before, err = usageOf(p.cmd.Process.Pid); err != nil {
		return err
	}
	x.addr = strings.TrimPrefix(url, "http://")
	if x.proxy == nil {
		x.proxy, err = newProxy(x.addr)
	}
	return err
}

// restart ends the server by a signal, checks that its programs end with it, and starts it again.
func (x *shellServer) restart(ctx context.Context, signal syscall.Signal) {
	if err := x.end(signal); err != nil {
		x.s.wrong("%s, asked to end: %v: %s", x.name, err, tail(x.process.Load().log.String(), 2000))
	}
	defer x.open()
	for _, t := range x.terminals {
		t.over("the server has ended")
	}
	if err := await(ctx, patience, func() error {
		err := x.start()
		if err != nil { // a bridge has started a server of this name meanwhile, which ends after the last bridge
			x.s.note("taken", "%s: %v", x.name, err)
			for _, b := range x.bridges {
				b.end()
			}
			sleep(ctx, time.Second)
		}
		return err
	}); err != nil {
		x.s.fatal("%s does not start again: %v", x.name, err)
	}
}

// settle checks that what was typed was read, and ends the server.
func (x *shellServer) settle(ctx context.Context, w *world) {
	for _, t := range x.terminals {
		if l := t.present(); l != nil {
			t.check(l, true)
		}
	}
	for _, b := range x.bridges {
		b.close()
	}
	// Its sessions are removed; then it must hold what it held at its start.
	var sessions []struct{ Name string }
	if err := x.request(ctx, x.addr, "GET", "/sessions", nil, &sessions); err != nil {
		x.s.wrong("the last list of sessions: %v", err)
	}
	for _, session := range sessions {
		if err := x.request(ctx, x.addr, "DELETE", "/sessions/"+session.Name, nil, nil); err != nil {
			x.s.wrong("%s cannot be removed: %v", session.Name, err)
		}
	}
	for _, t := range x.terminals {
		t.over("its session was removed")
	}
	x.s.leave()
	w.returns(ctx, x.server)
	if err := x.start(); err != nil { // after its end, it starts and ends by itself
		x.s.wrong("%s does not start again: %v", x.name, err)
	} else if err := x.process.Load().end(syscall.SIGTERM); err != nil {
		x.s.wrong("%s, asked to end: %v", x.name, err)
	}
	// Logs of servers that bridges start are left, and files of ui-mcp, whose servers still run.
	files, _ := filepath.Glob(filepath.Join(x.s.dir, "wsh", "*")) // the pattern is valid
	for _, file := range files {
		if name := filepath.Base(file); !strings.HasSuffix(name, ".log") && !strings.HasPrefix(name, "ui-mcp-") && !strings.HasPrefix(name, "project-") {
			x.s.wrong("%s has left %s", x.name, file)
		}
	}
}

// An apiError is an answer with an error: the server did nothing.
type apiError struct{ code, message string }

func (e *apiError) Error() string { return e.code + ": " + e.message }

// request makes a request. An error that is no [apiError] means that the outcome is unknown.
func (x *shellServer) request(ctx context.Context, address, method, path string, body any, answer any) error {
	var content io.Reader
	kind := "application/json"
	switch body := body.(type) {
	case nil:
	case string:
		content, kind = strings.NewReader(body), "text/plain"
	default:
		b, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://"+address+path, content)
	if err != nil {
		return err
	}
	if content != nil {
		req.Header.Set("Content-Type", kind)
	}
	res, err := x.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode >= 400 {
		var e struct {
			Error struct{ Code, Message string }
		}
		if err := json.Unmarshal(text, &e); err != nil || e.Error.Code == "" {
			return fmt.Errorf("%s: %.200q", res.Status, text)
		}
		return &apiError{e.Error.Code, e.Error.Message}
	}
	if answer != nil {
		return json.Unmarshal(text, answer)
	}
	return nil
}

// isError reports whether an error is an answer with one of these codes.
func isError(err error, codes ...string) bool {
	e, ok := err.(*apiError)
	return ok && slices.Contains(codes, e.code)
}

// exits runs programs that end with random statuses, and checks what the server says of them.
func (x *shellServer) exits(ctx context.Context, name string) {
	r := stream(x.s.seed, name)
	for n := 1; sleep(ctx, pause(r, 2*pace)); n++ {
		code, signal, command := r.IntN(128), "", ""
		if command = fmt.Sprintf("exit %d", code); r.IntN(4) == 0 {
			code, signal, command = 137, "SIGKILL", "kill -KILL $$"
		}
		call, leave, err := x.enter(ctx)
		if err != nil {
			return
		}
		session := fmt.Sprintf("%s-%d", name, n)
		var exit struct {
			Code   int
			Signal string
		}
		err = x.request(call, x.addr, "POST", "/sessions", map[string]any{"name": session, "command": command}, nil)
		if err == nil {
			err = x.request(call, x.addr, "GET", "/sessions/"+session+"/wait/exit?max_wait_ms=60000", nil, &exit)
		}
		switch {
		case err != nil:
			x.s.note("unknown", "%s: %s: %v", session, command, err)
		case exit.Code != code || exit.Signal != signal:
			x.s.wrong("%s: %s ended with %v", session, command, exit)
		default:
			x.s.note("exited", "%s: %d", session, code)
		}
		if err := x.request(call, x.addr, "DELETE", "/sessions/"+session, nil, nil); err != nil && !isError(err, "session_not_found") && call.Err() == nil {
			x.s.note("unknown", "removing %s: %v", session, err)
		}
		leave()
	}
}

// runs runs commands in a shell, and checks output and status of each.
func (x *shellServer) runs(ctx context.Context, name string, run func(ctx context.Context, session, line string) (commandResult, error)) {
	r := stream(x.s.seed, name)
	exists := false
	for n := 1; sleep(ctx, pause(r, pace)); n++ {
		call, leave, err := x.enter(ctx)
		if err != nil {
			return
		}
		if !exists {
			err := x.beginShell(call, name)
			exists = err == nil || isError(err, "session_name_conflict")
		}
		status := r.IntN(200)
		word := fmt.Sprintf("%s-%d", name, n)
		result, err := run(call, name, fmt.Sprintf("echo %s; (exit %d)", word, status))
		leave()
		switch {
		case isError(err, "session_not_found", "session_ended") || err != nil && strings.Contains(err.Error(), "no session"):
			exists = false
		case err != nil:
			x.s.note("unknown", "%s: %v", word, err)
		case result.State != "done":
			x.s.note("unclear", "%s: %v", word, result)
		case strings.TrimSpace(result.Output) != word || result.ExitCode == nil || *result.ExitCode != status:
			x.s.wrong("%s, with the status %d, has the result %v", word, status, result)
		default:
			x.s.note("run", "%s: %d", word, status)
		}
	}
}

// A commandResult is what a run of a command line has returned.
type commandResult struct {
	State    string
	Output   string
	ExitCode *int `json:"exit_code"`
	NotRun   bool `json:"not_run"`
}

func (r commandResult) String() string {
	status := "no status"
	if r.ExitCode != nil {
		status = fmt.Sprint("status ", *r.ExitCode)
	}
	return fmt.Sprintf("%s, not run: %t, %s, %q", r.State, r.NotRun, status, r.Output)
}

func (x *shellServer) runOverHTTP(ctx context.Context, session, line string) (r commandResult, err error) {
	err = x.request(ctx, x.proxy.address(), "POST", "/sessions/"+session+"/run", map[string]any{"line": line, "max_wait_ms": 60_000, "format": "plain"}, &r)
	return r, err
}

// A bridge is an agent behind "wsh mcp".
type bridge struct {
	x       *shellServer
	name    string
	process *process // nil while none runs
	pipes   *overPipes
	kill    chan struct{} // capacity 1: the bridge is to be killed
}

// call calls a tool, and starts the bridge if necessary.
func (b *bridge) call(ctx context.Context, tool string, args map[string]any) (r result, err error) {
	if b.process == nil {
		if b.process, err = b.x.s.launch(b.name, "wsh", "mcp", "-L", "soak", "--bind", "127.0.0.1:0"); err != nil {
			return r, err
		}
		if b.pipes, err = newOverPipes(ctx, b.process.in, b.process.out, b.x.s.wrong); err != nil {
			b.end()
			return r, err
		}
	}
	call, cancel := context.WithCancel(ctx)
	defer cancel()
	killed := make(chan struct{})
	go func() {
		defer close(killed)
		select {
		case <-b.kill:
			_ = b.process.cmd.Process.Kill() // it may have ended
		case <-call.Done():
		}
	}()
	r, err = b.pipes.call(call, tool, args)
	cancel()
	<-killed
	select {
	case <-b.process.ended:
		b.end()
	default:
	}
	return r, err
}

// end kills the bridge, if it runs.
func (b *bridge) end() {
	if b.process != nil {
		b.process.kill()
		b.process = nil
	}
}

// close ends the bridge as clients do, which must succeed.
func (b *bridge) close() {
	if b.process == nil {
		return
	}
	_ = b.process.in.Close() // it may have ended
	select {
	case <-b.process.ended:
		if b.process.err != nil {
			b.x.s.wrong("%s ended with %v: %s", b.name, b.process.err, tail(b.process.log.String(), 500))
		}
	case <-time.After(patience):
		b.x.s.wrong("%s does not end with its input", b.name)
	}
	b.end()
}

func (b *bridge) run(ctx context.Context, session, line string) (c commandResult, err error) {
	r, err := must(b.call(ctx, "wsh_run_command", map[string]any{"session": session, "input": line, "format": "plain", "max_wait_ms": 60_000}))
	if err == nil {
		err = json.Unmarshal([]byte(r.text), &c)
	}
	return c, err
}

func (b *bridge) typeLine(ctx context.Context, session, text string) error {
	_, err := must(b.call(ctx, "wsh_send_input", map[string]any{"session": session, "input": text + "\n"}))
	return err
}
