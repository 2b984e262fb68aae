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
	PhaseUnmarked Phase = iota // there were no marks
	PhaseHooks                 // the prompt is being prepared or displayed
	PhaseEditing               // a line can be typed
	PhaseMore                  // the rest of an unfinished line can be typed
	PhaseRunning               // the shell runs a command
)

// Ready keys are bound by our start-up files, and by nothing else: the line editor forgets what has
// been typed and answers with a mark. Input is read in order, so the answer also proves that
// everything typed before has been read. There are several, pressed in turn, so that a late answer
// to one of them is not taken for the answer to a later one.
const readyKeys = 10

func readyKey(i int) string { return fmt.Sprintf("\x1b[2013%d~", i%readyKeys) }

// The variants of marks that our start-up files make besides "s": see [vt.Mark].
const (
	VariantMore    = "s" // A: the prompt for the rest of a line
	variantReady   = "r" // B, and a digit: the answer to a ready key
	variantRefused = "e" // B: the line is wrong, and still in the editor
	variantRan     = "1" // D: the line was run
	variantDropped = "0" // D: it was not
)

// A shell follows the marks of a session's shell. Marks of our start-up files have a key and
// the number of the prompt: see [vt.Terminal.SetMarkKey]. A shell that makes marks of its own is
// numbered here instead; then the same prompt drawn twice looks like two.
type shell struct {
	Program string // name of the shell's program, "" if it was started without our files
	Image   uint64 // of the program: see [System.Image]; 0 if it is not known
	Keyed   bool   // there was a mark with the key
	Plain   bool   // before the first mark: something reads lines that will not make any
	Phase   Phase
	N       uint64 // the number of the prompt, or of the command that runs
	Marked  bool   // in PhaseHooks: the start of the prompt was marked

	// Unclear means that something other than complete lines for known prompts was typed, so that
	// the editor may hold text, or lines may wait to be read.
	Unclear   bool
	Pressed   int    // how often a ready key was
	PressedAt uint64 // the number of the prompt when the last one was
	Asking    bool   // that was not answered
	Sound     bool   // nothing was typed since

	// Signalled is when a signal was last sent to the command that runs, or to the shell that asks
	// for the rest of a line. It is zero if there was none, and after the next mark.
	Signalled time.Time

	Brackets brackets
	Watch    *fate // of the line that is being run, or nil
	Lines    typedLines
	Exit     *int // exit status of the newest command, if the shell reported it
}

// brackets says whether a shell asks for brackets around what is pasted.
type brackets uint8

const (
	bracketsUnknown brackets = iota
	bracketsUsed
	bracketsUnused
)

// typed records input that does not come from RunCommand.
func (p *shell) typed() {
	p.Unclear, p.Sound = true, false
	if p.Watch != nil {
		p.Watch.Alone = false
	}
}

// signal records that the job in the foreground gets a signal.
func (p *shell) signal(now time.Time) {
	if p.Phase == PhaseRunning || p.Phase == PhaseMore {
		p.Signalled = now
	}
}

// press returns the ready key that must be sent now.
func (p *shell) press() string {
	p.Pressed++
	p.PressedAt = p.N
	p.Unclear, p.Asking, p.Sound = true, true, true
	return readyKey(p.Pressed)
}

// isAnswer reports whether a mark is the answer to the last ready key.
func (p *shell) isAnswer(m vt.Mark) bool {
	return m.Kind == vt.MarkCommand && m.Variant == variantReady+strconv.Itoa(p.Pressed%readyKeys)
}

func (p *shell) see(m vt.Mark, now time.Time) {
	n := m.N
	if m.Keyed {
		p.Keyed = true
	} else {
		n = p.N
		if m.Kind == vt.MarkEnd && p.Phase != PhaseRunning && p.Phase != PhaseUnmarked {
			return // some prompts begin with one
		}
		if m.Kind == vt.MarkPrompt && p.Phase == PhaseRunning {
			n++
		}
	}
	p.Lines.see(m, p.Phase, now)
	p.Signalled = time.Time{}
	switch m.Kind {
	case vt.MarkOutput:
		p.Phase, p.N, p.Exit = PhaseRunning, n, nil
	case vt.MarkEnd:
		if p.Phase == PhaseRunning && m.HasExitCode {
			p.Exit = new(m.ExitCode)
		}
		p.Phase, p.N, p.Marked = PhaseHooks, n+1, false
	case vt.MarkPrompt:
		p.Phase, p.N, p.Marked = PhaseHooks, n, true
		if m.Variant == VariantMore {
			p.Phase = PhaseMore
		}
	case vt.MarkCommand:
		p.command(m, n)
	}
	if p.Watch != nil {
		p.Watch.see(m, n, p, now)
	}
}

// command handles a mark of kind MarkCommand.
func (p *shell) command(m vt.Mark, n uint64) {
	if m.Variant == variantRefused {
		p.Unclear = true
	}
	if p.isAnswer(m) {
		p.Asking = false
		p.Unclear = p.Unclear && !p.Sound
	}
	if strings.HasPrefix(m.Variant, variantReady) && p.Phase == PhaseMore {
		return
	}
	p.Phase, p.N = PhaseEditing, n
}

// marks returns the marks that must be kept.
func (p *shell) marks() (list [2]*vt.Mark) {
	if w := p.Watch; w != nil {
		list = [...]*vt.Mark{w.Output, w.End}
	}
	return list
}
