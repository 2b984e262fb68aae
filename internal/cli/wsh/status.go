package wsh

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
)

type statusCommand struct{ caller.JSONFlag }

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
	Log        string    `json:"log,omitempty"` // if another command has started it, or one before
	Persistent bool      `json:"persistent"`
	Sessions   int       `json:"sessions"`
	Running    int       `json:"running"`
	Clients    int       `json:"clients"` // attached to the sessions
	Advice     string    `json:"advice,omitempty"`
}

func (c statusCommand) Run(ctx context.Context, e caller.Env) error {
	return e.WithAnyServer(ctx, func(r *caller.Remote, about terminals.ServerInfo) error {
		stays, err := terminals.GetPersistence.Do(ctx, r, terminals.Everything, terminals.None{})
		if err != nil {
			return err
		}
		list, err := caller.SessionsOf(ctx, r)
		if err != nil {
			return err
		}
		list = caller.OfHere(list)
		s := serverStatus{
			Name: e.Where.ServerName, Hostname: about.Hostname, Labels: about.Labels, Version: about.Version, Protocol: about.Protocol,
			Persistent: stays.Persistent, Sessions: len(list), Advice: caller.Advice(e.Where.ServerName, about, e.Version),
		}
		if found, ok := published(r); ok {
			s.PID, s.Started, s.Address, s.Socket = found.PID, found.Started, found.Address, found.Socket
			log := r.Folder.LogFile(e.Where.ServerName)
			if _, err := os.Stat(log); err == nil {
				s.Log = log
			}
		}
		for _, session := range list {
			s.Clients += caller.PersonsAt(session)
			if session.Running {
				s.Running++
			}
		}
		if c.JSON {
			return e.PrintJSON(s)
		}
		return printStatus(e, s)
	})
}

func printStatus(e caller.Env, s serverStatus) error {
	var t caller.Table
	t.Add("name", s.Name)
	t.Add("host", safetext.Visible(s.Hostname))
	t.Add("labels", strings.Join(s.Labels, " "))
	t.Add("version", s.Version)
	if s.PID != 0 {
		t.Add("process", fmt.Sprint(s.PID))
		t.Add("address", s.Address)
		t.Add("socket", s.Socket)
		t.Add("started", s.Started.Local().Format(time.DateTime)+", "+caller.Ago(time.Since(s.Started).Milliseconds())+" ago")
	}
	if s.Log != "" {
		t.Add("log", s.Log)
	}
	t.Add("sessions", fmt.Sprintf("%d (%d running)", s.Sessions, s.Running))
	t.Add("attached", caller.Plural(s.Clients, "client"))
	ends := "when no program runs any more"
	if s.Persistent {
		ends = "when it is stopped"
	}
	t.Add("ends", ends)
	if s.Advice != "" {
		e.Note("%s", s.Advice)
	}
	return t.Print(e)
}

// published returns what the server has published about itself, unless it was chosen by its socket.
func published(r *caller.Remote) (discovery.Server, bool) {
	if r.Where.Socket != "" {
		return discovery.Server{}, false
	}
	return r.Folder.Find(r.Where.ServerName)
}

// logPause is the pause between two looks at a log.
const logPause = 200 * time.Millisecond
