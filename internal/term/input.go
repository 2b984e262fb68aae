package term

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/keys"
)

// An Input is what a program types in one piece: text, then keys, then events of the mouse. If a
// part is impossible, nothing is typed; persons who permit it are asked about all of it at once.
type Input struct {
	Text  []byte
	Paste bool // pastes the text: see [keys.Paste]
	// Submit pastes the text without line ends at its end, and presses Enter as a person would:
	// when the program has displayed it. Programs with an editor of their own take Enter for a part
	// of the paste otherwise. Keys follow Enter.
	Submit bool
	// Keys are names of [keys.Encode], in the form that the program has asked for.
	Keys  []string
	Mouse []keys.MouseEvent // likewise
	// Secret keeps the input nowhere, not even in the ledger: for prompts that the session cannot
	// tell from others, since they take keys one by one. At others ([core.StateSecret]), the line
	// that the program reads is secret.
	Secret bool
}

// How long programs may take to show what was submitted.
const (
	displayTime = 2 * time.Second        // the text
	submitTime  = 3 * time.Second        // that they have got Enter
	pasteTime   = 150 * time.Millisecond // a paste, before the keys behind it: some take them for a part of it
)

// Type types what a program wants to type, if it may: see [Session.permit]. The ledger (see
// [Session.Typed]) says who types, which [WithSender] puts into ctx.
//
// Where lines need permission, it types up to a key that enters a line of unknown text, and that
// key when the screen shows the line. What follows a paste in brackets is typed when the program
// has drawn something, or 150 ms later. If nothing on the screen changes after [Input.Submit], the
// error is of kind Timeout. Behind the line of a secret, nothing is typed in one piece with it: the
// error is of kind Precondition, since nobody sees that it is no part of the secret.
func (s *Session) Type(ctx context.Context, in Input) error {
	if in.Submit {
		in.Text, in.Paste, in.Keys = bytes.TrimRight(in.Text, "\r\n"), true, slices.Concat([]string{"Enter"}, in.Keys)
	}
	what, shown := in.typing(), 0
	what.From = value[core.Sender](ctx)
	encode := func(st *state) (b []byte, err error) {
		b, shown, err = in.encode(st)
		// No prompt for a secret takes one, but where lines need permission, it could hide them.
		bracketed := what.confirm.isEmpty() && bytes.HasPrefix(b, []byte(keys.PasteStart))
		if err == nil && firstLine(b) < len(b) && !bracketed && what.From.Kind != core.SenderRaw && s.secretLine(st) {
			err = fault.New(fault.Precondition, "the program in session %q reads a secret: send its line alone, and the rest in another call", s.Name())
		}
		return b, err
	}
	if err := s.permit(ctx, &what, encode); err != nil {
		return err
	}
	var rest []byte
	var epoch uint64 // of the screen before the last part
	pasted := false  // the last part is a paste, and is not all
	for settled := false; ; settled = true {
		err := s.awaitRunning(ctx, func(st *state) (_ verdict, err error) {
			if wait := st.core.PasteWait(what.From, time.Now()); wait > 0 {
				return verdict{again: wait}, nil
			}
			if !settled {
				if rest, err = encode(st); err != nil { // the modes may have changed since
					return verdict{}, err
				}
			}
			n := len(rest)
			switch {
			case in.Submit && !settled:
				n = shown
			case !settled:
				if end := bytes.LastIndex(rest, []byte(keys.PasteEnd)); end >= 0 {
					n = end + len(keys.PasteEnd)
				}
			}
			pasted = n < len(rest)
			if what.confirm.Lines != nil && !st.term.Snapshot().AltScreen() { // Enter enters no line there
				from, to := st.line.Unclear(rest)
				if settled && from == 0 {
					from = to
				}
				n = min(n, from)
			}
			if err := s.stillPermitted(st, &what, rest, settled && n > 0); err != nil {
				return verdict{}, err
			}
			epoch = st.snapshot().Epoch
			if n > 0 || len(rest) == 0 {
				err = s.sendAs(st, what, rest[:n])
				what.Count = 0 // the ledger has all of it
			}
			rest = rest[n:]
			return verdict{over: true}, err
		})
		switch {
		case err != nil:
			return err
		case len(rest) == 0 && in.Submit:
			return s.awaitReaction(ctx, epoch)
		case len(rest) == 0:
			return nil
		case in.Submit && !settled && shown > 0:
			// A program without echo displays nothing.
			if _, err := s.awaitChange(ctx, epoch, displayTime); err != nil {
				return err
			}
		case pasted && !in.Submit:
			if _, err := s.awaitChange(ctx, epoch, pasteTime); err != nil {
				return err
			}
			if what.confirm.Lines == nil {
				continue
			}
		}
		if err := s.awaitShown(ctx); err != nil {
			return err
		}
	}
}

// awaitReaction waits until the screen shows that a program has got Enter.
func (s *Session) awaitReaction(ctx context.Context, epoch uint64) error {
	changed, err := s.awaitChange(ctx, epoch, submitTime)
	switch {
	case fault.KindOf(err) == fault.Gone && err != nil: // on Enter
		return nil
	case err != nil || changed:
		return err
	}
	return fault.New(fault.Timeout, "Enter was pressed, but nothing changed on the screen of session %q within %v: look at it", s.Name(), submitTime)
}

// awaitChange waits until the screen differs from the one of an epoch, and reports false if it does
// not in time.
func (s *Session) awaitChange(ctx context.Context, epoch uint64, most time.Duration) (bool, error) {
	unchanged := errors.New("the screen is unchanged")
	ctx, cancel := context.WithTimeoutCause(ctx, most, unchanged)
	defer cancel()
	err := s.awaitRunning(ctx, func(st *state) (verdict, error) { return verdict{over: st.snapshot().Epoch != epoch}, nil })
	if errors.Is(err, unchanged) {
		return false, nil
	}
	return err == nil, err
}

// encode returns the bytes of the input for the program's current input mode. The program should
// show the first of them before the others are typed.
func (in Input) encode(st *state) (b []byte, shown int, err error) {
	m := st.term.Input()
	if b = slices.Clip(in.Text); in.Paste && len(b) > 0 {
		b = keys.Paste(string(b), m)
	}
	shown = len(b)
	for _, name := range in.Keys {
		k, err := keys.Encode(name, m)
		if err != nil {
			return nil, 0, err
		}
		b = append(b, k...)
	}
	cols, rows := st.term.Size()
	for _, e := range in.Mouse {
		k, err := keys.Mouse(e, cols, rows, m)
		if err != nil {
			return nil, 0, err
		}
		b = append(b, k...)
	}
	return b, shown, nil
}

// sendAs sends input and enters it into the ledger.
func (s *Session) sendAs(st *state, what typing, b []byte) error {
	in := core.Type{From: what.From, Kind: what.Kind, Bytes: b}
	if what.Count > 0 {
		in.Entries = what.entries(s.secretLine(st))
	}
	return s.send(st, in)
}

// Signal signals the job in the foreground: see [pty.Process.Signal]. It counts as activity.
func (s *Session) Signal(ctx context.Context, name string) error {
	what := core.Typed{From: value[core.Sender](ctx), Kind: core.InputSignal, Text: name, Count: 1}
	asked := typing{Typed: what}
	if err := s.permit(ctx, &asked, nil); err != nil {
		return err
	}
	err := s.doRunning(ctx, func(st *state) error {
		if err := s.stillPermitted(st, &asked, nil, false); err != nil {
			return err
		}
		return s.apply(st, core.Signal{})
	})
	if err != nil {
		return err
	}
	if err := s.process.Signal(name); err != nil { // here, since it may wait
		return err
	}
	s.post(core.Log{Entries: []core.Typed{what}})
	return nil
}

func (s *Session) send(st *state, in core.Type) error {
	in.Signals = s.process.HasSignalKey(in.Bytes)
	return s.apply(st, in)
}

// follow follows the line that is being typed, without the first line of input if that is a secret.
func (st *state) follow(b []byte, secret bool) {
	if secret {
		b = b[firstLine(b):]
	}
	st.doubt()
	st.line.Type(b)
}

// enqueue queues input that the model has found acceptable.
func (s *Session) enqueue(st *state, w core.Write, now time.Time) {
	if w.Typed {
		st.follow(w.Bytes, w.Secret)
	}
	s.input.Type(w.Bytes, w.Signals)
	st.hurry(now)
}

func (s *Session) fullError() error {
	return fault.New(fault.Exhausted, "the program of session %q does not read its input, of which as much waits as may: look at its screen", s.Name())
}
