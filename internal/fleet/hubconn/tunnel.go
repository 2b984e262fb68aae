package hubconn

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"io"
	"net"
	"slices"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/terminals"
)

// A message of a tunnel is a kind, a number in unsigned LEB128, and bytes. The tunnel's N in its
// subjects is random.
const (
	kindOpen  = 'o' // the first message up, and the answer; the number is 0
	kindData  = 'd' // the number counts what was sent before
	kindClose = 'x' // the number counts what was sent: if less has arrived, some is lost
)

const (
	// Numbers count bytes, and overhead more for each message, which is about what that takes.
	overhead = 256
	// maxChunk is how many bytes a message carries.
	maxChunk = 32 << 10
	// maxUnread is how much of one tunnel may wait here to be read. What crosses it is HTTP/2,
	// whose windows keep that, and what waits for this host at the hub, far shorter.
	maxUnread = 4 << 20
	// maxTunnels is how many tunnels a host has, and maxOfPeer how many that one peer has opened.
	maxTunnels, maxOfPeer = 2048, 8
)

// Tunnels are the streams of bytes between this host and others. They end when the connection to
// the hub is lost; new ones can be opened when it is there again.
type Tunnels struct {
	send   func(to address, class hub.Class, message []byte) error
	accept func(*Tunnel) // called with mu held
	stop   func()

	mu      sync.Mutex // guards the fields below and those of tunnels; nothing is sent with it held
	tunnels map[address]*Tunnel
	closed  bool
}

// An address is a tunnel's, and says where its messages go.
type address struct {
	peer, n string
	opened  bool // by this host
}

// A Tunnel is a stream of bytes. Read, Write and Close may be called at once. What is read is what
// the other end has written: if something is lost on the way, the tunnel ends with an error.
type Tunnel struct {
	all     *Tunnels
	address address
	class   hub.Class     // of the other host, if this one has opened the tunnel
	name    string        // of the other host, if that one has
	ready   chan struct{} // closed by answered
	// answered says that the other end has answered, or the tunnel has ended.
	answered func()
	writing  sync.Mutex // held by Write, so that messages are sent in order

	readable        sync.Cond // of all.mu
	unread          [][]byte
	received, taken uint64 // how much has arrived, and was read
	sent            uint64
	err             error // why the tunnel has ended, or nil; io.EOF: the other end has closed it
}

var (
	errLost    = fault.New(fault.Unreachable, "bytes were lost on the way through the hub")
	errRefused = fault.New(fault.Unreachable, "it takes no more tunnels")
	errAbsent  = fault.With(terminals.HostAway, fault.New(fault.Unreachable, "it is not connected to the hub"))
)

// Tunnels takes part in tunnels, as a host of a class, with its name. accept gets each tunnel that
// another host opens, unless they are closed; it must neither wait nor use the tunnel. The caller
// must Close them before the connection.
func (c *Conn) Tunnels(class hub.Class, name string, accept func(*Tunnel)) (*Tunnels, error) {
	ts := newTunnels(func(to address, of hub.Class, message []byte) error {
		m := &nats.Msg{Subject: downSubject(to.peer, c.self, to.n), Data: message}
		if to.opened {
			m.Subject = strings.Join([]string{hub.TunnelUp, string(of), to.peer, name, c.self, to.n}, ".")
		}
		if message[0] == kindOpen { // the server replies if nobody listens
			m.Reply = downSubject(c.self, to.peer, to.n)
		}
		if err := c.nc.PublishMsg(m); err != nil {
			return c.away(err)
		}
		return nil
	}, accept)
	lost, over := c.nc.StatusChanged(nats.RECONNECTING, nats.CLOSED), make(chan struct{})
	go func() {
		defer close(over)
		for range lost {
			ts.end(c.away(c.nc.LastError()))
		}
	}()
	unsubscribe, err := c.subscribe(func(parts []string, m *nats.Msg) {
		switch {
		case len(parts) == 7: // up
			ts.arrived(address{peer: parts[5], n: parts[6]}, parts[4], m.Data)
		case len(m.Data) == 0 && m.Header.Get("Status") == "503": // nobody listens
			ts.fail(address{parts[3], parts[4], true}, errAbsent)
		default:
			ts.arrived(address{parts[3], parts[4], true}, "", m.Data)
		}
	}, class.Tunnels(c.self)...)
	ts.stop = func() {
		if err == nil {
			unsubscribe()
		}
		c.nc.RemoveStatusListener(lost)
		<-over
	}
	if err != nil {
		ts.Close()
		return nil, err
	}
	return ts, nil
}

func downSubject(to, from, n string) string { return hub.TunnelDown + "." + to + "." + from + "." + n }

// newTunnels returns tunnels whose messages are sent by a function, which may be called from
// anywhere, and must not call their methods.
func newTunnels(send func(to address, class hub.Class, message []byte) error, accept func(*Tunnel)) *Tunnels {
	return &Tunnels{send: send, accept: accept, stop: func() {}, tunnels: map[address]*Tunnel{}}
}

// Close ends all tunnels.
func (ts *Tunnels) Close() {
	ts.mu.Lock()
	if ts.closed {
		ts.mu.Unlock()
		return
	}
	ts.closed = true
	ts.mu.Unlock()
	ts.stop()
	ts.end(net.ErrClosed)
}

func (ts *Tunnels) end(err error) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for _, t := range ts.tunnels {
		t.endLocked(err)
	}
}

func (ts *Tunnels) fail(a address, err error) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if t := ts.tunnels[a]; t != nil {
		t.endLocked(err)
	}
}

// Dial opens a tunnel to another host, of a class, which must accept it. The error has the detail
// [terminals.HostAway] if that is not there.
func (ts *Tunnels) Dial(ctx context.Context, class hub.Class, peer string) (*Tunnel, error) {
	t, err := ts.open(address{peer, rand.Text(), true}, class, "")
	if err == nil {
		err = ts.send(t.address, t.class, message(kindOpen, 0, nil))
	}
	if err == nil {
		select {
		case <-t.ready:
			ts.mu.Lock()
			err = t.err
			ts.mu.Unlock()
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	}
	if err != nil && t != nil {
		_ = t.Close()
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

func (ts *Tunnels) open(a address, class hub.Class, name string) (t *Tunnel, err error) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	same := 0
	for other := range ts.tunnels {
		if !a.opened && !other.opened && other.peer == a.peer {
			same++
		}
	}
	switch {
	case ts.closed:
		return nil, net.ErrClosed
	case same >= maxOfPeer, len(ts.tunnels) >= maxTunnels:
		return nil, errRefused
	}
	t = &Tunnel{all: ts, address: a, class: class, name: name, ready: make(chan struct{})}
	t.answered = sync.OnceFunc(func() { close(t.ready) })
	t.readable.L = &ts.mu
	ts.tunnels[a] = t
	if !a.opened {
		ts.accept(t)
	}
	return t, nil
}

// arrived takes a message. It is called for one message of a tunnel at a time.
func (ts *Tunnels) arrived(from address, name string, m []byte) {
	if len(m) == 0 {
		return
	}
	kind := m[0]
	number, n := binary.Uvarint(m[1:])
	if n <= 0 {
		return
	}
	data := m[1+n:]
	ts.mu.Lock()
	t := ts.tunnels[from]
	ts.mu.Unlock()
	if t == nil {
		ts.unknown(from, name, kind)
		return
	}
	if err := t.arrived(kind, number, data); err != nil {
		t.close(err)
	}
}

// unknown takes a message of a tunnel that is not there: it may be a new one. What comes down to
// one that this host has closed meanwhile is ignored.
func (ts *Tunnels) unknown(from address, name string, kind byte) {
	if from.opened || kind == kindClose {
		return
	}
	answer := byte(kindClose)
	if kind == kindOpen {
		if _, err := ts.open(from, "", name); err == nil {
			answer = kindOpen
		}
	}
	_ = ts.send(from, "", message(answer, 0, nil)) // else the connection is lost, and the tunnel with it
}

func message(kind byte, number uint64, data []byte) []byte {
	m := make([]byte, 1, 1+binary.MaxVarintLen64+len(data))
	m[0] = kind
	return append(binary.AppendUvarint(m, number), data...)
}

// Peer returns the key of the other host, and the name that the hub says it has, which is "" if
// this host has opened the tunnel.
func (t *Tunnel) Peer() (key, name string) { return t.address.peer, t.name }

// arrived takes a message of this tunnel. An error says why it must end, on both ends.
func (t *Tunnel) arrived(kind byte, number uint64, data []byte) error {
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	if t.err != nil {
		return nil
	}
	t.answered()
	switch kind {
	case kindData:
		cost := uint64(len(data) + overhead)
		if number != t.received || len(data) == 0 || t.received+cost-t.taken > maxUnread {
			return errLost
		}
		t.received += cost
		t.unread = append(t.unread, data)
		t.readable.Signal()
	case kindClose:
		err := errLost
		if number == t.received {
			err = io.EOF
		}
		t.endLocked(err)
	}
	return nil
}

// endLocked ends the tunnel here. What has arrived can still be read.
func (t *Tunnel) endLocked(err error) {
	if t.err != nil {
		return
	}
	t.err = err
	delete(t.all.tunnels, t.address)
	t.answered()
	t.readable.Broadcast()
}

// close ends the tunnel on both ends.
func (t *Tunnel) close(err error) {
	t.all.mu.Lock()
	was, sent := t.err, t.sent
	t.endLocked(err)
	t.all.mu.Unlock()
	if was == nil {
		_ = t.all.send(t.address, t.class, message(kindClose, sent, nil)) // else the connection is lost, and the tunnel with it
	}
}

// Close ends the tunnel. The other end reads all that was written.
func (t *Tunnel) Close() error {
	t.close(net.ErrClosed)
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	t.unread = nil
	return nil
}

// Read implements [io.Reader].
func (t *Tunnel) Read(p []byte) (n int, err error) {
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	for len(t.unread) == 0 && t.err == nil {
		t.readable.Wait()
	}
	for len(t.unread) > 0 && n < len(p) {
		k := copy(p[n:], t.unread[0])
		n += k
		t.taken += uint64(k)
		if t.unread[0] = t.unread[0][k:]; len(t.unread[0]) == 0 {
			t.unread = t.unread[1:]
			t.taken += overhead
		}
	}
	if n == 0 && len(p) > 0 {
		err = t.err
	}
	return n, err
}

// Write implements [io.Writer]. It returns when the connection to the hub has taken everything.
func (t *Tunnel) Write(p []byte) (n int, err error) {
	t.writing.Lock()
	defer t.writing.Unlock()
	for chunk := range slices.Chunk(p, maxChunk) {
		t.all.mu.Lock()
		number, err := t.sent, t.err
		t.sent += uint64(len(chunk) + overhead)
		t.all.mu.Unlock()
		if err == io.EOF { // nobody reads there any more
			err = net.ErrClosed
		}
		if err == nil {
			if err = t.all.send(t.address, t.class, message(kindData, number, chunk)); err != nil {
				t.close(err)
			}
		}
		if err != nil {
			return n, err
		}
		n += len(chunk)
	}
	return n, nil
}
