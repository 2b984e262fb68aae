package popuplink

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/nearby"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/popup/wire"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/peer"
	"ui-mcp/internal/transport/ws"
)

// Programs returns the servers that can show questions on their pages now, each with a way to ask
// there.
func Programs(servers []discovery.Server) []nearby.Program {
	var all []nearby.Program
	for _, s := range servers {
		if s.Watched && s.Address != "" && s.Token != "" {
			all = append(all, nearby.Program{ID: s.Token, Ask: target(s).ask})
		}
	}
	return all
}

// A target is a server at which to ask.
type target discovery.Server

// authorized adds a token to requests.
type authorized struct {
	http.RoundTripper
	token string
}

// RoundTrip implements [http.RoundTripper].
func (a authorized) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+a.token)
	return a.RoundTripper.RoundTrip(r)
}

// dial connects to the server. A program of another user that has got the port of a server that has
// ended is refused.
func (t target) dial(ctx context.Context) (*ws.Dialed, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	var opened atomic.Pointer[net.Conn]
	transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		if err == nil {
			opened.Store(&conn)
		}
		return conn, err
	}}
	defer transport.CloseIdleConnections()
	conn, res, err := ws.Dial(ctx, "ws://"+t.Address+Path, &http.Client{Transport: authorized{transport, t.Token}}, maxMessage)
	if err != nil {
		if res != nil {
			res.Body.Close()
		}
		return nil, err
	}
	socket := *opened.Load()
	if whose, _ := peer.Lookup(socket.LocalAddr(), socket.RemoteAddr()); whose == peer.Foreign {
		return nil, errors.Join(errors.New("a program of another user has the port of the server"), conn.Close())
	}
	return conn, nil
}

// ask is [nearby.Program.Ask].
func (t target) ask(ctx context.Context, a popup.Asked, reply func(question.Reply) error) (question.Outcome, error) {
	conn, err := t.dial(ctx)
	if err != nil {
		return "", err // it has not got the question
	}
	defer conn.Close()
	if err := conn.Send(ctx, jsonrpc.MustMarshal(posed{a.ID, a.Asker, a.Host, a.Question.Posed(time.Until(a.Deadline))})); err != nil {
		return "", lost(err)
	}
	for {
		received, err := conn.Read(ctx)
		if err != nil {
			return "", lost(err)
		}
		var m message
		switch {
		case !decode(received.Data, &m):
			return "", lost(errors.New("a malformed message"))
		case m.Outcome == question.Dismissed || m.Outcome == question.Declined:
			action := question.Dismiss
			if m.Outcome == question.Declined {
				action = question.Decline
			}
			return m.Outcome, fault.Wrap(fault.Gone, reply(question.Reply{Action: action}), "the question is over")
		case m.Reply == nil:
			return m.Outcome, nil
		case m.Reply.Action == question.Active:
			_ = reply(*m.Reply) // it may be over, as the end of ctx says
			continue
		}
		verdict := wire.VerdictOn(a.ID, reply(*m.Reply))
		if err := judge(context.WithoutCancel(ctx), conn, verdict); err != nil { // a reply that settles the question ends ctx
			return "", lost(err)
		}
		if verdict.Over {
			return question.Answered, nil
		}
	}
}

// judge sends the verdict on a reply. If the question is over, it waits for the other program's
// last message: to close at once could take the verdict away before it is read.
func judge(ctx context.Context, conn *ws.Dialed, v wire.Verdict) error {
	ctx, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	err := conn.Send(ctx, jsonrpc.MustMarshal(v))
	if err == nil && v.Over {
		_, _ = conn.Read(ctx) // an error says that it has closed
	}
	return err
}

// lost says that the person may have seen the question.
func lost(err error) error { return fmt.Errorf("%w: %w", popup.ErrLost, err) }
