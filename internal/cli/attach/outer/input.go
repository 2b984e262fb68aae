package outer

import (
	"bytes"
	"slices"
	"time"
	"unicode/utf8"

	"ui-mcp/internal/term/escape"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/overlay"
)

// holdTime is how long to wait for the rest of a sequence.
const holdTime = 50 * time.Millisecond

// maxHeld is the longest incomplete sequence that is held back, in bytes.
const maxHeld = 64

// An Input sorts what a terminal sends: keys for the session, and the keys after the detach key,
// which are for the client: see [Command].
//
// It is not safe for concurrent use.
type Input struct {
	Detach Key
	// Watching says that the person only looks: Ctrl-C detaches, too.
	Watching bool
	// Suspends says that the client can be suspended. Otherwise the program gets that key, too.
	Suspends bool

	keys    overlay.Splitter
	waiting []byte // the detach key, which waits for the next key; nil: it was not typed
	held    []byte // the start of a sequence
}

// A Part is a part of the input: what a session or the client's own display gets, or a command for
// the client. What is held back is a zero Part.
type Part struct {
	Command Command
	// Bytes are what a session gets; with [LookBack], the keys that are typed there first.
	Bytes  []byte
	Key    *keys.Key // nil if Bytes are not one key
	Pasted bool      // Bytes are a part of a paste
	Leave  bool      // the person leaves
}

// Arrive returns the input with what was held back before it. It is called once for what arrives
// together, before Next takes the parts off that.
func (in *Input) Arrive(b []byte, now time.Time) []byte {
	b = append(in.held, b...)
	in.held = nil
	in.keys.Arrive(len(b), now)
	return b
}

// Waits reports whether the detach key was typed, and the next key decides.
func (in *Input) Waits() bool { return in.waiting != nil }

// Next returns the first part of the input, and what follows it. Both share memory with b. Only
// with own, which says that the client displays something of its own, is each character a part.
//
// The detach key waits for the next one, for as long as that takes. What follows it is for the
// client: a key that is no [Command] is dropped with it.
func (in *Input) Next(b []byte, own bool) (p Part, rest []byte) {
	pasting := in.keys.Pasting()
	if n := textLen(b); n > 0 && !own && !pasting && in.waiting == nil {
		return Part{Bytes: b[:n]}, b[n:]
	}
	if in.isIncomplete(b) {
		in.held = bytes.Clone(b)
		return Part{}, nil
	}
	n, key := in.keys.Next(b)
	p, rest = Part{Bytes: b[:n], Key: key}, b[n:]
	p.Pasted = key == nil && (pasting || bytes.HasPrefix(p.Bytes, []byte(keys.PasteStart)))
	switch {
	case key == nil && !p.Pasted: // a report, which ends no waiting
		return p, rest
	case key != nil && (in.Watching && !own && isControl(key, "c") || in.Waits() && in.Detach.is(key)):
		return Part{Leave: true}, rest
	case key != nil && in.Detach.is(key):
		in.waiting = bytes.Clone(p.Bytes)
		return Part{Command: Prefix}, rest
	case !in.Waits():
		return p, rest
	case key != nil && key.Event != "": // such as the release of the detach key
		return Part{}, rest
	}
	detached := in.waiting
	in.waiting = nil
	if key == nil {
		return p, rest
	}
	switch command, typed := in.command(key); command {
	case detach:
		return Part{Leave: true}, rest
	case literal:
		return Part{Bytes: detached}, rest
	default:
		return Part{Command: command, Bytes: typed}, rest
	}
}

// textLen returns how many ASCII characters without controls b starts with.
func textLen(b []byte) int {
	i := slices.IndexFunc(b, func(c byte) bool { return c < ' ' || c > '~' })
	if i < 0 {
		return len(b)
	}
	return i
}

// Holds returns for how long Next holds back input, or 0. If nothing follows in that time, the
// caller must call Release.
func (in *Input) Holds() time.Duration {
	if len(in.held) > 0 {
		return holdTime
	}
	return 0
}

// Release returns the input that was held back: a key that looks like the start of a sequence.
func (in *Input) Release() (p Part) {
	if p.Bytes = in.held; len(p.Bytes) > 0 {
		in.held = nil
		_, p.Key = in.keys.Next(p.Bytes)
		if in.Waits() { // it is no command
			in.waiting = nil
			return Part{}
		}
	}
	return p
}

// isIncomplete reports whether b is the start of a character or of a control sequence. Escape, and
// Alt+[, look like one, and are not held back.
func (in *Input) isIncomplete(b []byte) bool {
	if in.keys.Pasting() {
		return false
	}
	if b[0] != 0x1b {
		return !utf8.FullRune(b)
	}
	return len(b) <= maxHeld && escape.Incomplete(b)
}
