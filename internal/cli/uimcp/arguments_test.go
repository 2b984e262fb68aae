package uimcp

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/testkit/clidocs"
)

// A misfit is one value that does not fit the schema of a tool.
type misfit struct {
	path string
	args any    // with nothing but what leads to it
	want string // in the error
}

// misfits returns values that do not fit a schema, at each place in it.
func misfits(path string, p *jsonschema.Schema, wrap func(any) any) (list []misfit) {
	types := p.Types
	if p.Type != "" {
		types = []string{p.Type}
	}
	for _, form := range p.AnyOf {
		types = append(types, form.Type)
		for _, m := range misfits(path, form, wrap) {
			if m.path != path { // a value of another type may fit another form
				list = append(list, m)
			}
		}
	}
	samples := map[string]any{"string": "x", "number": 1.5, "boolean": true, "object": map[string]any{}, "array": []any{}}
	for kind, v := range samples {
		if path != "" && len(types) > 0 && !slices.Contains(types, kind) {
			list = append(list, misfit{path, wrap(v), fmt.Sprintf("argument %q must be ", path)})
		}
	}
	if len(p.Enum) > 0 {
		list = append(list, misfit{path, wrap("no such choice"), fmt.Sprintf("argument %q cannot be ", path)})
	}
	if p.Minimum != nil {
		list = append(list, misfit{path, wrap(*p.Minimum - 1), fmt.Sprintf("argument %q must be at least ", path)})
	}
	if p.Items != nil {
		list = append(list, misfits(path+"[0]", p.Items, func(v any) any { return wrap([]any{v}) })...)
	}
	inner := func(name string) string { return strings.TrimPrefix(path+"."+name, ".") }
	for name, field := range p.Properties {
		list = append(list, misfits(inner(name), field, func(v any) any { return wrap(map[string]any{name: v}) })...)
	}
	switch {
	case p.AdditionalProperties == nil:
	case p.AdditionalProperties.Not != nil:
		list = append(list, misfit{inner("zzz"), wrap(map[string]any{"zzz": 1}), fmt.Sprintf("unknown argument %q", inner("zzz"))})
	default:
		list = append(list, misfits(inner("zzz"), p.AdditionalProperties, func(v any) any { return wrap(map[string]any{"zzz": v}) })...)
	}
	return list
}

// Whatever is wrong with an argument of a tool, the error names it by its path and says what it
// must be, in our words.
func TestErrorsOfArguments(t *testing.T) {
	cache(t)
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	p, err := newProgram(appConfig{Dir: filepath.Join(t.TempDir(), ".claude", "ui"), appFlags: appFlags{Toolsets: []toolset{uiTools, popupTools, terminalTools}}, env: env{version: "dev"}, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	c := testkit.InMemory(t, p.mcp.Server, nil, "")
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	foreign := regexp.MustCompile(`validating|schema|/properties|/items|anyOf|additional prop|json:|Go `)
	nested := 0
	for _, tool := range list.Tools {
		text, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var schema jsonschema.Schema
		if err := json.Unmarshal(text, &schema); err != nil {
			t.Fatal(err)
		}
		for _, m := range misfits("", &schema, func(v any) any { return v }) {
			if strings.ContainsAny(m.path, ".[") {
				nested++
			}
			_, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: m.args})
			if err == nil || !strings.Contains(err.Error(), m.want) || foreign.MatchString(err.Error()) {
				t.Errorf("%s %v: %v, want %s", tool.Name, m.args, err, m.want)
			}
		}
	}
	if nested < 20 {
		t.Errorf("only %d nested values were tried", nested)
	}
}

var update = flag.Bool("update", false, "rewrite docs/ui-mcp-commands.md")

// Documents, help and messages call ui-mcp with commands and flags that exist.
func TestDocumentedCalls(t *testing.T) {
	std := commandline.Streams{Out: io.Discard, Err: io.Discard}
	parse := func(args []string) error {
		_, _, err := new(grammar).program("", std).Parse(args)
		return err
	}
	clidocs.CheckCalls(t, "ui-mcp", parse)
}

// docs/ui-mcp-commands.md describes every command with its flags.
func TestReference(t *testing.T) {
	const intro = `This is what "ui-mcp COMMAND --help" and "ui-mcp man COMMAND" print, on one page,
which "go test ./internal/cli/uimcp -run TestReference -update" writes. [README.md](../README.md)
introduces the commands, and has the settings of a project.`
	clidocs.CheckReference(t, "ui-mcp-commands.md", intro, new(grammar).program("", commandline.Streams{}).Model(), *update)
}

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
