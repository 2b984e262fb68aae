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

	"ui-mcp/internal/fault"
)

const (
	// pollFor is how long one request waits for events, in seconds: the longest that the server allows.
	pollFor = 120

	// Servers that are configured anew or started again are back within a moment.
	returnWithin = 3 * time.Second
	lookEvery    = 250 * time.Millisecond
)

type eventCommand struct {
	dirFlag
	sessionFlag
	Once bool `help:"End after the first events, however many come at once."`
}

// Help is the end of what --help says.
func (eventCommand) Help() string {
	return `Each event is one line of JSON, in the order in which the app has pushed them. The command goes on until the server ends, and finds it again when it is back at another port within three seconds. Run one at a time: an event goes to one listener only.

    ui-mcp event
    ui-mcp event --once`
}

func (c eventCommand) run(ctx context.Context, e env) error {
	d := openDoor(c.Dir)
	defer d.close()
	l := listener{door: d, out: e.Out, session: c.Session, once: c.Once, within: returnWithin, every: lookEvery}
	return l.run(ctx)
}

// A listener prints the events of a session as they come.
type listener struct {
	door    *door
	out     io.Writer
	session string
	once    bool
	within  time.Duration // how long a server that was there may be away
	every   time.Duration // how often to look for it
}

// run returns nil when the server has gone, when ctx is done, or after the first
// events if that is all that is wanted.
func (l *listener) run(ctx context.Context) error {
	query := url.Values{"session": {l.session}, "timeout": {strconv.Itoa(pollFor)}}
	met, served := false, false // somebody was there; it has answered with events or none
	var awaySince time.Time
	for {
		a, err := l.door.get(ctx, "/wait", query)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, errAway) && !errors.Is(err, errEnded) && !met:
			return notRunning(err)
		case errors.Is(err, errAway) || err == nil && a.ends():
			met = true
			if awaySince.IsZero() {
				awaySince = time.Now()
			}
			if time.Since(awaySince) >= l.within {
				if err == nil && !served {
					return a.refusal() // it stays, and has nothing to listen to
				}
				return nil
			}
			if !pause(ctx, l.every) {
				return nil
			}
			continue
		case err != nil:
			return err
		}
		met, served, awaySince = true, true, time.Time{}
		switch a.status {
		case http.StatusNoContent:
		case http.StatusOK:
			if err := printEvents(l.out, a.body); err != nil || l.once {
				return err
			}
		default:
			return a.refusal()
		}
	}
}

// pause waits; it reports false when ctx is done first.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// printEvents writes each element of a JSON array on a line, at once.
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
