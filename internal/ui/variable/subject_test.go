package variable_test

import (
	"testing"

	"ui-mcp/internal/ui/variable"
)

func TestSubject(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"  [12] #83 @ab {name: Ann}": "  #83 @ab {name: Ann}",
		"[0] #1":                     "#1",
		"    … 95 more; path value.rows.5 is the": "     more; path ",
		"  [x] #83 {name: Ann}":                   "  [x] #83 {name: Ann}",
		"  [] #83":                                "  [] #83",
		"  p … more; path is long":                "  p … more; path is long",
		"  list rows #3: 100 rows":                "  list rows #3: 100 rows",
		"":                                        "",
	} {
		if got := variable.Subject(line); got != want {
			t.Errorf("Subject(%q) = %q, want %q", line, got, want)
		}
	}
}
