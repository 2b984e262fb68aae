package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
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

// checkBundle checks a bundle as Claude Desktop's format, version 0.3, says.
func checkBundle(t *testing.T, data []byte, platform string) bundleManifest {
	t.Helper()
	files, err := readZip(data)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 {
		t.Fatalf("the bundle has %v", files)
	}
	m := read[bundleManifest](t, files["manifest.json"].data)
	for name, value := range map[string]string{"name": m.Name, "version": m.Number, "description": m.Description, "author": m.Author.Name} {
		if value == "" {
			t.Errorf("the %s is empty", name)
		}
	}
	if m.Version != "0.3" || m.Server.Type != "binary" || !slices.Equal(m.Compatibility["platforms"], []string{platform}) {
		t.Errorf("%+v", m)
	}
	if program := files[m.Server.Entry]; program.mode&0o111 == 0 || len(program.data) == 0 || m.Server.Start.Command != "${__dirname}/"+m.Server.Entry {
		t.Errorf("%s is no program, or not what is started: %+v", m.Server.Entry, m.Server)
	}
	for _, used := range regexp.MustCompile(`\$\{user_config\.([^}]+)\}`).FindAllStringSubmatch(fmt.Sprint(m.Server), -1) {
		if s, ok := m.UserConfig[used[1]]; !ok || s["type"] != "directory" || s["title"] == "" || s["description"] == "" {
			t.Errorf("the setting %q is %+v", used[1], s)
		}
	}
	return m
}

// Each desktop has a bundle of each command; that of apps asks for the directory.
func TestBundles(t *testing.T) {
	t.Parallel()
	dir := forClients(t, packaging.Load())
	for _, command := range []string{"ui-mcp", "wsh"} {
		for _, p := range platforms {
			if p.os == "linux" { // which has no Claude Desktop
				continue
			}
			m := checkBundle(t, readIn(t, dir, "mcpb/"+command+"-0.1.0-"+p.String()+".mcpb"), p.npmOS)
			if asks := len(m.UserConfig) == 1; m.Name != command || asks != (command == "ui-mcp") || m.Repository != nil {
				t.Errorf("%+v", m)
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
		for name, links := range read[map[string]installLinks](t, readIn(t, forClients(t, tt.names), "links.json")) {
			for _, link := range []string{links.VSCode, links.Insiders} {
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
			for prefix, link := range map[string]string{"cursor://anysphere.cursor-deeplink/mcp/install": links.Cursor, "https://insiders.vscode.dev/redirect/mcp/install": links.Web} {
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
		r := read[registered](t, readIn(t, dir, "registry/"+c.Name+"/server.json"))
		if r.Schema != registrySchema || !regexp.MustCompile(`^[A-Za-z0-9.-]+/[A-Za-z0-9._-]+$`).MatchString(r.Name) || len(r.Name) > 200 {
			t.Errorf("%+v", r)
		}
		for field, text := range map[string]string{"title": r.Title, "description": r.Description} {
			if text == "" || len(text) > 100 {
				t.Errorf("%s has %d bytes, the registry takes 1 to 100", field, len(text))
			}
		}
		if r.Repository["url"] != "https://github.com/you/ui-mcp" || r.Repository["source"] != "github" || len(r.Packages) != 2 {
			t.Fatalf("%+v", r)
		}
		for i, want := range [][2]string{{"npm", c.NPM}, {"pypi", c.PyPI}} {
			p := r.Packages[i]
			if p.Type != want[0] || p.Identifier != want[1] || p.Version != r.Version || p.Transport["type"] != "stdio" || p.Arguments[0]["value"] != "mcp" {
				t.Errorf("%+v, want %s", p, want)
			}
		}
	}
	for _, c := range packaging.Load().Commands { // the real ones must fit, too
		if len(c.Summary)+1 > 100 {
			t.Errorf("the summary of %s has %d bytes", c.Name, len(c.Summary))
		}
	}
}

// The bundles of a release have its real programs.
func TestReleasedBundles(t *testing.T) {
	t.Parallel()
	dir, v, _ := released(t)
	programs(t, dir, func(c packaging.Command, p platform, _ []byte) {
		if c.Of == "" && p.os != "linux" {
			checkBundle(t, readIn(t, dir, "mcpb/"+c.Name+"-"+v.String()+"-"+p.String()+".mcpb"), p.npmOS)
		}
	})
}
