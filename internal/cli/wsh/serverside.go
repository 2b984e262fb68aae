package wsh

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

type statusCommand struct {
	jsonFlag
}

// Help is the last part of what --help prints.
func (statusCommand) Help() string {
	return `The status is 1 if no server runs.

    wsh status
    wsh status -L work --json`
}

// A serverStatus is what "wsh status" prints.
type serverStatus struct {
	Name       string    `json:"name"`
	Hostname   string    `json:"hostname"`
	Version    string    `json:"version"`
	Protocol   int       `json:"protocol"`
	PID        int       `json:"pid,omitempty"`
	Started    time.Time `json:"started,omitzero"`
	Address    string    `json:"address,omitempty"`
	Socket     string    `json:"socket,omitempty"`
	Log        string    `json:"log,omitempty"` // if another command has started it
	Persistent bool      `json:"persistent"`
	Sessions   int       `json:"sessions"`
	Running    int       `json:"running"`
	Clients    int       `json:"clients"` // attached to the sessions
	Advice     string    `json:"advice,omitempty"`
}

func (c statusCommand) run(ctx context.Context, e env) error {
	return e.withAnyServer(ctx, func(r *remote, about terminals.ServerInfo) error {
		stays, err := terminals.GetPersistence.Do(ctx, r, terminals.Everything, terminals.None{})
		if err != nil {
			return err
		}
		list, err := terminals.ListSessions.Do(ctx, r, terminals.Everything, terminals.SessionFilter{})
		if err != nil {
			return err
		}
		s := serverStatus{
			Name: e.where.ServerName, Hostname: about.Hostname, Version: about.Version, Protocol: about.Protocol,
			Persistent: stays.Persistent, Sessions: len(list), Advice: advice(e.where.ServerName, about, e.version),
		}
		if found, ok := r.find(); ok {
			s.PID, s.Started, s.Address, s.Socket = found.PID, found.Started, found.Address, found.Socket
			// A server of that name that ran before may have left a log.
			if log := r.folder.LogFile(e.where.ServerName); isWrittenSince(log, found.Started) {
				s.Log = log
			}
		}
		for _, session := range list {
			s.Clients += session.Clients
			if session.Running {
				s.Running++
			}
		}
		if c.JSON {
			return e.printJSON(s)
		}
		return e.printStatus(s)
	})
}

// isWrittenSince reports whether a file has been written after a time.
func isWrittenSince(path string, t time.Time) bool {
	info, err := os.Stat(path)
	return err == nil && info.ModTime().After(t)
}

func (e env) printStatus(s serverStatus) error {
	var t table
	t.add("name", s.Name)
	t.add("host", printable(s.Hostname))
	t.add("version", s.Version)
	if s.PID != 0 {
		t.add("process", fmt.Sprint(s.PID))
		t.add("address", s.Address)
		t.add("socket", s.Socket)
		t.add("started", s.Started.Local().Format(time.DateTime)+", "+ago(time.Since(s.Started).Milliseconds())+" ago")
	}
	if s.Log != "" {
		t.add("log", s.Log)
	}
	t.add("sessions", fmt.Sprintf("%d, of which %d run", s.Sessions, s.Running))
	t.add("attached", plural(s.Clients, "client"))
	t.add("ends", endOf(s.Persistent))
	if s.Advice != "" {
		e.note("%s", s.Advice)
	}
	return t.print(e.Out)
}

// endOf says when a server ends.
func endOf(persistent bool) string {
	if persistent {
		return "when it is stopped"
	}
	return "when no program runs any more"
}

// find returns what the server has published about itself, unless it was chosen by its socket.
func (r *remote) find() (discovery.Server, bool) {
	if r.where.Socket != "" {
		return discovery.Server{}, false
	}
	return r.folder.Find(r.where.ServerName)
}

type stopCommand struct {
	Yes bool `short:"y" help:"Do not ask."`
	jsonFlag
}

// Help is the last part of what --help prints.
func (stopCommand) Help() string {
	return `Everything that runs in its sessions is killed. On a terminal, the command asks first while programs run, shells that wait for a command excepted. It returns when the server has ended.

    wsh stop
    wsh stop -L work --yes`
}

// stopTime is how long a server may take to end.
const stopTime = 30 * time.Second

func (c stopCommand) run(ctx context.Context, e env) error {
	return e.withAnyServer(ctx, func(r *remote, about terminals.ServerInfo) error {
		list, err := terminals.ListSessions.Do(ctx, r, terminals.Everything, terminals.SessionFilter{})
		if err != nil && about.Protocol == terminals.Protocol {
			return err
		}
		if busy := busyIn(ctx, r, list); len(busy) > 0 && !c.Yes {
			if err := e.confirm(ctx, "Stop the server? "+describeBusy(busy)); err != nil {
				return err
			}
		}
		if err := change(ctx, r, terminals.StopServer, terminals.None{}); err != nil {
			return err
		}
		if err := r.awaitEnd(ctx); err != nil || !c.JSON {
			return err
		}
		return e.printJSON(map[string]bool{"stopped": true})
	})
}

// awaitEnd waits until the server has ended.
func (r *remote) awaitEnd(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, stopTime, fault.New(fault.Timeout, "the server is stopping, but has not ended within %v", stopTime))
	defer cancel()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		_, published := r.find()
		conn, err := r.folder.Dial(r.where.ServerName, r.where.Socket)
		if err == nil {
			_ = conn.Close() // nothing was sent
		} else if !published {
			return nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// onOff is on, off or nothing.
type onOff string

// Choices lists the values, for completion in shells.
func (onOff) Choices() []string { return []string{"on", "off"} }

type persistCommand struct {
	State onOff `arg:"" optional:"" help:"on: the server stays until it is stopped; off: it ends when no program runs any more. Left out: print which."`
	jsonFlag
}

// Help is the last part of what --help prints.
func (persistCommand) Help() string {
	return `A server that another command has started ends when no program runs any more; one that "wsh server" has started stays.

    wsh persist
    wsh persist on`
}

func (c persistCommand) run(ctx context.Context, e env) error {
	if c.State != "" && c.State != "on" && c.State != "off" {
		return fault.New(fault.Invalid, "%q is not a state: give on or off, or nothing to print it", c.State)
	}
	return e.withServer(ctx, func(r *remote) error {
		var stays terminals.Persistence
		var raw json.RawMessage
		var err error
		if c.State == "" {
			stays, raw, err = call(ctx, r, terminals.GetPersistence, terminals.None{})
		} else {
			on := c.State == "on"
			stays, raw, err = call(ctx, r, terminals.SetPersistence, terminals.NewPersistence{Persistent: &on})
		}
		switch {
		case err != nil:
			return err
		case c.JSON:
			return e.printJSON(raw)
		case c.State != "":
			return nil
		case stays.Persistent:
			return e.printf("on\n")
		}
		return e.printf("off\n")
	})
}

type logsCommand struct {
	Follow bool `short:"f" help:"Print what is still to come, too."`
	JSON   bool `name:"json" help:"Print each entry as JSON, with the members time, level, msg and those of the entry."`
}

// Help is the last part of what --help prints.
func (logsCommand) Help() string {
	return `Servers that other commands have started write a log. One that "wsh server" has started writes to its standard error.

    wsh logs
    wsh logs -f
    wsh logs --json`
}

// logPause is the pause between two looks at a log.
const logPause = 200 * time.Millisecond

func (c logsCommand) run(ctx context.Context, e env) (err error) {
	folder, err := e.newFolder()
	if err != nil {
		return err
	}
	path := folder.LogFile(e.where.ServerName)
	log, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.NotFound, "there is no log %s: a server that \"wsh server\" has started writes to its standard error", path)
	}
	if err != nil {
		return fault.Wrap(fault.Precondition, err, "read the log")
	}
	defer func() { log.Close() }()
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
		select {
		case <-time.After(logPause):
		case <-ctx.Done():
			return nil
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
