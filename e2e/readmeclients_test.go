//go:build unix

package e2e

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	uimcp "ui-mcp"
	"ui-mcp/internal/testkit"
)

// clients are those for which README.md says how to add a server.
var clients = map[string][]string{
	"## Adding it to your agent": {"Claude Code", "VS Code", "Cursor", "Codex"},
	"## Terminals":               {"Claude Code", "Claude Desktop", "VS Code", "Cursor", "Codex"},
}

// setups returns the settings for each client in a section of README.md.
func setups(t *testing.T, heading string) map[string]string {
	t.Helper()
	_, text, found := strings.Cut(uimcp.Readme, "\n"+heading+"\n")
	if !found {
		t.Fatalf("README.md has no section %q", heading)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	texts := map[string]string{}
	starts := regexp.MustCompile(`(?m)^\*\*([^*]+)\*\*`).FindAllStringSubmatchIndex(text, -1)
	for i, at := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		texts[text[at[2]:at[3]]] = text[at[0]:end]
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(clients[heading])), slices.Sorted(maps.Keys(texts))); diff != "" {
		t.Fatalf("clients in %q (-want +README.md)\n%s", heading, diff)
	}
	return texts
}

// serverCommands returns the command lines with which a client would start the server, from what
// README.md says to enter into its settings or a shell.
func serverCommands(t *testing.T, text string) (commands [][]string) {
	t.Helper()
	type server struct {
		Type, Command string
		Args          []string
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
	fenced := regexp.MustCompile("(?s)```json\n(.*?)```")
	for _, m := range fenced.FindAllStringSubmatch(text, -1) {
		var settings struct{ Servers, MCPServers map[string]server }
		strict(m[1], &settings)
		for _, s := range settings.Servers {
			add(s)
		}
		for _, s := range settings.MCPServers {
			add(s)
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
			t.Errorf("README.md has a command that this test does not know: %s", m[1])
		}
	}
	return commands
}

// With the settings in README.md, each client gets the tools. README.md also says what to say
// first.
func TestReadmeClients(t *testing.T) {
	t.Parallel()
	tools := map[string]string{"## Adding it to your agent": "ui_run", "## Terminals": "wsh_run_command"}
	for heading, tool := range tools {
		t.Run(strings.TrimPrefix(heading, "## "), func(t *testing.T) {
			var ways []string
			for client, text := range setups(t, heading) {
				if heading == "## Terminals" && !regexp.MustCompile(`Then say[^:]*: "[A-Z][^"]+\."`).MatchString(text) {
					t.Errorf("%s: README.md does not say what to say first", client)
				}
				commands := serverCommands(t, text)
				if len(commands) == 0 {
					t.Errorf("%s: no command starts the server", client)
				}
				for _, command := range commands {
					ways = append(ways, strings.Join(command, "\n"))
				}
			}
			slices.Sort(ways)
			for _, way := range slices.Compact(ways) {
				// Each stands for a directory of the person's.
				dir := t.TempDir()
				way = strings.NewReplacer("${workspaceFolder}", dir, "/home/you/project", dir, "/home/you/go/bin/", "").Replace(way)
				command := strings.Split(way, "\n")
				cmd := exec.Command(command[0], command[1:]...)
				cmd.Dir = dir
				runtime := shortDir(t)
				cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+runtime, "HOME="+dir)
				t.Cleanup(func() { stopServerOf(t, runtime) })
				list, err := testkit.Connect(t, cmd).ListTools(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.ContainsFunc(list.Tools, func(offered *mcp.Tool) bool { return offered.Name == tool }) {
					t.Errorf("%q offers no %s", command, tool)
				}
			}
		})
	}
}
