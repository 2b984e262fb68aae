// Package attach is the client that connects a person's terminal to a session: it types what the
// person types, draws the pictures that the server sends, and leaves the terminal as it was. It
// survives a lost connection. Its callers choose the server, and the messages to the person.
//
// A client has the terminal, and an attachment while there is a connection. A core decides: it
// takes keys, frames and what happens to both, and returns bytes for the terminal and for the
// server, so that tests replay it without either.
//
//	terminal ── keys ──> client ── core ── frames ──> attachment ── server
//	terminal <── bytes ── client ── core <── frames ── attachment <── server
//
// One goroutine carries out what the core says, one reads keys, one the connection. Whatever ends
// the client, the terminal gets its modes back, except where the process is killed.
package attach

import (
	"cmp"
	"context"
	"errors"
	"net"
	"os"
	"os/signal"
	"sync"
	"time"

	"ui-mcp/internal/cli/attach/chooser"
	"ui-mcp/internal/cli/attach/outer"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/socketwire"
)

const (
	// returnTime is how long a client looks for the server after the connection has broken. A
	// server that accepts a connection may take longer to answer: see answerTime.
	returnTime  = 2 * time.Second
	returnPause = 50 * time.Millisecond
	// farewellTime is how long a server may take to say how a connection ends.
	farewellTime = time.Second
	// stuckTime is how long a terminal that takes no output may hold up a client that is to end.
	stuckTime = 2 * time.Second
)

// Errors of a terminal's read.
var (
	errInterrupted = errors.New("interrupted")
	errResized     = errors.New("resized")
)

// Options say what to attach to, and how.
type Options struct {
	// Dial connects to the server, which it may start. Redial connects to it again, and must not
	// start another.
	Dial, Redial func(context.Context) (net.Conn, error)
	// Create describes the session to create; nil attaches to Session.
	Create  *terminals.NewSession
	Session string
	// Scrollback is how many lines of history go to the terminal's own scrollback, -1 for all.
	Scrollback int
	// AltScreen draws everything on the terminal's alternate screen.
	AltScreen bool
	// Viewer is what the session is to do for the terminal, and Client what the terminal is. One of
	// [clients.KindWatch], which is also ReadOnly, is detached by Ctrl-C.
	Viewer term.ViewerOptions
	Client clients.Options
	// Greeting returns the greeting of the first connection. It is called after Dial. nil displays
	// nothing.
	Greeting func() string
	// Detach is the key that detaches when it is typed twice.
	Detach outer.Key
	// Sessions calls show with the server's sessions, or why they are unknown, now and when they
	// change, until the context ends.
	Sessions func(ctx context.Context, show func([]chooser.Session, error))
	// Rename gives a session another name.
	Rename func(ctx context.Context, id, name string) error
	// Keys is the text about the keys.
	Keys string
	// In and Out are the person's terminal.
	In, Out *os.File
	// Abandon must end the process. It is called if Run cannot return after the context has ended,
	// because the terminal takes no output. nil waits for the terminal.
	Abandon func()
}

// Run attaches the terminal until the session ends or the person leaves. The terminal then has its
// modes back. The result says how it ended; if the connection was lost instead, the error is of
// kind Gone, and a [Refusal] if the session could not be attached to again. When ctx ends, it
// returns as if the person had left, or, while the server has not answered yet, the cause; but a
// server that has been asked to create a session is given the time to answer.
func Run(ctx context.Context, o Options) (socketwire.End, error) {
	terminal, err := openTerminal(o.In, o.Out)
	if err != nil {
		return socketwire.End{}, err
	}
	defer terminal.close()
	c := newClient(terminal, o)
	conn, err := o.Dial(ctx)
	if err != nil {
		return socketwire.End{}, err
	}
	asking := ctx
	if o.Create != nil { // then there may be a session, and the answer names it
		asking = context.WithoutCancel(ctx)
	}
	l, err := c.open(asking, conn, o, true)
	switch {
	case asking.Err() != nil: // then err reports a deadline
		if err == nil {
			l.close()
		}
		return socketwire.End{}, context.Cause(ctx)
	case err != nil:
		return socketwire.End{}, err
	case ctx.Err() != nil:
		l.close()
		return socketwire.End{Reason: socketwire.Detached, Name: l.session.Name}, nil
	}
	return c.run(ctx, l)
}

// A client is one person's terminal, attached. It carries out what its core decides. Three
// goroutines do: run handles signals and connections, read what is typed, and the reader of the
// connection what the server sends.
type client struct {
	o        Options
	terminal *terminal
	left     context.Context // ends when the person leaves
	leave    context.CancelFunc

	drawing sync.Mutex // held while something is written to the terminal

	lost time.Time // when the last connection broke that had drawn something; owned by run

	mu      sync.Mutex // guards the fields below; held only for moments
	core    core
	current *attachment // nil while there is no connection
	drew    bool        // something was drawn, or the person came back, since lost was set

	wishes  chan wish          // capacity 1: what run is to do
	repaint chan struct{}      // capacity 1: what the client displays itself has changed
	helping context.Context    // ends with run
	helpers sync.WaitGroup     // what asks the server for what the client displays
	unlist  context.CancelFunc // ends the list of sessions, or nil
}

func newClient(t *terminal, o Options) *client {
	c := &client{o: o, terminal: t, drew: true}
	c.left, c.leave = context.WithCancel(context.Background())
	c.core.showAgent, c.core.altScreen, c.core.input.Detach, c.core.input.Watching = o.Viewer.ShowAgent, o.AltScreen, o.Detach, o.Client.Kind == clients.KindWatch
	c.core.input.Suspends = canSuspend()
	c.core.own.plain, c.core.own.keys, c.core.own.readOnly = o.Viewer.Plain, o.Keys, o.Client.ReadOnly
	c.wishes, c.repaint = make(chan wish, 1), make(chan struct{}, 1)
	return c
}

// run handles the terminal's signals and the ends of connections.
func (c *client) run(ctx context.Context, l *attachment) (end socketwire.End, err error) {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, terminalSignals...)
	defer signal.Stop(signals)
	defer c.abandonIfStuck(ctx)()
	if err := c.enter(); err != nil {
		l.close()
		return end, err
	}
	clean := false
	defer func() { err = errors.Join(err, c.exit(clean)) }()
	helping, stopHelping := context.WithCancel(ctx)
	c.helping = helping
	defer c.helpers.Wait()
	defer stopHelping()
	c.helpers.Go(c.keepOwn)
	var reading sync.WaitGroup
	defer reading.Wait()
	reading.Go(c.read)
	defer c.terminal.interrupt()
	defer func() { c.drop() }()
	next := l             // to be used
	var over chan outcome // nil after the end of a session, while the person chooses another one
	leave := func() (socketwire.End, error) {
		if over == nil {
			return end, nil
		}
		c.checkSize((*core).resize) // the last picture is drawn at the terminal's size
		last := c.farewell(l)
		clean = last.end != nil
		return c.detached(last), nil
	}
	for {
		if next != nil {
			l, clean = next, false
			if err := c.use(l); err != nil {
				return end, err
			}
			over, next = l.over, nil
			c.checkSize((*core).resize) // it may have changed since the request
		}
		select {
		case <-c.left.Done():
			return leave()
		case <-ctx.Done():
			return leave()
		case w := <-c.wishes:
			if w.left {
				return end, nil
			}
			next = c.switchTo(ctx, l, w.open)
			continue
		case s := <-signals:
			if isResize(s) {
				c.terminal.resized()
				continue
			}
			if err := c.pause(s, signals); err != nil || over == nil {
				return end, err
			}
			// The terminal may have been used for something else.
			if last := c.quit(l); last.end != nil && last.end.Reason != socketwire.Detached {
				return *last.end, nil
			}
			if err := c.enter(); err != nil {
				return end, err
			}
			c.mu.Lock()
			c.drew = true
			c.mu.Unlock()
		case last := <-over:
			switch {
			case last.failed != nil:
				return end, last.failed
			case last.end != nil:
				end, clean = *last.end, last.end.Reason != socketwire.Stopping
				if !c.chooseAfter(end) {
					return end, nil
				}
				over = nil
				continue
			}
			c.drop()
		}
		switch next, err = c.reconnect(ctx); {
		case err != nil:
			return socketwire.End{}, err
		case next == nil:
			return c.detached(outcome{}), nil
		}
	}
}

// detached says that the person left. last is how the connection ended.
func (c *client) detached(last outcome) socketwire.End {
	if last.end != nil && last.end.Reason == socketwire.Detached {
		return *last.end
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return socketwire.End{Reason: socketwire.Detached, Name: c.core.session.Name}
}

// enter takes over the terminal.
func (c *client) enter() error {
	c.drawing.Lock()
	defer c.drawing.Unlock()
	if err := c.terminal.makeRaw(); err != nil {
		return err
	}
	c.mu.Lock()
	b := c.core.enter()
	c.mu.Unlock()
	return c.terminal.write(b)
}

// pause returns the terminal. If the process has been asked to stop, it stops then until it is
// continued.
func (c *client) pause(s os.Signal, signals <-chan os.Signal) error {
	c.drawing.Lock()
	defer c.drawing.Unlock()
	c.mu.Lock()
	b := c.core.exit(false)
	c.mu.Unlock()
	if err := c.terminal.write(b); err != nil || !isSuspend(s) {
		return err
	}
	if err := c.terminal.restore(); err != nil {
		return err
	}
	c.mu.Lock()
	l := c.current
	c.mu.Unlock()
	if l != nil {
		l.flush() // what was typed last may end here
	}
	return suspend(signals)
}

// exit returns the terminal. clean says that the server has drawn its last picture.
func (c *client) exit(clean bool) error {
	c.drawing.Lock()
	defer c.drawing.Unlock()
	c.mu.Lock()
	b := c.core.exit(clean)
	c.mu.Unlock()
	return errors.Join(c.terminal.write(b), c.terminal.restore())
}

// abandonIfStuck restores the terminal's settings and calls Abandon if the client has not ended
// soon after ctx. It returns a function that says that the client has ended.
func (c *client) abandonIfStuck(ctx context.Context) (ended func()) {
	over := make(chan struct{})
	if c.o.Abandon != nil {
		context.AfterFunc(ctx, func() {
			select {
			case <-over:
			case <-time.After(stuckTime):
				_ = c.terminal.restore() // without what can only be written
				c.o.Abandon()
			}
		})
	}
	return func() { close(over) }
}

// draw writes the server's output to the terminal.
func (c *client) draw(l *attachment, b []byte) error {
	c.drawing.Lock()
	defer c.drawing.Unlock()
	c.mu.Lock()
	b = c.core.draw(b)
	c.mu.Unlock()
	if len(b) == 0 {
		return nil
	}
	if err := c.terminal.write(b); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drew = true
	l.send(c.core.drawn(b))
	return nil
}

// ring rings the terminal's bell, as terminals do when they drop what is typed.
func (c *client) ring() error {
	c.drawing.Lock()
	defer c.drawing.Unlock()
	return c.terminal.write([]byte("\a"))
}

// read reads what the person types until it is interrupted or the terminal is gone. It notices
// resizes, too, so that they keep their place among the keys.
func (c *client) read() {
	buf := make([]byte, 32<<10)
	for {
		c.mu.Lock()
		holds := c.core.input.Holds()
		c.mu.Unlock()
		n, err := c.terminal.read(buf, cmp.Or(holds, -1))
		switch {
		case errors.Is(err, errResized):
			c.checkSize((*core).resized)
			continue
		case errors.Is(err, errInterrupted):
			return
		case err != nil || c.key(buf[:n]):
			c.leave()
			return
		}
	}
}

// key sends what was typed; empty input means that nothing has followed a held key. It reports
// whether the person leaves.
func (c *client) key(b []byte) (leave bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var t typing
	if len(b) == 0 {
		t = c.core.release()
	} else {
		t = c.core.key(b, time.Now())
	}
	return c.do(t)
}

// do does what the core says about what was typed. It reports whether the person leaves. The client
// is locked.
func (c *client) do(t typing) (leave bool) {
	if t.suspend {
		stopJob()
	}
	if c.current != nil {
		c.current.sendTyped(t.frames)
	}
	c.grant(t.wish)
	c.updateOwn()
	return t.leave
}

// checkSize sends what the core, by one of its methods, says to the terminal's present size.
func (c *client) checkSize(f func(*core, size) []socketwire.Frame) {
	s, err := c.terminal.size()
	if err != nil { // it is gone, which others notice
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.send(f(&c.core, s))
	c.updateOwn()
}

// send queues frames on the current connection, if there is one. The client is locked.
func (c *client) send(frames []socketwire.Frame) {
	if c.current != nil {
		c.current.send(frames)
	}
}
