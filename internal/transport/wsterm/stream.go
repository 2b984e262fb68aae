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
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/ws"
	"ui-mcp/internal/wake"
)

// A Part is a text in the stream of an operation. The first one has the ID and name of the session,
// if the stream is of one.
type Part struct {
	ID    string          `json:"id,omitempty"`
	Name  *string         `json:"name,omitempty"`  // the present name; "" once the session is gone, or not covered any more
	Part  json.RawMessage `json:"part,omitempty"`  // what the operation delivers
	Error *Failure        `json:"error,omitempty"` // why the stream ends; it is the last text

	output []byte // of session.output, instead of a text
}

// A Failure is an error, as answers over HTTP have it.
type Failure struct {
	Status  int    `json:"status"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// stream serves an operation with more than one answer. Its input, without the session, is in the
// query. A member count makes session.join of session.watch.
func (h *handler) stream(w http.ResponseWriter, r *http.Request, o *terminals.Operation, kind core.SenderKind) {
	t, err := h.on(r)
	by := grantOf(r, kind)
	given := map[string]json.RawMessage{}
	if text := r.URL.Query().Get("in"); err == nil && text != "" {
		given, err = terminals.Members([]byte(text))
	}
	if o == &terminals.Watch.Operation && given["count"] != nil {
		o = &terminals.Join.Operation
	}
	var in any
	if err == nil {
		_, in, _, err = decode(terminals.Named(o.Name), r.PathValue("name"), given)
	}
	var of terminals.Stream
	if err == nil {
		if join, ok := in.(*terminals.JoinQuery); ok {
			join.Count.ReadOnly = join.Count.ReadOnly || by.Rights&terminals.Type == 0
		}
		of, err = t.Open(r.Context(), by, o, in)
	}
	if err != nil {
		fail(w, err)
		return
	}
	defer of.Close()
	limits, from := h.limits, uint64(0)
	if in, ok := in.(*terminals.OutputQuery); ok && in.From != nil {
		if from = *in.From; in.Whole {
			limits.Ping, limits.Silence = wholePing, wholeSilence
		}
	}
	h.serve(w, r, limits, func(ctx context.Context, conn *ws.Conn) {
		ctx, cancel := context.WithCancel(ctx)
		s := &sender{conn: conn, o: o, of: of, named: of.SessionID() != "", window: newWindow(from)}
		var work sync.WaitGroup
		defer work.Wait()
		defer cancel()
		if s.begin(ctx) != nil {
			return
		}
		work.Go(func() { s.end(ctx, s.deliver(ctx)) })
		if s.named {
			work.Go(func() { s.sendNames(ctx, hostOf(t, r.PathValue("name")), by) })
		}
		for {
			m, err := conn.Read(ctx)
			if err != nil {
				return
			}
			s.end(ctx, s.take(ctx, m))
		}
	})
}

// A client that reads all output must answer within these times: it answers while it waits for its
// own reader, too.
const wholePing, wholeSilence = 10 * time.Second, 30 * time.Second

// A sender sends the parts of a stream.
type sender struct {
	conn   *ws.Conn
	o      *terminals.Operation
	of     terminals.Stream
	named  bool // it is of a session
	window *window

	mu   sync.Mutex // held while something is sent, so that names arrive in order; guards name
	name string     // as the client knows it
}

func (s *sender) begin(ctx context.Context) error {
	first := Part{}
	if s.named {
		s.name = s.of.Name()
		first = Part{ID: s.of.SessionID(), Name: &s.name}
	}
	return s.conn.Send(ctx, ws.Message{Data: httpio.AppendJSON(nil, first)})
}

// send sends a part, and before it the session's name if that is new.
func (s *sender) send(ctx context.Context, part Part) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.named {
		if name := s.of.Name(); name != s.name {
			s.name, part.Name = name, &name
		}
	}
	var messages []ws.Message
	if part.Name != nil || part.Part != nil || part.Error != nil {
		m := ws.Message{Data: httpio.AppendJSON(nil, part)}
		if part.Part != nil {
			s.window.sent += uint64(len(m.Data))
		}
		messages = append(messages, m)
	}
	if part.output != nil {
		messages = append(messages, ws.Message{Binary: true, Data: part.output})
		s.window.sent += uint64(len(part.output))
	}
	return s.conn.Send(ctx, messages...)
}

// deliver sends what the operation delivers until that fails, or the connection ends.
func (s *sender) deliver(ctx context.Context) error {
	for {
		if err := s.window.await(ctx); err != nil {
			return err
		}
		part, err := s.next(ctx)
		if err != nil {
			return err
		}
		if err := s.send(ctx, part); err != nil {
			return err
		}
	}
}

// next returns what the operation delivers next.
func (s *sender) next(ctx context.Context) (part Part, err error) {
	_, out := s.o.New()
	err = s.of.Receive(ctx, out)
	switch out := out.(type) {
	case *[]byte:
		part.output = *out
	case *[]wire.Event:
		part.Part = wire.Append(nil, *out)
	default:
		part.Part = httpio.AppendJSON(nil, out)
	}
	return part, err
}

// take handles what the client says.
func (s *sender) take(ctx context.Context, m ws.Message) error {
	var in struct {
		Read *uint64 `json:"read"`
		terminals.FromFollower
	}
	err := json.Unmarshal(m.Data, &in)
	switch {
	case err == nil && in.Read != nil:
		s.window.read.Store(*in.Read)
		wake.Up(s.window.moved)
		return nil
	case err == nil && s.o == &terminals.FollowQuestions.Operation:
		return s.of.Send(ctx, &in.FromFollower)
	}
	return fault.New(fault.Invalid, `clients of a stream say what they have read, as {"read":OFFSET}, and what question.follow takes`)
}

// end tells the client why nothing else comes, if there is a reason.
func (s *sender) end(ctx context.Context, err error) {
	if err == nil || ctx.Err() != nil {
		return
	}
	_ = s.send(ctx, Part{Error: &Failure{errcode.Status(err), errcode.Of(err), err.Error()}}) // the code says it, too
	if s.named && fault.KindOf(err) == fault.Gone {
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
