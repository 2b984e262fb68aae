// Package clients knows the programs that start servers of MCP for an agent: how to tell that one
// is installed, where it keeps its settings on each system, and how it writes down a server.
//
// It looks at files, and changes none.
package clients

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/settings"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
)

// A Machine is what the places of files depend on.
type Machine struct {
	System string // as runtime.GOOS
	Vars   environ.Variables
}

// This returns the machine that the program runs on.
func This(vars environ.Variables) Machine { return Machine{runtime.GOOS, vars} }

// A Directory says in which directory a client starts a server.
type Directory int

const (
	// InProject is the directory of the project that the person works on.
	InProject Directory = iota
	// ByVariable is any; the client replaces [Workspace] in arguments by the project's workspace.
	ByVariable
	// Anywhere is one that has nothing to do with a project, or that is unknown.
	Anywhere
)

// Workspace stands for the project's directory in arguments, for clients that know it.
const Workspace = "${workspaceFolder}"

// MaxSettings bounds the settings of a client, in bytes.
const MaxSettings = 16 << 20

// A Client is a program that starts servers.
type Client struct {
	ID       string // as on our command lines, such as "claude-code"
	Name     string
	Program  string // in PATH, or ""
	Format   settings.Format
	Table    string   // of the servers, in its settings
	Hooks    []string // if these are settings of hooks, the events of ours
	HookArgs []string // of our hooks, behind "hook"
	Starts   Directory
	Passes   string // the member of an entry with variables that servers get, if they do not get all
	Reload   string // what the person does after a change, as a sentence

	user    [3][]string // templates of its settings on Linux, macOS and Windows; the last one is made
	move    [2]string   // a variable with a folder, and the file in it; or none
	project []string    // of a project, relative to its directory; none if it has no such settings
	entry   func(command string, args []string) settings.Entry
}

// systems are the systems in the order in which a client lists its files.
var systems = []string{"linux", "darwin", "windows"}

// everywhere is for settings that are in the same place on each system.
func everywhere(templates ...string) [3][]string { return [3][]string{templates, templates, templates} }

// inConfig is for settings in the system's folder for settings.
func inConfig(path string) [3][]string {
	return [3][]string{{"$XDG_CONFIG_HOME/" + path}, {"~/Library/Application Support/" + path}, {"%APPDATA%/" + path}}
}

// plain is how most clients write a server.
func plain(command string, args []string) settings.Entry {
	return settings.Entry{{Key: "command", Value: command}, {Key: "args", Value: args}}
}

// typed is plain with the type of the transport.
func typed(command string, args []string) settings.Entry {
	return append(settings.Entry{{Key: "type", Value: "stdio"}}, plain(command, args)...)
}

// oneList has the program and its arguments in one list.
func oneList(command string, args []string) settings.Entry {
	return settings.Entry{{Key: "type", Value: "local"}, {Key: "command", Value: append([]string{command}, args...)}, {Key: "enabled", Value: true}}
}

// claudeDesktop is the file of Claude Desktop. The app that Windows packages has a folder of its
// own, which is the one that it reads.
func claudeDesktop() [3][]string {
	files := inConfig("Claude/claude_desktop_config.json")
	files[2] = append([]string{"%LOCALAPPDATA%/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json"}, files[2]...)
	return files
}

// hook is how clients write a command that answers permission prompts. Without it, a failure would
// have the status that means a refusal.
func hook(command string, args []string) settings.Entry {
	words := []string{commandline.Word(command)}
	for _, a := range args {
		words = append(words, commandline.Word(a))
	}
	line := fault.Must(json.Marshal(strings.Join(words, " ") + HookEnd)) // a text
	return settings.Entry{{Value: settings.Raw(fmt.Sprintf(`[{"hooks": [{"type": "command", "command": %s, "timeout": 86400}]}]`, line))}}
}

// HookEnd is the end of a hook's command.
const HookEnd = " || exit 1"

// A hooked is what a client has of hooks: events, and the file below the folder of its settings.
type hooked struct {
	events       []string
	folder, file string
	args         []string // of ours, behind "hook"
	reload       string
}

// Permission is the event of a permission prompt, for which a client takes one answer: other hooks
// for it stay alone.
const Permission = "PermissionRequest"

// hooks are the clients that have hooks for us. Codex runs them in a daemon that all its
// conversations share, so they cannot tell in which session an agent works.
var hooks = map[string]hooked{
	"claude-code": {[]string{Permission, "UserPromptSubmit", "Stop"}, ".claude", "settings.json", nil, "Sessions that you start from now on have it."},
	"codex":       {[]string{Permission}, ".codex", "hooks.json", []string{"--client", "Codex"}, "Codex asks at its next start whether you trust it."},
	"gemini":      {[]string{"Notification", "BeforeAgent", "AfterAgent"}, ".gemini", "settings.json", []string{"--client", "Gemini"}, "Sessions that you start from now on have it."},
}

// WithHooks returns the client with the settings of its hooks; ok is false if it has no hooks that
// we use.
func (c Client) WithHooks() (Client, bool) {
	h, has := hooks[c.ID]
	if !has {
		return Client{}, false
	}
	c.Name, c.Format, c.Table, c.Hooks, c.HookArgs, c.Reload, c.entry, c.Passes = c.Name+"'s hooks", settings.JSON, "hooks", h.events, h.args, h.reload, hook, ""
	c.user, c.move[1], c.project = everywhere("~/"+h.folder+"/"+h.file), h.file, []string{h.folder + "/" + h.file}
	return c, true
}

const restart = "Restart it."

// all are the clients that are known, in the order in which they are listed.
var all = []Client{
	{
		ID: "claude-code", Name: "Claude Code", Program: "claude", Format: settings.JSON, Table: "mcpServers", Starts: InProject, Reload: "Sessions that you start from now on have it.",
		user: everywhere("~/.claude.json"), move: [2]string{"CLAUDE_CONFIG_DIR", ".claude.json"}, project: []string{".mcp.json"}, entry: typed,
	},
	{
		ID: "claude-desktop", Name: "Claude Desktop", Format: settings.JSON, Table: "mcpServers", Starts: Anywhere, Reload: restart,
		user: claudeDesktop(), entry: plain,
	},
	{
		ID: "vscode", Name: "VS Code", Program: "code", Format: settings.JSON, Table: "servers", Starts: ByVariable, Reload: "Start it from the command \"MCP: List Servers\".",
		user: inConfig("Code/User/mcp.json"), project: []string{".vscode/mcp.json"}, entry: typed,
	},
	{
		ID: "vscode-insiders", Name: "VS Code Insiders", Program: "code-insiders", Format: settings.JSON, Table: "servers", Starts: ByVariable, Reload: "Start it from the command \"MCP: List Servers\".",
		user: inConfig("Code - Insiders/User/mcp.json"), project: []string{".vscode/mcp.json"}, entry: typed,
	},
	{
		ID: "cursor", Name: "Cursor", Program: "cursor", Format: settings.JSON, Table: "mcpServers", Starts: ByVariable, Reload: "Turn it on in its settings, below MCP.",
		user: everywhere("~/.cursor/mcp.json"), project: []string{".cursor/mcp.json"}, entry: plain,
	},
	{
		ID: "codex", Name: "Codex", Program: "codex", Format: settings.TOML, Table: "mcp_servers", Starts: InProject, Reload: "Sessions that you start from now on have it.",
		user: everywhere("~/.codex/config.toml"), move: [2]string{"CODEX_HOME", "config.toml"}, project: []string{".codex/config.toml"}, entry: plain, Passes: "env_vars",
	},
	{
		ID: "zed", Name: "Zed", Program: "zed", Format: settings.JSON, Table: "context_servers", Starts: Anywhere, Reload: "It starts it at once.",
		user:  [3][]string{{"$XDG_CONFIG_HOME/zed/settings.json"}, {"~/.config/zed/settings.json"}, {"%APPDATA%/Zed/settings.json"}},
		entry: plain,
	},
	{
		ID: "gemini", Name: "Gemini CLI", Program: "gemini", Format: settings.JSON, Table: "mcpServers", Starts: InProject, Reload: "Sessions that you start from now on have it, in folders that you trust.",
		user: everywhere("~/.gemini/settings.json"), project: []string{".gemini/settings.json"}, entry: plain,
	},
	{
		ID: "windsurf", Name: "Windsurf", Program: "windsurf", Format: settings.JSON, Table: "mcpServers", Starts: Anywhere, Reload: "Refresh the list of MCP servers in its settings.",
		user: everywhere("~/.codeium/windsurf/mcp_config.json"), entry: plain,
	},
	{
		ID: "opencode", Name: "opencode", Program: "opencode", Format: settings.JSON, Table: "mcp", Starts: InProject, Reload: "Sessions that you start from now on have it.",
		user: everywhere("$XDG_CONFIG_HOME/opencode/opencode.jsonc", "$XDG_CONFIG_HOME/opencode/opencode.json"), project: []string{"opencode.jsonc", "opencode.json"}, entry: oneList,
	},
}

// All returns the clients that are known, in the order in which they are listed. The caller owns
// the slice.
func All() []Client { return slices.Clone(all) }

// Entry returns what the client's settings on the machine say about a server. Servers find each
// other, and the client's hooks find them, in the folder of [runtimeVar].
func (m Machine) Entry(c Client, command string, args []string) settings.Entry {
	e := c.entry(command, args)
	if c.Passes != "" && m.Vars.Get(runtimeVar) != "" {
		e = append(e, settings.Field{Key: c.Passes, Value: []string{runtimeVar}})
	}
	return e
}

const runtimeVar = "XDG_RUNTIME_DIR"

// BaseDir returns how the client's settings name a directory of a project, which is relative to it,
// or absolute: where the client starts servers elsewhere, or where the person has chosen one.
func (c Client) BaseDir(dir, project string, chosen bool) string {
	switch {
	case filepath.IsAbs(dir):
		return dir
	case chosen || c.Starts == Anywhere:
		return filepath.Join(project, dir)
	case c.Starts == ByVariable:
		return Workspace + "/" + filepath.ToSlash(dir)
	}
	return filepath.ToSlash(dir)
}

// HasProjects reports whether a project can have settings of the client.
func (c Client) HasProjects() bool { return len(c.project) > 0 }

// ProjectFile returns the settings of the project in a directory: the file that exists, or else the
// one that would be made.
func (c Client) ProjectFile(dir string) string {
	var file string
	for _, path := range c.project {
		file = filepath.Join(dir, filepath.FromSlash(path))
		if exists(file) {
			break
		}
	}
	return file
}

// UserFile returns the user's settings: the file that exists, or else the one whose folder exists,
// or else the one that would be made.
func (m Machine) UserFile(c Client) (string, error) {
	if dir := m.Vars.Get(c.move[0]); c.move[0] != "" && dir != "" {
		return filepath.Join(dir, c.move[1]), nil
	}
	var files []string
	for _, t := range c.user[max(0, slices.Index(systems, m.System))] {
		file, err := m.expand(t)
		if err != nil {
			return "", err
		}
		if folder := filepath.Dir(file); strings.Contains(folder, "*") {
			found, _ := filepath.Glob(folder) // the pattern is valid
			if len(found) == 0 {
				continue
			}
			file = filepath.Join(found[0], filepath.Base(file))
		}
		files = append(files, file)
	}
	for _, file := range files {
		if exists(file) {
			return file, nil
		}
	}
	if len(files) > 1 && filepath.Dir(files[0]) != filepath.Dir(files[len(files)-1]) {
		return files[0], nil // its folder was found
	}
	return files[len(files)-1], nil
}

// expand returns the path that a template means on the machine.
func (m Machine) expand(template string) (string, error) {
	base, rest, _ := strings.Cut(template, "/")
	var dir string
	var err error
	switch base {
	case "$XDG_CONFIG_HOME":
		if dir = m.Vars.Get("XDG_CONFIG_HOME"); !filepath.IsAbs(dir) {
			dir, err = m.home(".config")
		}
	case "%APPDATA%":
		if dir = m.Vars.Get("APPDATA"); dir == "" {
			dir, err = m.home("AppData/Roaming")
		}
	case "%LOCALAPPDATA%":
		if dir = m.Vars.Get("LOCALAPPDATA"); dir == "" {
			dir, err = m.home("AppData/Local")
		}
	default: // ~
		dir, err = m.home("")
	}
	return filepath.Join(dir, filepath.FromSlash(rest)), err
}

func (m Machine) home(path string) (string, error) {
	home, err := m.Vars.Home()
	return filepath.Join(home, filepath.FromSlash(path)), err
}

// IsInstalled reports whether a client is installed: its program is in PATH, or it has left its
// settings, or their folder, where that folder is its own.
func (m Machine) IsInstalled(c Client) bool {
	if c.Program != "" && Find(m.Vars, c.Program) != "" {
		return true
	}
	file, err := m.UserFile(c)
	if err != nil {
		return false
	}
	if exists(file) {
		return true
	}
	folder := filepath.Dir(file)
	home, homeErr := m.Vars.Home()
	info, err := os.Stat(folder)
	return err == nil && info.IsDir() && homeErr == nil && folder != filepath.Clean(home)
}

// exists reports whether there may be a file. Below a file, such as /dev/null in place of a home,
// there is none.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
}

// Find returns the path of a program in PATH, or "".
func Find(vars environ.Variables, name string) string {
	endings := []string{""}
	if runtime.GOOS == "windows" {
		endings = []string{".exe", ".cmd", ".bat"}
	}
	for _, dir := range filepath.SplitList(vars.Get("PATH")) {
		for _, ending := range endings {
			if path := filepath.Join(dir, name+ending); filepath.IsAbs(dir) && IsProgram(path) {
				return path
			}
		}
	}
	return ""
}

// IsProgram reports whether a file can be started.
func IsProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}

// IsSameFile reports whether two paths lead to one file.
func IsSameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	two, err := os.Stat(b)
	return err == nil && os.SameFile(one, two)
}
