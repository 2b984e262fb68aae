package bundle_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	uimcp "ui-mcp"
	"ui-mcp/bundle"
	"ui-mcp/internal/install"
	"ui-mcp/web"
)

// The real bundle installs, and the installed page refers to a script that exists.
func TestInstalls(t *testing.T) {
	t.Parallel()
	client := web.Dist()
	base := filepath.Join(t.TempDir(), ".claude", "ui")
	report, err := install.Install(install.Options{
		BaseDir: base,
		Source:  install.Source{Files: bundle.Files, Client: client, Readme: uimcp.Readme},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Skipped) != 0 || install.NeedsInstall(base) {
		t.Errorf("report = %+v, want a complete installation", report)
	}
	index, err := os.ReadFile(filepath.Join(base, "html", "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(index), `<script defer src="/`)
	script, _, _ := strings.Cut(after, `"`)
	if _, err := os.Stat(filepath.Join(base, "html", script)); script == "" || err != nil {
		t.Errorf("index.html names the script %q: %v", script, err)
	}
}

// Every file of the specification's manifest is installed at its path, and scripts are executable.
func TestManifest(t *testing.T) {
	t.Parallel()
	client := web.Dist()
	project := t.TempDir()
	base := filepath.Join(project, ".claude", "ui")
	report, err := install.Install(install.Options{
		BaseDir: base, ClaudeMD: true,
		Source: install.Source{Files: bundle.Files, Client: client, Readme: uimcp.Readme},
	})
	if err != nil {
		t.Fatal(err)
	}
	scripts := []string{"event", "state", "variables", "linkapp", "mcp", "scripts/wait-for-state.sh", "scripts/get.sh"}
	var want []string
	for _, name := range append([]string{
		"resources/cheatsheet.md", "resources/catalog.md", "resources/reference.md", "resources/viewdefs.md", "resources/lua.md", "resources/mcp.md",
		"resources/patterns/form.md", "resources/patterns/list-detail.md", "resources/patterns/edit-cancel.md",
		"resources/patterns/notifications.md", "resources/patterns/long-lists.md", "resources/patterns/agent-chat.md",
		"viewdefs/lua.ViewList.DEFAULT.html", "viewdefs/lua.ViewListItem.list-item.html", "viewdefs/MCP.DEFAULT.html",
		"lua/main.lua", "html/index.html", "README.md",
	}, scripts...) {
		want = append(want, ".claude/ui/"+name)
	}
	for _, name := range []string{
		"skills/ui/SKILL.md", "skills/ui-builder/SKILL.md",
		"skills/ui-builder/examples/requirements.md", "skills/ui-builder/examples/design.md", "skills/ui-builder/examples/app.lua",
		"skills/ui-builder/examples/viewdefs/ContactApp.DEFAULT.html", "skills/ui-builder/examples/viewdefs/Contact.list-item.html",
		"skills/ui-builder/examples/viewdefs/ChatMessage.list-item.html", "agents/ui-builder.md",
	} {
		want = append(want, ".claude/"+name)
	}
	for _, name := range want {
		info, err := os.Stat(filepath.Join(project, filepath.FromSlash(name)))
		if err != nil || info.Size() == 0 || !slices.Contains(report.Installed, name) {
			t.Errorf("%s: %v, reported: %v", name, err, slices.Contains(report.Installed, name))
		}
	}
	for _, script := range []string{"main", "worker"} {
		if !slices.ContainsFunc(report.Installed, regexp.MustCompile(`^\.claude/ui/html/`+script+`-[0-9a-f]{8}\.js$`).MatchString) {
			t.Errorf("there is no html/%s-HASH.js", script)
		}
	}
	if !slices.Equal(report.Appended, []string{"CLAUDE.md"}) {
		t.Errorf("appended %q", report.Appended)
	}
	if runtime.GOOS == "windows" {
		return // there is no executable bit
	}
	for _, name := range scripts {
		info, err := os.Stat(filepath.Join(base, name))
		if err == nil && info.Mode()&0o100 == 0 { // the umask decides for others
			t.Errorf("%s cannot be run: %v", name, info.Mode())
		}
	}
}

// Skills and agents start with a description of when to use them.
func TestFrontMatter(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"project/.claude/skills/ui/SKILL.md": "ui", "project/.claude/skills/ui-builder/SKILL.md": "ui-builder", "project/.claude/agents/ui-builder.md": "ui-builder",
	} {
		text, err := fs.ReadFile(bundle.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(`\A---\nname: (\S+)\ndescription: (.{40,900})\n---\n\S?`).FindSubmatch(text)
		if m == nil || string(m[1]) != want {
			t.Errorf("%s does not begin with its name, %s, and a description", name, want)
		}
	}
}

// link is a Markdown link to a relative path.
var link = regexp.MustCompile(`\]\(([^):#]+)\)`)

// The links of bundled documents, and the documents that they name, exist.
func TestLinks(t *testing.T) {
	t.Parallel()
	for name, text := range documents(t) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if _, err := fs.Stat(bundle.Files, path.Join(path.Dir(name), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			}
		}
		for _, m := range regexp.MustCompile("`(?:\\.claude/ui/)?(?:resources/)?((?:patterns/)?[a-z-]+\\.md)`").FindAllStringSubmatch(text, -1) {
			found := false
			for _, dir := range []string{"base/resources", "base/resources/patterns", examples} {
				_, err := fs.Stat(bundle.Files, path.Join(dir, m[1]))
				found = found || err == nil
			}
			if !found {
				t.Errorf("%s names %s, which is not there", name, m[1])
			}
		}
	}
}

// A project under git gets what was installed and what its apps keep, and nothing that a server
// writes for itself.
func TestIgnoredFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run("1", `mcp:keep("things", { name = "kept" })`)
	w.restart() // which saves
	w.run("1", `print("a line"); mcp:keep("things", { name = "" })`)
	git := func(args ...string) []string {
		cmd := exec.Command("git", append([]string{"-C", w.project}, args...)...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	git("init", "--quiet")
	all := git("ls-files", "--others", "--exclude-standard", ".claude/ui")
	for name, tracked := range map[string]bool{
		"README.md": true, "data/things.json": true, ".install.json": true,
		"ui-port": false, "mcp-port": false, ".last-run.json": false, "log/lua.log": false, "data/.things.lock": false,
	} {
		if slices.Contains(all, ".claude/ui/"+name) != tracked {
			t.Errorf("%s: tracked %v, want %v", name, !tracked, tracked)
		}
		if _, err := os.Stat(filepath.Join(w.dir, name)); err != nil {
			t.Errorf("the world lacks what the test is about: %v", err)
		}
	}
}
