package attach

import (
	"context"
	"time"

	"ui-mcp/internal/cli/attach/chooser"
	"ui-mcp/internal/transport/socketwire"
	"ui-mcp/internal/wake"
)

// grant begins what the person wants of the server. The client is locked.
func (c *client) grant(w wish) {
	switch {
	case w.rename != "":
		id := c.core.session.ID
		c.helpers.Go(func() { c.rename(id, w.rename) })
	case w.open != "" || w.left && c.core.own.ended:
		select {
		case c.wishes <- w:
		default: // run is about to end
		}
	}
}

// rename gives the session the name that the person wants, or tells them why it cannot have it.
func (c *client) rename(id, name string) {
	err := c.o.Rename(c.helping, id, name)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		c.core.refuse(err.Error())
	} else {
		c.send(c.core.renamed(name))
	}
	c.updateOwn()
}

// updateOwn makes the terminal display what the client displays itself, and keeps the list of
// sessions up to date while it is displayed. The client is locked.
func (c *client) updateOwn() {
	if c.helping == nil { // the terminal is not used yet
		return
	}
	model := c.core.own.model
	lists := model != nil && model.Lists()
	switch {
	case lists && c.unlist == nil:
		ctx, cancel := context.WithCancel(c.helping)
		c.unlist = cancel
		c.helpers.Go(func() { c.o.Sessions(ctx, func(list []chooser.Session, err error) { c.show(ctx, list, err) }) })
	case !lists && c.unlist != nil:
		c.unlist()
		c.unlist = nil
	}
	if model != nil || c.core.own.covers {
		wake.Up(c.repaint)
	}
}

// show displays a list of sessions, unless the context of asking for it has ended.
func (c *client) show(ctx context.Context, list []chooser.Session, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.core.own.model != nil && ctx.Err() == nil && c.do(c.core.show(list, err, time.Now())) {
		c.leave()
	}
}

// keepOwn paints what the client displays itself, whenever that changes, until run ends.
func (c *client) keepOwn() {
	for {
		select {
		case <-c.repaint:
		case <-c.helping.Done():
			return
		}
		if c.paintOwn() != nil { // the terminal is gone, which others notice
			return
		}
	}
}

// paintOwn paints what the client displays itself, or the session again.
func (c *client) paintOwn() error {
	c.drawing.Lock()
	defer c.drawing.Unlock()
	c.mu.Lock()
	b, p := c.core.paint()
	c.mu.Unlock()
	if err := c.terminal.write(b); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.send(c.core.painted(p))
	return nil
}

// switchTo leaves the session of an attachment for another one. If that cannot be attached to, it
// tells the person why, and returns nil: the old one is still attached.
func (c *client) switchTo(ctx context.Context, l *attachment, id string) *attachment {
	asking, cancel := c.unlessLeft(ctx)
	defer cancel()
	o := c.o
	o.Create, o.Session, o.Client.Exact = nil, id, false
	conn, err := c.o.Redial(asking)
	var next *attachment
	if err == nil {
		next, err = c.open(asking, conn, o, true)
	}
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.core.refuse(err.Error())
		c.updateOwn()
		return nil
	}
	c.quit(l)
	return next
}

// chooseAfter lets a person who is choosing a session go on after the end of their own. It reports
// false if the client itself ends.
func (c *client) chooseAfter(end socketwire.End) bool {
	c.mu.Lock()
	choosing := c.core.own.model != nil && (end.Reason == socketwire.Exited || end.Reason == socketwire.Removed)
	c.core.own.ended = choosing
	c.mu.Unlock()
	if !choosing {
		return false
	}
	c.drop()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.core.refuse("The session " + c.core.session.Name + " has ended: choose another one.")
	c.updateOwn()
	return true
}
