package core

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"ui-mcp/internal/term/vt"
)

// A Phase is what the shell of a session is doing, as its marks tell.
type Phase uint8

const (
	PhaseUnmarked Phase = iota // no shell is followed
	PhaseHooks                 // the prompt is being prepared or displayed
	PhaseEditing               // a line can be typed
	PhaseMore                  // the rest of an unfinished line can be typed
	PhaseRunning               // the shell runs a command
)

// Keys that our start-up files bind, and nothing else, in each line editor. Input is read in order,
// so an answer proves that everything typed before has been read. There are several of each kind,
// pressed in turn, so that a late answer to one is not taken for the answer to a later one.
//
// At the ready key the editor forgets what it holds, in its inserting mode, takes the line that is
// offered (see [Offer]) and enters it, in one step: nothing that was typed, that a menu or a search
// displays, or that the editor does in the background gets between. The ask key does the same if
// the editor is empty, and else changes nothing. The drop key drops an unfinished line with all
// that has been read of it, and has no answer but the next prompt.
const editorKeys = 10

func readyKey(i int) string { return fmt.Sprintf("\x1b[2013%d~", i%editorKeys) }

func askKey(i int) string { return fmt.Sprintf("\x1b[2014%d~", i%editorKeys) }

func dropKey(int) string { return "\x1b[20150~" }

// The variants of marks that our start-up files make besides "s": see [vt.Mark].
const (
	VariantMore    = "s" // A: the prompt for the rest of a line
	variantTaken   = "t" // B, the last digit of an offer's number, and the key's: its line is about to be entered
	variantReady   = "r" // B, and the key's digit: the editor is empty, and no line was offered
	variantHeld    = "h" // B, and the key's digit: the editor holds text, which an ask key has left there
	variantOther   = "x" // C: another line was run than the one that the editor has taken
	variantRan     = "1" // D: the line was run
	variantDropped = "0" // D: it was not
)

// A shell is followed by the marks of our start-up files, which have a key and the number of the
// prompt: see [vt.Terminal.SetMarkKey]. Other marks say nothing.
type shell struct {
	Program string // name of the shell's program; "" if it will mark nothing
	Image   uint64 // of the program: see [System.Image]; 0 if it is not known
	Phase   Phase
	N       uint64 // the number of the prompt, or of the command that runs
	Marked  bool   // in PhaseHooks: the start of the prompt was marked
	Exit    *int   // exit status of the newest command, if the shell reported it

	Editor editor
	Offer  offer // the newest
	Watch  *fate // of the line that is being run at a prompt, or nil
}

// An editor is what is known of a shell's line editor.
type editor struct {
	// Draft is who may have typed something that is not entered: a person, or, at a program that
	// gets lines, anybody.
	Draft   Sender
	DraftAt time.Time // when they last typed; zero: nobody has
	Held    bool      // the editor has answered that it holds text, and nothing was typed since

	// Entered is when a line was last entered. It is Unread if that was outside of a command, and
	// no mark has shown that the shell has read a line since.
	Entered time.Time
	Unread  bool

	// KeysAt is when keys were last typed that may open something, such as a search. Fish fills it
	// in the background, and puts what it finds into its editor whatever that is about to run.
	KeysAt time.Time

	Pressed   int       // how often a key of ours was
	PressedAt time.Time // when the last one was
}

// unread returns for how long the shell may still begin to read the line that was entered.
func (e *editor) unread(now time.Time) time.Duration {
	if !e.Unread {
		return 0
	}
	return max(beginGrace-now.Sub(e.Entered), 0)
}

// press returns the next key, of the kind that key makes.
func (p *shell) press(key func(int) string, now time.Time) string {
	e := &p.Editor
	e.Pressed++
	e.PressedAt = now
	return key(e.Pressed)
}

// An offer is a line that the shell's editor may take.
type offer struct {
	N       int // its number
	From    Sender
	Line    string
	Entries []Typed // of the ledger
}

// isTaken reports whether a mark says that the editor has taken the line.
func (o *offer) isTaken(m vt.Mark) bool {
	return m.Kind == vt.MarkCommand && strings.HasPrefix(m.Variant, variantTaken+strconv.Itoa(o.N%editorKeys))
}

// answers reports whether a mark is an answer, of one of our keys or of the last that was pressed.
func (e *editor) answers(m vt.Mark) (any, last bool) {
	any = m.Kind == vt.MarkCommand && strings.IndexAny(m.Variant, variantTaken+variantReady+variantHeld) == 0
	return any, any && strings.HasSuffix(m.Variant, strconv.Itoa(e.Pressed%editorKeys))
}

// prompts reports whether the shell prompts for a line, or is about to.
func (p *shell) prompts() bool { return p.Phase == PhaseHooks || p.Phase == PhaseEditing }

// see handles a mark with the key.
func (p *shell) see(m vt.Mark, now time.Time) {
	if m.Kind == vt.MarkOutput || m.Kind == vt.MarkEnd && p.Phase != PhaseUnmarked || m.Variant == VariantMore {
		p.Editor.Unread = false
	}
	switch m.Kind {
	case vt.MarkOutput:
		p.Phase, p.N, p.Exit = PhaseRunning, m.N, nil
	case vt.MarkEnd:
		if p.Phase == PhaseRunning && m.HasExitCode {
			p.Exit = new(m.ExitCode)
		}
		p.Phase, p.N, p.Marked = PhaseHooks, m.N+1, false
	case vt.MarkPrompt:
		p.Phase, p.N, p.Marked = PhaseHooks, m.N, true
		if m.Variant == VariantMore {
			p.Phase = PhaseMore
		}
	case vt.MarkCommand:
		p.command(m)
	}
	if p.Watch != nil {
		p.Watch.see(m, p, now)
	}
}

// command handles a mark of kind MarkCommand.
func (p *shell) command(m vt.Mark) {
	e := &p.Editor
	answer, last := e.answers(m)
	switch {
	case last && m.Variant[:1] != variantHeld && e.DraftAt.Before(e.PressedAt):
		e.Draft, e.DraftAt, e.Held = Sender{}, time.Time{}, false
	case last:
		e.Held = e.DraftAt.Before(e.PressedAt)
	}
	if !answer || p.Phase != PhaseMore {
		p.Phase, p.N = PhaseEditing, m.N
	}
}
