package term

import (
	"sync"

	"ui-mcp/internal/fault"
)

// An ending is what closing a stream of reports leaves behind, for the caller that waits for the
// next one.
type ending struct {
	once   sync.Once
	closed chan struct{}
}

func newEnding() *ending { return &ending{closed: make(chan struct{})} }

// close may be called more than once, from any goroutine.
func (e *ending) close() { e.once.Do(func() { close(e.closed) }) }

// err returns an error of kind Gone once the stream is closed.
func (e *ending) err() error {
	select {
	case <-e.closed:
		return fault.New(fault.Gone, "it was closed meanwhile: nothing more is reported")
	default:
		return nil
	}
}
