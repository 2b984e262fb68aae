package doctor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/doctor"
	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/terminals"
)

// A machine has a home and programs of its own.
type machine struct {
	t         *testing.T
	home, bin string
	vars      environ.Variables
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has other folders, and no modes")
	}
	m := &machine{t: t, home: t.TempDir(), bin: t.TempDir()}
	m.vars = environ.Variables{"HOME=" + m.home, "PATH=" + m.bin, "SHELL=/bin/sh", "XDG_RUNTIME_DIR=" + filepath.Join(m.home, "run"), "XDG_CACHE_HOME=" + filepath.Join(m.home, "cache")}
	t.Chdir(t.TempDir()) // no project
	return m
}

// write writes a file of the home.
func (m *machine) write(name, content string, mode fs.FileMode) string {
	m.t.Helper()
	path := filepath.Join(m.home, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600), os.Chmod(path, mode)); err != nil {
		m.t.Fatal(err)
	}
	return path
}

// install makes programs that do nothing.
func (m *machine) install(names ...string) {
	m.t.Helper()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(m.bin, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			m.t.Fatal(err)
		}
	}
}

func (m *machine) program() doctor.Program {
	return doctor.Program{Name: "ui-mcp", Version: "0.1.0", Vars: m.vars}
}

// about returns what was found about a subject: the state and the text of each check, and what to
// do.
func (m *machine) about(subject string) (found []string) {
	m.t.Helper()
	return m.aboutWithin(m.t.Context(), subject)
}

// aboutWithin is about with less time.
func (m *machine) aboutWithin(ctx context.Context, subject string) (found []string) {
	return about(ctx, m.program(), subject)
}

// about is what a program finds about a subject.
func about(ctx context.Context, p doctor.Program, subject string) (found []string) {
	for _, c := range doctor.Examine(ctx, p) {
		if c.Subject == subject {
			found = append(found, strings.TrimSpace(string(c.State)+" "+c.Text+" "+c.Do))
		}
	}
	return found
}

// On a machine on which nothing is installed, nothing is wrong, and nothing is made there.
func TestNothingInstalled(t *testing.T) {
	m := newMachine(t)
	var out, jsonOut bytes.Buffer
	if err := doctor.Run(t.Context(), m.program(), &out, false); err != nil {
		t.Errorf("%v:\n%s", err, out.String())
	}
	for _, want := range []string{"ok       program  ui-mcp v0.1.0, ", "note     PATH     ui-mcp is not found", "ok       server   none runs", "note     client   no known client", "                  Any client that starts programs can start \"ui-mcp mcp\": \"ui-mcp setup --print --client cursor\" says", "note     shell    your shell, \"/bin/sh\", does not mark"} {
		if !strings.Contains(out.String(), "\n"+want) && !strings.HasPrefix(out.String(), want) {
			t.Errorf("there is no %q in\n%s", want, out.String())
		}
	}
	if err := doctor.Run(t.Context(), m.program(), &jsonOut, true); err != nil {
		t.Error(err)
	}
	var checks []doctor.Check
	if err := json.Unmarshal(jsonOut.Bytes(), &checks); err != nil || len(checks) < 8 || checks[0].Subject != "program" || checks[0].State != doctor.OK {
		t.Errorf("%v: %s", err, jsonOut.String())
	}
	if left, err := os.ReadDir(m.home); err != nil || len(left) > 0 {
		t.Errorf("the home has %v, %v", left, err)
	}
}

// A folder that nobody can make, as where XDG_RUNTIME_DIR has gone, is a problem.
func TestFolderCannotBeMade(t *testing.T) {
	if os.Geteuid() <= 0 {
		t.Skip("root can make it, and on Windows the mode of a folder says nothing")
	}
	m := newMachine(t)
	closed := filepath.Join(m.home, "closed")
	if err := os.Mkdir(closed, 0o500); err != nil {
		t.Fatal(err)
	}
	m.vars = m.vars.With("XDG_RUNTIME_DIR", filepath.Join(closed, "gone"))
	if got, want := m.about("folder"), "problem running servers: "+filepath.Join(closed, "gone", "wsh")+" cannot be made: permission denied Make the first folder "; len(got) != 1 || !strings.HasPrefix(got[0], want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A folder of servers that others can use is a problem, with the status 1.
func TestPermissions(t *testing.T) {
	m := newMachine(t)
	run := filepath.Dir(m.write("run/wsh/default.token", "secret", 0o600))
	if got := m.about("folder"); len(got) != 1 || got[0] != "ok running servers: only you can use "+run {
		t.Errorf("folders: %q", got)
	}
	if err := os.Chmod(run, 0o750); err != nil {
		t.Fatal(err)
	}
	if got := m.about("folder"); len(got) != 1 || !strings.Contains(got[0], run+" cannot be trusted: its mode is 0750, which lets other users in: make it 0700 Servers refuse it. Remove it, or: chmod go= "+run) {
		t.Errorf("folders: %q", got)
	}
	if got := m.about("server"); len(got) != 1 || !strings.HasPrefix(got[0], "note whether others run is unknown") {
		t.Errorf("servers: %q", got)
	}
	var status *commandline.StatusError
	if err := doctor.Run(t.Context(), m.program(), new(bytes.Buffer), false); !errors.As(err, &status) || status.Status != 1 || status.Err != nil {
		t.Errorf("the error is %v", err)
	}
	if err := errors.Join(os.RemoveAll(run), os.WriteFile(run, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if got := m.about("folder"); len(got) != 1 || !strings.HasPrefix(got[0], "problem running servers: ") {
		t.Errorf("a file instead of a folder: %q", got)
	}
}

// Clients are found by their commands or their settings, and what they start is looked up.
func TestClients(t *testing.T) {
	for name, tt := range map[string]struct {
		client, file, settings string
		folder                 string // of the home
		project                string // the settings of the project
		install                []string
		want                   []string
	}{
		"none":             {client: "Claude Code"},
		"in a project":     {client: "Claude Code", install: []string{"claude", "ui-mcp"}, project: `{"mcpServers": {"ui-mcp": {"command": "ui-mcp"}}}`, want: []string{"ok starts ui-mcp"}},
		"installed":        {client: "Claude Code", install: []string{"claude"}, want: []string{"note is installed, and does not start ui-mcp here To add it: ui-mcp setup --client claude-code"}},
		"settings":         {client: "Cursor", file: ".cursor/mcp.json", settings: `{}`, want: []string{"note is installed, and does not start ui-mcp here To add it: ui-mcp setup --client cursor"}},
		"starts both":      {client: "Claude Code", file: ".claude.json", install: []string{"ui-mcp", "wsh"}, settings: `{"projects": {"/src/ui-mcp": {}}, "mcpServers": {"a": {"command": "wsh", "args": ["mcp"]}, "b": {"command":"ui-mcp"}}}`, want: []string{"ok starts wsh and ui-mcp"}},
		"a path":           {client: "Codex", file: ".codex/config.toml", settings: "[mcp_servers.ui]\ncommand = 'BIN/ui-mcp'\n", install: []string{"ui-mcp"}, want: []string{"ok starts ui-mcp"}},
		"a list":           {client: "opencode", file: ".config/opencode/opencode.json", settings: `{"mcp": {"ui": {"command": ["BIN/ui-mcp", "mcp"]}}}`, install: []string{"ui-mcp"}, want: []string{"ok starts ui-mcp"}},
		"npx":              {client: "Cursor", file: ".cursor/mcp.json", install: []string{"npx"}, settings: `{"mcpServers": {"x": {"command": "npx", "args": ["-y", "x"]}, "a": {"command": "npx", "args": ["-y", "wsh-mcp", "mcp"]}, "b": {"command": "cmd", "args": ["/c", "npx", "ui-mcp"]}}}`, want: []string{"problem starts cmd, which is no program here Give the path of the program in HOME/.cursor/mcp.json."}},
		"uvx":              {client: "Codex", file: ".codex/config.toml", install: []string{"uvx"}, settings: "[mcp_servers.ui]\ncommand = \"uvx\"\nargs = [\"--from\", \"wsh-mcp==1.0\", \"wsh\"]\n[mcp_servers.b]\nargs = [\"ui-mcp\"]\ncommand = \"x\"\n", want: []string{"note is installed, and does not start ui-mcp here To add it: ui-mcp setup --client codex"}},
		"npx in a list":    {client: "opencode", file: ".config/opencode/opencode.json", settings: `{"mcp": {"ui": {"command": ["npx", "-y", "ui-mcp@latest", "mcp"]}}}`, install: []string{"npx"}, want: []string{"ok starts ui-mcp"}},
		"gone":             {client: "Codex", file: ".codex/config.toml", settings: "[mcp_servers.a]\ncommand = \"/gone/ui-mcp\"\n", want: []string{"problem starts /gone/ui-mcp, which is no program here Give the path of the program in HOME/.codex/config.toml."}},
		"the other":        {client: "Codex", file: ".codex/config.toml", settings: "[mcp_servers.a]\ncommand = \"/gone/wsh\"\n", want: []string{"problem starts /gone/wsh, which is no program here Give the path of the program in HOME/.codex/config.toml.", "note is installed, and does not start ui-mcp here To add it: ui-mcp setup --client codex"}},
		"a folder":         {client: "Codex", file: ".codex/config.toml", settings: "[mcp_servers.a]\ncommand = \"HOME/.codex/ui-mcp\"\n", folder: ".codex/ui-mcp", want: []string{"problem starts HOME/.codex/ui-mcp, which is no program here Give the path of the program in HOME/.codex/config.toml."}},
		"elsewhere":        {client: "Claude Code", file: ".claude.json", install: []string{"claude", "ui-mcp"}, settings: `{"projects": {"/elsewhere": {"mcpServers": {"a": {"command": "ui-mcp"}, "b": {"command": "/gone/wsh"}}}}}`, want: []string{"note is installed, and does not start ui-mcp here To add it: ui-mcp setup --client claude-code"}},
		"this project":     {client: "Claude Code", file: ".claude.json", install: []string{"ui-mcp"}, settings: `{"projects": {"HERE": {"mcpServers": {"a": {"command": "ui-mcp"}}}}}`, want: []string{"ok starts ui-mcp"}},
		"a project around": {client: "Claude Code", file: ".claude.json", install: []string{"ui-mcp"}, settings: `{"projects": {"AROUND": {"mcpServers": {"a": {"command": "ui-mcp"}}}}}`, want: []string{"ok starts ui-mcp"}},
		"commented out":    {client: "Cursor", file: ".cursor/mcp.json", install: []string{"ui-mcp", "cursor"}, settings: "{ // mine\n// \"a\": {\"command\": \"ui-mcp\"},\n}", want: []string{"note is installed, and does not start ui-mcp here To add it: ui-mcp setup --client cursor"}},
		"a comment":        {client: "Codex", file: ".codex/config.toml", install: []string{"ui-mcp"}, settings: "x = [ # command = 'ui-mcp'\n]\n# command = 'ui-mcp'\n", want: []string{"note is installed, and does not start ui-mcp here To add it: ui-mcp setup --client codex"}},
		"a mark":           {client: "Claude Code", file: ".claude.json", install: []string{"ui-mcp"}, settings: "\ufeff" + `{"projects": {"/elsewhere": {"mcpServers": {"a": {"command": "ui-mcp"}}}}}`, want: []string{"note is installed, and does not start ui-mcp here To add it: ui-mcp setup --client claude-code"}},
		"not in PATH":      {client: "Codex", file: ".codex/config.toml", settings: "[mcp_servers.a]\ncommand = \"ui-mcp\"\n", want: []string{"problem starts ui-mcp, which is no program here Give the path of the program in HOME/.codex/config.toml."}},
		"invalid":          {client: "Cursor", file: ".cursor/mcp.json", settings: `{"mcpServers": {"a": {"command": "ui-mcp"}}`, want: []string{"problem its settings in HOME/.cursor/mcp.json cannot be read: it is not valid JSON: line 1, column 44: parsing object after value: unexpected EOF Correct it, or make it readable."}},
		"another name":     {client: "Codex", file: ".codex/config.toml", settings: "[mcp_servers.a]\ncommand = \"not-ui-mcp\"\n# command = ui-mcp\n", want: []string{"note is installed, and does not start ui-mcp here To add it: ui-mcp setup --client codex"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.install(tt.install...)
			if tt.file != "" {
				dir, err := os.Getwd()
				if err != nil {
					t.Fatal(err)
				}
				m.write(tt.file, strings.NewReplacer("BIN", m.bin, "HOME", m.home, "HERE", dir, "AROUND", filepath.Dir(dir)).Replace(tt.settings), 0o600)
			}
			if tt.project != "" {
				testkit.Write(t, ".", ".mcp.json", tt.project)
			}
			if tt.folder != "" {
				if err := os.Mkdir(filepath.Join(m.home, tt.folder), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for i := range tt.want {
				tt.want[i] = strings.ReplaceAll(tt.want[i], "HOME", m.home)
			}
			if diff := cmp.Diff(tt.want, m.about(tt.client)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A server that is registered and does not answer is a problem; so is one whose port another
// program has, which answers something else.
func TestDeadServers(t *testing.T) {
	m := newMachine(t)
	registry, err := discovery.Open(m.vars, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	claim, err := registry.Claim("s", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = claim.Release() }) // with the test's folder
	for name, tt := range map[string]struct {
		server discovery.Server
		want   string
	}{
		"no app": {discovery.Server{PID: 7, Token: "t"}, "ok ui-mcp, process 7, displays no app yet"},
		"silent": {discovery.Server{PID: 7, Token: "t", Address: silent.Addr().String()}, "problem ui-mcp, process 7 serves agents at http://" + silent.Addr().String() + ", does not answer within 3s If it was stopped, as by Ctrl-Z, kill -CONT lets it go on. End it: kill 7."},
		"closed": {discovery.Server{PID: 7, Token: "t", Address: address}, "problem ui-mcp, process 7 serves agents at http://" + address + ", does not answer: "},
	} {
		if err := claim.Publish(func(s *discovery.Server) { *s = tt.server }); err != nil {
			t.Fatal(err)
		}
		ctx := t.Context()
		if name == "silent" { // it is not waited for as long as for others
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, 100*time.Millisecond)
			defer cancel()
		}
		if got := m.aboutWithin(ctx, "server"); len(got) != 1 || !strings.HasPrefix(got[0], tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// That a server of terminals knows others is told, with the command that describes them.
func TestOtherServers(t *testing.T) {
	m := newMachine(t)
	run := testkit.ShortDir(t)
	m.vars = append(m.vars, "XDG_RUNTIME_DIR="+run)
	folder, err := instance.Open(m.vars, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	two := []terminals.KnownServer{{Address: "ssh://a"}, {Address: "ssh://b"}}
	note := func(name, list string) []string {
		return []string{fmt.Sprintf("note the terminals %q know 2 on other machines, which were not examined %q says whether they answer.", name, list)}
	}
	for name, tt := range map[string]struct {
		server string
		answer any
		want   []string
	}{
		"none":           {"default", []terminals.KnownServer{}, nil},
		"some":           {"default", two, note("default", "wsh servers")},
		"by another one": {"two", two, note("two", "wsh servers -L two")},
		"unknown":        {"two", "no list", nil},
	} {
		t.Run(name, func(t *testing.T) {
			claim, err := folder.Claim(tt.server, "")
			if err != nil {
				t.Fatal(err)
			}
			l, err := claim.Listen()
			if err != nil {
				t.Fatal(err)
			}
			server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var answer any = map[string]string{"version": "0.1.0"}
				if r.URL.Path == "/servers" {
					answer = tt.answer
				}
				_ = json.NewEncoder(w).Encode(answer)
			})}
			served := make(chan error)
			go func() { served <- server.Serve(l) }()
			defer func() {
				if err := errors.Join(server.Close(), claim.Release()); err != nil {
					t.Error(err)
				}
				<-served
			}()
			if err := claim.Publish(func(*discovery.Server) {}); err != nil {
				t.Fatal(err)
			}
			p := m.program()
			p.Name = "wsh"
			if d := cmp.Diff(tt.want, about(t.Context(), p, "other servers")); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

// What others have named cannot forge lines.
func TestLinesCannotBeForged(t *testing.T) {
	m := newMachine(t)
	m.write(".codex/config.toml", "[mcp_servers.a]\ncommand = \"/gone/\\u001b[31m\\rok/ui-mcp\"\n", 0o600)
	var out bytes.Buffer
	_ = doctor.Run(t.Context(), m.program(), &out, false) // there is a problem
	if text := out.String(); strings.ContainsAny(text, "\x1b\r") || !strings.Contains(text, "problem  Codex") {
		t.Errorf("printed:\n%q", text)
	}
}

// A shell that marks its prompts is known by its name.
func TestShell(t *testing.T) {
	m := newMachine(t)
	m.vars = m.vars.With("SHELL", m.write("bin/bash", "#!/bin/sh\n", 0o755))
	if got := m.about("shell"); len(got) != 1 || !strings.HasPrefix(got[0], "ok bash, yours") {
		t.Errorf("bash: %q", got)
	}
	m.vars = m.vars.With("SHELL", "/gone/zsh")
	if got := m.about("shell"); len(got) != 1 || !strings.HasPrefix(got[0], "note your shell") {
		t.Errorf("a shell that is not there: %q", got)
	}
}
