//go:build unix

package e2e

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/wait"
)

// A sample is what a version of both commands has left on the disk of a person who used them, in a
// new place. testdata/upgrade/README.md says how samples are made.
type sample struct {
	t       *testing.T
	root    string // has the home directory in "home", and the project in "project"
	dir     string // the base directory
	environ []string
}

func unpack(t *testing.T, version string) sample {
	t.Helper()
	packed, err := os.ReadFile(filepath.Join("testdata", "upgrade", version+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	s := sample{t: t, root: testkit.ShortDir(t)}
	for entries := tar.NewReader(unzipped); ; {
		entry, err := entries.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(s.root, entry.Name)
		switch entry.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(path, fs.FileMode(entry.Mode))
		case tar.TypeSymlink:
			err = os.Symlink(entry.Linkname, path)
		default:
			var content []byte
			if content, err = io.ReadAll(entries); err == nil {
				err = os.WriteFile(path, content, fs.FileMode(entry.Mode))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s.dir = filepath.Join(s.root, "project", ".claude", "ui")
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); name != "HOME" && !strings.HasPrefix(name, "XDG_") {
			s.environ = append(s.environ, v)
		}
	}
	s.environ = append(s.environ, "HOME="+filepath.Join(s.root, "home"), "SHELL=/bin/sh")
	place := strings.TrimSpace(s.read("place"))
	for _, pattern := range []string{"project/.claude/ui/popups/*", "home/.cache/*/servers/*"} {
		list, err := filepath.Glob(filepath.Join(s.root, pattern))
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %v, %v", pattern, list, err)
		}
		for _, file := range list {
			s.edit(file, func(text string) string { return strings.ReplaceAll(text, place, s.root) })
		}
	}
	return s
}

func (s sample) read(name string) string {
	s.t.Helper()
	return testkit.Read(s.t, s.root, name)
}

func (s sample) edit(file string, change func(string) string) {
	s.t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, []byte(change(string(text))), 0o600)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// tree returns what there is below the project and the home, but not what changes in every run:
// logs, ports, questions, caches, and what the app has written.
func (s sample) tree() map[string]string {
	s.t.Helper()
	changing := []string{".claude/ui/log/", ".claude/ui/ui-port", ".claude/ui/mcp-port", ".claude/ui/.last-run.json",
		".claude/ui/popups/", ".claude/ui/apps/shopping/items.txt"}
	files := map[string]string{}
	project := filepath.Join(s.root, "project")
	err := filepath.WalkDir(project, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(project, path)
		if err != nil || slices.ContainsFunc(changing, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.Type()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(path)
			files[name] = "-> " + to
			return err
		}
		content, err := os.ReadFile(path)
		files[name] = info.Mode().String() + " " + string(content)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return files
}

// command returns a command that runs in the project.
func (s sample) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = filepath.Join(s.root, "project"), s.environ
	return cmd
}

// do runs a command, which must succeed, and returns its output.
func (s sample) do(name string, args ...string) string {
	s.t.Helper()
	out, err := s.command(name, args...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// question returns the ID of the stored question with a title.
func (s sample) question(title string) (id, file string) {
	s.t.Helper()
	list, _ := filepath.Glob(filepath.Join(s.dir, "popups", "*.json"))
	for _, file := range list {
		var stored struct {
			ID       string
			Question struct{ Title string }
		}
		content, err := os.ReadFile(file)
		if err != nil || json.Unmarshal(content, &stored) != nil {
			s.t.Fatalf("%s: %v, %s", file, err, content)
		}
		if stored.Question.Title == title {
			return stored.ID, file
		}
	}
	s.t.Fatalf("no question %q in %v", title, list)
	return "", ""
}

// serve starts a server, and displays the app that the sample has.
func (s sample) serve(command string) (server, string) {
	s.t.Helper()
	run := server{t: s.t, dir: s.dir, mcp: testkit.Connect(s.t, s.command(command, "mcp", "--dir", s.dir))}
	url := run.ok("ui_start", nil)
	if got, want := run.ok("ui_display", map[string]any{"name": "shopping"}), "Displayed shopping at "+url+"/1/"; !strings.HasPrefix(got, want) || strings.Contains(got, "problem") {
		s.t.Errorf("ui_display: %s", got)
	}
	return run, url
}

// A project that 0.1.0 was used in works as it is: its apps, settings, links, changed files and
// questions. Nothing of it changes but by use.
func TestUpgradeProject(t *testing.T) {
	t.Parallel()
	s := unpack(t, "0.1.0")
	// The question that waits was asked for a day.
	waits, file := s.question("Waits")
	s.edit(file, func(text string) string {
		var stored map[string]any
		if err := json.Unmarshal([]byte(text), &stored); err != nil {
			t.Fatal(err)
		}
		stored["at"], stored["deadline"] = time.Now(), time.Now().Add(time.Hour)
		changed, err := json.Marshal(stored)
		if err != nil {
			t.Fatal(err)
		}
		return string(changed)
	})
	before := s.tree()
	run, url := s.serve("ui-mcp")
	tab := browser.New(t).Tab()
	tab.Open(url + "/1/")
	tab.WaitText(".card h1", "Shopping")
	tab.WaitText("li .grow", "Milk")
	tab.Type("#what", "Bread")
	tab.Click("#add")
	tab.WaitText("#summary", "2 to buy")
	if got := testkit.Read(t, s.dir, "apps/shopping/items.txt"); got != "Milk\nBread\n" {
		t.Errorf("the app has written %q", got)
	}
	run.ok("ui_display", map[string]any{"name": "linked"})
	tab.Wait(`[...document.querySelectorAll("h1")].some(h => h.textContent === "linked")`)
	run.fails("switched off", "ui_run", map[string]any{"code": `session:http({ url = "http://127.0.0.1:1/" }, function() end)`}) // by config.json

	answered, _ := s.question("Answered")
	if got := run.ok("popup_wait", map[string]any{"popupId": answered}); !strings.Contains(got, `"selectedValue":"b"`) {
		t.Errorf("the question that was answered: %s", got)
	}
	late, _ := s.question("Late")
	if got := run.ok("popup_wait", map[string]any{"popupId": late}); !strings.Contains(got, `"selectedValue":"no"`) {
		t.Errorf("the question without an answer: %s", got)
	}
	tab.Open(url + "/popup")
	tab.Wait(dialog("h2") + `.textContent === "Waits" && ` + settled)
	tab.Press("1")
	if got := run.ok("popup_wait", map[string]any{"popupId": waits}); !strings.Contains(got, `"selectedValue":"yes"`) {
		t.Errorf("the question that waits: %s", got)
	}
	if diff := cmp.Diff(before, s.tree()); diff != "" {
		t.Errorf("the project changed (-before +after):\n%s", diff)
	}
}

// Installing the files of the next version keeps what the person has written and changed, and the
// app goes on with its data.
func TestUpgradeInstalledFiles(t *testing.T) {
	t.Parallel()
	s := unpack(t, "0.1.0")
	before := s.tree()
	report := s.do("ui-mcp-next", "install")
	if !strings.Contains(report, "skipped   .claude/ui/viewdefs/MCP.DEFAULT.html\n") || strings.Count(report, "skipped") != 1 || !strings.Contains(report, "installed .claude/ui/README.md\n") {
		t.Errorf("the report:\n%s", report)
	}
	after := s.tree()
	var installed struct{ Files map[string]string }
	_, record, _ := strings.Cut(before[".claude/ui/.install.json"], " ")
	if err := json.Unmarshal([]byte(record), &installed); err != nil {
		t.Fatal(err)
	}
	for name, content := range before {
		base, _ := strings.CutPrefix(name, ".claude/ui/")
		ours := installed.Files["base/"+base] != "" || installed.Files["project/"+name] != "" || name == ".claude/ui/.install.json"
		if (!ours || name == ".claude/ui/viewdefs/MCP.DEFAULT.html") && after[name] != content {
			t.Errorf("%s was\n%s\nand is\n%s", name, content, after[name])
		}
	}
	if again := s.do("ui-mcp-next", "install"); !strings.HasPrefix(again, "Nothing to do: version 99.0.0 is installed") {
		t.Errorf("again: %s", again)
	}
	// An older version leaves the newer files as they are, and works with them.
	newer := s.tree()
	if older := s.do("ui-mcp", "install"); !strings.HasPrefix(older, "Nothing to do: version 99.0.0 is installed, and this is ") {
		t.Errorf("the older version: %s", older)
	}
	_, url := s.serve("ui-mcp")
	tab := browser.New(t).Tab()
	tab.Open(url + "/1/")
	tab.WaitText("li .grow", "Milk")
	if diff := cmp.Diff(newer, s.tree()); diff != "" {
		t.Errorf("the older version changed (-before +after):\n%s", diff)
	}
}

// What a killed server of terminals has left does not keep a newer one from starting, and goes with
// it.
func TestUpgradeTerminals(t *testing.T) {
	t.Parallel()
	s := unpack(t, "0.1.0")
	if got := s.do("wsh", "run", "--", "echo", "still here"); got != "still here\n" {
		t.Errorf("wsh run prints %q", got)
	}
	runtime := filepath.Join(s.root, "home", ".cache", "wsh")
	wait.Until(t, "the server has ended", func() bool {
		list, err := filepath.Glob(filepath.Join(runtime, "*"))
		return err == nil && slices.Equal(list, []string{filepath.Join(runtime, "default.log")})
	})
}
