package wire

import (
	"strings"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/lookback"
	"ui-mcp/internal/term/vt"
)

// Changes are what has changed on a screen.
type Changes struct {
	Since uint64 `json:"since" jsonschema:"epoch of the screen that the caller had"`
	Reset bool   `json:"reset" jsonschema:"every row has changed: the screen has another size, is another one, or since is unknown"`
	// Scrolled moves rows: see [vt.Diff].
	Scrolled     int   `json:"scrolled" jsonschema:"rows that have left the screen at its top; the others moved up before the changes"`
	ChangedLines []int `json:"changed_lines" jsonschema:"rows with another content, from 0"`
	Screen
}

// NewChanges returns a difference as JSON. Its lines are the changed ones only.
func NewChanges(s *vt.Snapshot, d vt.Diff, f Format) Changes {
	rows, lines := make([]int, len(d.Rows)), make([]vt.Line, len(d.Rows))
	for i, r := range d.Rows {
		rows[i], lines[i] = r.Row, r.Line
	}
	part := *s
	part.Lines = lines
	return Changes{Since: d.From, Reset: d.Reset, Scrolled: d.Scrolled, ChangedLines: rows, Screen: NewScreen(&part, f)}
}

// A Search is the result of a search.
type Search struct {
	Matches []lookback.Found `json:"matches" jsonschema:"from the oldest to the newest"`
	Next    uint64           `json:"next" jsonschema:"number of the line to continue from"`
	Layout  uint64           `json:"layout" jsonschema:"changes when lines are wrapped again, which renumbers them"`
}

// NewSearch returns the result of a search as JSON.
func NewSearch(s term.Search) Search { return Search{orEmpty(s.Found), s.Next, s.Layout} }

// Commands are the commands of a session.
type Commands struct {
	Commands []PastCommand `json:"commands" jsonschema:"from the oldest to the newest; the last one may be a prompt at which no command has been started"`
	Layout   uint64        `json:"layout" jsonschema:"changes when lines are wrapped again, which renumbers them"`
}

// A PastCommand is a command line and its output, as the shell has marked them.
type PastCommand struct {
	Prompt   uint64  `json:"prompt" jsonschema:"number of the line with its prompt, as in scrollback.get"`
	Output   *uint64 `json:"output,omitempty" jsonschema:"number of the line in which its output begins; left out before that"`
	End      uint64  `json:"end" jsonschema:"number of the line in which its output ends so far; the output may end before the first column"`
	Running  bool    `json:"running" jsonschema:"whether it was started and has not ended"`
	ExitCode *int    `json:"exit_code,omitempty" jsonschema:"exit status, if the shell has reported one"`
}

// NewCommands returns commands as JSON.
func NewCommands(c term.Commands) Commands {
	v := Commands{Commands: make([]PastCommand, len(c.List)), Layout: c.Layout}
	for i, o := range c.List {
		w := PastCommand{Prompt: o.Prompt.Line, End: o.End.Line, Running: o.HasOutput && !o.Ended}
		if o.HasOutput {
			w.Output = new(o.Output.Line)
		}
		if o.HasExitCode {
			w.ExitCode = new(o.ExitCode)
		}
		v.Commands[i] = w
	}
	return v
}

// A Job is what a session is busy with.
type Job struct {
	Running    bool        `json:"running" jsonschema:"whether the program runs"`
	Foreground *Foreground `json:"foreground,omitempty" jsonschema:"the job in the foreground: the program, or what it runs; left out when the system does not tell"`
	Title      string      `json:"title,omitempty"`
	Dir        string      `json:"cwd,omitempty" jsonschema:"directory of the job, or else the one that the program has reported for this machine"`
	Reported   *Directory  `json:"reported_cwd,omitempty" jsonschema:"directory that the program has reported last; it may be one of another machine"`
	Shell      string      `json:"shell,omitempty" jsonschema:"prompt: a line can be typed; more: the rest of a line; command: one runs; left out when the program marks no prompts"`
}

// A Foreground is a job in the foreground.
type Foreground struct {
	PID  int    `json:"pid" jsonschema:"process ID of the job"`
	Name string `json:"name,omitempty" jsonschema:"name of its program"`
}

// A Directory is a working directory.
type Directory struct {
	Host string `json:"host,omitempty" jsonschema:"name of the machine, if it was reported"`
	Path string `json:"path"`
}

// NewJob returns a job as JSON. host is the name of this machine.
func NewJob(j term.Job, running bool, host string) Job {
	v := Job{Running: running, Title: j.Title, Dir: j.Foreground.Dir, Shell: string(j.Shell)}
	if f := j.Foreground; f.PID != 0 {
		v.Foreground = &Foreground{f.PID, f.Name}
	}
	if r := j.Reported; r.Path != "" {
		v.Reported = &Directory{r.Host, r.Path}
		if v.Dir == "" && (r.Host == "" || r.Host == "localhost" || strings.EqualFold(r.Host, host)) {
			v.Dir = r.Path
		}
	}
	return v
}
