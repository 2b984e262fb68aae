package popuplink

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/nearby"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/peer"
	"ui-mcp/internal/transport/ws"
)

// Pages returns the servers that can show questions on their pages now, each with a way to ask
// there.
func Pages(servers []discovery.Server) []nearby.Program {
	return programs(servers, func(s discovery.Server) bool { return s.Address != "" && s.Token != "" })
}

// Hosts returns the servers of terminals whose questions are displayed on other hosts now.
func Hosts(servers []discovery.Server) []nearby.Program {
	return programs(servers, func(s discovery.Server) bool { return s.Socket != "" && s.Token == "" })
}

func programs(servers []discovery.Server, are func(discovery.Server) bool) (all []nearby.Program) {
	for _, s := range servers {
		if s.Watched && are(s) {
			all = append(all, nearby.Program{ID: cmp.Or(s.Token, fmt.Sprint(s.PID, " ", s.Socket)), Ask: target(s).ask})
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
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		network, address := "tcp", t.Address
		if t.Token == "" {
			network, address = "unix", t.Socket
		}
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		if err == nil {
			opened.Store(&conn)
		}
		return conn, err
	}}
	defer transport.CloseIdleConnections()
	conn, res, err := ws.Dial(ctx, "ws://"+cmp.Or(t.Address, "localhost")+Path, authorized{transport, t.Token}, maxMessage)
	if err != nil {
		if res != nil {
			res.Body.Close()
		}
		return nil, err
	}
	socket := *opened.Load()
	if whose, _ := peer.Lookup(socket.LocalAddr(), socket.RemoteAddr()); t.Token != "" && whose == peer.Foreign {
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
	say := func(ctx context.Context, n terminals.QuestionNews) error {
		return conn.Send(ctx, jsonrpc.MustMarshal(n))
	}
	open := questions.Open(a)
	if err := say(ctx, terminals.QuestionNews{Asked: &open}); err != nil {
		return "", lost(err)
	}
	here := false // a person
	late := time.AfterFunc(dialTime, func() { _ = conn.Close() })
	defer late.Stop()
	for {
		received, err := conn.Read(ctx)
		if err != nil && !here {
			return "", err
		} else if err != nil {
			return "", lost(err)
		}
		late.Stop()
		var m terminals.FromFollower
		switch err := json.Unmarshal(received.Data, &m); {
		case err != nil:
			return "", lost(err)
		case m.Shows != nil && !*m.Shows && !here:
			return question.NoHuman, nil
		case m.Shows != nil:
			here = true
			continue
		case m.Answer == nil:
			continue
		case m.Answer.Reply.Action == question.Active:
			_ = reply(m.Answer.Reply) // it may be over, as the end of ctx says
			continue
		}
		verdict := questions.Verdict(reply(m.Answer.Reply))
		verdict.Delivery = m.Answer.Delivery
		// A reply that settles the question ends ctx.
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
		err = say(ending, terminals.QuestionNews{Verdict: &verdict})
		if over := verdict.Result != terminals.Refused; over && err == nil {
			// To close at once could take the verdict away before it is read.
			if err = say(ending, terminals.QuestionNews{Over: a.ID}); err == nil {
				for readErr := error(nil); readErr == nil; {
					_, readErr = conn.Read(ending)
				}
			}
			cancel()
			return question.Answered, nil
		}
		cancel()
		if err != nil {
			return "", lost(err)
		}
	}
}

// lost says that the person may have seen the question.
func lost(err error) error { return fmt.Errorf("%w: %w", popup.ErrLost, err) }
