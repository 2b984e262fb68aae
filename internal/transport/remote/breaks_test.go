package remote

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/socketwire"
)

// A counted host counts what is under way there.
type counted struct {
	*terminals.Local
	under atomic.Int64
}

func (c *counted) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	c.under.Add(1)
	defer c.under.Add(-1)
	return c.Local.Do(ctx, by, o, in, out)
}

func exitOf(session string) terminals.ExitQuery {
	return terminals.ExitQuery{Target: terminals.Target{Session: session}, Deadline: terminals.Deadline{MaxWaitMS: new(uint64(300_000))}}
}

// TestEnds ends the connection in the middle of everything: each caller
// learns why, and nothing is left there.
func TestEnds(t *testing.T) {
	for name, stop := range map[string]func(w *world){
		"the network breaks": func(w *world) { _ = w.there.Close() },
		"this host leaves":   func(w *world) { w.Close() },
		"the host stops":     func(w *world) { w.stop() },
	} {
		t.Run(name, func(t *testing.T) {
			there := &counted{Local: opcases.New(t, opcases.Case{})}
			w := serve(t, there, all)
			target := terminals.Target{Session: "a"}
			watcher, err := terminals.Watch.Open(t.Context(), w, all, terminals.WatchQuery{Target: target, Events: []string{"lines"}})
			if err != nil {
				t.Fatal(err)
			}
			defer watcher.Close()
			output, err := terminals.ReadOutput.Open(t.Context(), w, all, terminals.OutputQuery{Target: target})
			if err != nil {
				t.Fatal(err)
			}
			defer output.Close()
			client, err := terminals.Join.Open(t.Context(), w, all, terminals.JoinQuery{Target: target})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			lifecycle, err := terminals.Follow.Open(t.Context(), w, all, terminals.None{})
			if err != nil {
				t.Fatal(err)
			}
			defer lifecycle.Close()
			p := attach(t, w, frameOf(socketwire.AttachSession, `{"name":"a","rows":6,"cols":60,"client":{}}`), attachedterm.Options{By: all})
			p.await(t, socketwire.PtyOutput, "hello")
			var waiting sync.WaitGroup
			for name, call := range map[string]func() error{
				"wait": func() error {
					_, err := terminals.AwaitExit.Do(t.Context(), w, all, exitOf("a"))
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
				"follow": func() (err error) {
					for err == nil {
						_, err = lifecycle.Next(t.Context())
					}
					return err
				},
				"join": func() error { // nobody has seen the program end
					_, err := client.Next(t.Context())
					return err
				},
				"attached": func() error {
					f := p.await(t, socketwire.Failed, string(terminals.HostSilent))
					return fault.With(terminals.HostSilent, fault.New(fault.Unreachable, "%s", f.Content))
				},
			} {
				waiting.Go(func() {
					err := call()
					if wantError(t, err, fault.Unreachable, terminals.HostSilent, maybe); t.Failed() {
						t.Log(name)
					}
				})
			}
			wait.Until(t, "the call waits", func() bool { return there.under.Load() == 1 })
			stop(w)
			waiting.Wait()
			wait.Until(t, "nothing is left", func() bool {
				s, err := terminals.GetSession.Do(t.Context(), there.Local, all, target)
				return there.under.Load() == 0 && err == nil && s.Clients == 0
			})
			_, err = terminals.SendInput.Do(t.Context(), w, all, terminals.Input{Target: target, Data: []byte("x")})
			// It may be unknown whether what is asked for afterwards was done.
			if detail := fault.DetailOf(err); detail != terminals.HostAway && detail != terminals.HostSilent {
				t.Errorf("afterwards: %v (%q)", err, detail)
			}
		})
	}
}

// Rights hold for what is asked for after they have changed, on the same connection.
func TestOtherRights(t *testing.T) {
	w := serve(t, opcases.New(t, opcases.Case{}), all)
	w.allows(terminals.Grant{Rights: terminals.Read})
	if s, err := terminals.GetServer.Do(t.Context(), w, all, terminals.None{}); err != nil || strings.Join(s.Rights, " ") != "read" {
		t.Errorf("%v, %v", s.Rights, err)
	}
	_, err := terminals.SendInput.Do(t.Context(), w, all, terminals.Input{Target: terminals.Target{Session: "a"}, Data: []byte("x")})
	wantError(t, err, fault.Precondition, terminals.NotAllowed, "right to type")
	w.allows(terminals.Grant{})
	_, err = terminals.GetServer.Do(t.Context(), w, all, terminals.None{})
	wantError(t, err, fault.Precondition, terminals.NotAllowed, "role there")
}

// An operation whose caller gives up ends on the other host, and a long input and answer are whole.
func TestCancel(t *testing.T) {
	there := &counted{Local: opcases.New(t, opcases.Case{})}
	w := serve(t, there, all)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := terminals.AwaitExit.Do(ctx, w, all, exitOf("a"))
		done <- err
	}()
	wait.Until(t, "it waits", func() bool { return there.under.Load() == 1 })
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	wait.Until(t, "it has ended", func() bool { return there.under.Load() == 0 })
	text := make([]byte, 0, 1<<20)
	for n := 0; len(text) < 500_000; n++ {
		text = fmt.Appendf(text, "%d ", n)
	}
	s, err := terminals.CreateSession.Do(t.Context(), w, all, terminals.NewSession{Name: "long", Command: string(text)})
	if err != nil || s.Command != string(text) {
		t.Errorf("%d bytes, %v", len(s.Command), err)
	}
}

// A stuck host answers questions about sessions at length, and other questions never.
type stuck struct {
	terminals.Terminals
	answer string
}

func (s *stuck) Do(ctx context.Context, _ terminals.Grant, o *terminals.Operation, _, out any) error {
	if out, ok := out.(*wire.Session); ok && o == &terminals.GetSession.Operation {
		out.Command = s.answer
		return nil
	}
	<-ctx.Done()
	return context.Cause(ctx)
}

// TestKeptForAHost has a guest ask for more at once than there may be under way to it: what is too
// much is refused in words, and later requests are answered.
func TestKeptForAHost(t *testing.T) {
	load.Sequential(t) // 150 MiB
	guest := terminals.Grant{Rights: terminals.AllRights, Guest: true, Client: "KEY"}
	answer := strings.Repeat("x", 15<<20)
	w := serve(t, &stuck{answer: answer}, guest)
	const callers = 10
	errs := make(chan error, callers)
	for range callers {
		go func() {
			s, err := terminals.GetSession.Do(t.Context(), w, all, terminals.Target{Session: "a"})
			if err == nil && s.Command != answer {
				err = errors.New("another answer")
			}
			errs <- err
		}()
	}
	refused := 0
	for range callers {
		if err := wait.For(t, "an answer", errs); err != nil {
			refused++
			wantError(t, err, fault.Exhausted, "", "too much is under way")
		}
	}
	t.Logf("%d are refused", refused)
	if _, err := terminals.GetSession.Do(t.Context(), w, all, terminals.Target{Session: "a"}); err != nil || refused == 0 || refused == callers {
		t.Errorf("%d are refused, and afterwards: %v", refused, err)
	}
}

// TestManyCalls opens more than a host takes: what is too much is refused, and nothing waits for
// it.
func TestManyCalls(t *testing.T) {
	w := serve(t, &stuck{}, terminals.Grant{Rights: terminals.AllRights, Guest: true, Client: "KEY"})
	ctx, cancel := context.WithCancel(t.Context())
	errs := make(chan error, maxDialled+1)
	for range maxDialled + 1 {
		go func() {
			_, err := terminals.AwaitExit.Do(ctx, w, all, exitOf("a"))
			errs <- err
		}()
	}
	wantError(t, wait.For(t, "a refusal", errs), fault.Exhausted, "", "under way")
	cancel()
	for range maxDialled {
		wait.For(t, "the end of a call", errs)
	}
	wait.Until(t, "there is room", func() bool {
		_, err := terminals.GetSession.Do(t.Context(), w, all, terminals.Target{Session: "a"})
		return err == nil
	})
}
