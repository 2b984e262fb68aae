package setup

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/cli/clients"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/packaging"
)

// A copy that npx, uvx or the go command has made for one call is not what clients start.
func TestTransientCopies(t *testing.T) {
	const inNpx = ".npm/_npx/bcdb1bbe6439ec88/node_modules/"
	names := packaging.Names{Commands: []packaging.Command{{Name: "wsh", NPM: "wsh-npm", PyPI: "wsh-py"}, {Name: "ui-mcp", NPM: "ui-mcp", PyPI: "ui-mcp"}}}
	for name, tt := range map[string]struct {
		program, file string // of the process
		path          string // that is in PATH first
		link          string // to the file
		published     start  // "" stands for the home
		unpublished   start  // nil is an error
	}{
		"npx":           {"wsh", inNpx + "wsh-npm-linux-x64/bin/wsh", inNpx + ".bin", "", start{"npx", "-y", "wsh-npm"}, nil},
		"npx, apps":     {"ui-mcp", inNpx + "ui-mcp-linux-x64/bin/ui-mcp", inNpx + ".bin", "", start{"npx", "-y", "ui-mcp"}, nil},
		"uvx":           {"wsh", ".cache/uv/archive-v0/q1ckFSW_QDLKhpPf/bin/wsh", ".cache/uv/archive-v0/q1ckFSW_QDLKhpPf/bin", "", start{"uvx", "--from", "wsh-py", "wsh"}, nil},
		"uvx, apps":     {"ui-mcp", ".cache/uv/archive-v0/q1ckFSW_QDLKhpPf/bin/ui-mcp", "bin", "", start{"uvx", "ui-mcp"}, nil},
		"go run":        {"wsh", "tmp/go-build867519475/b001/exe/wsh", "bin", "", nil, nil},
		"npm":           {"wsh", ".npm-global/lib/node_modules/wsh-npm/node_modules/wsh-npm-linux-x64/bin/wsh", ".npm-global/bin", "", start{"/.npm-global/lib/node_modules/wsh-npm/node_modules/wsh-npm-linux-x64/bin/wsh"}, start{"/.npm-global/lib/node_modules/wsh-npm/node_modules/wsh-npm-linux-x64/bin/wsh"}},
		"uv":            {"wsh", ".local/share/uv/tools/wsh-py/bin/wsh", ".local/bin", ".local/bin/wsh", start{"/.local/bin/wsh"}, start{"/.local/bin/wsh"}},
		"linked by uv":  {"wsh", ".cache/uv/archive-v0/q1ckFSW_QDLKhpPf/bin/wsh", ".local/bin", ".local/bin/wsh", start{"/.local/bin/wsh"}, start{"/.local/bin/wsh"}},
		"a build of it": {"wsh", "src/go-builder/bin/wsh", "bin", "", start{"/src/go-builder/bin/wsh"}, start{"/src/go-builder/bin/wsh"}},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t)
			u.write(tt.file, "#!/bin/sh\n")
			if strings.HasPrefix(tt.file, inNpx) { // npm makes links to the scripts that start the programs
				u.write(inNpx+"scripts/"+tt.program+".js", "#!/usr/bin/env node\n")
				u.write(inNpx+".bin/other", "")
				tt.link = inNpx + ".bin/" + tt.program
				if err := os.Symlink("../scripts/"+tt.program+".js", u.path(tt.link)); err != nil {
					t.Fatal(err)
				}
			} else if tt.link != "" {
				u.write(tt.path+"/other", "")
				if err := os.Symlink(u.path(tt.file), u.path(tt.link)); err != nil {
					t.Fatal(err)
				}
			}
			vars := environ.Variables{"PATH=" + u.path(tt.path) + ":/bin"}
			for published, want := range map[bool]start{true: tt.published, false: tt.unpublished} {
				names.Published = published
				got, err := self(vars, u.path(tt.file), names, tt.program)
				for i := range got {
					got[i] = strings.TrimPrefix(got[i], u.home)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("published: %t (-want +got):\n%s", published, diff)
				}
				if want == nil && (fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), "Copy it to a folder that stays")) || want != nil && err != nil {
					t.Errorf("published: %t: %v", published, err)
				}
			}
		})
	}
	for path, want := range map[string]string{
		`C:\Users\Ada\AppData\Local\npm-cache\_npx\bcdb1bbe6439ec88\node_modules\wsh-mcp-win32-x64\bin\wsh.exe`: "npx",
		`C:\Users\Ada\AppData\Local\uv\cache\archive-v0\q1ckFSW\Scripts\wsh.exe`:                                "uvx",
		`C:\Users\Ada\AppData\Local\Temp\go-build1\b001\exe\wsh.exe`:                                            "go run",
		`C:\Program Files\wsh\wsh.exe`:      "",
		"/srv/archive-v2/wsh/wsh":           "",
		"/home/ada/_npx/node_modules/x/wsh": "",
	} {
		if got := transientBy(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

var npx = start{"npx", "-y", "wsh-npm"}

// Settings have what starts the program again, and lose it as they lose a path.
func TestRunner(t *testing.T) {
	u := newUser(t)
	u.runner = npx
	for name, tt := range map[string]struct{ id, file, before, after string }{
		"two members": {"cursor", ".cursor/mcp.json", "{}", "{\n  \"mcpServers\": {\n    \"wsh\": {\n      \"command\": \"npx\",\n      \"args\": [\"-y\", \"wsh-npm\", \"mcp\"]\n    }\n  }\n}"},
		"one list":    {"opencode", ".config/opencode/opencode.json", "{}", "{\n  \"mcp\": {\n    \"wsh\": {\n      \"type\": \"local\",\n      \"command\": [\"npx\", \"-y\", \"wsh-npm\", \"mcp\"],\n      \"enabled\": true\n    }\n  }\n}"},
		"TOML":        {"codex", ".codex/config.toml", "a = 1\n", "a = 1\n\n[mcp_servers.wsh]\ncommand = \"npx\"\nargs = [\"-y\", \"wsh-npm\", \"mcp\"]\n"},
	} {
		u.write(tt.file, tt.before)
		r := &run{Flags: Flags{Yes: true}}
		if u.must(r, tt.id); !strings.Contains(r.out.String(), "this copy of wsh does not stay, so clients start it with npx -y wsh-npm\n") {
			t.Errorf("%s: printed:\n%s", name, r.out.String())
		}
		if diff := cmp.Diff(tt.after, u.read(tt.file)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if u.must(r, tt.id); !strings.Contains(r.out.String(), "it starts npx -y wsh-npm already") {
			t.Errorf("%s again: printed:\n%s", name, r.out.String())
		}
		r.Remove = true
		u.must(r, tt.id)
		if left, _ := os.ReadFile(u.path(tt.file)); string(left) != strings.TrimPrefix(tt.before, "{}") { // which goes
			t.Errorf("%s: left: %q", name, left)
		}
	}
}

// What an entry starts stays while it can be started; else it changes, with the person's arguments.
func TestRunnerAndPaths(t *testing.T) {
	entry := func(rest string) string { return `{"mcpServers": {"wsh": {` + rest + `}}}` }
	const uv = "/gone/.cache/uv/archive-v0/q1ckFSW_QDLKhpPf/bin/wsh"
	for name, tt := range map[string]struct {
		start         start // nil is the path of the program
		before, after string
		prints        string
	}{
		"a program":    {npx, `"command": "HOME/bin/wsh", "args": ["mcp"]`, `"command": "HOME/bin/wsh", "args": ["mcp"]`, "it starts HOME/bin/wsh already"},
		"in PATH":      {npx, `"command": "wsh", "args": ["mcp"]`, `"command": "wsh", "args": ["mcp"]`, "it starts wsh already"},
		"a version":    {npx, `"command": "HOME/bin/npx", "args": ["--yes", "wsh-npm@1.2.3", "mcp"]`, `"command": "HOME/bin/npx", "args": ["--yes", "wsh-npm@1.2.3", "mcp"]`, "it starts HOME/bin/npx --yes wsh-npm@1.2.3 already"},
		"gone":         {npx, `"command": "` + uv + `", "args": ["mcp", "--confirm", "x"]`, `"command": "npx", "args": ["-y", "wsh-npm", "mcp", "--confirm", "x"]`, "it starts " + uv + " now"},
		"no runner":    {npx, `"command": "uvx", "args": ["--from", "wsh-py", "wsh", "mcp"]`, `"command": "npx", "args": ["-y", "wsh-npm", "mcp"]`, "it starts uvx --from wsh-py wsh now"},
		"of uv":        {start{"uvx", "--from", "wsh-py", "wsh"}, `"command": "` + uv + `", "args": ["mcp"]`, `"command": "uvx", "args": ["--from", "wsh-py", "wsh", "mcp"]`, "updated"},
		"on Windows":   {nil, `"command": "cmd", "args": ["/c", "npx", "-y", "wsh-npm", "mcp", "--x"]`, `"command": "PROGRAM", "args": ["mcp", "--x"]`, "it starts cmd /c npx -y wsh-npm now"},
		"installed":    {nil, `"command": "npx", "args": ["-y", "wsh-npm", "mcp"]`, `"command": "PROGRAM", "args": ["mcp"]`, "it starts npx -y wsh-npm now"},
		"other tool":   {nil, `"command": "npx", "args": ["-y", "another"]`, "", `it has another "wsh"`},
		"other script": {nil, `"command": "uvx", "args": ["--from", "wsh-py", "another"]`, "", `it has another "wsh"`},
		"other source": {nil, `"command": "uvx", "args": ["--from", "another", "wsh"]`, "", `it has another "wsh"`},
		"no package":   {nil, `"command": "npx", "args": ["-y"]`, "", `it has another "wsh"`},
		"more":         {npx, `"command": "/gone/wsh", "args": ["mcp"], "env": {"A": "b"}`, "", `it starts /gone/wsh now, and has "env", which would go`},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t)
			u.runner = tt.start
			u.write("bin/npx", "")
			u.write("bin/wsh", "")
			in := strings.NewReplacer("HOME", u.home, "PROGRAM", u.program)
			before := entry(in.Replace(tt.before))
			u.write(".cursor/mcp.json", before)
			r := &run{Flags: Flags{Yes: true}}
			if tt.after == "" {
				tt.after = tt.before
				u.fails(tt.prints, r, "cursor")
			} else if u.must(r, "cursor"); !strings.Contains(r.out.String(), in.Replace(tt.prints)) {
				t.Errorf("printed:\n%s", r.out.String())
			}
			layout := regexp.MustCompile(`(,?)\n *`) // of a table that was written again
			got := strings.ReplaceAll(layout.ReplaceAllString(u.read(".cursor/mcp.json"), "$1"), `,"`, `, "`)
			if diff := cmp.Diff(entry(in.Replace(tt.after)), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Windows has npx as a script, which only its shell starts; settings of a project are for others,
// too.
func TestRunnerOnWindows(t *testing.T) {
	u := newUser(t)
	for project, want := range map[bool]string{false: `"command": "cmd",` + "\n      " + `"args": ["/c", "npx", "-y", "wsh-npm", "mcp"]`, true: `"command": "npx",` + "\n      " + `"args": ["-y", "wsh-npm", "mcp"]`} {
		var r run
		r.Flags = Flags{Print: true, Project: project}
		s := u.setup(&r, "cursor")
		s.start, s.machine = npx, clients.Machine{System: "windows", Vars: u.vars}
		if err := s.run(t.Context()); err != nil || !strings.Contains(r.out.String(), want) {
			t.Errorf("project: %t: %v, no %s:\n%s", project, err, want, r.out.String())
		}
	}
}
