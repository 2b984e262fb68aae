//go:build unix

package wsh

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ui-mcp/internal/cli/commandline"
)

// The console blocks of docs/wsh.md do what stands there, in order, with one server. In an answer,
// … stands for any text.
func TestDocument(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/wsh.md")
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	steps := 0
	for _, block := range regexp.MustCompile("(?ms)^```console\n(.*?)^```$").FindAllStringSubmatch(string(page), -1) {
		for step := range strings.SplitSeq(strings.TrimPrefix(block[1], "$ "), "\n$ ") {
			command, answer, _ := strings.Cut(strings.TrimRight(step, "\n"), "\n")
			steps++
			fmt.Fprintf(&script, "exec sh -c '%s'\n", strings.ReplaceAll(command, "'", "''"))
			if answer == "" {
				script.WriteString("! stdout .\n")
				continue
			}
			pattern := strings.ReplaceAll(regexp.QuoteMeta(answer), "…", "(.|\n)*")
			fmt.Fprintf(&script, "stdout '\\A%s\\n*\\z'\n", strings.ReplaceAll(strings.ReplaceAll(pattern, "\n", `\n`), "'", "''"))
		}
	}
	if steps < 40 {
		t.Errorf("%d commands were found", steps)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "document.txtar"), []byte(script.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	p := scripts(t)
	p.Dir, p.UpdateScripts = dir, false
	testscript.Run(t, p)
}

// docs/wsh.md lists every command, and the README none that does not exist.
func TestCommandsAreListed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"docs/wsh.md", "README.md"} {
		text, err := os.ReadFile("../../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		listed := map[string]bool{}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "| `wsh") {
				cell, _, _ := strings.Cut(line[2:], "|")
				for _, m := range regexp.MustCompile("`wsh ([a-z]+)`").FindAllStringSubmatch(cell, -1) {
					listed[m[1]] = true
				}
			}
		}
		for _, c := range new(grammar).program("", nil, commandline.Streams{}).Model().Children {
			if !c.Hidden && !listed[c.Name] && name == "docs/wsh.md" {
				t.Errorf("%s does not list wsh %s", name, c.Name)
			}
			delete(listed, c.Name)
		}
		for command := range listed {
			t.Errorf("%s lists wsh %s, which does not exist", name, command)
		}
	}
}
