package remote_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/remote"
	"ui-mcp/internal/fleet/stream"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/socketwire"
)

// A person is at a terminal that is attached to a session of another host. It is the server's end
// of the connection, too.
type person struct {
	t    *testing.T
	sent chan socketwire.Frame
	got  chan socketwire.Frame
	gone chan struct{} // closed when the connection is
	once sync.Once
	left chan error // what Serve has returned
}

// attach begins to serve a person's terminal.
func attach(t *testing.T, ctx context.Context, k socketwire.Kind, request string, o attachedterm.Options) *person {
	t.Helper()
	p := &person{t: t, sent: make(chan socketwire.Frame, 100), got: make(chan socketwire.Frame, 1000), gone: make(chan struct{}), left: make(chan error, 1)}
	go func() {
		err := attachedterm.Serve(ctx, p, socketwire.Frame{Kind: k, Content: []byte(request)}, o)
		attachedterm.Fail(p, err)
		p.Close()
		p.left <- err
	}()
	t.Cleanup(func() { p.Close() })
	return p
}

func (p *person) Read() (socketwire.Frame, error) {
	select {
	case f := <-p.sent:
		return f, nil
	case <-p.gone:
		return socketwire.Frame{}, fault.Wrap(fault.Internal, io.EOF, "read")
	}
}

func (p *person) Write(k socketwire.Kind, b []byte) error {
	select {
	case p.got <- socketwire.Frame{Kind: k, Content: b}:
		return nil
	case <-p.gone:
		return io.ErrClosedPipe
	}
}

func (p *person) Close() error {
	p.once.Do(func() { close(p.gone) })
	return nil
}

func (p *person) send(k socketwire.Kind, content string) {
	p.sent <- socketwire.Frame{Kind: k, Content: []byte(content)}
}

// next returns the next frame of a kind that contains a text.
func (p *person) next(k socketwire.Kind, text string) socketwire.Frame {
	p.t.Helper()
	for {
		select {
		case f := <-p.got:
			if f.Kind == k && strings.Contains(string(f.Content), text) {
				return f
			}
			if f.Kind == socketwire.Failed {
				p.t.Fatalf("%s", f.Content)
			}
		case <-p.gone:
			select {
			case f := <-p.got:
				if f.Kind == k && strings.Contains(string(f.Content), text) {
					return f
				}
				continue
			default:
			}
			p.t.Fatalf("the connection was closed before frame %02x with %q", byte(k), text)
		}
	}
}

// end returns why the person was detached.
func (p *person) end() (e socketwire.End) {
	p.t.Helper()
	if err := json.Unmarshal(p.next(socketwire.Detach, "").Content, &e); err != nil {
		p.t.Fatal(err)
	}
	return e
}

// A fleet has the sessions of one host, under its name.
type fleet struct {
	*terminals.Local // of this host
	host             *remote.Host
}

func (f fleet) Route(session string) (terminals.Terminals, string, error) {
	if strings.HasPrefix(session, "build1/") {
		return f.host, "build1/", nil
	}
	return f.Local, "", nil
}

const request = `{"name":"build1/a","rows":6,"cols":30,"client":{"escape":"passes","paced":true,"name":"me"}}`

// TestAttach attaches a terminal to a session of another host, by its name there, and does what
// persons do.
func TestAttach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.delay = time.Millisecond
		o := attachedterm.Options{Terminals: fleet{w.local, w.host}, By: all}
		p := attach(t, t.Context(), socketwire.AttachSession, request, o)
		about := p.next(socketwire.AttachSessionResponse, "")
		if d := string(about.Content); !strings.Contains(d, `"name":"build1/a"`) || !strings.Contains(d, `"id":"build1/`) || !strings.Contains(d, `"client":"me"`) {
			t.Errorf("the answer is %s", d)
		}
		p.next(socketwire.PtyOutput, "hello")
		p.send(socketwire.Drawn, "")
		p.send(socketwire.StdinInput, "typed")
		p.next(socketwire.PtyOutput, "typed")
		p.send(socketwire.Drawn, "")
		p.send(socketwire.Resize, `{"rows":5,"cols":25}`)
		p.next(socketwire.PtyOutput, "")
		s, err := terminals.GetSession.Do(t.Context(), w.local, all, terminals.Target{Session: "a"})
		if err != nil || s.Rows != 5 || s.Cols != 25 || s.Clients != 1 {
			t.Errorf("%+v, %v", s, err)
		}
		if _, err := terminals.UpdateSession.Do(t.Context(), w.local, all, terminals.NewLabel{Target: terminals.Target{Session: "a"}, Name: new("b")}); err != nil {
			t.Fatal(err)
		}
		p.send(socketwire.Detach, "")
		if e := p.end(); e.Reason != socketwire.Detached || e.Name != "build1/b" {
			t.Errorf("%+v", e)
		}
		if err := <-p.left; err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if s, err := terminals.GetSession.Do(t.Context(), w.local, all, terminals.Target{Session: "b"}); err != nil || s.Clients != 0 {
			t.Errorf("afterwards: %+v, %v", s, err)
		}

		// A session that it creates there, until its program ends.
		p = attach(t, t.Context(), socketwire.CreateSession, `{"name":"build1/new","rows":6,"cols":30,"command":"here> ","client":{"escape":"passes"}}`, o)
		p.next(socketwire.CreateSessionResponse, `"name":"build1/new"`)
		p.next(socketwire.PtyOutput, "here>")
		if _, err := terminals.SignalSession.Do(t.Context(), w.local, all, terminals.SignalName{Target: terminals.Target{Session: "new"}, Signal: "TERM"}); err != nil {
			t.Fatal(err)
		}
		if e := p.end(); e.Reason != socketwire.Exited || e.Code != 143 {
			t.Errorf("%+v", e)
		}
		<-p.left

		// What cannot be attached is an error, as on this host.
		for _, name := range []string{"build1/none", "none"} {
			p := attach(t, t.Context(), socketwire.AttachSession, strings.Replace(request, "build1/a", name, 1), o)
			if err := <-p.left; fault.KindOf(err) != fault.NotFound {
				t.Errorf("%s: %v", name, err)
			}
		}
		p = attach(t, t.Context(), socketwire.AttachSession, strings.Replace(request, "build1/a", "b", 1), o)
		p.next(socketwire.AttachSessionResponse, `"name":"b"`)
		p.Close()
		<-p.left
	})
}

// TestAttachOnlyLooks attaches a terminal whose person may not type there: it says so, with the
// name that the session has here.
func TestAttachOnlyLooks(t *testing.T) {
	held := terminals.Grant{Rights: terminals.AllRights, Guest: true, Confirm: []*regexp.Regexp{regexp.MustCompile("rm")}}
	for name, c := range map[string]struct{ limit, by terminals.Grant }{
		"its caller may not type":             {all, terminals.Grant{Rights: terminals.Read}},
		"lines of guests are held back there": {held, all},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.grant = c.limit
				p := attach(t, t.Context(), socketwire.AttachSession, `{"name":"build1/a","rows":6,"cols":60,"client":{"escape":"passes","greeting":"help"}}`, attachedterm.Options{Terminals: fleet{w.local, w.host}, By: c.by})
				p.next(socketwire.PtyOutput, "build1/a  you may only look here  help")
				p.Close()
				<-p.left
			})
		})
	}
}

// TestGuestIsNoPerson types at a terminal that a host has attached, to a session that asks persons
// who may type: what a guest types is a program's, also in a session that it creates itself.
func TestGuestIsNoPerson(t *testing.T) {
	const client = `"rows":6,"cols":60,"client":{"escape":"passes"}`
	for name, begin := range map[string]func(t *testing.T, w *world, o attachedterm.Options) *person{
		"attached": func(t *testing.T, w *world, o attachedterm.Options) *person {
			if _, err := terminals.CreateSession.Do(t.Context(), w.local, all, terminals.NewSession{Name: "new", Command: "here> ", AskToType: true}); err != nil {
				t.Fatal(err)
			}
			return attach(t, t.Context(), socketwire.AttachSession, `{"name":"build1/new",`+client+`}`, o)
		},
		"created": func(t *testing.T, w *world, o attachedterm.Options) *person {
			return attach(t, t.Context(), socketwire.CreateSession, `{"name":"build1/new","command":"here> ","ask_to_type":true,`+client+`}`, o)
		},
	} {
		for _, guest := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, guest %v", name, guest), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					w := newWorld(t)
					w.grant.Guest = guest
					p := begin(t, w, attachedterm.Options{Terminals: fleet{w.local, w.host}, By: all})
					p.next(socketwire.PtyOutput, "here>")
					p.send(socketwire.StdinInput, "typed")
					time.Sleep(time.Second)
					s, err := terminals.GetScreen.Do(t.Context(), w.local, all, terminals.ScreenQuery{Target: terminals.Target{Session: "new"}})
					if err != nil || strings.Contains(fmt.Sprint(s), "typed") == guest {
						t.Errorf("the screen is %v, %v", s, err)
					}
					p.Close()
					<-p.left
				})
			})
		}
	}
}

// TestAttachEnds ends the connection of an attached terminal in every way: the person learns why,
// and nobody is left on the other host.
func TestAttachEnds(t *testing.T) {
	for name, tt := range map[string]struct {
		stop func(w *world, p *person, cancel func())
		code string // of the failure
		end  string // reason of the end, if there is no failure
	}{
		"the client goes":  {stop: func(_ *world, p *person, _ func()) { p.Close() }},
		"this host stops":  {stop: func(_ *world, _ *person, cancel func()) { cancel() }, end: socketwire.Stopping},
		"the host stops":   {stop: func(w *world, _ *person, _ func()) { w.there.Close() }, code: string(terminals.HostSilent)},
		"the host dies":    {stop: func(w *world, _ *person, _ func()) { w.dead.kill() }, code: string(terminals.HostSilent)},
		"the way breaks":   {stop: func(w *world, _ *person, _ func()) { w.set(func() { w.cut = true }) }, code: string(terminals.HostSilent)},
		"rights withdrawn": {stop: func(w *world, _ *person, _ func()) { w.there.Withdraw("here") }, code: string(terminals.NotAllowed)},
		"session removed": {stop: func(w *world, _ *person, _ func()) {
			_, _ = terminals.RemoveSession.Do(context.Background(), w.local, all, terminals.Target{Session: "a"})
		}, end: socketwire.Removed},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				p := attach(t, ctx, socketwire.AttachSession, request, attachedterm.Options{Terminals: fleet{w.local, w.host}, By: all})
				p.next(socketwire.PtyOutput, "hello")
				p.send(socketwire.Drawn, "")
				time.Sleep(time.Minute)
				start := time.Now()
				tt.stop(w, p, cancel)
				if err := <-p.left; err != nil {
					t.Error(err)
				}
				if after := time.Since(start); after > stream.Silence {
					t.Errorf("it has taken %v", after)
				}
				if tt.code != "" {
					for f := range drain(p) {
						if f.Kind == socketwire.Detach {
							t.Errorf("the person is told %s", f.Content)
						}
						if f.Kind == socketwire.Failed && strings.Contains(string(f.Content), tt.code) {
							tt.code = ""
						}
					}
					if tt.code != "" {
						t.Errorf("the failure %s is missing", tt.code)
					}
				}
				if tt.end != "" {
					// A program that is killed since its session is removed may end first.
					if e := p.end(); e.Reason != tt.end && !(tt.end == socketwire.Removed && e.Reason == socketwire.Exited && e.Signal == "SIGHUP") {
						t.Errorf("%+v", e)
					}
				}
				time.Sleep(time.Minute)
				if n := w.there.Under("here"); n != 0 {
					t.Errorf("%d streams are left", n)
				}
			})
		})
	}
}

// drain returns the frames that a person has got.
func drain(p *person) func(func(socketwire.Frame) bool) {
	return func(yield func(socketwire.Frame) bool) {
		for {
			select {
			case f := <-p.got:
				if !yield(f) {
					return
				}
			default:
				return
			}
		}
	}
}

// TestKeystroke counts what crosses for a key and its echo: a message each way, and no answer is
// waited for in between.
func TestKeystroke(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		p := attach(t, t.Context(), socketwire.AttachSession, request, attachedterm.Options{Terminals: fleet{w.local, w.host}, By: all})
		p.next(socketwire.PtyOutput, "hello")
		p.send(socketwire.Drawn, "")
		time.Sleep(time.Second)
		var before map[remote.Kind]int
		w.set(func() {
			before = map[remote.Kind]int{remote.Up: w.sent[remote.Up], remote.Down: w.sent[remote.Down]}
			w.bytes = 0
		})
		p.send(socketwire.StdinInput, "k")
		p.next(socketwire.PtyOutput, "k")
		w.set(func() {
			up, down := w.sent[remote.Up]-before[remote.Up], w.sent[remote.Down]-before[remote.Down]
			if up != 1 || down != 1 || w.bytes > 200 {
				t.Errorf("%d messages there, %d back, %d bytes", up, down, w.bytes)
			}
			t.Logf("%d bytes", w.bytes)
		})
		p.Close()
		<-p.left
	})
}

// TestAttachFlood has a slow terminal watch a flood: it gets the newest picture soon, not the ones
// on the way to it.
func TestAttachFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		p := attach(t, t.Context(), socketwire.AttachSession, request, attachedterm.Options{Terminals: fleet{w.local, w.host}, By: all})
		p.next(socketwire.PtyOutput, "hello")
		for n := range 1000 { // the person's terminal has not drawn the first picture yet
			text := strings.Repeat("x", 100) + "\r"
			if n == 999 {
				text = "newest"
			}
			if _, err := terminals.SendInput.Do(t.Context(), w.local, all, terminals.Input{Target: terminals.Target{Session: "a"}, Data: []byte(text)}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Millisecond)
		}
		p.send(socketwire.Drawn, "")
		if f := p.next(socketwire.PtyOutput, ""); !strings.Contains(string(f.Content), "newest") {
			t.Errorf("the next picture is %q", f.Content)
		}
		p.Close()
		<-p.left
	})
}
