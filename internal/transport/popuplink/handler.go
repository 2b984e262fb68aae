package popuplink

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/popup/wire"
	"ui-mcp/internal/secret"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/ws"
)

// A Broker asks questions. [popup.Broker] implements it.
type Broker interface {
	AskAndWait(ctx context.Context, q question.Question, ask popup.AskOptions, wait popup.WaitOptions) (question.Answer, error)
}

// A Handler shows the questions of other programs, one for each WebSocket. They need the token.
type Handler struct {
	broker Broker
	token  secret.Known
	log    *slog.Logger
}

// NewHandler returns a handler. log gets refused connections.
func NewHandler(b Broker, token secret.Known, log *slog.Logger) *Handler {
	return &Handler{b, token, log}
}

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, given := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !given || !h.token.Is(token) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "Refused: this needs the token of this server.", http.StatusUnauthorized)
		return
	}
	if err := ws.Serve(w, r, ws.Options{Limits: ws.Limits{Received: maxMessage}}, h.serve); err != nil {
		h.log.Debug("WebSocket refused", "error", err) // it has been answered
	}
}

// serve shows the question of one connection.
func (h *Handler) serve(ctx context.Context, conn *ws.Conn) {
	late := time.AfterFunc(dialTime, func() { conn.Close(ws.PolicyViolation, "no question in time") })
	first, err := conn.Read(ctx)
	late.Stop()
	var p posed
	if err != nil || !decode(first.Data, &p) {
		conn.Close(ws.PolicyViolation, "the first message must be a question")
		return
	}
	q, err := p.Question.Question()
	if err != nil {
		conn.Close(ws.PolicyViolation, err.Error())
		return
	}
	verdicts := make(chan wire.Verdict, 1)
	wanted, drop := context.WithCancel(ctx)
	var asking sync.WaitGroup
	defer asking.Wait()
	defer drop()
	asking.Go(func() {
		defer conn.Finish(ws.NormalClosure, "")
		a, err := h.broker.AskAndWait(wanted, q, popup.AskOptions{
			ID: p.ID, Asker: p.Asker, Host: p.Host, Relayed: true,
			Active: func() { conn.Deliver(jsonrpc.MustMarshal(message{Reply: &question.Reply{Action: question.Active}})) },
			Deliver: func(r question.Reply) error {
				err := deliver(wanted, conn, r, verdicts)
				if err != nil {
					drop() // else it would be asked again
				}
				return err
			},
		}, popup.WaitOptions{})
		if err == nil {
			_ = conn.Send(ctx, ws.Message{Data: jsonrpc.MustMarshal(message{Outcome: a.Outcome})}) // an asker that has gone needs none
		}
	})
	for {
		msg, err := conn.Read(ctx)
		if err != nil {
			return
		}
		var v wire.Verdict
		if !decode(msg.Data, &v) {
			conn.Close(ws.PolicyViolation, "not a verdict")
			continue
		}
		select {
		case verdicts <- v:
		default: // nobody has asked for one
		}
	}
}

// deliver sends the person's reply to the asker, and returns as an error why it did not arrive.
func deliver(ctx context.Context, conn *ws.Conn, r question.Reply, verdicts <-chan wire.Verdict) error {
	ctx, cancel := context.WithTimeout(ctx, verdictTime)
	defer cancel()
	if err := conn.Send(ctx, ws.Message{Data: jsonrpc.MustMarshal(message{Reply: &r})}); err != nil {
		return fault.New(fault.Gone, "the program that asked has gone: your answer was dropped")
	}
	select {
	case v := <-verdicts:
		if !v.OK {
			return fault.New(fault.Exists, "%s", v.Error)
		}
		return nil
	case <-ctx.Done():
		return fault.New(fault.Gone, "the program that asked has not confirmed your answer: it may have arrived, or not")
	}
}
