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

	"ui-mcp/internal/cli/clients"
	"ui-mcp/internal/cli/settings"
	"ui-mcp/internal/regular"
	"ui-mcp/packaging"
)

// maxSettings bounds the settings of a client that are read, in bytes.
const maxSettings = 16 << 20

// starts matches what settings, in JSON or TOML, have a client start: our commands, by their names
// or paths, or what starts them from their packages.
var starts = sync.OnceValue(func() *regexp.Regexp {
	const text = `(?:[^"'\n]*[/\\])?`
	packages := ""
	for name := range packaged() {
		packages += "|" + regexp.QuoteMeta(name)
	}
	return regexp.MustCompile(`\bcommand["']?\s*[:=]\s*\[?\s*["'](?:(` + text + `(ui-mcp|wsh)(?:\.exe)?)["']` +
		`|(` + text + `(?:npx|uvx|cmd)(?:\.exe|\.cmd)?)["']\s*,?\s*(?:["']?args["']?\s*[:=]\s*\[)?[^\[\]]*?["'](` + packages[1:] + `)(?:(?:@|==)[^"']*)?["'])`)
})

// packaged has the commands by the names of their packages for npm and Python.
var packaged = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for _, c := range packaging.Load().Commands {
		names[c.NPM], names[c.PyPI] = c.Name, c.Name
	}
	return names
})

func (e *examination) clients() {
	machine := clients.This(e.Vars)
	before := len(e.checks)
	for _, c := range clients.All() {
		if machine.IsInstalled(c) {
			e.client(machine, c)
		}
	}
	if len(e.checks) == before {
		e.add(Note, "client", "Any client that starts programs can start \""+e.Name+" mcp\": \""+e.Name+" setup --print --client cursor\" says how one does.", "no known client of MCP is installed")
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

// client examines a client by the user's settings and the settings of the project in this
// directory.
func (e *examination) client(machine clients.Machine, c clients.Client) {
	var files []string
	if file, err := machine.UserFile(c); err == nil { // that there is no home was reported
		files = append(files, file)
	}
	if c.HasProjects() {
		files = append(files, c.ProjectFile("."))
	}
	var names []string // of our commands that it can start
	wrong := false
	for i, file := range files {
		text, err := regular.ReadFile(file, maxSettings)
		if i == 0 && err != nil && !errors.Is(err, fs.ErrNotExist) { // most projects have none
			e.add(Problem, c.Name, "Make it readable.", "its settings cannot be read: %v", err)
			return
		}
		text = settings.Plain(c.Format, text)
		content := string(text)
		if i == 0 {
			content = here(text)
		}
		for _, m := range starts().FindAllStringSubmatch(content, -1) {
			command, name := strings.ReplaceAll(m[1]+m[3], `\\`, `\`), m[2]+packaged()[m[4]]
			switch {
			case !e.startable(command):
				e.add(Problem, c.Name, "Give the path of the program in "+file+".", "starts %s, which is no program here", command)
				wrong = wrong || name == e.Name
			case !slices.Contains(names, name):
				names = append(names, name)
			}
		}
	}
	switch {
	case slices.Contains(names, e.Name):
		e.add(OK, c.Name, "", "starts %s", strings.Join(names, " and "))
	case wrong: // that was reported
	default:
		e.add(Note, c.Name, "To add it: "+e.Name+" setup --client "+c.ID, "is installed, and does not start %s here", e.Name)
	}
}

// startable reports whether a client can start a command.
func (e *examination) startable(command string) bool {
	if filepath.IsAbs(command) {
		return clients.IsProgram(command)
	}
	return strings.ContainsAny(command, `/\`) || clients.Find(e.Vars, strings.TrimSuffix(strings.TrimSuffix(command, ".exe"), ".cmd")) != "" // a relative path is relative to a directory that only the client knows
}
