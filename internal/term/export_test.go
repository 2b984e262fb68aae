package term

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"time"

	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/tty"
)

// Block keeps the session's executor busy until the channel is closed.
func (s *Session) Block(until <-chan struct{}) { s.exec.Post(func() { <-until }) }

// FollowMarks makes the session follow the marks of a program in memory.
func (s *Session) FollowMarks() {
	p, ok := s.process.(interface{ MarkKey() string })
	if !ok {
		return
	}
	_ = s.exec.Run(func() { s.st.term.SetMarkKey(p.MarkKey()) })
}

// Subscriptions returns how many callers and viewers are notified of changes, found text, input or
// other events.
func (s *Session) Subscriptions() int {
	s.backlog.mu.Lock()
	n := len(s.backlog.readers)
	s.backlog.mu.Unlock()
	_ = s.exec.Run(func() {
		n += len(s.st.waiters) + len(s.st.watchers) + s.st.texts.Len() + len(s.st.core.Waits)
	})
	return n
}

// Send types a text, Keys presses keys, Paste pastes, and Mouse sends an event of the mouse.
func (s *Session) Send(ctx context.Context, b []byte) error { return s.Type(ctx, Input{Text: b}) }

func (s *Session) Keys(ctx context.Context, names ...string) error {
	return s.Type(ctx, Input{Keys: names})
}

func (s *Session) Paste(ctx context.Context, text string) error {
	return s.Type(ctx, Input{Text: []byte(text), Paste: true})
}

func (s *Session) Mouse(ctx context.Context, e keys.MouseEvent) error {
	return s.Type(ctx, Input{Mouse: []keys.MouseEvent{e}})
}

// Attended reports whether a person who may type is attached.
func (s *Session) Attended() bool { return s.status.Load().Persons > 0 }

// Record records into w.
func (s *Session) Record(ctx context.Context, w io.Writer) (*record.Recorder, error) {
	return s.record(ctx, w)
}

// Fit sets the size of the viewer's terminal without resizing the session.
func (v *Viewer) Fit(ctx context.Context, cols, rows int) error {
	return v.session.do(ctx, func(st *state) error {
		v.fit(st, cols, rows)
		return nil
	})
}

// DetachAll asks all clients but observers to leave.
func (s *Session) DetachAll() { _ = s.Detach("") }

// ReadsSecret reports whether a program reads the next line as a secret.
func (s *Session) ReadsSecret() (reads bool) {
	_ = s.exec.Run(func() { reads = s.readsSecret(s.st) })
	return reads
}

// Reads reports whether the program waits for input.
func (s *Session) Reads() tty.Reading { return s.process.Reads() }

// Unread reports whether output has been read that is not on the screen yet.
func (s *Session) Unread() bool { return s.unread.Load() }

// AwaitPrompt waits until the shell does not run a command.
func (s *Session) AwaitPrompt(ctx context.Context) error {
	return s.awaitRunning(ctx, func(st *state) (verdict, error) {
		p := &st.core.Shell
		return verdict{over: p.Phase != core.PhaseRunning && (!p.Editor.Unread || time.Since(p.Editor.Entered) > core.DefaultSilence), again: 20 * time.Millisecond}, nil
	})
}

// Changes returns how many changes wait until the watcher looks.
func (w *Watcher) Changes() int { return len(w.changed) }

// NextPicture waits until there is a picture other than the caller's last one, which may be nil,
// and returns the newest, however many were missed. It may look the same. A caller that asks again
// at once gets a picture for each chunk of output, so it should draw first. When the program has
// ended, NextPicture returns the last picture once, and then an error of kind Gone.
func (s *Session) NextPicture(ctx context.Context, last *render.Frame) (*render.Frame, error) {
	var f *render.Frame
	err := s.await(ctx, func(st *state) (verdict, error) {
		f = st.picture()
		if f == last && st.core.Exit != nil {
			return verdict{}, s.goneError(*st.core.Exit)
		}
		return verdict{over: f != last}, nil
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// SizingViewers returns how many viewers take part in deciding the size of the session.
func (s *Session) SizingViewers() int {
	n := 0
	_ = s.do(context.Background(), func(st *state) error {
		for _, t := range st.core.Terminals {
			if !t.Follows {
				n++
			}
		}
		return nil
	})
	return n
}

// BreakOutput makes the session panic at each bell, while output is parsed.
func (s *Session) BreakOutput() {
	s.exec.Post(func() { s.st.watchers[&Watcher{o: WatchOptions{Topics: WatchEffects}}] = struct{}{} })
}

// What follows reads and changes the overlays and panels of a session, and who gets persons' input:
// see the methods of these names of [overlay.Model].

func (s *Session) ApplyElements(ctx context.Context, ops ...overlay.Op) (ids []string, err error) {
	err = s.ChangeElements(ctx, func(m *overlay.Model) (err error) {
		ids, err = m.Apply(ops...)
		return err
	})
	return ids, err
}

func (s *Session) Elements(ctx context.Context, k overlay.Kind) ([]overlay.Element, error) {
	return ReadElements(ctx, s, func(m *overlay.Model) ([]overlay.Element, error) { return m.List(k), nil })
}

func (s *Session) Element(ctx context.Context, k overlay.Kind, id string) (overlay.Element, error) {
	return ReadElements(ctx, s, func(m *overlay.Model) (overlay.Element, error) { return m.Get(k, id) })
}

func (s *Session) ScreenMode(ctx context.Context) (overlay.ScreenMode, error) {
	return ReadElements(ctx, s, func(m *overlay.Model) (overlay.ScreenMode, error) { return m.Mode(), nil })
}

func (s *Session) EnterAltScreen(ctx context.Context) error {
	return s.ChangeElements(ctx, (*overlay.Model).EnterAlternate)
}

func (s *Session) ExitAltScreen(ctx context.Context) error {
	return s.ChangeElements(ctx, (*overlay.Model).ExitAlternate)
}

func (s *Session) InputMode(ctx context.Context) (overlay.InputMode, error) {
	return ReadElements(ctx, s, func(m *overlay.Model) (overlay.InputMode, error) { return m.InputMode(), nil })
}

func (s *Session) CaptureInput(ctx context.Context) error {
	return s.ChangeElements(ctx, func(m *overlay.Model) error { m.Capture(); return nil })
}

func (s *Session) ReleaseInput(ctx context.Context) error {
	return s.ChangeElements(ctx, func(m *overlay.Model) error { m.Release(); return nil })
}

func (s *Session) Focus(ctx context.Context, id string) error {
	return s.ChangeElements(ctx, func(m *overlay.Model) error { return m.Focus(id) })
}

func (s *Session) Unfocus(ctx context.Context) error {
	return s.ChangeElements(ctx, func(m *overlay.Model) error { m.Unfocus(); return nil })
}

func (s *Session) Focused(ctx context.Context) (string, error) {
	return ReadElements(ctx, s, func(m *overlay.Model) (string, error) { return m.Focused(), nil })
}

// OfferLate does what a shell sees that has read an offered line just before it is withdrawn.
func (s *Session) OfferLate(line string) error {
	const n = 1 << 20
	if err := s.o.How.Offers.Offer(n, line); err != nil {
		return err
	}
	path := filepath.Join(s.o.How.KeyFile+".offers", "line")
	read, err := os.ReadFile(path)
	if err == nil && s.o.How.Offers.Withdraw() {
		err = os.WriteFile(path, read, 0o600)
	}
	return err
}
