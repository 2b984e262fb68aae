package core

import (
	"testing"
	"time"

	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// A builtin of the session's shell that reads is no prompt, however young the system takes the
// shell for: only a shell that runs no command can be idle.
func TestBuiltinIsNoIdleShell(t *testing.T) {
	t.Parallel()
	const reading, editing = tty.ModeLines, tty.ModeKeys
	shell := tty.Foreground{PID: 7, Name: "bash"}
	for _, tt := range []struct {
		name string
		mode tty.Mode
		job  tty.Foreground
		want State
	}{
		{"read", reading, shell, StateLine},
		{"read -e", editing, shell, StateLine},
		{"a shell in it", reading, tty.Foreground{PID: 8, Name: "sh"}, StatePrompt},
		{"a line editor in it", editing, tty.Foreground{PID: 8, Name: "zsh"}, StatePrompt},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := newReplay()
			young := epoch.Add(time.Minute)
			f := facts{TheMode: tt.mode, Reading: tty.Reads, Job: tt.job, Began: young}
			for _, in := range []Input{
				Mark{vt.Mark{Kind: vt.MarkPrompt, Keyed: true, N: 1}}, Mark{vt.Mark{Kind: vt.MarkCommand, Keyed: true, N: 1}}, Output{},
				Type{From: Sender{Kind: SenderMCP}, Kind: InputText, Bytes: []byte("x\r")}, Mark{vt.Mark{Kind: vt.MarkOutput, Keyed: true, N: 1}}, Output{},
				Cancel{}, Cancel{}, // time passes
			} {
				if err := r.do(happening{time.Second, f, in}); err != nil {
					t.Fatal(err)
				}
			}
			if got := r.session.State; got != tt.want {
				t.Errorf("state %q, want %q", got, tt.want)
			}
		})
	}
}
