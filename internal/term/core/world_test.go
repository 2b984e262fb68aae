package core

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// A world is a shell on a terminal, and a process that runs a session of it, as it could happen on
// a machine that is very busy: both may be stopped at any moment, the process also between two
// questions to the system.
type world struct {
	*facts
	*rand.Rand
	session *Session
	now     time.Time
	hands   bool // a person types, too
	tells   bool // the system tells what a program waits for, and what it has not read
	stops   bool // the process is stopped now and then

	rings time.Time // the timer; zero: it is not set
	ours  []byte    // input that the process has not written yet
	held  []byte    // input that the terminal holds
	out   []vt.Mark // output in the terminal; the zero value is text

	// The shell.
	wakes  time.Time // when it goes on; zero: it waits for keys
	sleeps bool      // it has not got a processor since it began to wait
	next   func()    // what it does then, if it has not waited for keys
	n      uint64    // of the prompt
	editor string
	more   bool   // the line is unfinished
	line   string // that is about to run, or runs

	person string // what a person has typed and not entered
	lines  int    // how many the person has entered

	ran     map[string][]int // statuses
	asked   map[uint64]string
	answers map[uint64]Ran
	wrong   []string
}

func newWorld(seed uint64) *world {
	w := &world{
		facts: &facts{}, Rand: rand.New(rand.NewPCG(seed, 2)), now: epoch, session: New(Options{PID: 7, Shell: "bash"}, epoch), n: 1,
		ran: map[string][]int{}, asked: map[uint64]string{}, answers: map[uint64]Ran{},
	}
	w.tells, w.stops, w.hands = w.IntN(3) > 0, w.IntN(4) > 0, w.IntN(2) == 0
	w.Job = tty.Foreground{PID: 7, Name: "bash"}
	w.prompt()
	return w
}

// rarely returns a time that is mostly short, and sometimes up to most.
func (w *world) rarely(most time.Duration) time.Duration {
	return pick(w.Rand, 0, time.Duration(w.Int64N(int64(3*time.Millisecond))), time.Duration(w.Int64N(int64(most))))
}

// hesitates lets time pass in the process.
func (w *world) hesitates() {
	if w.stops && w.IntN(60) == 0 {
		w.pass(time.Duration(w.Int64N(int64(4 * time.Second))))
	}
}

// What the process asks the system may take its time.
func (w *world) Mode() tty.Mode { w.hesitates(); return w.facts.Mode() }
func (w *world) Unread() bool   { w.hesitates(); return w.facts.Unread() }
func (w *world) Behind() bool   { w.hesitates(); return w.Waits || len(w.out) > 0 }
func (w *world) Pending() bool {
	w.hesitates()
	return w.tells && len(w.ours)+len(w.held) > 0
}

func (w *world) Foreground() tty.Foreground { w.hesitates(); return w.Job }

func (w *world) Reads() tty.Reading {
	w.hesitates()
	switch {
	case !w.tells || w.sleeps:
		return tty.ReadingUnknown // as of a shell that waits for several things
	}
	return tty.ReadsNot
}

// pass lets time pass outside the process.
func (w *world) pass(d time.Duration) {
	until := w.now.Add(d)
	for !w.wakes.IsZero() && !w.wakes.After(until) {
		w.now = later(w.now, w.wakes)
		w.wakes, w.sleeps = time.Time{}, false
		w.goOn()
	}
	w.now = until
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// goOn is what the shell does when it has got a processor.
func (w *world) goOn() {
	next := w.next
	w.next = nil
	switch {
	case next != nil:
		next()
	default:
		w.keys()
	}
}

// then lets the shell do something after a time, in which it does not read.
func (w *world) then(most time.Duration, do func()) {
	w.next, w.wakes = do, w.now.Add(w.rarely(most))
}

func (w *world) says(kind vt.MarkKind, variant string) {
	w.out = append(w.out, vt.Mark{Kind: kind, N: w.n, Keyed: true, Variant: variant})
}

func (w *world) prompt() {
	w.TheMode = tty.ModeKeys
	w.says(vt.MarkPrompt, "")
	w.says(vt.MarkCommand, "")
	w.keys()
}

func (w *world) dropped() {
	w.says(vt.MarkEnd, variantDropped)
	w.n++
	w.then(time.Second, w.prompt)
}

// keys reads what the terminal holds, and then waits.
func (w *world) keys() {
	for len(w.held) > 0 {
		text := string(w.held)
		switch size := strings.IndexByte(text, '~') + 1; {
		case text[0] == '\x1b' && size == 0:
			panic("a key in pieces")
		case text[:size] == dropKey(0):
			w.held, w.editor = w.held[size:], ""
			if w.more {
				w.more = false
				w.dropped()
				return
			}
		case strings.HasPrefix(text, "\x1b[2014") && w.editor != "":
			w.held = w.held[size:]
			w.says(vt.MarkCommand, variantHeld+text[size-2:size-1])
		case text[0] == '\x1b':
			if strings.Contains(w.editor, "p") {
				w.fail("%q of the person is dropped", w.editor)
			}
			w.held, w.editor = w.held[size:], ""
			w.says(vt.MarkCommand, variantReady+text[size-2:size-1])
		case text[0] == '\x7f':
			w.held, w.editor = w.held[1:], w.editor[:max(len(w.editor)-1, 0)]
		case text[0] == '\r':
			w.held = w.held[1:]
			line := w.editor
			if w.editor = ""; line != "" && w.more { // a person has ended it
				w.more = false
				w.lines--
				w.dropped()
				return
			}
			if line != "" {
				w.then(time.Second, func() { w.enters(line) })
				return
			}
		default:
			w.held, w.editor = w.held[1:], w.editor+text[:1]
			w.out = append(w.out, vt.Mark{})
		}
	}
	w.sleeps = true
}

func (w *world) enters(line string) {
	switch {
	case strings.HasPrefix(line, "if"):
		w.more = true
		w.says(vt.MarkPrompt, VariantMore)
		w.keys()
	case strings.HasPrefix(line, "#"):
		w.dropped()
	default:
		if person := strings.Trim(line, "p") == ""; !person && strings.Contains(line, "p") {
			w.fail("%q runs, of which both hands have typed a part", line)
		}
		w.line, w.TheMode = line, tty.ModeLines
		w.says(vt.MarkOutput, "")
		w.then(4*time.Second, func() { w.ends(w.IntN(3)) })
	}
}

func (w *world) ends(status int) {
	w.ran[w.line] = append(w.ran[w.line], status)
	w.line = ""
	w.out = append(w.out, vt.Mark{})
	w.says(vt.MarkEnd, variantRan)
	w.out[len(w.out)-1].HasExitCode, w.out[len(w.out)-1].ExitCode = true, status
	w.n++
	w.then(time.Second, w.prompt)
}

// write gives the terminal what the process has to write.
func (w *world) write() {
	w.held, w.ours = append(w.held, w.ours...), nil
	if w.sleeps && w.wakes.IsZero() {
		w.wakes = w.now.Add(w.rarely(pick(w.Rand, 20*time.Millisecond, 3*time.Second)))
	}
}

// apply gives the session an input, and does what it wants.
func (w *world) apply(in Input) {
	now := w.now
	w.hesitates()
	actions, _ := w.session.Apply(in, w, now)
	for _, a := range slices.Clone(actions) {
		w.hesitates()
		switch a := a.(type) {
		case SetTimer:
			w.rings = w.now.Add(a.At.Sub(now))
		case Write:
			w.ours = append(w.ours, a.Bytes...)
			if w.IntN(3) > 0 {
				w.write()
			}
		case Answer:
			w.answered(a)
		}
	}
}

func (w *world) answered(a Answer) {
	line := w.asked[a.ID]
	delete(w.asked, a.ID)
	ran, ok := a.Result.(Ran)
	if !ok {
		w.fail("%q has the answer %v", line, a.Err)
		return
	}
	w.answers[a.ID] = ran
	statuses := w.ran[line]
	right := !strings.HasPrefix(line, "if") && !strings.HasPrefix(line, "#")
	switch {
	case ran.ExitCode != nil && (len(statuses) != 1 || statuses[0] != *ran.ExitCode):
		w.fail("%q has the status %d, and ran with %d", line, *ran.ExitCode, statuses)
	case ran.State == Done && ran.ExitCode == nil && !ran.NotRun:
		w.fail("%q is over without a status", line)
	case ran.NotRun && ran.ExitCode != nil:
		w.fail("%q was not run, and has a status", line)
	case w.tells && right && !w.hands && (ran.State != Done || ran.NotRun):
		w.fail("%q is %s, not run: %t, and nothing is wrong with it", line, ran.State, ran.NotRun)
	}
}

func (w *world) fail(format string, args ...any) {
	w.wrong = append(w.wrong, fmt.Sprintf(format, args...))
}

// happen lets the next thing happen, one of those that could.
func (w *world) happen() {
	can := []func(){}
	if len(w.ours) > 0 {
		can = append(can, w.write)
	}
	if len(w.out) > 0 {
		can = append(can, func() {
			chunk := w.out[:1+w.IntN(len(w.out))]
			w.out = w.out[len(chunk):]
			w.Waits = true
			w.hesitates()
			for _, m := range chunk {
				if m.Keyed {
					w.apply(Mark{m})
				}
			}
			w.Waits = false
			w.apply(Output{})
		})
	}
	if !w.rings.IsZero() && !w.rings.After(w.now) {
		can = append(can, func() {
			w.rings = time.Time{}
			w.apply(Tick{})
		})
	}
	if len(can) > 0 {
		can[w.IntN(len(can))]()
		return
	}
	d := time.Second
	for _, at := range []time.Time{w.rings, w.wakes} {
		if !at.IsZero() {
			d = min(d, max(at.Sub(w.now), 0))
		}
	}
	w.pass(d)
}

// types lets a person type at an attached terminal: a part of a line, its end, or what removes it.
func (w *world) types() {
	next := pick(w.Rand, "p", "p", "\r", strings.Repeat("\x7f", len(w.person)))
	switch {
	case next == "\r" && w.person == "", next == "":
		return
	case next == "\r":
		w.lines++
		w.person = ""
	case next == "p":
		w.person += next
	default:
		w.person = ""
	}
	w.apply(Type{From: Sender{Kind: SenderAttach, Name: "Ann"}, Kind: InputText, Bytes: []byte(next)})
}

// run runs lines, and returns what is wrong.
func (w *world) run() []string {
	w.apply(Follow{})
	for id := uint64(1); id <= 6; id++ {
		for range w.IntN(30) {
			w.happen()
		}
		if w.hands && w.IntN(2) == 0 {
			w.types()
		}
		if len(w.asked) == 0 && !w.hands && w.IntN(4) == 0 {
			w.apply(Type{From: Sender{Kind: SenderMCP}, Kind: InputText, Bytes: []byte("x")})
		}
		w.asked[id] = fmt.Sprintf("%s %d", pick(w.Rand, "make", "make", "make", "if", "#"), id)
		w.apply(Run{ID: id, Line: w.asked[id], Timeout: pick(w.Rand, 100*time.Millisecond, 2*time.Second), AtPrompt: true})
		if w.IntN(3) == 0 {
			continue // the next one comes meanwhile
		}
		for n := 0; len(w.asked) > 0 && n < 20_000; n++ {
			if w.hands && w.IntN(200) == 0 {
				w.types()
			}
			w.happen()
		}
	}
	if w.hands { // the person finishes what was begun
		w.lines++
		w.person = ""
		w.apply(Type{From: Sender{Kind: SenderAttach, Name: "Ann"}, Kind: InputText, Bytes: []byte("p\r")})
	}
	for end := w.now.Add(time.Minute); len(w.asked) > 0 && w.now.Before(end.Add(time.Hour)) || w.now.Before(end); {
		w.happen()
	}
	for _, line := range w.asked {
		w.fail("%q has no answer", line)
	}
	for id, ran := range w.answers {
		if ran.NotRun {
			for _, kind := range []string{"make", "if", "#"} {
				if line := fmt.Sprintf("%s %d", kind, id); len(w.ran[line]) > 0 {
					w.fail("%q was not run, and has run", line)
				}
			}
		}
	}
	persons := 0
	for line, statuses := range w.ran {
		if strings.Trim(line, "p") == "" {
			persons += len(statuses)
			continue
		}
		if len(statuses) > 1 {
			w.fail("%q has run %d times", line, len(statuses))
		}
	}
	if persons != w.lines {
		w.fail("%d of the %d lines of the person have run", persons, w.lines)
	}
	return w.wrong
}

// Whenever the process is stopped, and however long the shell takes: a line that is said not to
// have run has not, a status is the line's own, and a line is over only with one of both. Where the
// system tells what the shell has read, each line that is right is run, once. No line has parts of
// two hands, and what a person has typed is never dropped.
func TestRunsInAnyWorld(t *testing.T) {
	t.Parallel()
	for seed := range uint64(*seeds * 10) {
		if wrong := newWorld(seed).run(); len(wrong) > 0 {
			t.Fatalf("seed %d: %s", seed, strings.Join(wrong, "; "))
		}
	}
}
