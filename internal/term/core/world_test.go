package core

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// A world is a shell on a terminal, and a process that runs a session of it, as it could happen on
// a machine that is very busy: both may be stopped at any moment, the process also between two
// questions to the system. Some commands read a line. Some shells are not ours: they mark nothing,
// and have no line editor.
type world struct {
	*facts
	*rand.Rand
	session *Session
	now     time.Time
	hands   bool // a person types, too
	marks   bool // the shell is ours
	tells   bool // the system tells what a program waits for, and what it has not read
	stops   bool // the process is stopped now and then

	rings time.Time // the timer; zero: it is not set
	ours  []byte    // input that the process has not written yet
	held  []byte    // input that the terminal holds
	out   []vt.Mark // output in the terminal; the zero value is text

	// The shell.
	wakes   time.Time // when it goes on; zero: it waits for keys
	sleeps  bool      // it has not got a processor since it began to wait
	next    func()    // what it does then, if it has not waited for keys
	n       uint64    // of the prompt
	editor  string
	offer   int          // the number of the line that the editor may take; 0: none
	offered string       // the line
	took    int          // the last that it has taken
	pasted  bool         // within brackets
	more    bool         // the line is unfinished
	line    string       // that is about to run, or runs
	reads   func(string) // what reads a whole line, or nil: the shell's editor does

	person string // what a person has typed and not entered
	lines  int    // how many the person has entered
	occurs map[string]int

	ran      map[string][]int // statuses
	forShell map[string]bool
	asked    map[uint64]string
	answers  map[uint64]Ran
	refuses  map[uint64]bool // runs that do not wait
	refused  error           // of the last input
	wrong    []string
}

func newWorld(seed uint64) *world {
	w := &world{
		facts: &facts{}, Rand: rand.New(rand.NewPCG(seed, 2)), now: epoch, n: 1,
		ran: map[string][]int{}, forShell: map[string]bool{}, refuses: map[uint64]bool{}, asked: map[uint64]string{}, answers: map[uint64]Ran{}, occurs: map[string]int{},
	}
	w.tells, w.stops, w.hands, w.marks = w.IntN(3) > 0, w.IntN(4) > 0, w.IntN(2) == 0, w.IntN(5) > 0
	o := Options{PID: 7}
	if w.marks {
		o.Shell = "bash"
	} else {
		w.occurs["shells without marks"]++
	}
	w.session = New(o, epoch)
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
		w.occurs["pauses of the process"]++
		w.pass(time.Duration(w.Int64N(int64(4 * time.Second))))
	}
}

// What the process asks the system may take its time.
func (w *world) Mode() tty.Mode { w.hesitates(); return w.facts.Mode() }
func (w *world) Unread() bool   { w.hesitates(); return w.facts.Unread() }
func (w *world) Behind() bool   { w.hesitates(); return w.Waits || len(w.out) > 0 }
func (w *world) Pending() bool {
	w.hesitates()
	held := len(w.held)
	if w.TheMode == tty.ModeLines { // the terminal reports whole lines
		held = bytes.IndexByte(w.held, '\r') + 1
	}
	return w.tells && len(w.ours)+held > 0
}

func (w *world) Foreground() tty.Foreground { w.hesitates(); return w.Job }

func (w *world) Reads() tty.Reading {
	w.hesitates()
	switch {
	case !w.tells || w.sleeps:
		switch {
		case w.tells && w.TheMode == tty.ModeLines:
			return tty.Reads
		}
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
	case w.reads != nil:
		w.readLine()
	default:
		w.keys()
	}
}

// then lets the shell do something after a time, in which it does not read.
func (w *world) then(most time.Duration, do func()) {
	w.next, w.wakes = do, w.now.Add(w.rarely(most))
}

func (w *world) says(kind vt.MarkKind, variant string) {
	if !w.marks {
		return
	}
	w.out = append(w.out, vt.Mark{Kind: kind, N: w.n, Keyed: true, Variant: variant})
}

func (w *world) prompt() {
	w.TheScreen.Cursor.Col = 2
	w.out = append(w.out, vt.Mark{})
	if !w.marks {
		w.asks(w.enters)
		return
	}
	w.TheMode, w.Modes = tty.ModeKeys, 1<<vt.ModeBracketedPaste
	w.says(vt.MarkPrompt, "")
	w.says(vt.MarkCommand, "")
	w.keys()
}

// asks reads a line, and has something done with it.
func (w *world) asks(do func(string)) {
	w.TheMode, w.reads = tty.ModeLines, do
	w.readLine()
}

// readLine reads a line that the terminal holds, in which it has removed what was erased.
func (w *world) readLine() {
	text, rest, whole := bytes.Cut(w.held, []byte("\r"))
	if !whole {
		w.sleeps = true
		return
	}
	if !w.tells { // a key of ours may be pressed too early, and is no part of a line
		text = ourKeys.ReplaceAll(text, nil)
	}
	var line []byte
	for _, b := range []byte(strings.NewReplacer(keys.PasteStart, "", keys.PasteEnd, "").Replace(string(text))) {
		if b == '\x7f' {
			line = line[:max(len(line)-1, 0)]
		} else {
			line = append(line, b)
		}
	}
	do := w.reads
	w.held, w.reads = rest, nil
	do(string(line))
}

var ourKeys = regexp.MustCompile(`\x1b\[201[345]\d~`)

// byOne reports whether one of the two hands has typed a line, whole: a person types p and q, which
// is a command that asks for a line.
func byOne(line string) (person, one bool) {
	person = strings.Trim(line, "pq") == ""
	return person, person || !strings.ContainsAny(line, "pq\x1b")
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
		case w.pasted && text[:size] == keys.PasteEnd, !w.pasted && text[:size] == keys.PasteStart:
			w.held, w.pasted = w.held[size:], !w.pasted
		case w.pasted:
			w.held, w.editor = w.held[1:], w.editor+strings.ReplaceAll(text[:1], "\r", "\n")
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
			if strings.ContainsAny(w.editor, "pq") {
				w.fail("%q of the person is dropped", w.editor)
			}
			w.held, w.editor = w.held[size:], ""
			if w.offer <= w.took || w.more {
				w.says(vt.MarkCommand, variantReady+text[size-2:size-1])
				continue
			}
			w.takes(text[size-2 : size-1])
			return
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

// takes takes the line that is offered, in steps between which the shell may be stopped: it reads
// the line, takes it if it still can, marks that, and enters it.
func (w *world) takes(key string) {
	n, line := w.offer, w.offered
	w.then(time.Second, func() {
		if w.offer != n {
			w.says(vt.MarkCommand, variantReady+key)
			w.keys()
			return
		}
		w.took = n
		w.then(time.Second, func() {
			w.says(vt.MarkCommand, fmt.Sprint(variantTaken, n%editorKeys)+key)
			if line == "" {
				w.keys()
				return
			}
			w.then(time.Second, func() { w.enters(line) })
		})
	})
}

func (w *world) Offer(n int, line string) error {
	w.offer, w.offered = n, line
	return nil
}

func (w *world) Withdraw() bool {
	if w.hesitates(); w.took == w.offer {
		w.occurs["offers that are taken before they are withdrawn"]++
		return false
	}
	w.offer = 0
	return true
}

// leaves lets a caller not wait any longer.
func (w *world) leaves() {
	id := slices.Min(slices.Collect(maps.Keys(w.asked)))
	if strings.HasPrefix(w.asked[id], "if") {
		return // it would leave an unfinished line, at which all others wait
	}
	delete(w.asked, id)
	w.occurs["callers that leave"]++
	if w.apply(Cancel{id}); w.refused != nil {
		w.answers[id] = Ran{NotRun: true}
	}
}

func (w *world) enters(line string) {
	person, one := byOne(line)
	if !one {
		w.fail("%q runs, of which both hands have typed a part", line)
	}
	w.Modes = 0
	switch {
	case line == "":
		w.prompt()
	case w.marks && strings.HasPrefix(line, "if"):
		w.more = true
		w.says(vt.MarkPrompt, VariantMore)
		w.keys()
	case w.marks && strings.HasPrefix(line, "#"):
		w.dropped()
	default:
		w.line, w.TheMode, w.TheScreen.Cursor.Col = line, tty.ModeLines, 0
		w.says(vt.MarkOutput, "")
		end := func() { w.ends(w.IntN(3)) }
		if !strings.HasPrefix(line, "ask") && !(person && strings.Contains(line, "q")) {
			w.occurs["programs that do not read"]++
			w.then(4*time.Second, end)
			return
		}
		w.then(time.Second, func() {
			w.TheScreen.Cursor.Col = 2
			w.out = append(w.out, vt.Mark{})
			w.asks(func(line string) {
				w.occurs["programs that read"]++
				if _, one := byOne(line); !one {
					w.fail("%q is read, of which both hands have typed a part", line)
				}
				if w.marks && w.forShell[line] {
					w.fail("%q is read by a program", line)
				}
				if line != "" {
					w.ran[line] = append(w.ran[line], wasRead)
				}
				w.TheScreen.Cursor.Col = 0
				w.then(time.Second, end)
			})
		})
	}
}

// wasRead is the status of a line that a program has read.
const wasRead = -1

func (w *world) ends(status int) {
	w.ran[w.line] = append(w.ran[w.line], status)
	w.line = ""
	w.out = append(w.out, vt.Mark{})
	if w.marks {
		w.says(vt.MarkEnd, variantRan)
		w.out[len(w.out)-1].HasExitCode, w.out[len(w.out)-1].ExitCode = true, status
	}
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
	actions, err := w.session.Apply(in, w, now)
	w.refused = err
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
	if !ok && fault.DetailOf(a.Err) == NotTyped {
		what := "lines that no editor takes"
		if w.refuses[a.ID] {
			what = "lines that are refused"
		}
		w.occurs[what]++
		w.answers[a.ID] = Ran{NotRun: true}
		return
	}
	if !ok {
		w.fail("%q has the answer %v", line, a.Err)
		return
	}
	w.answers[a.ID] = ran
	statuses := w.ran[line]
	w.occurs["lines that are "+string(ran.State)]++
	right := strings.HasPrefix(line, "make") && w.marks
	switch {
	case ran.State == Done && (!w.marks || slices.Contains(statuses, wasRead)):
		w.fail("%q is done, which nothing tells", line)
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

// types lets a person type at an attached terminal: a part of a line, also pasted, its end, or what
// removes it.
func (w *world) types() {
	next := pick(w.Rand, "p", "p", "q", "paste", "\r", strings.Repeat("\x7f", len(w.person)))
	switch {
	case next == "\r" && w.person == "", next == "":
		return
	case next == "\r":
		w.lines++
		w.person = ""
	case next == "paste":
		w.occurs["pastes"]++
		w.person += "pp"
		if next = "pp"; w.Modes.Has(vt.ModeBracketedPaste) {
			next = keys.PasteStart + next + keys.PasteEnd
		}
	case next[0] != '\x7f':
		w.person += next
	default:
		w.person = ""
	}
	w.personTypes(next)
}

func (w *world) agentTypes(text string) {
	w.apply(Type{From: Sender{Kind: SenderMCP}, Kind: InputText, Bytes: []byte(text)})
}

func (w *world) personTypes(text string) {
	w.apply(Type{From: Sender{Kind: SenderAttach, Name: "Ann"}, Kind: InputText, Bytes: []byte(text)})
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
		if len(w.asked) == 0 && !w.hands && w.marks && w.reads == nil && w.IntN(4) == 0 {
			w.agentTypes("x")
		}
		line := fmt.Sprintf(pick(w.Rand, "make %d", "make %d", "make %d\nagain", "if %d", "# %d", "ask %d", "answer %d"), id)
		run := Run{ID: id, Line: line, Timeout: pick(w.Rand, 100*time.Millisecond, 2*time.Second), AtPrompt: line[:2] != "an", Refuse: w.IntN(8) == 0}
		if run.Refuse {
			w.refuses[id] = true
		}
		if !w.marks {
			run.Line, _, _ = strings.Cut(line, "\n") // several lines are several commands there
		}
		w.asked[id], w.forShell[run.Line] = run.Line, run.AtPrompt
		w.apply(run)
		if w.IntN(3) == 0 {
			continue // the next one comes meanwhile
		}
		for n := 0; len(w.asked) > 0 && n < 20_000; n++ {
			switch {
			case w.IntN(200) > 0:
			case w.IntN(4) == 0:
				w.leaves()
			case w.hands:
				w.types()
			case w.reads != nil && w.line != "":
				w.agentTypes("y\r")
			}
			w.happen()
		}
	}
	if w.hands { // the person finishes what was begun
		w.lines++
		w.personTypes("p\r")
	}
	answer := w.now
	for end := w.now.Add(time.Minute); len(w.asked) > 0 && w.now.Before(end.Add(time.Hour)) || w.now.Before(end); {
		if w.happen(); w.reads != nil && w.line != "" && w.now.Sub(answer) > 20*time.Second {
			answer, end = w.now, later(end, w.now.Add(time.Minute))
			if w.hands {
				w.lines++
				w.personTypes("p\r")
			} else {
				w.agentTypes("y\r")
			}
		}
	}
	for _, line := range w.asked {
		w.fail("%q has no answer", line)
	}
	for id, ran := range w.answers {
		if ran.NotRun {
			for line := range w.ran {
				if strings.HasSuffix(strings.TrimSuffix(line, "\nagain"), fmt.Sprint(" ", id)) {
					w.fail("%q was not run, and has run", line)
				}
			}
		}
	}
	persons := 0
	for line, statuses := range w.ran {
		if person, _ := byOne(line); person {
			persons += len(statuses)
			continue
		}
		if len(statuses) > 1 && strings.Contains(line, " ") {
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
	occurs := map[string]int{}
	for seed := range uint64(*seeds * 10) {
		w := newWorld(seed)
		if wrong := w.run(); len(wrong) > 0 {
			t.Fatalf("seed %d: %s", seed, strings.Join(wrong, "; "))
		}
		for what, n := range w.occurs {
			occurs[what] += n
		}
	}
	t.Log(occurs)
	for _, what := range []string{"pastes", "pauses of the process", "programs that read", "programs that do not read", "shells without marks", "lines that are refused", "callers that leave", "offers that are taken before they are withdrawn", "lines that are quiet", "lines that are done"} {
		if occurs[what] == 0 {
			t.Errorf("there are no %s", what)
		}
	}
}
