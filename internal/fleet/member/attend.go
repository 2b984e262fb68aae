package member

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/hubconn"
	"ui-mcp/internal/fleet/presence"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/wake"
)

// An attendant is what the goroutine of a member knows. Nothing else touches it.
type attendant struct {
	*Member
	announcer presence.Announcer
	up        uint64 // for which connection it has asked what its role is
	probed    time.Time
	own       bool     // it receives its own cards
	stop      []func() // end what the connections have begun
	sent      uint64   // how many cards
	ticked    time.Time
	complaint sync.Once // that the hub does not say which role this host has
}

// attend says that this host is here, and learns what is new elsewhere, until ctx ends.
func (m *Member) attend(ctx context.Context) {
	a := &attendant{Member: m}
	defer a.stopReceiving()
	timer := time.NewTimer(tick)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			a.send(presence.Card{Leaves: true}) // if that is lost, the others notice the silence
			return
		case <-m.wake:
		case <-timer.C:
		}
		a.prepare(ctx)
		now := time.Now()
		wait := tick
		if role := a.State().Role; role == hub.Workers || role == hub.Mutual { // others must know that it is there
			if due, every := a.announcer.Due(now, a.hosts()); due {
				a.send(presence.Card{EveryMS: uint64(every.Milliseconds())})
			}
			wait = min(wait, a.announcer.Wake(a.hosts()).Sub(now))
		}
		a.report(now)
		timer.Reset(max(wait, time.Millisecond))
	}
}

// hosts returns how many hosts this one hears.
func (a *attendant) hosts() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.directory.Len()
}

func (a *attendant) stopReceiving() {
	for _, stop := range a.stop {
		stop()
	}
	a.stop = nil
}

// prepare takes in what has become of the connection.
func (a *attendant) prepare(ctx context.Context) {
	a.mu.Lock()
	up, isUp, answer, role, asks := a.Member.up, a.isUp, a.answer, a.role, a.asks
	a.asks = false
	a.mu.Unlock()
	if asks {
		a.announcer.Asked(time.Now(), rand.N(presence.Spread(a.hosts())))
	}
	if !isUp || role != "" {
		return
	}
	// What fails here fails because the connection is lost, which will be reported again.
	if a.own = a.own || a.conn.ReceiveOwn(a.answered) == nil; !a.own {
		return
	}
	if answer != "" && up == a.up {
		a.begin(ctx, answer)
		return
	}
	if now := time.Now(); up != a.up || now.Sub(a.probed) >= askAgain {
		if up == a.up {
			a.complaint.Do(func() {
				a.o.Log.Warn("the hub does not let this host say that it is there: it was accepted under another name, or by an older version", "hub", a.o.Address, "name", a.o.Name)
			})
		}
		a.up, a.probed = up, now
		_ = a.conn.Probe(a.o.Name, a.question(up)) // else the connection is lost, and comes back
	}
}

// begin takes part in what a role allows.
func (a *attendant) begin(ctx context.Context, role hub.Class) {
	a.stopReceiving()
	tunnels, err := a.conn.Tunnels(role, a.o.Name, func(t *hubconn.Tunnel) { a.ended.Go(func() { a.serve(ctx, t) }) })
	if err != nil {
		return
	}
	stop, err := a.conn.ReceiveCards(role, a.received, a.asked)
	if err != nil {
		tunnels.Close()
		return
	}
	a.stop = []func(){tunnels.Close, stop}
	a.announcer.Connected()
	a.mu.Lock()
	if a.isUp && a.Member.up == a.up { // else the next connection asks again
		a.role, a.tunnels, a.stale = role, tunnels, true
		a.directory.Restored(time.Now())
	}
	a.mu.Unlock()
	if role != hub.Workers {
		_ = a.conn.Ask() // else the connection is lost, and all is said again
	}
}

// question is the card by which this host finds out its role.
func (m *Member) question(up uint64) []byte { return fmt.Appendf(nil, "%s %d", m.run, up) }

// answered takes a card of this host: the answer, if it is that.
func (m *Member) answered(class hub.Class, text []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.isUp && bytes.Equal(text, m.question(m.up)) {
		m.answer = class
		wake.Up(m.wake)
	}
}

// asked takes note that a desk has come.
func (m *Member) asked() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asks = true
	wake.Up(m.wake)
}

// send sends a card to those that may use this host.
func (a *attendant) send(c presence.Card) {
	a.sent++
	c.Run, c.Number, c.Protocol = a.run, a.sent, terminals.Protocol
	text := fault.Must(json.Marshal(c)) // texts and numbers
	if role := a.State().Role; role != "" && role != hub.Desks {
		_ = a.conn.SendCard(role, a.o.Name, text) // if the connection is lost, all is said again
	}
}

// report tells what has changed at other hosts.
func (a *attendant) report(now time.Time) {
	a.mu.Lock()
	if now.Sub(a.ticked) >= tick/2 { // it looks at every host
		a.directory.Tick(now)
		a.ticked = now
	}
	tell := a.stale
	a.stale = false
	ids := a.directory.Take()
	for _, id := range ids {
		if h, ok := a.directory.Get(id); !ok || h.Away {
			a.endLocked(id, hostAway(id))
		}
	}
	a.mu.Unlock()
	if tell {
		ids = append(ids, a.IDs()...)
	}
	if tell || len(ids) > 0 {
		a.o.Changed(a.Member, ids)
	}
}
