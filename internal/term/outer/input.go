package outer

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"ui-mcp/internal/term/overlay"
)

// DetachWindow is how soon the next key must follow the detach key.
const DetachWindow = overlay.DetachWindow

// holdTime is how long to wait for the rest of a sequence.
const holdTime = 50 * time.Millisecond

// maxHeld is the longest incomplete sequence that is held back, in bytes.
const maxHeld = 64

// An Input sorts what a terminal sends: keys for the session, the terminal's answers to
// [Questions], and the keys after the detach key, which are for the client:
//
//	the detach key, d  detach
//	[, or LookBack  look back
//	PageUp             look back, one page up
//	a                  show or hide what agents do
//	Ctrl+Z             suspend the client
//
// It is not safe for concurrent use.
type Input struct {
	Detach Key
	// LookBack is the character that begins looking back, after the detach key; "" is "[".
	LookBack string
	// Watching says that the person only looks: Ctrl-C detaches, too.
	Watching bool
	// Suspends says that the client can be suspended. Otherwise the program gets that key, too.
	Suspends bool
	Before   Before

	keys    overlay.Splitter
	typed   time.Time // when the detach key was last typed; zero means long ago
	waiting []byte    // the detach key, if the server does not know it
	held    []byte    // the start of a sequence
}

// A Typed is a part of the input that a client passes on.
type Typed struct {
	Bytes []byte
	// LookBack means that the person looks back from now on, and types Bytes there first.
	LookBack bool
	// Agent means that the person shows or hides what agents do. There are no Bytes.
	Agent bool
	// Suspend means that the person suspends the client. There are no Bytes.
	Suspend bool
}

// Feed returns the parts of some input that are to be passed on, in order, and whether the person
// leaves. The rest of the input is dropped then. Slices may share memory with b.
//
// [DefaultKey] is passed on at once, since it ends capture: the server gives it to the program when
// nothing follows. Any other detach key is held back for [DetachWindow].
func (in *Input) Feed(b []byte, now time.Time) (parts []Typed, leave bool) {
	if len(in.held) > 0 {
		b = append(in.held, b...)
		in.held = nil
	}
	out := b[:0:0]
	in.keys.Arrive(len(b), now)
	for len(b) > 0 {
		if n := textLen(b); n > 0 && !in.keys.Pasting() && in.typed.IsZero() && len(in.waiting) == 0 {
			out = append(out, b[:n]...)
			b = b[n:]
			continue
		}
		if in.isIncomplete(b) {
			in.held = bytes.Clone(b)
			break
		}
		pasted := in.keys.Pasting()
		if n, _ := in.Before.nextString(b); n > 0 && !pasted {
			in.Before.answerString(b[:n])
			b = b[n:]
			continue
		}
		n, key := in.keys.Next(b)
		piece := b[:n]
		b = b[n:]
		since := now.Sub(in.typed)
		soon := !in.typed.IsZero() && since >= 0 && since <= DetachWindow
		switch {
		case key == nil && !pasted && in.Before.answer(piece):
			continue
		case key == nil:
		case in.Watching && isControl(key, "c"):
			return appendPart(parts, out), true
		case in.Detach.is(key):
			if soon {
				return appendPart(parts, out), true
			}
			in.typed = now
			if !in.Detach.IsDefault() {
				out = append(out, in.waiting...)
				in.waiting = bytes.Clone(piece)
				continue
			}
		case key.Event != "":
			if len(in.waiting) > 0 {
				in.waiting = append(in.waiting, piece...)
				continue
			}
		default:
			in.typed = time.Time{}
			keys, lookBack, leave := in.command(key)
			plain := !slices.Contains(key.Modifiers, "ctrl") && !slices.Contains(key.Modifiers, "alt")
			switch {
			case soon && leave:
				return appendPart(parts, out), true
			case soon && lookBack:
				in.waiting = nil
				parts = append(appendPart(parts, out), Typed{Bytes: keys, LookBack: true})
				out = b[:0:0]
				continue
			case soon && plain && key.Key == agentKey:
				in.waiting = nil
				parts = append(appendPart(parts, out), Typed{Agent: true})
				out = b[:0:0]
				continue
			case soon && in.Suspends && isControl(key, "z"):
				in.waiting = nil
				parts = append(appendPart(parts, out), Typed{Suspend: true})
				out = b[:0:0]
				continue
			}
			out = append(out, in.waiting...)
			in.waiting = nil
		}
		out = append(out, piece...)
	}
	return appendPart(parts, out), false
}

// textLen returns how many ASCII characters without controls b starts with.
func textLen(b []byte) int {
	i := slices.IndexFunc(b, func(c byte) bool { return c < ' ' || c > '~' })
	if i < 0 {
		return len(b)
	}
	return i
}

// appendPart appends keys for the session, if there are any.
func appendPart(parts []Typed, b []byte) []Typed {
	if len(b) == 0 {
		return parts
	}
	return append(parts, Typed{Bytes: b})
}

// isControl reports whether a pressed key is a letter with Ctrl alone.
func isControl(key *overlay.Key, letter string) bool {
	return key.Event == "" && key.Key == letter && len(key.Modifiers) == 1 && key.Modifiers[0] == "ctrl"
}

// command returns what a key after the detach key asks for: to look back, and with which keys, or
// to leave.
func (in *Input) command(key *overlay.Key) (keys []byte, lookBack, leave bool) {
	if slices.Contains(key.Modifiers, "ctrl") || slices.Contains(key.Modifiers, "alt") {
		return nil, false, false
	}
	switch key.Key {
	case "d":
		return nil, false, true
	case cmp.Or(in.LookBack, DefaultLookBack):
		return nil, true, false
	case "PageUp":
		return []byte("\x1b[5~"), true, false
	}
	return nil, false, false
}

// Holds returns for how long Feed holds back input, or 0. If nothing follows in that time, the
// caller must call Release.
func (in *Input) Holds() time.Duration {
	switch {
	case len(in.held) > 0:
		return holdTime
	case len(in.waiting) > 0:
		return DetachWindow
	}
	return 0
}

// Release returns the input that was held back: a key that looks like the start of a sequence, or
// the detach key.
func (in *Input) Release() []byte {
	b := slices.Concat(in.waiting, in.held)
	in.waiting, in.held = nil, nil
	in.typed = time.Time{}
	return b
}

// isIncomplete reports whether b is the start of a control sequence. Escape, and Alt+[, look like
// one: they are held back only while answers may arrive.
func (in *Input) isIncomplete(b []byte) bool {
	if b[0] != 0x1b || in.keys.Pasting() {
		return false
	}
	if _, incomplete := in.Before.nextString(b); incomplete {
		return true
	}
	if len(b) > maxHeld {
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
