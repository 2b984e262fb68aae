package caller

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	t.Parallel()
	rows := [][]string{{"a", "running", "make -j 8 all install test", "[ci]"}, {"日本", "ended 1", "true", ""}, {"b", "line", "a日本語の長いコマンド行です", "[x y]"}}
	for _, tt := range []struct {
		cols int
		want string
	}{
		{0, `
a     running  make -j 8 all install test   [ci]
日本  ended 1  true
b     line     a日本語の長いコマンド行です  [x y]
`}, {44, `
a     running  make -j 8 all install…  [ci]
日本  ended 1  true
b     line     a日本語の長いコマンド…  [x y]
`}, {10, `
a     running  make -j 8 a…  [ci]
日本  ended 1  true
b     line     a日本語の長…  [x y]
`},
	} {
		table := Table{Shortened: 2}
		for _, row := range rows {
			table.Add(row...)
		}
		var b strings.Builder
		if err := table.printWithin(&b, tt.cols); err != nil || "\n"+b.String() != tt.want {
			t.Errorf("in %d columns: %v\n%s\nwant%s", tt.cols, err, b.String(), tt.want)
		}
	}
}

func TestClip(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		most int
		want string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"", 0, ""}, {"abc", 1, "…"}, {"abc", 0, "…"},
		{"日本語", 6, "日本語"}, {"日本語", 5, "日本…"}, {"日本語", 4, "日…"}, {"e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"},
	} {
		if got := Clip(tt.text, tt.most); got != tt.want {
			t.Errorf("clip(%q, %d) = %q, want %q", tt.text, tt.most, got, tt.want)
		}
	}
}
