//go:build hub

package hub_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/fleet/natslink"
	"ui-mcp/internal/testkit/wait"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/nats-io/nats-server/v2/server.init.1"))
}

// start starts a hub on a port of its own.
func start(t *testing.T, change func(*hub.Options)) *hub.Hub {
	t.Helper()
	list, err := keys.OpenList(filepath.Join(t.TempDir(), "members.json"))
	if err != nil {
		t.Fatal(err)
	}
	o := hub.Options{Listen: "127.0.0.1:0", List: list, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	if change != nil {
		change(&o)
	}
	h, err := hub.Start(o)
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
func accepted(t *testing.T, h *hub.Hub, name string, level keys.Level) *keys.Own {
	t.Helper()
	k := newKey(t)
	if err := h.Accept(keys.Entry{Key: k.ID(), Name: name, Allow: level}); err != nil {
		t.Fatal(err)
	}
	return k
}

// client connects with a key, once, and with more options.
func client(t *testing.T, h *hub.Hub, k *keys.Own, more ...nats.Option) (*nats.Conn, error) {
	t.Helper()
	nc, err := nats.Connect("nats://"+h.Address(), append([]nats.Option{nats.Nkey(k.ID(), k.Sign), nats.NoReconnect(), quiet}, more...)...)
	if err == nil {
		t.Cleanup(nc.Close)
	}
	return nc, err
}

// quiet keeps the client from printing what the server refuses.
var quiet = nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})

func connect(t *testing.T, h *hub.Hub, k *keys.Own, more ...nats.Option) *nats.Conn {
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
	if err := h.Accept(keys.Entry{Key: k.ID(), Allow: keys.Look}); err != nil {
		t.Fatal(err)
	}
	connect(t, h, k)
	s = h.Status()
	if len(s.Asking) != 0 || len(s.Members) != 1 || s.Members[0].Name != "build__31m1" || !s.Members[0].Connected || s.Members[0].Allow != keys.Look {
		t.Errorf("%+v", s)
	}
}

// Without a key, with another's, or with a signature of another's, there is no way in, and nothing
// is listed.
func TestForgedKey(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	victim, mine := accepted(t, h, "victim", keys.Manage), newKey(t)
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

func dial(t *testing.T, h *hub.Hub) *raw {
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
	a, b := accepted(t, h, "a", keys.Manage), accepted(t, h, "b", keys.Manage)
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
	after.write("CONNECT {\"nkey\":%q,\"sig\":%q}\r\nPUB %s 1\r\nx\r\nPING\r\n", b.ID(), base64.RawURLEncoding.EncodeToString(signature), "wsh2.up.any."+a.ID()+".any."+b.ID()+".1")
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

// A member publishes as itself and as no other host, and hears what is for it and nothing else.
func TestPermissions(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	a, b := accepted(t, h, "a", keys.Type), accepted(t, h, "b", keys.Look)
	mine, other := a.ID(), b.ID()
	for subject, want := range map[string]bool{
		"wsh2.up.any." + other + ".any." + mine + ".1":            true,
		"wsh2.up.any." + mine + ".any." + other + ".1":            false, // as another host
		"wsh2.up.any." + other + ".any." + other + ".1":           false,
		"wsh2.up.any." + other + ".any." + other + "." + mine:     false,
		"wsh2.up.any." + other + ".any." + mine:                   false,
		"wsh1." + other + ".o." + mine + ".1":                     false,
		"wshcard1.all.type." + mine:                               true,
		"wshcard1." + other + ".type." + mine:                     true,
		"wshcard1.all.manage." + mine:                             false, // more than it may
		"wshcard1.all.look." + mine:                               false,
		"wshcard1.all.look." + other:                              false,
		"wshcard1.all.type." + other:                              false,
		">":                                                       false,
		"*":                                                       false,
		"_INBOX.x":                                                false,
		"$SYS.REQ.USER.INFO":                                      false,
		"$SYS.REQ.SERVER.PING":                                    false,
		"$JS.API.INFO":                                            false,
		"anything":                                                false,
		"wsh2.up.any." + other + ".any." + mine + ".1 x":          false,
		"wsh2.up.*.*.*." + other + ".>":                           false,
		"wsh2.up.any." + strings.ToLower(other) + ".any.x" + ".1": false,
	} {
		r := dial(t, h)
		r.signIn(a)
		r.write("PUB %s 1\r\nx\r\nPING\r\n", subject)
		lines, open := r.answers()
		if got := open && !strings.Contains(lines, "Permissions Violation"); got != want && !(strings.Contains(subject, " ") && got) {
			t.Errorf("publish %s: %t (%q)", subject, got, lines)
		}
	}
	for subject, want := range map[string]bool{
		"wsh2.up.*." + mine + ".*.*.*":                 true,
		"wsh2.up.any." + mine + ".any." + other + ".*": true,
		"wsh2.up.*." + other + ".*.*.*":                false, // what is for another host
		"wsh2.>":                                       false,
		"wsh2.up.*.>":                                  false,
		"wsh2.down.>":                                  false,
		"wsh2.up.*.*.*." + mine + ".*":                 false,
		"wshcard1.all.*.*":                             true,
		"wshcard1." + mine + ".*.*":                    true,
		"wshcard1." + other + ".*.*":                   false,
		"wshcard1.>":                                   false,
		"wshcard1.*.*.*":                               false,
		"_INBOX.>":                                     false,
		"$SYS.>":                                       false,
		">":                                            false,
		"*":                                            false,
		"*.*.*.*.*":                                    false,
	} {
		for _, queue := range []string{"", "q "} {
			r := dial(t, h)
			r.signIn(a)
			r.write("SUB %s %s1\r\nPING\r\n", subject, queue)
			lines, open := r.answers()
			if got := open && !strings.Contains(lines, "Permissions Violation"); got != want {
				t.Errorf("subscribe %s %s: %t (%q)", subject, queue, got, lines)
			}
		}
	}
}

// Whatever a member floods the server with, it arrives at nobody whom it is not for.
func TestFlood(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	a, b, c := accepted(t, h, "a", keys.Manage), accepted(t, h, "b", keys.Manage), accepted(t, h, "c", keys.Manage)
	subscribe := func(k *keys.Own) (*nats.Conn, *nats.Subscription) {
		t.Helper()
		nc := connect(t, h, k)
		sub, err := nc.SubscribeSync("wsh2.up.*." + k.ID() + ".*.*.*")
		if err != nil {
			t.Fatal(err)
		}
		if err := flushed(t, nc); err != nil {
			t.Fatal(err)
		}
		return nc, sub
	}
	_, forB := subscribe(b)
	ncC, forC := subscribe(c)
	attacker := connect(t, h, a)
	for range 1000 {
		for _, subject := range []string{"wsh2.up.any." + c.ID() + ".any." + b.ID() + ".1", "wsh2.up.any.all.any." + b.ID() + ".1", "_INBOX.abc.1", "wshcard1.all.manage." + b.ID()} {
			if err := attacker.Publish(subject, []byte("x")); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, to := range []string{b.ID(), c.ID()} {
		// Replies that are wished for somewhere else go nowhere: receivers do not use them, and the
		// server sends none by itself but to the one who asks.
		if err := attacker.PublishRequest("wsh2.up.any."+to+".any."+a.ID()+".1", "wsh2.up.any."+c.ID()+".any."+b.ID()+".1", []byte("last")); err != nil {
			t.Fatal(err)
		}
	}
	if err := attacker.PublishRequest("wsh2.up.any.nobody.any."+a.ID()+".1", "wsh2.up.any."+c.ID()+".any."+b.ID()+".1", nil); err != nil {
		t.Fatal(err)
	}
	if err := flushed(t, attacker); err == nil {
		t.Error("the server has permitted all of it")
	}
	for _, sub := range []*nats.Subscription{forB, forC} {
		m, err := sub.NextMsg(30 * time.Second)
		if err != nil || string(m.Data) != "last" || !strings.Contains(m.Subject, "."+a.ID()+".") {
			t.Errorf("%+v, %v", m, err)
		}
	}
	if err := flushed(t, ncC); err != nil {
		t.Error(err)
	}
	if n, _, err := forC.Pending(); err != nil || n != 0 {
		t.Errorf("%d more messages, %v", n, err)
	}
}

// A host that is withdrawn is cut off before Withdraw returns, and cannot come back.
func TestWithdraw(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	k := accepted(t, h, "a", keys.Manage)
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
		k := accepted(t, h, "a", keys.Manage)
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

// Other rights hold at once: the host has to come back for them.
func TestChangedLevel(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	k := accepted(t, h, "a", keys.Manage)
	up := make(chan struct{}, 10)
	link := join(t, h, k, up)
	level := func(want keys.Level) {
		t.Helper()
		<-up
		if got := levelOf(t, link); got != string(want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	level(keys.Manage)
	for _, l := range []keys.Level{keys.Look, keys.None, keys.Type} {
		if err := h.Accept(keys.Entry{Key: k.ID(), Allow: l}); err != nil {
			t.Fatal(err)
		}
		level(l)
	}
	if err := h.Accept(keys.Entry{Key: k.ID(), Name: "renamed", Allow: keys.Type}); err != nil {
		t.Fatal(err)
	}
	if got := levelOf(t, link); got != string(keys.Type) || len(up) != 0 {
		t.Errorf("another name alone: %q, %d connections", got, len(up))
	}
}

// levelOf returns which level a server lets a host name: the only one, if it is asked twice.
func levelOf(t *testing.T, link *natslink.Conn) string {
	t.Helper()
	var all []string
	for _, l := range keys.Levels {
		all = append(all, string(l))
	}
	arrived := make(chan string, 2*len(all))
	stop, err := link.ReceiveCards(func(from, level string, _ []byte) {
		if from == link.Self() {
			arrived <- level
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	for range 2 {
		if err := link.AskLevel(all, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	level := wait.For(t, "a card of its own", arrived)
	if again := wait.For(t, "another one", arrived); again != level {
		t.Errorf("it may name %q and %q", level, again)
	}
	return level
}

// join joins a hub as members do. up gets a value for each connection.
func join(t *testing.T, h *hub.Hub, k *keys.Own, up chan<- struct{}) *natslink.Conn {
	t.Helper()
	link, err := natslink.Join(natslink.Membership{Address: "nats://" + h.Address(), Key: k, Name: "a", Up: func() { up <- struct{}{} }, Down: func(error) {}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(link.Close)
	return link
}

// A key has one connection, the newest. Programs that share a key show.
func TestOneConnection(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	k := accepted(t, h, "a", keys.Manage)
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

// Neither many keys nor many attempts fill the list of those who ask.
func TestManyAsk(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	for range 10 {
		k := newKey(t)
		for range 2 {
			if _, err := client(t, h, k); err == nil {
				t.Fatal("it is let in")
			}
		}
	}
	if s := h.Status(); len(s.Asking) != 4 || s.Unlisted != 12 {
		t.Errorf("%d are listed, and %d attempts are not", len(s.Asking), s.Unlisted)
	}
}

// Limits hold for members and for unknown hosts.
func TestLimits(t *testing.T) {
	t.Parallel()
	t.Run("connections", func(t *testing.T) {
		t.Parallel()
		h := start(t, func(o *hub.Options) { o.MaxConnections = 3 })
		k := accepted(t, h, "a", keys.Manage)
		for range 3 {
			dial(t, h)
		}
		if _, err := client(t, h, k); err == nil {
			t.Error("a fourth connection is let in")
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
		k := accepted(t, h, "a", keys.Manage)
		r := dial(t, h)
		r.signIn(k)
		r.write("PUB %s %d\r\n", "wsh2.up.any.x.any."+k.ID()+".1", r.info.MaxPayload+1)
		if lines, open := r.answers(); open || !strings.Contains(lines, "Maximum Payload") {
			t.Errorf("%q, %t", lines, open)
		}
	})
	t.Run("subscriptions", func(t *testing.T) {
		t.Parallel()
		h := start(t, nil)
		k := accepted(t, h, "a", keys.Manage)
		r := dial(t, h)
		r.signIn(k)
		for i := range 40 {
			r.write("SUB wsh2.down.%s.x.%d %d\r\n", k.ID(), i, i)
		}
		r.write("PING\r\n")
		if lines, _ := r.answers(); !strings.Contains(lines, "maximum subscriptions exceeded") && !strings.Contains(lines, "Maximum Subscriptions") {
			t.Errorf("%q", lines)
		}
	})
	t.Run("a slow reader", func(t *testing.T) {
		t.Parallel()
		h := start(t, nil)
		slow, fast := accepted(t, h, "slow", keys.Manage), accepted(t, h, "fast", keys.Manage)
		r := dial(t, h)
		r.signIn(slow)
		r.write("SUB wsh2.up.*.%s.*.*.* 1\r\nPING\r\n", slow.ID())
		if lines, open := r.answers(); !open {
			t.Fatal(lines)
		}
		nc := connect(t, h, fast)
		message := make([]byte, 128<<10)
		for range (64 << 20) / len(message) {
			if err := nc.Publish("wsh2.up.any."+slow.ID()+".any."+fast.ID()+".1", message); err != nil {
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
		if h, err := hub.Start(hub.Options{Listen: address, List: list, Log: log}); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v", address, err)
			if err == nil {
				h.Close()
			}
		}
	}
	first := start(t, nil)
	if h, err := hub.Start(hub.Options{Listen: first.Address(), List: list, Log: log}); fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a port that is taken: %v", err)
		if err == nil {
			h.Close()
		}
	}
}
