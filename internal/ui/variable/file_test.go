package variable_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/ui/variable"
)

// A page is not trusted with the form of a file, nor with its size.
func TestFileOf(t *testing.T) {
	most := strings.Repeat("x", variable.MaxFile)
	for _, tt := range []struct{ sent, want any }{
		{nil, nil},
		{[]any{"a.txt", "text/plain", 2.0, "hi"}, map[string]any{"name": "a.txt", "mime": "text/plain", "size": 2.0, "text": "hi"}},
		{[]any{"a", "", 1.0, false, "/w=="}, map[string]any{"name": "a", "mime": "", "size": 1.0, "base64": "/w=="}},
		{[]any{"a", "", 0.0, ""}, map[string]any{"name": "a", "mime": "", "size": 0.0, "text": ""}},
		{[]any{"a", "", 1.0, most}, map[string]any{"name": "a", "mime": "", "size": 1.0, "text": most}},
	} {
		got, err := variable.FileOf(tt.sent)
		if d := cmp.Diff(tt.want, got); d != "" || err != nil {
			t.Errorf("%.60v: %v, -want +got:\n%s", tt.sent, err, d)
		}
	}
	for _, sent := range []any{
		"a.txt", true, []any{}, []any{"a.txt", "text/plain", 2.0}, []any{1.0, "", 2.0, "hi"}, []any{"a", nil, 2.0, "hi"},
		[]any{"a", "", "2", "hi"}, []any{"a", "", -1.0, "hi"}, []any{"a", "", 2.0, 5.0}, []any{"a", "", 2.0, "hi", "aGk="},
		[]any{"a", "", 2.0, false, "no base64"}, []any{"a", "", 2.0, "x", "y", "z"},
		[]any{"a", "", 1.0, most + "x"}, []any{"a", "", 1.0, false, base64.StdEncoding.EncodeToString([]byte(most + "x"))},
	} {
		if got, err := variable.FileOf(sent); err == nil {
			t.Errorf("%.60v is taken as %.60v", sent, got)
		}
	}
}
