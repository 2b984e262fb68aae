package attachedterm

import (
	"bytes"
	"context"
	"sync"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/socketwire"
)

const (
	maxOutput = 4 << 20 // the length of a PtyOutput
	// maxUndrawn is how many PtyOutput the largest picture takes: the largest screen with a link of
	// its own in every cell.
	maxUndrawn = 1024
)

// stream sends pictures and types what the client sends, until either side leaves.
func (c *client) stream(ctx context.Context, v *terminals.Viewer, form clientForm) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	drawn, left := make(chan struct{}), make(chan struct{})
	running.Go(func() {
		defer close(drawn)
		defer c.Close() // ends the reader
		c.draw(ctx, v, form, left)
	})
	running.Go(func() { c.ping(ctx) })
	running.Go(func() { c.endLost(ctx, v) })
	if form.Bar {
		running.Go(func() { c.keepBar(ctx, v) })
	}
	if form.Asks {
		running.Go(func() { c.ask(ctx, v) })
	}
	c.read(ctx, v, form)
	close(left)
	v.Close()
	<-drawn // the last bytes restore its terminal
	cancel()
	running.Wait()
}

// draw sends pictures, and in the end that the client is detached. left is closed when it leaves.
func (c *client) draw(ctx context.Context, v *terminals.Viewer, form clientForm, left <-chan struct{}) {
	var announced size
	for {
		if form.Paced {
			c.awaitDrawn(ctx, v, left)
		}
		b, err := v.Next(ctx)
		if err != nil {
			break
		}
		if form.Follows {
			var now size
			if now.Cols, now.Rows = v.PictureSize(); now != announced && WriteJSON(c, socketwire.Resize, now) != nil {
				return
			}
			announced = now
		}
		if c.output(b) != nil {
			return
		}
	}
	_ = WriteJSON(c, socketwire.Detach, newEnd(ctx, c.Prefix, v))
}

// output sends bytes for the client's terminal. A large screen full of links takes more than a
// frame holds. A frame ends before a control sequence, if there is one.
func (c *client) output(b []byte) error {
	for len(b) > 0 {
		n := len(b)
		if n > maxOutput {
			if n = maxOutput; bytes.LastIndexByte(b[:n], 0x1b) > 0 {
				n = bytes.LastIndexByte(b[:n], 0x1b)
			}
		}
		if err := c.Write(socketwire.PtyOutput, b[:n]); err != nil {
			return err
		}
		c.undrawn++
		b = b[n:]
	}
	return nil
}

// awaitDrawn waits until the client has drawn everything that was sent, or cannot any more.
func (c *client) awaitDrawn(ctx context.Context, v *terminals.Viewer, left <-chan struct{}) {
	for ; c.undrawn > 0; c.undrawn-- {
		select {
		case seen := <-c.drawn:
			if !seen {
				v.Unseen()
			}
		case <-v.Detached():
		case <-left:
		case <-ctx.Done():
		}
	}
}

// newEnd returns why a client is detached.
func newEnd(ctx context.Context, prefix string, v *terminals.Viewer) socketwire.End {
	switch exit := v.Exit(); {
	case ctx.Err() != nil:
		return socketwire.End{Reason: socketwire.Stopping}
	case exit != nil:
		return socketwire.End{Reason: socketwire.Exited, Code: exit.Code, Signal: exit.Signal}
	case v.Name() == "":
		return socketwire.End{Reason: socketwire.Removed}
	}
	return socketwire.End{Reason: socketwire.Detached, Name: prefix + v.Name()}
}

// endLost ends the connection when the client's grant does not cover the session any more.
func (c *client) endLost(ctx context.Context, v *terminals.Viewer) {
	err := v.AwaitLoss(ctx)
	if err == nil {
		return
	}
	select {
	case <-v.Detached(): // the last picture is on its way
	default:
		Fail(c, err)
		_ = c.Close()
	}
}
