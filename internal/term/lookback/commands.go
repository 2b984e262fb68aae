package lookback

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"ui-mcp/internal/term/vt"
)

// A Command is a command line and its output, as a shell has marked them.
type Command struct {
	Prompt vt.Position
	// Output is where the output begins, if HasOutput, and End where it ends so far.
	Output, End vt.Position
	HasOutput   bool
	Mark        uint64 // ID of the mark of the output
	Ended       bool
	// ExitCode is the exit status, valid if HasExitCode.
	ExitCode    int
	HasExitCode bool
}

func (c *Command) failed() bool { return c.HasExitCode && c.ExitCode != 0 }

// Commands returns the commands that are marked in the text of a terminal, from the oldest on. The
// last one may be a prompt without a command.
func Commands(s *vt.Terminal) []Command {
	d := present(s)
	d.marks = s.Marks()
	return d.commands()
}

// Output returns what a command has printed, without empty lines at its end; without text if that
// is more than 1 MiB. It reports false if it is not kept any more.
func Output(s *vt.Terminal, c Command) (vt.Printed, bool) {
	p, ok := s.Printed(c.Mark, c.Mark, 0, maxCopy)
	if p.Output = strings.TrimRight(p.Output, "\n"); p.Cut {
		p.Output = ""
	}
	return p, ok
}

// moreVariant is the variant of the mark at a prompt for the rest of a line.
const moreVariant = "s"

// commands returns the commands that are marked in the text, from the oldest on.
func (d *document) commands() []Command {
	var list []Command
	end := d.top + uint64(d.primary)
	for _, m := range d.marks {
		if m.Alternate || m.At.Line < d.first || m.At.Line >= end {
			continue
		}
		switch m.Kind {
		case vt.MarkPrompt:
			if m.Variant == moreVariant {
				continue
			}
			for len(list) > 0 && list[len(list)-1].Prompt.Line >= m.At.Line {
				list = list[:len(list)-1] // the screen was cleared
			}
			list = append(list, Command{Prompt: m.At})
		case vt.MarkOutput:
			if len(list) == 0 || list[len(list)-1].HasOutput {
				list = append(list, Command{Prompt: m.At})
			}
			c := &list[len(list)-1]
			c.Output, c.HasOutput, c.Mark = m.At, true, m.ID
		case vt.MarkEnd:
			if len(list) == 0 || !list[len(list)-1].HasOutput || list[len(list)-1].Ended {
				continue
			}
			c := &list[len(list)-1]
			c.End, c.Ended = m.At, true
			c.ExitCode, c.HasExitCode = m.ExitCode, m.HasExitCode
		}
	}
	for i := range list {
		c := &list[i]
		switch {
		case c.Ended:
		case i+1 < len(list):
			c.End = list[i+1].Prompt
		default:
			c.End = vt.Position{Line: end}
		}
	}
	return list
}

// prompts goes to the n-th next prompt, or the -n-th previous one, or to one of a command that has
// failed.
func prompts(failed bool) func(*Model, int) {
	return func(m *Model, n int) {
		var at []uint64
		list, direction := m.doc.commands(), cmp.Compare(n, 0)
		for _, c := range list {
			if cmp.Compare(c.Prompt.Line, m.cursor.Line) == direction && (c.failed() || !failed) {
				at = append(at, c.Prompt.Line)
			}
		}
		if direction < 0 {
			slices.Reverse(at) // the nearest first
		}
		if len(at) == 0 {
			m.message = noPrompt(direction, failed, len(list) > 0)
			return
		}
		m.cursor = vt.Position{Line: at[min(n*direction, len(at))-1]}
		m.left = 0
		m.scrollTo(m.cursor.Line)
		m.reveal()
	}
}

func noPrompt(direction int, failed, marked bool) string {
	if !marked {
		return "the shell has not marked its prompts"
	}
	what, where := "prompt", "above"
	if failed {
		what = "failed command"
	}
	if direction > 0 {
		where = "below"
	}
	return "no " + what + " " + where
}

// maxCopy is the greatest size of a copy, in bytes. Terminals accept less than they claim.
const maxCopy = 1 << 20

// copyOutput copies the output of the command at the cursor, or else of the one before.
func (m *Model) copyOutput(int) {
	var at *Command
	list := m.doc.commands()
	for i := range list {
		if c := &list[i]; c.HasOutput && c.Prompt.Line <= m.cursor.Line {
			at = c
		}
	}
	if at == nil {
		m.message = noPrompt(-1, false, len(list) > 0)
		return
	}
	printed, ok := Output(m.doc.source, *at)
	if !ok {
		m.message = "not copied: the output is not kept any more"
		return
	}
	if m.copy(printed.Output, !printed.Cut, "the command's output: "); m.out.Copy != "" {
		m.selecting, m.anchor = wholeLines, at.Output
		m.cursor = vt.Position{Line: max(at.Output.Line, at.End.Line-1)}
		m.reveal()
	}
}

func selects(how selection) func(*Model, int) {
	return func(m *Model, _ int) {
		switch m.selecting {
		case how:
			m.selecting = nothing
		case nothing:
			m.anchor = m.cursor
			fallthrough
		default:
			m.selecting = how
		}
	}
}

// otherEnd moves the cursor to the other end of the selection.
func (m *Model) otherEnd(int) {
	if m.selecting != nothing {
		m.cursor, m.anchor = m.anchor, m.cursor
		m.reveal()
	}
}

// selected returns the selected range: from one position up to, but not including, another.
func (m *Model) selected() (from, to vt.Position) {
	from, to = m.clamp(m.anchor), m.cursor
	if compare(from, to) > 0 {
		from, to = to, from
	}
	if m.selecting == wholeLines {
		return vt.Position{Line: from.Line}, vt.Position{Line: to.Line + 1}
	}
	from.Col, _ = cellOf(m.doc.line(from.Line), from.Col)
	start, width := cellOf(m.doc.line(to.Line), to.Col)
	to.Col = start + width
	return from, to
}

func (m *Model) copySelection(int) {
	if m.selecting == nothing {
		m.message = "nothing is selected: v and V select, c copies a command's output"
		return
	}
	from, to := m.selected()
	text, ok := vt.Text(m.doc.line, from, to, maxCopy)
	m.copy(strings.TrimRight(text, "\n"), ok, "")
	m.selecting = nothing
}

// copyAndLeave copies the selection and leaves; without a selection, it only leaves.
func (m *Model) copyAndLeave(int) {
	if m.out.Leave = m.selecting == nothing; !m.out.Leave {
		m.copySelection(1)
		m.out.Leave = m.out.Copy != ""
	}
}

// copy copies text, unless it is too long, and displays how much.
func (m *Model) copy(text string, ok bool, what string) {
	switch {
	case !ok:
		m.message = fmt.Sprintf("not copied: more than %d KiB; wsh scrollback writes it to a file", maxCopy>>10)
	case text == "":
		m.message = "not copied: there is no text"
	default:
		m.message = fmt.Sprintf("copied %s%s", what, Amount(text))
		m.out.Copy = text
	}
}

// Amount says how long a text is: its lines, or the characters of a single one.
func Amount(text string) string {
	if n := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1; n > 1 {
		return fmt.Sprintf("%d lines", n)
	}
	if n := utf8.RuneCountInString(text); n != 1 {
		return fmt.Sprintf("%d characters", n)
	}
	return "1 character"
}
