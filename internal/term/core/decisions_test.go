package core

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	diff "github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

var update = flag.Bool("update", false, "write testdata/decisions.txt")

// A condition is something that the system or the screen tells, with the values that it may have.
type condition struct {
	name   string
	values []string
	set    func(f *facts, value int)
}

var (
	mode   = condition{"mode", []string{"lines", "keys", "secret"}, func(f *facts, i int) { f.TheMode = []tty.Mode{tty.ModeLines, tty.ModeKeys, tty.ModeSecret}[i] }}
	reads  = condition{"reads", []string{"yes", "no", "unknown"}, func(f *facts, i int) { f.Reading = []tty.Reading{tty.Reads, tty.ReadsNot, tty.ReadingUnknown}[i] }}
	behind = condition{"output", []string{"displayed", "unread", "behind", "coming"}, func(f *facts, i int) { f.Waits, f.Late, f.Comes = i == 1, i == 2, i == 3 }}
	held   = condition{"input", []string{"read", "unread"}, func(f *facts, i int) { f.Held = i == 1 }}
	column = condition{"cursor", []string{"at a start", "after text", "in a full screen"}, func(f *facts, i int) {
		f.TheScreen = Screen{Cursor: vt.Position{Line: 3, Col: []int{0, 2, 0}[i]}, Alternate: i == 2}
		f.Modes &^= 1 << vt.ModeAltScreen
		if i == 2 {
			f.Modes |= 1 << vt.ModeAltScreen
		}
	}}
	moves  = condition{"cursor", []string{"where it was", "further on", "in the next line"}, func(f *facts, i int) { f.TheScreen.Cursor = []vt.Position{{}, {Col: 2}, {Line: 1}}[i] }}
	pastes = condition{"brackets", []string{"off", "on"}, func(f *facts, i int) {
		f.Modes = f.Modes&^(1<<vt.ModeBracketedPaste) | vt.Modes(i)<<vt.ModeBracketedPaste
	}}
	job = condition{"job", []string{"the shell", "in its place", "unnamed", "another", "of that name", "unknown"}, func(f *facts, i int) {
		f.Job = []tty.Foreground{{PID: 7, Name: "bash"}, {PID: 7, Name: "vim"}, {PID: 7}, {PID: 8, Name: "vim"}, {PID: 8, Name: "bash"}, {}}[i]
	}}
	began = condition{"began", []string{"never", "long ago", "just now"}, func(f *facts, i int) { f.Began = []time.Time{{}, epoch, epoch.Add(time.Hour)}[i] }}
	text  = condition{"prompt", []string{"none", "PIN:"}, func(f *facts, i int) { f.Text = []string{"", "PIN:"}[i] }}
)

// A scene is what has happened to a session, and what it decides from then on by some conditions.
type scene struct {
	name       string
	before     func(*story) // under the usual facts
	conditions []condition
	after      time.Duration // under these conditions
	then       []Input
	lasts      time.Duration
}

// decisions returns what the session does in a scene, with the values of the conditions.
func (c *scene) decisions(t *testing.T, values []int) []string {
	s := newStory(t)
	c.before(s)
	s.f.Modes, s.f.TheScreen = 0, Screen{}
	for i, value := range values {
		c.conditions[i].set(&s.f, value)
	}
	return s.follow(c.after, c.then, c.lasts)
}

// follow gives the session inputs after a time, and says what it does until more time has passed.
func (s *story) follow(after time.Duration, then []Input, lasts time.Duration) (done []string) {
	start := s.now.Add(after)
	apply := func(in Input) {
		s.facts, s.out = &s.f, nil
		actions, err := s.session.Apply(in, s, s.now)
		for _, what := range s.out {
			done = append(done, strings.TrimPrefix(fmt.Sprint(s.now.Sub(start), " "), "0s ")+what)
		}
		if err != nil {
			done = append(done, "refused: "+describeError(err))
		}
		for _, a := range actions {
			if what := describe(a); what != "" {
				at := fmt.Sprint(s.now.Sub(start), " ")
				done = append(done, strings.TrimPrefix(at, "0s ")+what)
			}
		}
	}
	for end := start.Add(lasts); ; {
		switch due := s.session.Due; {
		case then != nil && (due.IsZero() || due.After(start)):
			s.now = start
			for _, in := range then {
				apply(in)
			}
			then = nil
		case due.IsZero() || due.After(end):
			return done
		default:
			s.now = due
			apply(Tick{})
		}
	}
}

// reported stands before a state that is reported.
const reported = "is now "

// describe says what an action is, or "" if that follows from others.
func describe(a Action) string {
	switch a := a.(type) {
	case Write:
		text := fmt.Sprintf("types %q", a.Bytes)
		if a.Secret {
			text += ", a secret"
		}
		return text
	case Reported:
		return reported + string(a.State)
	case Begun:
		return "has begun"
	case Forget:
		return "forgets the shell"
	case Answer:
		if a.Err != nil {
			return describeError(a.Err)
		}
		switch r := a.Result.(type) {
		case Ran:
			text := string(r.State)
			if r.NotRun {
				text += ", not run"
			}
			if r.ExitCode != nil {
				text += fmt.Sprintf(", %d", *r.ExitCode)
			}
			return text
		case Request:
			return fmt.Sprintf("asks for a %s of %d", r.Key.State, r.Key.Job)
		case Attained:
			return "attains " + string(r.State)
		case Prompted:
			if r.Quiet {
				return "is quiet"
			}
			return fmt.Sprintf("prompts, more %t", r.More)
		case Settled:
			return "settled"
		}
		return fmt.Sprintf("%T", a.Result)
	}
	return ""
}

func describeError(err error) string {
	if d := fault.DetailOf(err); d != "" {
		return string(d)
	}
	if errors.Is(err, ErrUnsettled) {
		return "unsettled"
	}
	return fault.KindOf(err).String()
}

// table writes what depends on what: conditions in their order, values with the same consequences
// together, and conditions that make no difference not at all. outcomes has the outcome of each
// combination; those of the last condition are next to each other.
func table(b *strings.Builder, indent string, conditions []condition, outcomes []string) {
	if len(slices.Compact(slices.Clone(outcomes))) == 1 {
		before := " "
		if indent == "" {
			before = "\t"
		}
		b.WriteString(before + cmp.Or(outcomes[0], "nothing") + "\n")
		return
	}
	c := conditions[0]
	size := len(outcomes) / len(c.values)
	var groups [][]string // the names of values
	var parts [][]string  // their outcomes
	for i, name := range c.values {
		part := outcomes[i*size : (i+1)*size]
		if at := slices.IndexFunc(parts, func(p []string) bool { return slices.Equal(p, part) }); at >= 0 {
			groups[at] = append(groups[at], name)
			continue
		}
		groups, parts = append(groups, []string{name}), append(parts, part)
	}
	if len(parts) == 1 {
		table(b, indent, conditions[1:], parts[0])
		return
	}
	if indent != "" {
		b.WriteString("\n")
	}
	indent += "\t"
	for i, names := range groups {
		fmt.Fprintf(b, "%s%s %s:", indent, c.name, strings.Join(names, ", "))
		table(b, indent, conditions[1:], parts[i])
	}
}

// nop is for a session of which nothing is known.
func nop(*story) {}

// says returns what gives a session marks: see [story.says].
func says(marks string) func(*story) { return func(s *story) { s.says(marks) } }

// inOrder returns what does several things in order.
func inOrder(list ...func(*story)) func(*story) {
	return func(s *story) {
		for _, do := range list {
			do(s)
		}
	}
}

// types returns what types something, by a program.
func types(text string) func(*story) {
	return func(s *story) {
		s.then(0, Type{From: Sender{Kind: SenderHTTP}, Kind: InputText, Bytes: []byte(text), Signals: text == "\x03"})
	}
}

// personTypes returns what types something, by a person at a terminal.
func personTypes(text string) func(*story) {
	return func(s *story) {
		s.then(0, Type{From: Sender{Kind: SenderAttach, Name: "Ann"}, Kind: InputText, Bytes: []byte(text)})
	}
}

// begins returns what begins a run.
func begins(r Run) func(*story) {
	r.ID = 9
	return func(s *story) { s.then(0, r) }
}

// takes lets the shell's editor take the line that is offered.
func takes(s *story) {
	p := &s.session.Shell
	s.says(fmt.Sprintf("B%d%s%d%d", p.N, variantTaken, p.Offer.N%editorKeys, p.Editor.Pressed%editorKeys))
}

func pause(d time.Duration) func(*story) { return func(s *story) { s.wait(d) } }

func cancels(id uint64) func(*story) { return func(s *story) { s.then(0, Cancel{id}) } }

func waits(s *story) { s.then(0, AwaitPrompt{9}) }

func takesKeyboard(s *story) { s.then(0, TakeKeyboard{"Ann"}) }

// withoutFiles makes the session's program one that was started without our files.
func withoutFiles(s *story) { s.session.Shell.Program = "" }

// executes returns what changes the program that the session's process executes.
func executes(code uint64) func(*story) { return func(s *story) { s.f.Code = code } }

func inFish(s *story) { s.session.Shell.Program = "fish" }

// under returns what does something while facts are others.
func under(change func(*facts), do func(*story)) func(*story) {
	return func(s *story) {
		was := s.f
		change(&s.f)
		do(s)
		s.f = was
	}
}

func withBrackets(do func(*story)) func(*story) {
	return under(func(f *facts) { f.Modes = 1 << vt.ModeBracketedPaste }, do)
}

func reading(do func(*story)) func(*story) {
	return under(func(f *facts) { f.TheMode, f.Reading = tty.ModeLines, tty.Reads }, do)
}

// afterText does something where the system does not tell what reads, and waits for the silence
// after which a line is typed.
func afterText(do func(*story)) func(*story) {
	return under(func(f *facts) { f.TheScreen.Cursor.Col = 2 }, inOrder(do, pause(DefaultSilence)))
}

// late does something while output waits to be read.
func late(do func(*story)) func(*story) { return under(func(f *facts) { f.Late = true }, do) }

func secretly(do func(*story)) func(*story) {
	return under(func(f *facts) { f.TheMode, f.Reading = tty.ModeSecret, tty.Reads }, do)
}

// What happens to a session.
var (
	prompted = says("A1 B1")
	ended    = says("A1 B1 C1 D1=0")
	drawing  = says("A1 B1 C1 D1=0 A2")
	running  = inOrder(prompted, types("x\r"), says("C1"))

	line      = Run{ID: 1, Line: "make", Timeout: 2 * time.Second}
	lines     = Run{ID: 1, Line: "a\nb", Timeout: 2 * time.Second}
	blank     = Run{ID: 1, Timeout: 2 * time.Second}
	forShell  = Run{ID: 1, Line: "make", Timeout: 2 * time.Second, AtPrompt: true}
	inBack    = Run{ID: 1, Line: "make", Timeout: 2 * time.Second, Background: true}
	ofBegin   = Run{ID: 1, Line: "make", Timeout: 2 * time.Second, Begin: true}
	hasty     = Run{ID: 1, Line: "make", Timeout: 2 * time.Second, Refuse: true}
	key       = Type{From: Sender{Kind: SenderMCP}, Kind: InputText, Bytes: []byte("x")}
	pin       = RequestKey{State: StateSecret, Inputs: 1, Commands: 1, Text: "PIN:", Line: 3, Job: 7}
	something = []Input{Output{}}
)

func one(in Input) []Input { return []Input{in} }

var scenes = []scene{
	// When a line is typed.
	{"a line for a shell that has marked nothing yet", nop, []condition{behind, job, mode, reads, column, pastes}, 0, one(line), 7 * time.Second},
	{"a line for a program that was started without our files", withoutFiles, []condition{behind, mode, reads, column}, 0, one(line), 7 * time.Second},
	{"a line for an old shell that has marked nothing", says(""), []condition{mode, pastes}, 10 * time.Second, append(marks(""), line), 2 * time.Second},
	{"a line for a program that displays a prompt", inOrder(withoutFiles, says("")), []condition{mode, reads, column}, 0, one(line), 4 * time.Second},
	{"a line after a command without an end, for which one was typed", inOrder(running, types("y\r"), says("A2 B2")), nil, 0, one(line), 3 * time.Second},
	{"a line after one that was taken, whose caller has left", inOrder(prompted, begins(line), takes, cancels(9)), nil, 0, one(line), 3 * time.Second},
	{"a line that a terminal would cut", inOrder(withoutFiles, func(s *story) { s.session.MaxLine = 3 }, says("")), []condition{mode, column}, 0, one(line), 4 * time.Second},
	{"a line for an editor without marks that has got something", inOrder(withoutFiles, says(""), types("x")), []condition{mode, column}, 0, one(line), 4 * time.Second},
	{"a line behind one that was typed before the first prompt", inOrder(types("ls\r"), says("D0 A1 B1")), nil, 0, one(line), 3 * time.Second},
	{"a line after a command", ended, []condition{behind, mode, reads, column}, 0, one(line), 4 * time.Second},
	{"a line while a prompt is drawn", drawing, []condition{behind, mode, reads, column}, 0, one(line), 4 * time.Second},
	{"a line after a command of a shell that uses brackets", inOrder(prompted, withBrackets(begins(line)), takes, says("C1 D1=0")), []condition{mode, pastes}, 0, one(line), 2 * time.Second},
	{"lines that wait when the shell prompts again", inOrder(prompted, begins(lines), takes, pause(1500*time.Millisecond)), []condition{pastes}, 0, marks("C1 D1 A2 B2"), 3 * time.Second},
	{"a line at the prompt", prompted, []condition{behind, pastes}, 0, one(line), time.Second},
	{"lines at the prompt", prompted, []condition{behind, pastes}, 0, one(lines), 3 * time.Second},
	{"lines at a prompt that came a second ago", prompted, []condition{behind, pastes}, time.Second, one(lines), 3 * time.Second},
	{"lines at the prompt of a shell without brackets", inOrder(prompted, begins(lines), takes, pause(5*time.Second), says("C1 D1 A2 B2 C2 D2 A3 B3"), pause(3*time.Second)), []condition{pastes}, 0, one(lines), 3 * time.Second},
	{"a line at a prompt where something was typed", inOrder(prompted, types("x")), []condition{behind, mode, reads}, 0, one(line), 13 * time.Second},
	{"a line at a prompt where something was typed a second ago", inOrder(prompted, types("x")), []condition{mode, reads}, time.Second, one(line), 2 * time.Second},
	{"a line that is offered", inOrder(prompted, begins(line), cancels(9), begins(line)), []condition{behind, held, mode, reads}, 0, something, 13 * time.Second},
	{"a line that is offered, and taken", inOrder(prompted, begins(line)), []condition{behind}, 0, marks("B1t11"), time.Second},
	{"a line that is offered, and not found", inOrder(prompted, begins(line)), []condition{behind}, 0, marks("B1r1"), time.Second},
	{"a line that is offered when another begins", inOrder(prompted, begins(line)), []condition{mode, reads}, 0, marks("C1"), 4 * time.Second},
	{"a line that is offered when a command replaces the shell", inOrder(executes(1), prompted, begins(line), says("C1"), executes(2)), []condition{mode, reads}, 0, something, 4 * time.Second},
	{"a line when a ready key was pressed", inOrder(prompted, types("x"), begins(line), cancels(9)), []condition{behind, held, mode, reads}, 0, one(line), 13 * time.Second},
	{"a line when one was pressed at the prompt before", inOrder(prompted, types("x"), begins(line), cancels(9), says("A2 B2"), types("x")), []condition{mode, reads}, 0, one(line), 13 * time.Second},
	{"a line during a command", running, []condition{behind, held, mode, reads, column}, 0, one(line), time.Second},
	{"a line during a command for which something was typed", inOrder(running, types("x")), []condition{mode, reads, column}, 0, one(line), 3 * time.Second},
	{"a line after marks that anything may have written", inOrder(withoutFiles, says("A B C D=0 A B")), []condition{mode, reads, column}, 0, one(line), 3 * time.Second},
	{"a line behind what a person has typed", inOrder(prompted, personTypes("ls")), []condition{behind, mode, reads}, 0, one(line), 13 * time.Second},
	{"a line behind what a person has typed and removed", inOrder(prompted, personTypes("l\x7f"), pause(2*time.Second), begins(line)), []condition{pastes}, 0, marks("B1r1"), 2 * time.Second},
	{"a line behind what a person has typed and the editor holds", inOrder(prompted, personTypes("l"), pause(2*time.Second), begins(line)), []condition{pastes}, 0, marks("B1h1"), 20 * time.Second},
	{"a line behind what a person removes, which the editor has held", inOrder(prompted, personTypes("l"), pause(2*time.Second), begins(line), says("B1h1"), personTypes("\x7f")), nil, 0, something, 3 * time.Second},
	{"a line behind what a person removes while the editor is asked", inOrder(prompted, personTypes("l"), pause(2*time.Second), begins(line), pause(time.Millisecond), personTypes("\x7f")), nil, 0, marks("B1h1"), 3 * time.Second},
	{"a line behind what a person and then a program have typed during a hook", inOrder(prompted, reading(inOrder(personTypes("l"), types("x")))), nil, 0, one(line), 3 * time.Second},
	{"a line behind keys that may have opened something in fish", inOrder(inFish, prompted, types("\x12")), nil, 0, one(line), 3 * time.Second},
	{"a line that cannot wait, for a busy editor", prompted, []condition{held, reads}, 0, one(hasty), 3 * time.Second},
	{"a line that is offered when the prompt is drawn again", inOrder(prompted, begins(line), pause(2500*time.Millisecond), says("A1 B1")), nil, 0, something, 13 * time.Second},
	{"a line at the rest of an unfinished one", inOrder(prompted, types("if\r"), says("A1s")), []condition{behind, mode, reads}, 0, one(line), 7 * time.Second},
	{"a line that cannot wait", running, []condition{mode, reads, column}, 0, one(hasty), time.Second},
	{"a line during a command that others wait for", inOrder(running, waits), []condition{mode}, 0, one(line), time.Second},
	{"a line behind another, which waits for input", inOrder(prompted, begins(line), takes, says("C1")), []condition{mode, reads}, 0, one(line), 4 * time.Second},
	{"a line for the shell during a command", running, []condition{behind, mode, reads}, 0, one(forShell), time.Second},
	{"a line that waits at a prompt when an earlier one begins", inOrder(prompted, types("x"), begins(line)), []condition{mode, reads}, 0, marks("C1"), 4 * time.Second},
	{"a line during a command that was interrupted", inOrder(running, types("\x03")), []condition{behind, job, mode, reads}, 0, one(line), 7 * time.Second},
	{"a line during a command that was interrupted a second ago", inOrder(running, types("\x03")), []condition{behind, job, mode, reads}, time.Second, one(line), 7 * time.Second},
	{"a line after the interruption of an unfinished one", inOrder(prompted, types("if\r"), says("A1s"), types("\x03")), []condition{mode, reads}, 0, one(line), 7 * time.Second},

	// What becomes of it.
	{"a line of which nothing is heard", inOrder(prompted, begins(line), takes), []condition{behind, held, job, mode, reads, column}, 0, something, 8 * time.Second},
	{"a line without marks", inOrder(withoutFiles, afterText(begins(line))), []condition{behind, mode, reads}, 0, something, 8 * time.Second},
	{"a line that something reads", inOrder(withoutFiles, reading(begins(line))), []condition{behind, mode, reads}, 0, something, 4 * time.Second},
	{"a line without marks, while a person is asked", inOrder(withoutFiles, reading(begins(line)), asking), []condition{reads}, 0, something, 4 * time.Second},
	{"an answer to a line without marks", inOrder(withoutFiles, reading(begins(Run{Line: "make", Timeout: time.Millisecond})), pause(500*time.Microsecond)), []condition{behind}, 0, something, time.Second},
	{"marks after several lines", inOrder(prompted, begins(lines), takes, pause(2*time.Second)), []condition{reads}, 0, marks("C2"), 4 * time.Second},
	{"a line after which nothing happens", withoutFiles, []condition{behind, mode, reads}, 0, one(Run{ID: 1, Line: "make", Timeout: time.Millisecond}), 8 * time.Second},
	{"a command runs", inOrder(prompted, begins(line), takes, says("C1")), []condition{behind, job, mode, reads, column}, 0, something, 5 * time.Second},
	{"a command runs while a person is asked", inOrder(prompted, begins(line), takes, says("C1"), asking), []condition{mode, reads}, 0, something, 5 * time.Second},
	{"a command has ended", inOrder(prompted, begins(line), takes, says("C1")), []condition{behind, pastes}, 0, marks("D1=3"), time.Second},
	{"a command has ended, and the shell prompts", inOrder(prompted, begins(line), takes, says("C1 D1=3")), []condition{behind, pastes}, 0, marks("A2 B2"), time.Second},
	{"a command has ended while a person is asked", inOrder(prompted, begins(line), takes, says("C1"), asking), nil, 0, marks("D1=3 A2 B2"), time.Second},
	{"the first of several lines has ended", inOrder(prompted, withBrackets(begins(lines)), takes, says("C1")), []condition{behind, pastes}, 0, marks("D1=3"), time.Second},
	{"nothing is left of a blank line", inOrder(prompted, begins(blank), takes), []condition{behind, pastes}, 0, marks("A2 B2"), time.Second},
	{"a shell does not tell what it has done with a line", inOrder(prompted, begins(line), takes), []condition{behind, pastes}, 0, marks("D1 A2 B2"), time.Second},
	{"a shell drops a line", inOrder(prompted, begins(line), takes), []condition{behind, pastes}, 0, marks("D10 A2 B2"), time.Second},
	{"a shell wants the rest of a line", inOrder(prompted, begins(line), takes), []condition{behind, mode, reads}, 0, marks("A1s"), 7 * time.Second},
	{"a shell wants it again", inOrder(prompted, begins(line), takes, says("A1s B1r1")), []condition{behind, mode, reads}, 0, marks("A1s"), 7 * time.Second},
	{"a shell has wanted the rest of a line for a moment", inOrder(prompted, begins(line), takes), []condition{mode, reads}, 0, marks("A1s A1 B1"), 3 * time.Second},
	{"a shell wants it from a person", inOrder(prompted, begins(line), takes, takesKeyboard), []condition{behind, mode, reads}, 0, marks("A1s"), 7 * time.Second},
	{"a shell keeps a line", inOrder(prompted, begins(line), takes), []condition{behind, mode, reads}, 0, marks("B1e"), 7 * time.Second},
	{"a shell keeps a line, and a person has the keyboard", inOrder(prompted, begins(line), takes, takesKeyboard), []condition{behind, mode, reads}, 0, marks("B1e"), 7 * time.Second},

	// When it has begun.
	{"a line in the background of which nothing is heard", inOrder(prompted, begins(inBack), takes), []condition{behind, mode, reads}, 0, something, 7 * time.Second},
	{"a command in the background", inOrder(prompted, begins(inBack), takes), []condition{job, mode, reads}, 0, marks("C1"), 3 * time.Second},
	{"a command in the background ends soon", inOrder(prompted, begins(inBack), takes, says("C1"), pause(150*time.Millisecond)), []condition{job}, 0, marks("D1=3"), time.Second},
	{"a command in the background, of a shell that is not known", inOrder(prompted, under(func(f *facts) { f.Job = tty.Foreground{} }, begins(inBack)), takes), []condition{job, reads}, 0, marks("C1"), 3 * time.Second},
	{"a command whose beginning is reported", inOrder(prompted, begins(ofBegin), takes), []condition{job, reads, column}, 0, marks("C1"), 4 * time.Second},
	{"a line in the background that a command reads", inOrder(running, reading(begins(inBack))), []condition{mode, reads}, 0, something, 3 * time.Second},
	{"a line in the background, before the prompt", inOrder(running, reading(begins(inBack))), []condition{mode, reads}, 0, marks("D1 A2 B2"), 3 * time.Second},

	// What a program asks for.
	{"a request before the first mark", says(""), []condition{mode, reads, text, column}, time.Second, one(AwaitRequest{ID: 1}), 4 * time.Second},
	{"a request of the person's shell", inOrder(func(s *story) { s.session.Interactive = true }, says("")), []condition{mode, reads, text, job}, time.Second, one(AwaitRequest{ID: 1}), 4 * time.Second},
	{"a request of a program", running, []condition{behind, mode, reads, text, column}, time.Second, one(AwaitRequest{ID: 1}), 4 * time.Second},
	{"a request of a program that is not driven", inOrder(running, func(s *story) { s.session.Creator = Sender{} }), []condition{mode, reads, text}, time.Second, one(AwaitRequest{ID: 1}), 4 * time.Second},
	{"a request before a person's eyes", inOrder(running, func(s *story) { s.then(0, Attend{1}) }), []condition{mode, reads, text}, time.Second, one(AwaitRequest{ID: 1}), 4 * time.Second},
	{"a request of a program that has got half a line", inOrder(running, under(func(f *facts) { f.TheMode = tty.ModeLines }, types("y"))), []condition{mode, reads, text}, time.Second, one(AwaitRequest{ID: 1}), 4 * time.Second},
	{"a request of a program that has got a line", inOrder(running, under(func(f *facts) { f.TheMode = tty.ModeLines }, types("y\r"))), []condition{mode, reads, text}, time.Second, one(AwaitRequest{ID: 1}), 4 * time.Second},
	{"a request of a program that has got a key", inOrder(running, types("y")), []condition{mode, reads, text}, time.Second, one(AwaitRequest{ID: 1}), 4 * time.Second},
	{"a request at the prompt", prompted, []condition{mode, reads, text}, time.Second, one(AwaitRequest{ID: 1}), 4 * time.Second},
	{"a request of a hook", drawing, []condition{mode, reads, text}, time.Second, one(AwaitRequest{ID: 1}), 4 * time.Second},
	{"the end of a request", running, []condition{behind, mode, reads, text, column}, 0, one(AwaitSettled{1, pin}), 2 * time.Second},
	{"the end of a request, when a person can see it", inOrder(running, func(s *story) { s.then(0, Attend{1}) }), []condition{mode}, 0, one(AwaitSettled{1, pin}), time.Second},
	{"the end of a request, when something was typed", inOrder(running, types("x")), []condition{mode}, 0, one(AwaitSettled{1, pin}), time.Second},
	{"an answer", running, []condition{behind, mode, reads, text, column}, 0, one(Reply{Key: pin, Text: secretText}), time.Millisecond},
	{"an answer behind input that is not written yet", inOrder(running, func(s *story) { s.f.IsBusy = true }), []condition{mode, reads, text, column}, 0, one(Reply{Key: pin, Text: secretText}), time.Millisecond},

	// What is secret.
	{"input before the first mark", nop, []condition{mode, reads, column}, 0, one(key), time.Millisecond},
	{"input for a program that was started without our files", withoutFiles, []condition{mode, job}, 0, one(key), time.Millisecond},
	{"input for the person's shell", inOrder(withoutFiles, func(s *story) { s.session.Interactive = true }), []condition{mode, job}, 0, one(key), time.Millisecond},
	{"input after a command", ended, []condition{mode, reads, column}, 0, one(key), time.Millisecond},
	{"input while a prompt is drawn", drawing, []condition{mode, reads}, 0, one(key), time.Millisecond},
	{"input at the prompt", prompted, []condition{mode, reads}, 0, one(key), time.Millisecond},
	{"input for a command", running, []condition{mode, reads}, 0, one(key), time.Millisecond},

	// Whether the shell prompts.
	{"a prompt is waited for before the first mark", nop, []condition{behind}, 0, one(AwaitPrompt{1}), 7 * time.Second},
	{"a prompt is waited for in a program that was started without our files", withoutFiles, []condition{reads, column}, 0, one(AwaitPrompt{1}), 7 * time.Second},
	{"a prompt is waited for during a command", running, []condition{behind}, 0, one(AwaitPrompt{1}), 7 * time.Second},
	{"a prompt is waited for at one", prompted, []condition{behind, held}, 0, one(AwaitPrompt{1}), 7 * time.Second},
	{"a prompt is waited for at one for the rest of a line", says("A1 B1 A1s"), []condition{behind}, 0, one(AwaitPrompt{1}), 7 * time.Second},
	{"a prompt is waited for at one for the rest of a line that was typed", inOrder(prompted, types("if\r"), says("A1s")), nil, 0, one(AwaitPrompt{1}), 3 * time.Second},
	{"a prompt is waited for after a line", inOrder(prompted, types("ls\r")), []condition{behind}, 0, one(AwaitPrompt{1}), 7 * time.Second},
}

// states are scenes of which it matters, too, which state is reported.
var states = []scene{
	{"the state before the first mark", nop, []condition{behind, mode, reads, began, column}, 0, something, 4 * time.Second},
	{"the state after a command", ended, []condition{behind, mode, reads, column}, 0, something, 4 * time.Second},
	{"the state while a prompt is drawn", drawing, []condition{behind, mode, reads, column}, 0, something, 4 * time.Second},
	{"the state at the prompt", prompted, []condition{behind, mode, reads, column}, 0, something, 4 * time.Second},
	{"the state when a line was typed", inOrder(prompted, types("ls\r")), []condition{behind, mode, reads, column}, 0, something, 4 * time.Second},
	{"the state when a line was entered for a command", inOrder(running, under(func(f *facts) { f.TheMode = tty.ModeLines }, types("y\r"))), []condition{mode, reads, moves}, 0, something, 4 * time.Second},
	{"the state when a secret was entered", inOrder(running, secretly(types("y\r"))), []condition{mode, reads, moves}, 0, something, 4 * time.Second},
	{"the state during a command", running, []condition{job, mode, reads, began, column}, 0, something, 4 * time.Second},
	{"a state is waited for when a line was entered", inOrder(running, reading(inOrder(says(""), pause(time.Second), types("y\r")))), []condition{held, mode, reads, moves}, 0, one(AwaitState{ID: 1}), 2 * time.Second},
	{"a state is waited for when a secret was entered", inOrder(running, secretly(inOrder(says(""), pause(time.Second), types("y\r")))), []condition{held, mode, reads, moves}, 0, one(AwaitState{ID: 1}), 2 * time.Second},
	{"a state is waited for when a key was pressed", inOrder(running, says(""), pause(time.Second), types("y")), []condition{held, mode, reads}, 0, one(AwaitState{ID: 1}), 2 * time.Second},
	{"a state is waited for during a command", running, []condition{mode, reads, column}, time.Minute, one(AwaitState{ID: 1}), time.Second},
}

// What a session decides, and when, by all combinations of what it is told, is in a file to read.
func TestDecisions(t *testing.T) {
	t.Parallel()
	const file = "testdata/decisions.txt"
	var b strings.Builder
	for i, c := range slices.Concat(scenes, states) {
		count := 1
		for _, of := range c.conditions {
			count *= len(of.values)
		}
		outcomes := make([]string, count)
		for n := range outcomes {
			values, rest := make([]int, len(c.conditions)), n
			for j, of := range slices.Backward(c.conditions) {
				values[j], rest = rest%len(of.values), rest/len(of.values)
			}
			done := c.decisions(t, values)
			if i < len(scenes) {
				done = slices.DeleteFunc(done, func(what string) bool { return strings.Contains(what, reported) })
			}
			outcomes[n] = strings.Join(done, "; ")
		}
		b.WriteString(c.name + "\n")
		table(&b, "", c.conditions, outcomes)
		b.WriteString("\n")
	}
	got := strings.TrimSuffix(b.String(), "\n")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := diff.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("-file +now; -update writes it:\n%s", d)
	}
}
