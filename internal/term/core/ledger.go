package core

import (
	"slices"
	"sort"
	"strings"
	"time"

	"ui-mcp/internal/safetext"
)

// The limits of a ledger.
const (
	maxTyped     = 1000
	MaxTypedText = 4 << 10   // bytes of one entry
	maxLedger    = 256 << 10 // bytes of all texts
)

// A Ledger keeps who has typed what into a session. Secrets are only counted. So is what a person
// types on an attached terminal, since that is private; agents type in the person's name.
type Ledger struct {
	Entries []entry
	Bytes   int // of their texts
	Last    uint64
}

// An entry is one of a ledger, which more input may join.
type entry struct {
	Typed
	Until time.Time // when the last of it was typed
}

// add adds input, of which text is what can be read.
func (l *Ledger) add(now time.Time, entries ...Typed) {
	for _, e := range entries {
		l.addOne(entry{e, now})
	}
}

func (l *Ledger) addOne(e entry) {
	e.At = e.Until
	if e.Secret || e.From.Kind == SenderAttach {
		e.Text = ""
	}
	e.Text = strings.ToValidUTF8(e.Text, "\ufffd")
	e.From = e.From.clone()
	if n := len(l.Entries); n > 0 && l.Entries[n-1].takes(e) {
		last := &l.Entries[n-1]
		last.Until = e.Until
		last.Count += e.Count
		l.Bytes -= len(last.Text)
		last.Text += e.Text
		last.cut()
		l.Bytes += len(last.Text)
	} else {
		l.Last++
		e.Seq = l.Last
		e.cut()
		l.Entries = append(l.Entries, e)
		l.Bytes += len(e.Text)
	}
	for len(l.Entries) > maxTyped || l.Bytes > maxLedger {
		l.Bytes -= len(l.Entries[0].Text)
		l.Entries[0] = entry{} // the list lives on
		l.Entries = l.Entries[1:]
	}
}

// takes reports whether input belongs to the entry, which is the newest.
func (t *entry) takes(e entry) bool {
	return t.From == e.From && t.Kind == e.Kind && t.Secret == e.Secret && e.At.Sub(t.Until) < t.From.Kind.joins()
}

// cut shortens the text, and keeps nothing else of a long one in memory.
func (t *entry) cut() {
	if len(t.Text) > MaxTypedText {
		t.Text, t.Cut = safetext.Cut(t.Text, MaxTypedText), true
	}
	t.Text = strings.Clone(t.Text)
}

// After returns the entries after a number.
func (l *Ledger) After(seq uint64) (list []Typed) {
	for _, e := range l.Entries[sort.Search(len(l.Entries), func(i int) bool { return l.Entries[i].Seq > seq }):] {
		list = append(list, e.Typed)
	}
	return list
}

// Settled returns the entries of the ledger after a number that will not change, and after which
// time there may be another one: more input may join the newest for some seconds.
func (s *Session) Settled(seq uint64, now time.Time) (list []Typed, rest time.Duration) {
	list = s.Ledger.After(seq)
	if n := len(list); n > 0 && s.Exit == nil {
		newest := s.Ledger.Entries[len(s.Ledger.Entries)-1]
		if rest = newest.From.Kind.joins() - now.Sub(newest.Until); rest > 0 {
			list = list[:n-1]
		}
	}
	return list, rest
}

// NewestOfPrograms returns the newest entry of input that no person has typed.
func (l *Ledger) NewestOfPrograms() (Typed, bool) {
	for _, e := range slices.Backward(l.Entries) {
		if e.From.Kind != SenderAttach && e.From.Kind != SenderQuestion {
			return e.Typed, true
		}
	}
	return Typed{}, false
}
