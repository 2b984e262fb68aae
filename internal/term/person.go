package term

import (
	"bytes"
	"context"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/render"
)

// framePause is the least time between two pictures on a client's terminal. The
// first change after a pause is shown at once.
const framePause = 10 * time.Millisecond

// Fit says how large the client's terminal is, and that nothing is known of what it
// shows, so the next picture is drawn anew. The session's size is another matter, for
// [Session.Resize]: whoever changed it last has it as they like, and the others see
// as much of the picture as they have room for (see [render.Frame.Fit]). Without Fit,
// the client's terminal must always have the size of the session.
func (c *Client) Fit(cols, rows int) error {
	if err := checkSize(cols, rows); err != nil {
		return err
	}
	c.mu.Lock()
	c.cols, c.rows, c.anew = cols, rows, true
	c.mu.Unlock()
	select {
	case c.changed <- struct{}{}:
	default:
	}
	return nil
}

// Next waits until the client's terminal is to show something else, and returns the
// bytes that make it do so: see [render.AppendDiff]. However slow the client, that is
// the way to the newest picture, and nobody waits for it.
//
// When the program has ended, or the client is sent away, the last bytes leave the
// terminal as programs expect it (see [render.AppendRestore]). After that the error is
// of kind Gone. After any other error, the caller must restore the terminal.
func (c *Client) Next(ctx context.Context) ([]byte, error) {
	if c.over != nil {
		return nil, c.over
	}
	if rest := framePause - time.Since(c.drawn); !c.drawn.IsZero() && rest > 0 {
		if err := c.session.pause(ctx, c.detached, rest); err != nil {
			return nil, err
		}
	}
	for {
		over := c.attached()
		frame, ended, err := c.look(ctx)
		switch {
		case ended != nil:
			over = ended
		case fault.KindOf(err) == fault.Gone: // the session has been removed
			over = err
		case err != nil:
			return nil, err
		}
		var b []byte
		if frame != nil {
			b = c.draw(frame)
		}
		if over != nil {
			c.over = over
			c.session.exec.Post(func() { delete(c.session.st.waiters, c.changed) })
			return render.AppendRestore(b), nil
		}
		if len(b) > 0 {
			c.drawn = time.Now()
			return b, nil
		}
		select {
		case <-c.changed:
		case <-c.detached:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// look returns the present picture, from which on c.changed tells of changes, and how
// the program has ended, if it has. There is no picture for who was sent away.
func (c *Client) look(ctx context.Context) (frame *render.Frame, ended, err error) {
	s := c.session
	var f *render.Frame // not the results, which must not be written to after an error
	var e error
	err = s.do(ctx, func(st *state) error {
		switch {
		case st.exit != nil:
			e = s.goneError(*st.exit)
		case c.attached() != nil:
			return nil
		default:
			st.waiters[c.changed] = struct{}{}
		}
		f = st.picture()
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return f, e, nil
}

// draw returns what makes the client's terminal show a picture.
func (c *Client) draw(frame *render.Frame) []byte {
	c.mu.Lock()
	from, cols, rows := c.shown, c.cols, c.rows
	if c.anew {
		from, c.anew = nil, false
	}
	c.mu.Unlock()
	if cols > 0 {
		frame = frame.Fit(cols, rows)
	}
	b := render.AppendDiff(nil, from, frame)
	c.mu.Lock()
	c.shown = frame
	c.mu.Unlock()
	return b
}

// Type is what a person types on the client's terminal, keys as well as reports of
// the mouse: see [overlay.Model.Input]. Listeners hear of it ([Session.Listen]); the
// program gets it unless it is captured, with the mouse at its place on the program's
// own screen. Ctrl+\ is the person's way out of capture, and twice within
// [overlay.DetachWindow] it sends this client away.
//
// What the program gets counts as activity, nothing else does. When the client has
// left, or the program has ended, the error is of kind Gone.
func (c *Client) Type(ctx context.Context, b []byte) error {
	if len(b) > MaxInput {
		return fault.New(fault.Invalid, "%d bytes of input are too many: send at most %d at a time", len(b), MaxInput)
	}
	b = bytes.Clone(b)
	return c.session.doRunning(ctx, func(st *state) error { return c.typed(st, b) })
}

// typed is Type on the session's goroutine.
func (c *Client) typed(st *state, b []byte) error {
	if err := c.attached(); err != nil {
		return err
	}
	before := st.model.InputMode()
	var program []byte
	var events []overlay.InputEvent
	detach := false
	for _, piece := range c.pieces(b) {
		in := st.model.Input(&c.keyboard, piece, time.Now())
		for i := range in.Events {
			program = append(program, c.forProgram(st, &in.Events[i])...)
		}
		events = append(events, in.Events...)
		detach = detach || in.Detach
	}
	st.publish(before, events)
	if detach {
		c.detach()
	}
	if len(program) == 0 {
		return nil
	}
	return c.session.send(st, program)
}

// forProgram returns what the program gets of an event. A report of the mouse, which
// is of a place on the client's terminal, is made one of the whole screen.
func (c *Client) forProgram(st *state, e *overlay.InputEvent) []byte {
	r, mouse := keys.ParseMouse(e.Raw)
	if mouse {
		c.mu.Lock()
		if c.shown != nil {
			r.Row += c.shown.CutTop
			r.Col += c.shown.CutLeft
		}
		c.mu.Unlock()
		e.Raw = r.SGR()
	}
	switch {
	case e.Mode != overlay.Passthrough:
		return nil
	case !mouse:
		return e.Raw
	}
	r, ok := c.pointer.report(r, st.model.View())
	if !ok {
		return nil
	}
	return r.For(st.term.Modes())
}

// maxTail is how long a sequence may be that has only begun.
const maxTail = 32

// pieces divides what was typed. A control sequence that is cut off, as it may be by
// a network, waits for the rest: a report of the mouse must be known to be moved. One
// that turns out to have no rest is a piece by itself.
func (c *Client) pieces(b []byte) [][]byte {
	var pieces [][]byte
	if len(c.tail) > 0 && len(b) > 0 {
		if b[0] < ' ' || b[0] > '~' {
			pieces = append(pieces, c.tail)
		} else {
			b = append(c.tail, b...)
		}
		c.tail = nil
	}
	if at := bytes.LastIndexByte(b, 0x1b); at >= 0 && len(b)-at <= maxTail && cutOff(b[at:]) {
		c.tail = bytes.Clone(b[at:])
		b = b[:at]
	}
	if len(b) > 0 {
		pieces = append(pieces, b)
	}
	return pieces
}

// cutOff reports whether b is the beginning of a control sequence. The two bytes with
// which all of them begin are not enough, since a person can type these: Alt+[.
func cutOff(b []byte) bool {
	if len(b) < 3 || b[1] != '[' {
		return false
	}
	for _, c := range b[2:] {
		if c < ' ' || c > '?' {
			return false
		}
	}
	return true
}
