package core

import (
	"bytes"
	"time"

	"ui-mcp/internal/term/keys"
)

// A terminal sends a long paste in pieces. What others type between two of them would become a part
// of the text, so it waits, but not for ever: an end may never come.
const (
	pasteSilence = time.Second      // between pieces
	pasteLongest = 10 * time.Second // of which nobody waits for the rest
)

// openPaste is a paste in brackets that a person has begun and not ended.
type openPaste struct {
	From        Sender
	Since, Last time.Time
}

// follow sees what a person types. Pieces do not cut brackets.
func (p *openPaste) follow(from Sender, b []byte, now time.Time) {
	start, end := bytes.LastIndex(b, []byte(keys.PasteStart)), bytes.LastIndex(b, []byte(keys.PasteEnd))
	switch {
	case start > end:
		*p = openPaste{from, now, now}
	case p.From == from && end >= 0:
		*p = openPaste{}
	case p.From == from:
		p.Last = now
	}
}

// PasteWait returns for how long input of a program must wait, since a person's paste is open. What
// persons type never waits.
func (s *Session) PasteWait(from Sender, now time.Time) time.Duration {
	if from.Kind.isPerson() {
		return 0
	}
	until := s.Paste.Last.Add(pasteSilence)
	if most := s.Paste.Since.Add(pasteLongest); most.Before(until) {
		until = most
	}
	return max(0, until.Sub(now))
}
