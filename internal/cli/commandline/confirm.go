package commandline

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
)

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && f != nil && isTerminalFile(f)
}

// Confirmed asks a question that has the answers yes and no, and reports whether the answer is yes.
// The end of the input, and of ctx, is no; after the latter, a read goes on until the process ends.
func Confirmed(ctx context.Context, in io.Reader, out io.Writer, question string) bool {
	fmt.Fprintf(out, "%s [y/N] ", question)
	answer := make(chan string, 1)
	go func() { answer <- readLine(in) }()
	select {
	case line := <-answer:
		if !strings.HasSuffix(line, "\n") { // Ctrl-D
			fmt.Fprintln(out)
		}
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return true
		}
	case <-ctx.Done():
		fmt.Fprintln(out)
	}
	return false
}

// readLine reads one line, and leaves what follows to the next question.
func readLine(in io.Reader) string {
	var line []byte
	for b := make([]byte, 1); len(line) < 1000; {
		n, err := in.Read(b)
		line = append(line, b[:n]...)
		if err != nil || n > 0 && b[0] == '\n' {
			break
		}
	}
	return string(line)
}
