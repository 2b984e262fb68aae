package attachedterm

// A counter reports how much of what a client has typed was handled: the program's terminal has
// taken it, or it was dropped. What still waits in this process would be lost with it, and what the
// program left unread when it ended is not reported.
type counter struct {
	input  input
	report func(bytes int)
	typed  chan int // how many bytes the client has typed; capacity 1: one report waits at a time
	closed chan struct{}
	done   chan struct{} // closed when nothing is reported any more
}

// An input is what clients type into. See [term.Viewer.AfterInput].
type input interface{ AfterInput(func()) bool }

func newCounter(in input, report func(bytes int)) *counter {
	c := &counter{input: in, report: report, typed: make(chan int, 1), closed: make(chan struct{}), done: make(chan struct{})}
	go c.run()
	return c
}

// count reports bytes, the number of all so far, once they are handled. One goroutine calls it.
func (c *counter) count(bytes int) {
	select {
	case <-c.typed: // which is less
	default:
	}
	c.typed <- bytes
}

func (c *counter) run() {
	defer close(c.done)
	for bytes := range c.typed {
		taken := make(chan struct{})
		if c.input.AfterInput(func() { close(taken) }) {
			select {
			case <-taken:
			case <-c.closed:
				return
			}
		}
		c.report(bytes)
	}
}

// close ends the reports. What is handled later is not reported.
func (c *counter) close() {
	close(c.closed)
	close(c.typed)
	<-c.done
}
