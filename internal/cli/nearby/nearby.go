// Package nearby has the programs of a user on one machine show each other's questions. The one
// that asks connects, to the other's Unix socket or to the address of its claim: it knows when
// there is a question. Over the connection, it serves question.follow to the other one, as servers
// serve other hosts. When the connection ends, the questions are withdrawn there.
package nearby

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"

	"ui-mcp/internal/cli/join"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
	"ui-mcp/internal/transport/peer"
	"ui-mcp/internal/transport/remote"
)

const (
	// Path is where [Program.NewHandler] is served.
	Path     = "/questions/follow"
	protocol = "wsh-questions"
)

// A Program is this one, as it meets the user's others.
type Program struct {
	self      remote.Hello
	log       *slog.Logger
	complaint sync.Once // that another program cannot show questions
}

// New returns a program with a name and a version, for errors. log gets what others cannot show.
func New(name, version string, log *slog.Logger) *Program {
	return &Program{self: remote.Hello{ID: rand.Text(), Name: name, Version: version}, log: log}
}

// Pages returns the servers that can show questions on their pages now.
func (p *Program) Pages(servers []discovery.Server) (all []questions.Program) {
	for _, s := range servers {
		if s.Watched && s.Address != "" && s.Token != "" {
			all = append(all, p.to(s, "page"))
		}
	}
	return all
}

// Beside returns the programs that show questions of a server with pages of its own and these
// workspaces: servers of terminals, at which a person may be attached and which other hosts may
// follow, and, for the questions of theirs, one server of each other workspace, with a page if
// there is one. Whether it shows a question, it says itself.
func (p *Program) Beside(servers []discovery.Server, own []string) (all []questions.Program) {
	served, pageFirst := slices.Clone(own), []bool{true, false}
	slices.SortStableFunc(servers, func(x, y discovery.Server) int {
		return slices.Index(pageFirst, x.Watched) - slices.Index(pageFirst, y.Watched)
	})
	for _, s := range servers {
		switch {
		case s.Address != "" && s.Token != "":
			to, before := p.to(s, "page"), len(served)
			to.Takes = func(a popup.Asked) bool {
				return slices.Contains(s.Workspaces, a.Workspace) && !slices.Contains(served[:before], a.Workspace)
			}
			served = append(served, s.Workspaces...)
			all = append(all, to)
		case s.Socket != "" && s.Token == "":
			all = append(all, p.to(s, "elsewhere"))
		}
	}
	return all
}

func (p *Program) to(s discovery.Server, channel string) questions.Program {
	id := cmp.Or(s.Token, fmt.Sprint(s.PID, " ", s.Socket))
	return questions.Program{ID: id, Channel: channel, Follow: func(ctx context.Context, stream terminals.QuestionStream) error {
		conn, err := connect(ctx, s)
		if err == nil {
			may := terminals.Grant{Rights: terminals.Answer, From: core.Sender{Name: channel}}
			err = remote.NewServer(p.self, terminals.Asking(stream), p.log).Serve(ctx, conn, func() (terminals.Grant, bool) { return may, true })
		}
		if fault.DetailOf(err) == terminals.HostLacks {
			p.complaint.Do(func() {
				p.log.Warn("another program of this user cannot show the questions of this one; others like it are not logged", "pid", s.PID, "reason", err)
			})
		}
		return err
	}}
}

// connect returns a connection over which a server follows questions. A program of another user
// that has got the port of a server that has ended is refused.
func connect(ctx context.Context, s discovery.Server) (net.Conn, error) {
	network, address, header := "unix", s.Socket, http.Header{}
	if s.Token != "" {
		network, address = "tcp", s.Address
		header.Set("Authorization", "Bearer "+s.Token)
	}
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	entered, res, err := join.Upgrade(ctx, conn, Path, protocol, header)
	switch whose, _ := peer.Lookup(conn.LocalAddr(), conn.RemoteAddr()); {
	case err != nil:
	case s.Token != "" && whose == peer.Foreign:
		err = errors.New("a program of another user has the port of the server")
	case res.StatusCode == http.StatusNotFound:
		err = fault.With(terminals.HostLacks, fault.New(fault.Invalid, "it is of another version: end it, and start it again"))
	case res.StatusCode != http.StatusSwitchingProtocols:
		err = fault.New(fault.Precondition, "the server answers %s", res.Status)
	default:
		return entered, nil
	}
	return nil, errors.Join(err, conn.Close())
}

// NewHandler returns what follows the questions of programs that connect, and asks a person that is
// [questions.PersonOptions.Relayed]. is reports whether a token is the server's; nil: callers need
// none.
func (p *Program) NewHandler(asks *questions.Person, is func(token string) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, given := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if is != nil && (!given || !is(token)) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "Refused: this needs the token of this server.", http.StatusUnauthorized)
			return
		}
		p.follow(w, r, asks)
	})
}

func (p *Program) follow(w http.ResponseWriter, r *http.Request, asks *questions.Person) {
	conn, err := join.Accept(w, r, protocol, "programs that ask", http.Header{})
	if err != nil {
		p.log.Error(err.Error())
	}
	if conn == nil {
		return
	}
	defer conn.Close()
	way := asks.Way("")
	defer way.Close()
	err = way.Follow(r.Context(), "the program that asked", func(ctx context.Context) (terminals.QuestionStream, error) {
		link, err := remote.Open(ctx, conn, p.self)
		if err != nil {
			return nil, err
		}
		context.AfterFunc(ctx, link.Close)
		return terminals.OpenQuestions(ctx, link, terminals.Grant{Rights: terminals.Answer})
	})
	p.log.Debug("a program that asks has left", "reason", err) // which it knows
}
