package term_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/testkit/wait"
)

// What a killed program leaves is undone when the shell prompts, for the session and for all that
// display its output. Callers' own alternate screen stays, and commands that end well cost nothing.
func TestKilledProgram(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ shell, line string }{
		{"bash", "vim -u NONE -c 'set mouse=a'"}, {"bash", "seq 1000 | less"}, {"bash", "htop"},
		{"zsh", "vim -u NONE"}, {"fish", "vim -u NONE"}, {"fish", "htop"},
	} {
		program(t, strings.Fields(tt.line)[0])
		t.Run(tt.shell+", "+tt.line, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, tt.shell, nil)
			recording := new(bytes.Buffer)
			recorder, err := s.Record(t.Context(), recording)
			must(t, err)
			out := output(t, s, term.OutputOptions{})
			t.Cleanup(out.Close)
			other := window(t, 80, 24)
			raw := new(bytes.Buffer)
			next := func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				b, err := out.Next(ctx)
				if err != nil {
					t.Fatalf("%v, after %q", err, raw)
				}
				_, _ = io.MultiWriter(other, raw).Write(b)
			}
			next() // now it is followed
			wantRun(t, "echo hello", run(t, s, "echo hello", term.RunOptions{MaxWait: 2 * time.Minute}), 0, "hello\n")
			must(t, s.AwaitPrompt(t.Context()))
			var before *vt.Snapshot
			wait.Until(t, "the line editor has set its modes", func() bool {
				before, err = s.Screen(t.Context())
				return err != nil || before.Modes.Has(vt.ModeBracketedPaste)
			})
			must(t, s.EnterAltScreen(t.Context()))
			must(t, s.Send(t.Context(), []byte(tt.line+"\r")))
			awaitState(t, s, core.StateFullScreen)
			must(t, s.Signal(t.Context(), "KILL"))
			awaitState(t, s, core.StatePrompt)
			wantRun(t, "echo alive", run(t, s, "echo alive", term.RunOptions{MaxWait: 2 * time.Minute}), 0, "alive\n")
			screen := screenOf(t, s)
			if !hasLine(screen, "hello") || !hasLine(screen, "alive") {
				t.Errorf("the screen:\n%s", strings.Join(plain(screen), "\n"))
			}
			if mode, err := s.ScreenMode(t.Context()); err != nil || mode != overlay.Alternate {
				t.Errorf("the callers' screen mode is %v, %v", mode, err)
			}
			const blink = vt.Modes(1) << vt.ModeCursorBlink // which vim changes for good
			for !hasLine(other.Snapshot(), "alive") || other.Modes()|blink != before.Modes|blink {
				next() // the line editor's modes come last
			}
			if screen, err = s.Screen(t.Context()); err != nil {
				t.Fatal(err)
			}
			if screen.Modes|blink != before.Modes|blink || screen.Keys != before.Keys || screen.ModifyOtherKeys != before.ModifyOtherKeys {
				t.Errorf("modes %b, keys %v and %v; before, they were %b, %v and %v", screen.Modes, screen.Keys, screen.ModifyOtherKeys, before.Modes, before.Keys, before.ModifyOtherKeys)
			}
			if d := cmp.Diff(plain(screen), plain(other.Snapshot())); d != "" {
				t.Errorf("the stream's screen (-want +got):\n%s\n%q", d, raw)
			}
			must(t, recorder.Close())
			if n := strings.Count(raw.String(), "\x1b[!p\x1b[?9;"); n != 1 || strings.Count(recording.String(), `\u001b[!p\u001b[?9;`) != 1 {
				t.Errorf("healed %d times: %q\n%s", n, raw.String(), recording.String())
			}
		})
	}
}
