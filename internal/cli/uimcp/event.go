package uimcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

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
	dirFlag
	MCPPort uint16 `name:"mcp-port" placeholder:"PORT" help:"Listen to one server, by its MCP port (default: to all that run in DIR)."`
	sessionFlag
	Once bool `help:"End after the first batch of events."`
}

func (c eventCommand) run(ctx context.Context, e env) error {
	l := listener{
		client: serverFlags{c.dirFlag, c.MCPPort}.client(0), out: e.Out, errs: e.Err,
		session: c.Session, once: c.Once, within: returnWithin, every: lookEvery,
	}
	defer l.client.close()
	return l.run(ctx)
}

// A listener prints the events of a session, from all servers, as they arrive.
type listener struct {
	client  *client
	out     io.Writer
	errs    io.Writer
	session string
	once    bool
	within  time.Duration // how long servers that were reachable may be away
	every   time.Duration // how often to look for servers

	mu     sync.Mutex // guards the fields below; held while out is written to
	polled map[string]bool
	met    bool      // a server was reachable
	served bool      // one has answered, possibly without events
	away   time.Time // since when none has answered, once one was reachable
	last   error     // why the last one left: wraps errAway, or comes from one that is stopping
	result error     // of the command, once all is done
}

// run returns nil when all servers have ended, when ctx is done, or after the first events if it
// should print only those.
func (l *listener) run(ctx context.Context) error {
	ctx, done := context.WithCancel(ctx)
	var polls sync.WaitGroup
	defer polls.Wait()
	defer done()
	left := make(chan struct{}, 1) // a token: a server has left
	l.polled = map[string]bool{}
	for known := 0; ; {
		addresses, err := l.client.addresses()
		l.mu.Lock()
		l.last = cmp.Or(l.last, err)
		for _, address := range addresses {
			if !l.polled[address] {
				l.polled[address] = true
				polls.Go(func() {
					defer wake.Up(left)
					if l.poll(ctx, address) {
						done()
					}
				})
			}
		}
		every := l.every
		if len(l.polled) > 0 {
			every *= 4 // only to find more servers
		}
		l.mu.Unlock()
		if len(addresses) > 1 && len(addresses) != known {
			fmt.Fprintf(l.errs, "ui-mcp: listening to %d servers that run in %s: %s\n", len(addresses), l.client.dir, strings.Join(addresses, ", "))
		}
		known = len(addresses)
		if over, err := l.isOver(ctx); over {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(every):
		case <-left:
			if over, err := l.isOver(ctx); over {
				return err
			}
			_ = wake.After(ctx, l.every) // the server may come back, but not at once
		}
	}
}

// isOver reports whether to end, and with which error.
func (l *listener) isOver(ctx context.Context) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return true, l.result
	case len(l.polled) > 0:
		return false, nil
	case !l.met:
		return true, notRunning(l.last)
	case time.Since(l.away) < l.within:
		return false, nil
	case !l.served && !errors.Is(l.last, errAway):
		return true, l.last // the server runs, but has no events to offer
	}
	return true, nil
}

// poll prints the events of one server until it ends. It reports whether all is done.
func (l *listener) poll(ctx context.Context, address string) (final bool) {
	query := url.Values{"session": {l.session}, "timeout": {strconv.Itoa(pollFor)}}
	met, served := false, false
	var err error
	for err == nil && !final {
		var a answer
		a, err = l.client.get(ctx, address, "/wait", query)
		switch {
		case errors.Is(err, errAway):
			met = met || errors.Is(err, errEnded)
		case err != nil:
			final = ctx.Err() == nil
		case a.ends():
			met, err = true, a.refusal()
		case a.status == http.StatusNoContent:
			met, served = true, true
		case a.status == http.StatusOK:
			met, served = true, true
			l.mu.Lock()
			err = printEvents(l.out, a.body)
			l.mu.Unlock()
			final = err != nil || l.once
		default:
			final, err = true, a.refusal()
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.polled, address)
	if final {
		l.result = err
		return true
	}
	if served || met && !l.met {
		l.away = time.Now()
	}
	l.last, l.met, l.served = err, l.met || met, l.served || served
	return false
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
