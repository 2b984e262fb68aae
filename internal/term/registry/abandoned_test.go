package registry_test

import (
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/registry"
)

// A program without clients, output and input is killed. Its session can still be read.
func TestIdleKill(t *testing.T) {
	const limit = time.Minute
	ended := func(s *term.Session) bool {
		synctest.Wait()
		select {
		case <-s.Ended():
			return true
		default:
			return false
		}
	}
	for name, tt := range map[string]struct {
		use func(*testing.T, *script, *term.Session) // takes less than the limit, or as long as it likes with a client
	}{
		"nothing happens": {func(*testing.T, *script, *term.Session) {}},
		"it writes": {func(_ *testing.T, p *script, _ *term.Session) {
			for range 5 {
				time.Sleep(limit - time.Second)
				p.say("x")
			}
		}},
		"somebody types": {func(t *testing.T, _ *script, s *term.Session) {
			for range 5 {
				time.Sleep(limit - time.Second)
				must(t, s.Type(t.Context(), term.Input{Text: []byte("x")}))
			}
		}},
		"somebody is attached": {func(t *testing.T, _ *script, s *term.Session) {
			c, err := s.Attach(clients.Options{})
			must(t, err)
			time.Sleep(10 * limit)
			c.Close()
		}},
		"somebody waits for its end": {func(t *testing.T, _ *script, s *term.Session) {
			for range 3 { // as "wsh run" and "wsh wait" do
				time.Sleep(limit / 2)
				if _, err := s.WaitExit(t.Context(), 4*limit); fault.KindOf(err) != fault.Timeout {
					t.Errorf("it has ended: %v", err)
				}
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newScript()
				r := scripted(t, func(c *registry.Config) { c.IdleKill = limit }, p)
				s := create(t, r, registry.CreateOptions{Name: "a"})
				tt.use(t, p, s)
				synctest.Wait()
				time.Sleep(limit - time.Nanosecond)
				if ended(s) {
					t.Fatal("it was killed too early")
				}
				time.Sleep(time.Nanosecond)
				if !ended(s) {
					t.Fatal("it was not killed")
				}
				if _, err := r.Session("a"); err != nil {
					t.Errorf("its session is gone: %v", err)
				}
			})
		})
	}
}
