package outer

import (
	"bytes"
	"time"

	"ui-mcp/internal/term/overlay"
)

// DetachWindow is how soon the detach key must be typed again.
const DetachWindow = overlay.DetachWindow

// HoldTime is how long to wait for the rest of a sequence: see [Input.Holds].
const HoldTime = 50 * time.Millisecond

// maxHeld is the longest incomplete sequence that is held back, in bytes.
const maxHeld = 64

// An Input sorts what a terminal sends: keys for the session, the terminal's answers to
// [Questions], and the key with which the person leaves. It is not safe for concurrent use.
type Input struct {
	Detach Key // the key that detaches when it is typed twice
	Before Before

	keys  overlay.Splitter
	typed time.Time // when the detach key was last typed; zero means long ago
	held  []byte
}

// Feed returns the part of some input that is for the session, and whether the person leaves; then
// the rest of the input is dropped. A detach key that is typed once is for the session, too, and is
// returned at once; the second one, with which the person leaves, is not. Both slices may share
// memory.
func (in *Input) Feed(b []byte, now time.Time) (session []byte, leave bool) {
	if len(in.held) > 0 {
		b = append(in.held, b...)
		in.held = nil
	}
	out := b[:0:0]
	alone := len(b) == 1
	for len(b) > 0 {
		if in.isIncomplete(b) {
			in.held = bytes.Clone(b)
			break
		}
		pasted := in.keys.Pasting()
		n, key := in.keys.Next(b, alone)
		piece := b[:n]
		b = b[n:]
		switch {
		case key == nil && !pasted && in.Before.answer(piece):
			continue
		case key != nil && in.Detach.is(key):
			since := now.Sub(in.typed)
			if !in.typed.IsZero() && since >= 0 && since <= DetachWindow {
				return out, true
			}
			in.typed = now
		case key != nil && key.Event == "":
			in.typed = time.Time{}
		}
		out = append(out, piece...)
	}
	return out, false
}

// Holds reports whether Feed holds back the start of a sequence. If nothing follows within
// [HoldTime], the caller must call Release.
func (in *Input) Holds() bool { return len(in.held) > 0 }

// Release returns the input that was held back: a key that looks like the start of a sequence.
func (in *Input) Release() []byte {
	held := in.held
	in.held = nil
	return held
}

// isIncomplete reports whether b is the start of a control sequence. Escape, and Alt+[, look like
// one: they are held back only while answers may arrive.
func (in *Input) isIncomplete(b []byte) bool {
	if b[0] != 0x1b || len(b) > maxHeld || in.keys.Pasting() {
		return false
	}
	if len(b) < 3 {
		return !in.Before.answered && (len(b) == 1 || b[1] == '[')
	}
	if b[1] != '[' {
		return false
	}
	for _, c := range b[2:] {
		if c < ' ' || c > '?' {
			return false
		}
	}
	return true
}
