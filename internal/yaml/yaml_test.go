package yaml_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/yaml"
)

func TestOf(t *testing.T) {
	got := string(yaml.Of(map[string]any{
		"paths": []any{}, "title": "a: b", "zero": 0, "yes": "no", "text": "plain (text); more.", "list": []any{"a", "b c", 1, nil, true},
		"objects": []any{map[string]any{"name": "x", "in": map[string]any{}}, []any{map[string]any{"a": "#b"}}}, "": "\"\n<&>", "1": "1", "comma": "a, b",
		"deep": map[string]any{"er": map[string]any{"null": nil, "f": 1.5}},
	}))
	want := `title: "a: b"
paths: []
"": "\"\n<&>"
"1": "1"
comma: "a, b"
deep:
  er:
    f: 1.5
    "null": null
list:
  - "a"
  - "b c"
  - 1
  - null
  - true
objects:
  - name: "x"
    in: {}
  - - a: "#b"
text: "plain (text); more."
"yes": "no"
zero: 0
`
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
