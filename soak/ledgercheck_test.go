//go:build linux

package soak

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The ledger accepts what may happen, and reports everything else.
func TestLedger(t *testing.T) {
	start := time.Unix(1_000_000, 0)
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	// write writes texts with acknowledgements, as entries 1, 2 and so on.
	write := func(l *ledger, texts ...string) {
		for i, text := range texts {
			l.wrote(text, i+1, l.try(text), at(i))
		}
	}
	for _, c := range []struct {
		name, want string // want is part of the only report; "" means no report
		run        func(l *ledger)
	}{
		{"what was written is there", "", func(l *ledger) {
			write(l, "a", "b")
			l.read(2, []numbered{{1, "a"}, {2, "b"}}, l.mark(), at(9))
		}},
		{"a reader sees what was not acknowledged", "", func(l *ledger) {
			l.try("a")
			l.read(1, []numbered{{1, "a"}}, l.mark(), at(9))
		}},
		{"an entry is lost", "there are 1 entries, but there have been 2", func(l *ledger) {
			write(l, "a", "b")
			l.read(1, []numbered{{1, "a"}}, l.mark(), at(9))
		}},
		{"an entry is there twice", `"a" is entry 1 and entry 3`, func(l *ledger) {
			write(l, "a", "b")
			l.read(3, []numbered{{1, "a"}, {2, "b"}, {3, "a"}}, l.mark(), at(9))
		}},
		{"an entry has changed", `entry 2 is "b" and "c"`, func(l *ledger) {
			write(l, "a", "b")
			l.try("c")
			l.saw(numbered{2, "c"}, at(9))
		}},
		{"an entry belongs elsewhere", "nobody has written there", func(l *ledger) { l.saw(numbered{1, "x"}, at(9)) }},
		{"the entries have gaps", "has the number 3, not 2", func(l *ledger) {
			write(l, "a", "b", "c")
			l.read(3, []numbered{{1, "a"}, {3, "c"}, {3, "c"}}, l.mark(), at(9))
		}},
		{"an acknowledged number is too small", "written when there were 2 already", func(l *ledger) {
			write(l, "a", "b")
			l.wrote("c", 2, l.try("c"), at(9))
		}},
		{"an acknowledgement without a number is kept", "", func(l *ledger) {
			l.wrote("a", 0, l.try("a"), at(1))
			l.read(1, []numbered{{1, "a"}}, l.mark(), at(9))
		}},
		{"an acknowledgement without a number is not kept", `"a" was acknowledged, and none of the entries 1 to 1`, func(l *ledger) {
			l.wrote("a", 0, l.try("a"), at(1))
			l.try("b")
			l.read(1, []numbered{{1, "b"}}, l.mark(), at(9))
		}},
		{"no entry is left for it", "1 texts were acknowledged, but only 0 entries are unknown", func(l *ledger) {
			l.wrote("a", 0, l.try("a"), at(1))
			l.complete()
		}},
		{"what had no effect is there", "told that it had no effect", func(l *ledger) {
			l.try("a")
			l.noEffect("a")
			l.saw(numbered{1, "a"}, at(9))
		}},
		{"what was there is said to have had no effect", "told that it had no effect", func(l *ledger) {
			l.try("a")
			l.saw(numbered{1, "a"}, at(9))
			l.noEffect("a")
		}},
		{"what had just been written ends with the process", "", func(l *ledger) {
			write(l, "a", "b")
			l.restored(1, []numbered{{1, "a"}}, at(1), at(9))
			l.wrote("c", 2, l.try("c"), at(9))
			l.read(2, []numbered{{1, "a"}, {2, "c"}}, l.mark(), at(9))
		}},
		{"what was written long before the end is lost", "and only 1 were restored", func(l *ledger) {
			write(l, "a", "b")
			l.restored(1, []numbered{{1, "a"}}, at(5), at(9))
		}},
		{"what was on the disk is lost", "1 entries were restored, but 2 were on the disk", func(l *ledger) {
			write(l, "a", "b")
			l.onDisk(2, []numbered{{1, "a"}, {2, "b"}}, at(2))
			l.restored(1, []numbered{{1, "a"}}, at(0), at(9))
		}},
		{"what ended with a process comes back", "had ended with a process", func(l *ledger) {
			write(l, "a", "b")
			l.restored(1, []numbered{{1, "a"}}, at(1), at(9))
			l.saw(numbered{2, "b"}, at(9))
		}},
		{"an unanswered attempt comes after the process has ended", "had ended with a process", func(l *ledger) {
			l.try("a")
			l.restored(0, nil, at(0), at(9))
			l.saw(numbered{1, "a"}, at(9))
		}},
		{"an unanswered attempt was saved", "", func(l *ledger) {
			l.try("a")
			l.restored(1, []numbered{{1, "a"}}, at(0), at(9))
			l.read(1, []numbered{{1, "a"}}, l.mark(), at(9))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var reports []string
			c.run(newLedger(func(format string, args ...any) { reports = append(reports, fmt.Sprintf(format, args...)) }))
			if all := strings.Join(reports, "\n"); c.want == "" && all != "" || c.want != "" && (len(reports) != 1 || !strings.Contains(all, c.want)) {
				t.Errorf("it reports %q, want %q", all, c.want)
			}
		})
	}
}
