package ui

import (
	"context"
	"time"

	"ui-mcp/internal/ui/problem"
)

// ViewsGeneration changes whenever sessions get other view definitions.
func ViewsGeneration(e *Engine) uint64 { return e.views.snapshot().Generation() }

// SetBurst changes for how long deferred work may keep the session busy.
func (s *Session) SetBurst(d time.Duration) {
	l := s.st.later
	l.mu.Lock()
	defer l.mu.Unlock()
	l.most = d
}

// Bridge returns the session's bridge.
func (tx *Tx) Bridge() *Bridge { return &Bridge{tx.st.vm, tx.st} }

// Value runs a chunk of Lua and returns its first result.
func (tx *Tx) Value(code string) (Value, error) { return tx.st.vm.Run("test", code) }

// AskAndLeave is Ask for a caller that leaves as soon as it has been decided what it gets.
func (s *Session) AskAndLeave(ctx context.Context, f func(*Tx) error) ([]problem.Problem, error) {
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	return ask(ctx, s, f, func() (list, unreported []problem.Problem) {
		list = s.st.problems.list.Take(problem.PerResult)
		leave()
		return list, list
	})
}

// RetryLater makes the pauses after failures to save long.
func (s *Session) RetryLater(ctx context.Context) error {
	return s.Do(ctx, func(tx *Tx) error {
		for _, k := range tx.st.keeps.list {
			k.retry = time.Now().Add(time.Hour)
		}
		return nil
	})
}

// Difference is the difference of two descriptions.
func Difference(before, after string) string { return difference(before, after, changesShown) }
