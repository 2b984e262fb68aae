// Package member makes this host one of the hosts of a hub: it stays connected, learns which role
// it has there, says that it is there if others use it, and learns which other hosts it may use.
// Whatever its owner does with those is up to [Options].Changed.
package member

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"regexp"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/hubconn"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/fleet/presence"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/remote"
	"ui-mcp/internal/wake"
)

// Options say which hub a host joins, and as whom.
type Options struct {
	hubconn.Membership // without Up and Down; Name is what [keys.Name] returns
	// Confirm matches lines that other hosts enter only with a person's permission; nil: none.
	Confirm *regexp.Regexp
	// Server lets other hosts use the terminals of this one.
	Server *remote.Server
	// Changed is called when [Member.State] may differ, and with the IDs of hosts of which
	// [Member.Host] or [Member.Remote] may say something else now. Calls come one after another,
	// the first one at once, and hold up this host's cards.
	Changed func(m *Member, ids []string)
	Log     *slog.Logger
}

// A Member is this host's place at a hub. Its methods may be called from anywhere.
type Member struct {
	o      Options
	run    string
	cancel context.CancelFunc
	ended  sync.WaitGroup
	ending sync.WaitGroup // of remotes
	conn   *hubconn.Conn
	wake   chan struct{} // capacity 1; a token means that there is news of hosts or the connection

	mu        sync.Mutex // guards the fields below
	directory *presence.Directory
	up        uint64 // how many connections have begun
	isUp      bool
	reason    error                        // why there is no connection
	stale     bool                         // the owner does not know how things are with the hub
	asks      bool                         // a desk has come
	answer    hub.Class                    // what the hub says this host is, for each connection; "": nothing yet
	role      hub.Class                    // the same, once this host takes part
	tunnels   *hubconn.Tunnels             // while there is a role
	remotes   map[string]*remote.Terminals // by IDs of hosts; see [Member.Remote]
}

const (
	// maxCard is the length of the longest card, in bytes.
	maxCard = 4096
	// askAgain is how long the answer may take which role this host has.
	askAgain = 5 * time.Second
	// tick is how often silence is noticed.
	tick = time.Second
)

// Join joins a hub, and returns after the first attempt, or after a few seconds; the connection may
// come later. The caller must Close it.
func Join(o Options) (*Member, error) {
	ctx, cancel := context.WithCancel(context.Background())
	m := &Member{
		o: o, run: rand.Text()[:16], cancel: cancel,
		wake: make(chan struct{}, 1), reason: ErrConnecting, remotes: map[string]*remote.Terminals{},
	}
	m.Refresh()
	m.directory = presence.NewDirectory(o.Key.ID())
	o.Up, o.Down = m.connected, m.disconnected
	conn, err := hubconn.Join(o.Membership)
	if err != nil {
		cancel()
		return nil, err
	}
	m.conn = conn
	m.ended.Go(func() { m.attend(ctx) })
	return m, nil
}

// ErrConnecting is the [State.Reason] while the hub is connected to for the first time.
var ErrConnecting = errors.New("it has not answered yet")

var errLeft = fault.New(fault.Gone, "this host has left the hub")

// Close leaves the hub: the other hosts learn that this one is gone, and what they have under way
// here ends.
func (m *Member) Close() {
	m.cancel()
	m.ended.Wait()
	m.mu.Lock()
	m.endAllLocked(errLeft)
	m.mu.Unlock()
	m.ending.Wait()
	m.conn.Close()
}

// A State says how things are with a hub.
type State struct {
	Connected bool
	// Reason says why there is no connection, or is nil. [hubconn.ErrNotAccepted] may be in its
	// chain.
	Reason error
	// Role is "" until the hub has said it.
	Role hub.Class
}

// State returns how things are with the hub.
func (m *Member) State() State {
	m.mu.Lock()
	defer m.mu.Unlock()
	return State{m.isUp, m.reason, m.role}
}

// Refresh has Changed called with all hosts.
func (m *Member) Refresh() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stale = true
	wake.Up(m.wake)
}

func (m *Member) connected() {
	m.mu.Lock()
	m.up++
	m.isUp, m.reason = true, nil
	m.mu.Unlock()
	m.Refresh()
}

func (m *Member) disconnected(reason error) {
	m.mu.Lock()
	if reason != nil || m.reason == nil {
		m.reason = reason
	}
	m.isUp, m.answer, m.role, m.tunnels = false, "", "", nil
	m.directory.Cut()
	m.endAllLocked(m.awayLocked())
	m.mu.Unlock()
	m.Refresh()
}

// received takes a card. It does not wait, and a host that sends very many cards costs little.
func (m *Member) received(from, name string, class hub.Class, text []byte) {
	m.mu.Lock()
	allowed := len(text) <= maxCard && m.directory.Allows(from, time.Now())
	m.mu.Unlock()
	var c presence.Card
	if !allowed || !keys.Valid(from) || name != keys.Name(name) || json.Unmarshal(text, &c) != nil {
		return
	}
	m.mu.Lock()
	m.directory.Heard(from, name, string(class), c, time.Now())
	m.mu.Unlock()
	wake.Up(m.wake)
}

// Host returns what is known of a host that this one uses, and false if it is not known.
// [Member.Remote] returns its terminals while it is not away.
func (m *Member) Host(id string) (presence.Host, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.directory.Get(id)
}

// IDs returns the IDs of all hosts that are known.
func (m *Member) IDs() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.directory.IDs()
}

// rights are what a desk may do on another host: everything but administer it.
const rights = terminals.AllRights &^ terminals.Administer

// Allow returns what another host may do here, which has reached this one through the hub: so it is
// a desk, if this host is a worker. name is what the hub says that it is called, or "".
func (m *Member) Allow(id, name string) (terminals.Grant, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	h, known := m.directory.Get(id)
	g := terminals.Grant{Guest: true, Client: id, From: core.Sender{Peer: cmp.Or(name, h.Name, id)}}
	if m.role == hub.Workers || m.role == hub.Mutual && known && !h.Away && h.Class == string(hub.Mutual) {
		g.Rights = rights
	}
	return g.Confirmed(m.o.Confirm), g.Rights != 0
}
