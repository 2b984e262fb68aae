package doctor

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ui-mcp/internal/cli/clients"
	"ui-mcp/internal/cli/settings"
	"ui-mcp/internal/regular"
	"ui-mcp/packaging"
)

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

// startedBy returns the commands of the servers in a client's settings, for this directory: Claude
// Code has all projects in one file, by their directories.
func startedBy(c clients.Client, all map[string]any) (list [][]string) {
	tables := []any{all[c.Table]}
	projects, _ := all["projects"].(map[string]any)
	for dir, err := os.Getwd(); err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		project, _ := projects[dir].(map[string]any)
		tables = append(tables, project[c.Table])
	}
	for _, table := range tables {
		entries, _ := table.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(entries)) {
			entry, _ := entries[name].(map[string]any)
			list = append(list, clients.Words(entry))
		}
	}
	return list
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
	for _, file := range files {
		text, err := regular.ReadFile(file, clients.MaxSettings)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var all map[string]any
		if err == nil {
			all, err = settings.Decode(c.Format, text)
		}
		if err != nil {
			e.add(Problem, c.Name, "Correct it, or make it readable.", "its settings in %s cannot be read: %v", file, err)
			return
		}
		for _, words := range startedBy(c, all) {
			for _, command := range packaging.Load().Servers() {
				own, _ := clients.Split(words, command)
				switch {
				case own == nil:
				case !e.startable(own[0]):
					e.add(Problem, c.Name, "Give the path of the program in "+file+".", "starts %s, which is no program here", own[0])
					wrong = wrong || command.Name == e.Name
				case !slices.Contains(names, command.Name):
					names = append(names, command.Name)
				}
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

// startable reports whether a client can start a command. A relative path is relative to a
// directory that only the client knows.
func (e *examination) startable(command string) bool {
	if filepath.IsAbs(command) {
		return clients.IsProgram(command)
	}
	return strings.ContainsAny(command, `/\`) || clients.Find(e.Vars, strings.TrimSuffix(strings.TrimSuffix(command, ".exe"), ".cmd")) != ""
}
