//go:build unix

package wsh

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/testkit/clidocs"
	"ui-mcp/internal/testkit/load"
)

// Documents, help and messages call wsh with commands and flags that exist.
func TestDocumentedCalls(t *testing.T) {
	load.Sequential(t)
	t.Parallel()
	setenv(t, "WSH_CONFIG", "/dev/null")
	std := commandline.Streams{Out: io.Discard, Err: io.Discard}
	parse := func(args []string) error {
		_, _, err := new(grammar).program("", nil, std).Parse(args)
		return err
	}
	clidocs.CheckCalls(t, "wsh", parse)
}

// docs/wsh-commands.md describes every command with its flags.
func TestReference(t *testing.T) {
	t.Parallel()
	const intro = `This is what "wsh help COMMAND" and "wsh man COMMAND" print, on one page, which
"go test ./internal/cli/wsh -run TestReference -update" writes. [wsh.md](wsh.md) introduces the
commands; [sessions.md](sessions.md) has the keys of an attached terminal, and
[terminal.md](terminal.md) what the server's flags mean in its configuration file.`
	clidocs.CheckReference(t, "wsh-commands.md", intro, new(grammar).program("", nil, commandline.Streams{}).Model(), *update)
}

// "wsh help environment" and docs/terminal.md name every variable of ours, and no others.
func TestVariablesAreDocumented(t *testing.T) {
	t.Parallel()
	variables := []string{instance.Variable, registry.SessionVariable, registry.IDVariable}
	model := new(grammar).program("", nil, commandline.Streams{}).Model()
	for _, node := range append(model.Leaves(false), model.Node) {
		for _, f := range node.Flags {
			variables = append(variables, f.Envs...)
		}
	}
	page, err := os.ReadFile("../../../docs/terminal.md")
	if err != nil {
		t.Fatal(err)
	}
	isTopic := func(topic commandline.Topic) bool { return topic.Name == "environment" }
	topic := topics[slices.IndexFunc(topics, isTopic)].Text
	for where, text := range map[string]string{"wsh help environment": topic, "docs/terminal.md": string(page)} {
		named := regexp.MustCompile(`\bWSH_[A-Z_]*[A-Z]\b`).FindAllString(text, -1)
		for _, name := range variables {
			if !slices.Contains(named, name) {
				t.Errorf("%s does not name %s", where, name)
			}
		}
		for _, name := range named {
			if !slices.Contains(variables, name) {
				t.Errorf("%s names %s, which does not exist", where, name)
			}
		}
	}
}

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
	if steps < 30 {
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
