package uimcp_test

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"golang.org/x/mod/modfile"

	"ui-mcp/docs"
	"ui-mcp/internal/markdown"
	"ui-mcp/internal/term"
)

// readText returns a file's content. Its name has slashes and is relative to the root.
func readText(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// section returns the part of a Markdown text below a heading, up to the next one of that level.
func section(t *testing.T, markdown, heading string) string {
	t.Helper()
	_, text, found := strings.Cut(markdown, "\n"+heading+"\n")
	if !found {
		t.Fatalf("there is no heading %q", heading)
	}
	level, _, _ := strings.Cut(heading, " ")
	text, _, _ = strings.Cut(text, "\n"+level+" ")
	return text
}

// pages lists README.md and the files in docs that match a pattern.
func pages(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob("docs/" + pattern)
	if err != nil || len(found) == 0 {
		t.Fatalf("docs/%s matches %q, error %v", pattern, found, err)
	}
	return append(found, "README.md")
}

// Files and directories that the documents name exist. A name in capitals stands for any.
func TestNamedPathsExist(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile("`((?:internal|web|bundle|docs|tools|cmd|e2e|examples|skills)(?:/[A-Za-z0-9_.-]+)*)`")
	for _, doc := range pages(t, "*.md") {
		for _, m := range named.FindAllStringSubmatch(readText(t, doc), -1) {
			if m[1] == "tools/call" { // a method of MCP
				continue
			}
			path := regexp.MustCompile(`/[A-Z]+\b[^/]*`).ReplaceAllString(m[1], "/*")
			if files, err := filepath.Glob(filepath.FromSlash(path)); err != nil || len(files) == 0 {
				t.Errorf("%s names %s, which does not exist", doc, m[1])
			}
		}
	}
}

// The tests that documents name exist, whole or as a prefix.
func TestNamedTestsExist(t *testing.T) {
	t.Parallel()
	var tests []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && (d.Name() == "node_modules" || d.Name() == ".git") {
				return fs.SkipDir
			}
			return err
		}
		if strings.HasSuffix(path, "_test.go") {
			for _, m := range declared.FindAllStringSubmatch(readText(t, filepath.ToSlash(path)), -1) {
				tests = append(tests, m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`\b(?:Test|Benchmark|Fuzz)[A-Z]\w+`)
	for _, doc := range append(pages(t, "*.md"), pages(t, "adr/*.md")...) {
		for _, name := range named.FindAllString(readText(t, doc), -1) {
			if !slices.ContainsFunc(tests, func(s string) bool { return strings.HasPrefix(s, name) }) {
				t.Errorf("%s names %s, which does not exist", doc, name)
			}
		}
	}
}

// docs/adr/README.md lists every decision under its number and title.
func TestDecisionsAreListed(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("docs/adr/[0-9]*.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, file := range files {
		name := filepath.Base(file)
		title, _, _ := strings.Cut(readText(t, "docs/adr/"+name), "\n")
		number, title, _ := strings.Cut(strings.TrimPrefix(title, "# "), ". ")
		if !strings.HasSuffix("000"+number, name[:4]) {
			t.Errorf("docs/adr/%s has number %s in its title", name, number)
		}
		want = append(want, "| ["+name[:4]+"]("+name+") | "+title+" |")
	}
	var got []string
	for line := range strings.Lines(readText(t, "docs/adr/README.md")) {
		if strings.HasPrefix(line, "| [") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/adr/README.md (-records +list)\n%s", diff)
	}
}

// ADR 13 gives a reason for every library that go.mod and the files package.json require.
func TestDependenciesHaveReasons(t *testing.T) {
	t.Parallel()
	mod, err := modfile.Parse("go.mod", []byte(readText(t, "go.mod")), nil)
	if err != nil {
		t.Fatal(err)
	}
	var required, listed []string
	for _, r := range mod.Require {
		if !r.Indirect {
			required = append(required, strings.TrimPrefix(r.Mod.Path, "github.com/"))
		}
	}
	for _, file := range []string{"conformance", "e2e/testdata/axe", "internal/term/vt/testdata/xterm", "internal/testkit/apphost/page", "packaging/build/testdata/inspector", "web/shoelace", "web/xterm"} {
		var p struct{ Dependencies, DevDependencies map[string]string }
		if err := json.Unmarshal([]byte(readText(t, file+"/package.json")), &p); err != nil {
			t.Fatal(err)
		}
		required = slices.AppendSeq(required, maps.Keys(p.Dependencies))
		required = slices.AppendSeq(required, maps.Keys(p.DevDependencies))
	}
	for line := range strings.Lines(readText(t, "docs/adr/0013-dependencies.md")) {
		if cells := strings.Split(line, " | "); len(cells) == 3 && cells[0] != "| library" && cells[0] != "| package" {
			listed = append(listed, strings.Split(strings.TrimPrefix(cells[0], "| "), ", ")...)
		}
	}
	slices.Sort(required)
	required = slices.Compact(required)
	slices.Sort(listed)
	if diff := cmp.Diff(required, listed); diff != "" {
		t.Errorf("docs/adr/0013-dependencies.md (-required +listed)\n%s", diff)
	}
}

// Who takes over reads architecture.md whole: it stays short, and its files to read first exist.
func TestArchitectureIsShort(t *testing.T) {
	t.Parallel()
	text := readText(t, "docs/architecture.md")
	if n := len(strings.Fields(text)); n > 2500 {
		t.Errorf("docs/architecture.md has %d words", n)
	}
	if n := len(regexp.MustCompile("`[^`]+\\.(?:go|ts)`").FindAllString(section(t, text, "## Ten files to read first"), -1)); n != 10 {
		t.Errorf("docs/architecture.md names %d files to read first", n)
	}
}

// What is written by hand is short: the pages without the generated ones and the tables that
// programs write.
func TestPagesAreShort(t *testing.T) {
	t.Parallel()
	const limit = 40_000 // words
	table := regexp.MustCompile(`(?s)<!-- make .*?-->.*?<!-- .*?-->`)
	words := 0
	for _, page := range pages(t, "*.md") {
		text := table.ReplaceAllString(readText(t, page), "")
		switch page {
		case "docs/api.md", "docs/ui-mcp-commands.md", "docs/wsh-commands.md":
			continue
		case "docs/clients.md":
			text, _, _ = strings.Cut(text, "## What was seen")
		}
		words += len(strings.Fields(text))
	}
	if words > limit || words < limit/2 {
		t.Errorf("the pages have %d words, of at most %d", words, limit)
	}
}

// What the next version brings is read at once.
func TestChangesAreShort(t *testing.T) {
	t.Parallel()
	if n := len(strings.Fields(section(t, readText(t, "CHANGELOG.md"), "## [Unreleased]"))); n > 1_200 {
		t.Errorf("CHANGELOG.md has %d words on the next version, of at most 1,200: say less of what else is there", n)
	}
}

// docs/README.md lists each page of docs and each guide once, and the site has the pictures of the
// pages.
func TestPagesAreListed(t *testing.T) {
	t.Parallel()
	index := readText(t, "docs/README.md")
	picture := regexp.MustCompile(`!\[[^]]*\]\(([^)]+)\)`)
	for _, page := range pages(t, "*.md") {
		name := strings.TrimPrefix(filepath.ToSlash(page), "docs/")
		if name != "README.md" && strings.Count(index, "]("+name+")") != 1 {
			t.Errorf("docs/README.md lists %s %d times", name, strings.Count(index, "]("+name+")"))
		}
		for _, m := range picture.FindAllStringSubmatch(readText(t, page), -1) {
			if _, err := fs.Stat(docs.Files, m[1]); err != nil && page != "README.md" {
				t.Errorf("%s shows a picture that docs/docs.go does not embed: %v", page, err)
			}
		}
	}
	for _, guide := range guides(t) {
		if link := "](../" + guide + ")"; strings.Count(index, link) != 1 {
			t.Errorf("docs/README.md lists %s %d times", guide, strings.Count(index, link))
		}
	}
	for _, page := range []string{"README.md", "docs/for-people.md", "docs/tutorial.md"} {
		if !strings.Contains(readText(t, page), "bundle/base/resources/cheatsheet.md)") {
			t.Errorf("%s does not lead authors of apps to the cheatsheet", page)
		}
	}
}

// guides lists the guides for those who write apps.
func guides(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("bundle/base/resources/*.md")
	if err != nil {
		t.Fatal(err)
	}
	patterns, err := filepath.Glob("bundle/base/resources/patterns/*.md")
	if err != nil || len(found) == 0 || len(patterns) == 0 {
		t.Fatalf("guides %q, patterns %q, error %v", found, patterns, err)
	}
	return append(found, patterns...)
}

// command is a call of go test with -bench: the expression, and the package.
var command = regexp.MustCompile(`go test .*-bench (\S+) .*(\./[\w./]+)`)

// Every command for benchmarks in docs/performance.md runs some.
func TestBenchmarksExist(t *testing.T) {
	t.Parallel()
	commands := command.FindAllStringSubmatch(readText(t, "docs/performance.md"), -1)
	if len(commands) == 0 {
		t.Fatal("docs/performance.md has no command for benchmarks")
	}
	for _, m := range commands {
		if m[1] == "NAME" {
			continue
		}
		pattern, err := regexp.Compile(m[1])
		if err != nil {
			t.Fatal(err)
		}
		found := slices.ContainsFunc(slices.Collect(maps.Keys(testsIn(t, m[2]))), func(name string) bool {
			return strings.HasPrefix(name, "Benchmark") && pattern.MatchString(name)
		})
		if !found {
			t.Errorf("docs/performance.md: %s has no benchmark %s", m[2], m[1])
		}
	}
}

// source is the address of a picture in HTML.
var source = regexp.MustCompile(`\bsrc(?:set)?="([^"]*)"`)

// The links and pictures in the documents lead to files and headings that exist.
func TestLinks(t *testing.T) {
	t.Parallel()
	checked := append(append(append(pages(t, "*.md"), pages(t, "adr/*.md")...), guides(t)...), "CHANGELOG.md", "docs/screenshots/README.md", "examples/release/README.md", "web/shoelace/README.md")
	for _, page := range checked {
		text := readText(t, page)
		var targets []string
		markdown.Parse(text, func(to string, _ bool) string {
			targets = append(targets, to)
			return to
		})
		for _, m := range source.FindAllStringSubmatch(text, -1) {
			if page == "README.md" { // other documents show HTML as code
				targets = append(targets, m[1])
			}
		}
		for _, to := range targets {
			if strings.HasPrefix(to, "https://") {
				continue
			}
			file, heading, _ := strings.Cut(to, "#")
			target := page
			if file != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(page), filepath.FromSlash(file)))
			}
			if _, err := os.Stat(filepath.FromSlash(target)); err != nil {
				t.Errorf("%s: %v", page, err)
			} else if heading != "" && !slices.ContainsFunc(sections(readText(t, target)), func(s markdown.Section) bool { return s.Anchor == heading }) {
				t.Errorf("%s: %s has no heading #%s", page, target, heading)
			}
		}
	}
}

// sections returns the sections of a document.
func sections(text string) []markdown.Section {
	return markdown.Parse(text, func(to string, _ bool) string { return to }).Sections
}

// Each table in the documents has a line of dashes below its head, and rows of as many cells: an
// empty line inside it would end it.
func TestTables(t *testing.T) {
	t.Parallel()
	rule := regexp.MustCompile(`^\|(?: ?:?-+:? ?\|)+$`)
	cell := regexp.MustCompile(`(?:^|[^\\])\|`)
	for _, page := range append(append(pages(t, "*.md"), pages(t, "adr/*.md")...), "CHANGELOG.md") {
		columns, code := 0, false // 0 outside of tables
		lines := strings.Split(readText(t, page), "\n")
		for i, line := range lines {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				code = !code
			}
			switch n := len(cell.FindAllString(line, -1)); {
			case code || !strings.HasPrefix(line, "|"):
				columns = 0
			case columns == 0 && (i+1 == len(lines) || !rule.MatchString(lines[i+1])):
				t.Errorf("%s:%d: this row belongs to no table", page, i+1)
			case columns != 0 && n != columns:
				t.Errorf("%s:%d: %d columns, want %d", page, i+1, n-1, columns-1)
			default:
				columns = n
			}
		}
	}
}

// The documents name every path that ui-mcp serves. Those of wsh server are checked where they are.
func TestPathsAreDocumented(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, page := range append(pages(t, "*.md"), guides(t)...) {
		text.WriteString(readText(t, page))
	}
	handled := regexp.MustCompile(`\.Handle(?:Func)?\("(?:[A-Z]+ )?(?:\w+)?(/[\w./-]+)`)
	found := 0
	for _, dir := range []string{"httpui", "httppopup"} {
		files, err := filepath.Glob("internal/transport/" + dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, m := range handled.FindAllStringSubmatch(readText(t, filepath.ToSlash(file)), -1) {
				found++
				if m[1] == "/shoelace/" { // files of a page
					continue
				}
				if !strings.Contains(text.String(), strings.TrimSuffix(m[1], "/")) {
					t.Errorf("no document names %s, which %s serves", m[1], file)
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("%d paths were found", found)
	}
}

// docs/sessions.md has the keys of all actions of the page.
func TestKeysOfThePageAreDocumented(t *testing.T) {
	t.Parallel()
	keys := section(t, readText(t, "docs/sessions.md"), "### Keys of the page")
	names := strings.NewReplacer("Comma", ",", "Period", ".", "Equal", "=", "Minus", "-")
	together := strings.NewReplacer(
		"`Ctrl+Alt+Shift` with ↑ and ↓", "`Ctrl+Alt+Shift+ArrowUp` `Ctrl+Alt+Shift+ArrowDown`",
		"`Alt+Shift` and an arrow", "`Alt+Shift+ArrowLeft` `Alt+Shift+ArrowRight` `Alt+Shift+ArrowUp` `Alt+Shift+ArrowDown`",
	).Replace(keys)
	found := regexp.MustCompile(`"((?:Ctrl|Alt|Shift)\+[^"]+)"`).FindAllStringSubmatch(readText(t, "web/src/terminals/app.ts"), -1)
	if len(found) < 20 {
		t.Fatalf("only %d keys were found", len(found))
	}
	for _, key := range found {
		if !strings.Contains(together, "`"+names.Replace(key[1])+"`") {
			t.Errorf("%s is missing", key[1])
		}
	}
}

// What a session does has the same words wherever it is named: to people who call "wsh list", to
// programs that wait for it, on the page and in the document. The chooser and HTTP have the words
// of the server as they are.
func TestStatesHaveOneVocabulary(t *testing.T) {
	t.Parallel()
	for name, part := range map[string]string{
		"docs/terminal.md":                  "(?m)(^\\| `[a-z]+` \\| .*\n){6}",
		"internal/cli/wsh/details.go":       `(?m)^A state is .*$`,
		"internal/terminals/wait.go":        `states to wait for: .*?;`,
		"web/src/terminals/data/session.ts": `state: one\(.*`,
	} {
		text := regexp.MustCompile(part).FindString(readText(t, name))
		for _, state := range term.States {
			if !regexp.MustCompile(`\b` + string(state) + `\b`).MatchString(text) {
				t.Errorf("%s does not list %s: %q", name, state, text)
			}
		}
	}
}

// executed are the tests that run the code of a language in documents, by their pages.
var executed = map[string]map[string]string{
	"lua":  {"README.md": "TestReadmeApp", "docs/tutorial.md": "TestTutorial"},
	"html": {"README.md": "TestReadmeApp", "docs/tutorial.md": "TestTutorial"},
	"console": {
		"docs/wsh.md": "TestDocument", "docs/terminal.md": "TestTerminalDocuments", "docs/security.md": "TestTerminalDocuments",
	},
	"websocket": {"docs/terminal.md": "TestTerminalDocuments"},
}

// programs are what the commands in documents begin with.
var programs = []string{"cd", "claude", "code", "codex", "curl", "git", "go", "make", "mkdir", "npm", "npx", "ui-mcp", "wsh"}

// Each block of code in the documents is run by a test, or checked here, or says that it is text. A
// block without a language has commands of a shell, whose calls of our programs TestDocumentedCalls
// parses. The lists of commands are generated, and checked with the help that they come from.
func TestCodeBlocks(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{}
	for _, dir := range []string{"bundle", "e2e", "examples/hello", "internal/cli/wsh"} {
		for name := range testsIn(t, dir) {
			tests[name] = true
		}
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Log("commands are not parsed: ", err)
	}
	for _, page := range append(append(pages(t, "*.md"), pages(t, "adr/*.md")...), "examples/release/README.md") {
		page = filepath.ToSlash(page)
		if strings.HasSuffix(page, "-commands.md") {
			continue
		}
		for _, b := range codeBlocks(readText(t, page)) {
			var problem error
			switch b.language {
			case "text":
			case "":
				problem = commands(sh, b.code)
			case "json":
				if !json.Valid([]byte(b.code)) {
					problem = fmt.Errorf("this is not JSON")
				}
			case "toml":
				problem = toml.Unmarshal([]byte(b.code), &map[string]any{})
			case "go":
				_, problem = parser.ParseExpr("func() {\n" + b.code + "}")
			default:
				if test := executed[b.language][page]; !tests[test] {
					problem = fmt.Errorf("no test runs code in %q of this page: add it to one, and that to executed, or call it text", b.language)
				}
			}
			if problem != nil {
				t.Errorf("%s: %v:\n%s", page, problem, b.code)
			}
		}
	}
}

type codeBlock struct{ language, code string }

// codeBlocks returns the blocks of a document, fenced and indented ones.
func codeBlocks(markdown string) (list []codeBlock) {
	source := []byte(markdown)
	_ = ast.Walk(goldmark.DefaultParser().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			list = append(list, codeBlock{string(n.Language(source)), string(n.Lines().Value(source))})
		case *ast.CodeBlock:
			list = append(list, codeBlock{"", string(n.Lines().Value(source))})
		}
		return ast.WalkContinue, nil
	})
	return list
}

// commands returns what is wrong with a block of commands: each line begins with one of programs,
// or continues the one before, and a shell can parse them.
func commands(sh, code string) error {
	first := regexp.MustCompile(`^[\w-]+`)
	for line := range strings.Lines(code) {
		if !slices.Contains(programs, first.FindString(strings.TrimSpace(line))) {
			return fmt.Errorf("%q begins with no known program: mark it as text, unless it is a command", strings.TrimSpace(line))
		}
	}
	if sh == "" {
		return nil
	}
	parse := exec.Command(sh, "-n")
	parse.Stdin = strings.NewReader(code)
	if out, err := parse.CombinedOutput(); err != nil {
		return fmt.Errorf("a shell cannot parse this: %w\n%s", err, out)
	}
	return nil
}

// The check of blocks finds what it is for.
func TestCodeBlockMistakes(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	blocks := codeBlocks("Text\n\n    wsh list | cat\n\n- one\n\n  ```json\n  {}\n  ```\n")
	if want := []codeBlock{{"", "wsh list | cat\n"}, {"json", "{}\n"}}; !slices.Equal(blocks, want) {
		t.Errorf("codeBlocks = %q, want %q", blocks, want)
	}
	for code, ok := range map[string]bool{"wsh list | cat\n": true, "agent -- page\n": false, "wsh send 'x\n": false, "make test # and more\n": true} {
		if err := commands(sh, code); (err == nil) != ok {
			t.Errorf("commands(%q) = %v", code, err)
		}
	}
}
