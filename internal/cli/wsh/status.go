package wsh

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
)

type statusCommand struct {
	jsonFlag
}

func (statusCommand) Help() string {
	return `The status is 1 if no server runs.

    wsh status
    wsh status -L work --json`
}

// A serverStatus is what "wsh status" prints.
type serverStatus struct {
	Name       string    `json:"name"`
	Hostname   string    `json:"hostname"`
	Labels     []string  `json:"labels"`
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
		list, err := sessionsOf(ctx, r)
		if err != nil {
			return err
		}
		list = ofHere(list)
		s := serverStatus{
			Name: e.where.ServerName, Hostname: about.Hostname, Labels: about.Labels, Version: about.Version, Protocol: about.Protocol,
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
			s.Clients += personsAt(session)
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
	t.add("host", safetext.Visible(s.Hostname))
	t.add("labels", strings.Join(s.Labels, " "))
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

// logPause is the pause between two looks at a log.
const logPause = 200 * time.Millisecond
