// Package wsterm serves terminal sessions over WebSockets: the operations of package terminals as
// methods, with their events, for all sessions on one socket or for one session; a program's
// output as bytes; and persons' terminals, attached in frames. It translates and decides nothing
// about sessions.
//
// Put internal/transport/gate in front of it: it takes the caller's grant from the request's
// context, and checks no origin.
//
// A socket is a connection whose messages are JSON. Its goroutine reads one request after the
// other and carries it out; a wait is answered when it ends, and requests for another server go
// into that server's lane, so one that does not answer holds up nothing else. Streams become
// deliveries:
//
//	request ── call (operation, input) ── Terminals.Do   ── answer
//	                                   ── Terminals.Open ── delivery ── sender ── messages
//
// What is kept for a client that does not read is bounded: it misses events and learns that, and
// the window of a stream stays closed until it says what it has read.
package wsterm

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/ws"
	"ui-mcp/internal/wake"
)

// MaxMessage is the length limit of a message from a client, in bytes.
const MaxMessage = 1 << 20

// OutputLost is the code with which a connection is closed whose client has missed a part of the
// output that it has asked for.
const OutputLost ws.Code = 4001

// Options configure a handler. The zero value is right for servers.
type Options struct {
	// Join: see [attachedterm.Options].
	Join func(deliver func(msg []byte)) attachedterm.Guest
}

// Routes returns what adds to a mux /ws/json, /sessions/{name}/ws/json, /sessions/{name}/ws/raw,
// /ws/attach, /sessions/{name}/ws/attach, /questions/ws and /asyncapi.yaml.
func Routes(t terminals.Terminals, o Options) func(*http.ServeMux) {
	h := &handler{terminals: t, guest: o.Join}
	// A client may stop reading for a while, or read slowly: events are not prepared for it
	// meanwhile, so it costs little.
	h.limits = ws.Limits{Received: MaxMessage, Ping: 30 * time.Second, Silence: 2 * time.Minute}
	return func(mux *http.ServeMux) {
		mux.HandleFunc("/ws/json", upgrade(h.server))
		mux.HandleFunc("/sessions/{name}/ws/json", upgrade(h.session))
		mux.HandleFunc("/sessions/{name}/ws/raw", upgrade(h.raw))
		mux.HandleFunc("/sessions/{name}/ws/attach", upgrade(h.attach))
		mux.HandleFunc("/ws/attach", upgrade(h.attach))
		mux.HandleFunc(httpio.QuestionsPath, upgrade(func(w http.ResponseWriter, r *http.Request) {
			h.stream(w, r, &terminals.FollowQuestions.Operation, core.SenderWebSocket)
		}))
		mux.HandleFunc("GET /asyncapi.yaml", httpio.YAML(asyncAPI))
	}
}

type handler struct {
	terminals terminals.Terminals
	guest     func(func([]byte)) attachedterm.Guest
	limits    ws.Limits
}

// upgrade answers requests that are no upgrades to the protocol of WebSockets. Package ws refuses
// those that are malformed.
func upgrade(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		path := httpio.Prefix(r.Context()) + r.URL.Path
		switch {
		case r.Method != http.MethodGet:
			w.Header().Set("Allow", http.MethodGet)
			httpio.WriteCoded(w, http.StatusMethodNotAllowed, errcode.MethodNotAllowed, path+" takes GET, not "+r.Method)
		case !strings.Contains(strings.ToLower(strings.Join(r.Header.Values("Connection"), ",")), "upgrade") || !strings.EqualFold(r.Header.Get("Upgrade"), "websocket"):
			w.Header().Set("Connection", "Upgrade")
			w.Header().Set("Upgrade", "websocket")
			httpio.WriteCoded(w, http.StatusUpgradeRequired, errcode.UpgradeRequired, path+" is a WebSocket")
		default:
			w.Header().Set(httpio.WireHeader, httpio.Wire)
			next(w, r)
		}
	}
}

func fail(w http.ResponseWriter, err error) {
	httpio.WriteCoded(w, errcode.Status(err), errcode.Of(err), err.Error())
}

// serve upgrades a request. If that fails, it has answered with the error.
func (h *handler) serve(w http.ResponseWriter, r *http.Request, limits ws.Limits, handle func(context.Context, *ws.Conn)) {
	_ = ws.Serve(w, r, ws.Options{Limits: limits, AnyOrigin: true, Ended: closeReason}, handle)
}

// serveJSON is serve for a socket. When the server stops, which a request may have caused, the
// socket still gets the answer to its present request.
func (h *handler) serveJSON(w http.ResponseWriter, r *http.Request, t terminals.Terminals, by terminals.Grant, handle func(*socket)) {
	turn := make(turn, 1)
	ended := func(cause error) (ws.Code, string) {
		code, reason := closeReason(cause)
		if code == ws.GoingAway {
			turn.settle()
		}
		return code, reason
	}
	_ = ws.Serve(w, r, ws.Options{Limits: h.limits, AnyOrigin: true, Ended: ended}, func(ctx context.Context, conn *ws.Conn) {
		// First of all: what handle starts may have an event to send at once.
		if conn.Send(ctx, ws.Message{Data: []byte(greeting)}) != nil {
			return
		}
		s := newSocket(ctx, t, by, conn, turn)
		s.counted = clientOf(r, by, clients.KindWebSocket)
		defer s.close()
		handle(s)
	})
}

// closeReason says why the connection of a request ends whose context has ended.
func closeReason(cause error) (ws.Code, string) {
	if fault.DetailOf(cause) == terminals.Withdrawn {
		return ws.PolicyViolation, cause.Error()
	}
	return ws.GoingAway, "the server is stopping"
}

// A socket's first message.
const greeting = `{"connected":true}`

// sessionEnded is the reason with which the sockets of a session are closed at its end.
const sessionEnded = "session ended"

// server serves all sessions.
func (h *handler) server(w http.ResponseWriter, r *http.Request) {
	by := grantOf(r, core.SenderWebSocket)
	if r.URL.Query().Has("in") {
		h.stream(w, r, &terminals.Follow.Operation, core.SenderWebSocket)
		return
	}
	t, err := h.on(r)
	if err != nil {
		fail(w, err)
		return
	}
	changes, err := terminals.Follow.Open(r.Context(), t, by, terminals.None{})
	if err != nil {
		fail(w, err)
		return
	}
	defer changes.Close()
	h.serveJSON(w, r, t, by, func(s *socket) {
		s.work.Go(func() { s.follow(changes) })
		s.read()
	})
}

// session serves one session. That of an ended program can still be read.
func (h *handler) session(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("in") != "" {
		h.stream(w, r, &terminals.Watch.Operation, core.SenderWebSocket)
		return
	}
	by := grantOf(r, core.SenderWebSocket)
	t, client, ended, err := h.join(r, by, clientOf(r, by, clients.KindWebSocket))
	if err != nil {
		fail(w, err)
		return
	}
	defer client.Close()
	h.serveJSON(w, r, t, by, func(s *socket) {
		s.own = func() string { return presentID(client) }
		s.work.Go(func() {
			if !ended && awaitEnd(s.ctx, client, s.conn) {
				s.finish()
			}
		})
		s.read()
	})
}

// closeCode returns the code with which a connection is closed after an error. Clients may come
// back to a session whose host cannot be reached.
func closeCode(err error) ws.Code {
	switch {
	case fault.KindOf(err) == fault.Unreachable:
		return ws.TryAgainLater
	case fault.DetailOf(err) == term.OutputLost:
		return OutputLost
	}
	return ws.PolicyViolation
}

// grantOf returns the grant of a request's caller, who types through a socket of that kind. Another
// host says itself what its caller is; at its attached terminals are persons, unless it is a guest.
func grantOf(r *http.Request, kind core.SenderKind) terminals.Grant {
	by := terminals.FromContext(r.Context())
	if isHost(r) {
		if kind == core.SenderAttach && !by.Guest {
			by.From.Kind = kind
		}
		return by
	}
	by.From.Kind = kind
	if name := r.URL.Query().Get("client"); name != "" && len(name) <= label.MaxName {
		by.From.Name = name
	}
	return by
}

// isHost reports whether another host sends a request, on behalf of a caller of its own.
func isHost(r *http.Request) bool { return terminals.FromContext(r.Context()).From.Kind != "" }

// clientOf describes the client that sends a request. It may name itself in the query.
func clientOf(r *http.Request, by terminals.Grant, kind clients.Kind) terminals.Count {
	return terminals.Count{Kind: kind, Name: r.URL.Query().Get("client"), ReadOnly: by.Rights&terminals.Type == 0}
}

// on returns the terminals of the server that a request's query names, on which names of sessions
// are plain, or all terminals if it names none.
func (h *handler) on(r *http.Request) (terminals.Terminals, error) {
	return onServer(h.terminals, r.URL.Query().Get("server"))
}

func onServer(t terminals.Terminals, name string) (terminals.Terminals, error) {
	if name == "" {
		return t, nil
	}
	return terminals.OnServer(t, name)
}

// join counts a client of the session that a request names, until the result is closed, and returns
// the terminals that have the session. If the program has ended, there is nothing to wait for.
func (h *handler) join(r *http.Request, by terminals.Grant, as terminals.Count) (t terminals.Terminals, of terminals.Stream, ended bool, err error) {
	if t, err = h.on(r); err != nil {
		return nil, nil, false, err
	}
	target := terminals.Target{Session: r.PathValue("name")}
	joined, err := terminals.Join.Open(r.Context(), t, by, terminals.JoinQuery{Target: target, Count: as})
	if fault.KindOf(err) == fault.Gone {
		last, err := terminals.ReadOutput.Open(r.Context(), t, by, terminals.OutputQuery{Target: target})
		return t, last, true, err
	}
	return t, joined, false, err
}

// awaitEnd reports that the program has ended. If nothing arrives about the session any more for
// another reason, it closes the connection: its client would wait for events that never come.
func awaitEnd(ctx context.Context, of terminals.Stream, conn *ws.Conn) bool {
	err := of.Receive(ctx, new(terminals.None))
	switch {
	case ctx.Err() != nil:
		return false
	case fault.KindOf(err) == fault.Gone:
		return true
	}
	conn.Close(closeCode(err), err.Error())
	return false
}

// raw sends a program's output, and types the binary messages that it receives.
func (h *handler) raw(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("in") != "" {
		h.stream(w, r, &terminals.ReadOutput.Operation, core.SenderRaw)
		return
	}
	by := grantOf(r, core.SenderRaw)
	t, client, ended, err := h.join(r, by, clientOf(r, by, clients.KindRaw))
	if err != nil {
		fail(w, err)
		return
	}
	defer client.Close()
	output, err := terminals.ReadOutput.Open(r.Context(), t, by, terminals.OutputQuery{Target: terminals.Target{Session: client.SessionID()}})
	if err != nil {
		fail(w, err)
		return
	}
	defer output.Close()
	h.serve(w, r, h.limits, func(ctx context.Context, conn *ws.Conn) {
		ctx, cancel := context.WithCancel(ctx)
		var queries keys.Queries
		var work sync.WaitGroup
		defer work.Wait()
		defer cancel()
		work.Go(func() { sendOutput(ctx, conn, output, &queries) })
		if !ended {
			work.Go(func() { awaitEnd(ctx, client, conn) })
		}
		for {
			m, err := conn.Read(ctx)
			if err != nil {
				return
			}
			if err := typeAll(ctx, t, by, client, queries.WithoutReplies(m.Data)); err != nil {
				conn.Close(closeCode(err), err.Error())
			}
		}
	})
}

const (
	typePiece = 32 << 10              // bytes that are typed at a time
	typeTime  = 5 * time.Second       // how long a program may take to read so much that more has room
	typePause = 10 * time.Millisecond // before another attempt
)

// typeAll types input, as fast as the program reads it, in pieces that do not end within a
// character. Input for a program that has ended is dropped.
func typeAll(ctx context.Context, t terminals.Terminals, by terminals.Grant, of terminals.Stream, data []byte) error {
	for len(data) > 0 {
		piece := data
		if len(piece) > typePiece {
			piece = piece[:vt.Whole(piece[:typePiece])]
		}
		data = data[len(piece):]
		for start := time.Now(); ; {
			id := presentID(of)
			if id == "" {
				return nil // awaitEnd says why
			}
			_, err := terminals.SendInput.Do(ctx, t, by, terminals.Input{Target: terminals.Target{Session: id}, Data: piece})
			if err == nil {
				break
			}
			if fault.KindOf(err) == fault.Gone || ctx.Err() != nil {
				return nil
			}
			if fault.KindOf(err) != fault.Exhausted || time.Since(start) > typeTime {
				return err
			}
			_ = wake.After(ctx, typePause) // the loop looks whether it has ended
		}
	}
	return nil
}

// presentID returns the ID of a stream's session, or "" if that was removed or the caller's grant
// does not cover it any more.
func presentID(of terminals.Stream) string {
	if of.Name() == "" {
		return ""
	}
	return of.SessionID()
}

// sendOutput sends a program's output until its end.
func sendOutput(ctx context.Context, conn *ws.Conn, output *terminals.Parts[[]byte], queries *keys.Queries) {
	for {
		b, err := output.Next(ctx)
		queries.Output(b)
		switch {
		case fault.KindOf(err) == fault.Gone:
			conn.Finish(ws.NormalClosure, sessionEnded)
			return
		case err != nil:
			conn.Close(closeCode(err), err.Error())
			return
		}
		if conn.Send(ctx, ws.Message{Binary: true, Data: b}) != nil {
			return
		}
	}
}
