package attachedterm

import (
	"sync"

	"ui-mcp/internal/wake"
)

// A counter reports how much of what a client has typed was handled: the program's terminal has
// taken it, or it was dropped. What still waits in this process would be lost with it, and what the
// program left unread when it ended is not reported.
type counter struct {
	input  input
	report func(bytes int)
	wake   chan struct{} // capacity 1; a token means that more was handled
	done   chan struct{} // closed when run has returned

	mu      sync.Mutex // guards the fields below; held only for moments
	typedTo int        // how many bytes the client has typed
	handled int
	awaits  bool // the program is yet to take something: one report waits at a time
	closed  bool
}

// An input is what clients type into. See [term.Viewer.AfterInput].
type input interface{ AfterInput(func()) bool }

func newCounter(in input, report func(bytes int)) *counter {
	c := &counter{input: in, report: report, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go c.run()
	return c
}

// typed reports bytes, the number of all so far, once they are handled. A key that the program can
// read at once is reported before typed returns.
func (c *counter) typed(bytes int) {
	c.mu.Lock()
	c.typedTo = bytes
	waits := c.awaits
	c.awaits = true
	c.mu.Unlock()
	if waits || c.input.AfterInput(func() { c.took(bytes) }) {
		return
	}
	c.mu.Lock()
	c.awaits = false
	c.mu.Unlock()
	c.report(bytes)
}

// took counts bytes as handled.
func (c *counter) took(bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.handled = bytes
	if !c.closed {
		wake.Up(c.wake)
	}
}

func (c *counter) run() {
	defer close(c.done)
	for range c.wake {
		c.mu.Lock()
		handled := c.handled
		c.mu.Unlock()
		c.report(handled)
		c.mu.Lock()
		next := c.typedTo
		c.awaits = next > handled
		c.mu.Unlock()
		if next > handled && !c.input.AfterInput(func() { c.took(next) }) {
			c.took(next)
		}
	}
}

// close ends the reports. What is handled later is not reported.
func (c *counter) close() {
	c.mu.Lock()
	c.closed = true
	close(c.wake)
	c.mu.Unlock()
	<-c.done
}
