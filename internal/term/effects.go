package term

import (
	"context"

	"ui-mcp/internal/term/vt"
)

// An EffectListener receives what a session's program does beyond its screen: [vt.Bell],
// [vt.Clipboard] (only what the program sets: programs may not read the clipboard),
// [vt.Notification] and [vt.Progress]. Bells in a row that nobody has fetched are one, and of
// progress the newest counts. The caller must Close it.
type EffectListener struct {
	*mailbox[vt.Effect]
}

// ListenEffects returns a listener, which receives all effects from now on. Callers must not modify
// their data.
func (s *Session) ListenEffects(ctx context.Context) (*EffectListener, error) {
	l := &EffectListener{newMailbox(s, effectSize)}
	err := s.doRunning(ctx, func(st *state) error {
		st.effects[l] = struct{}{}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// effectSize returns how many bytes an effect holds.
func effectSize(e vt.Effect) int {
	switch e := e.(type) {
	case vt.Clipboard:
		return len(e.Data) + len(e.Selection)
	case vt.Notification:
		return len(e.Title) + len(e.Body)
	}
	return 0
}

// Close ends listening.
func (l *EffectListener) Close() {
	l.session.exec.Post(func() { delete(l.session.st.effects, l) })
}

// publishEffect sends listeners an effect.
func (st *state) publishEffect(e vt.Effect) {
	for l := range st.effects {
		l.put(e, func(newest vt.Effect) bool { return supersedes(e, newest) })
	}
}

// supersedes reports whether nobody needs the effect before that has seen the one after it.
func supersedes(after, before vt.Effect) bool {
	switch after.(type) {
	case vt.Bell:
		_, ok := before.(vt.Bell)
		return ok
	case vt.Progress:
		_, ok := before.(vt.Progress)
		return ok
	}
	return false
}
