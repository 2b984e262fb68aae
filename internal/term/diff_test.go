package term_test

import (
	"fmt"
	"testing"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
)

func TestChanges(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		describe := func(epoch uint64) string {
			t.Helper()
			_, d, err := s.Changes(t.Context(), epoch)
			must(t, err)
			if d.From != epoch {
				t.Errorf("from %d, want %d", d.From, epoch)
			}
			text := fmt.Sprintf("reset:%t scrolled:%d", d.Reset, d.Scrolled)
			for _, r := range d.Rows {
				text += fmt.Sprintf(" %d:%s", r.Row, r.Line.Plain())
			}
			return text
		}
		expect := func(epoch uint64, want string) {
			t.Helper()
			if got := describe(epoch); got != want {
				t.Errorf("since %d: %q, want %q", epoch, got, want)
			}
		}
		read := func() uint64 {
			t.Helper()
			screen := screenOf(t, s)
			return screen.Epoch
		}
		p.say("a\r\nb\r\n")
		first := read()
		expect(first, "reset:false scrolled:0")
		expect(first+1000, "reset:true scrolled:0 0:a 1:b 2: 3:")
		p.say("c")
		expect(first, "reset:false scrolled:0 2:c")
		second := read()
		p.say("\r\nd\r\ne")
		expect(second, "reset:false scrolled:1 2:d 3:e")
		expect(first, "reset:false scrolled:1 1:c 2:d 3:e")
		third := read()
		p.say("\x1b[?1049h")
		expect(third, "reset:true scrolled:0 0: 1: 2: 3:")

		// The oldest moments are forgotten.
		for range 300 {
			p.say("x")
			read()
		}
		if _, d, err := s.Changes(t.Context(), third); err != nil || !d.Reset || len(d.Rows) != 4 {
			t.Errorf("since a forgotten epoch: %+v, %v", d, err)
		}
		last := read()
		p.end(tty.Exit{})
		<-s.Ended()
		expect(last, "reset:false scrolled:0")
	})
}

// The epochs of a session say nothing of another one, whatever its name: a client that reads the
// screen of the next session of a name gets all of it.
func TestEpochsOfOneSession(t *testing.T) {
	r := newRegistry(t)
	seen := map[uint64]bool{}
	for range 5 {
		s := create(t, r, registry.CreateOptions{Name: "a", Command: "sleep 100", Cols: 20, Rows: 4})
		screen, d, err := s.Changes(t.Context(), 0)
		if err != nil || !d.Reset {
			t.Errorf("since an epoch of no screen: %+v, %v", d, err)
		}
		if seen[screen.Epoch] {
			t.Errorf("two sessions have the epoch %d", screen.Epoch)
		}
		for of := range seen {
			if _, d, err := s.Changes(t.Context(), of); err != nil || !d.Reset {
				t.Errorf("since an epoch of the session before: %+v, %v", d, err)
			}
		}
		seen[screen.Epoch] = true
		must(t, r.Remove(s))
	}
}
