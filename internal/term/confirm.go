package term

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/core"
	typedline "ui-mcp/internal/term/typed"
	"ui-mcp/internal/term/vt"
)

// A Confirmation says which lines a program may enter only if a person allows them. It comes with
// the calls that type: see [WithConfirmation].
type Confirmation struct {
	// Lines match these lines. Own match more of them, by the program's own wish. Without any, the
	// program may enter all.
	Lines, Own []*regexp.Regexp
	// Caller is who the program is: see [Inquiry].
	Caller string
	// Ask asks a person. Nil means that nobody can be asked: such lines are refused.
	Ask func(context.Context, Inquiry) error
}

// An Inquiry is a question whether a program may do what it is about to. Nil as its answer means
// that the person allows it; an error says, to the program, why not.
type Inquiry struct {
	Session *Session // where it would be done; nil: in a session that does not exist yet
	Title   string
	Message string // text
	Quote   string // what would be entered
	// Caller must not answer, since Lines hold this back for it; "": everybody may who is asked.
	Caller string
	// About has everything that the answer is for, as JSON: who would do it, too.
	About []byte
}

// WithConfirmation returns a context for calls that type on behalf of a program.
func WithConfirmation(ctx context.Context, c Confirmation) context.Context {
	return context.WithValue(ctx, key[Confirmation]{}, c)
}

func (c Confirmation) isEmpty() bool { return c.Lines == nil && c.Own == nil }

func (c Confirmation) matches(line string) bool {
	return anyMatches(c.Lines, line) || anyMatches(c.Own, line)
}

func anyMatches(patterns []*regexp.Regexp, line string) bool {
	return slices.ContainsFunc(patterns, func(l *regexp.Regexp) bool { return l.MatchString(line) })
}

// ask asks a person about lines. about becomes [Inquiry.About].
func (c Confirmation) ask(ctx context.Context, i Inquiry, lines []string, about any) (err error) {
	if c.Ask == nil {
		return fault.With(core.NotPermitted, fault.New(fault.Precondition, "this needs a person's permission, and this server cannot ask: nothing was done. Ask the person to do it themselves"))
	}
	if err := canBeRead(i.Quote); err != nil {
		return err
	}
	from := value[core.Sender](ctx)
	from.Peer = "" // it changes
	if i.About, err = json.Marshal(struct{ Caller, From, What any }{c.Caller, from, about}); err != nil {
		return err
	}
	if slices.ContainsFunc(lines, func(l string) bool { return anyMatches(c.Lines, l) }) {
		i.Caller = c.Caller
	}
	i.Message = "It comes from " + from.Describe() + ". --confirm holds it back:"
	return c.Ask(ctx, i)
}

// canBeRead returns an error, with the detail [core.NotPermitted], if a text is too long for a
// question: a person permits what they can read, and nothing else.
func canBeRead(quote string) error {
	if len(quote) <= question.MaxQuote {
		return nil
	}
	return fault.With(core.NotPermitted, fault.New(fault.Precondition, "a person must permit this, and it is too long for them to read: nothing was typed; write it to a file, and use that"))
}

// confirm asks a person about the lines that input would enter, if they need permission, and keeps
// in what which ones the person has allowed.
func (s *Session) confirm(ctx context.Context, what *typing, make func(*state) ([]byte, error)) error {
	if what.confirm = value[Confirmation](ctx); what.confirm.isEmpty() || make == nil {
		return nil
	}
	unclear := false
	err := s.doRunning(ctx, func(st *state) error {
		b, err := make(st)
		if err != nil {
			return err
		}
		line := s.lineFor(st, what)
		what.allowed = s.heldBack(st, what, line, b)
		from, _ := line.Unclear(b)
		unclear = from < len(b)
		return nil
	})
	if err != nil {
		return err
	}
	if unclear && what.Kind == core.InputLine { // typed in one piece, it is judged by the screen before it
		if err := s.awaitShown(ctx); err != nil {
			return err
		}
	}
	if len(what.allowed) == 0 {
		return nil
	}
	return what.confirm.ask(ctx, Inquiry{
		Session: s, Title: fmt.Sprintf("Enter this in the terminal %q?", s.Name()), Quote: quoteLines(what.allowed),
	}, what.allowed, append([]string{s.o.ID}, what.allowed...))
}

// lineFor returns a copy of the line that input would continue.
func (s *Session) lineFor(st *state, what *typing) *typedline.Line {
	if p := &st.core.Shell; what.Kind == core.InputLine && (p.Phase == core.PhaseEditing || p.Phase == core.PhaseHooks) {
		return new(typedline.Line) // RunCommand drops what is there
	}
	st.doubt()
	return st.line.Clone()
}

// doubt marks what was typed of the line as in doubt if it is not displayed before the cursor: then
// another program has read it, such as a pager that a key has ended, or something has dropped it.
func (st *state) doubt() {
	line := &st.line
	if line.IsDoubted() && time.Since(st.core.Idle.At) < settledTime { // it may not be displayed yet
		return
	}
	before := line.Before()
	if before == "" {
		return
	}
	shown, at := st.lineAtCursor()
	if !strings.HasSuffix(strings.TrimRight(shown[:at], " "), strings.TrimRight(before, " ")) {
		line.Doubt()
	}
}

// heldBack returns which of the lines that input would enter need permission. The line that a
// program reads as a secret does nothing by itself, and must not appear in a question.
func (s *Session) heldBack(st *state, what *typing, line *typedline.Line, b []byte) (lines []string) {
	if what.Kind != core.InputLine && s.readsSecret(st) {
		b = b[firstLine(b):]
	}
	for _, c := range line.Clone().Type(b) {
		switch {
		case what.confirm.matches(c.Text):
			lines = append(lines, c.Text)
		case c.Since != "" && what.confirm.matches(c.Since):
			lines = append(lines, c.Since)
		}
	}
	return lines
}

// stillConfirmed returns an error, with the detail [core.NotPermitted], if input would enter lines
// that need permission and were not asked about: another client may have typed since, or the
// program may not read a secret any more. With settled, the screen shows what was typed before, and
// the line at the cursor is judged, too, if the input would enter it without knowing its text.
func (s *Session) stillConfirmed(st *state, what *typing, b []byte, settled bool) error {
	if what.confirm.isEmpty() {
		return nil
	}
	refuse := func(format string, args ...any) error {
		return fault.With(core.NotPermitted, fault.New(fault.Precondition, format+": look at the screen, drop the line with C-c, and try again", args...))
	}
	line := s.lineFor(st, what)
	for _, text := range s.heldBack(st, what, line, b) {
		if !slices.Contains(what.allowed, text) {
			return refuse("session %q has changed meanwhile, so that %q would be entered, which needs a person's permission", s.Name(), text)
		}
	}
	if from, _ := line.Unclear(b); !settled || from == len(b) || st.term.Snapshot().AltScreen() { // Enter enters no line there
		return nil
	}
	if shown, _ := st.lineAtCursor(); what.confirm.matches(shown) {
		return refuse("the line at the cursor, which keys have recalled, completed or edited, needs a person's permission and was not entered; type it in full, so that the person can be asked")
	}
	return nil
}

// settledTime is how long the screen must be quiet to show what keys have done to a line, and
// settleLimit how long to wait for that.
const settledTime, settleLimit = 100 * time.Millisecond, 2 * time.Second

// awaitShown waits until the screen shows what was typed. It is good enough after a limit.
func (s *Session) awaitShown(ctx context.Context) error {
	_, err := s.Quiesce(ctx, QuiesceOptions{Timeout: settledTime, MaxWait: settleLimit, Fresh: true})
	if fault.DetailOf(err) == NotQuiet {
		return nil
	}
	return err
}

// lineAtCursor returns the line in which the cursor is, with a prompt if there is one, and where in
// it the cursor is, in bytes.
func (st *state) lineAtCursor() (text string, at int) {
	screen := st.term.Snapshot()
	if screen.Cursor.Row >= len(screen.Lines) {
		return "", 0
	}
	goesOn := func(l vt.Line) bool { // line editors wrap their lines themselves, too
		return l.Wraps || utf8.RuneCountInString(l.Text) >= screen.Cols
	}
	from, to := screen.Cursor.Row, screen.Cursor.Row+1
	for from > 0 && goesOn(screen.Lines[from-1]) {
		from--
	}
	for to < len(screen.Lines) && goesOn(screen.Lines[to-1]) {
		to++
	}
	var line strings.Builder
	for i, l := range screen.Lines[from:to] {
		before := line.Len()
		line.WriteString(l.Plain())
		if from+i != screen.Cursor.Row {
			continue
		}
		for c := range l.Cells() {
			if c.Col < screen.Cursor.Col || screen.Cursor.PendingWrap {
				before += len(c.Text)
			}
		}
		at = min(before, line.Len())
	}
	return line.String(), at
}

// ConfirmCommand asks a person about the command of a new session, if it needs permission: see
// [WithConfirmation]. It would run in dir, with env added to its environment.
func ConfirmCommand(ctx context.Context, command, dir string, env map[string]string) error {
	c := value[Confirmation](ctx)
	if !c.matches(command) {
		return nil
	}
	return c.ask(ctx, Inquiry{Title: "Run this in a new terminal?", Quote: quoteLines(append(strings.Split(command, "\n"), surroundings(dir, env)...))}, []string{command},
		struct {
			Command, Dir string
			Env          map[string]string
		}{command, dir, env})
}

// surroundings describes, for a person, where a command would run, and with which variables.
func surroundings(dir string, env map[string]string) (lines []string) {
	if dir != "" {
		lines = append(lines, "in "+dir)
	}
	var set []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if slices.Contains(shownVariables, name) || strings.HasPrefix(name, "LC_") {
			name += "=" + env[name]
		}
		set = append(set, name)
	}
	if len(set) > 0 {
		lines = append(lines, "with "+strings.Join(set, ", "))
	}
	return lines
}

// shownVariables are the variables whose values a question displays, because they decide what runs
// and contain no secrets. Questions are kept, and values of others may be secret.
var shownVariables = []string{
	"BASH_ENV", "CI", "DEBUG", "DYLD_INSERT_LIBRARIES", "EDITOR", "ENV", "HOME", "LANG", "LD_LIBRARY_PATH", "LD_PRELOAD",
	"PAGER", "PATH", "PWD", "SHELL", "TERM", "TMPDIR", "TZ", "USER", "VISUAL", "ZDOTDIR",
}

// quoteLines returns lines, each with its end. Characters that are invisible or change what is
// displayed are replaced.
func quoteLines(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(safetext.Visible(line) + "\n")
	}
	return b.String()
}
