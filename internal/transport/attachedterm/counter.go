package attachedterm

import "sync"

// A counter reports how much of what a client has typed was handled: the program's terminal has
// taken it, or it was dropped. What still waits in this process would be lost with it, and what the
// program left unread when it ended is not reported.
type counter struct {
	input   input
	report  func(bytes int)
	closed  chan struct{}
	waiting sync.WaitGroup // one goroutine at most

	mu      sync.Mutex // guards the fields below; held only for moments
	typedTo int        // how many bytes the client has typed
	awaits  bool       // the program is yet to take something: one report waits at a time
}

// An input is what clients type into. See [term.Viewer.AfterInput].
type input interface{ AfterInput(func()) bool }

func newCounter(in input, report func(bytes int)) *counter {
	return &counter{input: in, report: report, closed: make(chan struct{})}
}

// typed reports bytes, the number of all so far, once they are handled. A key that the program can
// read at once is reported before typed returns.
func (c *counter) typed(bytes int) {
	c.mu.Lock()
	c.typedTo = bytes
	waits := c.awaits
	c.awaits = true
	c.mu.Unlock()
	if waits {
		return
	}
	if taken := c.taken(); taken != nil {
		c.waiting.Go(func() { c.reportAll(bytes, taken) })
		return
	}
	c.mu.Lock()
	c.awaits = false
	c.mu.Unlock()
	c.report(bytes)
}

// taken returns a channel that is closed when the program has taken what was typed so far, or nil
// if it has.
func (c *counter) taken() <-chan struct{} {
	taken := make(chan struct{})
	if !c.input.AfterInput(func() { close(taken) }) {
		return nil
	}
	return taken
}

// reportAll reports bytes when they are taken, and then what was typed meanwhile.
func (c *counter) reportAll(bytes int, taken <-chan struct{}) {
	for {
		if taken != nil {
			select {
			case <-taken:
			case <-c.closed:
				return
			}
		}
		c.report(bytes)
		c.mu.Lock()
		more := c.typedTo > bytes
		bytes, c.awaits = c.typedTo, more
		c.mu.Unlock()
		if !more {
			return
		}
		taken = c.taken()
	}
}

// close ends the reports. What is handled later is not reported.
func (c *counter) close() {
	close(c.closed)
	c.waiting.Wait()
}
