package term_test

import (
	"testing"
	"testing/synctest"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/tty"
)

// While the program asks for a secret, watchers learn only that something was typed, also if it was
// cut into pieces. What a person types into an element then is for those that may capture input.
func TestSecretsInEvents(t *testing.T) {
	type piece struct {
		mode tty.Mode
		text string // "capture" and "release" switch the mode
	}
	lines, secret := tty.ModeLines, tty.ModeSecret
	for _, tt := range []struct {
		name      string
		pieces    []piece
		all       string // what every watcher gets, with "*" for a secret
		capturing string // what watchers get that may capture
		program   string
	}{
		{
			"to the program", []piece{{lines, "open"}, {secret, "hunter2\r"}, {secret, "half \xc3"}, {lines, "\xa9"}, {lines, "after"}},
			"open**************after", "open**************after", "openhunter2\rhalf éafter",
		},
		{
			"to an element", []piece{{secret, "capture"}, {secret, "yes\r"}, {secret, "release"}, {secret, "pw\r"}},
			"*******", "yes\r***", "pw\r",
		},
		{
			"to an element that comes before the end of a secret", []piece{{secret, "hun"}, {secret, "capture"}, {secret, "ter2\r"}, {secret, "y"}},
			"*********", "********y", "hun",
		},
		{
			"to an element, after a secret that was dropped", []piece{{secret, "hun\x15"}, {secret, "capture"}, {secret, "y"}},
			"*****", "****y", "hun\x15",
		},
		{
			"to an element, after a program that has the echo on again", []piece{{secret, "hun"}, {lines, "x"}, {lines, "capture"}, {lines, "y"}, {secret, "n"}},
			"***xy*", "***xyn", "hunx",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				watch := func(may bool) *term.Watcher {
					return watching(t, s, term.WatchOptions{Topics: term.WatchInput, MayCapture: may})
				}
				all, capturing := watch(false), watch(true)
				defer all.Close()
				defer capturing.Close()
				v := attach(t, s)
				for _, piece := range tt.pieces {
					p.become(piece.mode, tty.Reads)
					var err error
					switch piece.text {
					case "capture":
						err = s.CaptureInput(t.Context())
					case "release":
						err = s.ReleaseInput(t.Context())
					default:
						err = v.Type(t.Context(), []byte(piece.text))
					}
					must(t, err)
				}
				synctest.Wait()
				for _, w := range []struct {
					*term.Watcher
					want string
				}{{all, tt.all}, {capturing, tt.capturing}} {
					u, err := w.Next(t.Context())
					must(t, err)
					got := ""
					for _, e := range u.Events {
						switch typed := e.Input.Typed; {
						case typed == nil:
						case typed.Secret:
							got += "*"
							if len(typed.Raw) > 0 || typed.Parsed != nil {
								t.Errorf("a secret: %q, %+v", typed.Raw, typed.Parsed)
							}
						default:
							got += string(typed.Raw)
						}
					}
					if got != w.want {
						t.Errorf("events with %q, want %q", got, w.want)
					}
				}
				if got := p.input(); got != tt.program {
					t.Errorf("the program got %q, want %q", got, tt.program)
				}
			})
		})
	}
}
