package uimcp

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
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
	p, err := newProgram(appConfig{Dir: filepath.Join(t.TempDir(), ".claude", "ui"), toolsFlags: toolsFlags{Toolsets: []toolset{uiTools, popupTools, terminalTools}}, Version: "dev", Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	ct, st := mcp.NewInMemoryTransports()
	ss, err := p.mcp.Connect(t.Context(), st, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "0"}, nil).Connect(t.Context(), ct, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		c.Close()
		_ = ss.Wait() // the client has disconnected
	}()
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
