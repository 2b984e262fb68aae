package clients_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/cli/clients"
	"ui-mcp/internal/cli/settings"
	"ui-mcp/internal/environ"
)

// client returns one by its ID.
func client(t *testing.T, id string) clients.Client {
	t.Helper()
	all := clients.All()
	i := slices.IndexFunc(all, func(c clients.Client) bool { return c.ID == id })
	if i < 0 {
		t.Fatalf("there is no client %s", id)
	}
	return all[i]
}

func makeFile(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o700); err != nil {
		t.Fatal(err)
	}
}

// Where settings are, on each system and with each variable that moves them.
func TestUserFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths there have another form")
	}
	home := t.TempDir()
	makeFile(t, filepath.Join(home, "local/Packages/Claude_abc/LocalCache/Roaming/Claude/logs"))
	makeFile(t, filepath.Join(home, "xdg/opencode/opencode.jsonc"))
	for _, tt := range []struct {
		system, id string
		vars       []string
		want       string // below the home
	}{
		{"linux", "claude-code", nil, ".claude.json"},
		{"windows", "claude-code", nil, ".claude.json"},
		{"darwin", "claude-code", []string{"CLAUDE_CONFIG_DIR=HOME/cc"}, "cc/.claude.json"},
		{"linux", "claude-desktop", nil, ".config/Claude/claude_desktop_config.json"},
		{"darwin", "claude-desktop", nil, "Library/Application Support/Claude/claude_desktop_config.json"},
		{"windows", "claude-desktop", nil, "AppData/Roaming/Claude/claude_desktop_config.json"},
		{"windows", "claude-desktop", []string{"LOCALAPPDATA=HOME/local", "APPDATA=HOME/roaming"}, "local/Packages/Claude_abc/LocalCache/Roaming/Claude/claude_desktop_config.json"},
		{"linux", "vscode", []string{"XDG_CONFIG_HOME=HOME/xdg"}, "xdg/Code/User/mcp.json"},
		{"linux", "vscode", []string{"XDG_CONFIG_HOME=relative"}, ".config/Code/User/mcp.json"},
		{"darwin", "vscode-insiders", nil, "Library/Application Support/Code - Insiders/User/mcp.json"},
		{"windows", "vscode", []string{"APPDATA=HOME/roaming"}, "roaming/Code/User/mcp.json"},
		{"darwin", "cursor", nil, ".cursor/mcp.json"},
		{"windows", "codex", []string{"CODEX_HOME=HOME/c"}, "c/config.toml"},
		{"darwin", "zed", []string{"XDG_CONFIG_HOME=HOME/xdg"}, ".config/zed/settings.json"},
		{"windows", "zed", nil, "AppData/Roaming/Zed/settings.json"},
		{"linux", "gemini", nil, ".gemini/settings.json"},
		{"linux", "windsurf", nil, ".codeium/windsurf/mcp_config.json"},
		{"darwin", "opencode", nil, ".config/opencode/opencode.json"},
		{"darwin", "opencode", []string{"XDG_CONFIG_HOME=HOME/xdg"}, "xdg/opencode/opencode.jsonc"},
	} {
		m := clients.Machine{System: tt.system, Vars: environ.Variables{"HOME=" + home}}
		for _, v := range tt.vars {
			m.Vars = append(m.Vars, strings.ReplaceAll(v, "HOME/", home+"/"))
		}
		if got, err := m.UserFile(client(t, tt.id)); got != filepath.Join(home, tt.want) || err != nil {
			t.Errorf("%s on %s with %q: %s, %v; want %s", tt.id, tt.system, tt.vars, got, err, tt.want)
		}
	}
	for _, c := range clients.All() {
		if file, err := clients.This(nil).UserFile(c); err == nil {
			t.Errorf("%s without HOME: %s", c.ID, file)
		}
	}
}

// A client is found by its program, its settings, or their folder, unless that is the home.
func TestIsInstalled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the files are as on Linux")
	}
	for name, tt := range map[string]struct {
		file string
		want []string
	}{
		"nothing":  {"", nil},
		"program":  {"bin/claude", []string{"claude-code"}},
		"settings": {".claude.json", []string{"claude-code"}},
		"folder":   {".cursor/argv.json", []string{"cursor"}},
		"others":   {".claude/settings.json", nil},
		"file":     {".cursor", nil}, // where the folder would be
		"no home":  {".config", nil},
	} {
		home := t.TempDir()
		if tt.file != "" {
			makeFile(t, filepath.Join(home, tt.file))
		}
		var got []string
		for _, c := range clients.All() {
			if clients.This(environ.Variables{"HOME=" + home, "PATH=" + filepath.Join(home, "bin")}).IsInstalled(c) {
				got = append(got, c.ID)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The settings of a project are those that it has.
func TestProjectFile(t *testing.T) {
	dir := t.TempDir()
	c := client(t, "opencode")
	if got := c.ProjectFile(dir); got != filepath.Join(dir, "opencode.json") {
		t.Errorf("without any: %s", got)
	}
	makeFile(t, filepath.Join(dir, "opencode.jsonc"))
	if got := c.ProjectFile(dir); got != filepath.Join(dir, "opencode.jsonc") {
		t.Errorf("with one: %s", got)
	}
}

var update = flag.Bool("update", false, "write the clients in docs/clients.md")

// docs/clients.md says of each client where its settings are and what they need.
func TestDocument(t *testing.T) {
	const document = "../../../docs/clients.md"
	const start = "## Each client\n"
	old, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	written, _, _ := strings.Cut(string(old), start)
	var b strings.Builder
	b.WriteString(written + start)
	machine := clients.Machine{System: "linux", Vars: environ.Variables{"XDG_RUNTIME_DIR=/run/user/1000"}}
	for _, c := range clients.All() {
		fmt.Fprintf(&b, "\n### %s\n\n`--client %s`. Your settings are in:\n\n", c.Name, c.ID)
		files := map[string][]string{} // systems
		var order []string
		for _, s := range [][2]string{{"linux", "Linux"}, {"darwin", "macOS"}, {"windows", "Windows"}} {
			list := c.Locations(s[0])
			for i, file := range list {
				line := "`" + file + "`"
				if i < len(list)-1 {
					line = "if it exists, " + line
				}
				if files[line] == nil {
					order = append(order, line)
				}
				files[line] = append(files[line], s[1])
			}
		}
		for _, line := range order {
			text := fmt.Sprintf("- %s: %s\n", strings.Join(files[line], ", "), line)
			if len(text) > 100 { // documents wrap there
				text = strings.Replace(text, ", `", ",\n  `", 1)
			}
			b.WriteString(text)
		}
		if v := c.Moved(); v != "" {
			fmt.Fprintf(&b, "- in the folder `$%s`, if that is set\n", v)
		}
		if c.HasProjects() {
			fmt.Fprintf(&b, "- of a project: `%s`\n", strings.Join(c.ProjectFiles(), "` or `"))
		}
		text, err := settings.Add(c.Format, nil, [2]string{c.Table, "wsh"}, machine.Entry(c, "/home/you/go/bin/wsh", []string{"mcp"}))
		if err != nil {
			t.Fatal(err)
		}
		text, err = settings.Add(c.Format, text, [2]string{c.Table, "ui-mcp"}, machine.Entry(c, "/home/you/go/bin/ui-mcp", []string{"mcp", "--dir", c.BaseDir(".claude/ui", "/home/you/project", false)}))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "\n```%s\n%s```\n\nThen: %s\n", strings.ToLower(string(c.Format)), text, c.Reload)
	}
	if *update {
		if err := os.WriteFile(document, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(b.String(), string(old)); diff != "" {
		t.Errorf("docs/clients.md is out of date; run this test with -update (-want +got):\n%s", diff)
	}
}
