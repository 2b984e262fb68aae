package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
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

// publishedNames are names as they might be when the owner has chosen them.
const publishedNames = `{
	"published": true, "module": "example.com/you/ui-mcp", "repository": "https://github.com/you/ui-mcp",
	"maintainer": "You", "email": "you@example.com", "tap": "", "bucket": "", "publisher": "",
	"commands": [
		{"name": "ui-mcp", "summary": "Live apps", "npm": "@you/ui-mcp", "pypi": "ui-mcp", "linux": "ui-mcp", "winget": "", "image": "", "registry": "com.example/ui-mcp"},
		{"name": "wsh", "summary": "Terminals", "npm": "@you/wsh", "pypi": "wsh-mcp", "linux": "wsh", "winget": "", "image": "", "registry": "com.example/wsh"}
	]
}`

// build makes everything in a directory, of programs that are not real.
func build(t *testing.T, names packaging.Names) string {
	t.Helper()
	dir := t.TempDir()
	for _, c := range names.Commands {
		for _, d := range desktops {
			if err := os.WriteFile(filepath.Join(dir, c.Name+"-"+d.program), []byte(c.Name+" "+d.program), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	b := builder{names: names, version: "0.1.0", at: time.Unix(1e9, 0).UTC(), dir: dir, notes: t.Output()}
	if err := b.make(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func publish(t *testing.T) packaging.Names {
	t.Helper()
	names, err := packaging.Parse([]byte(publishedNames))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func readFile(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return data
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
	dir := filepath.Join(build(t, packaging.Load()), "claude-plugin")
	m := read[marketplace](t, readFile(t, dir, ".claude-plugin/marketplace.json"))
	if len(m.Plugins) != 1 || m.Owner.Name == "" {
		t.Fatalf("%+v", m)
	}
	plugin := filepath.Join(dir, m.Plugins[0].Source)
	about := read[manifest](t, readFile(t, plugin, ".claude-plugin/plugin.json"))
	if about.Name != m.Plugins[0].Name || about.Version != "0.1.0" || about.Version != m.Plugins[0].Version || about.Repository != "" {
		t.Errorf("%+v, %+v", about, m.Plugins[0])
	}
	servers := read[map[string]map[string]server](t, readFile(t, plugin, ".mcp.json"))
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
		if m := head.FindStringSubmatch(string(readFile(t, "", file))); m == nil || m[1] != filepath.Base(filepath.Dir(file)) {
			t.Errorf("%s begins with %q", file, m)
		}
	}
	if agent := string(readFile(t, plugin, "agents/ui-builder.md")); !strings.HasPrefix(agent, "---\nname: ui-builder\n") {
		t.Errorf("the agent is %q", agent)
	}
	monitors := read[[]monitor](t, readFile(t, plugin, "monitors/monitors.json"))
	if len(monitors) != 1 || !strings.Contains(monitors[0].Command, `ui-mcp event --dir "${CLAUDE_PROJECT_DIR}/.claude/ui"`) || monitors[0].When != "on-skill-invoke:ui-mcp:ui" {
		t.Errorf("%+v", monitors)
	}
	listener := read[[]monitor](t, readFile(t, build(t, publish(t)), "claude-plugin/ui-mcp/monitors/monitors.json"))
	if !strings.HasPrefix(listener[0].Command, "while :; do npx -y @you/ui-mcp event --dir ") {
		t.Errorf("once it is published: %+v", listener)
	}
	if hooks := string(readFile(t, plugin, "hooks/hooks.json")); !strings.Contains(hooks, `"command": "ui-mcp hook || exit 1"`) || !strings.Contains(hooks, "PermissionRequest") {
		t.Errorf("the hooks are %s", hooks)
	}
	if skill := string(readFile(t, plugin, "skills/ui/SKILL.md")); !strings.Contains(skill, "the background task `"+monitors[0].Name+"`") {
		t.Errorf("the skill does not know the listener:\n%s", skill)
	}
}

// checkBundle checks a bundle as Claude Desktop's format, version 0.3, says.
func checkBundle(t *testing.T, data []byte, platform string) bundleManifest {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*zip.File{}
	for _, f := range archive.File {
		files[f.Name] = f
	}
	if len(files) != 2 || files["manifest.json"] == nil {
		t.Fatalf("the bundle has %v", files)
	}
	f, err := files["manifest.json"].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	m := read[bundleManifest](t, text)
	for name, value := range map[string]string{"name": m.Name, "version": m.Number, "description": m.Description, "author": m.Author.Name} {
		if value == "" {
			t.Errorf("the %s is empty", name)
		}
	}
	if m.Version != "0.3" || m.Server.Type != "binary" || !slices.Equal(m.Compatibility.Platforms, []string{platform}) {
		t.Errorf("%+v", m)
	}
	if program := files[m.Server.Entry]; program == nil || program.Mode()&0o111 == 0 || program.UncompressedSize64 == 0 || m.Server.Start.Command != "${__dirname}/"+m.Server.Entry {
		t.Errorf("%s is no program, or not what is started: %+v", m.Server.Entry, m.Server)
	}
	for _, used := range regexp.MustCompile(`\$\{user_config\.([^}]+)\}`).FindAllStringSubmatch(fmt.Sprint(m.Server), -1) {
		if s, ok := m.UserConfig[used[1]]; !ok || s.Type != "directory" || s.Title == "" || s.Description == "" {
			t.Errorf("the setting %q is %+v", used[1], s)
		}
	}
	return m
}

// Each desktop has a bundle of each command; that of apps asks for the directory.
func TestBundles(t *testing.T) {
	t.Parallel()
	dir := build(t, packaging.Load())
	for _, command := range []string{"ui-mcp", "wsh"} {
		for _, d := range desktops {
			data := readFile(t, dir, "mcpb/"+command+"-0.1.0-"+strings.TrimSuffix(d.program, ".exe")+".mcpb")
			m := checkBundle(t, data, d.platform)
			if asks := len(m.UserConfig) == 1; m.Name != command || asks != (command == "ui-mcp") || m.Repository != nil {
				t.Errorf("%+v", m)
			}
		}
	}
	again := build(t, packaging.Load())
	if diff := cmp.Diff(string(readFile(t, dir, "SHA256SUMS")), string(readFile(t, again, "SHA256SUMS"))); diff != "" {
		t.Errorf("not the same bytes again:\n%s", diff)
	}
	for line := range strings.Lines(string(readFile(t, dir, "SHA256SUMS"))) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if got := fmt.Sprintf("%x", sha256.Sum256(readFile(t, dir, name))); got != sum {
			t.Errorf("%s has another checksum", name)
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
		for name, links := range read[map[string]installLinks](t, readFile(t, build(t, tt.names), "links.json")) {
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
	if entries, err := os.ReadDir(filepath.Join(build(t, packaging.Load()), "registry")); !os.IsNotExist(err) {
		t.Errorf("before anything is published: %v, %v", entries, err)
	}
	names := publish(t)
	dir := build(t, names)
	for _, c := range names.Commands {
		r := read[registered](t, readFile(t, dir, "registry/"+c.Name+"/server.json"))
		if r.Schema != registrySchema || !regexp.MustCompile(`^[A-Za-z0-9.-]+/[A-Za-z0-9._-]+$`).MatchString(r.Name) || len(r.Name) > 200 {
			t.Errorf("%+v", r)
		}
		for field, text := range map[string]string{"title": r.Title, "description": r.Description} {
			if text == "" || len(text) > 100 {
				t.Errorf("%s has %d bytes, the registry takes 1 to 100", field, len(text))
			}
		}
		if r.Repository == nil || *r.Repository != (registeredSource{"https://github.com/you/ui-mcp", "github"}) || len(r.Packages) != 2 {
			t.Fatalf("%+v", r)
		}
		for i, want := range [][2]string{{"npm", c.NPM}, {"pypi", c.PyPI}} {
			p := r.Packages[i]
			if p.Type != want[0] || p.Identifier != want[1] || p.Version != r.Version || p.Transport["type"] != "stdio" || p.Arguments[0].Value != "mcp" {
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

// What "make release" has made is right, with the real programs.
func TestRelease(t *testing.T) {
	dir := os.Getenv("UI_MCP_RELEASE")
	if dir == "" {
		t.Skip("make inspect gives a release in UI_MCP_RELEASE")
	}
	files, err := filepath.Glob(filepath.Join(dir, "mcpb", "*.mcpb"))
	if err != nil || len(files) != 2*len(desktops) {
		t.Fatalf("%d bundles, %v", len(files), err)
	}
	for _, file := range files {
		for _, d := range desktops {
			if strings.Contains(file, strings.TrimSuffix(d.program, ".exe")) {
				checkBundle(t, readFile(t, "", file), d.platform)
			}
		}
	}
	read[marketplace](t, readFile(t, dir, "claude-plugin/.claude-plugin/marketplace.json"))
}
