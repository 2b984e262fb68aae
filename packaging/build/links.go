package main

import (
	"encoding/base64"
	"encoding/json"
	"net/url"

	"ui-mcp/internal/fault"
	"ui-mcp/packaging"
)

// links writes the links for each command to links.json. Servers start in the project's directory.
func (r *release) links() error {
	all := object{}
	for _, c := range r.names.Servers() {
		all[c.Name] = r.linksOf(c)
	}
	return r.writeJSON("links.json", all)
}

// linksOf returns addresses that make a client ask whether to add a server.
func (r *release) linksOf(c packaging.Command) object {
	s := r.started(c, "${workspaceFolder}/"+base)
	config := fault.Must(json.Marshal(s))
	named := fault.Must(json.Marshal(struct {
		Name string `json:"name"`
		server
	}{c.Name, s}))
	query := url.QueryEscape(string(named)) // JSON as it is written here has no spaces
	return object{
		"vscode":          "vscode:mcp/install?" + query,
		"vscode_insiders": "vscode-insiders:mcp/install?" + query,
		// For documents in which only links to the web work.
		"vscode_web": "https://insiders.vscode.dev/redirect/mcp/install?" + url.Values{"name": {c.Name}, "config": {string(config)}}.Encode(),
		"cursor":     "cursor://anysphere.cursor-deeplink/mcp/install?" + url.Values{"name": {c.Name}, "config": {base64.StdEncoding.EncodeToString(config)}}.Encode(),
	}
}
