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

// An Input sorts what a terminal sends: keys for the session, the terminal's answers to
// [Questions], and the keys after the detach key, which are for the client: see [Command].
//
// It is not safe for concurrent use.
type Input struct {
	Detach Key
	// Watching says that the person only looks: Ctrl-C detaches, too.
	Watching bool
	// Suspends says that the client can be suspended. Otherwise the program gets that key, too.
	Suspends bool
	Before   Before

	keys    overlay.Splitter
	waiting []byte // the detach key, which waits for the next key; nil: it was not typed
	held    []byte // the start of a sequence
}

// A Typed is a part of the input that a client passes on, or carries out.
type Typed struct {
	Command Command
	// Bytes are keys for the session; with [LookBack], those that are typed there first; with
	// [Prefix], the name of the key that waits, if one does; with a command that displays something
	// of the client's own, all input after it.
	Bytes []byte
}

// Feed returns the parts of some input that are to be passed on, in order, and whether the person
// leaves. The rest of the input is dropped then. Slices may share memory with b.
//
// The detach key waits for the next one, for as long as that takes. What follows it is for the
// client: a key that is no [Command] is dropped with it.
func (in *Input) Feed(b []byte, now time.Time) (parts []Typed, leave bool) {
	b = in.withHeld(b)
	out := b[:0:0]
	in.keys.Arrive(len(b), now)
	for len(b) > 0 {
		if n := textLen(b); n > 0 && !in.keys.Pasting() && in.waiting == nil {
			out = append(out, b[:n]...)
			b = b[n:]
			continue
		}
		p, rest := in.next(b)
		b = rest
		if p.bytes == nil {
			continue
		}
		switch key := p.key; {
		case key != nil && in.Watching && isControl(key, "c"), key != nil && in.waiting != nil && in.Detach.is(key):
			return appendPart(parts, out), true
		case key != nil && in.Detach.is(key):
			in.waiting = bytes.Clone(p.bytes)
			parts = append(appendPart(parts, out), Typed{Command: Prefix, Bytes: []byte(in.Detach.String())})
			out = b[:0:0]
			continue
		case in.waiting == nil, key == nil && !p.pasted:
			out = append(out, p.bytes...)
			continue
		case key != nil && key.Event != "": // such as the release of the detach key
			continue
		}
		parts = append(appendPart(parts, out), Typed{Command: Prefix})
		out = b[:0:0]
		detached := in.waiting
		in.waiting = nil
		if p.key == nil {
			out = append(out, p.bytes...)
			continue
		}
		switch command, keys := in.command(p.key); {
		case command == detach:
			return parts, true
		case command == literal:
			out = append(out, detached...)
		case command.displays():
			return append(parts, Typed{Command: command, Bytes: b}), false
		case command != Pass:
			parts = append(parts, Typed{Command: command, Bytes: keys})
		}
	}
	return appendPart(parts, out), false
}

// A Pressed is a part of the input that is for what the client itself displays. It has at most one
// field; reports of the terminal have none.
type Pressed struct {
	Key     *overlay.Key
	Paste   string
	Command Command // after the detach key
	Leave   bool    // the person leaves
}

// Key returns the first part of input that is for what the client itself displays, and the input
// after it. An incomplete character or sequence is held back, and then Pressed is zero.
func (in *Input) Key(b []byte, now time.Time) (pressed Pressed, rest []byte) {
	b = in.withHeld(b)
	in.keys.Arrive(len(b), now)
	if b[0] >= utf8.RuneSelf && !utf8.FullRune(b) && !in.keys.Pasting() {
		in.held = bytes.Clone(b)
		return Pressed{}, nil
	}
	p, rest := in.next(b)
	switch {
	case p.pasted:
		return Pressed{Paste: string(bytes.TrimSuffix(bytes.TrimPrefix(p.bytes, []byte(keys.PasteStart)), []byte(keys.PasteEnd)))}, rest
	case p.key == nil || p.key.Event == "release":
		return Pressed{}, rest
	case in.Detach.is(p.key):
		leave := in.waiting != nil
		in.waiting = p.bytes
		return Pressed{Leave: leave}, rest
	}
	waited := in.waiting != nil
	in.waiting = nil
	switch command, _ := in.command(p.key); {
	case !waited || command == Pass || command == literal:
		return Pressed{Key: p.key}, rest
	case command == detach:
		return Pressed{Leave: true}, rest
	default:
		return Pressed{Command: command}, rest
	}
}

// A piece is a key, a report, or a part of a paste.
type piece struct {
	bytes  []byte // nil: there is nothing to pass on
	key    *overlay.Key
	pasted bool
}

// next takes the first piece off input, and returns what follows. It records answers, and holds
// back an incomplete sequence.
func (in *Input) next(b []byte) (p piece, rest []byte) {
	if in.isIncomplete(b) {
		in.held = bytes.Clone(b)
		return piece{}, nil
	}
	pasted := in.keys.Pasting()
	if n, _ := in.Before.nextString(b); n > 0 && !pasted {
		in.Before.answerString(b[:n])
		return piece{}, b[n:]
	}
	n, key := in.keys.Next(b)
	if key == nil && !pasted && in.Before.answer(b[:n]) {
		return piece{}, b[n:]
	}
	return piece{b[:n], key, key == nil && (pasted || bytes.HasPrefix(b[:n], []byte(keys.PasteStart)))}, b[n:]
}

// withHeld returns input after what was held back.
func (in *Input) withHeld(b []byte) []byte {
	if len(in.held) > 0 {
		b = append(in.held, b...)
		in.held = nil
	}
	return b
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

// Holds returns for how long Feed holds back input, or 0. If nothing follows in that time, the
// caller must call Release.
func (in *Input) Holds() time.Duration {
	if len(in.held) > 0 {
		return holdTime
	}
	return 0
}

// Release returns the input that was held back: a key that looks like the start of a sequence.
func (in *Input) Release() []byte {
	b := in.held
	in.held = nil
	return b
}

// ReleaseKey is Release for what the client itself displays: it returns the key that was held back,
// or nil.
func (in *Input) ReleaseKey() *overlay.Key {
	b := in.Release()
	if len(b) == 0 {
		return nil
	}
	_, key := in.keys.Next(b)
	return key
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
	return escape.Incomplete(b)
}
