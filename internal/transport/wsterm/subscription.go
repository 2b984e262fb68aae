package wsterm

import (
	"context"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/ws"
)

// A subscription sends the events of one session.
type subscription struct {
	at      place // whose session may have another name now
	watcher *terminals.Parts[[]wire.Event]
	client  *terminals.Parts[terminals.None] // guarded by the socket's mu; nil on the socket of the session, which is counted itself
	cancel  context.CancelFunc
	done    chan struct{} // closed when it sends nothing any more
}

// lastPatience is how long the report that a session has ended waits for its last events.
const lastPatience = time.Second

// subscribe replaces the subscription to a session. If it fails, the old one stays. No other call
// for that session runs meanwhile.
func (s *socket) subscribe(r request, in terminals.WatchQuery) {
	if s.own == nil && !slices.Contains(in.Events, "activity") {
		in.IdleTimeoutMS = 0
	}
	sub, err := s.watch(r.at, in)
	if err != nil {
		s.reply(r, nil, err)
		return
	}
	s.unsubscribe(r.at.String())
	ctx, cancel := context.WithCancel(s.ctx)
	sub.cancel = cancel
	s.mu.Lock()
	s.subs = append(s.subs, sub)
	s.mu.Unlock()
	events := in.Events
	if events == nil {
		events = []string{}
	}
	s.reply(r, struct {
		Events []string `json:"events"`
	}{events}, nil)
	s.work.Go(func() {
		defer cancel()
		s.sendEvents(ctx, sub)
		sub.watcher.Close()
		s.mu.Lock()
		s.subs = slices.DeleteFunc(s.subs, func(other *subscription) bool { return other == sub })
		client := sub.client
		s.mu.Unlock()
		if client != nil {
			client.Close()
		}
		close(sub.done)
	})
}

// watch begins a subscription. On a socket for all sessions it counts as a client of its session,
// in the place of the old one.
func (s *socket) watch(at place, in terminals.WatchQuery) (*subscription, error) {
	sub := &subscription{at: at, done: make(chan struct{})}
	var err error
	if sub.watcher, err = terminals.Watch.Open(s.ctx, at.terminals, s.by, in); err != nil || s.own != nil {
		return sub, err
	}
	if old := s.find(at.qualified(sub.watcher.SessionID())); old != nil {
		s.mu.Lock()
		if slices.Contains(s.subs, old) { // else it has ended, and closes its client
			sub.client, old.client = old.client, nil
		}
		s.mu.Unlock()
	}
	if sub.client == nil {
		sub.client, err = terminals.Join.Open(s.ctx, at.terminals, s.by, terminals.JoinQuery{Target: terminals.Target{Session: sub.watcher.SessionID()}, Count: s.counted})
	}
	if err != nil {
		sub.watcher.Close()
		return nil, err
	}
	return sub, nil
}

// unsubscribe ends the subscription to a session, if there is one.
func (s *socket) unsubscribe(session string) {
	if sub := s.find(session); sub != nil {
		sub.cancel()
		<-sub.done
	}
}

// find returns the subscription to the session that has this ID, or this name now, among those of
// all servers.
func (s *socket) find(session string) *subscription {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sub := range s.subs {
		if s.own != nil || sub.at.qualified(sub.watcher.Name()) == session || sub.at.qualified(sub.watcher.SessionID()) == session {
			return sub
		}
	}
	return nil
}

// awaitLast waits, for a moment, until the last events of a session have been sent.
func (s *socket) awaitLast(session string) {
	sub := s.find(session)
	if sub == nil {
		return
	}
	select {
	case <-sub.done:
	case <-time.After(lastPatience):
	case <-s.ctx.Done():
	}
}

// sendEvents sends events until the session or the subscription has ended. The next events are
// prepared when the last ones have been written.
func (s *socket) sendEvents(ctx context.Context, sub *subscription) {
	var messages []ws.Message
	for first := true; ; first = false {
		events, err := sub.watcher.Next(ctx)
		if err != nil {
			return
		}
		head := "{"
		if s.own == nil {
			head = `{"session":` + string(httpio.AppendJSON(nil, sub.watcher.Name())) + ","
			if sub.at.server != "" {
				head += `"server":` + string(httpio.AppendJSON(nil, sub.at.server)) + ","
			}
		}
		messages = messages[:0]
		for _, e := range events {
			b := wire.AppendMembers([]byte(head), e)
			if first && s.own == nil && e.Name() == "sync" {
				// Older clients expect the first one like this.
				_, params, _ := strings.Cut(string(b[len(head):]), ",")
				b = append(append(append(b, `,"params":{`...), params...), '}')
			}
			messages = append(messages, ws.Message{Data: append(b, '}')})
		}
		if s.conn.Send(ctx, messages...) != nil {
			return
		}
	}
}
