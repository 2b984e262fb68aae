package wsh

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

// jsonFlag chooses JSON over text.
type jsonFlag struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// A sessionName is an argument or flag that shells complete with the names of sessions.
type sessionName string

// A tagName is likewise completed with tags.
type tagName string

// texts returns the elements as strings.
func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

func target(name sessionName) terminals.Target { return terminals.Target{Session: string(name)} }

// withServer calls f with the running server.
func (e env) withServer(ctx context.Context, f func(*remote) error) error {
	r, err := e.connect(ctx)
	if err != nil {
		return err
	}
	defer r.close()
	return f(r)
}

// call carries out an operation. It returns the answer and the JSON in which it came.
func call[In, Out any](ctx context.Context, r *remote, o *terminals.Op[In, Out], in In) (Out, json.RawMessage, error) {
	var raw json.RawMessage
	var out Out
	if err := r.Do(ctx, terminals.Everything, &o.Operation, &in, &raw); err != nil {
		return out, nil, err
	}
	err := json.Unmarshal(raw, &out)
	return out, raw, fault.Wrap(fault.Internal, err, "the server's answer is not as expected: its version may differ")
}

// change carries out an operation whose answer does not matter.
func change[In any](ctx context.Context, r *remote, o *terminals.Op[In, terminals.None], in In) error {
	_, err := o.Do(ctx, r, terminals.Everything, in)
	return err
}

// printJSON prints a value on a line of its own.
func (e env) printJSON(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = e.Out.Write(append(b, '\n'))
	return err
}

func (e env) printf(format string, args ...any) error {
	_, err := fmt.Fprintf(e.Out, format, args...)
	return err
}

// note writes a line to standard error.
func (e env) note(format string, args ...any) {
	fmt.Fprintf(e.Err, "wsh: "+format+"\n", args...)
}

// confirm asks the person a question that has the answers yes and no. Without a terminal, there is
// nobody to ask, and the answer is yes.
func (e env) confirm(ctx context.Context, question string) error {
	if !isTerminal(e.In) || !isTerminal(e.Err) {
		return nil
	}
	fmt.Fprintf(e.Err, "%s [y/N] ", question)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(e.In).ReadString('\n') // no line is no
		answer <- line
	}()
	select {
	case line := <-answer:
		if !strings.HasSuffix(line, "\n") { // Ctrl-D
			fmt.Fprintln(e.Err)
		}
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return nil
		}
	case <-ctx.Done():
		fmt.Fprintln(e.Err)
	}
	return &statusError{exitFailure, errors.New("nothing was done")}
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && f != nil && isTerminalFile(f)
}

// printable returns text from a program so that it cannot control the terminal: in one line, with
// escapes for control characters.
func printable(s string) string {
	var b strings.Builder
	for _, c := range s {
		switch {
		case c == '\n' || c == '\t' || c == '\r':
			b.WriteByte(' ')
		case unicode.IsControl(c) || unicode.Is(unicode.Cf, c):
			fmt.Fprintf(&b, "\\u%04x", c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// clip shortens a text for a column.
func clip(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// A table prints rows in columns that are as wide as needed.
type table struct{ rows [][]string }

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) print(w io.Writer) error {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	var b strings.Builder
	for _, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			if widths[i] == 0 {
				continue // nobody has a value in this column
			}
			line.WriteString(cell)
			line.WriteString(strings.Repeat(" ", widths[i]-len([]rune(cell))+2))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// plural returns a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
