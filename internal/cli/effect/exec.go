package effect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"ui-mcp/internal/ui"
)

// grace is how long the output of a process is waited for when the process itself has ended: one
// that it has started may hold it open.
const grace = 2 * time.Second

// Exec runs a command and waits for it. When ctx ends, so does the command, with the processes that
// it has started. A status other than 0 is no error.
func Exec(ctx context.Context, cmd ui.Command) (ui.Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c := exec.CommandContext(ctx, cmd.Argv[0], cmd.Argv[1:]...)
	c.Dir = cmd.Dir
	c.Env = append(os.Environ(), cmd.Env...)
	c.Stdin = bytes.NewReader(cmd.Input)
	c.WaitDelay = grace
	stdout := &bounded{limit: cmd.Limit, full: func() { cancel(fmt.Errorf("more than %d bytes of standard output", cmd.Limit)) }}
	stderr := &bounded{limit: cmd.Limit, full: func() { cancel(fmt.Errorf("more than %d bytes of standard error", cmd.Limit)) }}
	c.Stdout, c.Stderr = stdout, stderr
	endWithGroup(c)
	err := c.Run()
	if cause := context.Cause(ctx); cause != nil {
		return ui.Result{}, fmt.Errorf("%s: %w", cmd.Argv[0], cause)
	}
	res := ui.Result{Stdout: stdout.buf.Bytes(), Stderr: stderr.buf.Bytes()}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		res.Code = exit.ExitCode() // -1 when a signal has ended it
	case errors.Is(err, exec.ErrWaitDelay): // it has ended well, and left others behind
	case err != nil:
		return ui.Result{}, err
	}
	return res, nil
}

// A bounded buffer calls full when it would have to hold more than limit bytes, and drops those.
type bounded struct {
	buf   bytes.Buffer // not embedded: its ReadFrom would pass Write by
	limit int
	full  func()
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.buf.Len()+len(p) > b.limit {
		b.full()
		return len(p), nil
	}
	return b.buf.Write(p)
}
