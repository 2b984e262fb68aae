package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/packaging"
)

// publish returns names as they might be when the owner has chosen them.
func publish(t *testing.T) packaging.Names {
	t.Helper()
	names, err := packaging.Parse([]byte(`{
		"published": true, "module": "example.com/you/ui-mcp", "repository": "https://github.com/you/ui-mcp",
		"maintainer": "You", "email": "you@example.com", "tap": "", "bucket": "", "publisher": "",
		"commands": [
			{"name": "ui-mcp", "summary": "Live apps", "npm": "@you/ui-mcp", "pypi": "ui-mcp", "linux": "ui-mcp", "winget": "", "image": "", "registry": "com.example/ui-mcp"},
			{"name": "wsh", "summary": "Terminals", "npm": "@you/wsh", "pypi": "wsh-mcp", "linux": "wsh", "winget": "", "image": "", "registry": "com.example/wsh"}
		]
	}`))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// forClients makes what clients install in a directory, of programs that are not real.
func forClients(t *testing.T, names packaging.Names) string {
	t.Helper()
	v, err := parseVersion("0.1.0")
	if err != nil {
		t.Fatal(err)
	}
	r := &release{names: names, version: v, at: time.Unix(1e9, 0).UTC(), dir: t.TempDir(), platforms: platforms, sums: map[string]string{}}
	for _, c := range names.Servers() {
		for _, p := range platforms {
			if err := write(r.binary(c, p), []byte(c.Name+" "+p.String())); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := r.clients(); err != nil {
		t.Fatal(err)
	}
	return r.dir
}

// readIn reads a file of a directory. Its name has slashes.
func readIn(t *testing.T, dir, name string) []byte {
	t.Helper()
	return readFile(t, filepath.Join(dir, filepath.FromSlash(name)))
}

// read decodes a file strictly.
func read[T any](t *testing.T, data []byte) (value T) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&value); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return value
}

// The plugin has both servers, all skills, the agent and the listener, and each is where Claude
// Code looks for it.
func TestPlugin(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(forClients(t, packaging.Load()), "claude-plugin")
	const summary = "Live apps, questions and terminals that you and Claude share."
	owner := map[string]any{"name": packaging.Load().Maintainer}
	if email := packaging.Load().Email; email != "" {
		owner["email"] = email
	}
	for file, want := range map[string]map[string]any{
		".claude-plugin/marketplace.json": {"name": "ui-mcp", "description": summary, "owner": owner, "plugins": []any{
			map[string]any{"name": "ui-mcp", "source": "./ui-mcp", "description": summary, "version": "0.1.0"},
		}},
		"ui-mcp/.claude-plugin/plugin.json": {
			"name": "ui-mcp", "version": "0.1.0", "description": summary, "author": owner, "license": "MIT", "keywords": []any{"mcp", "terminal", "ui", "apps"},
		},
	} {
		if diff := cmp.Diff(want, read[map[string]any](t, readIn(t, dir, file))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
	plugin := filepath.Join(dir, "ui-mcp")
	servers := read[map[string]map[string]server](t, readIn(t, plugin, ".mcp.json"))
	want := map[string]server{"wsh": {"wsh", []string{"mcp"}}, "ui-mcp": {"ui-mcp", []string{"mcp", "--dir", ".claude/ui"}}}
	if diff := cmp.Diff(want, servers["mcpServers"]); diff != "" {
		t.Errorf("servers (-want +got):\n%s", diff)
	}
	skills, err := filepath.Glob(filepath.Join(plugin, "skills", "*", "SKILL.md"))
	if err != nil || len(skills) != 12 {
		t.Errorf("%d skills, %v", len(skills), err)
	}
	head := regexp.MustCompile(`\A---\nname: ([a-z-]+)\ndescription: .+\n---\n`)
	for _, file := range skills {
		if m := head.FindStringSubmatch(string(readFile(t, file))); m == nil || m[1] != filepath.Base(filepath.Dir(file)) {
			t.Errorf("%s begins with %q", file, m)
		}
	}
	if agent := string(readIn(t, plugin, "agents/ui-builder.md")); !strings.HasPrefix(agent, "---\nname: ui-builder\n") {
		t.Errorf("the agent is %q", agent)
	}
	monitors := read[[]map[string]string](t, readIn(t, plugin, "monitors/monitors.json"))
	if len(monitors) != 1 || !strings.Contains(monitors[0]["command"], `ui-mcp event --dir "${CLAUDE_PROJECT_DIR}/.claude/ui"`) || monitors[0]["when"] != "on-skill-invoke:ui-mcp:ui" {
		t.Errorf("%+v", monitors)
	}
	listener := read[[]map[string]string](t, readIn(t, forClients(t, publish(t)), "claude-plugin/ui-mcp/monitors/monitors.json"))
	if !strings.HasPrefix(listener[0]["command"], "while :; do npx -y @you/ui-mcp event --dir ") {
		t.Errorf("once it is published: %+v", listener)
	}
	if hooks := string(readIn(t, plugin, "hooks/hooks.json")); !strings.Contains(hooks, `"command": "ui-mcp hook || exit 1"`) || strings.Count(hooks, "ui-mcp hook") != 3 || !strings.Contains(hooks, "PermissionRequest") {
		t.Errorf("the hooks are %s", hooks)
	}
	if skill := string(readIn(t, plugin, "skills/ui/SKILL.md")); !strings.Contains(skill, "the background task `"+monitors[0]["name"]+"`") {
		t.Errorf("the skill does not know the listener:\n%s", skill)
	}
}

// checkBundle checks a bundle as Claude Desktop's format, version 0.3, says: its manifest, and the
// program that it names.
func checkBundle(t *testing.T, dir string, c packaging.Command, version string, p platform) {
	t.Helper()
	files, err := readZip(readIn(t, dir, "mcpb/"+c.Name+"-"+version+"-"+p.String()+".mcpb"))
	if err != nil {
		t.Fatal(err)
	}
	program := "server/" + p.program(c.Name)
	start := object{"command": "${__dirname}/" + program, "args": []any{"mcp"}}
	author := object{"name": packaging.Load().Maintainer}
	if email := packaging.Load().Email; email != "" {
		author["email"] = email
	}
	want := object{
		"manifest_version": "0.3", "name": c.Name, "display_name": c.Name, "version": version, "description": c.Summary + ".", "license": "MIT",
		"author": author, "tools_generated": true, "compatibility": object{"platforms": []any{p.npmOS}},
		"server": object{"type": "binary", "entry_point": program, "mcp_config": start},
	}
	if c.Name == "ui-mcp" { // which asks for the directory
		start["args"] = []any{"mcp", "--dir", "${user_config.directory}/.claude/ui"}
		want["user_config"] = object{"directory": object{
			"type": "directory", "title": "Directory", "description": "Your apps are kept in .claude/ui in this directory.", "required": true,
		}}
	}
	if diff := cmp.Diff(want, read[object](t, files["manifest.json"].data)); diff != "" {
		t.Errorf("%s for %s (-want +got)\n%s", c.Name, p, diff)
	}
	if f := files[program]; f.mode&0o111 == 0 || len(f.data) == 0 || len(files) != 2 {
		t.Errorf("%s is no program of %v", program, files)
	}
}

// Each desktop has a bundle of each command.
func TestBundles(t *testing.T) {
	t.Parallel()
	dir := forClients(t, packaging.Load())
	for _, c := range packaging.Load().Servers() {
		for _, p := range platforms {
			if p.os != "linux" { // which has no Claude Desktop
				checkBundle(t, dir, c, "0.1.0", p)
			}
		}
	}
}

// The links mean what clients need, once they are decoded as clients do it.
func TestLinks(t *testing.T) {
	t.Parallel()
	local := map[string]server{"wsh": {"wsh", []string{"mcp"}}, "ui-mcp": {"ui-mcp", []string{"mcp", "--dir", "${workspaceFolder}/.claude/ui"}}}
	published := map[string]server{"wsh": {"npx", []string{"-y", "@you/wsh", "mcp"}}, "ui-mcp": {"npx", []string{"-y", "@you/ui-mcp", "mcp", "--dir", "${workspaceFolder}/.claude/ui"}}}
	for _, tt := range []struct {
		names packaging.Names
		want  map[string]server
	}{{packaging.Load(), local}, {publish(t), published}} {
		for name, links := range read[map[string]map[string]string](t, readIn(t, forClients(t, tt.names), "links.json")) {
			for _, link := range []string{links["vscode"], links["vscode_insiders"]} {
				scheme, query, _ := strings.Cut(link, ":mcp/install?")
				text, err := url.PathUnescape(query) // as decodeURIComponent
				if !slices.Contains([]string{"vscode", "vscode-insiders"}, scheme) || err != nil {
					t.Errorf("%s: %v", link, err)
				}
				var s struct {
					Name string
					server
				}
				if err := json.Unmarshal([]byte(text), &s); err != nil || s.Name != name || !cmp.Equal(tt.want[name], s.server) {
					t.Errorf("%s: %v, %+v", text, err, s)
				}
			}
			for prefix, link := range map[string]string{"cursor://anysphere.cursor-deeplink/mcp/install": links["cursor"], "https://insiders.vscode.dev/redirect/mcp/install": links["vscode_web"]} {
				u, err := url.Parse(link)
				if err != nil || !strings.HasPrefix(link, prefix+"?") {
					t.Fatalf("%s: %v", link, err)
				}
				config := []byte(u.Query().Get("config"))
				if u.Scheme == "cursor" {
					if config, err = base64.StdEncoding.DecodeString(string(config)); err != nil {
						t.Error(err)
					}
				}
				if s := read[server](t, config); u.Query().Get("name") != name || !cmp.Equal(tt.want[name], s) {
					t.Errorf("%s: %+v", link, s)
				}
			}
		}
	}
}

// The MCP registry learns of packages that are published, within its limits, and of nothing before.
func TestRegistry(t *testing.T) {
	t.Parallel()
	if entries, err := os.ReadDir(filepath.Join(forClients(t, packaging.Load()), "registry")); !os.IsNotExist(err) {
		t.Errorf("before anything is published: %v, %v", entries, err)
	}
	names := publish(t)
	dir := forClients(t, names)
	for _, c := range names.Commands {
		r := read[object](t, readIn(t, dir, "registry/"+c.Name+"/server.json"))
		arguments := []any{object{"type": "positional", "value": "mcp"}}
		if c.Name == "ui-mcp" {
			arguments = append(arguments, object{
				"type": "named", "name": "--dir", "description": "Where apps are, in the project's directory", "default": ".claude/ui", "format": "filepath",
			})
		}
		pack := func(kind, name string) object {
			return object{"registryType": kind, "identifier": name, "version": "0.1.0", "transport": object{"type": "stdio"}, "packageArguments": arguments}
		}
		want := object{
			"$schema": registrySchema, "name": c.Server, "title": c.Name, "description": c.Summary + ".", "version": "0.1.0",
			"repository": object{"url": "https://github.com/you/ui-mcp", "source": "github"}, "packages": []any{pack("npm", c.NPM), pack("pypi", c.PyPI)},
		}
		if diff := cmp.Diff(want, r); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.Name, diff)
		}
	}
	for _, c := range packaging.Load().Commands { // the real ones must fit, too
		if len(c.Summary)+1 > 100 || len(c.Server) > 200 {
			t.Errorf("the summary of %s has %d bytes, its name in the registry %d", c.Name, len(c.Summary), len(c.Server))
		}
	}
}

// The bundles of a release have its real programs.
func TestReleasedBundles(t *testing.T) {
	t.Parallel()
	dir, v, _ := released(t)
	programs(t, dir, func(c packaging.Command, p platform, _ []byte) {
		if c.Of == "" && p.os != "linux" {
			checkBundle(t, dir, c, v.String(), p)
		}
	})
}
