package term

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A Sender is who types into a session. Programs choose their names themselves.
type Sender struct {
	Kind  SenderKind
	Name  string // of the program, or of an attached client
	Peer  string // the address from which a program has connected, or ""
	Token string // ID of the token that it has used, or ""
}

// clone returns the sender without what its names were cut from, such as a request.
func (s Sender) clone() Sender {
	return Sender{s.Kind, strings.Clone(s.Name), strings.Clone(s.Peer), strings.Clone(s.Token)}
}

// A SenderKind says through what somebody types.
type SenderKind string

const (
	SenderMCP       SenderKind = "mcp"
	SenderHTTP      SenderKind = "http"
	SenderWebSocket SenderKind = "websocket"
	SenderRaw       SenderKind = "raw"      // a WebSocket of bytes
	SenderAttach    SenderKind = "attach"   // a person's terminal
	SenderApp       SenderKind = "app"      // a script of a live app
	SenderQuestion  SenderKind = "question" // a person who was asked: see [Session.AnswerRequest]
)

// joins returns how long after input of such a sender more of it counts as the same input: what
// comes key by key would otherwise displace everything else.
func (k SenderKind) joins() time.Duration {
	switch k {
	case SenderAttach:
		return 5 * time.Second
	case SenderRaw, SenderWebSocket:
		return time.Second
	}
	return 0
}

type senderKey struct{}

// WithSender returns a context for calls that type on behalf of a sender.
func WithSender(ctx context.Context, from Sender) context.Context {
	return context.WithValue(ctx, senderKey{}, from)
}

func senderOf(ctx context.Context) Sender {
	from, _ := ctx.Value(senderKey{}).(Sender)
	return from
}

// An InputKind says what was typed.
type InputKind string

const (
	InputText   InputKind = "text"   // bytes as they are
	InputKeys   InputKind = "keys"   // keys by name
	InputPaste  InputKind = "paste"  // pasted text
	InputMouse  InputKind = "mouse"  // a mouse event
	InputLine   InputKind = "line"   // a command line, by [Session.RunCommand]
	InputSignal InputKind = "signal" // no input, but a signal by name
)

// Typed is an entry of a session's ledger: input of one sender.
type Typed struct {
	Seq  uint64 // its number, from 1; gaps are entries that were dropped
	At   time.Time
	From Sender
	Kind InputKind
	// Text is what was typed, at most 4 KiB of it (then Cut is set). It is "" if it is Secret, and
	// for what a person typed on an attached terminal.
	Text   string
	Cut    bool
	Count  int // of keys, or of characters; an answer to a question counts as one
	Secret bool

	until time.Time // when the last of it was typed
}

// The limits of a ledger.
const (
	maxTyped     = 1000
	maxTypedText = 4 << 10   // bytes of one entry
	maxLedger    = 256 << 10 // bytes of all texts
)

// A ledger keeps who has typed what into a session. Secrets are only counted. So is what a person
// types on an attached terminal, since that is private; what agents type is done in the person's
// name.
type ledger struct {
	entries []Typed
	bytes   int
	last    uint64
}

// add adds input, of which text is what can be read.
func (l *ledger) add(now time.Time, entries ...Typed) {
	for _, e := range entries {
		l.addOne(now, e)
	}
}

func (l *ledger) addOne(now time.Time, e Typed) {
	e.At, e.until = now, now
	if e.Secret || e.From.Kind == SenderAttach {
		e.Text = ""
	}
	e.Text = strings.ToValidUTF8(e.Text, "\ufffd")
	e.From = e.From.clone()
	if n := len(l.entries); n > 0 && l.entries[n-1].takes(e) {
		last := &l.entries[n-1]
		last.until = now
		last.Count += e.Count
		l.bytes -= len(last.Text)
		last.Text += e.Text
		last.cut()
		l.bytes += len(last.Text)
	} else {
		l.last++
		e.Seq = l.last
		e.cut()
		l.entries = append(l.entries, e)
		l.bytes += len(e.Text)
	}
	for len(l.entries) > maxTyped || l.bytes > maxLedger {
		l.bytes -= len(l.entries[0].Text)
		l.entries[0] = Typed{} // the list lives on
		l.entries = l.entries[1:]
	}
}

// takes reports whether input belongs to the entry, which is the newest.
func (t *Typed) takes(e Typed) bool {
	return t.From == e.From && t.Kind == e.Kind && t.Secret == e.Secret && e.At.Sub(t.until) < t.From.Kind.joins() && len(t.Text) <= maxTypedText
}

// cut shortens the text, and keeps nothing else of a long one in memory.
func (t *Typed) cut() {
	if len(t.Text) > maxTypedText {
		t.Text, t.Cut = strings.ToValidUTF8(t.Text[:maxTypedText], ""), true
	}
	t.Text = strings.Clone(t.Text)
}

// after returns the entries after a number.
func (l *ledger) after(seq uint64) []Typed {
	i, _ := slices.BinarySearchFunc(l.entries, seq, func(e Typed, seq uint64) int {
		if e.Seq <= seq {
			return -1
		}
		return 1
	})
	return slices.Clone(l.entries[i:])
}

// Typed returns the newest entries of the ledger: at most n of those after the number seq.
func (s *Session) Typed(ctx context.Context, seq uint64, n int) (list []Typed, err error) {
	err = s.do(ctx, func(st *state) error {
		list = st.ledger.after(seq)
		return nil
	})
	return list[max(len(list)-n, 0):], err
}

// AwaitTyped waits for entries after a number, and returns those that will not change: more input
// may join an entry for some seconds. The error is of kind Timeout after maxWait, where 0 means
// DefaultWait, and Gone when the program has ended and there are no more entries.
func (s *Session) AwaitTyped(ctx context.Context, seq uint64, maxWait time.Duration) ([]Typed, error) {
	ctx, cancel := within(ctx, maxWait, "nothing was typed into session %q within %v", s.Name())
	defer cancel()
	var list []Typed
	err := s.await(ctx, func(st *state) (verdict, error) {
		var rest time.Duration
		list = st.ledger.after(seq)
		if n := len(list); n > 0 && st.status.exit == nil {
			if rest = list[n-1].From.Kind.joins() - time.Since(list[n-1].until); rest > 0 {
				list = list[:n-1]
			}
		}
		if len(list) == 0 && st.status.exit != nil {
			return verdict{}, s.goneError(*st.status.exit)
		}
		return verdict{over: len(list) > 0, again: rest}, nil
	})
	return list, err
}

// countKeys returns how many keys typed bytes are: characters, and sequences that keys send.
func countKeys(b []byte) (n int) {
	for len(b) > 0 {
		n++
		if b[0] != 0x1b || len(b) == 1 {
			_, size := utf8.DecodeRune(b)
			b = b[size:]
			continue
		}
		b = b[1:]
		switch b[0] {
		case '[':
			end := slices.IndexFunc(b[1:], func(c byte) bool { return c >= 0x40 && c <= 0x7e })
			if end < 0 {
				return n
			}
			b = b[end+2:]
		case 'O':
			b = b[min(len(b), 2):]
		default: // with Alt
			_, size := utf8.DecodeRune(b)
			b = b[size:]
		}
	}
	return n
}
