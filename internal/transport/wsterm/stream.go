package wsterm

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/ws"
	"ui-mcp/internal/wake"
)

// A Part is a text in the stream of an operation. The first one has the ID and name of the session.
type Part struct {
	ID     string          `json:"id,omitempty"`
	Name   *string         `json:"name,omitempty"`   // the present name; "" once the session is gone, or not covered any more
	Events json.RawMessage `json:"events,omitempty"` // of session.watch and server.watch
	Missed int             `json:"missed,omitempty"` // events that server.watch lacks
	Error  *Failure        `json:"error,omitempty"`  // why the stream ends; it is the last text

	output []byte // of session.output, instead of a text
}

// A Failure is an error, as answers over HTTP have it.
type Failure struct {
	Status  int    `json:"status"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// A delivery is what an operation delivers to a client.
type delivery struct {
	terminals terminals.Terminals
	by        terminals.Grant
	from      uint64                              // offset of its first byte
	whole     bool                                // the program waits for the client, which answers pings
	next      func(context.Context) (Part, error) // returns what comes next, or why nothing does
	of        terminals.Stream                    // the session's; nil: of the server
}

// decoded reads the input of a stream, but its session.
func decoded[In any](o *terminals.Operation, given []byte) (*In, error) {
	_, in, _, err := terminals.Named(o.Name).Decode(given)
	return in.(*In), err
}

// deliverOutput serves session.output.
func (h *handler) deliverOutput(w http.ResponseWriter, r *http.Request, given []byte) {
	in := new(terminals.OutputQuery)
	t, err := h.on(r)
	if err == nil {
		in, err = decoded[terminals.OutputQuery](&terminals.ReadOutput.Operation, given)
	}
	by := grantOf(r, core.SenderRaw)
	var o *terminals.Parts[[]byte]
	if err == nil {
		in.Session = r.PathValue("name")
		o, err = terminals.ReadOutput.Open(r.Context(), t, by, *in)
	}
	if err != nil {
		fail(w, err)
		return
	}
	defer o.Close()
	d := delivery{terminals: t, by: by, of: o, whole: in.Whole && in.From != nil, next: func(ctx context.Context) (part Part, err error) {
		part.output, err = o.Next(ctx)
		return part, err
	}}
	if in.From != nil {
		d.from = *in.From
	}
	h.deliver(w, r, d)
}

// deliverEvents serves session.watch, and session.join.
func (h *handler) deliverEvents(w http.ResponseWriter, r *http.Request, given []byte) {
	in := struct{ Count *terminals.Count }{}
	t, err := h.on(r)
	by := grantOf(r, core.SenderWebSocket)
	d := delivery{terminals: t, by: by}
	target := terminals.Target{Session: r.PathValue("name")}
	switch {
	case err != nil:
	case json.Unmarshal(given, &in) == nil && in.Count != nil:
		in.Count.ReadOnly = in.Count.ReadOnly || by.Rights&terminals.Type == 0
		var c *terminals.Parts[terminals.None]
		if c, err = terminals.Join.Open(r.Context(), t, by, terminals.JoinQuery{Target: target, Count: *in.Count}); err == nil {
			defer c.Close()
			d.of, d.next = c, func(ctx context.Context) (Part, error) {
				_, err := c.Next(ctx)
				return Part{}, err
			}
		}
	default:
		var query *terminals.WatchQuery
		var watcher *terminals.Parts[[]wire.Event]
		if query, err = decoded[terminals.WatchQuery](&terminals.Watch.Operation, given); err == nil {
			query.Target = target
			watcher, err = terminals.Watch.Open(r.Context(), t, by, *query)
		}
		if err == nil {
			defer watcher.Close()
			d.of, d.next = watcher, func(ctx context.Context) (part Part, err error) {
				events, err := watcher.Next(ctx)
				return Part{Events: wire.AppendEvents(nil, events)}, err
			}
		}
	}
	if err != nil {
		fail(w, err)
		return
	}
	h.deliver(w, r, d)
}

// A client that reads all output must answer within these times: it answers while it waits for its
// own reader, too.
const wholePing, wholeSilence = 10 * time.Second, 30 * time.Second

// deliver sends what an operation delivers until that ends, or the client leaves.
func (h *handler) deliver(w http.ResponseWriter, r *http.Request, d delivery) {
	limits := h.limits
	if d.whole {
		limits.Ping, limits.Silence = wholePing, wholeSilence
	}
	h.serve(w, r, limits, func(ctx context.Context, conn *ws.Conn) {
		ctx, cancel := context.WithCancel(ctx)
		s := &sender{conn: conn, of: d.of, window: newWindow(d.from)}
		var work sync.WaitGroup
		defer work.Wait()
		defer cancel()
		if s.begin(ctx) != nil {
			return
		}
		work.Go(func() { s.end(ctx, s.deliver(ctx, d.next)) })
		if d.of != nil {
			work.Go(func() { s.sendNames(ctx, hostOf(d.terminals, r.PathValue("name")), d.by) })
		}
		for {
			m, err := conn.Read(ctx)
			if err != nil {
				return
			}
			if err := s.window.move(m); err != nil {
				conn.Close(ws.PolicyViolation, err.Error())
			}
		}
	})
}

// A sender sends the parts of a delivery.
type sender struct {
	conn   *ws.Conn
	of     terminals.Stream // or nil
	window *window

	mu   sync.Mutex // held while something is sent, so that names arrive in order; guards name
	name string     // as the client knows it
}

func (s *sender) begin(ctx context.Context) error {
	first := Part{}
	if s.of != nil {
		s.name = s.of.Name()
		first = Part{ID: s.of.SessionID(), Name: &s.name}
	}
	return s.conn.Send(ctx, ws.Message{Data: appendJSON(nil, first)})
}

// send sends a part, and before it the session's name if that is new.
func (s *sender) send(ctx context.Context, part Part) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of != nil {
		if name := s.of.Name(); name != s.name {
			s.name, part.Name = name, &name
		}
	}
	var messages []ws.Message
	output := part.output
	if part.output = nil; part.Name != nil || output == nil && (part.Events != nil || part.Missed > 0 || part.Error != nil) {
		m := ws.Message{Data: appendJSON(nil, part)}
		if part.Events != nil || part.Missed > 0 {
			s.window.sent += uint64(len(m.Data))
		}
		messages = append(messages, m)
	}
	if output != nil {
		messages = append(messages, ws.Message{Binary: true, Data: output})
		s.window.sent += uint64(len(output))
	}
	return s.conn.Send(ctx, messages...)
}

// deliver sends what next returns until that fails, or the connection ends.
func (s *sender) deliver(ctx context.Context, next func(context.Context) (Part, error)) error {
	for {
		if err := s.window.await(ctx); err != nil {
			return err
		}
		part, err := next(ctx)
		if err != nil {
			return err
		}
		if err := s.send(ctx, part); err != nil {
			return err
		}
	}
}

// end tells the client why nothing else comes, if there is a reason.
func (s *sender) end(ctx context.Context, err error) {
	if err == nil || ctx.Err() != nil {
		return
	}
	_ = s.send(ctx, Part{Error: &Failure{errcode.Status(err), errcode.Of(err), err.Error()}}) // the code says it, too
	if fault.KindOf(err) == fault.Gone {
		s.conn.Finish(ws.NormalClosure, sessionEnded)
		return
	}
	s.conn.Close(closeCode(err), err.Error())
}

// hostOf returns the terminals of the host that has a session: nothing that happens on others
// changes its name.
func hostOf(all terminals.Terminals, session string) terminals.Terminals {
	if on, err := terminals.OnServer(all, wire.HostOf(session)); err == nil {
		return on
	}
	return all
}

// sendNames sends the session's names until the connection ends.
func (s *sender) sendNames(ctx context.Context, t terminals.Terminals, by terminals.Grant) {
	changes, err := terminals.Follow.Open(ctx, t, by, terminals.None{})
	if err != nil {
		return // the stream needs the same right, so the server is stopping
	}
	defer changes.Close()
	for err == nil && s.send(ctx, Part{}) == nil {
		_, err = changes.Next(ctx)
	}
}

// maxUnread is how many bytes a client may get that it has not handled.
const maxUnread = 256 << 10

// A window is what may be sent before the client says that it has handled more.
type window struct {
	moved chan struct{} // capacity 1
	read  atomic.Uint64 // the offset that the client has read up to
	sent  uint64        // owned by deliver
}

func newWindow(from uint64) *window {
	w := &window{moved: make(chan struct{}, 1), sent: from}
	w.read.Store(from)
	return w
}

// move takes a client's message that says what it has read.
func (w *window) move(m ws.Message) error {
	var now struct {
		Read *uint64 `json:"read"`
	}
	if m.Binary || json.Unmarshal(m.Data, &now) != nil || now.Read == nil {
		return fault.New(fault.Invalid, `clients of a stream only say what they have read, as {"read":OFFSET}`)
	}
	w.read.Store(*now.Read)
	wake.Up(w.moved)
	return nil
}

// await waits until more may be sent.
func (w *window) await(ctx context.Context) error {
	for w.sent >= w.read.Load()+maxUnread {
		select {
		case <-w.moved:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
