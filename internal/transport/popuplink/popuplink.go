// Package popuplink has another program of the user on this machine follow questions. It is the
// asker that connects, with a WebSocket, over which both say what a [terminals.QuestionStream]
// carries. When the connection ends, the questions are withdrawn there.
//
// Which programs there are, and when to connect to them, is for others to decide.
package popuplink

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/ws"
)

// Path is where [Handler] is served.
const Path = "/popup-link"

const (
	// maxMessage bounds a message, in bytes: a question has pictures.
	maxMessage = 8 << 20
	// dialTime is how long the other program may take to accept a connection.
	dialTime = 5 * time.Second
)

// A Handler shows the questions of other programs.
type Handler struct {
	person *questions.Person
	is     func(token string) bool
	log    *slog.Logger
}

// NewHandler returns a handler, which asks a person that is [questions.PersonOptions.Relayed]. is
// reports whether a token is the server's; nil: callers need none. log gets refused connections.
func NewHandler(p *questions.Person, is func(token string) bool, log *slog.Logger) *Handler {
	return &Handler{p, is, log}
}

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, given := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if h.is != nil && (!given || !h.is(token)) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "Refused: this needs the token of this server.", http.StatusUnauthorized)
		return
	}
	err := ws.Serve(w, r, ws.Options{Limits: ws.Limits{Received: maxMessage}}, func(ctx context.Context, conn *ws.Conn) {
		way := h.person.Way("")
		defer way.Close()
		_ = way.Follow(ctx, "the program that asked", func(context.Context) (terminals.QuestionStream, error) { return &stream{conn}, nil }) // the asker knows
	})
	if err != nil {
		h.log.Debug("WebSocket refused", "error", err) // it has been answered
	}
}

// A stream is the connection of a program that asks.
type stream struct{ conn *ws.Conn }

// Receive implements [terminals.QuestionStream].
func (s *stream) Receive(ctx context.Context) (news terminals.QuestionNews, err error) {
	m, err := s.conn.Read(ctx)
	if err == nil {
		err = json.Unmarshal(m.Data, &news)
	}
	return news, err
}

// Send implements [terminals.QuestionStream].
func (s *stream) Send(ctx context.Context, in terminals.FromFollower) error {
	return s.conn.Send(ctx, ws.Message{Data: jsonrpc.MustMarshal(in)})
}

// Close implements [terminals.QuestionStream].
func (s *stream) Close() { s.conn.Finish(ws.NormalClosure, "") }
