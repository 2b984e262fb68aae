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
