package main

import (
	"os"

	"ui-mcp/packaging"
)

// bundle makes a bundle for Claude Desktop of a command and a platform. It says which system it is
// for, not which processor.
func (r *release) bundle(c packaging.Command, on platform) error {
	program, err := os.ReadFile(r.binary(c, on))
	if err != nil {
		return err
	}
	name := "server/" + on.program(c.Name)
	text := indented(r.bundleOf(c, name, on.npmOS))
	archive, err := zipped([]file{{name: "manifest.json", data: text}, {name: name, data: program, exec: true}}, r.at)
	if err != nil {
		return err
	}
	return r.write("mcpb/"+c.Name+"-"+r.version.String()+"-"+on.String()+".mcpb", archive)
}

func (r *release) bundleOf(c packaging.Command, program, platform string) object {
	args := []string{"mcp"}
	var settings, repository object
	if r.names.Repository != "" {
		repository = object{"type": "git", "url": r.names.Repository}
	}
	if c.Name == apps {
		args = append(args, "--dir", "${user_config.directory}/"+base)
		settings = object{"directory": object{
			"type": "directory", "title": "Directory", "description": "Your apps are kept in .claude/ui in this directory.", "required": true,
		}}
	}
	return known(object{
		"manifest_version": "0.3", "name": c.Name, "display_name": c.Name, "version": r.version.String(), "description": c.Summary + ".", "author": r.maintainer(),
		"repository": repository, "license": "MIT", "tools_generated": true, "user_config": settings,
		"server":        object{"type": "binary", "entry_point": program, "mcp_config": server{"${__dirname}/" + program, args}},
		"compatibility": object{"platforms": []string{platform}},
	})
}
