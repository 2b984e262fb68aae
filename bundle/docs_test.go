package bundle_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/ui/viewdef"
)

// A block is a fenced code block of a Markdown text.
type block struct {
	language, code string
	line           int // of the text
}

// blocks returns the fenced code blocks of a Markdown text, without their indentation.
func blocks(t *testing.T, markdown string) []block {
	t.Helper()
	var found []block
	var open *block
	indent := ""
	n := 0
	for line := range strings.Lines(markdown) {
		n++
		trimmed := strings.TrimSpace(line)
		fence, isFence := strings.CutPrefix(trimmed, "```")
		switch {
		case open == nil && isFence:
			indent, _, _ = strings.Cut(line, "```")
			open = &block{language: fence, line: n}
		case open != nil && isFence:
			found = append(found, *open)
			open = nil
		case open != nil:
			open.code += strings.TrimPrefix(line, indent)
		}
	}
	if open != nil {
		t.Errorf("the code block at line %d has no end", open.line)
	}
	return found
}

// fileLine is the first line of a block that is a whole file, with the file's name.
var fileLine = regexp.MustCompile(`^(?:--|<!--) ((?:apps|lua|viewdefs)/[\w./-]+)(?: -->)?\n`)

var appFile = regexp.MustCompile(`^apps/([\w-]+)/`)

// expectation is the end of a block of Lua that gives its result.
var expectation = regexp.MustCompile(`--> (.*?)(, soon)?\n$`)

// A story follows a document from top to bottom in a project of its own, as its reader would:
//
//   - Lua and HTML that start with the name of a file become that file; then its app is displayed;
//   - other Lua runs with ui_run; a "--> JSON" at its end must be the result, or, with ", soon",
//     become it;
//   - other HTML replaces the view definition of the displayed object;
//   - sh runs in the project; JSON after it must be its output, a line for each value.
//
// Nothing may fail, and bindings may name only what their app declares. At the end, and before
// another app is displayed, the story uses every control once.
type story struct {
	*world
	file   string // the document
	lua    strings.Builder
	app    string // the app to display
	fresh  bool   // files were written since it was displayed
	output []string
}

// documents returns the bundled texts by their path in the bundle.
func documents(t *testing.T) map[string]string {
	t.Helper()
	return files(t, ".md")
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	for name, text := range documents(t) {
		list := blocks(t, text)
		if len(list) == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			toolsets := []string{"ui", "popup"}
			if strings.Contains(text, "<ui-terminal") && strings.Contains(text, "terminal.create(") {
				if runtime.GOOS == "windows" {
					t.Skip("it needs a shell")
				}
				toolsets = append(toolsets, "terminal")
			}
			s := &story{world: newWorld(t, "--toolsets", strings.Join(toolsets, ",")), file: name}
			for _, b := range list {
				s.follow(b)
				if t.Failed() {
					t.Fatalf("%s:%d: the code block that starts here", name, b.line)
				}
			}
			s.leave()
		})
	}
}

func (s *story) follow(b block) {
	s.t.Helper()
	m := fileLine.FindStringSubmatch(b.code)
	switch {
	case b.language == "lua":
		s.lua.WriteString(b.code)
		if m != nil {
			s.writeFile(m[1], b.code)
			return
		}
		s.show()
		got, want := s.run("1", b.code), expectation.FindStringSubmatch(b.code)
		switch {
		case want == nil:
		case want[2] != "":
			wait.Until(s.t, fmt.Sprintf("%s is %s", b.code, want[1]), func() bool { got = s.run("1", b.code); return got == want[1] })
		default:
			s.same(want[1], got)
		}
	case b.language == "html" && m != nil:
		s.check(strings.TrimSuffix(filepath.Base(m[1]), ".html"), b.code)
		s.writeFile(m[1], b.code)
	case b.language == "html":
		s.show()
		typ := s.text("1", "return mcp.value.type")
		src := "<template>\n" + b.code + "</template>\n"
		s.check(typ+".DEFAULT", src)
		s.write("apps/"+s.app+"/viewdefs/"+typ+".DEFAULT.html", src)
		s.display("1", s.app)
		s.useAll("1")
	case b.language == "sh":
		s.show()
		s.shell(b.code)
	case b.language == "json":
		s.expect(b.code)
	case b.language != "text":
		s.t.Errorf("no rule says how to run %q", b.language)
	}
}

// writeFile writes a file of an app, which is displayed once it is complete.
func (s *story) writeFile(name, content string) {
	s.t.Helper()
	if m := appFile.FindStringSubmatch(name); m != nil && m[1] != s.app {
		if s.app != "" {
			s.leave()
		}
		s.app = m[1]
	}
	s.write(name, content)
	s.fresh = true
}

// show displays the app whose files were written, or the demo app in a document that writes none.
func (s *story) show() {
	s.t.Helper()
	if s.app == "" {
		s.app, s.fresh = "contacts", true
	}
	if s.fresh {
		s.display("1", s.app)
		s.fresh = false
	}
}

// leave displays the app, if it was not displayed yet, and uses all of it.
func (s *story) leave() {
	s.t.Helper()
	s.show()
	s.useAll("1")
	s.display("1", s.app)
}

// check parses a view definition. It must be valid and bind only what the document's Lua declares.
func (s *story) check(key, src string) {
	s.t.Helper()
	tmpl, err := viewdef.Parse(key, key+".html", src)
	if err != nil {
		s.t.Error(err)
		return
	}
	for _, w := range tmpl.Warnings {
		s.t.Error(w)
	}
	for _, b := range tmpl.Bindings {
		for _, step := range b.Path.Steps {
			if step.Name != "" && !declares(s.lua.String(), step.Name) && !slices.Contains(builtIn, step.Name) {
				s.t.Errorf("%s: %s, and no Lua has %s", key, b.Source, step.Name)
			}
		}
	}
}

// builtIn are the fields of the engine's own objects, and of mcp.chat.
var builtIn = []string{"item", "baseItem", "index", "list", "items", "value", "views", "theme", "locale", "displayMode"}

// declares reports whether code sets a field or has a method of that name.
func declares(code, name string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + ` = |[:.]` + regexp.QuoteMeta(name) + `\(`).MatchString(code)
}

// shell runs a script in the project and collects the lines that it prints.
func (s *story) shell(script string) {
	s.t.Helper()
	if runtime.GOOS == "windows" {
		s.t.Skip("the scripts are for POSIX shells")
	}
	if _, err := exec.LookPath("curl"); err != nil {
		s.t.Skip("the scripts need curl")
	}
	s.output = nil
	bin := s.t.TempDir()
	if err := os.Symlink(command(s.t).Path, filepath.Join(bin, "ui-mcp")); err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), wait.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-eu", "-c", script)
	cmd.Dir = s.project
	cmd.Env = append(os.Environ(), asCommand+"=1", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		s.t.Errorf("sh: %v\n%s", err, errs.String())
	}
	s.output = strings.Split(strings.TrimSpace(out.String()), "\n")
}

// expect compares the output of the previous script with JSON values.
func (s *story) expect(want string) {
	s.t.Helper()
	s.same("["+strings.Join(values(s.t, want), ",")+"]", "["+strings.Join(s.output, ",")+"]")
}

// values splits a text into its JSON values.
func values(t *testing.T, text string) []string {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	var list []string
	for dec.More() {
		var v json.RawMessage
		if err := dec.Decode(&v); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		list = append(list, string(v))
	}
	return list
}

// same compares two JSON texts.
func (s *story) same(want, got string) {
	s.t.Helper()
	var a, b any
	if err := json.Unmarshal([]byte(want), &a); err != nil {
		s.t.Errorf("%v in %s", err, want)
	}
	if err := json.Unmarshal([]byte(got), &b); err != nil {
		s.t.Errorf("%v in %s", err, got)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		s.t.Errorf("(-in the document +result)\n%s", diff)
	}
}
