package doctor

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ui-mcp/internal/regular"
)

// A client is a program that starts servers of MCP.
type client struct {
	name    string
	program string   // in PATH, or ""
	files   []string // its settings: of the user first, then of the project in the working directory
	add     string   // a command that adds a server, in which NAME is its name and program; or ""
}

// knownClients returns the clients that the examination looks for.
func (e *examination) knownClients() []client {
	home, err := e.Vars.Home()
	if err != nil {
		return nil // it was reported
	}
	config, err := e.Vars.ConfigDir()
	if err != nil {
		return nil
	}
	xdg := func(path string) string { return filepath.Join(home, ".config", filepath.FromSlash(path)) }
	in := func(path string) string { return filepath.Join(home, filepath.FromSlash(path)) }
	return []client{
		{"Claude Code", "claude", []string{in(".claude.json"), ".mcp.json"}, "claude mcp add NAME -- NAME mcp"},
		{"Claude Desktop", "", []string{filepath.Join(config, "Claude", "claude_desktop_config.json")}, ""},
		{"VS Code", "code", []string{filepath.Join(config, "Code", "User", "mcp.json"), filepath.FromSlash(".vscode/mcp.json")}, `code --add-mcp '{"name":"NAME","command":"NAME","args":["mcp"]}'`},
		{"Cursor", "cursor", []string{in(".cursor/mcp.json"), filepath.FromSlash(".cursor/mcp.json")}, ""},
		{"Codex", "codex", []string{in(".codex/config.toml")}, "codex mcp add NAME -- NAME mcp"},
		{"Gemini CLI", "gemini", []string{in(".gemini/settings.json"), filepath.FromSlash(".gemini/settings.json")}, ""},
		{"opencode", "opencode", []string{xdg("opencode/opencode.json"), "opencode.json"}, ""},
		{"Zed", "zed", []string{xdg("zed/settings.json")}, ""},
		{"Windsurf", "windsurf", []string{in(".codeium/windsurf/mcp_config.json")}, ""},
	}
}

// maxSettings bounds the settings of a client that are read, in bytes.
const maxSettings = 16 << 20

// starts matches what settings, in JSON or TOML, have a client start: our commands, by their names
// or paths.
var starts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bcommand["']?\s*[:=]\s*\[?\s*["']((?:[^"'\n]*[/\\])?(ui-mcp|wsh)(?:\.exe)?)["']`)
})

// clients examines which clients are installed, and what they start.
func (e *examination) clients() {
	before := len(e.checks)
	for _, c := range e.knownClients() {
		text, err := regular.ReadFile(c.files[0], maxSettings)
		if (c.program == "" || e.find(c.program) == "") && errors.Is(err, fs.ErrNotExist) {
			continue // it is not installed
		}
		e.client(c, here(text), err)
	}
	if len(e.checks) == before {
		e.add(Note, "client", "Any client that starts programs can start \""+e.Name+" mcp\": README.md has settings for some.", "no known client of MCP is installed")
	}
}

// here leaves out what the user's settings say about other projects: Claude Code has all projects
// in one file, by their directories.
func here(text []byte) string {
	var settings, projects map[string]json.RawMessage
	if json.Unmarshal(text, &settings) != nil || json.Unmarshal(settings["projects"], &projects) != nil {
		return string(text)
	}
	delete(settings, "projects")
	dir, err := os.Getwd()
	for err == nil && dir != filepath.Dir(dir) {
		settings["projects "+dir] = projects[dir]
		dir = filepath.Dir(dir)
	}
	rest, err := json.Marshal(settings)
	if err != nil {
		return string(text)
	}
	return string(rest)
}

// client examines a client by the text of the user's settings.
func (e *examination) client(c client, text string, err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		e.add(Problem, c.name, "Make it readable.", "its settings cannot be read: %v", err)
		return
	}
	var names []string // of our commands that it can start
	wrong := false
	for i, file := range c.files {
		if i > 0 {
			project, _ := regular.ReadFile(file, maxSettings) // most projects have none
			text = string(project)
		}
		for _, m := range starts().FindAllStringSubmatch(text, -1) {
			command, name := strings.ReplaceAll(m[1], `\\`, `\`), m[2]
			switch {
			case !e.startable(command):
				e.add(Problem, c.name, "Give the path of the program in "+file+".", "starts %s, which is no program here", command)
				wrong = wrong || name == e.Name
			case !slices.Contains(names, name):
				names = append(names, name)
			}
		}
	}
	switch {
	case slices.Contains(names, e.Name):
		e.add(OK, c.name, "", "starts %s", strings.Join(names, " and "))
	case wrong: // that was reported
	case c.add != "":
		e.add(Note, c.name, "To add it: "+strings.ReplaceAll(c.add, "NAME", e.Name), "is installed, and does not start %s here", e.Name)
	default:
		e.add(Note, c.name, "README.md says what its settings need.", "is installed, and does not start %s here", e.Name)
	}
}

// startable reports whether a client can start a command.
func (e *examination) startable(command string) bool {
	if filepath.IsAbs(command) {
		return isProgram(command)
	}
	return strings.ContainsAny(command, `/\`) || e.find(strings.TrimSuffix(command, ".exe")) != "" // a relative path is relative to a directory that only the client knows
}
