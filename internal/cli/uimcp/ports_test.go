//go:build unix

package uimcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/peer"
)

// A beside is a process of "ui-mcp serve".
type beside struct {
	cmd      *exec.Cmd
	said     string // on standard output
	page     string // its URL
	mcp      string
	errs     testkit.Log
	finished chan error
}

var (
	pageIn = regexp.MustCompile(`http://127\.0\.0\.1:\d+/1/`)
	mcpIn  = regexp.MustCompile(`http://127\.0\.0\.1:\d+/mcp`)
)

// serve starts "ui-mcp serve" on any ports, and returns when it has greeted or failed.
func (w *shared) serve(flags ...string) *beside {
	w.t.Helper()
	b := &beside{finished: make(chan error, 1)}
	b.cmd = exec.Command(os.Args[0], append([]string{"serve", "--dir", w.dir, "--port", "0", "--mcp-port", "0"}, flags...)...)
	b.cmd.Env, b.cmd.Stderr = w.vars, &b.errs
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := b.cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = b.cmd.Process.Kill() }) // it may have ended
	for lines := bufio.NewScanner(out); !strings.Contains(b.said, "Press Ctrl-C") && lines.Scan(); {
		b.said += lines.Text() + "\n"
	}
	b.page, b.mcp = pageIn.FindString(b.said), mcpIn.FindString(b.said)
	go func() {
		_, _ = io.Copy(io.Discard, out)
		b.finished <- b.cmd.Wait()
	}()
	return b
}

// says reports whether a text is on standard error, which comes a little later.
func (b *beside) says(text string) func() bool {
	return func() bool { return strings.Contains(b.errs.String(), text) }
}

// interrupt is what Ctrl-C does.
func (b *beside) interrupt(t *testing.T) {
	t.Helper()
	if err := b.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := <-b.finished; err != nil {
		t.Errorf("serve was interrupted: %v (%s)", err, b.errs.String())
	}
}

// body returns what an address answers, or "" while nobody does.
func body(t *testing.T, url string) string {
	t.Helper()
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := c.Get(url)
	if err != nil {
		return ""
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return ""
	}
	return string(text)
}

func portIn(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil || u.Port() == "" {
		t.Fatalf("no port in %q", address)
	}
	return u.Port()
}

// serve adds its ports to a server that agents share, for as long as it runs: pages and MCP with
// its own toolsets, and new apps appear. Killed, the server is started again on the same ports.
func TestServeBesideAServer(t *testing.T) {
	w := newShared(t)
	agent := w.join()
	agent.ok("ui_status", nil) // the app does not run
	first, second := w.serve("--toolsets", "popup", "--no-http"), w.serve()
	for _, b := range []*beside{first, second} {
		if !strings.Contains(b.said, "which runs already") || !strings.Contains(body(t, b.page), "<html") {
			t.Fatalf("serve says %q and %q", b.said, b.errs.String())
		}
	}
	wait.Until(t, "serve says that its flag has no effect", first.says("without effect: --no-http\n"))
	if said := second.errs.String(); said != "" {
		t.Errorf("serve says %q", said)
	}
	if got, _ := agent.ok("ui_status", nil); !strings.Contains(got, `"running"`) || strings.Contains(got, `"agents"`) {
		t.Errorf("ui_status: %s", got)
	}
	w.count()
	state := strings.TrimSuffix(second.mcp, "/mcp") + "/state"
	wait.Until(t, "an app appears when it is written", func() bool { return strings.Contains(body(t, state), `"n":0`) })
	for b, has := range map[*beside]bool{first: false, second: true} {
		res, err := http.Post(b.mcp, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
		if err != nil {
			t.Fatal(err)
		}
		tools, err := io.ReadAll(res.Body)
		if err = errors.Join(err, res.Body.Close()); err != nil || strings.Contains(string(tools), "ui_display") != has || !strings.Contains(string(tools), `"popup"`) {
			t.Errorf("tools: %.200s, %v", tools, err)
		}
	}
	taken := w.serve("--port", portIn(t, first.page))
	if err := <-taken.finished; err == nil || !strings.Contains(taken.errs.String(), "port "+portIn(t, first.page)+" is in use: choose another one with --port, or 0 for any") {
		t.Errorf("with a port that is taken: %v, %q", err, taken.errs.String())
	}
	taken = w.serve("--mcp-port", portIn(t, first.mcp))
	if err := <-taken.finished; err == nil || !strings.Contains(taken.errs.String(), "choose another one with --mcp-port") {
		t.Errorf("with a port of MCP that is taken: %v, %q", err, taken.errs.String())
	}
	unknown := w.serve("--demo", "nosuchapp")
	if err := <-unknown.finished; err == nil || !strings.Contains(unknown.errs.String(), "cannot show nosuchapp") {
		t.Errorf("with an app that is not there: %v, %q", err, unknown.errs.String())
	}
	if err := w.server().Kill(); err != nil {
		t.Fatal(err)
	}
	for _, b := range []*beside{first, second} {
		wait.Until(t, "serve starts the server again", b.says("is started again"))
		wait.Until(t, "the port is open again", func() bool { return strings.Contains(body(t, b.page), "<html") })
	}
	wait.Until(t, "the app is there again", func() bool { return strings.Contains(body(t, state), `"n":0`) })
	agent.leave()
	second.interrupt(t)
	if got := body(t, second.page) + body(t, second.mcp); got != "" {
		t.Errorf("after Ctrl-C: %q", got)
	}
	if !strings.Contains(body(t, first.page), "<html") {
		t.Error("the ports of the other one are closed, too")
	}
	if err := first.cmd.Process.Kill(); err != nil { // the last one
		t.Fatal(err)
	}
	<-first.finished
	w.empty()
}

// What serve has started itself ends with it. One beside it goes on then, and starts a server, on
// the ports of both. A server of one agent alone is not joined.
func TestServeAfterServe(t *testing.T) {
	w := newShared(t)
	first, second := w.serve(), w.serve()
	if strings.Contains(first.said, "runs already") || !strings.Contains(second.said, "which runs already") {
		t.Errorf("the first says %q, the second %q", first.said, second.said)
	}
	if err := first.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-first.finished; err != nil {
		t.Errorf("serve, with another one beside it: %v", err)
	}
	for _, page := range []string{first.page, second.page} {
		wait.Until(t, "both ports are open again", func() bool { return strings.Contains(body(t, page), "<html") })
	}
	second.interrupt(t)
	w.empty()
	alone := w.join("--own")
	alone.ok("ui_start", nil)
	third := w.serve()
	wait.Until(t, "serve says that another server runs", third.says("another server runs the same base directory"))
	if strings.Contains(third.said, "runs already") {
		t.Errorf("beside a server of one agent alone: %q", third.said)
	}
	third.interrupt(t)
	alone.leave()
	w.empty()
}

// The added ports are for programs of this user only.
func TestAddedPortsAreGated(t *testing.T) {
	w := newShared(t)
	for _, name := range []string{"XDG_RUNTIME_DIR", "HOME"} {
		t.Setenv(name, w.run)
	}
	foreign := func(*http.Request) (peer.Standing, error) { return peer.Foreign, nil }
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := serveCommand{dirFlag: dirFlag{w.dir}, appFlags: appFlags{Toolsets: []toolset{uiTools}}}.run(ctx, env{Streams: commandline.Streams{Out: in, Err: t.Output()}, version: "0.1.0", peer: foreign})
		ended <- errors.Join(err, in.Close())
	}()
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "Press Ctrl-C") {
	}
	added := w.serve()
	for _, address := range []string{added.page, added.mcp} {
		if got := body(t, address); !strings.Contains(got, "another user") {
			t.Errorf("a program of another user gets %q from %s", got, address)
		}
	}
	if err := added.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-added.finished
	wait.Until(t, "the ports of a killed serve are closed", func() bool {
		c, err := net.Dial("tcp", "127.0.0.1:"+portIn(t, added.page))
		if err == nil {
			c.Close()
		}
		return err != nil
	})
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(w.run, "wsh", "*")); len(left) > 0 || len(discovery.Look(w.vars)) > 0 {
		t.Errorf("left: %q", left)
	}
}

// A server that ends before it has opened the ports is not the last word: the next one still
// displays the app that was asked for, and the person learns the address, once. One that logs much
// has not ended.
func TestServeAfterASilentServer(t *testing.T) {
	var out bytes.Buffer
	s := &joinedServe{env: env{Streams: commandline.Streams{Out: &out, Err: io.Discard}}, serveCommand: serveCommand{Demo: "contacts"}}
	for i, line := range []string{
		"",
		`{"method":"` + ownLogMethod + `","params":"` + strings.Repeat("x", maxOwn) + `"}` + "\n" +
			`{"method":"` + portsMethod + `","params":{"url":"http://127.0.0.1:7/1/","pages":7,"agent":8}}` + "\n",
		`{"method":"` + portsMethod + `","params":{"url":"http://127.0.0.1:7/1/","pages":7,"agent":8}}` + "\n",
	} {
		if s.greeted != (i > 1) || s.Demo == "contacts" != (i < 2) {
			t.Errorf("before server %d: greeted %v, to display %q", i, s.greeted, s.Demo)
		}
		client, server := net.Pipe()
		go func() {
			_, _ = io.WriteString(server, line)
			_ = server.Close()
		}()
		if err := s.wait(t.Context(), client); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(out.String(), "http://127.0.0.1:7/1/"); n != 1 {
		t.Errorf("printed %d times: %s", n, out.String())
	}
}
