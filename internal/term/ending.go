package term

import (
	"context"

	"ui-mcp/internal/fault"
)

// An ending ends when a stream of reports is closed, for a caller that waits for the next one. Its
// cause is of kind Gone.
type ending struct {
	context.Context
	cancel context.CancelCauseFunc
}

func newEnding() ending {
	ctx, cancel := context.WithCancelCause(context.Background())
	return ending{ctx, cancel}
}

// close may be called more than once, from any goroutine.
func (e ending) close() {
	e.cancel(fault.New(fault.Gone, "it was closed meanwhile: nothing more is reported"))
}
