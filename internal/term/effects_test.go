package term_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/vt"
)

// Each listener receives what the program does beyond its screen, in order, and nothing else.
func TestEffects(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("\x1b]9;too early\x07")
		var listeners []*term.EffectListener
		for range 2 {
			l, err := s.ListenEffects(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			listeners = append(listeners, l)
		}
		p.say("\x07text\x07\x1b]2;title\x07\x1b]52;c;aGk=\x07\x1b]52;c;?\x07\x1b]52;p;\x07")
		p.say("\x1b]9;4;1;10\x07\x1b]9;4;1;50\x07\x1b]777;notify;done;in 5 s\x07\x1b]9;4;0\x07\x1b]9;body\x07\x07\x1b[c")
		want := []vt.Effect{
			vt.Bell{},
			vt.Clipboard{Selection: "c", Data: []byte("hi")}, vt.Clipboard{Selection: "p", Data: []byte{}},
			vt.Progress{State: vt.ProgressNormal, Percent: 50}, vt.Notification{Title: "done", Body: "in 5 s"}, vt.Progress{},
			vt.Notification{Body: "body"}, vt.Bell{},
		}
		for _, l := range listeners {
			got, missed, err := l.Next(t.Context())
			if d := cmp.Diff(want, got); d != "" || missed != 0 || err != nil {
				t.Errorf("%d missed, %v (-want +got)\n%s", missed, err, d)
			}
		}
		listeners[0].Close()
		p.say("\x07")
		if got, _, err := listeners[1].Next(t.Context()); len(got) != 1 || err != nil {
			t.Errorf("Next = %v, %v", got, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if got, _, err := listeners[0].Next(ctx); err == nil {
			t.Errorf("a closed listener got %v", got)
		}
		p.end(pty.Exit{})
		if _, _, err := listeners[1].Next(t.Context()); fault.KindOf(err) != fault.Gone {
			t.Errorf("after the end: %v", err)
		}
		if _, err := s.ListenEffects(t.Context()); fault.KindOf(err) != fault.Gone {
			t.Errorf("listening after the end: %v", err)
		}
		listeners[1].Close()
		if n := s.Subscriptions(); n != 0 {
			t.Errorf("%d subscriptions are left", n)
		}
	})
}

// A listener that does not listen loses the oldest effects, and holds neither many nor much.
func TestEffectsAreBounded(t *testing.T) {
	for name, tt := range map[string]struct {
		effect func(i int) string
		kept   int
	}{
		"many":  {func(i int) string { return fmt.Sprintf("\x1b]9;message %d\x07", i) }, 1024},
		"large": {func(i int) string { return "\x1b]52;c;" + clip(i) + "\x07" }, 10},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				l, err := s.ListenEffects(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				defer l.Close()
				const sent = 1100
				for i := range sent {
					p.say(tt.effect(i))
				}
				got, missed, err := l.Next(t.Context())
				if len(got) != tt.kept || missed != sent-tt.kept || err != nil {
					t.Errorf("%d effects, %d missed, %v; want the last %d", len(got), missed, err, tt.kept)
				}
			})
		})
	}
}

// clip is base64 of about 100 KiB.
func clip(i int) string {
	return base64.StdEncoding.EncodeToString([]byte(strings.Repeat(fmt.Sprint(i%10), 100<<10)))
}
