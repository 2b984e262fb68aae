// Package hubserver is a server of NATS through which hosts reach each other: it carries their
// messages, and lets in those whose keys are accepted. It knows nothing of terminals.
package hubserver

import (
	"cmp"
	"crypto/tls"
	"encoding/base64"
	"log/slog"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/keys"
)

// Options say where a hub listens and whom it lets in.
type Options struct {
	Listen string      // HOST:PORT; port 0 stands for any
	TLS    *tls.Config // nil: none, which only loopback addresses may do without
	List   *keys.List  // belongs to the hub until it is closed
	Log    *slog.Logger
	// MaxConnections is how many connections there may be, of unknown hosts, too; 0: the default.
	MaxConnections int
}

// A Hub is a server that runs. Its methods may be called from anywhere.
type Hub struct {
	server *server.Server
	list   *keys.List
	log    *slog.Logger
	tls    bool

	// mu guards the fields below. It is held while a connection gets its permissions and while one
	// is cut, so that no connection outlives its acceptance.
	mu      sync.Mutex
	asking  asking
	members map[string]*member
}

// A member is what is known of the connection of a host that is accepted.
type member struct {
	connection uint64
	replaced   []time.Time // when it was cut off by another one with the same key
}

const (
	// A key that is used by several programs shows by connections that cut off each other:
	// twiceCount times within twiceTime.
	twiceCount, twiceTime = 4, 3 * time.Minute
	// startTime bounds the start of a server.
	startTime = 10 * time.Second
)

// Start starts a hub, which the caller must Close.
func Start(o Options) (*Hub, error) {
	host, portText, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "the address to listen on")
	}
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil {
		return nil, fault.New(fault.Invalid, "%q is not the number of a port", portText)
	}
	if o.TLS == nil && !hub.IsLoopback(host) {
		return nil, fault.New(fault.Invalid, "on %s, others could read along: a hub that listens there needs a certificate", host)
	}
	h := &Hub{list: o.List, log: o.Log, tls: o.TLS != nil, members: map[string]*member{}}
	options := limits(o.MaxConnections)
	options.Host, options.Port = host, int(port)
	if port == 0 {
		options.Port = server.RANDOM_PORT
	}
	options.TLSConfig = o.TLS
	options.CustomClientAuthentication = h
	h.server, err = server.NewServer(options)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "prepare the server of NATS")
	}
	log := &serverLog{log: o.Log}
	h.server.SetLoggerV2(log, false, false, false)
	h.server.Start()
	begun := time.Now()
	for !h.server.ReadyForConnections(startTime / 100) {
		why := log.fatal.Load()
		if why == nil && time.Since(begun) < startTime {
			continue
		}
		h.Close()
		return nil, fault.New(fault.Precondition, "the hub cannot listen on %s: %s", o.Listen, *cmp.Or(why, new("it is not ready in time")))
	}
	return h, nil
}

// limits returns the options that bound what members and unknown hosts can cost.
func limits(connections int) *server.Options {
	return &server.Options{
		ServerName:        "wsh-hub",
		NoSigs:            true,
		NoSystemAccount:   true,
		AlwaysEnableNonce: true,
		AuthTimeout:       hub.AuthTimeout.Seconds(),
		TLSTimeout:        hub.AuthTimeout.Seconds(),
		MaxConn:           cmp.Or(max(connections, 0), hub.MaxConnections),
		MaxSubs:           hub.MaxSubscriptions,
		MaxSubTokens:      hub.MaxTokens,
		MaxPayload:        hub.MaxPayload,
		MaxPending:        hub.MaxPending,
		MaxControlLine:    server.MAX_CONTROL_LINE_SIZE,
		WriteDeadline:     hub.WriteDeadline,
		PingInterval:      hub.PingInterval,
		MaxPingsOut:       2,
		MaxClosedClients:  16,
		// A host that reads slowly is cut off, rather than slowing down those who send to it.
		NoFastProducerStall: true,
	}
}

// Close ends all connections, and returns when the server has ended.
func (h *Hub) Close() {
	h.server.Shutdown()
	h.server.WaitForShutdown()
}

// Address returns where the hub listens.
func (h *Hub) Address() string { return h.server.Addr().String() }

// Check implements [server.Authentication]: it lets in the hosts that have proved to have an
// accepted key.
func (h *Hub) Check(c server.ClientAuthentication) bool {
	o := c.GetOpts()
	signature, err := base64.RawURLEncoding.DecodeString(o.Sig)
	if err != nil || c.Kind() != server.CLIENT || !keys.Verify(o.Nkey, c.GetNonce(), signature) {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	entry, ok := h.list.Get(o.Nkey)
	if !ok {
		address, _, _ := net.SplitHostPort(c.RemoteAddress().String()) // it is one of TCP
		if h.asking.add(o.Nkey, o.Name, address, time.Now()) {
			h.log.Info("a host asks to be accepted", "key", o.Nkey, "address", address)
		}
		return false
	}
	publish, subscribe := hub.Permissions(entry)
	c.RegisterUser(&server.User{
		Username:    o.Nkey,
		Permissions: &server.Permissions{Publish: &server.SubjectPermission{Allow: publish}, Subscribe: &server.SubjectPermission{Allow: subscribe}},
	})
	m := h.members[o.Nkey]
	if m == nil {
		m = &member{}
		h.members[o.Nkey] = m
	}
	// A key has one connection: with two, what is asked of a host would be done twice.
	if id := c.GetID(); m.connection != id {
		if h.cutLocked(m) {
			m.replaced = append(recent(m.replaced, time.Now()), time.Now())
		}
		m.connection = id
	}
	return true
}

// recent returns the times that count for [hub.Member.Twice], at most as many as matter.
func recent(times []time.Time, now time.Time) []time.Time {
	for len(times) > 0 && (now.Sub(times[0]) >= twiceTime || len(times) >= twiceCount) {
		times = times[1:]
	}
	return times
}

// cutLocked cuts the connection of a member, and reports whether there was one.
func (h *Hub) cutLocked(m *member) bool {
	return m.connection != 0 && h.server.DisconnectClientByID(m.connection) == nil
}

// Accept lets a host in, with the name that it claims, or changes its role: then its connection is
// cut, and comes back with other rights.
func (h *Hub) Accept(e keys.Entry) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	before, _ := h.list.Get(e.Key)
	e.Name = cmp.Or(e.Name, h.asking.name(e.Key))
	if err := h.list.Accept(e); err != nil {
		return err
	}
	h.asking.remove(e.Key)
	after, _ := h.list.Get(e.Key)
	after.Since = before.Since
	if m := h.members[e.Key]; m != nil && before != after {
		h.cutLocked(m)
	}
	h.log.Info("a host is accepted", "key", e.Key, "name", after.Name, "as", after.As())
	return nil
}

// Withdraw shuts a host out. When it returns, its connection is cut. The error is of kind
// [fault.NotFound] if the host was not accepted.
func (h *Hub) Withdraw(key string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	err := h.list.Withdraw(key)
	if m := h.members[key]; m != nil && fault.KindOf(err) != fault.NotFound {
		h.cutLocked(m)
		delete(h.members, key)
	}
	if err == nil {
		h.log.Info("a host is withdrawn", "key", key)
	}
	return err
}

// Status returns who is accepted and who asks.
func (h *Hub) Status() hub.Status {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	h.asking.expire(now)
	s := hub.Status{Address: h.Address(), TLS: h.tls, Members: []hub.Member{}, Asking: append([]hub.Asker{}, h.asking.list...)}
	for _, e := range h.list.All() {
		member := hub.Member{Entry: e}
		if m := h.members[e.Key]; m != nil {
			m.replaced = recent(m.replaced, now)
			member.Connected = m.connection != 0 && h.server.GetClient(m.connection) != nil
			member.Twice = len(m.replaced) >= twiceCount-1
		}
		s.Members = append(s.Members, member)
	}
	return s
}
