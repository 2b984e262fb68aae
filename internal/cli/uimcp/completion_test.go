package uimcp

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/cli/commandline"
)

// The candidates for the next word, as the scripts of the shells get them.
func TestComplete(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, app := range []string{".claude/ui/apps/contacts", "other/apps/shopping"} {
		if err := os.MkdirAll(filepath.Join(dir, app), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		line string // the last word is incomplete
		want string // words that must be offered
		not  string // words that must not be
	}{
		{"", "mcp serve install event state variables linkapp completion version", "add bash complete"},
		{"se", "serve", "mcp"},
		{"linkapp ", "add remove list", "serve"},
		{"linkapp add ", "contacts", "shopping"},
		{"linkapp add --dir other ", "shopping", "contacts"},
		{"serve --demo c", "contacts", ""},
		{"linkapp list --", "--dir --help", "--session --force"},
		{"completion ", "bash zsh fish", "mcp"},
		{"event --", "--once --session --dir", "--port"},
		{"--", "--help --version", "--dir"},
		{"mcp --log-level ", "debug info warn error", "--dir mcp"},
		{"mcp --dir ", "directories", ""},
		{"serve --port ", "", "--dir"},
	} {
		var out, errs bytes.Buffer
		status := Run(t.Context(), "0.1.0", append([]string{"complete", "zsh", "--"}, strings.Split(tt.line, " ")...), commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if status != commandline.ExitOK || errs.Len() > 0 {
			t.Fatalf("%q: status %d, errors %q", tt.line, status, errs.String())
		}
		offered := map[string]bool{}
		for line := range strings.Lines(out.String()) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
			offered[word] = true
		}
		for w := range strings.FieldsSeq(tt.want) {
			if !offered[w] {
				t.Errorf("%q: does not offer %s: %q", tt.line, w, out.String())
			}
		}
		for w := range strings.FieldsSeq(tt.not) {
			if offered[w] {
				t.Errorf("%q: offers %s: %q", tt.line, w, out.String())
			}
		}
	}
}
