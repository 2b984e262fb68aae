package main

import (
	"net/url"
	"strings"

	"ui-mcp/packaging"
)

const registrySchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

// registry makes the server.json of each command that has a name in the registry.
func (r *release) registry() error {
	for _, c := range r.names.Servers() {
		if c.Server == "" || !r.names.Published {
			r.note("there is no server.json of " + c.Name + ": packaging/names.json has no name for it in the registry, or its packages are not published")
			continue
		}
		if err := r.writeJSON("registry/"+c.Name+"/server.json", r.registeredOf(c)); err != nil {
			return err
		}
	}
	return nil
}

// registeredOf describes a server to the registry.
func (r *release) registeredOf(c packaging.Command) object {
	arguments := []object{{"type": "positional", "value": "mcp"}}
	if c.Name == apps {
		arguments = append(arguments, object{
			"type": "named", "name": "--dir", "description": "Where apps are, in the project's directory", "default": base, "format": "filepath",
		})
	}
	var packages []object
	for _, p := range [][2]string{{"npm", c.NPM}, {"pypi", c.PyPI}} {
		packages = append(packages, object{
			"registryType": p[0], "identifier": p[1], "version": r.version.String(), "transport": object{"type": "stdio"}, "packageArguments": arguments,
		})
	}
	var repository object
	if address, err := url.Parse(r.names.Repository); err == nil && address.Host != "" {
		source, _, _ := strings.Cut(address.Hostname(), ".") // as the registry names github and gitlab
		repository = object{"url": r.names.Repository, "source": source}
	}
	return known(object{
		"$schema": registrySchema, "name": c.Server, "title": c.Name, "description": c.Summary + ".", "version": r.version.String(),
		"packages": packages, "repository": repository,
	})
}
