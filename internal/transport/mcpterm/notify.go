package mcpterm

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/wake"
)

// settle is how long changes of a resource are collected into one update.
const settle = 200 * time.Millisecond

// pruning is how often disconnected clients are forgotten: no handler is notified of a
// disconnection.
const pruning = time.Minute

// subscribe records a client that wants to know when a resource changes, which it must be allowed
// to read.
func (f *Face) subscribe(ctx context.Context, client *mcp.ServerSession, uri string) error {
	if uri == sessionsURI {
		if _, err := f.list(ctx, nil); err != nil {
			return err
		}
	} else {
		session, _, ok := parseURI(uri)
		if !ok {
			return fault.New(fault.NotFound, "there is no resource %s", uri)
		}
		if _, err := do(ctx, f, terminals.GetSession, terminals.Target{Session: session}); err != nil {
			return err
		}
	}
	f.subscribers.Add(client, uri)
	return nil
}

// Notify notifies clients of changes of the resources that there are, and subscribers of changes of
// what these have, until ctx is done. Changes in quick succession are one notification. Sessions
// without a subscriber are not watched.
func (f *Face) Notify(ctx context.Context, s *mcpserver.Server) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	n := &notifier{face: f, server: s, running: &running, watched: map[string]context.CancelFunc{}}
	changes, err := terminals.Follow.Open(ctx, f.Terminals, terminals.Everything, terminals.None{})
	if err != nil {
		return // the server is stopping
	}
	defer changes.Close()
	running.Go(func() { n.serve(ctx) })
	for {
		c, err := changes.Next(ctx)
		if err != nil {
			return
		}
		if c.Missed > 0 || slices.ContainsFunc(c.Events, func(e wire.Lifecycle) bool { return slices.Contains(renaming, e.Event) }) {
			f.addResources(s) // which is how the SDK says that the list is another one
		}
		s.Updated(ctx, sessionsURI)
		wake.Up(f.subscribers.Changed) // a session may have come back
		if wake.After(ctx, settle) != nil {
			return
		}
	}
}

// renaming are the changes of sessions after which there are other names.
var renaming = []string{"session_created", "session_renamed", "session_removed"}

// A notifier watches the sessions whose resources have subscribers.
type notifier struct {
	face    *Face
	server  *mcpserver.Server
	running *sync.WaitGroup

	mu      sync.Mutex                    // guards the field below
	watched map[string]context.CancelFunc // by URI
}

// serve starts and ends watches as subscribers come and go, and tells clients that the tools are
// others when the first other server has been added, or the last one removed.
func (n *notifier) serve(ctx context.Context) {
	prune := time.NewTicker(pruning)
	defer prune.Stop()
	for others := false; ; {
		if now := n.face.others(ctx, terminals.Everything); now != others && ctx.Err() == nil {
			others = now
			n.server.ToolsChanged()
		}
		wanted := n.face.subscribers.URIs(n.server)
		n.mu.Lock()
		for uri, stop := range n.watched {
			if _, ok := wanted[uri]; !ok {
				stop()
			}
		}
		for uri, fresh := range wanted {
			session, _, ok := parseURI(uri)
			switch {
			case !ok:
				continue
			case n.watched[uri] != nil && fresh: // with those from before
				n.running.Go(func() {
					if wake.After(ctx, settle) == nil {
						n.server.Updated(ctx, uri)
					}
				})
				continue
			case n.watched[uri] != nil:
				continue
			}
			watching, stop := context.WithCancel(ctx)
			n.watched[uri] = stop
			n.running.Go(func() {
				n.watch(watching, uri, session)
				n.mu.Lock()
				defer n.mu.Unlock()
				if watching.Err() != nil { // somebody may have subscribed again meanwhile
					wake.Up(n.face.subscribers.Changed)
				}
				stop()
				delete(n.watched, uri)
			})
		}
		n.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-n.face.subscribers.Changed:
		case <-prune.C:
		}
	}
}

// watch notifies subscribers each time that the screen of a session changes, until its program
// ends.
func (n *notifier) watch(ctx context.Context, uri, session string) {
	// The SDK notifies a subscriber from a moment after we have learnt of it.
	if wake.After(ctx, settle) != nil {
		return
	}
	of := terminals.Target{Session: session}
	query := terminals.ScreenQuery{Target: of, Formatted: plain}
	now, err := terminals.GetScreen.Do(ctx, n.face.Terminals, terminals.Everything, query)
	if err != nil {
		return
	}
	if info, err := terminals.GetSession.Do(ctx, n.face.Terminals, terminals.Everything, of); err != nil || !info.Running {
		return
	}
	n.server.Updated(ctx, uri) // it may have changed since the client has read it
	epoch := now.Epoch
	for {
		next, err := terminals.AwaitScreen.Do(ctx, n.face.Terminals, terminals.Everything, terminals.ScreenAfter{ScreenQuery: query, Epoch: epoch})
		if err != nil {
			return
		}
		epoch = next.Epoch
		n.server.Updated(ctx, uri)
		if wake.After(ctx, settle) != nil {
			return
		}
	}
}
