package main

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"ui-mcp/bundle"
	"ui-mcp/packaging"
	"ui-mcp/skills"
)

const (
	apps = "ui-mcp" // the command with apps, which has a base directory
	base = ".claude/ui"

	pluginName = "ui-mcp"
)

// A person is who answers for what is made.
type person struct {
	Name  string `json:"name"`
	Email string `json:"email,omitempty"`
}

func (r *release) maintainer() person { return person{r.names.Maintainer, r.names.Email} }

// A server is how most clients write one.
type server struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// started returns how a client starts a command in a project, whose base directory has a name.
// Until the packages are published, the command has to be in PATH.
func (r *release) started(c packaging.Command, base string) server {
	s := server{Command: c.Name, Args: []string{"mcp"}}
	if r.names.Published {
		s = server{Command: "npx", Args: []string{"-y", c.NPM, "mcp"}}
	}
	if c.Name == apps {
		s.Args = append(s.Args, "--dir", base)
	}
	return s
}

const pluginSummary = "Live apps, questions and terminals that you and Claude share"

// plugin makes a folder that is a marketplace with one plugin for Claude Code: both servers, all
// skills, the agent that builds apps, the listener to apps in the background, and the hooks that
// display permission prompts on pages and tell what the agent does. They fail with another status
// than the one that refuses.
func (r *release) plugin() error {
	const root = "claude-plugin/"
	const plugin = root + pluginName + "/"
	servers := map[string]server{}
	for _, c := range r.names.Servers() {
		servers[c.Name] = r.started(c, base)
	}
	hook := []any{map[string]any{"hooks": []any{map[string]any{"type": "command", "command": r.command() + " hook || exit 1", "timeout": 86400}}}}
	about := map[string]any{
		"name": pluginName, "version": r.version.String(), "description": pluginSummary + ".", "author": r.maintainer(),
		"license": "MIT", "keywords": []string{"mcp", "terminal", "ui", "apps"},
	}
	if r.names.Repository != "" {
		about["repository"] = r.names.Repository
	}
	files := map[string]any{
		root + ".claude-plugin/marketplace.json": map[string]any{
			"name": pluginName, "description": pluginSummary + ".", "owner": r.maintainer(),
			"plugins": []any{map[string]string{"name": pluginName, "source": "./" + pluginName, "description": pluginSummary + ".", "version": r.version.String()}},
		},
		plugin + ".claude-plugin/plugin.json": about,
		plugin + ".mcp.json":                  map[string]any{"mcpServers": servers},
		// Commands that run in the background of a session, and tell the agent each line.
		plugin + "monitors/monitors.json": []any{map[string]string{
			"name": "app-events", "command": r.listen(), "description": "what the person does in apps", "when": "on-skill-invoke:" + pluginName + ":ui",
		}},
		plugin + "hooks/hooks.json": map[string]any{"hooks": map[string]any{"PermissionRequest": hook, "UserPromptSubmit": hook, "Stop": hook}},
	}
	for name, content := range files {
		if err := r.writeJSON(name, content); err != nil {
			return err
		}
	}
	for _, d := range skills.Wsh() {
		if err := r.write(plugin+"skills/"+d.Name+"/SKILL.md", []byte(d.Text)); err != nil {
			return err
		}
	}
	const project = "project/.claude"
	return fs.WalkDir(bundle.Files, project, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(bundle.Files, name)
		if err != nil {
			return err
		}
		name = strings.TrimPrefix(name, project+"/")
		if name == "skills/ui/SKILL.md" {
			text := strings.Replace(string(data), foreground, background, 1)
			if text == string(data) {
				return fmt.Errorf("%s does not say how to listen as expected", name)
			}
			data = []byte(text)
		}
		return r.write(path.Join(plugin, name), data)
	})
}

// listen returns the command of the monitor. It ends only with the session: servers come and go.
func (r *release) listen() string {
	return "while :; do " + r.command() + ` event --dir "${CLAUDE_PROJECT_DIR}/` + base + `" 2>/dev/null; sleep 2; done`
}

// command returns how a shell starts ui-mcp.
func (r *release) command() string {
	if r.names.Published {
		return "npx -y " + r.names.Command(apps).NPM
	}
	return apps
}

// The skill says how to listen; in the plugin, the monitor does it.
const (
	foreground = "**Listen**: run this in the background"
	background = "**Listen**: if the background task `app-events` runs, it tells you each event, and you start\nnothing. If not, run this in the background"
)
