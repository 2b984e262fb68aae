package caller

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/terminals"
)

// WithServer calls f with the running server.
func (e Env) WithServer(ctx context.Context, f func(*Remote) error) error {
	r, err := e.Connect(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	return f(r)
}

// Call carries out an operation. It returns the answer and the JSON in which it came.
func Call[In, Out any](ctx context.Context, r *Remote, o *terminals.Op[In, Out], in In) (Out, json.RawMessage, error) {
	var raw json.RawMessage
	var out Out
	if err := r.Do(ctx, terminals.Everything, &o.Operation, &in, &raw); err != nil {
		return out, nil, err
	}
	err := json.Unmarshal(raw, &out)
	return out, raw, fault.Wrap(fault.Internal, err, "the server's answer is not as expected: its version may differ")
}

// Answer carries out an operation on the running server, and prints its answer: as JSON, or as text
// prints it; nil prints nothing.
func Answer[In, Out any](ctx context.Context, e Env, f JSONFlag, o *terminals.Op[In, Out], in In, text func(Out) error) error {
	return e.WithServer(ctx, func(r *Remote) error {
		out, raw, err := Call(ctx, r, o, in)
		switch {
		case err != nil:
			return err
		case f.JSON:
			return e.PrintJSON(raw)
		case text == nil:
			return nil
		}
		return text(out)
	})
}

// Change carries out an operation whose answer does not matter.
func Change[In any](ctx context.Context, r *Remote, o *terminals.Op[In, terminals.None], in In) error {
	_, err := o.Do(ctx, r, terminals.Everything, in)
	return err
}

// PrintJSON prints a value on a line of its own.
func (e Env) PrintJSON(v any) error { return e.Print(true, "", v) }

func (e Env) Printf(format string, args ...any) error {
	_, err := fmt.Fprintf(e.Out, format, args...)
	return err
}

// Note writes a line to standard error.
func (e Env) Note(format string, args ...any) {
	fmt.Fprintf(e.Err, "wsh: %s\n", commandline.Called(fmt.Sprintf(format, args...)))
}

// NoteLater prints a note if stop is not called within a time.
func (e Env) NoteLater(within time.Duration, format string, args ...any) (stop func()) {
	said := make(chan struct{})
	timer := time.AfterFunc(within, func() {
		defer close(said)
		e.Note(format, args...)
	})
	return func() {
		if !timer.Stop() {
			<-said
		}
	}
}

// Clip shortens a text to a number of columns.
func Clip(s string, most int) string {
	if cells.Width(s) <= most {
		return s
	}
	r := []rune(s)
	r = r[:min(len(r), max(most-1, 0))]
	for cells.Width(string(r)) > most-1 && len(r) > 0 {
		r = r[:len(r)-1]
	}
	return string(r) + "…"
}

// IsColoured reports whether what is printed may have colours: on terminals, unless the person says
// otherwise.
func (e Env) IsColoured() bool {
	return commandline.IsTerminal(e.Out) && e.Vars.Get("NO_COLOR") == "" && e.Vars.Get("TERM") != "dumb"
}

// A Table prints rows in columns that are as wide as needed.
type Table struct {
	rows [][]string
	// Where a terminal is narrower than the table, the cells of this column are shortened; 0 stands
	// for none, and so cannot be the first one.
	Shortened int
	// Colour returns the parameters of SGR for a cell in the column Coloured, or ""; nil: for none.
	Coloured int
	Colour   func(cell string) string
	// notes are lines below rows, by the number of rows before them.
	notes map[int][]string
}

// minShortened is how narrow a column becomes, where a terminal is narrower than the table.
const minShortened = 12

// Add adds a row. What its cells say may be another host's.
func (t *Table) Add(cells ...string) {
	row := make([]string, len(cells))
	for i, cell := range cells {
		row[i] = safetext.Visible(cell)
	}
	t.rows = append(t.rows, row)
}

// Note adds a line below the last row, if it is not empty. It has any length.
func (t *Table) Note(text string) {
	if text == "" {
		return
	}
	if t.notes == nil {
		t.notes = map[int][]string{}
	}
	t.notes[len(t.rows)] = append(t.notes[len(t.rows)], safetext.Visible(text))
}

// Print writes the table. On a terminal it has colours, and is as wide as that, if possible.
func (t *Table) Print(e Env) error {
	if !e.IsColoured() {
		t.Colour = nil
	}
	cols, _, _ := SizeOf(e.Out) // 0 elsewhere
	return t.printWithin(e.Out, cols)
}

// printWithin writes the table for a terminal of so many columns; 0 stands for any number.
func (t *Table) printWithin(w io.Writer, cols int) error {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], cells.Width(cell))
		}
	}
	if i := t.Shortened; i > 0 && i < len(widths) && cols > 0 {
		whole := -2
		for _, width := range widths {
			if width > 0 {
				whole += width + 2
			}
		}
		widths[i] = min(widths[i], max(widths[i]-max(whole-cols, 0), minShortened))
	}
	var b strings.Builder
	for n, row := range t.rows {
		var line strings.Builder
		blanks := 0
		for i, cell := range row {
			if widths[i] == 0 {
				continue // no row has a value in this column
			}
			if i == t.Shortened && i > 0 {
				cell = Clip(cell, widths[i])
			}
			if cell != "" {
				line.WriteString(strings.Repeat(" ", blanks))
				blanks = 0
			}
			blanks += widths[i] - cells.Width(cell) + 2
			if t.Colour != nil && i == t.Coloured {
				if sgr := t.Colour(cell); sgr != "" {
					cell = "\x1b[" + sgr + "m" + cell + "\x1b[m"
				}
			}
			line.WriteString(cell)
		}
		b.WriteString(line.String() + "\n")
		for _, note := range t.notes[n+1] {
			b.WriteString("    " + note + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Plural returns a number with its noun.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
