package effect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"ui-mcp/internal/ui/lua"
)

// grace is how long to wait for the output of a process that has ended: its child processes may
// hold the output open.
const grace = 2 * time.Second

// Exec runs a command and waits for it. When ctx ends, the command and its child processes are
// killed. An exit status other than 0 is not an error.
func Exec(ctx context.Context, cmd lua.Command) (lua.Result, error) {
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
		return lua.Result{}, fmt.Errorf("%s: %w", cmd.Argv[0], cause)
	}
	res := lua.Result{Stdout: stdout.buf.Bytes(), Stderr: stderr.buf.Bytes()}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		res.Code = exit.ExitCode() // -1 after a signal
	case errors.Is(err, exec.ErrWaitDelay): // it succeeded, and left child processes behind
	case err != nil:
		return lua.Result{}, err
	}
	return res, nil
}

// A bounded buffer calls full when more than limit bytes are written, and drops the excess.
type bounded struct {
	buf   bytes.Buffer // not embedded: its ReadFrom would bypass Write
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
