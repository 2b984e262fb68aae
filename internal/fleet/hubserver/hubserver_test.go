package hubserver_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/hubconn"
	"ui-mcp/internal/fleet/hubserver"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/testkit/wait"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/nats-io/nats-server/v2/server.init.1"))
}

// start starts a hub on a port of its own.
func start(t *testing.T, change func(*hubserver.Options)) *hubserver.Hub {
	t.Helper()
	list, err := keys.OpenList(filepath.Join(t.TempDir(), "members.json"))
	if err != nil {
		t.Fatal(err)
	}
	o := hubserver.Options{Listen: "127.0.0.1:0", List: list, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	if change != nil {
		change(&o)
	}
	h, err := hubserver.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

func newKey(t *testing.T) *keys.Own {
	t.Helper()
	k, err := keys.Open(filepath.Join(t.TempDir(), "host.key"))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// accepted returns the key of a new host that a hub has accepted.
func accepted(t *testing.T, h *hubserver.Hub, name string, role keys.Role) *keys.Own {
	t.Helper()
	return acceptedAs(t, h, keys.Entry{Name: name, Role: role})
}

func acceptedAs(t *testing.T, h *hubserver.Hub, e keys.Entry) *keys.Own {
	t.Helper()
	k := newKey(t)
	e.Key = k.ID()
	if err := h.Accept(e); err != nil {
		t.Fatal(err)
	}
	return k
}

// client connects with a key, once, and with more options.
func client(t *testing.T, h *hubserver.Hub, k *keys.Own, more ...nats.Option) (*nats.Conn, error) {
	t.Helper()
	nc, err := nats.Connect("nats://"+h.Address(), append([]nats.Option{nats.Nkey(k.ID(), k.Sign), nats.NoReconnect(), quiet}, more...)...)
	if err == nil {
		t.Cleanup(nc.Close)
	}
	return nc, err
}

// quiet keeps the client from printing what the server refuses.
var quiet = nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})

func connect(t *testing.T, h *hubserver.Hub, k *keys.Own, more ...nats.Option) *nats.Conn {
	t.Helper()
	nc, err := client(t, h, k, more...)
	if err != nil {
		t.Fatal(err)
	}
	return nc
}

// flushed waits until the server has taken all that was sent, and returns its last error.
func flushed(t *testing.T, nc *nats.Conn) error {
	t.Helper()
	if err := nc.FlushTimeout(30 * time.Second); err != nil {
		t.Fatal(err)
	}
	return nc.LastError()
}

// An unknown key is served nothing and listed; once accepted it is let in.
func TestUnknownKey(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	k := newKey(t)
	if _, err := client(t, h, k, nats.Name("build\x1b[31m1")); err == nil || !strings.Contains(strings.ToLower(err.Error()), "authorization") {
		t.Fatalf("an unknown key: %v", err)
	}
	s := h.Status()
	if len(s.Members) != 0 || len(s.Asking) != 1 {
		t.Fatalf("%+v", s)
	}
	if a := s.Asking[0]; a.Key != k.ID() || a.Name != "build__31m1" || a.Address != "127.0.0.1" || time.Since(a.Last) > time.Minute {
		t.Errorf("%+v", a)
	}
	if err := h.Accept(keys.Entry{Key: k.ID(), Role: keys.Worker}); err != nil {
		t.Fatal(err)
	}
	connect(t, h, k)
	s = h.Status()
	if len(s.Asking) != 0 || len(s.Members) != 1 || s.Members[0].Name != "build__31m1" || !s.Members[0].Connected || s.Members[0].Role != keys.Worker {
		t.Errorf("%+v", s)
	}
}

// Without a key, with another's, or with a signature of another's, there is no way in, and nothing
// is listed.
func TestForgedKey(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	victim, mine := accepted(t, h, "victim", keys.Desk), newKey(t)
	for name, option := range map[string]nats.Option{
		"no key":                    nats.Name("x"),
		"another's key":             nats.Nkey(victim.ID(), mine.Sign),
		"a signature of nothing":    nats.Nkey(victim.ID(), func([]byte) ([]byte, error) { return victim.Sign(nil) }),
		"no signature":              nats.Nkey(victim.ID(), func([]byte) ([]byte, error) { return nil, nil }),
		"a name and a password":     nats.UserInfo(victim.ID(), ""),
		"a token":                   nats.Token(victim.ID()),
		"an unknown key, forged":    nats.Nkey(mine.ID(), victim.Sign),
		"a key that is not a key":   nats.Nkey("*", mine.Sign),
		"the empty key, signed for": nats.Nkey("", mine.Sign),
	} {
		if nc, err := nats.Connect("nats://"+h.Address(), option, nats.NoReconnect()); err == nil {
			nc.Close()
			t.Errorf("%s: it is let in", name)
		}
	}
	if s := h.Status(); len(s.Asking) != 0 || s.Members[0].Connected {
		t.Errorf("%+v", s)
	}
}

// raw speaks the protocol of NATS by hand.
type raw struct {
	t    *testing.T
	conn net.Conn
	r    *bufio.Reader
	info struct {
		Nonce        string `json:"nonce"`
		MaxPayload   int    `json:"max_payload"`
		AuthRequired bool   `json:"auth_required"`
		JetStream    bool   `json:"jetstream"`
	}
}

func dial(t *testing.T, h *hubserver.Hub) *raw {
	t.Helper()
	conn, err := net.Dial("tcp", h.Address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	r := &raw{t: t, conn: conn, r: bufio.NewReader(conn)}
	line, err := r.r.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(strings.TrimPrefix(line, "INFO ")), &r.info); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *raw) write(format string, args ...any) {
	r.t.Helper()
	if _, err := fmt.Fprintf(r.conn, format, args...); err != nil {
		r.t.Fatal(err)
	}
}

// signIn sends the key with a signature of the nonce.
func (r *raw) signIn(k *keys.Own) {
	r.t.Helper()
	signature, err := k.Sign([]byte(r.info.Nonce))
	if err != nil {
		r.t.Fatal(err)
	}
	r.write("CONNECT {\"nkey\":%q,\"sig\":%q,\"verbose\":false}\r\n", k.ID(), base64.RawURLEncoding.EncodeToString(signature))
}

// answers returns the server's lines up to its next PONG or the end of the connection.
func (r *raw) answers() (lines string, open bool) {
	for {
		line, err := r.r.ReadString('\n')
		if err != nil {
			return lines, false
		}
		if line == "PONG\r\n" {
			return lines, true
		}
		lines += line
	}
}

// Before it has signed in, a connection can do nothing, and after it, not become another host.
func TestProtocol(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	a, b := accepted(t, h, "a", keys.Desk), accepted(t, h, "b", keys.Desk)
	before := dial(t, h)
	if !before.info.AuthRequired || before.info.JetStream || before.info.Nonce == "" {
		t.Errorf("%+v", before.info)
	}
	before.write("SUB > 1\r\nPING\r\n")
	if lines, open := before.answers(); open {
		t.Errorf("without a key, it may subscribe: %q", lines)
	}
	after := dial(t, h)
	after.signIn(a)
	after.write("PING\r\n")
	if lines, open := after.answers(); !open || strings.Contains(lines, "ERR") {
		t.Fatalf("%q, %t", lines, open)
	}
	signature, err := a.Sign([]byte(after.info.Nonce))
	if err != nil {
		t.Fatal(err)
	}
	after.write("CONNECT {\"nkey\":%q,\"sig\":%q}\r\nPUB %s 1\r\nx\r\nPING\r\n", b.ID(), base64.RawURLEncoding.EncodeToString(signature), "wsh2.up.mutual."+a.ID()+".b."+b.ID()+".1")
	if lines, open := after.answers(); open {
		t.Errorf("it signs in as another host: %q", lines)
	}
	replayed := dial(t, h) // the signature belongs to another connection
	replayed.write("CONNECT {\"nkey\":%q,\"sig\":%q}\r\nPING\r\n", a.ID(), base64.RawURLEncoding.EncodeToString(signature))
	if lines, open := replayed.answers(); open {
		t.Errorf("a signature is good twice: %q", lines)
	}
	browser := dial(t, h)
	browser.write("GET / HTTP/1.1\r\nHost: %s\r\n\r\n", h.Address())
	if lines, open := browser.answers(); open || strings.Contains(lines, "HTTP/1") {
		t.Errorf("it answers HTTP: %q", lines)
	}
}

// Of each message the hub knows who may send it to whom: by the role and the key, whatever a host
// says of itself. What is not permitted is neither published nor received.
func TestPermissions(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	hosts := map[string]*keys.Own{
		"worker": accepted(t, h, "worker", keys.Worker), "worker2": accepted(t, h, "worker2", keys.Worker),
		"desk": accepted(t, h, "desk", keys.Desk), "desk2": accepted(t, h, "desk2", keys.Desk),
		"mutual": acceptedAs(t, h, keys.Entry{Name: "mutual", Role: keys.Desk, Mutual: true}), "mutual2": acceptedAs(t, h, keys.Entry{Name: "mutual2", Role: keys.Desk, Mutual: true}),
	}
	may := func(host, line string) bool {
		t.Helper()
		for name, k := range hosts {
			line = strings.ReplaceAll(line, "<"+name+">", k.ID())
		}
		r := dial(t, h)
		r.signIn(hosts[host])
		r.write("%s\r\nPING\r\n", line)
		lines, open := r.answers()
		return open && !strings.Contains(lines, "Permissions Violation")
	}
	for _, tt := range []struct{ subject, who string }{ // all others may not
		// Cards, in the class and with the name and key that the host has.
		{"wsh2.card.worker.worker.<worker>", "worker"}, {"wsh2.card.desk.desk.<desk>", "desk"}, {"wsh2.card.mutual.mutual.<mutual>", "mutual"},
		{"wsh2.card.mutual.worker.<worker>", ""}, {"wsh2.card.worker.desk.<desk>", ""}, {"wsh2.card.worker.mutual.<mutual>", ""}, {"wsh2.card.mutual.desk.<desk>", ""},
		{"wsh2.card.worker.other.<worker>", ""}, {"wsh2.card.worker.worker2.<worker>", ""}, {"wsh2.card.mutual.mutual2.<mutual>", ""},
		{"wsh2.ask.<desk>", "desk"}, {"wsh2.ask.<mutual>", "mutual"}, {"wsh2.ask.<worker>", ""},
		// Tunnels up: to workers by desks, and to mutual desks by mutual ones.
		{"wsh2.up.worker.<worker2>.worker.<worker>.1", ""}, {"wsh2.up.worker.<worker>.desk.<desk>.1", "desk"}, {"wsh2.up.worker.<worker>.mutual.<mutual>.1", "mutual"},
		{"wsh2.up.mutual.<mutual2>.mutual.<mutual>.1", "mutual"}, {"wsh2.up.mutual.<mutual>.desk.<desk>.1", ""}, {"wsh2.up.mutual.<mutual>.worker.<worker>.1", ""},
		{"wsh2.up.desk.<desk2>.desk.<desk>.1", ""}, {"wsh2.up.worker.<worker>.other.<desk>.1", ""}, {"wsh2.up.worker.<worker>.desk.<desk>", ""},
		// Tunnels down: by those that are used.
		{"wsh2.down.<desk>.<worker>.1", "worker"}, {"wsh2.down.<desk>.<mutual>.1", "mutual"}, {"wsh2.down.<worker>.<desk>.1", ""},
		{">", ""}, {"*", ""}, {"_INBOX.x", ""}, {"$SYS.REQ.USER.INFO", ""}, {"$SYS.REQ.SERVER.PING", ""}, {"$JS.API.INFO", ""}, {"anything", ""},
	} {
		for host := range hosts {
			if got := may(host, "PUB "+tt.subject+" 1\r\nx"); got != (host == tt.who) {
				t.Errorf("%s publishes %s: %t", host, tt.subject, got)
			}
		}
	}
	for _, tt := range []struct{ subject, who string }{
		{"wsh2.card.*.*.<worker>", "worker"}, {"wsh2.card.*.*.<desk>", "desk"}, {"wsh2.card.*.*.<mutual>", "mutual"},
		{"wsh2.card.worker.*.*", "desk desk2 mutual mutual2"}, {"wsh2.card.mutual.*.*", "mutual mutual2"}, {"wsh2.card.desk.*.*", ""}, {"wsh2.card.*.*.*", ""}, {"wsh2.card.>", ""},
		{"wsh2.ask.*", "worker worker2 mutual mutual2"}, {"wsh2.ask.<desk>", "worker worker2 mutual mutual2"},
		{"wsh2.up.worker.<worker>.*.*.*", "worker"}, {"wsh2.up.mutual.<mutual>.*.*.*", "mutual"}, {"wsh2.up.desk.<desk>.*.*.*", ""}, {"wsh2.up.*.<worker>.*.*.*", ""},
		{"wsh2.up.mutual.<worker>.*.*.*", ""}, {"wsh2.up.mutual.<desk>.*.*.*", ""}, {"wsh2.up.worker.<mutual>.*.*.*", ""}, {"wsh2.up.>", ""},
		{"wsh2.down.<desk>.*.*", "desk"}, {"wsh2.down.<mutual>.*.*", "mutual"}, {"wsh2.down.<worker>.*.*", ""}, {"wsh2.down.*.*.*", ""},
		{"_INBOX.>", ""}, {"$SYS.>", ""}, {">", ""}, {"*", ""}, {"*.*.*.*.*", ""}, {"wsh2.>", ""},
	} {
		for host := range hosts {
			for _, queue := range []string{"", "q "} {
				if got := may(host, "SUB "+tt.subject+" "+queue+"1"); got != slices.Contains(strings.Fields(tt.who), host) {
					t.Errorf("%s subscribes to %s %s: %t", host, tt.subject, queue, got)
				}
			}
		}
	}
}

// A host that is withdrawn is cut off before Withdraw returns, and cannot come back.
func TestWithdraw(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	k := accepted(t, h, "a", keys.Desk)
	closed := make(chan struct{})
	connect(t, h, k, nats.ClosedHandler(func(*nats.Conn) { close(closed) }))
	if err := h.Withdraw(k.ID()); err != nil {
		t.Fatal(err)
	}
	if s := h.Status(); len(s.Members) != 0 {
		t.Errorf("%+v", s.Members)
	}
	wait.For(t, "the connection to be cut", closed)
	if _, err := client(t, h, k); err == nil {
		t.Error("it comes back")
	}
	if err := h.Withdraw(k.ID()); fault.KindOf(err) != fault.NotFound {
		t.Errorf("twice: %v", err)
	}
}

// Connections that begin while their host is withdrawn do not outlive it.
func TestWithdrawWhileConnecting(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	for range 20 {
		k := accepted(t, h, "a", keys.Desk)
		connected := make(chan *nats.Conn)
		for range 4 {
			go func() {
				nc, _ := nats.Connect("nats://"+h.Address(), nats.Nkey(k.ID(), k.Sign), nats.NoReconnect())
				connected <- nc
			}()
		}
		if err := h.Withdraw(k.ID()); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			nc := <-connected
			if nc == nil {
				continue
			}
			wait.Until(t, "the connection to end", nc.IsClosed)
		}
	}
}

// Another role holds at once: the host has to come back for it. No two hosts have one name.
func TestChangedRole(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	k := accepted(t, h, "a", keys.Worker)
	up := make(chan struct{}, 10)
	conn := join(t, h, k, up)
	is := func(want hub.Class) {
		t.Helper()
		wait.For(t, "the connection", up)
		if got := classOf(t, conn, "a"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	is(hub.Workers)
	for _, e := range []keys.Entry{{Role: keys.Desk}, {Role: keys.Desk, Mutual: true}, {Role: keys.Worker}} {
		if e.Key = k.ID(); h.Accept(e) != nil {
			t.Fatal(e)
		}
		is(hub.ClassOf(e))
	}
	if err := h.Accept(keys.Entry{Key: k.ID(), Role: keys.Worker}); err != nil || len(up) != 0 {
		t.Errorf("the same again: %v, %d connections", err, len(up))
	}
	if err := h.Accept(keys.Entry{Key: newKey(t).ID(), Name: "A", Role: keys.Worker}); fault.KindOf(err) != fault.Exists {
		t.Errorf("another host with its name: %v", err)
	}
	if err := h.Accept(keys.Entry{Key: newKey(t).ID(), Role: keys.Worker}); fault.KindOf(err) != fault.Precondition {
		t.Errorf("a host that has never asked: %v", err)
	}
}

// classOf returns in which class a host may be: the only one, if it is asked twice.
func classOf(t *testing.T, conn *hubconn.Conn, name string) hub.Class {
	t.Helper()
	arrived := make(chan hub.Class, 2*len(hub.Classes))
	if err := conn.ReceiveOwn(func(class hub.Class, _ []byte) {
		select {
		case arrived <- class:
		default: // it is asked again
		}
	}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := conn.Probe(name, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	class := wait.For(t, "a card of its own", arrived)
	if again := wait.For(t, "another one", arrived); again != class {
		t.Errorf("it may be %q and %q", class, again)
	}
	return class
}

// join joins a hub as members do. up gets a value for each connection.
func join(t *testing.T, h *hubserver.Hub, k *keys.Own, up chan<- struct{}) *hubconn.Conn {
	t.Helper()
	conn, err := hubconn.Join(hubconn.Membership{Address: "nats://" + h.Address(), Key: k, Name: "a", Up: func() { up <- struct{}{} }, Down: func(error) {}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

// A key has one connection, the newest. Programs that share a key show.
func TestOneConnection(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	k := accepted(t, h, "a", keys.Desk)
	first := connect(t, h, k)
	for i := range 4 {
		next := connect(t, h, k)
		wait.Until(t, "the older connection to end", first.IsClosed)
		first = next
		if twice := h.Status().Members[0].Twice; twice != (i >= 2) {
			t.Errorf("after %d connections: twice is %t", i+2, twice)
		}
	}
	if err := flushed(t, first); err != nil {
		t.Error(err)
	}
}

// Limits hold for members and for unknown hosts.
func TestLimits(t *testing.T) {
	t.Parallel()
	t.Run("connections", func(t *testing.T) {
		t.Parallel()
		h := start(t, func(o *hubserver.Options) { o.MaxConnections = 3 })
		k := accepted(t, h, "a", keys.Desk)
		three := []*raw{dial(t, h), dial(t, h), dial(t, h)}
		if _, err := client(t, h, k); err == nil {
			open := 0
			for _, c := range three { // one that the hub counts only now has made room
				_ = c.conn.SetDeadline(time.Now().Add(time.Second))
				if _, err := c.r.ReadByte(); errors.Is(err, os.ErrDeadlineExceeded) {
					open++
				}
			}
			if open == len(three) {
				t.Error("a fourth connection is let in")
			}
		}
		// Those that do not sign in make room before long.
		wait.Until(t, "room for a member", func() bool {
			_, err := client(t, h, k)
			return err == nil
		})
	})
	t.Run("payload", func(t *testing.T) {
		t.Parallel()
		h := start(t, nil)
		k := accepted(t, h, "a", keys.Desk)
		r := dial(t, h)
		r.signIn(k)
		r.write("PUB %s %d\r\n", "wsh2.up.worker.x.a."+k.ID()+".1", r.info.MaxPayload+1)
		if lines, open := r.answers(); open || !strings.Contains(lines, "Maximum Payload") {
			t.Errorf("%q, %t", lines, open)
		}
	})
	t.Run("subscriptions", func(t *testing.T) {
		t.Parallel()
		h := start(t, nil)
		k := accepted(t, h, "a", keys.Desk)
		r := dial(t, h)
		r.signIn(k)
		for i := range 40 {
			r.write("SUB wsh2.down.%s.*.%d %d\r\n", k.ID(), i, i)
		}
		r.write("PING\r\n")
		if lines, _ := r.answers(); !strings.Contains(lines, "maximum subscriptions exceeded") && !strings.Contains(lines, "Maximum Subscriptions") {
			t.Errorf("%q", lines)
		}
	})
	t.Run("a slow reader", func(t *testing.T) {
		t.Parallel()
		h := start(t, nil)
		slow, fast := accepted(t, h, "slow", keys.Worker), accepted(t, h, "fast", keys.Desk)
		r := dial(t, h)
		r.signIn(slow)
		r.write("SUB wsh2.up.worker.%s.*.*.* 1\r\nPING\r\n", slow.ID())
		if lines, open := r.answers(); !open {
			t.Fatal(lines)
		}
		nc := connect(t, h, fast)
		message := make([]byte, 128<<10)
		for range (64 << 20) / len(message) {
			if err := nc.Publish("wsh2.up.worker."+slow.ID()+".fast."+fast.ID()+".1", message); err != nil {
				t.Fatal(err)
			}
		}
		if err := flushed(t, nc); err != nil {
			t.Fatal(err)
		}
		wait.Until(t, "the host that reads nothing to be cut off", func() bool {
			for _, m := range h.Status().Members {
				if m.Key == slow.ID() {
					return !m.Connected
				}
			}
			return false
		})
		if err := flushed(t, nc); err != nil {
			t.Error(err)
		}
	})
}

// Only a hub with a certificate listens where others than this machine can reach it.
func TestListen(t *testing.T) {
	t.Parallel()
	list, err := keys.OpenList(filepath.Join(t.TempDir(), "members.json"))
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.com:0", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000"} {
		if h, err := hubserver.Start(hubserver.Options{Listen: address, List: list, Log: log}); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v", address, err)
			if err == nil {
				h.Close()
			}
		}
	}
	first := start(t, nil)
	if h, err := hubserver.Start(hubserver.Options{Listen: first.Address(), List: list, Log: log}); fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a port that is taken: %v", err)
		if err == nil {
			h.Close()
		}
	}
}
