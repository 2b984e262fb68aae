package term

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"ui-mcp/internal/term/vt"
)

// A shellPhase is what the shell of a session is doing, as its marks tell.
type shellPhase uint8

const (
	phaseUnmarked shellPhase = iota // there were no marks
	phaseHooks                      // the prompt is being prepared or displayed
	phaseEditing                    // a line can be typed
	phaseMore                       // the rest of an unfinished line can be typed
	phaseRunning                    // the shell runs a command
)

// Ready keys are bound by our start-up files, and by nothing else: the line editor forgets what has
// been typed and answers with a mark. Input is read in order, so the answer also proves that
// everything typed before has been read. There are several, pressed in turn, so that a late answer
// to one of them is not taken for the answer to a later one.
const readyKeys = 10

// readyKey returns the ready key number i.
func readyKey(i int) string { return fmt.Sprintf("\x1b[2013%d~", i%readyKeys) }

// The variants of marks that our start-up files make besides "s": see [vt.Mark].
const (
	variantMore    = "s" // A: the prompt for the rest of a line
	variantReady   = "r" // B, and a digit: the answer to a ready key
	variantRefused = "e" // B: the line is wrong, and still in the editor
	variantRan     = "1" // D: the line was run
	variantDropped = "0" // D: it was not
)

// A shellState follows the marks of a session's shell. Marks of our start-up files have a key and
// the number of the prompt: see [vt.Terminal.SetMarkKey]. A shell that makes marks of its own is
// numbered here instead; then the same prompt drawn twice looks like two.
type shellState struct {
	name   string // of the shell's program, "" if it was started without our files
	image  uint64 // of the program: see [pty.Process.Image]; 0 if it is not known
	keyed  bool   // there was a mark with the key
	plain  bool   // before the first mark: something reads lines that will not make any
	phase  shellPhase
	n      uint64 // the number of the prompt, or of the command that runs
	marked bool   // in phaseHooks: the start of the prompt was marked

	// unclear means that something other than complete lines for known prompts was typed, so that
	// the editor may hold text, or lines may wait to be read.
	unclear   bool
	pressed   int    // how often a ready key was
	pressedAt uint64 // the number of the prompt when the last one was
	asking    bool   // that was not answered
	sound     bool   // nothing was typed since

	// signalled is when a signal was last sent to the command that runs, or to the shell that asks
	// for the rest of a line. It is zero if there was none, and after the next mark.
	signalled time.Time

	brackets brackets
	watch    *runWatch // of the line that is being run, or nil
	lines    typedLines
	exit     *int // exit status of the newest command, if the shell reported it
}

// brackets says whether a shell asks for brackets around what is pasted.
type brackets uint8

const (
	bracketsUnknown brackets = iota
	bracketsUsed
	bracketsUnused
)

// typed records input that does not come from RunCommand.
func (p *shellState) typed() {
	p.unclear, p.sound = true, false
	if p.watch != nil {
		p.watch.alone = false
	}
}

// signal records that the job in the foreground gets a signal.
func (p *shellState) signal(now time.Time) {
	if p.phase == phaseRunning || p.phase == phaseMore {
		p.signalled = now
	}
}

// press returns the ready key that must be sent now.
func (p *shellState) press() string {
	p.pressed++
	p.pressedAt = p.n
	p.unclear, p.asking, p.sound = true, true, true
	return readyKey(p.pressed)
}

// isAnswer reports whether a mark is the answer to the last ready key.
func (p *shellState) isAnswer(m vt.Mark) bool {
	return p.pressed > 0 && m.Kind == vt.MarkCommand && m.Variant == variantReady+strconv.Itoa(p.pressed%readyKeys)
}

// see handles a mark.
func (p *shellState) see(m vt.Mark, now time.Time) {
	n := m.N
	if m.Keyed {
		p.keyed = true
	} else {
		n = p.n
		if m.Kind == vt.MarkEnd && p.phase != phaseRunning && p.phase != phaseUnmarked {
			return // some prompts begin with one
		}
		if m.Kind == vt.MarkPrompt && p.phase == phaseRunning {
			n++
		}
	}
	p.lines.see(m, p.phase, now)
	p.signalled = time.Time{}
	switch m.Kind {
	case vt.MarkOutput:
		p.phase, p.n, p.exit = phaseRunning, n, nil
	case vt.MarkEnd:
		if p.phase == phaseRunning && m.HasExitCode {
			p.exit = new(m.ExitCode)
		}
		p.phase, p.n, p.marked = phaseHooks, n+1, false
	case vt.MarkPrompt:
		p.phase, p.n, p.marked = phaseHooks, n, true
		if m.Variant == variantMore {
			p.phase = phaseMore
		}
	case vt.MarkCommand:
		p.command(m, n)
	}
	if p.watch != nil {
		p.watch.see(m, n, p, now)
	}
}

// command handles a mark of kind MarkCommand.
func (p *shellState) command(m vt.Mark, n uint64) {
	if m.Variant == variantRefused {
		p.unclear = true
	}
	if p.isAnswer(m) {
		p.asking = false
		p.unclear = p.unclear && !p.sound
	}
	if strings.HasPrefix(m.Variant, variantReady) && p.phase == phaseMore {
		return
	}
	p.phase, p.n = phaseEditing, n
}

// marks returns the marks that must be kept.
func (p *shellState) marks() (list [2]*vt.Mark) {
	if w := p.watch; w != nil {
		list = [...]*vt.Mark{w.output, w.end}
	}
	return list
}

// followExec forgets a shell that another program has replaced, by exec. What marks that makes is
// its own affair.
func (s *Session) followExec(st *state, now time.Time) {
	p := &st.shell
	if p.phase != phaseRunning || p.image == 0 {
		return
	}
	if image := s.process.Image(); image == 0 || image == p.image {
		return
	}
	if p.watch != nil {
		p.watch.known, p.watch.alone = false, false
	}
	st.shell = shellState{watch: p.watch, unclear: true}
	st.term.SetMarkKey("")
	st.commandOver(vt.Mark{Kind: vt.MarkOutput}, now)
	s.publishStatus(st)
	st.notify()
}

// A runWatch follows the fate of a line that was typed.
type runWatch struct {
	n     uint64 // the number of the prompt it was typed at, if known
	known bool
	alone bool // nothing else was typed that the shell may not have read
	whole bool // it contains the ends of no other lines

	began, ended time.Time // the command; zero until it has
	seen         time.Time // the newest mark
	output, end  *vt.Mark  // where the command's output begins and ends
	exit         *int
	ran          bool // the shell has run the line
	dropped      bool // it has shown that it has not
	over         bool // the shell is done with the line
	ready        bool // it waits for the next one
	more         bool // it waits for the rest of the line
	refused      bool // it has left the line in the editor
	cleared      bool // the line was taken out of the editor
	left         bool // a person has taken the keyboard since: no key is pressed for the line
	pressed      int  // how often a ready key was, before the line was typed
}

// see handles a mark with the number n.
func (w *runWatch) see(m vt.Mark, n uint64, p *shellState, now time.Time) {
	if !w.known {
		if m.Kind != vt.MarkOutput || !p.keyed || !w.alone || n <= w.n {
			return
		}
		w.known, w.n = true, n // it was the only line that can have been read
		p.unclear = false
	}
	w.seen = now
	switch {
	case n < w.n:
	case m.Kind == vt.MarkOutput:
		if w.over && (w.ready || w.whole) {
			return // another request's
		}
		w.n, w.over, w.more = n, false, false
		if w.output == nil {
			w.output, w.began, w.ran = &m, now, true
		}
	case m.Kind == vt.MarkEnd && n == w.n:
		w.over = true
		w.ran = w.ran || m.Variant == variantRan
		if !w.ran {
			w.dropped = m.Variant == variantDropped
			break
		}
		w.end, w.ended = &m, now
		if m.HasExitCode {
			w.exit = new(m.ExitCode)
		}
	case m.Variant == variantMore:
		w.more = true
	case m.Variant == variantRefused:
		w.refused = true
	case strings.HasPrefix(m.Variant, variantReady) && n == w.n:
		if w.pressed < p.pressed && p.isAnswer(m) && p.phase != phaseMore && !w.ran {
			w.over, w.ready, w.dropped = true, true, true // it has come back to the same prompt
		}
	case n > w.n:
		if !w.over && w.ran { // a command whose end was not marked
			w.end, w.ended = &m, now
		}
		w.over, w.ready = true, w.ready || m.Kind == vt.MarkCommand
	}
}
