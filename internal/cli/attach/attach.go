// Package attach is the client that connects a person's terminal to a session: it types what the
// person types, draws the pictures that the server sends, and leaves the terminal as it was. It
// knows how to lose a connection, and leaves to its callers which server to connect to and what to
// say to the person.
package attach

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/signal"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/outer"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/frame"
)

const (
	// returnTime is how long a client looks for the server after the connection has broken.
	returnTime  = 2 * time.Second
	returnPause = 50 * time.Millisecond
	// farewellTime is how long a server may take to say how a connection ends.
	farewellTime = time.Second
	// answersTime is how long a terminal may take to answer questions.
	answersTime = 500 * time.Millisecond
	// maxPending is how much input is kept while there is no connection, in bytes.
	maxPending = 1 << 20
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
	// Size is the rule for the session's size, "" to leave it: see [term.SizeRule].
	Size string
	// ReadOnly types nothing.
	ReadOnly bool
	// Detach is the key that detaches when it is typed twice.
	Detach outer.Key
	// In and Out are the person's terminal.
	In, Out *os.File
	// Guard is the command of this program that runs [Guard]; nil means that there is no guard.
	Guard []string
}

// Run attaches the terminal until the session ends or the person leaves. The terminal is then as it
// was before. The result says how it ended; if the connection was lost instead, the error is of
// kind Gone. When ctx ends, it returns as if the person had left.
func Run(ctx context.Context, o Options) (frame.End, error) {
	terminal, err := openTerminal(o.In, o.Out)
	if err != nil {
		return frame.End{}, err
	}
	defer terminal.close()
	c := &client{o: o, terminal: terminal, leave: make(chan struct{}), answered: make(chan struct{})}
	c.input.Detach = o.Detach
	conn, err := o.Dial(ctx)
	if err != nil {
		return frame.End{}, err
	}
	l, err := c.open(ctx, conn, true)
	if err != nil {
		return frame.End{}, err
	}
	return c.run(ctx, l)
}

// A client is one person's terminal, attached.
type client struct {
	o        Options
	terminal *terminal
	guard    *guard
	name     string        // the session's, as last known; owned by run and what it calls
	leave    chan struct{} // closed when the person leaves
	answered chan struct{} // closed when the terminal has answered all questions

	drawing   sync.Mutex // held while something is written to the terminal; guards the fields below
	alternate bool       // the terminal's alternate screen is active for the session's
	adopted   bool       // the primary screen displays the session

	guarding sync.Mutex // held while the guard is told something; guards the field below
	guarded  guarded

	typing  sync.Mutex // guards the fields below
	input   outer.Input
	current *link  // nil while there is no connection
	pending []byte // typed meanwhile
}

// guarded is what the guard knows, on which the bytes that restore a terminal depend.
type guarded struct {
	known              bool // false for the zero value alone
	returned           bool // there is nothing to restore
	alternate, adopted bool
	before             outer.Before
}

// run handles the terminal's signals and the ends of connections.
func (c *client) run(ctx context.Context, l *link) (end frame.End, err error) {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, terminalSignals...)
	defer signal.Stop(signals)
	c.guard = startGuard(c.o.Guard, c.terminal)
	defer c.guard.end()
	if err := c.enter(outer.Questions()); err != nil {
		l.close()
		return end, err
	}
	clean := false
	defer func() { err = errors.Join(err, c.exit(clean)) }()
	var reading sync.WaitGroup
	defer reading.Wait()
	reading.Go(c.read)
	defer c.terminal.interrupt()
	asked := time.Now()
	defer func() { // else the shell would get the answers
		select {
		case <-c.answered:
		case <-c.leave:
		case <-time.After(answersTime - time.Since(asked)):
		}
	}()
	over := make(chan outcome, 1)
	c.use(l, over)
	defer func() { c.drop() }()
	for {
		select {
		case <-c.leave:
			clean = c.farewell(over)
			return frame.End{Reason: frame.Detached, Name: c.name}, nil
		case <-ctx.Done():
			clean = c.farewell(over)
			return frame.End{Reason: frame.Detached, Name: c.name}, nil
		case s := <-signals:
			if isResize(s) {
				c.resize()
				continue
			}
			if err := c.pause(s, signals); err != nil {
				return end, err
			}
			// The terminal may have been used for something else.
			if last := c.quit(over); last.end != nil && last.end.Reason != frame.Detached {
				return *last.end, nil
			}
			if err := c.enter(nil); err != nil {
				return end, err
			}
		case last := <-over:
			switch {
			case last.failed != nil:
				return end, last.failed
			case last.end != nil:
				clean = last.end.Reason != frame.Stopping
				return *last.end, nil
			}
			c.drop()
		}
		l, err := c.reconnect(ctx)
		switch {
		case err != nil:
			return end, err
		case l == nil:
			return frame.End{Reason: frame.Detached, Name: c.name}, nil
		}
		c.use(l, over)
	}
}

// enter takes over the terminal, after it has been sent b.
func (c *client) enter(b []byte) error {
	c.drawing.Lock()
	defer c.drawing.Unlock()
	c.alternate, c.adopted = false, false
	c.tellGuard(func(g *guarded) { g.returned, g.alternate, g.adopted = false, false, false })
	if err := c.terminal.makeRaw(); err != nil {
		return err
	}
	return c.terminal.write(outer.Prepare(b, c.o.AltScreen))
}

// pause returns the terminal. If the process has been asked to stop, it stops then until it is
// continued.
func (c *client) pause(s os.Signal, signals <-chan os.Signal) error {
	c.drawing.Lock()
	defer c.drawing.Unlock()
	if err := c.terminal.write(c.restoration(false)); err != nil {
		return err
	}
	if !isSuspend(s) {
		return nil
	}
	if err := c.terminal.restore(); err != nil {
		return err
	}
	c.tellGuard(func(g *guarded) { g.returned = true })
	return suspend(signals)
}

// exit returns the terminal. clean says that the server has drawn its last picture.
func (c *client) exit(clean bool) error {
	c.drawing.Lock()
	defer c.drawing.Unlock()
	return errors.Join(c.terminal.write(c.restoration(clean)), c.terminal.restore())
}

// restoration returns the bytes that restore the terminal. Drawing is locked.
func (c *client) restoration(clean bool) []byte {
	var b []byte
	if !clean {
		b = render.Abandon(b, c.alternate, !c.o.AltScreen && c.adopted)
	}
	c.typing.Lock()
	defer c.typing.Unlock()
	return c.input.Before.Restore(b, c.o.AltScreen)
}

// tellGuard changes what the guard knows.
func (c *client) tellGuard(change func(*guarded)) {
	c.guarding.Lock()
	defer c.guarding.Unlock()
	now := c.guarded
	change(&now)
	now.known = true
	if now == c.guarded {
		return
	}
	c.guarded = now
	if now.returned {
		c.guard.update(nil)
	} else {
		c.guard.update(now.before.Restore(render.Abandon(nil, now.alternate, !c.o.AltScreen && now.adopted), c.o.AltScreen))
	}
}

// draw writes the server's output to the terminal.
func (c *client) draw(b []byte) error {
	c.drawing.Lock()
	defer c.drawing.Unlock()
	if err := c.terminal.write(b); err != nil {
		return err
	}
	c.alternate = render.Alternate(b, c.alternate)
	c.adopted = c.adopted || !c.alternate
	c.tellGuard(func(g *guarded) { g.alternate, g.adopted = c.alternate, c.adopted })
	return nil
}

// read reads what the person types until it is interrupted or the terminal is gone.
func (c *client) read() {
	buf := make([]byte, 32<<10)
	answered := false
	for {
		c.typing.Lock()
		holds := c.input.Holds()
		c.typing.Unlock()
		wait := time.Duration(-1)
		if holds {
			wait = outer.HoldTime
		}
		n, err := c.terminal.read(buf, wait)
		if err != nil {
			if !errors.Is(err, errInterrupted) {
				c.hangUp()
			}
			return
		}
		leave, before := c.feed(buf[:n])
		if before.Answered() && !answered {
			answered = true
			close(c.answered)
		}
		if leave {
			close(c.leave)
			return
		}
		c.tellGuard(func(g *guarded) { g.before = before })
	}
}

// hangUp is called when the terminal is gone.
func (c *client) hangUp() { close(c.leave) }

// feed sends what was typed, nothing of which means that nothing has followed a held key. It
// returns whether the person leaves, and what is known of the terminal before.
func (c *client) feed(b []byte) (leave bool, before outer.Before) {
	c.typing.Lock()
	defer c.typing.Unlock()
	if len(b) == 0 {
		b = c.input.Release()
	} else {
		b, leave = c.input.Feed(b, time.Now())
	}
	switch {
	case len(b) == 0 || leave:
	case c.current != nil:
		c.current.send(frame.StdinInput, b)
	case len(c.pending)+len(b) <= maxPending:
		c.pending = append(c.pending, b...)
	}
	return leave, c.input.Before
}

// use makes a connection the current one. Its end goes to over.
func (c *client) use(l *link, over chan<- outcome) {
	c.typing.Lock()
	c.current = l
	if len(c.pending) > 0 {
		l.send(frame.StdinInput, c.pending)
		c.pending = nil
	}
	c.typing.Unlock()
	l.running.Go(func() { over <- l.pump(c.draw) })
}

// drop closes the current connection, if there is one.
func (c *client) drop() {
	c.typing.Lock()
	l := c.current
	c.current = nil
	c.typing.Unlock()
	if l != nil {
		l.close()
	}
}

// farewell detaches, and reports whether the server has said goodbye with a last picture.
func (c *client) farewell(over <-chan outcome) bool {
	if c.current == nil {
		return false
	}
	c.current.send(frame.Detach, nil)
	select {
	case last := <-over:
		return last.end != nil
	case <-time.After(farewellTime):
		return false
	}
}

// quit gives up the current connection without drawing anything more, and returns how it ended.
func (c *client) quit(over <-chan outcome) outcome {
	if c.current == nil {
		return outcome{}
	}
	defer c.drop()
	c.current.quiet.Store(true)
	c.current.send(frame.Detach, nil)
	select {
	case last := <-over:
		return last
	case <-time.After(farewellTime):
		return outcome{}
	}
}

// resize tells the server the terminal's new size.
func (c *client) resize() {
	cols, rows, err := c.terminal.size()
	if err == nil && c.current != nil {
		content, _ := json.Marshal(size{rows, cols})
		c.current.send(frame.Resize, content)
	}
}

// reconnect attaches to the same session again. Without a result, the person has left or ctx has
// ended, unless there is an error.
func (c *client) reconnect(ctx context.Context) (*link, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-c.leave:
			cancel()
		case <-done:
		}
	}()
	limit := time.Now().Add(returnTime)
	for {
		conn, err := c.o.Redial(ctx)
		if err == nil {
			limit = time.Now().Add(returnTime) // it lives
			var l *link
			if l, err = c.open(ctx, conn, false); err == nil {
				return l, nil
			}
			if _, refused := errors.AsType[*Refusal](err); refused {
				return nil, fault.Wrap(fault.Gone, err, "the connection was lost")
			}
		}
		select {
		case <-time.After(returnPause):
		case <-ctx.Done():
			return nil, nil
		}
		if time.Now().After(limit) {
			return nil, fault.New(fault.Gone, "the server is gone, and the session with it")
		}
	}
}

// A size is that of a terminal, as frames have it.
type size struct {
	Rows int `json:"rows"`
	Cols int `json:"cols"`
}

// open attaches over a new connection, and closes it if that fails.
func (c *client) open(ctx context.Context, conn net.Conn, first bool) (*link, error) {
	cols, rows, err := c.terminal.size()
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	kind, request := frame.AttachSession, map[string]any{
		"name": c.o.Session, "rows": rows, "cols": cols, "scrollback": "none", "client": c.describe(),
	}
	switch {
	case first && c.o.Create != nil:
		n := *c.o.Create
		n.Rows, n.Cols = &rows, &cols
		kind = frame.CreateSession
		content, err := merge(n, request["client"])
		if err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		return c.request(ctx, conn, kind, content)
	case !first:
		request["name"] = c.name
	case c.o.Scrollback < 0:
		request["scrollback"] = "all"
	case c.o.Scrollback > 0:
		request["scrollback"] = map[string]int{"lines": c.o.Scrollback}
	}
	content, err := json.Marshal(request)
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return c.request(ctx, conn, kind, content)
}

// merge returns a session to create as JSON, with the description of the client.
func merge(n terminals.NewSession, client any) ([]byte, error) {
	return json.Marshal(struct {
		terminals.NewSession
		Client any `json:"client"`
	}{n, client})
}

// describe describes this client to the server.
func (c *client) describe() map[string]any {
	escape := "passes"
	if c.o.Detach.IsDefault() {
		escape = "waits"
	}
	c.drawing.Lock()
	defer c.drawing.Unlock()
	return map[string]any{"screens": !c.o.AltScreen, "adopted": c.adopted, "escape": escape, "size": c.o.Size, "read_only": c.o.ReadOnly}
}

// request sends the first frame of a connection and reads the response.
func (c *client) request(ctx context.Context, conn net.Conn, kind frame.Kind, content []byte) (*link, error) {
	l, name, err := newLink(ctx, conn, kind, content)
	if err != nil {
		return nil, errors.Join(err, ignoreClosed(conn.Close()))
	}
	c.name = name
	// What the last connection has drawn is overwritten from scratch.
	c.drawing.Lock()
	defer c.drawing.Unlock()
	if c.alternate {
		if err := c.terminal.write(render.Abandon(nil, true, false)); err != nil {
			l.close()
			return nil, err
		}
		c.alternate = false
	}
	return l, nil
}

func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) || errors.Is(err, io.ErrClosedPipe) {
		return nil
	}
	return err
}
