package term

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/keys"
)

// Send types bytes as they are. The ledger (see [Session.Typed]) says who types, which [WithSender]
// puts into ctx.
func (s *Session) Send(ctx context.Context, b []byte) error { return s.Openly().Send(ctx, b) }

// Keys presses keys, one after the other, by the names of [keys.Encode], in the form that the
// program has asked for. If one of them is unknown, it presses no key.
func (s *Session) Keys(ctx context.Context, names ...string) error {
	return s.Openly().Keys(ctx, names...)
}

// Paste pastes text: see [keys.Paste].
func (s *Session) Paste(ctx context.Context, text string) error {
	return s.Openly().Paste(ctx, text)
}

// A Typist types into a session, openly or in secret.
type Typist struct {
	session *Session
	secret  bool
	asked   bool
	then    []string
}

// Secretly returns a Typist whose input is kept nowhere, not even in the ledger: for prompts that
// the session cannot tell from others, since they take keys one by one. At others ([StateSecret]),
// all input is secret.
func (s *Session) Secretly() Typist { return Typist{session: s, secret: true} }

// IfAsked returns a Typist that types only if a program reads the first line as a secret. Otherwise
// the error is of kind Precondition with the detail [NotAsked].
func (t Typist) IfAsked() Typist {
	t.asked = true
	return t
}

// Then returns a Typist that presses keys after what it sends or pastes, in one piece: persons who
// decide who may type are asked about all of it, and if a key is unknown nothing is typed.
func (t Typist) Then(names ...string) Typist {
	t.then = names
	return t
}

// Openly returns a Typist whose input is in the ledger, except for secrets that programs ask for.
func (s *Session) Openly() Typist { return Typist{session: s} }

// Send is [Session.Send].
func (t Typist) Send(ctx context.Context, b []byte) error {
	what := typing{Typed: typedText(b), rest: typedText(b[firstLine(b):]), entered: bytes.ContainsAny(b, endKeys)}
	return t.send(ctx, what, func(keys.Mode) ([]byte, error) { return b, nil })
}

// Keys is [Session.Keys].
func (t Typist) Keys(ctx context.Context, names ...string) error {
	return t.send(ctx, pressing(names), func(m keys.Mode) ([]byte, error) { return encodeKeys(names, m) })
}

func encodeKeys(names []string, m keys.Mode) (b []byte, err error) {
	for _, name := range names {
		k, err := keys.Encode(name, m)
		if err != nil {
			return nil, err
		}
		b = append(b, k...)
	}
	return b, nil
}

// Paste is [Session.Paste].
func (t Typist) Paste(ctx context.Context, text string) error {
	what := typing{Typed: typedPaste(text), rest: typedPaste(text[firstLine([]byte(text)):]), entered: strings.ContainsAny(text, endKeys)}
	return t.send(ctx, what, func(m keys.Mode) ([]byte, error) { return keys.Paste(text, m), nil })
}

// send sends the result of make for the program's current input mode.
func (t Typist) send(ctx context.Context, what typing, make func(keys.Mode) ([]byte, error)) error {
	s := t.session
	if then := t.then; len(then) > 0 {
		if t.then = nil; what.Count == 0 {
			return t.Keys(ctx, then...)
		}
		first, next := make, pressing(then)
		what.next = &next
		make = func(m keys.Mode) ([]byte, error) {
			b, err := first(m)
			if err != nil {
				return nil, err
			}
			k, err := encodeKeys(then, m)
			return slices.Concat(b, k), err
		}
	}
	what.From, what.Secret, what.asked = senderOf(ctx), t.secret, t.asked
	return s.sendPermitted(ctx, what, func(st *state) ([]byte, error) { return make(st.mode()) })
}

// sendPermitted sends the result of make, if the persons at the session permit it. It does not ask
// them about input that cannot be made.
func (s *Session) sendPermitted(ctx context.Context, what typing, make func(*state) ([]byte, error)) error {
	err := s.permit(ctx, &what, func(st *state) error {
		_, err := make(st)
		return err
	})
	if err != nil {
		return err
	}
	return s.doTyping(ctx, func(st *state) error {
		if err := s.stillPermitted(st, what); err != nil {
			return err
		}
		if what.asked && !s.readsSecret(st) {
			return fault.With(NotAsked, fault.New(fault.Precondition, "no program in session %q asks for a secret: nothing was typed", s.Name()))
		}
		b, err := make(st) // the modes may have changed since
		if err != nil {
			return err
		}
		return s.sendAs(st, what, b)
	})
}

// doTyping is doRunning for functions that type for a program: a person may have taken the keyboard
// since it was permitted.
func (s *Session) doTyping(ctx context.Context, f func(*state) error) error {
	return s.doRunning(ctx, func(st *state) error {
		if err := s.keyboardTaken(); err != nil {
			return err
		}
		return f(st)
	})
}

// sendAs sends input and enters it into the ledger.
func (s *Session) sendAs(st *state, what typing, b []byte) error {
	mode, phase, entries := s.process.Mode(), st.shell.phase, what.entries(s.secretLine(st))
	if err := s.send(st, b); err != nil {
		return err
	}
	st.typed(what.From, what.Kind, "", b, mode, phase)
	if what.Count > 0 {
		st.ledger.add(time.Now(), entries...)
		st.notify() // terminals may display who types
	}
	return nil
}

// Mouse sends a mouse event: see [keys.Mouse].
func (s *Session) Mouse(ctx context.Context, e keys.MouseEvent) error {
	what := typing{Typed: Typed{From: senderOf(ctx), Kind: InputMouse, Text: fmt.Sprintf("%s %s %d,%d", e.Action, e.Button, e.Col, e.Row), Count: 1}}
	return s.sendPermitted(ctx, what, func(st *state) ([]byte, error) {
		cols, rows := st.term.Size()
		return keys.Mouse(e, cols, rows, st.mode())
	})
}

// Signal sends a signal to the job in the foreground of the terminal: see [pty.Process.Signal]. It
// counts as activity.
func (s *Session) Signal(ctx context.Context, name string) error {
	what := Typed{From: senderOf(ctx), Kind: InputSignal, Text: name, Count: 1}
	if err := s.permit(ctx, &typing{Typed: what}, nil); err != nil {
		return err
	}
	err := s.doTyping(ctx, func(st *state) error {
		now := time.Now()
		s.touch(st, now)
		st.shell.signal(now)
		return nil
	})
	if err != nil {
		return err
	}
	if err := s.process.Signal(name); err != nil { // here, since it may wait
		return err
	}
	s.exec.Post(func() {
		s.st.ledger.add(time.Now(), what)
		s.st.notify()
	})
	return nil
}

// send queues input. It counts as activity, so that a caller that waits for silence right
// afterwards does not get the silence before.
func (s *Session) send(st *state, b []byte) error {
	st.shell.typed()
	signals := s.process.HasSignalKey(b)
	if err := s.enqueue(st, b); err != nil {
		return err
	}
	now := time.Now()
	if signals {
		st.shell.signal(now)
		key, put := b[len(b)-1], s.input.last()
		time.AfterFunc(stuckTime, func() { s.ensureSignal(key, put) })
	}
	st.shell.lines.typed(b, now)
	s.stir(st, now)
	return nil
}

// enqueue is send for input that the state of the shell accounts for.
func (s *Session) enqueue(st *state, b []byte) error {
	if len(b) > MaxInput {
		return fault.New(fault.Invalid, "%d bytes of input are too many: send at most %d at a time", len(b), MaxInput)
	}
	if s.input.isStuck() {
		b = s.signalKey(b)
	}
	switch s.input.put(b) {
	case errQueueClosed: // its last output is being read
		return fault.New(fault.Gone, "the program of session %q has just ended", s.Name())
	case errQueueFull:
		return s.fullError()
	}
	now := time.Now()
	st.hurry(now)
	s.touch(st, now)
	return nil
}

func (s *Session) fullError() error {
	return fault.New(fault.Exhausted, "the program of session %q does not read its input, of which as much waits as may: look at its screen", s.Name())
}

// signalKey sends the signal of the last control character in b, if it has one, and returns the
// input after it. The input before it is dropped, as by a terminal that gets such a key.
func (s *Session) signalKey(b []byte) []byte {
	i := len(b) - 1
	for i >= 0 && b[i] >= ' ' && b[i] != 0x7f {
		i--
	}
	if i < 0 || !s.process.SignalKey(b[i]) {
		return b
	}
	s.input.drop()
	return b[i+1:]
}

// ensureSignal sends the signal of a key that was typed a moment ago, if the key does not get
// through to the program's terminal: input before it, of which nobody knew then that it is not
// read, may wait in the queue, and some 20 KiB in the system. The second case can be told only if
// the input of number put ended with the key, and nothing was put after it.
func (s *Session) ensureSignal(key byte, put uint64) {
	if !s.input.cutAfter(s.process.SignalKey) && s.input.last() == put && (s.input.isStuck() || s.process.KeepsSignalKey()) {
		s.process.SignalKey(key)
	}
}

// mode returns the program's current input mode. It does not use the snapshot, which is out of date
// while the program holds back its picture.
func (st *state) mode() keys.Mode {
	return keys.Mode{Modes: st.term.Modes(), Keys: st.term.Keys(), ModifyOtherKeys: st.term.ModifyOtherKeys()}
}
