package wire_test

import (
	"strings"
	"testing"

	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/terminals/wire"
)

// FuzzAppendJSON holds the quick encoder to encoding/json: an update of the library may change it.
func FuzzAppendJSON(f *testing.F) {
	for _, s := range []string{
		"", "plain", "a quote \" and \\", "<a href=x>&amp;", "tab\tand\x1b[31mcolour\x1b[m", "héllo 日本", "\x1b]2;a \"title\"\aabcdefgh\x7f",
		"12345678", "1234567\"", "\x1b[1mbold\x1b[m plain \x1b]8;;http://a/?b&c\x1b\\link\x1b]8;;\x1b\\", "\u2028", strings.Repeat("0123456789", 10) + "<",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, out string) {
		v, err := vt.New(vt.Options{Cols: 30, Rows: 5, Scrollback: 10})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := v.Write([]byte(out)); err != nil {
			t.Fatal(err)
		}
		for _, format := range []wire.Format{wire.Plain, wire.Styled} {
			s := wire.NewScreen(v.Snapshot(), format)
			s.Title += out // also what a terminal would not take
			if got, want := string(s.AppendJSON(nil)), encode(t, s); got != want {
				t.Errorf("%s\nencoding/json: %s", got, want)
			}
			c := wire.NewChanges(v.Snapshot(), v.Snapshot().Since(vt.Moment{}), format)
			if got, want := string(c.AppendJSON(nil)), encode(t, c); got != want {
				t.Errorf("%s\nencoding/json: %s", got, want)
			}
		}
	})
}
