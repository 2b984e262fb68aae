package core

import (
	"testing"
	"time"

	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// at returns the screen of a program with the cursor at a place.
func at(line uint64, col int) Screen { return Screen{Cursor: vt.Position{Line: line, Col: col}} }

// A caller that waits until somebody is needed, right after an answer was entered, does not get the
// question that was answered: not even while the answer is still on its way to the program.
func TestAnsweredQuestionNeedsNobody(t *testing.T) {
	t.Parallel()
	job := tty.Foreground{PID: 8, Name: "setup"}
	asks := func(mode tty.Mode) facts {
		return facts{TheMode: mode, Reading: tty.Reads, Job: job, TheScreen: at(1, 6)}
	}
	type then struct {
		after time.Duration
		f     facts
		in    Input
	}
	changed := func(f facts, by func(*facts)) facts { by(&f); return f }
	held := func(f facts) facts { f.Held = true; return f }
	const ms = time.Millisecond
	for name, tt := range map[string]struct {
		mode tty.Mode
		then []then
		want State // what the caller gets after that; "": nothing yet
	}{
		"a line on its way":   {tty.ModeLines, []then{{time.Minute, held(asks(tty.ModeLines)), Cancel{}}}, ""},
		"a secret on its way": {tty.ModeSecret, []then{{time.Minute, held(asks(tty.ModeSecret)), Cancel{}}}, ""},
		"the next question": {tty.ModeLines, []then{
			{ms, changed(asks(tty.ModeLines), func(f *facts) { f.TheScreen = at(2, 6) }), Output{}},
			{2 * settleTime, changed(asks(tty.ModeLines), func(f *facts) { f.TheScreen = at(2, 6) }), Cancel{}},
		}, StateLine},
		"the next secret beside it": {tty.ModeSecret, []then{
			{ms, changed(asks(tty.ModeSecret), func(f *facts) { f.TheScreen = at(1, 12) }), Output{}},
			{settleTime, changed(asks(tty.ModeSecret), func(f *facts) { f.TheScreen = at(1, 12) }), Cancel{}},
		}, StateSecret},
		"the same question after some work": {tty.ModeSecret, []then{
			{settleTime, changed(asks(tty.ModeSecret), func(f *facts) { f.Reading = tty.ReadsNot }), Cancel{}},
			{awaitedTime, asks(tty.ModeSecret), Cancel{}},
		}, StateSecret},
		"a key on its way": {tty.ModeKeys, []then{
			{time.Minute, changed(asks(tty.ModeKeys), func(f *facts) { f.IsBusy = true }), Cancel{}},
		}, ""},
		"a key that was read": {tty.ModeKeys, []then{
			{ms, changed(asks(tty.ModeKeys), func(f *facts) { f.IsBusy = true }), Cancel{}},
			{keysSilence + awaitedTime, asks(tty.ModeKeys), Cancel{}},
		}, StateLine},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t)
			s.says("A1 B1")
			s.runs(1, "./setup")
			takes(s)
			s.f = asks(tt.mode)
			s.says("C1")
			s.wait(time.Second)
			if got := s.session.State; got != map[tty.Mode]State{tty.ModeSecret: StateSecret}[tt.mode] && got != StateLine {
				t.Fatalf("state %q while it asks", got)
			}
			s.f.Held = true
			s.then(0, Type{From: Sender{Kind: SenderMCP}, Kind: InputText, Bytes: []byte("y\r")})
			s.then(0, AwaitState{ID: 2})
			for _, then := range tt.then {
				s.f = then.f
				s.then(then.after, then.in)
			}
			a, over := s.answers[2]
			if !over && tt.want == "" {
				return
			}
			if got, ok := a.Result.(Attained); !ok || got.State != tt.want {
				t.Errorf("the caller got %+v, want state %q", a, tt.want)
			}
		})
	}
}
