package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/cli/clients"
	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/settings"
	"ui-mcp/internal/environ"
	"ui-mcp/packaging"
)

// A user has a home, with a program in it whose path has a blank.
type user struct {
	t       *testing.T
	home    string
	program string
	runner  start // which starts it, or nil
	vars    environ.Variables
}

func newUser(t *testing.T) *user {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the files are as on Linux")
	}
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	u := &user{t: t, home: home, program: filepath.Join(home, "my programs", "wsh"), vars: environ.Variables{"HOME=" + home, "PATH=" + filepath.Join(home, "bin")}}
	u.write("my programs/wsh", "#!/bin/sh\n")
	return u
}

// start is how clients start the program.
func (u *user) start() start {
	if u.runner != nil {
		return u.runner
	}
	return start{u.program}
}

func (u *user) path(name string) string { return filepath.Join(u.home, filepath.FromSlash(name)) }

func (u *user) write(name, content string) {
	u.t.Helper()
	path := u.path(name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o755)); err != nil {
		u.t.Fatal(err)
	}
}

func (u *user) read(name string) string {
	u.t.Helper()
	text, err := os.ReadFile(u.path(name))
	if err != nil {
		u.t.Fatal(err)
	}
	return string(text)
}

// A run is a call of the command, with the IDs of clients, and what it printed.
type run struct {
	Flags
	Program, Dir string
	answers      io.Reader // of a person at a terminal, or nil
	out          bytes.Buffer
}

// do runs the command in the home, which is also the project.
func (u *user) do(r *run, ids ...string) error {
	u.t.Helper()
	s := u.setup(r, ids...)
	return s.run(u.t.Context())
}

// setup returns what a run consists of.
func (u *user) setup(r *run, ids ...string) setup {
	if r.Program == "" {
		r.Program = "wsh"
	}
	r.out.Reset()
	r.Client = ids
	return setup{
		Options: Options{Flags: r.Flags, Program: r.Program, Dir: r.Dir, Streams: commandline.Streams{In: r.answers, Out: &r.out, Err: &r.out}},
		machine: clients.This(u.vars), packages: packaging.Command{Name: r.Program, NPM: "wsh-npm", PyPI: "wsh-py"}, start: u.start(), project: u.home, terminal: r.answers != nil,
	}
}

// hook runs the command of ui-mcp with --hooks.
func (u *user) hook(r *run, client string) error {
	u.t.Helper()
	r.Program = "ui-mcp"
	s := u.setup(r, client)
	s.Hooks = true
	return s.run(u.t.Context())
}

// must runs the command, which must succeed.
func (u *user) must(r *run, ids ...string) {
	u.t.Helper()
	if err := u.do(r, ids...); err != nil {
		u.t.Fatalf("%v:\n%s", err, r.out.String())
	}
}

// fails runs the command, which must fail with the status 1 after printing a text.
func (u *user) fails(want string, r *run, ids ...string) {
	u.t.Helper()
	err := u.do(r, ids...)
	status, ok := errors.AsType[*commandline.StatusError](err)
	if !ok || status.Status != 1 || !strings.Contains(r.out.String(), want) {
		u.t.Errorf("%v, want %q:\n%s", err, want, r.out.String())
	}
}

var update = flag.Bool("update", false, "rewrite the golden files")

// homes are where the files of testdata belong below the home.
var homes = map[string]string{
	"claude-code": ".claude.json", "claude-desktop": ".config/Claude/claude_desktop_config.json", "vscode": ".config/Code/User/mcp.json",
	"cursor": ".cursor/mcp.json", "codex": ".codex/config.toml", "zed": ".config/zed/settings.json", "gemini": ".gemini/settings.json",
	"windsurf": ".codeium/windsurf/mcp_config.json", "opencode": ".config/opencode/opencode.json",
}

// The settings of each client get our entry, keep everything else, and are the same bytes again
// after it is removed, except an empty table of servers.
func TestEachClient(t *testing.T) {
	var ids []string
	for _, c := range clients.All() {
		ids = append(ids, c.ID)
	}
	flag, _ := reflect.TypeFor[Flags]().FieldByName("Client")
	if listed := flag.Tag.Get("enum"); listed != strings.Join(ids, ",") || !strings.Contains(flag.Tag.Get("help"), strings.Join(ids, ", ")) {
		t.Errorf("the flag takes %s, and there are %q", listed, ids)
	}
	u := newUser(t)
	before := map[string]string{}
	for id, name := range homes {
		text, err := os.ReadFile(filepath.Join("testdata", id+filepath.Ext(name)))
		if err != nil {
			t.Fatal(err)
		}
		u.write(name, string(text))
		before[id] = string(text)
	}
	u.must(&run{Flags: Flags{Yes: true}}) // all that are found
	for _, c := range clients.All() {
		name, ok := homes[c.ID]
		if !ok {
			continue
		}
		after := u.read(name)
		entry, err := settings.Get(c.Format, []byte(after), [2]string{c.Table, "wsh"})
		if words := startOf(entry); len(words) == 0 || words[0] != u.program || err != nil {
			t.Errorf("%s: %v, %v:\n%s", c.ID, entry, err, after)
		}
		golden := filepath.Join("testdata", c.ID+".golden")
		after = strings.ReplaceAll(after, u.home, "/home/ada")
		if *update {
			if err := os.WriteFile(golden, []byte(after), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if diff := cmp.Diff(string(want), after); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", c.ID, err, diff)
		}
	}
	again := &run{Flags: Flags{Yes: true}}
	if u.must(again); strings.Count(again.out.String(), "already") != len(homes) {
		t.Errorf("again:\n%s", again.out.String())
	}
	u.must(&run{Flags: Flags{Yes: true, Remove: true}})
	for id, name := range homes {
		before := strings.Replace(before[id], "  \"mcpServers\": {},\n", "", 1) // which was empty
		if diff := cmp.Diff(before, u.read(name)); diff != "" {
			t.Errorf("%s (-before +removed):\n%s", id, diff)
		}
	}
}

// Both commands share a file that there was not: it goes with the last of them.
func TestBothCommands(t *testing.T) {
	u := newUser(t)
	u.must(&run{Flags: Flags{Yes: true}, Program: "ui-mcp", Dir: ".claude/ui"}, "windsurf")
	u.must(&run{Flags: Flags{Yes: true}}, "windsurf")
	want := fmt.Sprintf(`{
  "mcpServers": {
    "ui-mcp": {
      "command": %[1]q,
      "args": ["mcp", "--dir", %[2]q]
    },
    "wsh": {
      "command": %[1]q,
      "args": ["mcp"]
    }
  }
}
`, u.program, u.path(".claude/ui"))
	if diff := cmp.Diff(want, u.read(".codeium/windsurf/mcp_config.json")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// The program of both entries is named wsh here.
	u.fails(`"ui-mcp" there starts another program`, &run{Flags: Flags{Yes: true, Remove: true}, Program: "ui-mcp"}, "windsurf")
	u.write(".codeium/windsurf/mcp_config.json", strings.Replace(want, "my programs/wsh\",\n      \"args\": [\"mcp\", ", "my programs/ui-mcp\",\n      \"args\": [\"mcp\", ", 1))
	u.must(&run{Flags: Flags{Yes: true, Remove: true}, Program: "ui-mcp"}, "windsurf")
	u.must(&run{Flags: Flags{Yes: true, Remove: true}}, "windsurf")
	if _, err := os.Stat(u.path(".codeium/windsurf/mcp_config.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is left: %v", err)
	}
}

// What the person changes stays: only our entry goes.
func TestRemoveAfterEdits(t *testing.T) {
	u := newUser(t)
	u.write(".gemini/settings.json", "{\n  \"a\": 1\n}\n")
	u.must(&run{Flags: Flags{Yes: true}}, "gemini")
	u.write(".gemini/settings.json", strings.Replace(u.read(".gemini/settings.json"), "\"a\": 1", "\"a\": 2", 1))
	u.must(&run{Flags: Flags{Yes: true, Remove: true}}, "gemini")
	if got := u.read(".gemini/settings.json"); got != "{\n  \"a\": 2\n}\n" {
		t.Errorf("left: %s", got)
	}
	r := &run{Flags: Flags{Yes: true, Remove: true}}
	if u.must(r, "gemini"); !strings.Contains(r.out.String(), "it has no wsh") {
		t.Errorf("again:\n%s", r.out.String())
	}
}

// Another copy of our program is replaced by this one, with the person's arguments.
func TestUpdate(t *testing.T) {
	u := newUser(t)
	before := `{"mcpServers": {"wsh": {"command": "/old/wsh", "args": ["mcp", "--confirm", "x"], "env": {"A": "b"}}}}`
	u.write(".cursor/mcp.json", before)
	u.must(&run{Flags: Flags{Yes: true}}, "cursor")
	if got, want := u.read(".cursor/mcp.json"), strings.Replace(before, "/old/wsh", u.program, 1); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// What was added before an update goes as it came.
	u.write(".codex/config.toml", "a = 1\n\n")
	u.must(&run{Flags: Flags{Yes: true}}, "codex")
	u.write("elsewhere/wsh", "#!/bin/sh\n")
	u.program = u.path("elsewhere/wsh")
	r := &run{Flags: Flags{Yes: true}}
	if u.must(r, "codex"); !strings.Contains(r.out.String(), "Codex: updated") {
		t.Errorf("printed:\n%s", r.out.String())
	}
	u.must(&run{Flags: Flags{Yes: true, Remove: true}}, "codex")
	if got := u.read(".codex/config.toml"); got != "a = 1\n\n" {
		t.Errorf("left: %q", got)
	}
}

// A file that is removed while a setup plans to remove it has changed, and that is all.
func TestRemovedMeanwhile(t *testing.T) {
	u := newUser(t)
	s := u.setup(&run{Flags: Flags{Yes: true, Remove: true}}, "cursor")
	list, err := s.chosen()
	if err != nil {
		t.Fatal(err)
	}
	before := `{"mcpServers": {"wsh": {"command": "wsh"}}}`
	ch := change{client: list[0], file: u.path("gone"), effect: removes, before: []byte(before), after: []byte("{}")}
	ch.dropEmpty()
	if err := ch.write(); ch.after != nil || !errors.Is(err, errChanged) {
		t.Errorf("%+v, %v", ch, err)
	}
}

// An entry of our name that is not ours is replaced only by a person who says so.
func TestAnotherEntry(t *testing.T) {
	u := newUser(t)
	const text = `{"mcpServers": {"wsh": {"url": "http://127.0.0.1:1/mcp"}}}`
	u.write(".cursor/mcp.json", text)
	u.fails(`it has another "wsh"`, &run{Flags: Flags{Yes: true}}, "cursor")
	u.fails("nothing was changed", &run{answers: strings.NewReader("\n")}, "cursor")
	u.fails("starts another program", &run{Flags: Flags{Yes: true, Remove: true}}, "cursor")
	if got := u.read(".cursor/mcp.json"); got != text {
		t.Fatalf("it became %s", got)
	}
	r := &run{answers: strings.NewReader("yes\n")}
	u.must(r, "cursor")
	if out, got := r.out.String(), u.read(".cursor/mcp.json"); !strings.Contains(out, `-{"mcpServers": {"wsh": {"url"`) || !strings.Contains(out, "Replace it? [y/N]") || strings.Contains(got, "url") || !strings.Contains(got, u.program) {
		t.Errorf("%s\n%s", out, got)
	}
}

// Files that cannot be changed safely stay as they are, and the message says why. The others are
// changed.
func TestRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		make func(u *user, file string) error
		want string
	}{
		"invalid":   {func(u *user, _ string) error { u.write(".gemini/settings.json", "{\n  \"a\": }\n"); return nil }, "it is not valid JSON: line 2, column 8: "},
		"read-only": {func(u *user, f string) error { u.write(".gemini/settings.json", "{}"); return os.Chmod(f, 0o444) }, "it is read-only"},
		"pipe":      {func(_ *user, f string) error { return errors.Join(os.Mkdir(filepath.Dir(f), 0o700), makePipe(f)) }, "it is a named pipe, not a regular file; nothing was changed"},
		"no target": {func(u *user, f string) error {
			return errors.Join(os.Mkdir(filepath.Dir(f), 0o700), os.Symlink(u.path("gone"), f))
		}, "it is a link to a file that does not exist"},
		"not a table": {func(u *user, _ string) error {
			u.write(".gemini/settings.json", `{"mcpServers": []}`)
			return nil
		}, "mcpServers is not an object; nothing was changed"},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t)
			file := u.path(".gemini/settings.json")
			if err := tt.make(u, file); err != nil {
				t.Fatal(err)
			}
			before, _ := os.Lstat(file)
			u.write(".codex/config.toml", "")
			u.fails(tt.want, &run{Flags: Flags{Yes: true}})
			if after, err := os.Lstat(file); err != nil || !os.SameFile(before, after) || before.ModTime() != after.ModTime() {
				t.Errorf("the file was changed: %v", err)
			}
			if !strings.Contains(u.read(".codex/config.toml"), "wsh") {
				t.Error("the other client did not get the server")
			}
		})
	}
	u := newUser(t)
	// A valid file that this cannot edit: a person can.
	u.write(".codex/config.toml", "mcp_servers = { x = { command = 'x' } }\n")
	u.fails("[mcp_servers.wsh]\ncommand = ", &run{Flags: Flags{Yes: true}}, "codex")
}

// A link stays one, and the mode of its target stays, too.
func TestLink(t *testing.T) {
	u := newUser(t)
	u.write("dotfiles/cursor.json", "{}\n")
	if err := errors.Join(os.Chmod(u.path("dotfiles/cursor.json"), 0o664), os.Mkdir(u.path(".cursor"), 0o700), os.Symlink("../dotfiles/cursor.json", u.path(".cursor/mcp.json"))); err != nil {
		t.Fatal(err)
	}
	u.must(&run{Flags: Flags{Yes: true}})
	info, err := os.Stat(u.path("dotfiles/cursor.json"))
	if target, linkErr := os.Readlink(u.path(".cursor/mcp.json")); target != "../dotfiles/cursor.json" || linkErr != nil || err != nil || info.Mode().Perm() != 0o664 {
		t.Errorf("link to %s, %v; %v, %v", target, linkErr, info.Mode(), err)
	}
	if !strings.Contains(u.read("dotfiles/cursor.json"), "wsh") {
		t.Error("the target has no entry")
	}
	u.must(&run{Flags: Flags{Yes: true, Remove: true}})
	if got := u.read("dotfiles/cursor.json"); got != "{}\n" {
		t.Errorf("left: %q", got)
	}
}

// A person is asked for each file, and a file that changes while they think is shown again.
func TestAsked(t *testing.T) {
	u := newUser(t)
	u.write(".cursor/mcp.json", "{}")
	u.write(".gemini/settings.json", "{}")
	person := &thinking{answers: strings.NewReader("y\ny\nn\n"), then: func() { u.write(".cursor/mcp.json", `{"late": 1}`) }}
	r := &run{answers: person}
	u.fails("mcp.json has changed meanwhile. Again:", r)
	if got := u.read(".cursor/mcp.json"); !strings.Contains(got, "late") || !strings.Contains(got, "wsh") {
		t.Errorf("it became %s", got)
	}
	if got := u.read(".gemini/settings.json"); got != "{}" || strings.Count(r.out.String(), "Change this file? [y/N]") != 3 {
		t.Errorf("%s\n%s", got, r.out.String())
	}
}

// thinking is a person who takes their time before the first answer.
type thinking struct {
	answers io.Reader
	then    func()
}

func (p *thinking) Read(b []byte) (int, error) {
	if p.then != nil {
		p.then()
		p.then = nil
	}
	return p.answers.Read(b)
}

// Ctrl-C at a question ends the command, and changes nothing.
func TestInterrupted(t *testing.T) {
	u := newUser(t)
	u.write(".cursor/mcp.json", "{}")
	ctx, cancel := context.WithCancelCause(t.Context())
	in, typed := io.Pipe()
	defer typed.Close()
	reason := errors.New("interrupted")
	s := setup{
		Options: Options{Program: "wsh", Streams: commandline.Streams{In: &thinking{in, func() { cancel(reason) }}, Out: io.Discard, Err: io.Discard}},
		machine: clients.This(u.vars), packages: packaging.Command{Name: "wsh"}, start: u.start(), terminal: true,
	}
	if err := s.run(ctx); !errors.Is(err, reason) {
		t.Error(err)
	}
	if got := u.read(".cursor/mcp.json"); got != "{}" {
		t.Errorf("it became %s", got)
	}
}

// What cannot be shown is not done, and the error says so.
func TestUnshown(t *testing.T) {
	u := newUser(t)
	u.write(".cursor/mcp.json", "{}")
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, add := range []bool{true, false} { // the second time there is nothing to remove
		s := u.setup(&run{Flags: Flags{Yes: true, Remove: !add}}, "cursor")
		s.Streams.Out = full
		if err := s.run(t.Context()); !errors.Is(err, syscall.ENOSPC) || add && !strings.Contains(err.Error(), "nothing was changed") {
			t.Error(err)
		}
		if got := u.read(".cursor/mcp.json"); got != "{}" {
			t.Errorf("it became %s", got)
		}
	}
}

// Settings of a project have the name of the program, if that is enough, and paths in the project.
func TestProject(t *testing.T) {
	u := newUser(t)
	u.vars = environ.Variables{"PATH=" + u.path("bin")} // and no HOME
	if err := errors.Join(os.Mkdir(u.path("bin"), 0o700), os.Symlink(u.program, u.path("bin/wsh"))); err != nil {
		t.Fatal(err)
	}
	r := &run{Flags: Flags{Yes: true, Project: true}, Dir: ".claude/ui"}
	u.must(r, "claude-code", "vscode", "vscode-insiders", "opencode")
	for name, want := range map[string]string{
		".mcp.json":        "{\n  \"mcpServers\": {\n    \"wsh\": {\n      \"type\": \"stdio\",\n      \"command\": \"wsh\",\n      \"args\": [\"mcp\", \"--dir\", \".claude/ui\"]\n    }\n  }\n}\n",
		".vscode/mcp.json": "{\n  \"servers\": {\n    \"wsh\": {\n      \"type\": \"stdio\",\n      \"command\": \"wsh\",\n      \"args\": [\"mcp\", \"--dir\", \"${workspaceFolder}/.claude/ui\"]\n    }\n  }\n}\n",
		"opencode.json":    "{\n  \"mcp\": {\n    \"wsh\": {\n      \"type\": \"local\",\n      \"command\": [\"wsh\", \"mcp\", \"--dir\", \".claude/ui\"],\n      \"enabled\": true\n    }\n  }\n}\n",
	} {
		if diff := cmp.Diff(want, u.read(name)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if strings.Contains(r.out.String(), "Insiders") {
		t.Errorf("one file was set up twice:\n%s", r.out.String())
	}
	if err := u.do(&run{Flags: Flags{Yes: true, Project: true}}, "windsurf"); err == nil || !strings.Contains(err.Error(), "Windsurf has no settings of projects") {
		t.Error(err)
	}
	u.fails("HOME is not set", &run{Flags: Flags{Yes: true}}, "cursor")
}

// Codex passes on what servers and hooks find each other by, if there is that.
func TestRuntimeFolderForCodex(t *testing.T) {
	const passes = "env_vars = [\"XDG_RUNTIME_DIR\"]\n"
	u := newUser(t)
	u.vars = u.vars.With("XDG_RUNTIME_DIR", "/run/user/1")
	u.must(&run{Flags: Flags{Yes: true}}, "codex", "cursor")
	if err := u.hook(&run{Flags: Flags{Yes: true}}, "codex"); err != nil {
		t.Fatal(err)
	}
	if file := u.read(".codex/config.toml"); !strings.HasSuffix(file, passes) || strings.Contains(u.read(".cursor/mcp.json")+u.read(".codex/hooks.json"), "XDG") {
		t.Errorf("new entries:\n%s%s%s", file, u.read(".cursor/mcp.json"), u.read(".codex/hooks.json"))
	}
}

// --print says what to add, for clients that are not installed, too, and changes nothing.
func TestPrint(t *testing.T) {
	u := newUser(t)
	if err := u.do(&run{}); err == nil || !strings.Contains(err.Error(), "no client is found") {
		t.Error(err)
	}
	r := &run{Flags: Flags{Print: true}}
	u.must(r, "codex")
	if want := fmt.Sprintf("Codex, in %s:\n\n[mcp_servers.wsh]\ncommand = %q\nargs = [\"mcp\"]\n\n", u.path(".codex/config.toml"), u.program); r.out.String() != want {
		t.Errorf("printed:\n%s", r.out.String())
	}
	if entries, err := os.ReadDir(u.home); err != nil || len(entries) != 1 {
		t.Errorf("the home has %v, %v", entries, err)
	}
}

// With --json, nobody is asked, and the report has what a person would see.
func TestJSON(t *testing.T) {
	u := newUser(t)
	u.write(".cursor/mcp.json", "{}\n")
	u.write(".gemini/settings.json", "{")
	report := func(flags Flags) (list []result) {
		t.Helper()
		flags.JSON = true
		r := &run{Flags: flags, answers: strings.NewReader("y\n")}
		err := u.do(r)
		if status, ok := errors.AsType[*commandline.StatusError](err); !ok || status.Status != 1 {
			t.Error(err)
		}
		if err := json.Unmarshal(r.out.Bytes(), &list); err != nil {
			t.Errorf("%v: %s", err, r.out.String())
		}
		for i := range list {
			list[i].File = strings.TrimPrefix(list[i].File, u.home)
			list[i].Diff = strings.Join(regexp.MustCompile("(?m)^[+-] *[\"{}].*$").FindAllString(list[i].Diff, -1), "")
			list[i].Error = strings.ReplaceAll(list[i].Error, u.home, "")
		}
		return list
	}
	invalid := result{Client: "gemini", File: "/.gemini/settings.json", Change: none, Error: "/.gemini/settings.json: it is not valid JSON: line 1, column 2: parsing value: unexpected EOF; nothing was changed"}
	added := fmt.Sprintf(`-{}+{+  "mcpServers": {+    "wsh": {+      "command": %q,+      "args": ["mcp"]+    }+  }+}`, u.program)
	want := []result{{Client: "cursor", File: "/.cursor/mcp.json", Change: adds, Diff: added, Error: "/.cursor/mcp.json: nothing was changed: add that by hand, or call this with --yes"}, invalid}
	if diff := cmp.Diff(want, report(Flags{})); diff != "" {
		t.Errorf("without --yes (-want +got):\n%s", diff)
	}
	want[0].Done, want[0].Error = true, ""
	if diff := cmp.Diff(want, report(Flags{Yes: true})); diff != "" {
		t.Errorf("with --yes (-want +got):\n%s", diff)
	}
	want[0].Change, want[0].Diff = none, ""
	if diff := cmp.Diff(want, report(Flags{Yes: true})); diff != "" {
		t.Errorf("again (-want +got):\n%s", diff)
	}
}

// What a file contains does not change how the terminal looks.
func TestShownSafely(t *testing.T) {
	u := newUser(t)
	u.write(".cursor/mcp.json", "{\"\x7f\u202e\": 1,\r\n\t\"b\": 2}")
	r := &run{}
	u.fails("nothing was changed", r)
	if strings.ContainsAny(r.out.String(), "\x7f\u202e\r\t") {
		t.Errorf("printed:\n%q", r.out.String())
	}
}

// The hook stands in the client's settings once, follows the program, and goes without a trace;
// hooks of others stay as they are.
func TestHooks(t *testing.T) {
	u := newUser(t)
	const name, mine = ".claude/settings.json", "{\n  \"model\": \"opus\"\n}\n"
	u.write(name, mine)
	u.write("my programs/ui-mcp", "#!/bin/sh\n")
	u.program = u.path("my programs/ui-mcp")
	setUp := func(r *run) error { return u.hook(r, "claude-code") }
	yes := Flags{Yes: true}
	if err := setUp(&run{Flags: yes}); err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, event := range []string{"PermissionRequest", "UserPromptSubmit", "Stop"} {
		fmt.Fprintf(&want, ",\n    %q: [{\"hooks\": [{\"type\": \"command\", \"command\": \"'%s' hook || exit 1\", \"timeout\": 86400}]}]", event, u.program)
	}
	written := "{\n  \"model\": \"opus\",\n  \"hooks\": {" + want.String()[1:] + "\n  }\n}\n"
	if diff := cmp.Diff(written, u.read(name)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	again := &run{Flags: yes}
	if err := setUp(again); err != nil || !strings.Contains(again.out.String(), "already") {
		t.Errorf("again: %v, %s", err, again.out.String())
	}
	old := u.program
	u.write("bin/ui-mcp", "#!/bin/sh\n")
	u.program = u.path("bin/ui-mcp")
	if err := setUp(&run{Flags: yes}); err != nil || !strings.Contains(u.read(name), `"`+u.program+` hook || exit 1"`) || strings.Contains(u.read(name), old) {
		t.Errorf("moved: %v, %s", err, u.read(name))
	}
	if err := setUp(&run{Flags: Flags{Remove: true, Yes: true}}); err != nil || u.read(name) != mine {
		t.Errorf("removed: %v, %q", err, u.read(name))
	}
	const others = `{"hooks": {"PermissionRequest": [{"hooks": [{"type": "command", "command": "theirs"}]}]}}`
	u.write(name, others)
	for _, f := range []Flags{yes, {Remove: true, Yes: true}} {
		r := &run{Flags: f}
		if err := setUp(r); (err == nil) != f.Remove || u.read(name) != others || !f.Remove && !strings.Contains(r.out.String(), u.program+" hook") {
			t.Errorf("beside others: %v, %s, %s", err, u.read(name), r.out.String())
		}
	}
	const state = `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "theirs"}]}]}}`
	u.write(name, state)
	r := &run{Flags: yes}
	if err := setUp(r); err != nil || strings.Count(u.read(name), u.program+" hook") != 2 || !strings.Contains(r.out.String(), "other hooks for Stop") {
		t.Errorf("beside others at the end of a turn: %v, %s, %s", err, u.read(name), r.out.String())
	}
	if err := setUp(&run{Flags: Flags{Remove: true, Yes: true}}); err != nil || u.read(name) != state {
		t.Errorf("removed beside others: %v, %s", err, u.read(name))
	}
}

// Our hooks are removed wherever they stand alone, whatever else stands elsewhere, and a person is
// told where other hooks are.
func TestHooksBesideOthers(t *testing.T) {
	u := newUser(t)
	u.write("bin/ui-mcp", "#!/bin/sh\n")
	u.program = u.path("bin/ui-mcp")
	const name = ".claude/settings.json"
	ours := `{"hooks": [{"type": "command", "command": "` + u.program + ` hook || exit 1"}]}`
	const theirs = `{"hooks": [{"type": "command", "command": "theirs"}]}`
	for title, tt := range map[string]struct {
		events string
		said   string
		left   int // of ours
	}{
		"a permission prompt of others": {`"PermissionRequest": [` + theirs + `], "Stop": [` + ours + `]`, "removed", 0},
		"two entries, ours and theirs":  {`"UserPromptSubmit": [` + ours + `], "Stop": [` + theirs + `, ` + ours + `]`, "all others are removed", 1},
		"one entry, ours and theirs":    {`"UserPromptSubmit": [` + ours + `], "Stop": [` + strings.Replace(theirs, `}]`, `}, {"command": "ui-mcp hook"}]`, 1) + `]`, "other hooks for Stop", 1},
		"another kind":                  {`"UserPromptSubmit": [` + ours + `], "Stop": [5]`, "other hooks for Stop", 0},
		"an event twice":                {`"PermissionRequest": [` + ours + `], "PermissionRequest": [` + ours + `], "Stop": [` + ours + `]`, "twice", 3},
	} {
		u.write(name, `{"hooks": {`+tt.events+`}}`)
		r := &run{Flags: Flags{Yes: true, Remove: true}}
		err, left := u.hook(r, "claude-code"), 0
		if _, err := os.Stat(u.path(name)); err == nil {
			left = strings.Count(u.read(name), "ui-mcp hook")
		}
		if said := r.out.String(); left != tt.left || (err != nil) != (left > 1) || !strings.Contains(said, tt.said) {
			t.Errorf("%s: %v, %d of ours are left: %s", title, err, left, said)
		}
	}
}

// Each client gets the hooks that it has, in the file where it looks for them; one without any says
// so.
func TestHooksOfClients(t *testing.T) {
	for client, want := range map[string]string{
		"codex":    `.codex/hooks.json: PermissionRequest hook --client Codex || exit 1`,
		"gemini":   `.gemini/settings.json: Notification,BeforeAgent,AfterAgent hook --client Gemini || exit 1`,
		"opencode": "",
	} {
		u := newUser(t)
		u.write("bin/ui-mcp", "#!/bin/sh\n")
		u.program = u.path("bin/ui-mcp")
		setUp := func(f Flags) error { return u.hook(&run{Flags: f}, client) }
		file, rest, _ := strings.Cut(want, ": ")
		events, command, has := strings.Cut(rest, " ")
		if err := setUp(Flags{Yes: true}); (err == nil) != has {
			t.Errorf("%s: %v", client, err)
		}
		if !has {
			continue
		}
		for range 2 {
			text := u.read(file)
			for _, event := range strings.Split(events, ",") {
				if strings.Count(text, `"`+event+`": [`) != 1 || !strings.Contains(text, " "+command+`"`) {
					t.Errorf("%s: %s", client, text)
				}
			}
			if err := setUp(Flags{Yes: true}); err != nil {
				t.Errorf("%s again: %v", client, err)
			}
		}
		if err := setUp(Flags{Remove: true, Yes: true}); err != nil {
			t.Errorf("%s removed: %v", client, err)
		}
		if _, err := os.Stat(u.path(file)); err == nil {
			t.Errorf("%s removed: %s", client, u.read(file))
		}
	}
}
