package term_test

import (
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
)

// The greeting has the name by which the person knows the session, with its host. A terminal whose
// person may not type says so for as long as it is attached.
func TestGreetingOfOtherHosts(t *testing.T) {
	for name, looks := range map[string]bool{"types": false, "looks": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, _ *script, s *term.Session) {
				d := sit(t, s, term.ViewerOptions{Greeting: "help", Prefix: "build1/", Looks: looks, Client: clients.Options{ReadOnly: looks}})
				const says = "you may only look here"
				if !d.sees("build1/s  ") || d.sees(says) != looks || !d.sees("help") {
					t.Error("the greeting is another one")
				}
				d.press(t, "x")
				time.Sleep(time.Second)
				synctest.Wait()
				if d.sees(says) != looks || d.sees("build1/s  ") != looks {
					t.Error("after a key, the greeting is another one")
				}
				d.Close()
			})
		})
	}
}

// What a terminal displays in the end has its new size, also when that has changed right before it
// leaves: nothing of the greeting stays.
func TestGreetingGoesAtTheNewSize(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("one")
		synctest.Wait()
		v, w := attachWith(t, s, term.ViewerOptions{Greeting: "help", Looks: true, Client: clients.Options{ReadOnly: true}}), window(t, 20, 4)
		must(t, v.Fit(t.Context(), 20, 4))
		follow(t, v, w)
		wantWindow(t, w, "one||| s  you may only loo")
		must(t, w.Resize(15, 3))
		must(t, v.Fit(t.Context(), 15, 3))
		v.Close()
		follow(t, v, w)
		wantWindow(t, w, "one||")
	})
}
