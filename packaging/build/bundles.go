package main

import (
	"os"

	"ui-mcp/packaging"
)

type bundleManifest struct {
	Version       string                    `json:"manifest_version"`
	Name          string                    `json:"name"`
	DisplayName   string                    `json:"display_name"`
	Number        string                    `json:"version"`
	Description   string                    `json:"description"`
	Author        person                    `json:"author"`
	Repository    map[string]string         `json:"repository,omitempty"`
	Licence       string                    `json:"license"`
	Server        bundleServer              `json:"server"`
	Generated     bool                      `json:"tools_generated"`
	UserConfig    map[string]map[string]any `json:"user_config,omitempty"`
	Compatibility map[string][]string       `json:"compatibility"`
}

type bundleServer struct {
	Type  string `json:"type"`
	Entry string `json:"entry_point"`
	Start server `json:"mcp_config"`
}

// bundle makes a bundle for Claude Desktop of a command and a platform. It says which system it is
// for, not which processor.
func (r *release) bundle(c packaging.Command, on platform) error {
	program, err := os.ReadFile(r.binary(c, on))
	if err != nil {
		return err
	}
	name := "server/" + on.program(c.Name)
	text, err := indented(r.bundleOf(c, name, on.npmOS))
	if err != nil {
		return err
	}
	archive, err := zipped([]file{{name: "manifest.json", data: text}, {name: name, data: program, exec: true}}, r.at)
	if err != nil {
		return err
	}
	return r.write("mcpb/"+c.Name+"-"+r.version.String()+"-"+on.String()+".mcpb", archive)
}

func (r *release) bundleOf(c packaging.Command, program, platform string) bundleManifest {
	m := bundleManifest{
		Version: "0.3", Name: c.Name, DisplayName: c.Name, Number: r.version.String(), Description: c.Summary + ".", Author: r.maintainer(), Licence: "MIT",
		Server:    bundleServer{Type: "binary", Entry: program, Start: server{Command: "${__dirname}/" + program, Args: []string{"mcp"}}},
		Generated: true, Compatibility: map[string][]string{"platforms": {platform}},
	}
	if r.names.Repository != "" {
		m.Repository = map[string]string{"type": "git", "url": r.names.Repository}
	}
	if c.Name == apps {
		m.UserConfig = map[string]map[string]any{"directory": {
			"type": "directory", "title": "Directory", "description": "Your apps are kept in .claude/ui in this directory.", "required": true,
		}}
		m.Server.Start.Args = append(m.Server.Start.Args, "--dir", "${user_config.directory}/"+base)
	}
	return m
}
