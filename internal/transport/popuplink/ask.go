package popuplink

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/peer"
	"ui-mcp/internal/transport/ws"
)

// Pages returns the servers that can show questions on their pages now.
func Pages(servers []discovery.Server) (all []questions.Program) {
	for _, s := range servers {
		if s.Watched && s.Address != "" && s.Token != "" {
			all = append(all, program(s, "page"))
		}
	}
	return all
}

// Beside returns the programs that show questions of a server with pages of its own and these
// workspaces: servers of terminals, at which a person may be attached and which other hosts may
// follow, and, for the questions of theirs, one server of each other workspace, with a page if
// there is one. Whether it shows a question, it says itself.
func Beside(servers []discovery.Server, own []string) (all []questions.Program) {
	served, pageFirst := slices.Clone(own), []bool{true, false}
	slices.SortStableFunc(servers, func(x, y discovery.Server) int {
		return slices.Index(pageFirst, x.Watched) - slices.Index(pageFirst, y.Watched)
	})
	for _, s := range servers {
		switch {
		case s.Address != "" && s.Token != "":
			p, before := program(s, "page"), len(served)
			p.Takes = func(a popup.Asked) bool {
				return slices.Contains(s.Workspaces, a.Workspace) && !slices.Contains(served[:before], a.Workspace)
			}
			served = append(served, s.Workspaces...)
			all = append(all, p)
		case s.Socket != "" && s.Token == "":
			all = append(all, program(s, "elsewhere"))
		}
	}
	return all
}

func program(s discovery.Server, channel string) questions.Program {
	return questions.Program{ID: cmp.Or(s.Token, fmt.Sprint(s.PID, " ", s.Socket)), Channel: channel, Follow: target(s).follow}
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

// follow is [questions.Program.Follow].
func (t target) follow(ctx context.Context, s terminals.QuestionStream) error {
	conn, err := t.dial(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	ctx, cancel := context.WithCancel(ctx)
	var sending sync.WaitGroup
	defer sending.Wait()
	defer cancel()
	sending.Go(func() {
		defer cancel()
		for {
			news, err := s.Receive(ctx)
			if err != nil || conn.Send(ctx, jsonrpc.MustMarshal(news)) != nil {
				return
			}
		}
	})
	for {
		m, err := conn.Read(ctx)
		if err != nil {
			return err
		}
		var in terminals.FromFollower
		if err := json.Unmarshal(m.Data, &in); err != nil {
			return err
		}
		if err := s.Send(ctx, in); err != nil {
			return err
		}
	}
}
