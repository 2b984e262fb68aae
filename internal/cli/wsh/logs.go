package wsh

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/wake"
)

type logsCommand struct {
	Follow bool `short:"f" help:"Print what is still to come, too."`
	JSON   bool `name:"json" help:"Print each entry as JSON, with the members time, level, msg and those of the entry."`
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

// maxEntry is how long a line of a log may be before it is split, in bytes.
const maxEntry = 1 << 20

// An entryWriter writes the lines of a log as JSON, each on a line of its own.
type entryWriter struct {
	out  io.Writer
	held []byte // an incomplete line
}

// Write implements [io.Writer].
func (w *entryWriter) Write(b []byte) (int, error) {
	w.held = append(w.held, b...)
	for {
		i := bytes.IndexByte(w.held, '\n')
		if i < 0 && len(w.held) < maxEntry {
			return len(b), nil
		}
		line := w.held
		if i >= 0 {
			line = w.held[:i]
		}
		if err := w.write(string(line)); err != nil {
			return 0, err
		}
		w.held = w.held[min(len(line)+1, len(w.held)):]
	}
}

// flush writes a last line without an end.
func (w *entryWriter) flush() error {
	if len(w.held) == 0 {
		return nil
	}
	return w.write(string(w.held))
}

func (w *entryWriter) write(line string) error {
	if strings.TrimSpace(line) == "" {
		return nil
	}
	entry, ok := parseEntry(line)
	if !ok {
		entry = map[string]string{"msg": line} // what a program wrote that was about to end
	}
	b, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	_, err = w.out.Write(append(b, '\n'))
	return err
}

// pair is what a line of [slog.TextHandler] has: KEY=VALUE, quoted where necessary, and a blank.
var pair = sync.OnceValue(func() *regexp.Regexp {
	const quoted = `"(?:[^"\\]|\\.)*"`
	return regexp.MustCompile(`^(` + quoted + `|[^ "=][^ =]*)=(` + quoted + `|[^ "][^ ]*)?(?: |$)`)
})

// parseEntry parses a line of [slog.TextHandler].
func parseEntry(line string) (map[string]string, bool) {
	entry := map[string]string{}
	for line = strings.TrimSpace(line); line != ""; {
		m := pair().FindStringSubmatch(line)
		if m == nil {
			return nil, false
		}
		line = line[len(m[0]):]
		for i, text := range m[1:] {
			if !strings.HasPrefix(text, `"`) {
				continue
			}
			var err error
			if m[1+i], err = strconv.Unquote(text); err != nil {
				return nil, false
			}
		}
		entry[m[1]] = m[2]
	}
	return entry, true
}
