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
	MCPPort port `name:"mcp-port" placeholder:"PORT" help:"Listen to one server, by its MCP port (default: to all that run in DIR)."`
	sessionFlag
	Once bool `help:"End after the first batch of events."`
}

func (c eventCommand) run(ctx context.Context, e env) error {
	finder := serverFlags{c.dirFlag, c.MCPPort}.finder()
	l := listener{
		find: finder.addresses, client: newClient(finder.token, 0), out: e.Out, errs: e.Err, dir: c.Dir,
		session: c.Session, once: c.Once, within: returnWithin, every: lookEvery,
	}
	defer l.client.close()
	return l.run(ctx)
}

// A listener prints the events of a session, from all servers, as they arrive.
type listener struct {
	find    func() ([]string, error) // the addresses of the running servers
	client  *client
	out     io.Writer
	errs    io.Writer
	dir     string
	session string
	once    bool
	within  time.Duration // how long servers that were reachable may be away
	every   time.Duration // how often to look for servers

	printing sync.Mutex // held while out is written to
}

// A leaving says why the listener stopped polling a server.
type leaving struct {
	address string
	met     bool  // it was reachable
	served  bool  // it has answered, possibly without events
	err     error // wraps errAway, or is the error of a server that is stopping; nil if all is done
	final   bool  // err is the result of the command
}

// run returns nil when all servers have ended, when ctx is done, or after the first events if it
// should print only those.
func (l *listener) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var polls sync.WaitGroup
	defer polls.Wait()
	defer cancel()

	listening := map[string]bool{}
	left := make(chan leaving)
	met, served := false, false // whether a server was reachable, and whether one has answered
	var last error              // why the last one left
	var away time.Time          // since when no server has answered, once one was reachable
	// over reports whether to end, when no server is polled any more.
	over := func() (bool, error) {
		switch {
		case !met:
			return true, notRunning(last)
		case time.Since(away) < l.within:
			return false, nil
		case !served && !errors.Is(last, errAway):
			return true, last // the server runs, but has no events to offer
		}
		return true, nil
	}
	known := 0
	for {
		addresses, err := l.find()
		if err != nil && last == nil {
			last = err
		}
		for _, address := range addresses {
			if !listening[address] {
				listening[address] = true
				polls.Go(func() {
					end := l.poll(ctx, address)
					select {
					case left <- end:
					case <-ctx.Done():
					}
				})
			}
		}
		if len(addresses) > 1 && len(addresses) != known {
			fmt.Fprintf(l.errs, "ui-mcp: listening to %d servers that run in %s: %s\n", len(addresses), l.dir, strings.Join(addresses, ", "))
		}
		known = len(addresses)

		every := l.every
		if len(listening) > 0 {
			every *= 4 // only to find more servers
		} else if end, err := over(); end {
			return err
		}
		look := time.NewTimer(every)
		select {
		case <-ctx.Done():
			look.Stop()
			return nil
		case end := <-left:
			look.Stop()
			delete(listening, end.address)
			if end.final {
				return end.err
			}
			if end.served || end.met && !met {
				away = time.Now()
			}
			last, met, served = end.err, met || end.met, served || end.served
			if len(listening) == 0 {
				if end, err := over(); end {
					return err
				}
			}
			// The server may come back, but not at once.
			if wake.After(ctx, l.every) != nil {
				return nil
			}
		case <-look.C:
		}
	}
}

// poll prints the events of one server until it ends.
func (l *listener) poll(ctx context.Context, address string) leaving {
	query := url.Values{"session": {l.session}, "timeout": {strconv.Itoa(pollFor)}}
	end := leaving{address: address}
	for {
		a, err := l.client.get(ctx, address, "/wait", query)
		switch {
		case errors.Is(err, errAway):
			end.met, end.err = end.met || errors.Is(err, errEnded), err
			return end
		case err != nil:
			end.final, end.err = ctx.Err() == nil, err
			return end
		case a.ends():
			end.met, end.err = true, a.refusal()
			return end
		}
		end.met, end.served = true, true
		switch a.status {
		case http.StatusNoContent:
		case http.StatusOK:
			l.printing.Lock()
			err := printEvents(l.out, a.body)
			l.printing.Unlock()
			if err != nil || l.once {
				end.final, end.err = true, err
				return end
			}
		default:
			end.final, end.err = true, a.refusal()
			return end
		}
	}
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
