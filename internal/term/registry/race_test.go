package registry_test

import (
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
)

func TestQuiesceAny(t *testing.T) {
	const second = time.Second
	two := uint64(2)
	for _, tt := range []struct {
		name string
		// What happens during the call, beside that session a writes after 1 second, and b after
		// 1.5 and 3 seconds.
		meanwhile func(t *testing.T, r *registry.Registry, a, b *script)
		o         registry.RaceOptions
		want      string // name of the session, or ""
		took      time.Duration
		kind      fault.Kind
		detail    fault.Detail
	}{
		{name: "the first wins", o: quietFor(2 * second), want: "a", took: 3 * second},
		{name: "another one than last", o: last("a", &two), want: "b", took: 5 * second},
		{name: "the last one without a generation", o: last("a", nil), want: "a", took: 3 * second},
		{name: "a last one that is unknown", o: last("none", &two), want: "a", took: 3 * second},
		{
			name: "only those that match", want: "b", took: 5 * second,
			o: registry.RaceOptions{QuiesceOptions: quietFor(2 * second).QuiesceOptions, Match: func(i term.Info) bool { return i.Name == "b" }},
		},
		{name: "none in time", o: registry.RaceOptions{QuiesceOptions: term.QuiesceOptions{Timeout: 9 * second, MaxWait: 2 * second}}, took: 2 * second, kind: fault.Timeout, detail: term.NotQuiet},
		{name: "none that matches", o: registry.RaceOptions{Match: func(term.Info) bool { return false }}, kind: fault.NotFound, detail: registry.NoSessions},
		{
			name: "created meanwhile", o: last("a", &two), want: "c", took: 4 * second,
			meanwhile: func(t *testing.T, r *registry.Registry, _, _ *script) {
				time.Sleep(2 * second)
				create(t, r, registry.CreateOptions{Name: "c"})
			},
		},
		{
			name: "tagged meanwhile", took: 3500 * time.Millisecond, want: "a",
			o: registry.RaceOptions{QuiesceOptions: quietFor(2 * second).QuiesceOptions, Match: func(i term.Info) bool {
				return i.Name == "b" || len(i.Tags) > 0
			}},
			meanwhile: func(t *testing.T, r *registry.Registry, _, _ *script) {
				time.Sleep(3500 * time.Millisecond)
				s, err := r.Session("a")
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := tag(r, s, []string{"x"}, nil); err != nil {
					t.Error(err)
				}
			},
		},
		{
			name: "one ends", o: quietFor(2 * second), want: "b", took: 5 * second,
			meanwhile: func(_ *testing.T, _ *registry.Registry, a, _ *script) {
				time.Sleep(2 * second)
				a.end(tty.Exit{})
			},
		},
		{
			name: "all end", o: quietFor(9 * second), took: 2 * second, kind: fault.NotFound, detail: registry.NoSessions,
			meanwhile: func(_ *testing.T, _ *registry.Registry, a, b *script) {
				time.Sleep(2 * second)
				a.end(tty.Exit{})
				b.end(tty.Exit{})
			},
		},
		{name: "negative", o: quietFor(-1), kind: fault.Invalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, b := newScript(), newScript()
				r := scripted(t, nil, a, b, newScript())
				write := func(p *script, pauses ...time.Duration) {
					p.say("x")
					for _, d := range pauses {
						time.Sleep(d)
						p.say("x")
					}
				}
				create(t, r, registry.CreateOptions{Name: "a"})
				go write(a, second)
				create(t, r, registry.CreateOptions{Name: "b"})
				go write(b, 1500*time.Millisecond, 1500*time.Millisecond)
				synctest.Wait()
				if tt.meanwhile != nil {
					go tt.meanwhile(t, r, a, b)
				}
				start := time.Now()
				s, quiet, err := r.QuiesceAny(t.Context(), tt.o)
				// On one processor, the sessions wait for each other's turns.
				if took := time.Since(start).Truncate(10 * time.Millisecond); took != tt.took {
					t.Errorf("took %v, want %v", took, tt.took)
				}
				time.Sleep(10 * second) // for the rest of the output
				if tt.want == "" {
					if err == nil || fault.KindOf(err) != tt.kind || fault.DetailOf(err) != tt.detail {
						t.Errorf("QuiesceAny = %v (%q), want %v", err, fault.DetailOf(err), tt.kind)
					}
					return
				}
				must(t, err)
				if s.Name() != tt.want || quiet.Screen == nil {
					t.Errorf("QuiesceAny = %s, want %s", s.Name(), tt.want)
				}
			})
		})
	}
}

func quietFor(d time.Duration) registry.RaceOptions {
	return registry.RaceOptions{QuiesceOptions: term.QuiesceOptions{Timeout: d}}
}

func last(name string, generation *uint64) registry.RaceOptions {
	o := quietFor(2 * time.Second)
	o.Last, o.LastGeneration = name, generation
	return o
}
