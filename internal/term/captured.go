package term

import (
	"context"
	"time"

	"ui-mcp/internal/term/overlay"
)

// How much captured input a session keeps for callers of [Session.WaitKeys]. The oldest is dropped.
const maxCapturedEvents, maxCapturedBytes = 1000, 64 << 10

// captured is what persons have typed while input was captured, since that began.
type captured struct {
	events []InputEvent
	bytes  int    // of raw input
	next   uint64 // the number of the next event; numbers start at 0 and are never used twice
}

// add keeps the events that listeners get and the program does not.
func (c *captured) add(events []InputEvent) (added bool) {
	for _, e := range events {
		if e.Mode != overlay.Captured {
			continue
		}
		c.events = append(c.events, e)
		c.bytes += e.size()
		c.next++
		added = true
	}
	for len(c.events) > maxCapturedEvents || c.bytes > maxCapturedBytes {
		c.bytes -= c.events[0].size()
		c.events[0] = InputEvent{} // the list lives on
		c.events = c.events[1:]
	}
	return added
}

// clear forgets what was typed before input was captured again.
func (c *captured) clear() { c.events, c.bytes = nil, 0 }

// since returns the events from a number on, and how many of these were dropped.
func (c *captured) since(n uint64) (events []InputEvent, missed int) {
	first := c.next - uint64(len(c.events))
	switch {
	case n >= c.next:
		return nil, 0
	case n < first:
		return c.events, int(first - n)
	}
	return c.events[n-first:], 0
}

// KeysOptions say which captured input to wait for.
type KeysOptions struct {
	// LastGeneration, if not nil, is the Generation of an earlier answer: the wait is for later
	// input. Otherwise, it is for all input since it was captured.
	LastGeneration *uint64
	// MaxWait is how long to wait; 0 means DefaultWait. It is at most MaxWait.
	MaxWait time.Duration
	// MayCapture says that the caller may capture input: see [WatchOptions].
	MayCapture bool
}

// Keys are what persons have typed while input was captured.
type Keys struct {
	Events     []overlay.InputEvent // callers must not modify them
	Missed     int                  // how many events were dropped before these
	Generation uint64               // for LastGeneration
	Mode       overlay.InputMode    // now
}

// WaitKeys waits until a person has typed something while input was captured, and returns all of
// it. Without any, it returns when input is not captured, or not any more. The session keeps up to
// 1,000 events, of at most 64 KiB, until input is captured again. The error is of kind Timeout
// after MaxWait, and Gone when the program ends.
func (s *Session) WaitKeys(ctx context.Context, o KeysOptions) (Keys, error) {
	ctx, cancel := s.within(ctx, o.MaxWait, "nobody has typed in session %q within %v, and input is still captured", s.Name())
	defer cancel()
	var keys Keys
	err := s.awaitRunning(ctx, func(st *state) (verdict, error) {
		from := st.captured.next - uint64(len(st.captured.events))
		if o.LastGeneration != nil {
			from = *o.LastGeneration
		}
		keys = Keys{Generation: st.captured.next, Mode: st.model.InputMode()}
		events, missed := st.captured.since(from)
		keys.Missed = missed
		for _, e := range events {
			if o.MayCapture {
				e = *e.forCapturing()
			}
			keys.Events = append(keys.Events, *e.Typed)
		}
		return verdict{over: len(keys.Events) > 0 || keys.Mode != overlay.Captured}, nil
	})
	if err != nil {
		return Keys{}, err
	}
	return keys, nil
}
