package chromium

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	"ui-mcp/internal/fault"
)

const (
	// startWithin is how long a browser may take to start.
	startWithin = 20 * time.Second
	// endWithin is how long a browser may take to end by itself.
	endWithin = 2 * time.Second
)

type process struct {
	*conn
	cmd     *exec.Cmd
	in, out *os.File // our ends of the pipes
	profile string   // its folder
	errors  *tail
	exited  chan struct{} // closed when the process has ended
}

// start starts a browser with a new profile and waits until it answers. Whatever goes wrong,
// nothing stays behind.
func start(ctx context.Context, path string, flags []string) (_ *process, err error) {
	profile, err := newProfile()
	if err != nil {
		return nil, err
	}
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fault.Wrap(fault.Exhausted, err, "start the browser"), removeProfile(profile))
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fault.Wrap(fault.Exhausted, err, "start the browser"), theirIn.Close(), ourOut.Close(), removeProfile(profile))
	}
	p := &process{cmd: exec.Command(path), in: ourIn, out: ourOut, profile: profile, errors: &tail{}, exited: make(chan struct{})}
	leadGroup(p.cmd)
	p.cmd.Stderr = p.errors
	p.cmd.WaitDelay = time.Second // what the browser has started may hold its standard error open
	pipes, err := givePipes(p.cmd, theirIn, theirOut)
	if err == nil {
		p.cmd.Args = append(p.cmd.Args, pipes...)
		p.cmd.Args = append(p.cmd.Args, "--user-data-dir="+profile)
		for _, f := range flags {
			p.cmd.Args = append(p.cmd.Args, "--"+f)
		}
		err = p.cmd.Start()
	}
	_ = theirIn.Close()
	_ = theirOut.Close()
	if err != nil {
		_ = ourIn.Close()
		_ = ourOut.Close()
		_ = removeProfile(profile)
		return nil, fault.Wrap(fault.Precondition, err, "%s does not start", path)
	}
	go func() { // close waits for it
		defer close(p.exited)
		_ = p.cmd.Wait()
	}()
	p.conn = newConn(ourIn, ourOut)
	limited, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	if err := p.call(limited, "", "Browser.getVersion", nil, nil); err != nil {
		p.close()
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case errors.Is(err, context.DeadlineExceeded):
			return nil, fault.New(fault.Precondition, "%s did not start within %v%s", path, startWithin, p.errors)
		}
		return nil, fault.New(fault.Precondition, "%s does not start: %v%s", path, err, p.errors)
	}
	return p, nil
}

// close ends the browser, by force if it does not end by itself, and removes its profile. It
// returns when nothing is left.
func (p *process) close() {
	// A browser ends when this end of the pipe closes, also when this process is killed.
	_, _, _ = p.send("", "Browser.close", nil)
	_ = p.out.Close()
	select {
	case <-p.exited:
	case <-time.After(endWithin):
	}
	killGroup(p.cmd)
	<-p.exited
	_ = p.in.Close()
	<-p.ended
	_ = removeProfile(p.profile)
}

// hasEnded reports whether the browser has ended, or is about to.
func (p *process) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	case <-p.exited:
		return true
	default:
		return false
	}
}

// A tail keeps the end of what a browser writes to its standard error. It is read when the browser
// has ended.
type tail []byte

const maxTail = 1 << 10

// Write implements [io.Writer].
func (t *tail) Write(p []byte) (int, error) {
	all := append(*t, p...)
	*t = bytes.Clone(all[max(len(all)-maxTail, 0):])
	return len(p), nil
}

// String returns the end as the end of a sentence, or "".
func (t *tail) String() string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(*t), "?"))
	if text == "" {
		return ""
	}
	return "; it says: " + text
}
