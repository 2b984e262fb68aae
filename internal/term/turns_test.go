package term_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/vt"
)

// lineCount is how many lines the history of a searched session has.
const lineCount = 400_000

// searched returns a session with a long history, and a viewer who looks back at it.
func searched(t testing.TB, lines int) (*script, *term.Session, *term.Viewer) {
	t.Helper()
	p := newScript()
	r := scripted(t, nil, p)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	s := create(t, r, registry.CreateOptions{Name: "s", Cols: 80, Rows: 24, Scrollback: &lines})
	v := attach(t, s)
	p.say(strings.Repeat("one of very many lines of output\r\n", lines))
	must(t, v.LookBack(t.Context(), nil))
	return p, s, v
}

// Output and other operations do not wait for the end of a search through a long history.
func TestTurnsDuringSearch(t *testing.T) {
	p, s, v := searched(t, lineCount)
	must(t, v.Type(t.Context(), []byte("/absent\r")))
	p.say("said meanwhile")
	screen := screenOf(t, s)
	if !slices.Contains(plain(screen), "said meanwhile") {
		t.Errorf("the screen is %q", plain(screen))
	}
	picture, err := v.Next(t.Context())
	must(t, err)
	if !strings.Contains(string(picture), "searching") {
		t.Error("the output waited for the end of the search")
	}
}

// BenchmarkTurnsDuringSearch is how long output and requests for the screen take while a person
// searches a million lines.
func BenchmarkTurnsDuringSearch(b *testing.B) {
	p, s, v := searched(b, vt.MaxScrollback)
	for what, do := range map[string]func(){
		"output": func() { p.say("\r.") },
		"screen": func() {
			if _, err := s.Screen(b.Context()); err != nil {
				b.Fatal(err)
			}
		},
	} {
		b.Run(what, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				if err := v.Type(b.Context(), []byte("/absent\r")); err != nil {
					b.Fatal(err)
				}
				for range 100 {
					start := time.Now()
					do()
					took = append(took, time.Since(start))
				}
				if err := v.Type(b.Context(), []byte("q")); err != nil { // ends the search
					b.Fatal(err)
				}
				if err := v.LookBack(b.Context(), nil); err != nil {
					b.Fatal(err)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "max-ms")
		})
	}
}
