package uimcp_test

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

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
