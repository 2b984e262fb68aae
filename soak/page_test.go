//go:build linux

package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// A page is a simulated one: it speaks the protocol of pages, and displays nothing. Its methods
// but read are for one goroutine.
type page struct {
	x       *site
	session string
	name    string
	conn    *websocket.Conn // nil without a connection
	ref     int             // of the last message with events

	mu      sync.Mutex      // guards the fields below
	broken  *websocket.Conn // the last connection that has ended
	acks    map[int]chan ack
	defs    map[int]definition
	seq     int
	root    int // the instance that displays the list; 0 before it is known
	enter   int // the slot of its field
	total   int // the slot of the number of entries
	count   int // what it displays
	version int // of the view definition
}

type definition struct {
	ID   int
	Key  string
	HTML string
	Bind [][]json.RawMessage
}

type ack struct {
	Error         string
	Stale, Failed []int
}

func (s *soak) newPage(x *site, session, name string) *page {
	return &page{x: x, session: session, name: name}
}

// connect opens a connection, and waits for the snapshot.
func (p *page) connect(ctx context.Context) error {
	conn, _, err := websocket.Dial(ctx, "ws://"+p.x.pageProxy.address()+"/ws/"+p.session, nil)
	if err != nil {
		return err
	}
	conn.SetReadLimit(-1)
	p.mu.Lock()
	p.acks, p.defs, p.seq, p.root, p.count = map[int]chan ack{}, map[int]definition{}, 0, 0, 0
	p.mu.Unlock()
	_, snapshot, err := conn.Read(ctx)
	if err == nil {
		err = p.take(snapshot)
	}
	if err != nil {
		_ = conn.CloseNow()
		return err
	}
	p.conn, p.ref = conn, 0
	go p.read(conn, p.acks)
	return nil
}

// read takes what the server sends until the connection ends.
func (p *page) read(conn *websocket.Conn, acks map[int]chan ack) {
	for {
		_, msg, err := conn.Read(context.Background()) // ends with the connection
		if err == nil {
			err = p.take(msg)
		}
		if err != nil {
			p.mu.Lock()
			for _, c := range acks {
				close(c)
			}
			clear(acks)
			p.broken = conn
			p.mu.Unlock()
			_ = conn.CloseNow()
			return
		}
	}
}

var dataVersion = regexp.MustCompile(`data-version="(\d+)"`)

func (p *page) take(msg []byte) error {
	var m struct {
		Type  string
		Seq   int
		Ref   int
		Defs  []definition
		Root  json.RawMessage
		Ops   [][]json.RawMessage
		Error string
		Stale []int
		Fail  []int `json:"failed"`
	}
	if err := json.Unmarshal(msg, &m); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch m.Type {
	case "snapshot":
		p.seq = m.Seq
	case "batch":
		if m.Seq != p.seq+1 {
			p.x.s.wrong("%s: batch %d comes after %d", p.name, m.Seq, p.seq)
		}
		p.seq = m.Seq
	case "ack":
		if c := p.acks[m.Ref]; c != nil {
			delete(p.acks, m.Ref)
			c <- ack{m.Error, m.Stale, m.Fail}
		} else {
			p.x.s.wrong("%s: events %d were acknowledged twice", p.name, m.Ref)
		}
		return nil
	default:
		return nil
	}
	for _, d := range m.Defs {
		p.defs[d.ID] = d
	}
	if m.Root != nil {
		p.mountLocked(m.Root)
	}
	for _, op := range m.Ops {
		var kind string
		var instance, slot int
		if len(op) < 4 || json.Unmarshal(op[0], &kind) != nil || json.Unmarshal(op[1], &instance) != nil || json.Unmarshal(op[2], &slot) != nil {
			continue
		}
		switch {
		case kind == "mount":
			p.mountLocked(op[3])
		case kind == "set" && instance == p.root && slot == p.total:
			p.showLocked(op[3])
		}
	}
	return nil
}

// mountLocked looks for the list's template in what is mounted.
func (p *page) mountLocked(mount json.RawMessage) {
	var parts []json.RawMessage
	if json.Unmarshal(mount, &parts) != nil {
		return
	}
	var template, instance int
	var values []json.RawMessage
	if len(parts) < 3 || json.Unmarshal(parts[0], &template) != nil || json.Unmarshal(parts[1], &instance) != nil ||
		json.Unmarshal(parts[2], &values) != nil || !strings.HasPrefix(p.defs[template].Key, "Ledger.") {
		for _, part := range parts {
			p.mountLocked(part)
		}
		return
	}
	d := p.defs[template]
	p.root = instance
	for slot, b := range d.Bind {
		switch {
		case string(b[1]) == `"event"` && string(b[2]) == `"change"`:
			p.enter = slot
		case string(b[1]) == `"value"` && string(b[0]) == "0":
			p.total = slot
			if slot < len(values) {
				p.showLocked(values[slot])
			}
		}
	}
	if version := dataVersion.FindStringSubmatch(d.HTML); version != nil {
		p.version, _ = strconv.Atoi(version[1]) // digits
	}
}

// showLocked takes the number of entries on display, which never falls while a server runs.
func (p *page) showLocked(value json.RawMessage) {
	n := 0
	if json.Unmarshal(value, &n) != nil {
		return
	}
	if n < p.count {
		p.x.s.wrong("%s displays %d entries after %d", p.name, n, p.count)
	}
	p.count = n
}

// write is one attempt to append a text.
func (p *page) write(ctx context.Context, text string) error {
	call, leave, err := p.x.gate.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	call, cancel := context.WithTimeout(call, p.x.s.patience)
	defer cancel()
	if !p.isConnected() {
		if err := p.connect(call); err != nil {
			p.x.s.note("away", "%s: %v", p.name, err)
			p.drop()
			return nil
		}
	}
	p.mu.Lock()
	root, slot, seq := p.root, p.enter, p.seq
	p.ref++
	answer := make(chan ack, 1)
	p.acks[p.ref] = answer
	p.mu.Unlock()
	if root == 0 {
		p.drop()
		return nil
	}
	l := p.x.ledgers[p.session]
	above := l.try(text)
	message := fmt.Sprintf(`{"type":"events","ref":%d,"seq":%d,"events":[[%d,%d,%q]]}`, p.ref, seq, root, slot, text)
	if err := p.conn.Write(call, websocket.MessageText, []byte(message)); err != nil {
		l.unanswered()
		p.drop()
		return nil
	}
	select {
	case a, ok := <-answer:
		switch {
		case !ok:
			p.drop()
		case len(a.Stale) > 0:
			l.noEffect(text)
			p.x.s.note("stale", "%s", text)
			return nil
		case a.Error == "":
			l.wrote(text, 0, above, time.Now())
			return nil
		}
	case <-call.Done():
		p.drop()
	}
	l.unanswered()
	p.x.s.note("unknown", "%s", text)
	return nil
}

// drop ends the connection. The next attempt opens another one.
func (p *page) drop() {
	if p.conn != nil {
		_ = p.conn.CloseNow()
		p.conn = nil
	}
}

// isConnected reports whether the page gets what changes.
func (p *page) isConnected() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conn != nil && p.conn != p.broken
}

// shows returns what the page displays now.
func (p *page) shows() (count, version int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count, p.version
}

func (p *page) act(ctx context.Context) {
	r := stream(p.x.s.seed, p.name)
	for n := 1; sleep(ctx, pause(r, 2*settings.pace)); n++ {
		if p.write(ctx, fmt.Sprintf("%s/%s:%d", p.session, p.name, n)) != nil {
			return
		}
	}
}
