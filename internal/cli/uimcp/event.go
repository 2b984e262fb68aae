package uimcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/wake"
)

const (
	// pollFor is how long one request waits for events, in seconds: the longest that the server
	// allows.
	pollFor = 120

	// A server that is configured or started again is back soon.
	returnWithin = 3 * time.Second
	lookEvery    = 250 * time.Millisecond
)

type eventCommand struct {
	serverFlags
	sessionFlag
	Once bool `help:"End after the first batch of events."`
}

func (c eventCommand) run(ctx context.Context, e env) error {
	l := listener{client: c.client(0), out: e.Out, errs: e.Err, session: c.Session, once: c.Once, within: returnWithin, every: lookEvery}
	defer l.client.http.CloseIdleConnections()
	return l.run(ctx)
}

// A listener prints the events of a session as they arrive.
type listener struct {
	client    *client
	out, errs io.Writer
	session   string
	once      bool
	within    time.Duration // how long a server that was reachable may be away
	every     time.Duration // how often to look for one
}

// run returns nil when the server has ended and no other one has come, when ctx is done, or after
// the first events if it should print only those.
func (l *listener) run(ctx context.Context) error {
	var away time.Time // since when no server has answered
	errs, met, served := l.errs, false, false
	for ctx.Err() == nil {
		var polled heard
		server, err := l.client.one(errs)
		errs = io.Discard // it says once which servers there are
		if err == nil {
			polled, err = l.poll(ctx, server)
		}
		if ctx.Err() != nil || polled.over {
			return err
		}
		if polled.served || polled.met && !met {
			away = time.Now()
		}
		met, served = met || polled.met, served || polled.served
		switch {
		case !met:
			return notRunning(err)
		case time.Since(away) < l.within:
			_ = wake.After(ctx, l.every) // it may come back
		case served || errors.Is(err, errAway):
			return nil
		default:
			return err // the server runs, but has no events to offer
		}
	}
	return nil
}

// A heard says what came of polling a server.
type heard struct {
	met    bool // it was reachable
	served bool // it has answered, possibly without events
	over   bool // all is done
}

// poll prints the events of a server until it ends. The error says why it has left: it wraps
// errAway, or comes from one that is stopping, unless all is done.
func (l *listener) poll(ctx context.Context, server discovery.Server) (h heard, err error) {
	query := url.Values{"session": {l.session}, "timeout": {strconv.Itoa(pollFor)}}
	for err == nil && !h.over {
		var a answer
		a, err = l.client.get(ctx, server, "/wait", query)
		switch {
		case err != nil && ctx.Err() != nil:
			return h, nil
		case errors.Is(err, errAway):
			h.met = h.met || errors.Is(err, errEnded)
		case err != nil:
			h.over = true
		case a.ends():
			h.met, err = true, a.refusal()
		case a.status == http.StatusNoContent:
			h.met, h.served = true, true
		case a.status == http.StatusOK:
			h.met, h.served = true, true
			err = printEvents(l.out, a.body)
			h.over = err != nil || l.once
		default:
			h.over, err = true, a.refusal()
		}
	}
	return h, err
}

// printEvents writes each element of a JSON array on a line, all of them at once.
func printEvents(out io.Writer, array []byte) error {
	var events []json.RawMessage
	if err := json.Unmarshal(array, &events); err != nil {
		return fault.Wrap(fault.Precondition, err, "the server's answer is no array of events")
	}
	var lines bytes.Buffer
	for _, e := range events {
		if err := json.Compact(&lines, e); err != nil {
			return fmt.Errorf("an event: %w", err) // it was decoded a moment ago
		}
		lines.WriteByte('\n')
	}
	_, err := out.Write(lines.Bytes())
	return err
}
