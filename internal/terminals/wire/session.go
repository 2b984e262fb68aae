package wire

import (
	"strings"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/agents"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/tty"
)

// A Session describes a session.
type Session struct {
	Name           string   `json:"name"`
	ID             string   `json:"id" jsonschema:"names the session wherever its name does, until it is removed; it never changes and is never used again"`
	Server         string   `json:"server" jsonschema:"host name of the server that runs it"`
	PID            int      `json:"pid" jsonschema:"process ID of the program"`
	Command        string   `json:"command" jsonschema:"the shell, or the command line" foreign:"any"`
	Rows           int      `json:"rows" jsonschema:"of the whole screen, panels included"`
	Cols           int      `json:"cols"`
	Clients        int      `json:"clients" jsonschema:"how many are attached"`
	Attached       []Client `json:"attached" jsonschema:"the clients, in the order in which they were attached"`
	Leader         *string  `json:"leader" jsonschema:"name of the client that leads: the one that typed last, or has taken the lead; null if there is none"`
	SizeRule       string   `json:"size_rule" jsonschema:"whose terminal decides the size: leader or manual"`
	Tags           []string `json:"tags" jsonschema:"sorted"`
	LastActivityMS int64    `json:"last_activity_ms" jsonschema:"milliseconds since the last output or input"`
	Title          string   `json:"title,omitempty"`
	Running        bool     `json:"running" jsonschema:"whether the program runs"`
	State          string   `json:"state" jsonschema:"running; prompt: the shell waits for a command; line: the program waits for input; secret: the program waits for input that is not displayed; fullscreen: the program uses the alternate screen; ended"`
	Agent          *Agent   `json:"agent,omitempty" jsonschema:"the agent in the foreground, if one is known to be there: its name, and its state (working, asks or idle)"`
	PersonAsked    bool     `json:"person_asked,omitempty" jsonschema:"whether a person is being asked for what the program waits for"`
	Exit           *Exit    `json:"exit,omitempty" jsonschema:"how the program ended, once it has"`
	Keyboard       string   `json:"keyboard,omitempty" jsonschema:"who has the keyboard, so that programs may not type; left out: nobody"`
	LastCommand    *Ran     `json:"last_command,omitempty" jsonschema:"the newest command, where the shell marks them"`
	// LastKnownMS is a pointer so that sessions of reachable hosts have no such member.
	LastKnownMS *int64 `json:"last_known_ms,omitempty" jsonschema:"how many milliseconds ago this was known, if the session's host does not answer now; left out: it is so now"`
	// Reported, Reports: see [term.Info]. Only callers in this process get them.
	Reported string `json:"-"`
	Reports  uint64 `json:"-"`
	// Recording is a pointer so that sessions without one have no such member.
	Recording *RecordingState `json:"recording,omitempty" jsonschema:"the recording that the session keeps, as recording.start returns it; left out: it keeps none"`
}

// HostOf returns the other server that a session's name or ID is of, as in HOST/NAME, or "" for one
// of the server's own.
func HostOf(session string) string {
	return session[:max(strings.IndexByte(session, '/'), 0)]
}

// An Agent is a program such as claude or codex, as its hooks say, or else its title and its last
// rows.
type Agent struct {
	Name  string `json:"name" jsonschema:"claude, codex, opencode, gemini or aider"`
	State string `json:"state" jsonschema:"working; asks: for a permission or an answer; idle: it waits for a prompt"`
}

// NewAgent returns an agent as JSON, or nil if there is none.
func NewAgent(a agents.Agent) *Agent {
	if a == (agents.Agent{}) {
		return nil
	}
	return &Agent{a.Name, string(a.State)}
}

// String returns what the agent does, for a person.
func (a *Agent) String() string { return a.Name + " " + a.State }

// A Call is why a session needs a person; the greater, the more urgent.
type Call int

const (
	NoCall Call = iota
	Failed      // its last command or its program has failed
	Waits       // its program waits for a line
	Asks        // a person is being asked, or its program waits for a secret
)

// String returns a word for a person.
func (c Call) String() string { return [...]string{"", "failed", "waits", "asks"}[c] }

// Call returns why the session needs a person.
func (s *Session) Call() Call {
	failed := s.Exit != nil && s.Exit.Code != 0
	if c := s.LastCommand; s.State == string(core.StatePrompt) && c != nil && !c.Running && c.ExitCode != nil {
		failed = *c.ExitCode != 0
	}
	switch {
	case s.PersonAsked, s.State == string(core.StateSecret):
		return Asks
	case s.Agent != nil && s.Agent.State == string(agents.Asks):
		return Asks
	case s.Agent != nil && s.Agent.State == string(agents.Working):
		return NoCall
	case s.Agent != nil, s.State == string(core.StateLine):
		return Waits
	case failed:
		return Failed
	}
	return NoCall
}

// A RecordingState describes the recording that a session keeps.
type RecordingState struct {
	ID        string `json:"id,omitempty" jsonschema:"differs for each recording"`
	Recording bool   `json:"recording" jsonschema:"whether it is being written"`
	Bytes     int64  `json:"bytes" jsonschema:"its size; at 64 MiB it ends, or when those of all sessions have what the server allows"`
	AgeMS     int64  `json:"age_ms" jsonschema:"milliseconds since it was started"`
	Error     string `json:"error,omitempty" jsonschema:"why it has ended before its time: it lacks what the program wrote after that"`
}

// NewRecordingState returns a recording as JSON.
func NewRecordingState(k record.Kept) RecordingState {
	if k.Since.IsZero() {
		return RecordingState{}
	}
	out := RecordingState{ID: k.ID, Recording: k.Active, Bytes: k.Size, AgeMS: Milliseconds(time.Since(k.Since))}
	if k.Err != nil {
		out.Error = k.Err.Error()
	}
	return out
}

// A Ran is a command of a shell.
type Ran struct {
	Number     uint64 `json:"number" jsonschema:"its number in the session, from 1"`
	Line       string `json:"line,omitempty" jsonschema:"the command line, as the screen displayed it; at most 1 KiB"`
	Running    bool   `json:"running,omitempty" jsonschema:"whether it has not ended"`
	ExitCode   *int   `json:"exit_code,omitempty" jsonschema:"exit status of a command that has ended, if the shell has reported it"`
	DurationMS *int64 `json:"duration_ms,omitempty" jsonschema:"milliseconds that a command took that has ended"`
}

func newRan(c *core.Command) *Ran {
	if c == nil {
		return nil
	}
	r := &Ran{Number: c.N, Line: c.Line, Running: !c.Ended, ExitCode: c.ExitCode}
	if c.Ended {
		r.DurationMS = new(Milliseconds(c.Duration))
	}
	return r
}

// A Client is attached to a session.
type Client struct {
	Name        string   `json:"name" jsonschema:"no other client of the session has it"`
	Kind        string   `json:"kind" jsonschema:"attach: a person's terminal; page: one in a browser; watch: a terminal that only looks; websocket: a program that gets events; raw: a program that gets the output"`
	Rows        int      `json:"rows,omitempty" jsonschema:"of its terminal, if it has one of its own"`
	Cols        int      `json:"cols,omitempty"`
	Rights      []string `json:"rights" jsonschema:"read, and type unless it only looks"`
	AttachedMS  int64    `json:"attached_ms" jsonschema:"milliseconds since it was attached"`
	LastTypedMS *int64   `json:"last_typed_ms,omitempty" jsonschema:"milliseconds since something was last typed on it; left out: never"`
}

func newClient(i clients.Info, now time.Time) Client {
	c := Client{Name: i.Name, Kind: string(i.Kind), Rows: i.Rows, Cols: i.Cols, Rights: []string{"read"}, AttachedMS: Milliseconds(now.Sub(i.Since))}
	if !i.ReadOnly {
		c.Rights = append(c.Rights, "type")
	}
	if !i.Typed.IsZero() {
		c.LastTypedMS = new(Milliseconds(now.Sub(i.Typed)))
	}
	return c
}

// An Exit is how a program ended.
type Exit struct {
	Code   int    `json:"code" jsonschema:"exit status, or 128 and the number of the signal"`
	Signal string `json:"signal,omitempty" jsonschema:"name of the signal that ended it, such as SIGTERM"`
}

// NewSession describes a session of the server with that host name.
func NewSession(i term.Info, server string) Session {
	v := Session{
		Name: i.Name, ID: i.ID, Server: server, PID: i.PID, Command: i.Command, Rows: i.Rows, Cols: i.Cols,
		Clients: len(i.Clients), Attached: []Client{}, SizeRule: string(i.SizeRule), Tags: append([]string{}, i.Tags...), LastActivityMS: Milliseconds(i.Quiet),
		Title: i.Title, Running: i.Exit == nil, State: string(i.State), Reported: string(i.Reported), Reports: i.Reports, PersonAsked: i.PersonAsked, LastCommand: newRan(i.LastCommand),
	}
	now := time.Now()
	for _, c := range i.Clients {
		v.Attached = append(v.Attached, newClient(c, now))
	}
	v.Agent = NewAgent(i.Agent)
	if i.Keyboard != nil {
		v.Keyboard = i.Keyboard.By
	}
	if i.Leader != "" {
		v.Leader = &i.Leader
	}
	if i.Recording != nil {
		v.Recording = new(NewRecordingState(*i.Recording))
	}
	if i.Exit != nil {
		v.Exit = NewExit(*i.Exit)
	}
	return v
}

// NewExit returns an exit as JSON.
func NewExit(e tty.Exit) *Exit { return &Exit{Code: e.Code, Signal: e.Signal} }

// A Scrollback is a part of the history. The screen is its end.
type Scrollback struct {
	Epoch      uint64 `json:"epoch" jsonschema:"number that grows with every change of the screen"`
	Lines      Lines  `json:"lines"`
	TotalLines uint64 `json:"total_lines" jsonschema:"lines that can be read, the screen included"`
	Offset     uint64 `json:"offset" jsonschema:"of the first line, counted from the oldest line kept"`
	First      uint64 `json:"first" jsonschema:"number of the first line; unlike offsets, numbers stay true during output, unless layout has changed"`
	Next       uint64 `json:"next" jsonschema:"number of the line to continue from"`
	Layout     uint64 `json:"layout" jsonschema:"changes when lines are wrapped again, which renumbers them"`
}

// NewScrollback returns a page as JSON.
func NewScrollback(p term.Page, f Format) Scrollback {
	return Scrollback{
		Epoch: p.Epoch, Lines: NewLines(p.Lines, f), TotalLines: p.End - p.Oldest, Offset: p.First - p.Oldest,
		First: p.First, Next: p.First + uint64(len(p.Lines)), Layout: p.Layout,
	}
}
