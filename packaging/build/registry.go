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
	Repository  *registeredSource `json:"repository,omitempty"`
	Version     string            `json:"version"`
	Packages    []registeredPack  `json:"packages"`
}

type registeredSource struct {
	URL    string `json:"url"`
	Source string `json:"source"`
}

type registeredPack struct {
	Type       string               `json:"registryType"`
	Identifier string               `json:"identifier"`
	Version    string               `json:"version"`
	Transport  map[string]string    `json:"transport"`
	Arguments  []registeredArgument `json:"packageArguments"`
}

type registeredArgument struct {
	Type        string `json:"type"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	Value       string `json:"value,omitempty"`
	Default     string `json:"default,omitempty"`
	Format      string `json:"format,omitempty"`
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
	arguments := []registeredArgument{{Type: "positional", Value: "mcp"}}
	if c.Name == apps {
		arguments = append(arguments, registeredArgument{
			Type: "named", Name: "--dir", Description: "Where apps are, in the project's directory", Default: base, Format: "filepath",
		})
	}
	s := registered{Schema: registrySchema, Name: c.Server, Title: c.Name, Description: c.Summary + ".", Version: r.version.String()}
	for _, p := range [][2]string{{"npm", c.NPM}, {"pypi", c.PyPI}} {
		s.Packages = append(s.Packages, registeredPack{Type: p[0], Identifier: p[1], Version: r.version.String(), Transport: map[string]string{"type": "stdio"}, Arguments: arguments})
	}
	if address, err := url.Parse(r.names.Repository); err == nil && address.Host != "" {
		source, _, _ := strings.Cut(address.Hostname(), ".") // as the registry names github and gitlab
		s.Repository = &registeredSource{r.names.Repository, source}
	}
	return s
}
