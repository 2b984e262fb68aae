//go:build linux

package soak

import (
	"fmt"
	"strings"
	"testing"
)

// The ballot accepts what may happen, and reports everything else.
func TestBallot(t *testing.T) {
	for _, c := range []struct {
		name, want string // want is part of the first report; "" means no report
		run        func(b *ballot)
	}{
		{"an answer arrives", "", func(b *ballot) { b.give("1", "q/a"); b.accept("1", "q/a"); b.get("1", "q", "q/a") }},
		{"the asker is quicker", "", func(b *ballot) { b.give("1", "q/a"); b.get("1", "q", "q/a"); b.accept("1", "q/a") }},
		{"the verdict is lost", "", func(b *ballot) { b.give("1", "q/a"); b.get("1", "q", "q/a") }},
		{"an answer is invented", "nobody has sent", func(b *ballot) { b.get("1", "q", "q/a") }},
		{"an answer belongs to another question", "answers another one", func(b *ballot) { b.give("1", "p/a"); b.get("1", "q", "p/a") }},
		{"two are accepted", `accepted "q/a" and "q/b"`, func(b *ballot) { b.accept("1", "q/a"); b.accept("1", "q/b") }},
		{"the other one arrives", `accepted "q/a", but its asker got "q/b"`, func(b *ballot) {
			b.give("1", "q/a")
			b.give("1", "q/b")
			b.accept("1", "q/a")
			b.get("1", "q", "q/b")
		}},
		{"it changes", `answered with "q/a" and "q/b"`, func(b *ballot) {
			b.give("1", "q/a")
			b.give("1", "q/b")
			b.get("1", "q", "q/a")
			b.get("1", "q", "q/b")
		}},
		{"another one was accepted", `accepted "q/b", but its asker got "q/a"`, func(b *ballot) {
			b.give("1", "q/a")
			b.get("1", "q", "q/a")
			b.accept("1", "q/b")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var reports []string
			c.run(newBallot(func(format string, args ...any) { reports = append(reports, fmt.Sprintf(format, args...)) }))
			if c.want == "" && len(reports) > 0 || c.want != "" && (len(reports) == 0 || !strings.Contains(reports[0], c.want)) {
				t.Errorf("it reports %q, want %q", reports, c.want)
			}
		})
	}
}
