package term

import (
	"context"
	"time"

	"ui-mcp/internal/term/core"
)

// WithSender returns a context for calls that type on behalf of a sender.
func WithSender(ctx context.Context, from core.Sender) context.Context {
	return context.WithValue(ctx, key[core.Sender]{}, from)
}

// Typed returns the newest entries of the ledger: at most n of those after the number seq.
func (s *Session) Typed(ctx context.Context, seq uint64, n int) ([]core.Typed, error) {
	list, err := read(ctx, s, func(st *state) ([]core.Typed, error) { return st.core.Ledger.After(seq), nil })
	return list[max(len(list)-n, 0):], err
}

// AwaitTyped waits for entries after a number, and returns those that will not change: more input
// may join an entry for some seconds. The error is of kind Timeout after maxWait, where 0 means
// DefaultWait, and Gone when the program has ended and there are no more entries.
func (s *Session) AwaitTyped(ctx context.Context, seq uint64, maxWait time.Duration) ([]core.Typed, error) {
	ctx, cancel := s.within(ctx, maxWait, "nothing was typed into session %q within %v", s.Name())
	defer cancel()
	var list []core.Typed
	err := s.await(ctx, func(st *state) (v verdict, err error) {
		list, v.again = st.core.Settled(seq, time.Now())
		if v.over = len(list) > 0; !v.over && st.core.Exit != nil {
			return v, s.goneError(*st.core.Exit)
		}
		return v, nil
	})
	return list, err
}
