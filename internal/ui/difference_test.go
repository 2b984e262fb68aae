package ui_test

import (
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/ui"
)

// However long two descriptions are, what has moved and what has changed is told, and nothing else.
func TestDifference(t *testing.T) {
	t.Parallel()
	text := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "  [%d] #%d li {name: row %d}\n", i, 100+i, i)
		}
		return b.String()
	}
	rows := func(ids ...int) string {
		var b strings.Builder
		for i, id := range ids {
			fmt.Fprintf(&b, "[%d] #%d Task\n  done = false\n  button \"Delete\" @%[2]d\n", i, id)
		}
		return b.String()
	}
	for name, tt := range map[string]struct{ before, after, want string }{
		"nothing":   {"a\nb\n", "a\nb\n", ""},
		"a new one": {"a\nc\n", "a\nb\nc\n", "+ b\n"},
		"exchanged": {"a\nb\nc\n", "a\nc\nb\n", "- b\n+ b\n"},
		"others":    {"a\nb\nc\n", "x\nb\nz\n", "- a\n+ x\n- c\n+ z\n"},
		"twice":     {"a\nx\nb\nx\nc\n", "a\nx\nx\nc\n", "- b\n"},
		"alike": {
			"3 tasks\n" + rows(1, 2, 3) + "3 left\n", "2 tasks\n" + rows(2, 3) + "2 left\n",
			"- 3 tasks\n- [0] #1 Task\n-   done = false\n-   button \"Delete\" @1\n+ 2 tasks\n- 3 left\n+ 2 left\n",
		},
		"many moved": {"first\n" + text(1000) + "last\n", "last\n" + text(1000) + "first\n", "- first\n+ last\n- last\n+ first\n"},
	} {
		if got := ui.Difference(tt.before, tt.after); got != tt.want {
			t.Errorf("%s:\n%s, want\n%s", name, got, tt.want)
		}
	}
}
