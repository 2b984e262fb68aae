package vt

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A MarkKind is what begins at a shell's mark (OSC 133).
type MarkKind uint8

const (
	MarkPrompt  MarkKind = iota // A: the prompt
	MarkCommand                 // B: what the person types
	MarkOutput                  // C: the command's output
	MarkEnd                     // D: nothing; the command has ended
)

// A Position is a line number and a column in the text of the primary screen and its history.
type Position struct {
	Line uint64
	Col  int
}

// A Mark is a position marked by a shell.
type Mark struct {
	// ID counts marks from 1.
	ID   uint64
	Kind MarkKind
	// At is where the cursor was. Rewrapping updates it.
	At Position
	// ExitCode is the command's exit status, valid if HasExitCode: only at MarkEnd, and only if a
	// command was run.
	ExitCode    int
	HasExitCode bool
	// Alternate means that the alternate screen was active, so At is meaningless.
	Alternate bool
	// Variant is the value of the option "k": "s" at the prompt for the rest of a line. It is empty
	// if it is missing, has control characters, or more than 64 bytes.
	Variant string
	// N is the number of the prompt, valid if Keyed: the mark has the terminal's key, which is the
	// secret of the start-up files of its shell.
	N     uint64
	Keyed bool
}

const maxMarkOption = 64

const maxMarks = 4096

// A markList has the marks in the kept text, oldest first.
type markList struct {
	marks []Mark
	next  uint64 // the number of marks so far

	key   string
	keyed bool // there was a mark with the key
	last  Mark // the last one
}

// SetMarkKey tells the key of the shell's marks. As soon as there is one with it, all others are
// text of a command: those without it, and those that repeat what came before, as a recording does.
// Without a key, which is "", all marks count.
func (t *Terminal) SetMarkKey(key string) {
	t.marks.key, t.marks.keyed = key, false
	t.endTape()
}

// accept reports whether a mark with a token counts, and sets its number.
func (l *markList) accept(m *Mark, token string) bool {
	digits, ok := strings.CutPrefix(token, l.key+".")
	n, err := strconv.ParseUint(digits, 10, 63)
	if l.key == "" || !ok || err != nil {
		return !l.keyed
	}
	m.N, m.Keyed = n, true
	if l.keyed && !m.follows(&l.last) {
		return false
	}
	l.keyed, l.last = true, *m
	return true
}

// follows reports whether a mark with the key can come after another one: a prompt is drawn as
// often as the shell likes, and then a command begins and ends, once.
func (m *Mark) follows(last *Mark) bool {
	if m.N != last.N {
		return m.N > last.N
	}
	return m.Kind > last.Kind || m.Kind <= MarkCommand && last.Kind <= MarkCommand
}

// promptMark is OSC 133.
func (t *Terminal) promptMark(s string) {
	command, options, _ := strings.Cut(s, ";")
	var m Mark
	switch command {
	case "A", "N": // N: a prompt after an aborted command
		m.Kind = MarkPrompt
	case "B", "I":
		m.Kind = MarkCommand
	case "C":
		m.Kind = MarkOutput
	case "D":
		m.Kind = MarkEnd
		first, _, _ := strings.Cut(options, ";")
		if code, err := strconv.ParseInt(first, 10, 32); err == nil {
			m.ExitCode, m.HasExitCode = int(code), true
		}
	default:
		return
	}
	m.Variant = markOption(options, "k")
	if t.replays || !t.marks.accept(&m, markOption(options, "wsh")) {
		return
	}
	if m.Keyed && m.Variant == "1" && m.HasExitCode && markOption(options, "l") == "" {
		t.heal(s)
	}
	m.At, m.Alternate = t.position(), t.scr == &t.alternate
	t.endTape()
	t.marks.next++
	m.ID = t.marks.next
	if len(t.marks.marks) == maxMarks {
		t.marks.marks = slices.Delete(t.marks.marks, 0, maxMarks/4)
	}
	t.marks.marks = append(t.marks.marks, m)
	if m.Kind == MarkOutput {
		t.beginTape(m)
	}
	t.emit(Prompt{Mark: m})
}

// healed are the modes that no program leaves set by intention: in most of them, the terminal
// types.
const healed = mouseModes | mouseForms | 1<<ModeFocus | 1<<ModeBracketedPaste | 1<<ModeResizeReports | 1<<ModeSchemeReports |
	1<<ModeAltScreen | 1<<ModeOrigin | 1<<ModeInsert | 1<<ModeLeftRightMargins | 1<<ModeSynchronized

// heal undoes what a killed full-screen program has left behind, given the shell's mark of its end.
// What shells set themselves they set after that mark.
func (t *Terminal) heal(mark string) {
	if t.modes&healed == 0 && t.modes.Has(ModeCursorVisible) && t.modify == 0 && t.scr.keys.current == 0 && t.cur.sets == (charsets{}) &&
		t.top == 0 && t.bottom == t.rows-1 {
		return
	}
	const soft, modes = "\x1b[!p", "\x1b[?9;1000;1004;1006;1016;2004;2026;2031;2048l\x1b[>4m"
	undo := soft + modes
	switch {
	case t.scr == &t.primary:
	case t.primary.saved == savedCursor{}: // it has not left the cursor's place behind
		undo += "\x1b[?47l" + soft
	default:
		undo += "\x1b[?1049l" + soft
	}
	t.state = stateGround
	for p := []byte(undo); len(p) > 0; {
		p = p[t.step(p):]
	}
	t.emit(Healed{Mark: []byte(mark + "\a"), Undo: []byte(undo)})
}

func markOption(options, name string) string {
	for option := range strings.SplitSeq(options, ";") {
		value, ok := strings.CutPrefix(option, name)
		if !ok || value == "" || value[0] != '=' {
			continue
		}
		if value = value[1:]; len(value) <= maxMarkOption && value == printable(value, maxMarkOption) {
			return value
		}
	}
	return ""
}

func (t *Terminal) position() Position {
	return Position{Line: t.history.Next + uint64(t.cur.y), Col: t.cur.x}
}

// forget drops the marks of lines before first.
func (l *markList) forget(first uint64) {
	l.marks = slices.DeleteFunc(l.marks, func(m Mark) bool { return m.At.Line < first })
}

// Mark returns the mark with the given ID, and false if it is no longer kept: too many came after
// it, or its line has left the history.
func (t *Terminal) Mark(id uint64) (Mark, bool) {
	i, ok := slices.BinarySearchFunc(t.marks.marks, id, func(m Mark, id uint64) int { return cmp.Compare(m.ID, id) })
	if !ok || t.marks.marks[i].At.Line < t.history.First {
		return Mark{}, false
	}
	return t.marks.marks[i], true
}

// Marks returns the marks that are kept, oldest first.
func (t *Terminal) Marks() []Mark {
	i := slices.IndexFunc(t.marks.marks, func(m Mark) bool { return m.At.Line >= t.history.First })
	if i < 0 {
		return nil
	}
	return slices.Clone(t.marks.marks[i:])
}

// Track keeps a position at its character when the lines are wrapped again, which renumbers them,
// until [Terminal.Untrack]. Output does not move it, and its line may leave the history.
func (t *Terminal) Track(p *Position) { t.tracked = append(t.tracked, p) }

// Untrack undoes Track.
func (t *Terminal) Untrack(p *Position) {
	if i := slices.Index(t.tracked, p); i >= 0 {
		t.tracked = slices.Delete(t.tracked, i, i+1)
	}
}
