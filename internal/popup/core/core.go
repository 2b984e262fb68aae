// Package core is the model of a broker of questions: which wait for each other, which channel
// displays which one, and how each ends. [State.Apply] takes what happens, one input after the
// other, and returns what is to be done about it. It does no I/O, starts no goroutine and reads no
// clock, so that a test can replay whatever has happened. A [State] is plain data, which
// encoding/json writes and reads again.
package core

import (
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
)

const (
	// MaxPending is how many questions of a workspace may wait.
	MaxPending = 1000
	// MaxHistory is how many past questions of a workspace are remembered, with their answers, and
	// how many of all other hosts.
	MaxHistory = 200
	// MaxOfHost is how many of one other host: it displaces none of the others.
	MaxOfHost = 20
	// Respite is how long after the last sign that the person is at a question its default is not
	// taken. They may be typing "no".
	Respite = 30 * time.Second
	// MaxRespite is how long after its deadline a question ends whatever the person does.
	MaxRespite = 10 * time.Minute
)

// Errors of replies and questions.
var (
	ErrStopping = fault.New(fault.Gone, "the server is stopping: the question has no answer yet")
	// ErrOver means that another reply or outcome came first; see [TooLate].
	ErrOver = fault.New(fault.Exists, "this question is over")
)

// A State is what is known of questions. Create it with [New]. Only Apply changes it; other
// packages read its fields.
type State struct {
	Patience time.Duration     // how long a question waits for a channel when there is none
	Entries  map[string]*Entry // by their ID
	Lanes    []*Lane           // of other hosts only those with questions
	Past     []*History
	Channels []Channel // of all questions
	Asked    uint64    // how many questions there were
	Appeared uint64    // how often there may have been a channel where there was none
	Stopped  bool
	Due      time.Time // when a [Tick] is needed; zero: never

	// The following is there during a call of Apply only.
	presence func(channel uint64) Presence
	now      time.Time
	out      []Action
}

// An Entry is a question from when it is asked until it is forgotten.
type Entry struct {
	question.Asked
	Seq     uint64           // distinguishes it from another one that was asked under its ID
	Private bool             // its asker takes the reply, and ends with this process: it is not stored
	Abroad  bool             // another program has its workspace, and shows it
	Own     []Channel        // the asker's, in addition to all others
	Ready   bool             // it is stored as far as it can be, and may be displayed
	Waits   bool             // for its end, if there is no channel: it was displayed, or asked in an earlier run
	Opened  bool             // a page was opened for it
	Closed  []uint64         // channels in which the person has put it away
	Stuck   uint64           // unless 0, no channel was left when Appeared had this value
	End     time.Time        // by its deadline
	Until   time.Time        // unless earlier than End, when it ends: the person was at it
	Claimed bool             // its asker is being given the reply, or it is over
	Answer  *question.Answer // nil until it is over
}

// A Lane has the questions that wait for each other: those of a workspace, and of another host.
type Lane struct {
	Workspace, Host string
	Pending         []string // IDs, in the order in which they were asked
	Shown           *Showing // the one whose turn it is, until every channel has taken it away
}

// A Showing is how a question is put before the person.
type Showing struct {
	ID      string
	Seq     uint64
	Start   uint64    // what Appeared was
	Tried   []Channel // and not to be tried again, unless they appear once more
	Active  []Channel // those beside, and one of another kind
	Other   uint64    // that one, or 0
	PutAway string    // name of the channel in which the person has closed it, unless another has displayed it since
	GiveUp  time.Time // when there is no channel; zero: there is one
}

// A History has past questions that are remembered together: those of a workspace, or those of all
// other hosts.
type History struct {
	Workspace string
	Others    bool
	IDs       []string // in the order in which they ended
}

// New returns a state without questions.
func New(patience time.Duration) *State {
	return &State{Patience: patience, Entries: map[string]*Entry{}, Appeared: 1}
}

// EndsAt returns when a question ends.
func (e *Entry) EndsAt() time.Time {
	if e.Until.After(e.End) {
		return e.Until
	}
	return e.End
}

// TooLate returns the error for a reply to a question that has ended with a.
func TooLate(a question.Answer) error {
	switch a.Outcome {
	case question.Answered, question.Dismissed, question.Declined:
		return fault.New(fault.Exists, "this question was dealt with elsewhere (%s, in %s)", a.Outcome, a.Channel)
	}
	return fault.New(fault.Exists, "this question is over: %s", a.Outcome)
}

// Find returns the entry with an ID.
func (s *State) Find(id string) (*Entry, error) {
	if e := s.Entries[id]; e != nil {
		return e, nil
	}
	return nil, fault.New(fault.NotFound, "there is no question %q, or it was over long ago", id)
}
