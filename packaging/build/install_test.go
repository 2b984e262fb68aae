//go:build linux && amd64

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"ui-mcp/packaging"
)

// A place is where a test installs packages: a directory with a home of its own.
type place struct {
	t         *testing.T
	dir       string
	inspector bool // whether it connects to the servers: once is enough, since the programs are the same
}

func newPlace(t *testing.T) place {
	t.Helper()
	p := place{t: t, dir: t.TempDir()}
	for _, name := range []string{"home", "tmp", "run"} {
		if err := os.Mkdir(filepath.Join(p.dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (p place) path(names ...string) string {
	return filepath.Join(append([]string{p.dir}, names...)...)
}

// command returns a command that knows this place only.
func (p place) command(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(p.t.Context(), name, args...)
	cmd.Dir = p.path("home")
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.path("home"), "TMPDIR=" + p.path("tmp"), "XDG_RUNTIME_DIR=" + p.path("run"),
		"npm_config_cache=" + p.path("npm"), "npm_config_update_notifier=false", "PIP_DISABLE_PIP_VERSION_CHECK=1", "BROWSER=true",
	}
	return cmd
}

// run runs a command to its end.
func (p place) run(name string, args ...string) {
	p.t.Helper()
	if out, err := p.command(name, args...).CombinedOutput(); err != nil {
		p.t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
}

// left returns the files below a directory.
func (p place) left(names ...string) (list []string) {
	p.t.Helper()
	err := filepath.WalkDir(p.path(names...), func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != "view.key" { // the user's, made once
			list = append(list, name)
		}
		return err
	})
	if err != nil {
		p.t.Error(err)
	}
	return list
}

var opened = regexp.MustCompile(`Open (http://\S+) in your browser`)

// try uses installed commands as people and agents do: it looks at the demo's page, ends the demo,
// and begins a conversation with each server.
func (p place) try(bin func(c packaging.Command) *exec.Cmd) {
	p.t.Helper()
	names := packaging.Load()
	before := p.left()
	demo := bin(names.Command("ui-mcp"))
	demo.Args = append(demo.Args, "demo", "--no-open")
	demo.Cancel = func() error { return demo.Process.Signal(syscall.SIGTERM) }
	demo.WaitDelay = 20 * time.Second
	out, err := demo.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	var problems bytes.Buffer
	demo.Stderr = &problems
	if err := demo.Start(); err != nil {
		p.t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	var address string
	for address == "" {
		line, err := lines.ReadString('\n')
		if m := opened.FindStringSubmatch(line); m != nil {
			address = m[1]
		} else if err != nil {
			p.t.Fatalf("the demo ended: %v\n%s", demo.Wait(), problems.String())
		}
	}
	if page := fetch(p.t, address); !strings.Contains(page, "<html") {
		p.t.Errorf("the page of the demo is %s", page)
	}
	if err := demo.Process.Signal(syscall.SIGTERM); err != nil { // SIGINT may be ignored since the start
		p.t.Error(err)
	}
	if _, err := io.Copy(io.Discard, lines); err != nil {
		p.t.Error(err)
	}
	if err := demo.Wait(); err != nil {
		p.t.Errorf("the demo ends with %v\n%s", err, problems.String())
	}
	if after := p.left(); strings.Join(after, "\n") != strings.Join(before, "\n") {
		p.t.Errorf("the demo has left %q, before there was %q", after, before)
	}

	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"inspect","version":"0"}}}`
	hub := bin(names.Command("wsh")) // which is found beside it, or in PATH
	hub.Args, hub.Env = append(hub.Args, "hub", "--listen=nonsense"), append(hub.Env, "PATH="+filepath.Dir(hub.Path)+":"+os.Getenv("PATH"))
	if out, err := hub.CombinedOutput(); !strings.Contains(string(out), "wsh-hub: the address to listen on") {
		p.t.Errorf("wsh hub: %v\n%s", err, out)
	}
	for _, c := range names.Servers() {
		server := bin(c)
		server.Args = append(server.Args, "mcp")
		server.Stdin = strings.NewReader(initialize + "\n")
		server.Stderr = &problems
		answer, err := server.Output()
		if err != nil || !strings.Contains(string(answer), `"protocolVersion":"2025-11-25"`) {
			p.t.Errorf("%s mcp: %v, %s\n%s", c.Name, err, answer, problems.String())
		}
		if p.inspector {
			p.t.Run("the inspector, "+c.Name, func(t *testing.T) { p.inspect(t, bin(c)) })
		}
		wrong := bin(c)
		wrong.Args = append(wrong.Args, "no-such-command")
		if out, err := wrong.CombinedOutput(); wrong.ProcessState.ExitCode() != 2 {
			p.t.Errorf("%s no-such-command: %v\n%s", c.Name, err, out)
		}
	}
	// What the servers leave in the home is documented: files of the project, and what is theirs.
	for _, file := range p.left("home") {
		if slices.Contains(before, file) {
			continue
		}
		if name, err := filepath.Rel(p.path("home"), file); err != nil || !strings.HasPrefix(name, ".claude/") && !strings.HasPrefix(name, ".cache/ui-mcp/") {
			p.t.Errorf("the commands have left %s", file)
		}
	}
	// A server of terminals goes on for others. When it is stopped, its log stays, and the note
	// that it was stopped on purpose, until the runtime folder goes.
	stop := bin(names.Command("wsh"))
	stop.Args = append(stop.Args, "stop")
	if out, err := stop.CombinedOutput(); err != nil {
		p.t.Errorf("wsh stop: %v\n%s", err, out)
	}
	for _, file := range append(p.left("tmp"), p.left("run")...) {
		if !slices.Contains([]string{"default.log", "default.stopped"}, filepath.Base(file)) {
			p.t.Errorf("the commands have left %s", file)
		}
	}
}

// inspect lets the official inspector of MCP start an installed server, list its tools and call
// one.
func (p place) inspect(t *testing.T, server *exec.Cmd) {
	t.Helper()
	inspector, err := filepath.Abs("../../scratch/inspector/node_modules/@modelcontextprotocol/inspector" +
		"/clients/launcher/build/index.js")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(inspector); err != nil {
		t.Skip("THE MCP INSPECTOR IS MISSING: it does not connect to the installed servers")
	}
	// The inspector passes few variables on.
	start := append([]string{inspector, "--cli", "env", "XDG_RUNTIME_DIR=" + p.path("run"), "TMPDIR=" + p.path("tmp")}, server.Args...)
	call := func(result any, args ...string) {
		t.Helper()
		cmd := p.command("node", append(append(start, "mcp", "--format", "json"), args...)...)
		var problems bytes.Buffer
		cmd.Stderr = &problems
		answer, err := cmd.Output()
		if err == nil {
			err = json.Unmarshal(answer, &struct{ Result any }{result})
		}
		if err != nil {
			t.Errorf("the inspector, %q: %v\n%s\n%s", args, err, answer, problems.String())
		}
	}
	tool := map[string]string{"ui-mcp": "ui_status", "wsh": "wsh_list_sessions"}[filepath.Base(server.Path)]
	var list struct{ Tools []struct{ Name string } }
	call(&list, "--method", "tools/list", "--strict")
	if !slices.ContainsFunc(list.Tools, func(listed struct{ Name string }) bool { return listed.Name == tool }) {
		t.Errorf("the inspector lists %v, without %s", list.Tools, tool)
	}
	var called struct {
		Content []struct{ Text string }
		IsError bool
	}
	call(&called, "--method", "tools/call", "--tool-name", tool)
	if len(called.Content) == 0 || called.Content[0].Text == "" || called.IsError {
		t.Errorf("%s returns %+v", tool, called)
	}
}

// fetch returns the page at an address.
func fetch(t *testing.T, address string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("%s: %s, %v", address, answer.Status, err)
	}
	http.DefaultClient.CloseIdleConnections()
	return string(page)
}

// files returns the paths of packages.
func files(t *testing.T, dir, pattern string, want int) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(found) != want {
		t.Fatalf("%s matches %q: %v", pattern, found, err)
	}
	for i := range found {
		if found[i], err = filepath.Abs(found[i]); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// npm installs the commands from files, without a registry, and removes them.
func TestInstallNPM(t *testing.T) {
	t.Parallel()
	dir, v, _ := released(t)
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("NPM IS MISSING: its packages are not installed")
	}
	p := newPlace(t)
	p.inspector = true
	var archives, names []string
	for _, c := range packaging.Load().Commands {
		for _, name := range []string{c.NPM, c.NPM + "-linux-x64"} {
			archives = append(archives, files(t, dir, npmFile(name, v.String()), 1)...)
			names = append(names, name)
		}
	}
	flags := []string{"--global", "--offline", "--no-audit", "--no-fund", "--prefix", p.path("prefix")}
	p.run("npm", append(append([]string{"install"}, flags...), archives...)...)
	bin := func(c packaging.Command) *exec.Cmd { return p.command(p.path("prefix", "bin", c.Name)) }
	p.try(bin)

	// The script says what to do where npm has left the program out.
	for _, c := range packaging.Load().Commands {
		if err := os.RemoveAll(p.path("prefix", "lib", "node_modules", filepath.FromSlash(c.NPM)+"-linux-x64")); err != nil {
			t.Fatal(err)
		}
		cmd := bin(c)
		if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "the package "+c.NPM+"-linux-x64 is missing") {
			t.Errorf("%s without a program: %v\n%s", c.Name, err, out)
		}
	}
	p.run("npm", append(append([]string{"uninstall"}, flags...), names...)...)
	if left := p.left("prefix"); len(left) > 0 {
		t.Errorf("npm has left %q", left)
	}
}

// The script for npm ends as the program does, also by a signal.
func TestLauncherEnds(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("NODE.JS IS MISSING: the script that starts the programs for npm is not run")
	}
	p := newPlace(t)
	program := p.path("own", "node_modules", "own-linux-x64", "bin", "own")
	for name, text := range map[string]string{
		p.path("own", "bin", "own.js"): string(launcher),
		p.path("own", "package.json"):  `{"name":"own","bin":{"own":"bin/own.js"},"optionalDependencies":{"own-linux-x64":"1.0.0"}}`,
		program:                        "#!/bin/sh\ntrap 'echo interrupted; exit 7' INT\ncase $1 in\nstatus) exit 3 ;;\nkilled) kill -TERM $$ ;;\nPIPE | USR1) kill -$1 $$ ;;\necho) cat ;;\nesac\necho ready\nwhile :; do read -r line || sleep 1; done\n",
		p.path("own", "node_modules", "own-linux-x64", "package.json"): `{"name":"own-linux-x64","version":"1.0.0"}`,
	} {
		if err := write(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	start := func(arg string) *exec.Cmd { return p.command("node", p.path("own", "bin", "own.js"), arg) }
	cmd := start("status")
	if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("status 3: %v\n%s", err, out)
	}
	cmd = start("killed")
	if out, err := cmd.CombinedOutput(); cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
		t.Errorf("a program that is killed: %v\n%s", err, out)
	}
	for name, status := range map[string]int{"PIPE": 128 + int(syscall.SIGPIPE), "USR1": 128 + int(syscall.SIGUSR1)} { // which Node.js keeps for itself
		cmd = start(name)
		if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != status {
			t.Errorf("a program that SIG%s ends: %v\n%s", name, err, out)
		}
	}
	cmd = start("interrupted")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe() // while it is open, the program waits
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); line != "ready\n" {
		t.Errorf("the program prints %q, %v", line, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	if line, err := lines.ReadString('\n'); line != "interrupted\n" {
		t.Errorf("after a signal to the script, the program prints %q, %v", line, err)
	}
	in.Close()
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 7 {
		t.Errorf("a program that has handled its signal: %v", err)
	}
}

// pip installs the commands into an environment of its own, without an index, and removes them.
func TestInstallPython(t *testing.T) {
	t.Parallel()
	dir, _, _ := released(t)
	// The path of Python itself, since a chooser of versions may look into the home.
	found, err := exec.CommandContext(t.Context(), "python3", "-c", "import sys, venv, pip; print(sys.executable)").Output()
	if err != nil {
		t.Skip("PYTHON WITH VENV AND PIP IS MISSING: wheels are not installed")
	}
	python := strings.TrimSpace(string(found))
	p := newPlace(t)
	p.run(python, "-m", "venv", "--without-pip", p.path("venv"))
	before := p.left("venv")
	pip := []string{"-m", "pip", "--python", p.path("venv", "bin", "python"), "--no-cache-dir"}
	p.run(python, append(append(pip, "install", "--no-index", "--no-compile"), files(t, dir, "pypi/*manylinux2014_x86_64*.whl", 3)...)...)
	p.try(func(c packaging.Command) *exec.Cmd { return p.command(p.path("venv", "bin", c.Name)) })
	remove := append(pip, "uninstall", "--yes")
	for _, c := range packaging.Load().Commands {
		remove = append(remove, c.PyPI)
	}
	p.run(python, remove...)
	if after := p.left("venv"); strings.Join(after, "\n") != strings.Join(before, "\n") {
		t.Errorf("pip has left %q, before the installation there was %q", after, before)
	}
}

// dpkg installs the commands below another root and removes them. Without its rights, their files
// are only taken out of the packages.
func TestInstallDebian(t *testing.T) {
	t.Parallel()
	dir, _, _ := released(t)
	if _, err := exec.LookPath("dpkg"); err != nil {
		t.Skip("DPKG IS MISSING: .deb packages are not installed")
	}
	p := newPlace(t)
	packages := files(t, dir, "linux/*_amd64.deb", 3)
	asRoot := os.Getuid() == 0
	dpkg := []string{"--root=" + p.path("root"), "--log=" + p.path("log"), "--force-not-root"}
	if asRoot {
		for _, name := range []string{"info", "updates", "triggers"} {
			if err := os.MkdirAll(p.path("root", "var", "lib", "dpkg", name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(p.path("root", "var", "lib", "dpkg", "status"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		p.run("dpkg", append(append(dpkg, "--install"), packages...)...)
	} else {
		for _, name := range packages {
			p.run("dpkg-deb", "-x", name, p.path("root"))
		}
	}
	p.try(func(c packaging.Command) *exec.Cmd { return p.command(p.path("root", "usr", "bin", c.Name)) })
	if !asRoot {
		t.Log("dpkg needs root: the packages were unpacked, not installed and removed")
		return
	}
	remove := append(dpkg, "--purge")
	for _, c := range packaging.Load().Commands {
		remove = append(remove, c.Linux)
	}
	p.run("dpkg", remove...)
	for _, name := range p.left("root") {
		if !strings.HasPrefix(name, p.path("root", "var", "lib", "dpkg")+"/") {
			t.Errorf("dpkg has left %s", name)
		}
	}
}
