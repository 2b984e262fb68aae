package main

import (
	"encoding/base64"
	"encoding/json"
	"net/url"

	"ui-mcp/packaging"
)

// installLinks are addresses that make a client ask whether to add a server.
type installLinks struct {
	VSCode   string `json:"vscode"`
	Insiders string `json:"vscode_insiders"`
	Web      string `json:"vscode_web"` // for documents in which only links to the web work
	Cursor   string `json:"cursor"`
}

// links writes the links for each command to links.json. Servers start in the project's directory.
func (r *release) links() error {
	all := map[string]installLinks{}
	for _, c := range r.names.Servers() {
		made, err := r.linksOf(c)
		if err != nil {
			return err
		}
		all[c.Name] = made
	}
	return r.writeJSON("links.json", all)
}

func (r *release) linksOf(c packaging.Command) (installLinks, error) {
	s := r.started(c, "${workspaceFolder}/"+base)
	config, err := json.Marshal(s)
	if err != nil {
		return installLinks{}, err
	}
	named, err := json.Marshal(struct {
		Name string `json:"name"`
		server
	}{c.Name, s})
	if err != nil {
		return installLinks{}, err
	}
	query := url.QueryEscape(string(named)) // JSON as it is written here has no spaces
	return installLinks{
		VSCode:   "vscode:mcp/install?" + query,
		Insiders: "vscode-insiders:mcp/install?" + query,
		Web:      "https://insiders.vscode.dev/redirect/mcp/install?" + url.Values{"name": {c.Name}, "config": {string(config)}}.Encode(),
		Cursor:   "cursor://anysphere.cursor-deeplink/mcp/install?" + url.Values{"name": {c.Name}, "config": {base64.StdEncoding.EncodeToString(config)}}.Encode(),
	}, nil
}
