//go:build linux

package attack

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/hubconn"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/client"
	"ui-mcp/internal/transport/mux"
	"ui-mcp/internal/transport/remote"
	"ui-mcp/internal/transport/socketwire"
	"ui-mcp/internal/wake"
)

// A villain is a mutual desk at the hub of a server that is one, too. It is its own terminals,
// which answer what it likes.
type villain struct {
	terminals.Terminals
	shell *shell
	url   string // of the hub
	key   *keys.Own
	raw   *keys.Own // of another mutual desk, which follows no rules
	hub   *natsserver.Server
	file  string // with the settings of the hub

	worker, desk *keys.Own // of others

	own  string // the server's key
	conn *hubconn.Conn
	isUp atomic.Bool
	host *remote.Terminals // the server, as the villain sees it

	mu     sync.Mutex // guards the fields below
	fails  error
	frames []socketwire.Frame
	cards  uint64
}

// startVillain starts a server that has joined a hub, and a host of that hub about which the server
// has said nothing. The hub is a nats-server with the settings that "wsh hub config" prints.
func startVillain(t *testing.T) *villain {
	t.Helper()
	v := &villain{shell: launchShell(t, "--bind", "127.0.0.1:0", "--server-name", "fleet", "--hostname", "victim", "--confirm", "held back")}
	open := func(path string) *keys.Own {
		k, err := keys.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	config := filepath.Join(v.shell.home, ".config", "wsh")
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	v.own = open(filepath.Join(config, "fleet.key.json")).ID()
	v.key, v.raw = open(filepath.Join(t.TempDir(), "key.json")), open(filepath.Join(t.TempDir(), "raw.json"))
	v.worker, v.desk = open(filepath.Join(t.TempDir(), "worker.json")), open(filepath.Join(t.TempDir(), "desk.json"))
	s, err := natsserver.NewServer(v.settings(t, keys.Desk))
	if err != nil {
		t.Fatal(err)
	}
	v.hub = s
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(wait.Patience) {
		t.Fatal("the hub does not start")
	}
	v.url = s.ClientURL()
	up := make(chan struct{}, 1)
	if v.conn, err = hubconn.Join(hubconn.Membership{Address: v.url, Key: v.key, Name: "villain", Up: func() {
		v.isUp.Store(true)
		wake.Up(up)
	}, Down: func(error) { v.isUp.Store(false) }}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.conn.Close)
	wait.For(t, "the villain is at the hub", up)
	self := remote.Hello{ID: "villain", Name: "villain"}
	server := remote.NewServer(self, v, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	t.Cleanup(func() { cancel(); serving.Wait() })
	tunnels, err := v.conn.Tunnels(hub.Mutual, "villain", func(tunnel *hubconn.Tunnel) {
		serving.Go(func() {
			_ = server.Serve(ctx, tunnel, func() (terminals.Grant, bool) { return terminals.Everything, true })
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tunnels.Close)
	v.host = remote.OpenLater("victim", self, func(ctx context.Context) (io.ReadWriteCloser, error) {
		return tunnels.Dial(ctx, hub.Mutual, v.own)
	})
	t.Cleanup(v.host.Close)
	v.shell.want(t, http.StatusCreated, "POST", "/servers", fmt.Sprintf(`{"address":%q}`, v.url))
	wait.Until(t, "the villain is listed", func() bool {
		v.card(t)
		return strings.Contains(v.shell.want(t, http.StatusOK, "GET", "/servers", ""), v.key.ID())
	})
	v.shell.ready()
	return v
}

// settings are those that "wsh hub config" prints, with the villain in a role; "": without it.
func (v *villain) settings(t *testing.T, role keys.Role) *natsserver.Options {
	t.Helper()
	hosts := []keys.Entry{
		{Key: v.own, Name: "victim", Role: keys.Desk, Mutual: true}, {Key: v.raw.ID(), Name: "raw", Role: keys.Desk, Mutual: true},
		{Key: v.worker.ID(), Name: "worker", Role: keys.Worker}, {Key: v.desk.ID(), Name: "desk", Role: keys.Desk},
	}
	if role != "" {
		hosts = append(hosts, keys.Entry{Key: v.key.ID(), Name: "villain", Role: role, Mutual: role == keys.Desk})
	}
	settings, err := hub.Config(hosts)
	if err != nil {
		t.Fatal(err)
	}
	if v.file == "" {
		v.file = filepath.Join(t.TempDir(), "hub.conf")
	}
	if err := os.WriteFile(v.file, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := natsserver.ProcessConfigFile(v.file)
	if err != nil {
		t.Fatal(err)
	}
	o.Port, o.NoSigs, o.NoLog = natsserver.RANDOM_PORT, true, true
	if v.hub != nil {
		o.Port = v.hub.Addr().(*net.TCPAddr).Port
	}
	return o
}

// card says that the villain is there.
func (v *villain) card(t *testing.T) {
	t.Helper()
	v.mu.Lock()
	v.cards++
	text := fmt.Appendf(nil, `{"run":"a","n":%d,"every_ms":3600000,"protocol":%d}`, v.cards, terminals.Protocol)
	v.mu.Unlock()
	_ = v.conn.SendCard(hub.Mutual, "villain", text) // it may be cut off
}

// Do implements [terminals.Terminals].
func (v *villain) Do(_ context.Context, _ terminals.Grant, _ *terminals.Operation, _, out any) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if out, ok := out.(*[]wire.Session); ok {
		*out = []wire.Session{{Name: "a\x1b]52;c;QQ==\x07", ID: "1"}}
	}
	return v.fails
}

// Open implements [terminals.Terminals].
func (v *villain) Open(_ context.Context, _ terminals.Grant, o *terminals.Operation, _ any) (terminals.Stream, error) {
	if o != &terminals.Attach.Operation {
		return nil, fault.New(fault.Gone, "over")
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	ctx, cancel := context.WithCancel(context.Background())
	return &shown{left: slices.Clone(v.frames), ctx: ctx, cancel: cancel}, nil
}

// shown is what the host sends to an attached terminal, until that sends something.
type shown struct {
	terminals.Stream
	left   []socketwire.Frame
	ctx    context.Context
	cancel context.CancelFunc
}

func (s *shown) Receive(ctx context.Context, out any) error {
	if len(s.left) > 0 {
		*out.(*socketwire.Frame), s.left = s.left[0], s.left[1:]
		return nil
	}
	select {
	case <-ctx.Done():
	case <-s.ctx.Done():
	}
	return io.EOF
}

func (s *shown) Send(context.Context, any) error {
	s.cancel()
	return nil
}

func (s *shown) Close() { s.cancel() }

// forgeries are what a host sends in another one's name, or without a name.
func (v *villain) forgeries() []attack {
	connect := func(k *keys.Own, options ...nats.Option) (*nats.Conn, error) {
		return nats.Connect(v.url, append(options, nats.Nkey(k.ID(), k.Sign), nats.NoReconnect())...)
	}
	publishes := func(t *testing.T, k *keys.Own, subjects ...string) {
		t.Helper()
		nc, err := connect(k, nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
		if err != nil {
			t.Fatal(err)
		}
		defer nc.Close()
		for _, subject := range subjects {
			before := nc.LastError()
			if err := nc.Publish(subject, []byte(`{"run":"a","n":1,"every_ms":5000,"protocol":1}`)); err != nil {
				t.Fatal(err)
			}
			if err := nc.Flush(); err != nil {
				t.Fatal(err)
			}
			if after := nc.LastError(); after == before || !errors.Is(after, nats.ErrPermissionViolation) {
				t.Errorf("%s is published: %v", subject, after)
			}
		}
	}
	newKey := func(t *testing.T) *keys.Own {
		t.Helper()
		k, err := keys.Open(filepath.Join(t.TempDir(), "key.json"))
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	return []attack{
		{"S43", "hub: messages and cards in another host's name", false, func(t *testing.T) {
			other := newKey(t).ID()
			publishes(t, v.key, "wsh2.card.mutual.villain."+other, "wsh2.card.mutual.victim."+v.key.ID(), "wsh2.ask."+other,
				"wsh2.up.mutual."+v.own+".villain."+other+".1", "wsh2.up.mutual."+v.own+".raw."+v.key.ID()+".1", "wsh2.down."+v.own+"."+other+".1")
			if list := v.shell.want(t, http.StatusOK, "GET", "/servers", ""); strings.Contains(list, other) {
				t.Errorf("the server knows %s", list)
			}
		}},
		{"S44", "hub: a worker that uses others, or says that it is a desk", false, func(t *testing.T) {
			w := v.worker.ID()
			publishes(t, v.worker, "wsh2.up.mutual."+v.own+".worker."+w+".1", "wsh2.up.worker."+v.own+".worker."+w+".1", "wsh2.card.mutual.worker."+w, "wsh2.card.desk.worker."+w, "wsh2.ask."+w)
		}},
		{"S44", "hub: a desk that uses other desks, or says that it is mutual", false, func(t *testing.T) {
			d := v.desk.ID()
			publishes(t, v.desk, "wsh2.up.mutual."+v.own+".desk."+d+".1", "wsh2.up.desk."+v.own+".desk."+d+".1", "wsh2.card.mutual.desk."+d, "wsh2.card.worker.desk."+d, "wsh2.down."+v.own+"."+d+".1")
		}},
		{"S44", "hub: a key that the hub has not accepted", false, func(t *testing.T) {
			if nc, err := connect(newKey(t)); err == nil {
				nc.Close()
				t.Error("it is let in")
			}
		}},
		{"S44", "hub: another host's key without its secret", false, func(t *testing.T) {
			if nc, err := nats.Connect(v.url, nats.Nkey(v.own, newKey(t).Sign), nats.NoReconnect()); err == nil {
				nc.Close()
				t.Error("it is let in")
			}
		}},
	}
}

// roles are what a host does beyond what it may.
func (v *villain) roles() []attack {
	return []attack{
		{"S45", "ssh: a line that is held back, of who says that a person types it", false, func(t *testing.T) {
			v.enter(t, v.bySSH(t), false)
		}},
		{"S45", "desk: every operation that administers", false, func(t *testing.T) {
			for _, o := range terminals.All() {
				if o.Right&terminals.Administer == 0 {
					continue
				}
				in, out := o.New()
				complete(reflect.ValueOf(in).Elem())
				if err := v.host.Do(t.Context(), terminals.Everything, o, in, out); fault.DetailOf(err) != terminals.NotAllowed {
					t.Errorf("%s: %v", o.Name, err)
				}
			}
			if _, err := terminals.ListSessions.Do(t.Context(), v.host, terminals.Everything, terminals.SessionFilter{}); err != nil {
				t.Errorf("what it may do: %v", err)
			}
			if known, err := terminals.ListServers.Do(t.Context(), v.host, terminals.Everything, terminals.None{}); err != nil || len(known) > 0 {
				t.Errorf("it learns of other servers: %v, %v", known, err)
			}
		}},
		{"S45", "desk: it allows its own line", false, func(t *testing.T) { v.enter(t, v.host, true) }},
		{"S45", "desk: a caller whose name hides the host", false, func(t *testing.T) {
			v.shell.want(t, 201, "POST", "/sessions", `{"name":"named","command":"cat"}`)
			defer v.shell.want(t, 204, "DELETE", "/sessions/named", "")
			for _, name := range []string{strings.Repeat("long", 1000), "the owner on victim\x00"} {
				by := terminals.Everything
				by.From.Name = name
				if _, err := terminals.SendInput.Do(t.Context(), v.host, by, terminals.Input{Target: terminals.Target{Session: "named"}, Data: []byte("x")}); err != nil && fault.KindOf(err) != fault.Invalid {
					t.Fatal(err)
				}
			}
			typed := v.shell.want(t, http.StatusOK, "GET", "/sessions/named/typed", "")
			if names := strings.Count(typed, `"name":"`); names == 0 || names != strings.Count(typed, ` on villain"`) {
				t.Error(typed)
			}
		}},
		{"S46", "desk: it goes on when it is withdrawn", false, func(t *testing.T) {
			nc, err := nats.Connect(v.url, nats.Nkey(v.raw.ID(), v.raw.Sign), nats.NoReconnect()) // one that stays
			if err != nil {
				t.Fatal(err)
			}
			defer nc.Close()
			f, err := terminals.Follow.Open(t.Context(), v.host, terminals.Everything, terminals.None{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := v.hub.ReloadOptions(v.settings(t, "")); err != nil {
				t.Fatal(err)
			}
			wait.Until(t, "it is cut off", func() bool { return !v.isUp.Load() })
			if _, err := terminals.ListSessions.Do(t.Context(), v.host, terminals.Everything, terminals.SessionFilter{}); err == nil {
				t.Error("it lists sessions")
			}
			if nc, err := nats.Connect(v.url, nats.Nkey(v.key.ID(), v.key.Sign), nats.NoReconnect()); err == nil {
				nc.Close()
				t.Error("it is let in")
			}
			if nc.IsClosed() {
				t.Error("another host is cut off, too")
			}
			if err := v.hub.ReloadOptions(v.settings(t, keys.Desk)); err != nil {
				t.Fatal(err)
			}
			wait.Until(t, "it is back", func() bool {
				v.card(t)
				return v.isUp.Load()
			})
		}},
	}
}

// complete gives an input what it needs, so that nothing but the caller is wrong with it.
func complete(in reflect.Value) {
	for i := range in.NumField() {
		f, about := in.Field(i), in.Type().Field(i)
		switch tag := about.Tag.Get("json"); {
		case about.Anonymous:
			complete(f)
		case strings.Contains(tag, ",omit") || tag == "-":
		case f.Kind() == reflect.String:
			f.SetString("x")
		case f.Type() == reflect.TypeFor[[]string]():
			f.Set(reflect.ValueOf([]string{"read"}))
		case f.Kind() == reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 0, 0))
		case f.Kind() == reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
		}
	}
}

// enter types a line that is held back for another host, which claims to be a person, in a session
// of this host and in one that it has created, and starts one with it. If it answers, it allows
// whatever it is asked meanwhile.
func (v *villain) enter(t *testing.T, h *remote.Terminals, answers bool) {
	t.Helper()
	v.shell.want(t, 201, "POST", "/sessions", `{"name":"line","command":"cat"}`)
	defer v.shell.want(t, 204, "DELETE", "/sessions/line", "")
	ctx, cancel := context.WithTimeout(t.Context(), wait.Patience)
	defer cancel()
	answering, stop := context.WithCancel(ctx)
	var answerer sync.WaitGroup
	defer answerer.Wait()
	defer stop()
	answerer.Go(func() {
		if !answers {
			return
		}
		q, err := terminals.OpenQuestions(answering, h, terminals.Everything)
		if err != nil {
			return
		}
		defer q.Close()
		for err = q.Send(answering, terminals.FromFollower{Shows: new(true)}); err == nil; {
			var news terminals.QuestionNews
			if news, err = q.Receive(answering); err == nil && news.Asked != nil {
				err = q.Send(answering, terminals.FromFollower{Answer: &terminals.QuestionReply{
					ID: news.Asked.ID, Digest: news.Asked.Question.Digest(), Delivery: news.Asked.ID, Reply: question.Reply{Action: question.Submit, Values: []string{"allow"}},
				}})
			}
		}
	})
	for _, kind := range []core.SenderKind{core.SenderAttach, core.SenderRaw, core.SenderQuestion, ""} {
		by := terminals.Everything
		by.From.Kind = kind
		if _, err := terminals.CreateSession.Do(ctx, h, by, terminals.NewSession{Name: "own", Command: "held back"}); fault.DetailOf(err) != core.NotPermitted {
			t.Errorf("as %q, it starts a program: %v", kind, err)
		}
		own, err := terminals.CreateSession.Do(ctx, h, by, terminals.NewSession{Command: "cat"})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"line", own.Name} {
			if _, err := terminals.SendInput.Do(ctx, h, by, terminals.Input{Target: terminals.Target{Session: name}, Data: []byte("held back\r")}); fault.DetailOf(err) != core.NotPermitted {
				t.Errorf("as %q, in session %s: %v", kind, name, err)
			}
		}
		v.shell.want(t, 204, "DELETE", "/sessions/"+own.Name, "")
	}
}

// bySSH returns the server as another one reaches it by ssh, for which nobody follows questions.
func (v *villain) bySSH(t *testing.T) *remote.Terminals {
	t.Helper()
	conn, err := net.Dial("unix", v.shell.socket(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, "GET /fleet HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: wsh-fleet\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(conn)
	if res, err := http.ReadResponse(r, nil); err != nil || res.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("%+v, %v", res, err)
	}
	link, err := remote.Open(t.Context(), struct {
		io.Reader
		io.WriteCloser
	}{r, conn}, remote.Hello{ID: "ssh", Name: "ssh"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(link.Close)
	return link
}

// floods are what a host sends much of.
func (v *villain) floods() []attack {
	return []attack{
		{"S47", "host: a million cards", true, func(t *testing.T) { v.flood(t, 1_000_000) }},
		{"S47", "host: many cards", false, func(t *testing.T) { v.flood(t, 20_000) }},
		{"S47", "host: tunnels", false, func(t *testing.T) {
			nc, err := nats.Connect(v.url, nats.Nkey(v.key.ID(), v.key.Sign))
			if err != nil {
				t.Fatal(err)
			}
			defer nc.Close()
			for n := range 20_000 {
				_ = nc.Publish(fmt.Sprintf("wsh2.up.mutual.%s.villain.%s.AAAAAAAA%d", v.own, v.key.ID(), n), []byte("o\x7f")) // the hub may cut it off
			}
		}},
		{"S47", "host: requests that do not end", false, func(t *testing.T) {
			v.ask(t, "POST /sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 4000000\r\n", make([]byte, 3<<20))
		}},
		{"S47", "host: claims with long patterns", false, func(t *testing.T) {
			claim := `{"rights":1,"confirm":["\\pL{900}","\\pL{901}","\\pL{902}","\\pL{903}"]}`
			v.ask(t, "GET /sessions HTTP/1.1\r\nHost: x\r\nWsh-Claim: "+base64.RawURLEncoding.EncodeToString([]byte(claim))+"\r\n", nil)
		}},
		{"S47", "host: an answer of empty values", false, func(t *testing.T) {
			asked := make(chan struct{}, 100)
			answer := "[" + strings.Repeat("{},", 1_300_000) + "{}]"
			h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.WriteString(w, answer)
				if r.URL.Path == "/sessions" {
					asked <- struct{}{}
				}
			})
			ctx, cancel := context.WithCancel(t.Context())
			var serving sync.WaitGroup
			defer serving.Wait()
			defer cancel()
			v.join(t, "empty", func(tunnel *hubconn.Tunnel) {
				serving.Go(func() {
					greet(t, tunnel)
					session := mux.Server(tunnel, mux.Limits{Conns: 100, Unread: 64 << 20})
					context.AfterFunc(ctx, func() { _ = session.Close() })
					_ = http.Serve(session.Listener(), h)
				})
			})
			wait.Until(t, "its first answer is over", func() bool {
				if list := v.shell.want(t, http.StatusOK, "GET", "/sessions", ""); strings.Contains(list, "raw/") {
					t.Fatalf("%.200s", list)
				}
				return len(asked) > 1
			})
		}},
		{"S47", "host: answers that it does not take", false, func(t *testing.T) {
			v.shell.want(t, 201, "POST", "/sessions", `{"name":"long","command":"seq 1 20000; echo end of it; exec sleep 1000","rows":24,"cols":200}`)
			defer v.shell.want(t, 204, "DELETE", "/sessions/long", "")
			v.shell.until(t, "long", "end of it")
			v.ask(t, "GET /sessions/long/scrollback?format=styled&limit=10000 HTTP/1.1\r\nHost: x\r\n", nil)
		}},
	}
}

func (v *villain) flood(t *testing.T, cards int) {
	t.Helper()
	for range cards {
		v.card(t)
	}
	wait.Until(t, "the villain is listed", func() bool {
		v.card(t)
		return strings.Contains(v.shell.want(t, http.StatusOK, "GET", "/servers", ""), `"villain"`)
	})
}

// join has a host that follows no rules come, until the end of the test.
func (v *villain) join(t *testing.T, run string, accept func(*hubconn.Tunnel)) *hubconn.Tunnels {
	t.Helper()
	conn, err := hubconn.Connect(v.url, v.raw.ID(), nats.Nkey(v.raw.ID(), v.raw.Sign))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	tunnels, err := conn.Tunnels(hub.Mutual, "raw", accept)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tunnels.Close)
	if err := conn.SendCard(hub.Mutual, "raw", fmt.Appendf(nil, `{"run":%q,"n":1,"every_ms":3600000,"protocol":%d}`, run, terminals.Protocol)); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "it is listed", func() bool {
		return strings.Contains(v.shell.want(t, http.StatusOK, "GET", "/servers", ""), v.raw.ID())
	})
	return tunnels
}

// greet introduces that host over a tunnel.
func greet(t *testing.T, tunnel io.ReadWriter) {
	if _, err := fmt.Fprintf(tunnel, "wsh-fleet 3 {\"id\":\"raw\",\"name\":\"raw\",\"protocol\":%d}\n", terminals.Protocol); err != nil {
		t.Error(err)
		return
	}
	for b := []byte{0}; b[0] != '\n'; {
		if _, err := io.ReadFull(tunnel, b); err != nil {
			t.Error(err)
			return
		}
	}
}

// ask sends requests as a host that follows no rules: it sends all at once, as far as the server
// takes them, and reads no answer.
func (v *villain) ask(t *testing.T, request string, body []byte) {
	t.Helper()
	tunnels := v.join(t, request[:8], func(*hubconn.Tunnel) {})
	tunnel, err := tunnels.Dial(t.Context(), hub.Mutual, v.own)
	if err != nil {
		t.Fatal(err)
	}
	greet(t, tunnel)
	session := mux.Client(t.Context(), tunnel, mux.Limits{Conns: 2000, Unread: 64 << 20})
	defer session.Close()
	var asking sync.WaitGroup
	defer asking.Wait()
	for range 400 {
		asking.Go(func() {
			c, err := session.Dial(t.Context())
			if err != nil {
				return // the server has ended it
			}
			defer c.Close()
			_ = c.SetDeadline(time.Now().Add(10 * time.Second))
			_, _ = fmt.Fprintf(c, "%sWsh-Claim: eyJyaWdodHMiOjF9\r\n\r\n%s", request, body) // as far as it goes
			if body == nil {
				wait.Pause(5 * time.Second)
			}
		})
	}
}

// shows are what a host shows to a person and an agent here.
func (v *villain) shows() []attack {
	return []attack{
		{"S48", "host: sequences for a person's terminal", false, func(t *testing.T) {
			v.mu.Lock()
			v.frames = []socketwire.Frame{
				{Kind: socketwire.AttachSessionResponse, Content: []byte(`{"name":"x\u001b]2;y\u0007","id":"1","pid":1}`)},
				{Kind: socketwire.PtyOutput, Content: []byte("ok\x1b]52;c;QQ==\x1b\\\x1b[6n\x1b]8;;vscode://x\x1b\\\x1bP+q544e\x1b\\\a\x1b[21t\x1b]0;title\x07\x1b[?1049h\x1bc\x05\x9b6n")},
				{Kind: socketwire.Failed, Content: []byte(`{"code":"auth_invalid","message":"\u001b[2Jyour token was withdrawn"}`)},
				{Kind: socketwire.PtyOutput, Content: []byte("the end")},
			}
			v.mu.Unlock()
			conn, err := net.Dial("unix", v.shell.socket(t, ""))
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), wait.Patience)
			defer cancel()
			attached, err := client.Attach(ctx, conn, "villain/x", socketwire.Frame{Kind: socketwire.AttachSession, Content: []byte(`{"rows":24,"cols":80,"client":{"escape":"waits"}}`)})
			if err != nil {
				t.Fatal(err)
			}
			defer attached.Close()
			var got strings.Builder
			for !strings.Contains(got.String(), "the end") {
				f, err := attached.Read(ctx)
				if err != nil {
					t.Fatalf("%v after %q", err, got.String())
				}
				if f.Kind == socketwire.Failed && !strings.Contains(string(f.Content), `"not_allowed"`) {
					t.Errorf("a failure is %s", f.Content)
				}
				got.Write(f.Content)
			}
			for _, bad := range []string{"\x1b]52", "\x1b[6n", "vscode", "\x1bP", "\a", "\x1b[21t", "title", "1049", "\x1bc", "\x05", "\x9b", `\u001b`, "token"} {
				if strings.Contains(got.String(), bad) {
					t.Errorf("%q reaches the terminal: %q", bad, got.String())
				}
			}
		}},
		{"S48", "host: names in the list of sessions", false, func(t *testing.T) {
			wait.Until(t, "the session is listed", func() bool {
				list := v.shell.want(t, http.StatusOK, "GET", "/sessions", "")
				if strings.Contains(list, `\u001b`) {
					t.Fatal(list)
				}
				return strings.Contains(list, "villain/a]52")
			})
		}},
		{"S49", "host: errors that only this server can report", false, func(t *testing.T) {
			defer func() {
				v.mu.Lock()
				v.fails = nil
				v.mu.Unlock()
			}()
			for detail, want := range map[fault.Detail]string{terminals.Withdrawn: "not_allowed", registry.Stopping: "host_silent", terminals.HostAway: "host_silent", terminals.ServerNotFound: "precondition_failed", "made_up": "precondition_failed"} {
				v.mu.Lock()
				v.fails = fault.With(detail, fault.New(fault.Gone, "\x1b[2Jyour token was withdrawn"))
				v.mu.Unlock()
				_, text := v.shell.do(t, "GET", "/sessions/villain%2Fx", "")
				var answer struct {
					Error struct{ Code, Message string }
				}
				if err := json.Unmarshal([]byte(text), &answer); err != nil || answer.Error.Code != want || !strings.HasPrefix(answer.Error.Message, "villain: ") || strings.Contains(answer.Error.Message, "\x1b") {
					t.Errorf("%s becomes %s", detail, text)
				}
			}
		}},
	}
}

// lowered is what a host does whose role is another one now. It is the last attack: what it had at
// the hub does not come back.
func (v *villain) lowered() []attack {
	return []attack{
		{"S46", "desk: it goes on when it is a worker", true, func(t *testing.T) {
			f, err := terminals.Follow.Open(t.Context(), v.host, terminals.Everything, terminals.None{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := v.hub.ReloadOptions(v.settings(t, keys.Worker)); err != nil {
				t.Fatal(err)
			}
			if _, err := f.Next(t.Context()); err == nil {
				t.Error("it learns what happens")
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			if _, err := terminals.ListSessions.Do(ctx, v.host, terminals.Everything, terminals.SessionFilter{}); err == nil {
				t.Error("it lists sessions")
			}
		}},
	}
}

// A host of a hub attacks the others, as a worker and as a desk.
func TestHosts(t *testing.T) {
	beside(t)
	v := startVillain(t)
	v.shell.face(v.forgeries()...)
	v.shell.face(v.roles()...)
	v.shell.face(v.floods()...)
	v.shell.face(v.shows()...)
	v.shell.face(v.lowered()...)
}
