package wsh

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/wake"
)

type logsCommand struct {
	Follow bool `short:"f" help:"Print what is still to come, too."`
}

func (c logsCommand) Run(ctx context.Context, e caller.Env) (err error) {
	folder, err := e.NewFolder()
	if err != nil {
		return err
	}
	path := folder.LogFile(e.Where.ServerName)
	log, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.NotFound, "there is no log %s: a server that \"wsh server\" has started writes to its standard error", path)
	}
	if err != nil {
		return fault.Wrap(fault.Precondition, err, "read the log")
	}
	defer func() { log.Close() }()
	if _, ok := folder.Find(e.Where.ServerName); !ok {
		e.Note("no server runs: this is the log of the last one")
	}
	var next *os.File // where the log continues; nil if it has not been renamed
	line := ""        // as far as it has been read
	for in := bufio.NewReader(log); ; {
		part, err := in.ReadString('\n')
		line += part
		switch {
		case err == nil || errors.Is(err, io.EOF) && line != "" && (!c.Follow || next != nil):
			if err := e.Printf("%s", line); err != nil {
				return fault.Wrap(fault.Precondition, err, "print the log")
			}
			line = ""
		case !errors.Is(err, io.EOF):
			return fault.Wrap(fault.Precondition, err, "read the log")
		case !c.Follow:
			return nil
		case next != nil:
			log.Close()
			log, next = next, nil
			in.Reset(log)
		default:
			if err := wake.After(ctx, logPause); err != nil {
				return err
			}
			// A log that is long enough continues in another file of the same name.
			now, err := os.Stat(path)
			if was, statErr := log.Stat(); err == nil && statErr == nil && !os.SameFile(now, was) {
				next, _ = os.Open(path) // else it is tried again
			}
		}
	}
}
