//go:build linux

package soak

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// A ledger knows what must be true of a list to which many writers append texts. Every text is
// written once. The list numbers its entries from 1, in the order in which it got them.
//
// Writers report each attempt and its outcome; readers report what they have seen of the list. The
// ledger finds what was lost, written twice, reordered, or is in the wrong place. It knows nothing
// of processes and time limits.
type ledger struct {
	report func(format string, args ...any) // gets each contradiction

	mu      sync.Mutex
	log     map[int]string // entries by number, as far as they are known
	at      map[string]int // the reverse
	when    map[int]time.Time
	top     int                   // the highest number in log
	pending map[string]bool       // attempts without an outcome
	owed    map[string]obligation // acknowledged without a number, and not seen yet
	refused map[string]bool       // had no effect, as the writer was told
	gone    map[string]bool       // ended with a process, before they were saved
	saved   int                   // the highest number that was read from the disk

	acknowledged, unknown, lost int // for the summary
}

// An obligation is an entry that must be in the list above a number.
type obligation struct{ above int }

func newLedger(report func(format string, args ...any)) *ledger {
	return &ledger{
		report: report, log: map[int]string{}, at: map[string]int{}, when: map[int]time.Time{}, pending: map[string]bool{},
		owed: map[string]obligation{}, refused: map[string]bool{}, gone: map[string]bool{},
	}
}

// A numbered entry is one that a reader has seen.
type numbered struct {
	N    int    `json:"n"`
	Text string `json:"text"`
}

// try reports that a writer is about to write a text. Its number will be greater than the result.
func (l *ledger) try(text string) (above int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending[text] = true
	return l.top
}

// wrote reports that the list has acknowledged a text as entry n; 0 means that the writer was not
// told the number. above is what try returned.
func (l *ledger) wrote(text string, n, above int, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acknowledged++
	if l.gone[text] {
		return // acknowledged just before the process ended, and already accounted for
	}
	switch {
	case n == 0:
		if _, ok := l.at[text]; !ok {
			l.owed[text] = obligation{above}
		}
		delete(l.pending, text)
	case n <= above:
		l.report("%q was acknowledged as entry %d, but was written when there were %d already", text, n, above)
	default:
		l.placeLocked(n, text, now)
	}
}

// noEffect reports that a writer was told that a text was not written.
func (l *ledger) noEffect(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n, ok := l.at[text]; ok {
		l.report("%q is entry %d, but its writer was told that it had no effect", text, n)
	}
	delete(l.pending, text)
	l.refused[text] = true
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
	was, known := l.at[text]
	other, taken := l.log[n]
	switch {
	case known && was == n:
		return
	case known:
		l.report("%q is entry %d and entry %d", text, was, n)
	case taken:
		l.report("entry %d is %q and %q", n, other, text)
	case l.gone[text]:
		l.report("entry %d is %q, which had ended with a process", n, text)
	case l.refused[text]:
		l.report("entry %d is %q, whose writer was told that it had no effect", n, text)
	default:
		_, owed := l.owed[text]
		if !owed && !l.pending[text] {
			l.report("entry %d is %q, which nobody has written there", n, text)
		}
		if o := l.owed[text]; owed && n <= o.above {
			l.report("%q is entry %d, but was written when there were %d already", text, n, o.above)
		}
		delete(l.pending, text)
		delete(l.owed, text)
		l.log[n], l.at[text], l.when[n] = text, n, now
		l.top = max(l.top, n)
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
	m := mark{top: l.top}
	for text := range l.owed {
		m.owed = append(m.owed, text)
	}
	return m
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
		o, owed := l.owed[text]
		if !owed {
			continue
		}
		complete := true
		for n := o.above + 1; n <= count && complete; n++ {
			_, complete = l.log[n]
		}
		if complete {
			l.report("%q was acknowledged, and none of the entries %d to %d", text, o.above+1, count)
			delete(l.owed, text)
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
	for n := count + 1; n <= l.top; n++ {
		text, ok := l.log[n]
		if !ok {
			continue
		}
		if l.when[n].Before(mustHave) {
			l.report("entry %d, %q, was known %s before it had to be on the disk, and only %d were restored", n, text, mustHave.Sub(l.when[n]), count)
		}
		l.lost++
		delete(l.log, n)
		delete(l.at, text)
		delete(l.when, n)
		l.gone[text] = true
	}
	l.top, l.saved = min(l.top, count), min(l.saved, count)
	for text := range l.pending {
		l.gone[text] = true
	}
	for text := range l.owed {
		l.gone[text] = true
	}
	clear(l.pending)
	clear(l.owed)
}

// complete reports contradictions that remain when nothing is being written any more and last has
// been read: acknowledged texts that nobody has seen, where all entries are known that they could
// be.
func (l *ledger) complete() (holes int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for n := 1; n <= l.top; n++ {
		if _, ok := l.log[n]; !ok {
			holes++
		}
	}
	texts := []string{}
	for text := range l.owed {
		texts = append(texts, text)
	}
	slices.Sort(texts)
	if len(texts) > holes {
		l.report("%d texts were acknowledged, but only %d entries are unknown: %.300q", len(texts), holes, texts)
	}
	return holes
}

func (l *ledger) summary() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return fmt.Sprintf("%d acknowledged, %d without an answer, %d ended with a process before they were saved", l.acknowledged, l.unknown, l.lost)
}
