package remote_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/remote"
	"ui-mcp/internal/fleet/stream"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
)

// A network carries messages between hosts, and does what it is told wrong.
type network struct {
	busy sync.WaitGroup

	mu      sync.Mutex // guards the fields below
	random  *rand.Rand
	lose    float64       // the part of messages that it loses
	repeat  float64       // the part that it delivers twice
	delay   time.Duration // of each message, at most; the order is kept
	cut     bool          // it loses all
	hosts   map[string]*host
	sent    map[remote.Kind]int // how many messages were sent
	bytes   int
	opening []remote.Message // what has opened streams
}

// A host is one at the network.
type host struct {
	n     *network
	id    string
	queue chan delayed
	done  chan struct{}
	stop  sync.Once

	mu      sync.Mutex
	receive func(remote.Message)
}

type delayed struct {
	remote.Message
	at time.Time
}

func newNetwork(t *testing.T) *network {
	n := &network{random: rand.New(rand.NewPCG(1, 2)), hosts: map[string]*host{}, sent: map[remote.Kind]int{}}
	t.Cleanup(n.busy.Wait)
	return n
}

// connect connects a host.
func (n *network) connect(t *testing.T, id string) *host {
	h := &host{n: n, id: id, queue: make(chan delayed, 10_000), done: make(chan struct{})}
	n.mu.Lock()
	n.hosts[id] = h
	n.mu.Unlock()
	n.busy.Go(func() {
		for {
			select {
			case m := <-h.queue:
				time.Sleep(time.Until(m.at))
				h.mu.Lock()
				f := h.receive
				h.mu.Unlock()
				if f != nil {
					f(m.Message)
				}
			case <-h.done:
				return
			}
		}
	})
	t.Cleanup(h.kill)
	return h
}

// kill takes a host from the network.
func (h *host) kill() { h.stop.Do(func() { close(h.done) }) }

func (n *network) set(f func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	f()
}

func (h *host) Self() string          { return h.id }
func (h *host) Done() <-chan struct{} { return h.done }
func (h *host) Err() error            { return errors.New("killed") }

func (h *host) Receive(f func(remote.Message)) (func(), error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.receive = f
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.receive = nil
	}, nil
}

func (h *host) Send(_ context.Context, m remote.Message) error {
	select {
	case <-h.done:
		return fault.With(terminals.HubAway, fault.New(fault.Unreachable, "the hub is away"))
	default:
	}
	n := h.n
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sent[m.Kind]++
	n.bytes += len(m.Data)
	to := n.hosts[m.Peer]
	if m.Kind == remote.Open {
		n.opening = append(n.opening, m)
	}
	if to == nil {
		if m.Kind == remote.Open {
			h.queue <- delayed{remote.Message{Peer: m.Peer, Kind: remote.Absent, Stream: m.Stream}, time.Now()}
		}
		return nil
	}
	if n.cut || n.random.Float64() < n.lose {
		return nil
	}
	m.Peer, m.Data = h.id, bytes.Clone(m.Data)
	for copies := 1 + map[bool]int{true: 1}[n.random.Float64() < n.repeat]; copies > 0; copies-- {
		at := time.Now()
		if n.delay > 0 {
			at = at.Add(time.Duration(n.random.Int64N(int64(n.delay))))
		}
		to.queue <- delayed{m, at}
	}
	return nil
}

// A world is two hosts at a network.
type world struct {
	*network
	there *remote.Link
	host  *remote.Host     // there, as it is seen here
	local *terminals.Local // what is there
	dead  *host            // there
	grant terminals.Grant  // what the host here may do; guarded by network.mu
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{network: newNetwork(t), grant: terminals.Everything}
	w.local = opcases.New(t, opcases.Case{})
	w.dead = w.connect(t, "there")
	here := newLink(t, w.connect(t, "here"), nil)
	var err error
	w.there, err = remote.NewLink(remote.Options{Conn: w.dead, Terminals: w.local, Allow: func(string) (by terminals.Grant, ok bool) {
		w.set(func() { by = w.grant })
		return by, by.Rights != 0
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.there.Close)
	w.host = here.Host("there", "build1")
	return w
}

var all = terminals.Everything

// wantError checks an error of the way.
func wantError(t *testing.T, err error, kind fault.Kind, detail fault.Detail, says string) {
	t.Helper()
	if err == nil || fault.KindOf(err) != kind || fault.DetailOf(err) != detail || !strings.Contains(err.Error(), says) {
		t.Errorf("%v (%v, %q), want %v, %q, with %q", err, fault.KindOf(err), fault.DetailOf(err), kind, detail, says)
	}
}

const maybeDone = "may have been done, or not"

// TestNeverSent asks hosts that cannot be reached.
func TestNeverSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		nobody := newLink(t, w.connect(t, "other"), nil).Host("nobody", "build2")
		_, err := terminals.GetServer.Do(t.Context(), nobody, all, terminals.None{})
		wantError(t, err, fault.Unreachable, terminals.HostAway, "host build2 is not connected now")
		if _, err := nobody.Follow(t.Context(), all); err == nil {
			t.Error("a host that is away delivers")
		}
		w.hosts["here"].kill()
		_, err = terminals.GetServer.Do(t.Context(), w.host, all, terminals.None{})
		wantError(t, err, fault.Unreachable, terminals.HubAway, "cannot be reached")
	})
}

// TestKilled kills a host in the middle of everything: each caller gets an error of the way in
// time.
func TestKilled(t *testing.T) {
	for name, stop := range map[string]func(w *world){
		"the host":        func(w *world) { w.dead.kill() },
		"the way":         func(w *world) { w.set(func() { w.cut = true }) },
		"our own network": func(w *world) { w.hosts["here"].kill() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				target := terminals.Target{Session: "a"}
				watcher, err := w.host.Watch(t.Context(), all, terminals.WatchQuery{Target: target, Events: []string{"lines"}})
				if err != nil {
					t.Fatal(err)
				}
				defer watcher.Close()
				output, err := w.host.Output(t.Context(), all, terminals.OutputQuery{Target: terminals.Target{Session: "a"}})
				if err != nil {
					t.Fatal(err)
				}
				defer output.Close()
				client, err := w.host.Join(t.Context(), all, "a", term.ClientOptions{})
				if err != nil {
					t.Fatal(err)
				}
				defer client.Close()
				lifecycle, err := w.host.Follow(t.Context(), all)
				if err != nil {
					t.Fatal(err)
				}
				defer lifecycle.Close()
				wait := uint64(300_000)
				calls := map[string]func() error{
					"wait": func() error {
						_, err := terminals.AwaitText.Do(t.Context(), w.host, all, terminals.TextQuery{Target: target, Text: "never", Deadline: terminals.Deadline{MaxWaitMS: &wait}})
						return err
					},
					"watch": func() (err error) {
						for err == nil {
							_, err = watcher.Next(t.Context())
						}
						return err
					},
					"output": func() (err error) {
						for err == nil {
							_, err = output.Next(t.Context())
						}
						return err
					},
					"join": func() error { return client.AwaitLoss(t.Context()) },
					"follow": func() (err error) {
						for err == nil {
							_, _, err = lifecycle.Next(t.Context())
						}
						return err
					},
				}
				start := time.Now()
				var waiting sync.WaitGroup
				for name, call := range calls {
					waiting.Go(func() {
						err := call()
						wantError(t, err, fault.Unreachable, terminals.HostSilent, maybeDone)
						if after := time.Since(start) - time.Minute; after > stream.Silence {
							t.Errorf("%s has waited for %v", name, after)
						}
					})
				}
				time.Sleep(time.Minute) // nothing happens for longer than a host may be silent
				stop(w)
				waiting.Wait()
				select {
				case <-client.Detached():
					t.Error("nobody has seen the program end")
				default:
				}
			})
		})
	}
}

// TestDone has operations cross networks of every kind: an operation that is said to be done can be
// read, each is carried out once at most, and all answers are whole.
func TestDone(t *testing.T) {
	for seed := range uint64(8) {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			w.random = rand.New(rand.NewPCG(seed, 0))
			w.lose, w.repeat, w.delay = w.random.Float64()/10, w.random.Float64()/3, time.Duration(w.random.IntN(400))*time.Millisecond
			done, lost := 0, 0
			for n := range 60 {
				tag := fmt.Sprintf("t%d", n)
				_, err := terminals.UpdateSession.Do(t.Context(), w.host, all, terminals.NewLabel{Target: terminals.Target{Session: "a"}, AddTags: []string{tag}})
				if err != nil { // what opens a stream is sent once
					wantError(t, err, fault.Unreachable, terminals.HostSilent, maybeDone)
					lost++
					continue
				}
				done++
				s, err := terminals.GetSession.Do(t.Context(), w.local, all, terminals.Target{Session: "a"})
				if err != nil || !strings.Contains(strings.Join(s.Tags, " ")+" ", tag+" ") {
					t.Errorf("%s was done, and there is %v, %v", tag, s.Tags, err)
				}
			}
			if done == 0 || w.lose < 0.001 && lost > 0 {
				t.Errorf("seed %d: %d done, %d lost", seed, done, lost)
			}
		})
	}
}

// TestOnce opens a stream again, as a network that repeats messages late does.
func TestOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		for range 3 {
			if _, err := terminals.SendInput.Do(t.Context(), w.host, all, terminals.Input{Target: terminals.Target{Session: "a"}, Data: []byte("x")}); err != nil {
				t.Fatal(err)
			}
		}
		for _, m := range w.opening {
			if err := w.hosts["here"].Send(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Minute)
		s, err := terminals.GetScreen.Do(t.Context(), w.local, all, terminals.ScreenQuery{Target: terminals.Target{Session: "a"}, Formatted: terminals.Formatted{Format: "plain"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Lines.([]string)[1]; got != "$ xxx" {
			t.Errorf("the screen has %q", got)
		}
	})
}

// TestCancel has a caller give up: the operation ends on the other host, even if that is not told.
func TestCancel(t *testing.T) {
	for _, lost := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error)
			go func() {
				_, err := terminals.AwaitExit.Do(ctx, w.host, all, terminals.ExitQuery{Target: terminals.Target{Session: "a"}, Deadline: terminals.Deadline{MaxWaitMS: new(uint64(300_000))}})
				done <- err
			}()
			synctest.Wait()
			if n := w.there.Under("here"); n != 1 {
				t.Errorf("%d operations are under way", n)
			}
			w.set(func() { w.cut = lost })
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			synctest.Wait()
			w.set(func() { w.cut = false })
			if lost {
				time.Sleep(stream.Silence)
			}
			synctest.Wait()
			if n := w.there.Under("here"); n != 0 {
				t.Errorf("afterwards, %d operations are under way", n)
			}
		})
	}
}

// TestLimits opens more than a host takes: what is too much is refused, and nothing waits for it.
func TestLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		ctx, cancel := context.WithCancel(t.Context())
		var calls sync.WaitGroup
		for range remote.MaxCalls {
			calls.Go(func() {
				_, _ = terminals.AwaitExit.Do(ctx, w.host, all, terminals.ExitQuery{Target: terminals.Target{Session: "a"}, Deadline: terminals.Deadline{MaxWaitMS: new(uint64(300_000))}})
			})
		}
		synctest.Wait()
		_, err := terminals.GetServer.Do(t.Context(), w.host, all, terminals.None{})
		wantError(t, err, fault.Exhausted, "", "256 operations")
		f, err := w.host.Follow(t.Context(), all) // streams are counted for themselves
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		cancel()
		calls.Wait()
		synctest.Wait()
		if _, err := terminals.GetServer.Do(t.Context(), w.host, all, terminals.None{}); err != nil {
			t.Errorf("when they have ended: %v", err)
		}
	})
}

// TestWithdraw takes a host's rights away while everything is under way: all of it ends, also that
// which is attached, and the host can do nothing any more.
func TestWithdraw(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		f, err := w.host.Follow(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		o, err := w.host.Output(t.Context(), all, terminals.OutputQuery{Target: terminals.Target{Session: "a"}})
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		waiting := make(chan error)
		go func() {
			_, err := terminals.AwaitExit.Do(t.Context(), w.host, all, terminals.ExitQuery{Target: terminals.Target{Session: "a"}, Deadline: terminals.Deadline{MaxWaitMS: new(uint64(300_000))}})
			waiting <- err
		}()
		if _, err := o.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		w.set(func() { w.grant = terminals.Grant{} })
		w.there.Withdraw("here")
		w.there.Withdraw("stranger")
		wantError(t, <-waiting, fault.Precondition, terminals.NotAllowed, "have changed")
		for err = nil; err == nil; {
			_, _, err = f.Next(t.Context())
		}
		wantError(t, err, fault.Precondition, terminals.NotAllowed, "have changed")
		_, err = o.Next(t.Context())
		wantError(t, err, fault.Precondition, terminals.NotAllowed, "have changed")
		_, err = terminals.GetServer.Do(t.Context(), w.host, all, terminals.None{})
		wantError(t, err, fault.Precondition, terminals.NotAllowed, "wsh servers accept")
		w.set(func() { w.grant = terminals.Grant{Rights: terminals.Read} })
		if s, err := terminals.GetServer.Do(t.Context(), w.host, all, terminals.None{}); err != nil || strings.Join(s.Rights, " ") != "read" {
			t.Errorf("with other rights: %v, %v", s.Rights, err)
		}
		_, err = terminals.SendInput.Do(t.Context(), w.host, all, terminals.Input{Target: terminals.Target{Session: "a"}, Data: []byte("x")})
		wantError(t, err, fault.Precondition, terminals.NotAllowed, "right to type")
	})
}

// TestSlowReader has one reader take nothing: others go on, and it gets the newest screen soon
// after it has come back.
func TestSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		in := terminals.WatchQuery{Target: terminals.Target{Session: "a"}, Events: []string{"lines"}, IntervalMS: new(uint64(0))}
		slow, err := w.host.Watch(t.Context(), all, in)
		if err != nil {
			t.Fatal(err)
		}
		defer slow.Close()
		o, err := w.host.Output(t.Context(), all, terminals.OutputQuery{Target: terminals.Target{Session: "a"}})
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		for n := range 500 {
			line := fmt.Sprintf("%d%s\r", n, strings.Repeat("x", 5000))
			if _, err := terminals.SendInput.Do(t.Context(), w.host, all, terminals.Input{Target: in.Target, Data: []byte(line)}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		if _, err := terminals.SendInput.Do(t.Context(), w.host, all, terminals.Input{Target: in.Target, Data: []byte("\x1b[H\x1b[Jnewest")}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		for n := 0; ; n++ {
			events, err := slow.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			text := fmt.Sprint(events)
			if strings.Contains(text, "newest") {
				break
			}
			if n > 4 {
				t.Fatalf("after %d reports, the newest screen is not there", n)
			}
		}
		// A reader of output that has not read gets the exact state.
		var last []byte
		for !bytes.Contains(last, []byte("newest")) {
			if last, err = o.Next(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestLarge sends long inputs and gets long answers: both are whole.
func TestLarge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.delay = 10 * time.Millisecond
		w.lose = 0.02
		text := make([]byte, 0, 1<<20)
		for n := 0; len(text) < 500_000; n++ {
			text = fmt.Appendf(text, "%d ", n)
		}
		limit := uint64(10_000)
		for failures := 0; ; failures++ {
			_, err := terminals.CreateSession.Do(t.Context(), w.host, all, terminals.NewSession{Name: "long", Command: string(text)})
			if err == nil {
				break
			}
			wantError(t, err, fault.Unreachable, terminals.HostSilent, maybeDone) // its beginning was lost
			if failures == 5 {
				t.Fatal("nothing arrives")
			}
		}
		synctest.Wait()
		page, err := terminals.GetScrollback.Do(t.Context(), w.host, all, terminals.ScrollbackQuery{Target: terminals.Target{Session: "long"}, Formatted: terminals.Formatted{Format: "plain"}, Limit: &limit})
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, line := range page.Lines.([]string) {
			got.WriteString(line + strings.Repeat(" ", 80-len(line)))
		}
		if strings.TrimRight(got.String(), " ") != strings.TrimRight(string(text), " ") {
			t.Errorf("%d of %d bytes arrive", got.Len(), len(text))
		}
	})
}
