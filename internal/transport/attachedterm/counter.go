package attachedterm

import (
	"sync"

	"ui-mcp/internal/wake"
)

// maxAwaited is how many reports of a counter wait for the program at a time.
const maxAwaited = 256

// A counter reports how much of what a client has typed was handled: the program's terminal has
// taken it, or it was dropped. What still waits in this process would be lost with it, and what the
// program left unread when it ended is not reported.
type counter struct {
	input  input
	report func(bytes int)
	wake   chan struct{} // capacity 1; a token means that more was handled
	done   chan struct{} // closed when run has returned

	mu      sync.Mutex // guards the fields below; held only for moments
	waiting int        // how many reports wait for the program
	handled int
	newest  int // if not 0, a number to report after those that wait, since they are maxAwaited
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
	if c.waiting == maxAwaited {
		c.newest = bytes
		c.mu.Unlock()
		return
	}
	c.waiting++
	first := c.waiting == 1
	c.mu.Unlock()
	if c.input.AfterInput(func() { c.took(bytes) }) {
		return
	}
	if first {
		c.mu.Lock()
		c.waiting--
		c.mu.Unlock()
		c.report(bytes)
		return
	}
	c.took(bytes) // after the reports that wait
}

// took counts bytes as handled.
func (c *counter) took(bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting--
	c.handled = max(c.handled, bytes)
	if !c.closed {
		wake.Up(c.wake)
	}
}

func (c *counter) run() {
	defer close(c.done)
	for range c.wake {
		c.mu.Lock()
		handled, newest := c.handled, c.newest
		if c.newest = 0; newest > 0 {
			c.waiting++
		}
		c.mu.Unlock()
		c.report(handled)
		if newest > 0 && !c.input.AfterInput(func() { c.took(newest) }) {
			c.took(newest)
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
