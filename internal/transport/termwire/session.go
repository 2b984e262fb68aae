package termwire

import (
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
)

// A Session is what a list says of one.
type Session struct {
	Name           string   `json:"name"`
	Server         string   `json:"server"`
	PID            int      `json:"pid"`
	Command        string   `json:"command"`
	Rows           int      `json:"rows"`
	Cols           int      `json:"cols"`
	Clients        int      `json:"clients"`
	Tags           []string `json:"tags"`
	LastActivityMS int64    `json:"last_activity_ms"` // how long ago
	Title          string   `json:"title,omitempty"`
	Running        bool     `json:"running"`
	Exit           *Exit    `json:"exit,omitempty"` // when it does not run
}

// An Exit is how a program ended.
type Exit struct {
	Code   int    `json:"code"`
	Signal string `json:"signal,omitempty"`
}

// NewSession describes a session of the server with that host name.
func NewSession(i term.Info, server string) Session {
	v := Session{
		Name: i.Name, Server: server, PID: i.PID, Command: i.Command, Rows: i.Rows, Cols: i.Cols,
		Clients: i.Clients, Tags: append([]string{}, i.Tags...), LastActivityMS: Milliseconds(i.Quiet),
		Title: i.Title, Running: i.Exit == nil,
	}
	if i.Exit != nil {
		v.Exit = NewExit(*i.Exit)
	}
	return v
}

// NewExit returns an exit as JSON.
func NewExit(e pty.Exit) *Exit { return &Exit{Code: e.Code, Signal: e.Signal} }

// A Scrollback is a part of the history, with the screen as its end.
type Scrollback struct {
	Epoch      uint64 `json:"epoch"`
	Lines      any    `json:"lines"`
	TotalLines uint64 `json:"total_lines"`
	Offset     uint64 `json:"offset"` // of the first of the lines, from the oldest that is kept
	// First is the number of the first line, and Next where to read on: unlike offsets, they
	// stay true during output, unless Layout has changed.
	First  uint64 `json:"first"`
	Next   uint64 `json:"next"`
	Layout uint64 `json:"layout"`
}

// NewScrollback returns a page as JSON.
func NewScrollback(p term.Page, f Format) Scrollback {
	return Scrollback{
		Epoch: p.Epoch, Lines: Lines(p.Lines, f), TotalLines: p.End - p.Oldest, Offset: p.First - p.Oldest,
		First: p.First, Next: p.First + uint64(len(p.Lines)), Layout: p.Layout,
	}
}
