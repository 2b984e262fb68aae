package question

import (
	"time"

	"ui-mcp/internal/safetext"
)

// An Asker is a kind of caller, in the words of the person.
type Asker string

// Askers.
const (
	ByAgent   Asker = "agent"   // a client of MCP, by a tool
	ByApp     Asker = "app"     // a script of an app
	ByProgram Asker = "program" // a command or another program
)

// Asked is a question as it was asked. Its JSON is how it is kept on disk.
type Asked struct {
	ID        string    `json:"id"`
	Workspace string    `json:"workspace"`
	Asker     Asker     `json:"asker,omitempty"` // who gets the answer
	Question  Question  `json:"question"`
	At        time.Time `json:"at"`
	Deadline  time.Time `json:"deadline"`
	Host      string    `json:"host,omitempty"`    // the other host on which it is asked, by its name here
	Relayed   bool      `json:"relayed,omitempty"` // another program of this host asks, and shows it, too
	Caller    string    `json:"caller,omitempty"`  // who must neither see nor answer it: see [Asked.IsFor]; "": nobody
	Client    string    `json:"client,omitempty"`  // the program of the agent that asks, where several may; else ""
	Idle      bool      `json:"-"`                 // in a list of pending questions: no channel displays it now, and any page may
}

// IsFor reports whether a caller may see the question and answer it, by terminals.Grant.Caller. Who
// asks whether it may do something is not the one to allow it.
func (a *Asked) IsFor(caller string) bool { return a.Caller == "" || a.Caller != caller }

// IsOthers reports whether another program asks, here or on another host: only who may answer sees
// that at a terminal, not all who may type there.
func (a *Asked) IsOthers() bool { return a.Host != "" || a.Relayed }

// PassesTo reports whether the question is passed on: to other hosts, or else to other programs of
// this host. What another host asks does not go to further ones, nor what another program of this
// host asks to such programs.
func (a *Asked) PassesTo(hosts bool) bool { return hosts && a.Host == "" || !hosts && !a.Relayed }

// Text returns all that is to be read of a question, for dialogs that display plain text.
func (q Question) Text() string {
	text := q.Title + "\n\n" + q.Message
	if q.Quote != "" {
		text += "\n\n" + q.Quote
	}
	return text
}

// WithoutFiles returns the question for a place where no files can be added, unlike on a page, if
// there is one: the person types their paths. A hint in its message says so, which stays within its
// limit.
func (q Question) WithoutFiles(page bool) Question {
	if q.Files > 0 {
		hint := "\n\nFiles cannot be added: type their paths."
		if q.Files = 0; page {
			hint = "\n\nFiles cannot be added here: type their paths, or answer on the page."
		}
		q.Message = safetext.Clip(q.Message, MaxMessage-len(hint)) + hint
	}
	return q
}
