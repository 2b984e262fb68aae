package attach

import (
	"context"
	"errors"
	"net"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/wake"
)

// use makes a connection the current one. Until then input is pending: the core must not count as
// connected before there is an attachment to send to.
func (c *client) use(l *attachment) error {
	c.drawing.Lock()
	defer c.drawing.Unlock()
	c.mu.Lock()
	frames, b := c.core.connect(l.session)
	c.current = l
	c.send(frames)
	c.updateOwn()
	c.mu.Unlock()
	if err := c.terminal.write(b); err != nil {
		return err
	}
	l.running.Go(func() { l.over <- l.pump(c.draw, c.ring) })
	if host, _, elsewhere := strings.Cut(l.session.Name, "/"); elsewhere {
		l.running.Go(func() {
			l.listen(func() { c.say(host, l) }, func() { c.checkSize((*core).resized) })
		})
	}
	return nil
}

// say tells the person in the last row that a host does not answer. When it does, it draws that row
// again.
func (c *client) say(host string, l *attachment) {
	c.drawing.Lock()
	defer c.drawing.Unlock()
	silence := l.silence()
	if silence < sayAfter { // it has answered while the terminal took no output
		return
	}
	since := time.Now().Add(-silence)
	c.mu.Lock()
	b := c.core.note(host + " does not answer, since " + since.Format(time.TimeOnly))
	c.mu.Unlock()
	_ = c.terminal.write(b) // if it is gone, others notice
}

// drop closes the current connection, if there is one.
func (c *client) drop() {
	c.mu.Lock()
	l := c.current
	c.current = nil
	c.core.disconnect()
	c.mu.Unlock()
	if l != nil {
		l.close()
	}
}

// farewell detaches, and returns how the connection ended: with a last picture if it has an end.
func (c *client) farewell(l *attachment) outcome {
	c.mu.Lock()
	connected := c.current != nil
	c.send(c.core.leave())
	c.mu.Unlock()
	if !connected {
		return outcome{}
	}
	select {
	case last := <-l.over:
		return last
	case <-time.After(farewellTime):
		return outcome{}
	}
}

// quit gives up the current connection, and returns how it ended.
func (c *client) quit(l *attachment) outcome {
	defer c.drop()
	return c.farewell(l)
}

// reconnect attaches to the same session again. It returns neither an attachment nor an error if
// the person has left or ctx has ended. A server whose connections end before they have drawn
// anything counts as gone: all attempts since the last picture have returnTime together.
func (c *client) reconnect(ctx context.Context) (*attachment, error) {
	ctx, cancel := c.unlessLeft(ctx)
	defer cancel()
	c.mu.Lock()
	renewed := c.drew
	c.drew = false
	c.mu.Unlock()
	if renewed {
		c.lost = time.Now()
	}
	for pause := !renewed; ; pause = true {
		if pause {
			if time.Since(c.lost) > returnTime {
				return nil, fault.New(fault.Gone, "the server is gone, and the session with it")
			}
			if wake.After(ctx, returnPause) != nil {
				return nil, nil
			}
		}
		conn, err := c.o.Redial(ctx)
		if err == nil {
			var l *attachment
			if l, err = c.open(ctx, conn, c.o, false); err == nil {
				return l, nil
			}
			if r, refused := errors.AsType[*Refusal](err); refused {
				c.mu.Lock()
				r.Session = c.core.session.ID
				c.mu.Unlock()
				return nil, fault.Wrap(fault.Gone, err, "the connection was lost")
			}
		}
	}
}

// unlessLeft returns a context that ends when the person leaves, too.
func (c *client) unlessLeft(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(c.left, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}

// open attaches over a new connection, and closes it if that fails. first says that the session was
// not attached to before.
func (c *client) open(ctx context.Context, conn net.Conn, o Options, first bool) (*attachment, error) {
	s, err := c.terminal.size()
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	c.mu.Lock()
	c.core.resize(s)
	session, f, err := c.core.request(&o, first)
	c.mu.Unlock()
	if err != nil {
		return nil, errors.Join(fault.Wrap(fault.Internal, err, "the request"), conn.Close())
	}
	return newAttachment(ctx, conn, session, f)
}
