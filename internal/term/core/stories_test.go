package core

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// A story drives a session whose shell has our marks.
type story struct {
	*replay
	t *testing.T
	f facts
}

func newStory(t *testing.T) *story {
	return &story{newReplay(), t, facts{TheMode: tty.ModeKeys, Job: tty.Foreground{PID: 7, Name: "bash"}}}
}

// then gives the session an input after a time.
func (s *story) then(after time.Duration, in Input) {
	s.t.Helper()
	if err := s.do(happening{after, s.f, in}); err != nil {
		s.t.Fatal(err)
	}
}

// wait lets time pass.
func (s *story) wait(d time.Duration) {
	s.t.Helper()
	s.then(d, Cancel{math.MaxUint64}) // which nothing has begun
}

// says gives the session marks: see marks.
func (s *story) says(text string) {
	s.t.Helper()
	for _, in := range marks(text) {
		s.then(0, in)
	}
}

// marks returns marks, such as C1 and D1=3, and then the output that they were in. Those without a
// number are the shell's own.
func marks(text string) (list []Input) {
	kinds := map[byte]vt.MarkKind{'A': vt.MarkPrompt, 'B': vt.MarkCommand, 'C': vt.MarkOutput, 'D': vt.MarkEnd}
	for m := range strings.FieldsSeq(text) {
		mark, rest := vt.Mark{ID: 1 + uint64(len(list)), Kind: kinds[m[0]]}, m[1:]
		if rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			mark.N, mark.Keyed, rest = uint64(rest[0]-'0'), true, rest[1:]
		}
		var code string
		mark.Variant, code, _ = strings.Cut(rest, "=")
		if code != "" {
			mark.HasExitCode, mark.ExitCode = true, int(code[0]-'0')
		}
		list = append(list, Mark{mark})
	}
	return append(list, Output{})
}

// runs begins a run.
func (s *story) runs(id uint64, line string) {
	s.t.Helper()
	s.then(0, Run{ID: id, Line: line, Timeout: time.Second, From: Sender{Kind: SenderMCP}, Entries: []Typed{{Kind: InputLine, Text: line}}})
}

// ran returns the answer to a run, or nil.
func (s *story) ran(id uint64) *Ran {
	s.t.Helper()
	a, ok := s.answers[id]
	if !ok {
		return nil
	}
	if a.Err != nil {
		s.t.Fatal(a.Err)
	}
	return new(a.Result.(Ran))
}

// leaves ends a run, and returns why its line was not typed.
func (s *story) leaves(id uint64) error {
	s.t.Helper()
	s.then(0, Cancel{id})
	return s.refused
}

// A process that was stopped, perhaps just before it typed a line, gives the shell the whole time
// to read it: a key that takes the line out of the editor would destroy it before that.
func TestRunAfterAPause(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.says("A1 B1")
	s.runs(1, "make")
	takes(s)
	s.typed = ""
	s.now = s.session.Due.Add(lateTime)
	if err := s.apply(Tick{}, &s.f); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		after time.Duration
		typed string
	}{{0, ""}, {beginGrace - 1, ""}, {1, readyKey(2)}} {
		if s.wait(step.after); s.typed != step.typed {
			t.Errorf("%v later, %q was typed, want %q", step.after, s.typed, step.typed)
		}
	}
}

// The answer to a run says how long the command took and where its output is, as far as marks say
// so: a shell may mark only that it has run the line.
func TestRunSaysWhereItsOutputIs(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.says("A1 B1")
	s.runs(1, "make")
	takes(s)
	shell := s.f
	s.f.TheMode, s.f.Reading = tty.ModeLines, tty.ReadsNot
	s.says("C1")
	s.wait(3 * time.Second)
	s.f = shell
	s.says("D1=3 A2 B2")
	want := &Ran{State: Done, ExitCode: new(3), Duration: 3 * time.Second, First: 1, Last: 1}
	if diff := cmp.Diff(want, s.ran(1)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	s.runs(2, "true")
	takes(s)
	s.says("D2" + variantRan + "=0 A3 B3")
	if diff := cmp.Diff(&Ran{State: Done, ExitCode: new(0)}, s.ran(2)); diff != "" {
		t.Errorf("without a mark of the output: -want +got:\n%s", diff)
	}
}

// A line that the editor has not found is taken back: a later key would find it.
func TestLineIsNotFound(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.says("A1 B1")
	s.runs(1, "make")
	s.says("B1r1")
	if ran := s.ran(1); ran == nil || !ran.NotRun || !slices.Contains(s.out, "withdraws it") {
		t.Errorf("%+v after %v", ran, s.out)
	}
}

// A command that has ended is over, also for a caller that waits for its beginning alone.
func TestEndBeforeBeginning(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.says("A1 B1")
	s.then(0, Run{ID: 1, Line: "make", Timeout: time.Second, Background: true})
	takes(s)
	for _, in := range markList("C1 B2") {
		if err := s.apply(in, &s.f); err != nil {
			t.Fatal(err)
		}
		s.now = s.now.Add(2 * forkGrace) // the process was stopped
	}
	if ran := s.ran(1); ran == nil || ran.State != Done {
		t.Errorf("%+v", ran)
	}
}

// A second run waits for the first and for the prompt; one whose caller has left is not typed.
func TestRunsTakeTurns(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.says("A1 B1")
	for id, line := range []string{"one", "two", "three", "four"} {
		s.runs(uint64(id)+1, line)
	}
	if err := s.leaves(2); !strings.Contains(fmt.Sprint(err), "another call is running") {
		t.Errorf("one that leaves: %v", err)
	}
	takes(s)
	editing := s.f
	s.f.TheMode, s.f.Reading = tty.ModeLines, tty.ReadsNot
	s.says("C1")
	s.wait(time.Minute)
	if err := s.leaves(4); !strings.Contains(fmt.Sprint(err), "another call is running") || s.typed != readyKey(1) {
		t.Fatalf("%v; typed %q", err, s.typed)
	}
	s.f = editing
	if s.says("D1=0 A2 B2"); s.ran(1) == nil {
		t.Fatal("the first is not over")
	}
	if s.typed != readyKey(1)+readyKey(2) || s.offered != "three" {
		t.Errorf("typed %q, offered %q", s.typed, s.offered)
	}
}

// In fish, keys that may have opened something hold up a line for a while, and others do not.
func TestKeysInFish(t *testing.T) {
	t.Parallel()
	for text, holds := range map[string]bool{"ls ": false, "ls\x15": false, "\x12": true} {
		s := newStory(t)
		inOrder(inFish, prompted, types(text))(s)
		if s.runs(1, "make"); (s.offered == "") != holds {
			t.Errorf("%q: offered %q", text, s.offered)
		}
	}
}

// A caller whose line was not typed learns what has hindered it, and what to do.
func TestWhatHinders(t *testing.T) {
	t.Parallel()
	screen := under(func(f *facts) { f.TheScreen.Alternate = true }, begins(line))
	for want, happens := range map[string]func(*story){
		`a command (for 0s) waits for a line, and yours is for the shell`: inOrder(running, reading(begins(forShell))),
		"is running: wait, or press C-c":                                  inOrder(running, begins(forShell)),
		"waits for a secret":                                              inOrder(running, secretly(begins(line))),
		"has the whole screen":                                            inOrder(running, screen),
		"the rest of an unfinished line":                                  inOrder(says("A1 B1 A1s"), begins(line)),
		"Ann has typed something there":                                   inOrder(prompted, personTypes("ls"), begins(line)),
		"a program (HTTP) has typed something there":                      inOrder(running, reading(inOrder(types("x"), begins(line)))),
		"the shell's line editor does not answer":                         inOrder(prompted, begins(line)),
		"the shell has not prompted":                                      inOrder(says(""), begins(line)),
		"cat (for 0s) has the whole screen":                               inOrder(withoutFiles, func(s *story) { s.f.Job.Name = "cat" }, screen),
		"a command (for 0s) is running":                                   inOrder(running, late(begins(line))),
		"bash (for 0s) is running":                                        inOrder(withoutFiles, late(begins(line))),
	} {
		s := newStory(t)
		happens(s)
		if err := s.leaves(9); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

// While a person has the keyboard, programs run nothing. It is given back when no person has been
// there for ten seconds.
func TestKeyboardOfPersons(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.says("A1 B1")
	s.then(0, Attend{1})
	s.then(0, TakeKeyboard{"Ann"})
	s.runs(1, "make")
	if err := s.answers[1].Err; fault.DetailOf(err) != NotPermitted || !strings.Contains(err.Error(), "Ann") {
		t.Errorf("while Ann has it: %v", err)
	}
	s.wait(time.Hour)
	s.then(0, Attend{0})
	if s.wait(keyboardGrace - 1); s.session.Keyboard == nil {
		t.Fatal("it is given back too early")
	}
	s.then(0, Attend{1})
	s.then(0, Attend{0})
	if s.wait(keyboardGrace - 1); s.session.Keyboard == nil {
		t.Fatal("a person who has come back does not count")
	}
	if s.wait(1); s.session.Keyboard != nil {
		t.Error("it is not given back")
	}
	if s.runs(2, "make"); s.offered != "make" {
		t.Errorf("typed %q", s.typed)
	}
	takes(s)
	// Nobody is there who could give it back, before it is taken or while it is taken again.
	s.then(0, TakeKeyboard{"Ann"})
	s.then(keyboardGrace/2, TakeKeyboard{"Bea"})
	if k := s.session.Keyboard; k.By != "Bea" || s.now.Sub(k.Since) != keyboardGrace/2 {
		t.Errorf("taken again: %+v", k)
	}
	if s.wait(keyboardGrace); s.session.Keyboard != nil {
		t.Error("nobody is there, and has it")
	}
	s.then(0, TakeKeyboard{"Ann"})
	s.then(keyboardGrace/2, GiveKeyboard{})
	s.then(0, Attend{1})
	s.then(0, TakeKeyboard{"Ann"})
	if s.wait(keyboardGrace); s.session.Keyboard == nil {
		t.Error("an absence that is over ends it")
	}
	if s.then(0, End{}); s.session.Keyboard != nil {
		t.Error("somebody has the keyboard of a program that has ended")
	}
}

// A paste of one person is not ended, nor made longer, by what another one types, pasted or not:
// the input of a program would become a part of it, or wait without need.
func TestPasteBesideAnotherPerson(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.says("A1 B1")
	types := func(who, text string) {
		s.then(0, Type{From: Sender{Kind: SenderAttach, Name: who}, Bytes: []byte(text)})
	}
	waits := func() time.Duration { return s.session.PasteWait(Sender{Kind: SenderMCP}, s.now) }
	types("Ann", keys.PasteStart+"one")
	s.wait(pasteSilence / 2)
	types("Bea", "x")
	if got := waits(); got != pasteSilence/2 {
		t.Errorf("after a key of another person: %v", got)
	}
	if types("Bea", keys.PasteEnd); waits() == 0 {
		t.Error("another person's end ends it")
	}
	if wait := s.session.PasteWait(Sender{Kind: SenderRaw, Name: "Bea"}, s.now); wait != 0 {
		t.Errorf("another person waits for %v", wait)
	}
	if types("Ann", "two"); waits() == 0 {
		t.Error("its next piece ends it")
	}
	if types("Ann", keys.PasteEnd); waits() != 0 {
		t.Error("its own end does not end it")
	}
}

// Silence is waited for without looks in between, and output begins it again.
func TestQuietSession(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.then(0, Quiet{ID: 1, Timeout: time.Second})
	s.then(600*time.Millisecond, Output{})
	s.wait(999 * time.Millisecond)
	if _, ok := s.answers[1]; ok {
		t.Fatal("it is quiet too early")
	}
	s.f.Late = true
	if s.wait(time.Millisecond); len(s.answers) > 0 {
		t.Fatal("output that waits is silence")
	}
	s.f.Late = false
	s.wait(settleTime)
	if got, want := s.answers[1].Result, (Quieted{time.Second + settleTime}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	s.then(0, Quiet{ID: 2, Timeout: time.Second, Since: s.now})
	s.then(0, End{tty.Exit{Code: 3}})
	if err := s.answers[2].Err; fault.KindOf(err) != fault.Gone {
		t.Errorf("at the end: %v", err)
	}
}
