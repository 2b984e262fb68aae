// Package popuplink lets a program of the user show a question at another one on this machine. Over
// a WebSocket, both say what a [terminals.QuestionStream] carries, about one question. When the
// connection ends, the question is withdrawn.
//
// Which programs there are, and when to ask at them, is for others to decide.
package popuplink

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"ui-mcp/internal/fault"
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
	// dialTime is how long the other program may take to accept a connection, and to say whether a
	// person is there.
	dialTime = 5 * time.Second
	// endTime is how long the end of a connection may take after the last verdict.
	endTime = 2 * time.Second
)

// A Handler shows the questions of other programs, one for each WebSocket.
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
		defer way.End()
		_ = way.Follow(ctx, "the program that asked", func(context.Context) (terminals.QuestionStream, error) { return &stream{conn: conn}, nil }) // the asker knows
	})
	if err != nil {
		h.log.Debug("WebSocket refused", "error", err) // it has been answered
	}
}

// A stream is the connection of a program that asks. It ends with its question.
type stream struct {
	conn *ws.Conn
	over bool // owned by Receive
}

// Receive implements [terminals.QuestionStream].
func (s *stream) Receive(ctx context.Context) (news terminals.QuestionNews, err error) {
	if s.over {
		return news, fault.New(fault.Gone, "the question is over")
	}
	m, err := s.conn.Read(ctx)
	if err == nil {
		err = json.Unmarshal(m.Data, &news)
	}
	s.over = news.Over != ""
	return news, err
}

// Send implements [terminals.QuestionStream].
func (s *stream) Send(ctx context.Context, in terminals.FromFollower) error {
	return s.conn.Send(ctx, ws.Message{Data: jsonrpc.MustMarshal(in)})
}

// Close implements [terminals.QuestionStream].
func (s *stream) Close() { s.conn.Finish(ws.NormalClosure, "") }
