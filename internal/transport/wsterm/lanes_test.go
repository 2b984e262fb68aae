package wsterm_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/testkit/wait"
)

// mute terminals know the server "mute", which answers nothing until it is released, and the server
// "far", which has the same sessions as this one.
type mute struct {
	*terminals.Local
	asked    chan string // what the mute server gets
	released chan struct{}
}

func (m mute) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	switch o {
	case &terminals.GetKnownServer.Operation:
		if name := in.(*terminals.ServerName).Hostname; name != "mute" && name != "far" {
			return terminals.UnknownServer(name)
		}
		return nil
	case &terminals.ListServers.Operation:
		*out.(*[]terminals.KnownServer) = []terminals.KnownServer{{Hostname: "mute"}, {Hostname: "far"}}
		return nil
	case &terminals.ListSessions.Operation:
		return m.wait(ctx, "list")
	}
	session, _ := terminals.SessionIn(in)
	host := wire.HostOf(session)
	if host == "mute" {
		if err := m.wait(ctx, session); err != nil {
			return err
		}
	}
	return m.Local.Do(ctx, by, o, terminals.WithoutPrefix(in, strings.TrimSuffix(session, session[strings.Index(session, "/")+1:])), out)
}

func (m mute) wait(ctx context.Context, what string) error {
	m.asked <- what
	select {
	case <-m.released:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// A server that does not answer holds up neither requests for others nor those for this one. What
// is meant for it is done in order, and no more than some requests are kept.
func TestMuteServer(t *testing.T) {
	m := mute{opcases.New(t, opcases.Case{Before: []opcases.Step{{Op: "session.create", In: `{"name":"b"}`}}}), make(chan string, 100), make(chan struct{})}
	srv := serve(t, m, terminals.Everything)
	left := srv.dial(t, "/ws/json")
	for range 3 {
		left.write(t, `{"method":"get_session","session":"mute/a"}`)
	}
	wait.For(t, "the request of one that leaves", m.asked)
	_ = left.CloseNow()
	c := srv.dial(t, "/ws/json")
	get := func(id int, session string) {
		t.Helper()
		c.write(t, fmt.Sprintf(`{"id":%d,"method":"get_session","session":%q}`, id, session))
	}
	get(1, "mute/a")
	if got := wait.For(t, "the first request", m.asked); got != "mute/a" {
		t.Errorf("the server is asked about %s", got)
	}
	get(2, "mute/b")
	get(3, "a")
	c.await(t, `{"id":3,"result":{"name":"a"}}`)
	get(4, "far/b")
	c.await(t, `{"id":4,"result":{"name":"b"}}`)
	c.write(t, `{"id":5,"method":"list_sessions"}`)
	wait.For(t, "the list", m.asked)
	get(6, "a")
	c.await(t, `{"id":6,"result":{"name":"a"}}`)
	for id := range 70 {
		get(100+id, "mute/b")
	}
	c.await(t, `{"id":169,"error":{"code":"resource_limit_reached"}}`)
	if len(m.asked) > 0 {
		t.Errorf("the server is asked about %s before it has answered", <-m.asked)
	}
	close(m.released)
	c.await(t, `{"id":1,"result":{"name":"a"}}`)
	c.await(t, `{"id":2,"result":{"name":"b"}}`)
	c.await(t, `{"id":100}`)
	get(7, "mute/a")
	c.await(t, `{"id":7,"result":{"name":"a"}}`)
}

// busy are terminals of which a follower has something to report from the start.
type busy struct{ terminals.Terminals }

func (busy) Open(context.Context, terminals.Grant, *terminals.Operation, any) (terminals.Stream, error) {
	return news{reported: make(chan struct{}, 1)}, nil
}

// news report one event.
type news struct {
	terminals.Stream
	reported chan struct{}
}

func (n news) Receive(ctx context.Context, out any) error {
	select {
	case n.reported <- struct{}{}:
		out.(*terminals.Changes).Events = []wire.Lifecycle{{Event: "session_created"}}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (news) Close() {}

// A socket is greeted before it gets anything else, also while sessions come and go.
func TestGreetedFirst(t *testing.T) {
	srv := serve(t, busy{opcases.New(t, opcases.Case{})}, terminals.Everything)
	for range 300 { // a race that the greeting lost now and then, under the race detector
		c := srv.dial(t, "/ws/json") // reads the greeting
		if d := opcases.Diff(`{"event":"session_created","params":{"name":""}}`, c.read(t)); d != "" {
			t.Fatal(d)
		}
		_ = c.CloseNow()
	}
}
