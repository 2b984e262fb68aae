package core

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/popup/question"
)

// A walk applies inputs one by one, and nothing by itself.
type walk struct {
	t        *testing.T
	state    *State
	now      time.Time
	presence map[uint64]Presence
}

func newWalk(t *testing.T, channels ...Channel) *walk {
	w := &walk{t, New(5 * time.Second), epoch, map[uint64]Presence{}}
	for _, c := range channels {
		w.presence[c.ID] = Attended
		w.step(Added{"", []Channel{c}}, "")
	}
	return w
}

// step applies an input, and compares its actions without those that only store and tell.
func (w *walk) step(in Input, want string) {
	w.t.Helper()
	actions, err := w.state.Apply(in, func(c uint64) Presence { return w.presence[c] }, w.now)
	var got []string
	for _, a := range actions {
		switch a := a.(type) {
		case Show:
			got = append(got, fmt.Sprintf("show %s%d in %d", a.ID, a.Seq, a.Channel))
		case Store:
			if a.Seq != 0 {
				got = append(got, fmt.Sprintf("keep %s%d", a.ID, a.Seq))
			}
		case Settle:
			got = append(got, fmt.Sprintf("%s %s", w.state.Entries[a.ID].Answer.Outcome, a.ID))
		case Deliver:
			got = append(got, fmt.Sprintf("deliver %s%d", a.ID, a.Seq))
		}
	}
	if err != nil {
		got = append(got, err.Error())
	}
	if text := strings.Join(got, ", "); text != want {
		w.t.Errorf("%T%+v: %q, want %q", in, in, text, want)
	}
}

func (w *walk) ask(id, host string, private bool) Asked {
	q := question.Question{Title: "t", Message: "m", Timeout: time.Minute, Options: []question.Option{{Label: "Yes", Value: "yes"}}}
	return Asked{Asked: question.Asked{ID: id, Question: q, At: w.now, Deadline: w.now.Add(q.Timeout), Host: host}, Private: private}
}

func yes(id string, seq uint64) Replied {
	return Replied{ID: id, Seq: seq, Reply: question.Reply{Action: question.Submit, Values: []string{"yes"}}, Channel: "page"}
}

var aPage, anotherPage = Channel{1, Page, "page"}, Channel{2, Page, "other"}

// A question is displayed and ends by its deadline only once the store has it; what the store says
// of an earlier one under its ID, or of none, changes nothing.
func TestKeptFirst(t *testing.T) {
	t.Parallel()
	w := newWalk(t, aPage)
	w.step(w.ask("a", "", false), "keep a1")
	w.step(w.ask("b", "", false), "keep b2")
	w.step(Kept{"b", 2}, "show b2 in 1")
	w.step(Withdrawn{"a"}, "withdrawn a")
	w.step(w.ask("a", "", false), "keep a3")
	w.step(Kept{"a", 1}, "")
	w.step(Kept{"c", 4}, "")
	w.now = w.now.Add(2 * time.Minute)
	w.step(Tick{}, "timed_out b")
	w.step(Ended{Seq: 2, Channel: 1, How: NotShown}, "")
	w.step(Kept{"a", 3}, "show a3 in 1")
}

// A question that is asked again under its ID is another one, and not in the history any more. It
// waits until the one before is taken away.
func TestAskedAgain(t *testing.T) {
	t.Parallel()
	w := newWalk(t, aPage)
	for i, id := range []string{"a", "b"} {
		w.step(w.ask(id, "", false), fmt.Sprintf("keep %s%d", id, i+1))
	}
	w.step(Kept{"a", 1}, "show a1 in 1")
	w.step(Kept{"b", 2}, "")
	w.step(Withdrawn{"b"}, "withdrawn b")
	w.step(Withdrawn{"a"}, "withdrawn a")
	w.step(w.ask("a", "", false), "keep a3")
	if got := w.state.Past[0].IDs; !slices.Equal(got, []string{"b"}) {
		t.Errorf("past questions %v, want b", got)
	}
	w.step(Kept{"a", 3}, "")
	w.step(yes("a", 1), ErrOver.Error())
	w.step(Ended{Seq: 1, Channel: 1, How: NotShown}, "show a3 in 1")
	w.step(Asked{Asked: question.Asked{ID: "old"}, Answer: &question.Answer{Outcome: question.Dismissed}}, "")
	if got := w.state.Entries["old"].Seq; got != 4 {
		t.Errorf("a remembered question has number %d, want 4", got)
	}
}

// An asker who takes the reply is given what the person has sent, and nothing else; meanwhile
// nothing ends the question. If the asker does not get it, the question is withdrawn.
func TestPrivateReply(t *testing.T) {
	t.Parallel()
	w := newWalk(t, aPage)
	for i, id := range []string{"a", "b", "c"} {
		w.step(w.ask(id, id, true), fmt.Sprintf("keep %s%d", id, i+1))
		w.step(Kept{id, uint64(i + 1)}, fmt.Sprintf("show %s%d in 1", id, i+1))
	}
	w.step(Replied{ID: "a", Seq: 1, Reply: question.Reply{Action: question.Dismiss}, Channel: "page"}, "dismissed a")
	w.step(yes("b", 2), "deliver b2")
	w.step(yes("c", 3), "deliver c3")
	w.step(Kept{"b", 2}, "")
	w.step(yes("b", 2), ErrOver.Error())
	w.now = w.now.Add(MaxRespite * 2)
	w.step(Tick{}, "")
	w.step(Delivered{ID: "none", Seq: 2}, "")
	w.step(Delivered{ID: "b", Seq: 9, Failed: true}, "")
	w.step(Delivered{ID: "b", Seq: 2, Answer: question.Answer{Outcome: question.Answered}}, "answered b")
	w.step(Delivered{ID: "c", Seq: 3, Failed: true}, "withdrawn c")
}

// What another host has asked leaves nothing behind; channels come and go one by one, also those
// that are lent to one question.
func TestLanesAndChannels(t *testing.T) {
	t.Parallel()
	w := newWalk(t, aPage, anotherPage)
	before := w.state.Appeared
	w.step(Appeared{}, "")
	if w.state.Appeared != before+1 {
		t.Errorf("channels appeared %d times, want %d", w.state.Appeared, before+1)
	}
	w.step(Removed{"", []Channel{aPage}}, "")
	if !slices.Equal(w.state.Channels, []Channel{anotherPage}) {
		t.Errorf("channels %v, want %v", w.state.Channels, anotherPage)
	}
	w.presence[anotherPage.ID] = Absent
	w.step(w.ask("a", "", false), "keep a1")
	w.step(Kept{"a", 1}, "")
	w.step(w.ask("b", "build", false), "keep b2")
	w.step(Withdrawn{"b"}, "withdrawn b")
	if len(w.state.Lanes) != 1 || w.state.Lanes[0].Host != "" {
		t.Errorf("%d lanes, want that of this host", len(w.state.Lanes))
	}
	w.presence[7] = Attended
	w.step(Added{"a", []Channel{{7, Page, "lent"}}}, "show a1 in 7")
}
