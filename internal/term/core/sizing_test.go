package core

import (
	"fmt"
	"testing"

	"ui-mcp/internal/term/tty"
)

// The size follows the terminal that leads, unless the rule is that none decides; one that follows
// decides only when it leads; a size that was set holds until the leader decides again, and is not
// affected by a terminal that keeps its size.
func TestSizing(t *testing.T) {
	t.Parallel()
	const a, b, follower = 1, 2, 3
	resize := func(terminal uint64, cols int, rule SizeRule) Input {
		return Resize{terminal, cols, 24, terminal == follower, rule}
	}
	for _, rule := range []struct {
		rule  SizeRule
		steps []Input
		want  string // the columns after each step, and who leads
	}{
		{SizeLeader, []Input{
			resize(a, 30, SizeLeader), resize(b, 20, ""), Lead{b}, resize(a, 31, ""), resize(b, 25, ""), SetSize{70, 7}, Lead{b}, SetSize{70, 7}, resize(b, 25, ""), resize(b, 26, ""),
			Leave{b}, resize(a, 31, ""), Lead{a}, resize(follower, 99, SizeManual), resize(follower, 98, SizeManual), Lead{follower}, Leave{a}, Lead{4},
		}, "30/1 30/1 20/2 20/2 25/2 70/2 25/2 70/2 70/2 26/2 26/0 26/0 31/1 31/1 31/1 98/3 98/3 98/3"},
		{SizeManual, []Input{resize(a, 30, SizeManual), resize(b, 20, ""), Lead{b}, SetSize{70, 7}, resize(b, 25, ""), resize(4, 40, SizeLeader), Lead{b}}, "80/1 80/1 80/2 70/2 70/2 25/2 25/2"},
		{"no leader", []Input{resize(a, 30, ""), Leave{a}, resize(b, 20, "")}, "30/1 30/0 20/2"},
		{"the end", []Input{resize(a, 30, ""), End{tty.Exit{}}, resize(a, 40, ""), resize(b, 50, SizeManual)}, "30/1 30/1 30/1 30/1"},
	} {
		t.Run(string(rule.rule), func(t *testing.T) {
			t.Parallel()
			s := newStory(t)
			s.session.Cols, s.session.Rows = 80, 24
			got := ""
			for _, in := range rule.steps {
				before := s.session.Sizing
				left, leaves := in.(Leave)
				if leaves && !s.session.Knows(left.Terminal) {
					t.Errorf("%+v is not known", left)
				}
				s.out = nil
				s.then(0, in)
				z := s.session.Sizing
				resized, led := false, false
				for _, a := range s.out {
					resized, led = resized || a == "core.Resized{}", led || a == "core.Led{}"
				}
				if resized != (z.Cols != before.Cols || z.Rows != before.Rows) || led != (z.Leader != before.Leader && z.Leader != 0) {
					t.Errorf("%+v: %v", in, s.out)
				}
				got += fmt.Sprintf(" %d/%d", z.Cols, z.Leader)
				if leaves && s.session.Knows(left.Terminal) {
					t.Errorf("%+v is known", left)
				}
			}
			if got[1:] != rule.want {
				t.Errorf("got  %s\nwant %s", got[1:], rule.want)
			}
		})
	}
}
