package main

import (
	"net/url"
	"strings"

	"ui-mcp/packaging"
)

const registrySchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

// A registered describes a server to the MCP registry.
type registered struct {
	Schema      string            `json:"$schema"`
	Name        string            `json:"name"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Repository  map[string]string `json:"repository,omitempty"`
	Version     string            `json:"version"`
	Packages    []registeredPack  `json:"packages"`
}

type registeredPack struct {
	Type       string              `json:"registryType"`
	Identifier string              `json:"identifier"`
	Version    string              `json:"version"`
	Transport  map[string]string   `json:"transport"`
	Arguments  []map[string]string `json:"packageArguments"`
}

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

func (r *release) registeredOf(c packaging.Command) registered {
	arguments := []map[string]string{{"type": "positional", "value": "mcp"}}
	if c.Name == apps {
		arguments = append(arguments, map[string]string{
			"type": "named", "name": "--dir", "description": "Where apps are, in the project's directory", "default": base, "format": "filepath",
		})
	}
	s := registered{Schema: registrySchema, Name: c.Server, Title: c.Name, Description: c.Summary + ".", Version: r.version.String()}
	for _, p := range [][2]string{{"npm", c.NPM}, {"pypi", c.PyPI}} {
		s.Packages = append(s.Packages, registeredPack{Type: p[0], Identifier: p[1], Version: r.version.String(), Transport: map[string]string{"type": "stdio"}, Arguments: arguments})
	}
	if address, err := url.Parse(r.names.Repository); err == nil && address.Host != "" {
		source, _, _ := strings.Cut(address.Hostname(), ".") // as the registry names github and gitlab
		s.Repository = map[string]string{"url": r.names.Repository, "source": source}
	}
	return s
}
