package term_test

import (
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
)

func TestSearch(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		for i := range 3000 { // more than a page, on 20 columns
			p.say(fmt.Sprintf("line %d\r\n", i))
		}
		p.say("a long line that wraps needle and on\r\n\x1b[1mbold\x1b[m needle ")
		find := func(o term.SearchOptions) string {
			t.Helper()
			got, err := s.Search(t.Context(), o)
			must(t, err)
			text := ""
			for _, f := range got.Found {
				text += fmt.Sprintf("%d %q of %q, ", f.First, f.Text, f.Line)
			}
			return fmt.Sprintf("%snext %d", text, got.Next)
		}
		for _, tt := range []struct {
			o    term.SearchOptions
			want string
		}{
			{term.SearchOptions{Expression: "^line 29?0$"}, `20 "line 20" of "line 20", 290 "line 290" of "line 290", next 3003`},
			{term.SearchOptions{Expression: "^line 29?0$", Limit: 1}, `20 "line 20" of "line 20", next 21`},
			{term.SearchOptions{Expression: "^line 29?0$", From: 21}, `290 "line 290" of "line 290", next 3003`},
			{term.SearchOptions{Expression: "line ", Limit: 2, Newest: true}, `2999 "line " of "line 2999", 3000 "line " of "a long line that wraps needle and on", next 3003`},
			{term.SearchOptions{Expression: "needle"}, `3001 "needle" of "a long line that wraps needle and on", 3002 "needle" of "bold needle", next 3003`},
			{term.SearchOptions{Expression: "wraps needle"}, `3000 "wraps needle" of "a long line that wraps needle and on", next 3003`},
			{term.SearchOptions{Expression: "none"}, `next 3003`},
			{term.SearchOptions{Expression: "needle", From: 1 << 60}, `next 1152921504606846976`},
		} {
			if got := find(tt.o); got != tt.want {
				t.Errorf("%+v:\n%s\nwant\n%s", tt.o, got, tt.want)
			}
		}
		if got, err := s.Search(t.Context(), term.SearchOptions{Expression: "line", Limit: 1 << 30}); err != nil || len(got.Found) != term.MaxFound {
			t.Errorf("%d matches, %v", len(got.Found), err)
		}
		for _, o := range []term.SearchOptions{{Expression: "("}, {Expression: "x*"}, {Expression: "x", Limit: -1}} {
			if _, err := s.Search(t.Context(), o); fault.KindOf(err) != fault.Invalid || err == nil {
				t.Errorf("%+v: %v", o, err)
			}
		}
	})
}

// A line without an end is searched in pieces, and what is returned of it is bounded.
func TestSearchLongLine(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say(strings.Repeat("x", 100_000) + "needle")
		got, err := s.Search(t.Context(), term.SearchOptions{Expression: "x+|needle"})
		must(t, err)
		if len(got.Found) != 6 || len(got.Found[0].Text) != 4096 || len(got.Found[4].Line) != 4096 || got.Found[5].Text != "needle" {
			t.Errorf("%d matches, of which the first has %d bytes", len(got.Found), len(got.Found[0].Text))
		}
	})
}
