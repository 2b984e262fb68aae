//go:build unix

package e2e

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/pelletier/go-toml/v2"

	uimcp "ui-mcp"
	"ui-mcp/internal/testkit"
)

// setups returns the settings for each client in README.md's folded block, where a client's name is
// bold.
func setups(t *testing.T) map[string]string {
	t.Helper()
	_, folded, found := strings.Cut(uimcp.Readme, "\n<details>\n")
	folded, _, closed := strings.Cut(folded, "\n</details>\n")
	if !found || !closed {
		t.Fatal("README.md has no folded block of clients")
	}
	texts := map[string]string{}
	starts := regexp.MustCompile(`(?m)^\*\*([^*]+)\*\*`).FindAllStringSubmatchIndex(folded, -1)
	for i, at := range starts {
		end := len(folded)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		texts[folded[at[2]:at[3]]] = folded[at[0]:end]
	}
	if diff := cmp.Diff([]string{"Claude Code", "Claude Desktop", "Codex", "VS Code"}, slices.Sorted(maps.Keys(texts))); diff != "" {
		t.Fatalf("clients (-want +README.md)\n%s", diff)
	}
	return texts
}

// serverCommands returns the command lines with which a client would start the servers, from what a
// document says to enter into its settings or a shell.
func serverCommands(t *testing.T, text string) (commands [][]string) {
	t.Helper()
	type server struct {
		Type, Command string
		Args          []string
		EnvVars       []string `toml:"env_vars"` // of Codex
	}
	add := func(s server) {
		if s.Type != "" && s.Type != "stdio" {
			t.Errorf("the type %q", s.Type)
		}
		commands = append(commands, append([]string{s.Command}, s.Args...))
	}
	strict := func(data string, v any) {
		t.Helper()
		d := json.NewDecoder(strings.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(v); err != nil {
			t.Errorf("%v: %s", err, data)
		}
	}
	fenced := regexp.MustCompile("(?s)```(json|toml)\n(.*?)```")
	for _, m := range fenced.FindAllStringSubmatch(text, -1) {
		var settings struct {
			Servers, MCPServers map[string]server
			Codex               map[string]server `toml:"mcp_servers"`
		}
		if m[1] == "toml" {
			if err := toml.NewDecoder(strings.NewReader(m[2])).DisallowUnknownFields().Decode(&settings); err != nil {
				t.Errorf("%v: %s", err, m[2])
			}
		} else {
			strict(m[2], &settings)
		}
		for _, table := range []map[string]server{settings.Servers, settings.MCPServers, settings.Codex} {
			for _, s := range table {
				add(s)
			}
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^    (\S.*)$`).FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		client, line, found := strings.Cut(m[1], " -- ")
		if settings, ok := strings.CutPrefix(m[1], "code --add-mcp '"); ok {
			var s struct {
				Name string
				server
			}
			strict(strings.TrimSuffix(settings, "'"), &s)
			add(s.server)
		} else if added := regexp.MustCompile(`^(claude|codex) mcp add (--scope user )?[a-z-]+$`); found && added.MatchString(client) {
			var words []string
			for _, word := range regexp.MustCompile(`'[^']*'|\S+`).FindAllString(line, -1) {
				words = append(words, strings.Trim(word, "'"))
			}
			commands = append(commands, words)
		} else {
			t.Errorf("the document has a command that this test does not know: %s", m[1])
		}
	}
	return commands
}

// With the settings in README.md, each client gets the tools of both servers.
func TestReadmeClients(t *testing.T) {
	t.Parallel()
	var ways []string
	for client, text := range setups(t) {
		servers := map[string]bool{}
		for _, command := range serverCommands(t, text) {
			ways = append(ways, strings.Join(command, "\n"))
			servers[filepath.Base(command[0])] = true
		}
		if diff := cmp.Diff(map[string]bool{"ui-mcp": true, "wsh": true}, servers); diff != "" {
			t.Errorf("%s: the servers (-want +document)\n%s", client, diff)
		}
	}
	slices.Sort(ways)
	tools := map[string]string{"ui-mcp": "ui_run", "wsh": "wsh_run_command"}
	for _, way := range slices.Compact(ways) {
		// Each stands for a directory of the person's.
		dir := t.TempDir()
		way = strings.NewReplacer("${workspaceFolder}", dir, "/home/you/project", dir, "/home/you/go/bin/", "").Replace(way)
		command := strings.Split(way, "\n")
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir = dir
		runtime := testkit.ShortDir(t)
		cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+runtime, "HOME="+dir)
		t.Cleanup(func() { stopServerOf(t, runtime) })
		list, err := testkit.Connect(t, cmd).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(list.Tools, func(offered *mcp.Tool) bool { return offered.Name == tools[command[0]] }) {
			t.Errorf("%q offers no %s", command, tools[command[0]])
		}
	}
}
