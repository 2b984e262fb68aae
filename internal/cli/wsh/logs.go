package wsh

import (
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
	JSON   bool `name:"json" help:"Print each entry as JSON, with the members time, level, msg and those of the entry."`
}

func (logsCommand) Help() string {
	return `Servers that other commands have started write a log. One that "wsh server" has started writes to its standard error.

    wsh logs
    wsh logs -f
    wsh logs --json`
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
	switch running, ok := folder.Find(e.Where.ServerName); {
	case !ok:
		e.Note("no server runs: this is the log of the last one")
	case !isWrittenSince(path, running.Started):
		e.Note("this is the log of an earlier server: the one that runs writes to its standard error")
	}
	out := e.Out
	if c.JSON {
		entries := &entryWriter{out: e.Out}
		defer func() { err = errors.Join(err, entries.flush()) }()
		out = entries
	}
	for {
		if _, err := io.Copy(out, log); err != nil {
			return fault.Wrap(fault.Precondition, err, "print the log")
		}
		if !c.Follow {
			return nil
		}
		if err := wake.After(ctx, logPause); err != nil {
			return err
		}
		// A log that is long enough continues in another file of the same name.
		now, err := os.Stat(path)
		if was, statErr := log.Stat(); err != nil || statErr != nil || os.SameFile(now, was) {
			continue
		}
		next, err := os.Open(path)
		if err != nil {
			continue
		}
		_, err = io.Copy(out, log)
		log.Close()
		if log = next; err != nil {
			return fault.Wrap(fault.Precondition, err, "print the log")
		}
	}
}
