package term

import (
	"bytes"
	"context"
	"slices"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/typeahead"
	"ui-mcp/internal/wake"
)

// Type sends what a person types on the viewer's terminal, keys as well as reports of the mouse:
// see [overlay.Model.Input]. Watchers get it, too ([WatchInput]), but while the program asks for a
// secret ([core.StateSecret]) they learn only that something was typed: see also [WatchOptions].
// The program gets it unless input is captured, with positions of the mouse translated to the
// program's own screen. Ctrl+\ is the person's way out of capture.
//
// Only what the program gets counts as activity. The error is of kind Gone when the viewer has left
// or the program has ended, and Exhausted when as much input waits as may: then nobody has got it,
// unless it has a key for which the terminal sends a signal. A viewer that is untrusted may be
// refused, with an error of kind Precondition and the detail [core.NotPermitted].
func (v *Viewer) Type(ctx context.Context, b []byte) error {
	if err := typeahead.CheckSize(b); err != nil {
		return err
	}
	b = bytes.Clone(b)
	return v.session.doRunning(ctx, func(st *state) error { return v.typed(st, b) })
}

// Interrupts reports whether input has a key for which the terminal sends a signal now, such as
// Ctrl-C. Such input makes Type drop what the program has not read. It does not block.
func (v *Viewer) Interrupts(b []byte) bool {
	return !v.o.Client.ReadOnly && bytes.ContainsAny(b, signalKeys) && v.session.process.HasSignalKey(b)
}

// AfterInput calls f once the program's terminal has taken all input so far, or it was dropped. It
// reports false, without calling f, if that is so already. It never calls f if the program ends
// first, which loses the rest. f must neither block nor call the viewer. It may be called on any
// goroutine, also after the viewer has left.
func (v *Viewer) AfterInput(f func()) bool { return v.session.input.WhenWritten(f) }

// signalKeys are keys for which a terminal sends signals, even to a program that does not read.
const signalKeys = "\x03\x1a\x1c"

// looksText says that what is typed goes nowhere.
const looksText = "you may only look here"

// endGreeting takes the greeting away, now that something is typed, unless it says that this goes
// nowhere. That a window gets or loses the focus is nothing that a person types.
func (v *Viewer) endGreeting(b []byte) {
	if t := &v.terminal; t.greeting != "" && !v.o.Looks && string(b) != "\x1b[I" && string(b) != "\x1b[O" {
		t.greeting = ""
		wake.Up(v.changed)
	}
}

// typed is Type on the session's executor. Networks cut anywhere, so an incomplete character or
// control sequence at the end is held back until its rest arrives: a sequence may become a report
// of the mouse, which must be recognised to be translated, and half a character is not a key.
func (v *Viewer) typed(st *state, b []byte) error {
	if !v.IsAttached() {
		return v.detachedError()
	}
	t, now := &v.terminal, time.Now()
	t.keyboard.Arrive(len(b), now)
	held := t.held
	t.secret = v.session.asksSecret() || t.secret && len(held) > 0
	b = slices.Concat(held, b)
	n := keys.Whole(b, v.takesReports(st))
	v.hold(b[n:])
	if n == 0 {
		return nil
	}
	err := v.typedWhole(st, b[:n], now)
	if fault.KindOf(err) == fault.Exhausted { // what was given is typed again, its end included
		v.hold(held)
	}
	return err
}

// takesReports reports whether what begins like a sequence of the terminal must be known as a whole
// before anything is done with it: it may be a report of the mouse, or a key that is not for the
// program. Otherwise, the program finds out itself where keys begin and end.
func (v *Viewer) takesReports(st *state) bool {
	return st.term.Modes().Mouse() || v.wheelLooks(st) || v.terminal.look.model != nil || v.terminal.dialog != nil || st.model.InputMode() != overlay.Passthrough
}

// escapeHold is how long Escape, Alt+[ and Alt+O are held back, since the rest of a sequence may
// follow.
const escapeHold = 25 * time.Millisecond

// hold holds back what is incomplete until more is typed, or for a moment what a person can have
// typed: Escape, Alt+[ and Alt+O.
func (v *Viewer) hold(start []byte) {
	t := &v.terminal
	t.held = bytes.Clone(start)
	t.holds++
	if n := t.holds; len(start) > 0 && len(start) <= 2 && start[0] == 0x1b {
		v.session.after(escapeHold, func(st *state) {
			if t.holds == n && v.IsAttached() && st.core.Exit == nil {
				typed := t.held
				t.held = nil
				_ = v.typedWhole(st, typed, time.Now()) // nobody can be told any more
			}
		})
	}
}

// typedWhole is typed for input of which nothing is held back.
func (v *Viewer) typedWhole(st *state, b []byte, now time.Time) error {
	v.endGreeting(b)
	switch {
	case v.answers(st, b, now):
		return nil
	case v.terminal.look.model == nil && v.startsLook(st, b):
		v.lookBack(st)
		v.terminal.look.model.LeaveAtEnd()
	}
	if v.terminal.look.model != nil {
		if b = v.typeLooking(st, b); len(b) == 0 {
			return nil
		}
	}
	if b = v.turned(st, b); len(b) == 0 || v.o.Client.ReadOnly {
		return nil
	}
	if err := v.trusted(); err != nil {
		return err
	}
	if st.model.InputMode() == overlay.Passthrough && v.session.input.Refuses(len(b)) == typeahead.ErrFull && !bytes.ContainsAny(b, signalKeys) {
		return v.session.fullError()
	}
	before := st.model.InputMode()
	if isAction(b) {
		v.session.clients.Update(v.Client, func(i *clients.Info) { i.Typed = now })
		if !v.o.Follows || isKey(b) {
			if err := v.session.apply(st, core.Lead{Terminal: v.ID()}); err != nil {
				return err
			}
		}
	}
	return v.deliver(st, before, st.model.Input(&v.terminal.keyboard, b), v.terminal.secret)
}

// trusted returns the error, of kind Precondition with the detail [core.NotPermitted], of a viewer
// that is untrusted while programs may not type.
func (v *Viewer) trusted() error {
	if !v.o.Untrusted {
		return nil
	}
	if v.session.o.AskToType {
		return fault.With(core.NotPermitted, fault.New(fault.Precondition, "nothing can be typed into session %q from here, since it asks who may type", v.Name()))
	}
	return v.session.keyboardTaken()
}

func (s *Session) asksSecret() bool { return s.process.Mode() == tty.ModeSecret }

// Prefix says that a key of the client's own, with that name, waits for the next one, or with ""
// that none does any more. The last row says so. It is as if Ctrl+\ was typed and the program did
// not get it: it ends capture and puts a question away.
func (v *Viewer) Prefix(ctx context.Context, key string) error {
	return v.session.do(ctx, func(st *state) error {
		v.terminal.prefix = key
		wake.Up(v.changed)
		if key != "" {
			v.endGreeting([]byte{overlay.ToggleKey})
		}
		if key == "" || st.core.Exit != nil || v.o.Client.ReadOnly || v.trusted() != nil {
			return nil
		}
		v.terminal.keyboard = overlay.Splitter{} // the person has seen what became of a paste
		if v.terminal.dialog != nil || st.model.InputMode() != overlay.Passthrough {
			return v.typed(st, []byte{overlay.ToggleKey})
		}
		return nil
	})
}

// deliver gives input to the program, and to watchers unless it is secret.
func (v *Viewer) deliver(st *state, before overlay.InputMode, in []overlay.InputEvent, secret bool) error {
	var program []byte
	for i := range in {
		program = append(program, v.terminal.forProgram(st, &in[i])...)
	}
	events := v.terminal.published(in, secret)
	st.publish(before, events)
	if st.captured.add(events) || before != st.model.InputMode() {
		st.notify()
	}
	if len(program) == 0 {
		return nil
	}
	typed := core.Type{From: core.Sender{Kind: core.SenderAttach, Name: v.ClientName()}, Kind: core.InputText, Bytes: program, Passive: !isAction(program)}
	if !typed.Passive {
		typed.Entries = []core.Typed{{From: typed.From, Kind: core.InputText, Count: core.CountKeys(program), Secret: secret}}
	}
	return v.session.send(st, typed)
}

// published returns the input as watchers get it: of a secret, they learn only that something was
// typed. Captured input is not a secret, because the program does not get it, unless it may be the
// rest of a line whose start the program has: then a dialog has appeared in between.
func (t *viewerTerminal) published(typed []overlay.InputEvent, secret bool) []InputEvent {
	events := make([]InputEvent, len(typed))
	for i := range typed {
		e := &typed[i]
		events[i] = InputEvent{Typed: e, Mode: e.Mode}
		if !secret {
			t.secretLine = false
			continue
		}
		events[i].Typed = &overlay.InputEvent{Mode: e.Mode, Target: e.Target, Secret: true}
		switch {
		case e.Mode == overlay.Captured && !t.secretLine:
			events[i].captured = e
		case !bytes.HasPrefix(e.Raw, []byte{0x1b}): // a report of the mouse is no text
			t.secretLine = !bytes.ContainsAny(e.Raw, core.LineKeys)
		}
	}
	return events
}

// forProgram returns the bytes of an event that the program gets. It changes a mouse report, whose
// position is on the viewer's terminal, to a position on the whole screen.
func (t *viewerTerminal) forProgram(st *state, e *overlay.InputEvent) []byte {
	r, mouse := keys.ParseMouse(e.Raw)
	if mouse {
		r.Row += t.cutTop
		r.Col += t.cutLeft
		e.Raw = r.SGR()
	}
	switch {
	case e.Mode != overlay.Passthrough:
		return nil
	case !mouse:
		return e.Raw
	}
	r, ok := t.pointer.report(r, st.model.Snapshot())
	if !ok {
		return nil
	}
	return r.For(st.term.Modes())
}

// isAction reports whether a piece of input has more than terminals send while a person only looks:
// reports that the window got or lost the focus, that the mouse moved, or that its wheel turned.
func isAction(piece []byte) bool {
	return hasMore(piece, func(r keys.MouseReport) bool { return !r.Pressed() && !r.Dragged() })
}

// isKey reports whether a piece of input has more than reports about the focus and the mouse.
func isKey(piece []byte) bool {
	return hasMore(piece, func(keys.MouseReport) bool { return true })
}

// hasMore reports whether a piece of input has more than reports about the focus and reports of the
// mouse for which ignored returns true.
func hasMore(piece []byte, ignored func(keys.MouseReport) bool) bool {
	for len(piece) > 0 {
		n := 0
		if bytes.HasPrefix(piece, []byte("\x1b[I")) || bytes.HasPrefix(piece, []byte("\x1b[O")) {
			n = 3
		} else if end := bytes.IndexAny(piece, "Mm"); end >= 0 {
			if r, ok := keys.ParseMouse(piece[:end+1]); ok && ignored(r) {
				n = end + 1
			}
		}
		if n == 0 {
			return true
		}
		piece = piece[n:]
	}
	return false
}
