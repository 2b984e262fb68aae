package member

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/fleet/presence"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/wake"
)

// An attendant is what the goroutine of a member knows. Nothing else touches it.
type attendant struct {
	*Member
	directory *presence.Directory
	announcer presence.Announcer
	up        uint64 // for which connection it has asked what its level is
	asked     time.Time
	ready     bool   // the answer is there
	level     string // what the hub lets this host say of itself
	sent      uint64 // how many cards
	ticked    time.Time
}

// attend says what is new here, and learns what is new elsewhere, until ctx ends.
func (m *Member) attend(ctx context.Context) {
	a := &attendant{Member: m, directory: presence.NewDirectory(m.o.Key.ID(), m.o.Name, m.run)}
	stop := func() {}
	defer func() { stop() }()
	timer := time.NewTimer(tick)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			a.leave()
			return
		case <-m.wake:
		case <-timer.C:
		}
		for n := 0; ; n++ {
			if n == cardsATime {
				wake.Up(m.wake) // more may wait
				break
			}
			c, ok := m.next()
			if !ok {
				break
			}
			a.heard(c)
		}
		if end := a.prepare(ctx); end != nil {
			stop = end
		}
		now := time.Now()
		if now.Sub(a.ticked) >= tick/2 { // it looks at every host
			a.directory.Tick(now)
			a.ticked = now
		}
		if a.ready {
			a.announce(ctx, now)
		}
		a.report(now)
		wait := tick
		if a.ready {
			wait = min(wait, a.announcer.Wake(a.directory.Len()).Sub(now))
		}
		timer.Reset(max(wait, time.Millisecond))
	}
}

// prepare takes in what has become of the connection. stop ends what the first one has begun.
func (a *attendant) prepare(ctx context.Context) (stop func()) {
	a.mu.Lock()
	up, isUp, changed, tunnels := a.Member.up, a.isUp, a.changed, a.tunnels
	a.changed = false
	a.mu.Unlock()
	if changed {
		a.announcer.Changed()
	}
	if a.ready && (!isUp || up != a.up) {
		a.ready = false
		a.directory.Cut()
	}
	if !isUp || a.ready {
		return nil
	}
	// What fails here fails because the connection is lost, which will be reported again.
	if tunnels == nil {
		var err error
		if stop, err = a.conn.ReceiveCards(a.received); err != nil {
			return nil
		}
		if tunnels, err = a.conn.Tunnels(); err != nil {
			stop()
			return nil
		}
		a.mu.Lock()
		a.tunnels = tunnels
		a.mu.Unlock()
		a.ended.Go(func() { a.accept(ctx, tunnels) })
	}
	if now := time.Now(); up != a.up || now.Sub(a.asked) >= askAgain {
		if up == a.up {
			a.o.Log.Warn("the server of NATS does not let this host say that it is there: its permissions are not those that \"wsh hub config\" prints", "hub", a.o.Address)
		}
		a.up, a.asked = up, now
		_ = a.conn.AskLevel(levels(), a.question()) // else the connection is lost, and comes back
	}
	return stop
}

// question is the card by which this host finds out its level.
func (a *attendant) question() []byte { return fmt.Appendf(nil, "%s %d", a.run, a.up) }

// answered takes the answer, from which on the others may know of this host.
func (a *attendant) answered(level string) {
	if a.ready {
		return
	}
	a.ready, a.level = true, level
	a.directory.Restored(time.Now())
	a.announcer.Connected()
}

func levels() []string {
	list := make([]string, len(keys.Levels))
	for i, l := range keys.Levels {
		list[i] = string(l)
	}
	return list
}

// heard takes a card of another host.
func (a *attendant) heard(c card) {
	if c.from == a.o.Key.ID() && bytes.Equal(c.text, a.question()) {
		a.answered(c.level)
		return
	}
	var in presence.Card
	if !keys.Valid(c.from) || json.Unmarshal(c.text, &in) != nil {
		return
	}
	now := time.Now()
	a.directory.Heard(c.from, c.level, in, now)
	if in.Asks && c.from != a.o.Key.ID() {
		a.announcer.Asked(c.from, now, rand.N(presence.Spread(a.directory.Len())))
	}
}

// announce sends the cards that are due.
func (a *attendant) announce(ctx context.Context, now time.Time) {
	s := a.announcer.Due(now, a.directory.Len())
	if !s.All && s.To == "" {
		return
	}
	c := presence.Card{EveryMS: uint64(s.Every.Milliseconds()), Asks: s.Asks}
	list, err := terminals.ListSessions.Do(ctx, a.o.Terminals, terminals.Everything, terminals.SessionFilter{})
	if err != nil {
		a.o.Log.Warn("the sessions cannot be counted", "error", err)
	}
	c.Sessions = len(list)
	for _, session := range list {
		if session.Running {
			c.Running++
		}
	}
	a.send(s.To, c)
}

// leave says that this host leaves. If that is lost, the others notice its silence.
func (a *attendant) leave() {
	if a.ready {
		a.send("", presence.Card{Leaves: true})
	}
}

func (a *attendant) send(to string, c presence.Card) {
	a.sent++
	c.Run, c.Number, c.Name, c.Protocol = a.run, a.sent, a.o.Name, terminals.Protocol
	text := fault.Must(json.Marshal(c))    // texts and numbers
	_ = a.conn.SendCard(to, a.level, text) // if the connection is lost, all is said again
}

// report tells what has changed at other hosts, and applies what the hub says of them.
func (a *attendant) report(now time.Time) {
	twice := a.directory.SelfTwice(now)
	a.mu.Lock()
	appeared := twice && !a.twice
	a.twice = twice
	a.mu.Unlock()
	if appeared {
		a.o.Log.Warn("another program has the key of this host: each must have its own", "key", a.o.Key.ID(), "hub", a.o.Address)
	}
	for _, id := range a.directory.Take() {
		h, known := a.directory.Get(id)
		before, _ := a.Allow(id)
		a.mu.Lock()
		if known && !h.Away {
			a.vouched[id] = vouched{keys.Level(h.Level), h.Name}
		} else {
			delete(a.vouched, id)
			a.endLocked(id, hostAway(id))
		}
		a.mu.Unlock()
		if now, _ := a.Allow(id); before.Rights&^now.Rights != 0 {
			a.Recheck(id)
		}
		if known {
			a.o.Hosts.Appeared(h)
		} else {
			a.o.Hosts.Vanished(id)
		}
	}
}
