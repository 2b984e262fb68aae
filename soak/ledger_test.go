//go:build linux

package soak

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A ledger knows what must be true of a list to which many writers append texts. Every text is
// written once. The list numbers its entries from 1, in the order in which it got them.
//
// Writers report each attempt and its outcome; readers report what they have seen of the list. The
// ledger finds what was lost, written twice, reordered, or is in the wrong place. It knows nothing
// of processes and time limits.
type ledger struct {
	report  func(format string, args ...any) // gets each contradiction
	ordered bool                             // the texts of a writer, WRITER:NUMBER, are in the order of their numbers

	mu    sync.Mutex
	texts map[string]*entry
	log   map[int]string // texts by number, as far as they are known
	top   int            // the highest number in log
	saved int            // the highest number that was read from the disk

	acknowledged, unknown, lost int // for the summary
}

// An entry is a text that a writer has tried to append.
type entry struct {
	state string // see below
	n     int    // its number, once it was seen
	above int    // how many entries were known before the attempt: its number is greater
	when  time.Time
}

// The states of an entry: without an outcome, acknowledged without a number and not seen yet, seen,
// and ended with a process before it was saved.
const (
	pending = "pending"
	owed    = "owed"
	placed  = "placed"
	gone    = "gone"
)

func newLedger(report func(format string, args ...any)) *ledger {
	return &ledger{report: report, texts: map[string]*entry{}, log: map[int]string{}}
}

// A numbered entry is one that a reader has seen.
type numbered struct {
	N    int    `json:"n"`
	Text string `json:"text"`
}

// try reports that a writer is about to write a text.
func (l *ledger) try(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.texts[text] = &entry{state: pending, above: l.top}
}

// wrote reports that the list has acknowledged a text as entry n; 0 means that the writer was not
// told the number.
func (l *ledger) wrote(text string, n int, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acknowledged++
	switch e := l.texts[text]; {
	case e.state == gone: // acknowledged just before the process ended, and already accounted for
	case n > 0:
		l.placeLocked(n, text, now)
	case e.state == pending:
		e.state = owed
	}
}

// unanswered reports that a writer will never learn whether a text was written.
func (l *ledger) unanswered() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unknown++
}

// saw reports an entry that a reader has seen.
func (l *ledger) saw(e numbered, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.placeLocked(e.N, e.Text, now)
}

func (l *ledger) placeLocked(n int, text string, now time.Time) {
	e, tried := l.texts[text]
	other, taken := l.log[n]
	switch {
	case !tried:
		l.report("entry %d is %q, which nobody has written there", n, text)
	case e.state == placed && e.n == n:
	case e.state == placed:
		l.report("%q is entry %d and entry %d", text, e.n, n)
	case taken:
		l.report("entry %d is %q and %q", n, other, text)
	case e.state == gone:
		l.report("entry %d is %q, which had ended with a process", n, text)
	default:
		if n <= e.above {
			l.report("%q is entry %d, but was written when there were %d already", text, n, e.above)
		}
		if l.ordered {
			l.checkOrderLocked(n, text)
		}
		e.state, e.n, e.when = placed, n, now
		l.log[n] = text
		l.top = max(l.top, n)
	}
}

// checkOrderLocked compares a text with the others of its writer.
func (l *ledger) checkOrderLocked(n int, text string) {
	split := func(text string) (string, int) {
		writer, number, _ := strings.Cut(text, ":")
		seq, _ := strconv.Atoi(number) // a text that is torn is no attempt
		return writer, seq
	}
	writer, seq := split(text)
	for other, e := range l.texts {
		switch w, s := split(other); {
		case w != writer:
		case e.state == owed && s < seq:
			l.report("entry %d is %q, but %q, written before it, is lost", n, text, other)
		case e.state == placed && s > seq:
			l.report("entry %d is %q, and %q, written after it, is entry %d", n, text, other, e.n)
		}
	}
}

// A mark is what a reader must see at least, as known before it asked.
type mark struct {
	top  int
	owed []string
}

func (l *ledger) mark() mark {
	l.mu.Lock()
	defer l.mu.Unlock()
	return mark{l.top, l.owedLocked()}
}

// owedLocked lists the texts that were acknowledged and not seen yet.
func (l *ledger) owedLocked() (list []string) {
	for text, e := range l.texts {
		if e.state == owed {
			list = append(list, text)
		}
	}
	slices.Sort(list)
	return list
}

// read reports what a reader has seen: the number of entries, and the last of them. before is the
// mark from before it asked.
func (l *ledger) read(count int, last []numbered, before mark, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if count < before.top {
		l.report("there are %d entries, but there have been %d", count, before.top)
		return
	}
	l.tailLocked(count, last, now)
	for _, text := range before.owed {
		e := l.texts[text]
		whole := e.state == owed
		for n := e.above + 1; n <= count && whole; n++ {
			_, whole = l.log[n]
		}
		if whole {
			l.report("%q was acknowledged, and none of the entries %d to %d", text, e.above+1, count)
			e.state = gone
		}
	}
}

// tailLocked takes the last entries of a list of count entries.
func (l *ledger) tailLocked(count int, last []numbered, now time.Time) {
	for i, e := range last {
		if want := count - len(last) + 1 + i; e.N != want {
			l.report("of %d entries, the %dth from the end has the number %d, not %d", count, len(last)-i, e.N, want)
			return
		}
		l.placeLocked(e.N, e.Text, now)
	}
}

// onDisk reports that the file of the list has so many entries, of which last are the last ones.
func (l *ledger) onDisk(count int, last []numbered, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tailLocked(count, last, now)
	l.saved = max(l.saved, count)
}

// diskLost reports that the file of the list is removed.
func (l *ledger) diskLost() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.saved = 0
}

// restored reports that the process with the list has ended, and that its successor has so many
// entries, of which last are the last ones. All entries that were on the disk or known before
// mustHave are there; the others may be gone. Nothing else can appear afterwards.
func (l *ledger) restored(count int, last []numbered, mustHave, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if count < l.saved {
		l.report("%d entries were restored, but %d were on the disk", count, l.saved)
	}
	l.tailLocked(count, last, now)
	for text, e := range l.texts {
		switch {
		case e.state == placed && e.n > count:
			if e.when.Before(mustHave) {
				l.report("entry %d, %q, was known %s before it had to be on the disk, and only %d were restored", e.n, text, mustHave.Sub(e.when), count)
			}
			l.lost++
			delete(l.log, e.n)
			e.state = gone
		case e.state != placed:
			e.state = gone
		}
	}
	l.top, l.saved = min(l.top, count), min(l.saved, count)
}

// complete reports what remains when nothing is being written any more and the last entries have
// been read: acknowledged texts that nobody has seen, where all entries are known that they could
// be.
func (l *ledger) complete() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if texts, holes := l.owedLocked(), l.top-len(l.log); len(texts) > holes {
		l.report("%d texts were acknowledged, but only %d entries are unknown: %.300q", len(texts), holes, texts)
	}
}

func (l *ledger) summary() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return fmt.Sprintf("%d acknowledged, %d without an answer, %d ended with a process before they were saved", l.acknowledged, l.unknown, l.lost)
}

// The ledger accepts what may happen, and reports everything else.
func TestLedger(t *testing.T) {
	at := func(seconds int) time.Time { return time.Unix(1_000_000+int64(seconds), 0) }
	// write writes texts with acknowledgements, as entries 1, 2 and so on.
	write := func(l *ledger, texts ...string) {
		for i, text := range texts {
			l.try(text)
			l.wrote(text, i+1, at(i))
		}
	}
	// owe writes a text whose number is not told.
	owe := func(l *ledger, text string) {
		l.try(text)
		l.wrote(text, 0, at(1))
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
		{"an entry is older than its attempt", "written when there were 2 already", func(l *ledger) {
			l.try("a")
			l.saw(numbered{2, "a"}, at(0))
			l.try("c")
			l.saw(numbered{1, "c"}, at(9))
		}},
		{"an acknowledgement without a number is kept", "", func(l *ledger) {
			owe(l, "a")
			l.read(1, []numbered{{1, "a"}}, l.mark(), at(9))
			l.complete()
		}},
		{"an acknowledgement without a number is not kept", `"a" was acknowledged, and none of the entries 1 to 1`, func(l *ledger) {
			owe(l, "a")
			l.try("b")
			l.read(1, []numbered{{1, "b"}}, l.mark(), at(9))
		}},
		{"no entry is left for it", "1 texts were acknowledged, but only 0 entries are unknown", func(l *ledger) {
			owe(l, "a")
			l.complete()
		}},
		{"what had just been written ends with the process", "", func(l *ledger) {
			write(l, "a", "b")
			l.restored(1, []numbered{{1, "a"}}, at(1), at(9))
			l.try("c")
			l.wrote("c", 2, at(9))
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
		{"two writers", "", func(l *ledger) {
			l.ordered = true
			owe(l, "a:1")
			owe(l, "b:1")
			l.try("a:2")
			owe(l, "a:3")
			l.read(3, []numbered{{1, "b:1"}, {2, "a:1"}, {3, "a:3"}}, l.mark(), at(9))
		}},
		{"a hole", `"a:1", written before it, is lost`, func(l *ledger) {
			l.ordered = true
			owe(l, "a:1")
			owe(l, "a:2")
			l.read(1, []numbered{{1, "a:2"}}, mark{}, at(9))
		}},
		{"another order", `"a:2", written after it, is entry 1`, func(l *ledger) {
			l.ordered = true
			l.try("a:1")
			owe(l, "a:2")
			l.read(2, []numbered{{1, "a:2"}, {2, "a:1"}}, mark{}, at(9))
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
