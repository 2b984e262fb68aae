package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"ui-mcp/internal/fault"
	popupwire "ui-mcp/internal/popup/wire"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/socketwire"
)

// Relay implements [attachedterm.Relay]. A frame of the client is a message, and so is one for it.
func (h *Host) Relay(ctx context.Context, conn attachedterm.Conn, first socketwire.Frame, o attachedterm.Options) error {
	e, err := h.open(ctx, o.By, terminals.Attach, attaching{byte(first.Kind), first.Content, o.Session, o.Untrusted, o.Prefix})
	if err != nil {
		return err
	}
	defer e.cancel(ErrEnded)
	if first.Kind == socketwire.CreateSession {
		e.op = &terminals.CreateSession.Operation
	}
	b, err := e.message(ctx)
	if err != nil {
		return err
	}
	Pass(ctx, conn, cmp.Or(o.Host, h.name), first, b, attached{e})
	return nil
}

// Frames are an attached terminal on another host. A frame is a message: its type, and its content.
type Frames interface {
	// Receive returns the next one. The error [ErrEnded] says that the host has ended the
	// connection in order.
	Receive(context.Context) ([]byte, error)
	// Send sends one; after the last one, which is nil, there is no other one.
	Send([]byte) error
	// Stop ends the connection.
	Stop()
}

// attached implements [Frames].
type attached struct{ *end }

// Receive implements [Frames].
func (a attached) Receive(ctx context.Context) ([]byte, error) { return a.message(ctx) }

// Send implements [Frames].
func (a attached) Send(b []byte) error { return a.write(a.ctx, b, b == nil) }

// Stop implements [Frames].
func (a attached) Stop() { a.cancel(ErrEnded) }

// Pass passes frames between a client and another host, which has a name here, until the client has
// left or the host has ended the connection. answer is the host's to the client's first frame.
func Pass(ctx context.Context, conn attachedterm.Conn, host string, first socketwire.Frame, answer []byte, there Frames) {
	read := make(chan struct{})
	go func() {
		defer close(read)
		passOn(conn, host, there)
	}()
	var err error
	for s := newShown(conn, host, first); err == nil; answer, err = there.Receive(ctx) {
		if err = s.frame(answer); err != nil {
			break
		}
	}
	switch {
	case ctx.Err() != nil:
		_ = attachedterm.WriteJSON(conn, socketwire.Detach, socketwire.End{Reason: socketwire.Stopping})
	case err != ErrEnded:
		attachedterm.Fail(conn, err)
	}
	there.Stop()
	_ = conn.Close() // ends reading
	<-read
}

// passOn passes a client's frames on until the client has left.
func passOn(conn attachedterm.Conn, host string, there Frames) {
	for {
		f, err := conn.Read()
		if err != nil {
			attachedterm.Fail(conn, attachedterm.UnlessNetwork(err))
			_ = there.Send(nil) // if it fails, the other host knows
			return
		}
		if f.Kind == socketwire.Question {
			if f.Content = popupwire.RelayedReply(host, f.Content); f.Content == nil {
				continue // it is about no question of the host
			}
		}
		if there.Send(f.Message()) != nil {
			return
		}
	}
}

// A shown is what another host shows to a client here. The client gets only what a server here
// could send to it: see [render.Foreign]; texts without controls; failures as [Reported] has them;
// and questions as [popupwire.Relayed] makes them. Its methods are called by one goroutine.
type shown struct {
	conn      attachedterm.Conn
	host      string
	questions bool // the client displays questions
	picture   render.Foreign
}

func newShown(conn attachedterm.Conn, host string, first socketwire.Frame) *shown {
	var in struct {
		Client struct{ Screens, Forward, Clipboard, Questions bool }
	}
	s := &shown{conn: conn, host: host}
	if first.Decode(&in) == nil {
		s.questions = in.Client.Questions
		s.picture = render.Foreign{Screens: in.Client.Screens, Forward: in.Client.Forward, Clipboard: in.Client.Clipboard}
	}
	return s
}

var errMalformed = fault.New(fault.Unreachable, "it has sent a malformed frame")

// frame passes a frame on. An error says why there can be no more.
func (s *shown) frame(b []byte) error {
	if len(b) == 0 {
		return s.malformed()
	}
	kind, content := socketwire.Kind(b[0]), b[1:]
	switch kind {
	case socketwire.PtyOutput:
		content = s.picture.Append(nil, content)
	case socketwire.Ping, socketwire.Pong:
		content = nil
	case socketwire.Question:
		if !s.questions || crowded(content, maxAsked) {
			return nil
		}
		m := popupwire.Relayed(s.host, content)
		if m == nil {
			return nil
		}
		content = encode(m)
	case socketwire.Detach:
		return s.end(content)
	case socketwire.Failed:
		return s.failed(content)
	case socketwire.CreateSessionResponse, socketwire.AttachSessionResponse, socketwire.Typed, socketwire.Resize:
		var members map[string]any
		d := json.NewDecoder(bytes.NewReader(content))
		d.UseNumber()
		if d.Decode(&members) != nil {
			return s.malformed()
		}
		content = encode(plain(members))
	default:
		return nil
	}
	return s.conn.Write(kind, content)
}

func (s *shown) malformed() error {
	return fault.With(terminals.HostSilent, fault.Wrap(fault.Unreachable, errMalformed, "%s", s.host))
}

// plain returns a decoded value whose texts disturb nothing where they are displayed.
func plain(v any) any {
	switch v := v.(type) {
	case string:
		return safetext.Plain(v)
	case map[string]any:
		for name, member := range v {
			v[name] = plain(member)
		}
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	}
	return v
}

// end passes on that the client is detached. That the other host stops is like its death to the
// client, whose own server goes on.
func (s *shown) end(content []byte) error {
	var e socketwire.End
	if json.Unmarshal(content, &e) != nil {
		return s.malformed()
	}
	switch e.Reason {
	case socketwire.Exited, socketwire.Removed, socketwire.Detached:
	case socketwire.Stopping:
		return Reported(s.host, terminals.Attach, fault.Gone, term.Stopping, "")
	default:
		return s.malformed()
	}
	e.Name, e.Signal, e.Code = safetext.Plain(e.Name), safetext.Label(e.Signal, maxSignal), e.Code&0xff
	return attachedterm.WriteJSON(s.conn, socketwire.Detach, e)
}

// maxSignal is the length of the longest name of a signal, in bytes.
const maxSignal = 16

// failed passes on a failure.
func (s *shown) failed(content []byte) error {
	var in struct {
		Code    string
		Message string
	}
	if json.Unmarshal(content, &in) != nil {
		return s.malformed()
	}
	for _, o := range []*terminals.Operation{terminals.Attach, &terminals.CreateSession.Operation, &terminals.SendInput.Operation} {
		fails := o.Failures()
		if i := slices.IndexFunc(fails, func(f terminals.Failure) bool {
			return errcode.Of(fault.With(f.Detail, fault.New(f.Kind, ""))) == in.Code
		}); i >= 0 {
			attachedterm.Fail(s.conn, Reported(s.host, o, fails[i].Kind, fails[i].Detail, in.Message))
			return nil
		}
	}
	attachedterm.Fail(s.conn, Reported(s.host, terminals.Attach, fault.Precondition, fault.Detail(in.Code), in.Message))
	return nil
}
