package core

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
)

var epoch = time.Unix(1_000_000_000, 0).UTC()

const secretText = "hunter2"

// A happening is an input, given how present channels are, some time after the one before. The
// timer rings in between when it is due.
type happening struct {
	after    time.Duration
	presence map[uint64]Presence
	input    Input
}

// A replay drives a state, and checks what always holds.
type replay struct {
	state   *State
	now     time.Time
	out     []string           // the actions
	shown   map[[2]uint64]bool // questions, by their number, in channels
	settled map[string]int
	asked   map[string]int // how often
	keep    []Store
	deliver []Deliver
}

func newReplay() *replay {
	return &replay{New(5 * time.Second), epoch, nil, map[[2]uint64]bool{}, map[string]int{}, map[string]int{}, nil, nil}
}

func (r *replay) do(h happening) error {
	then := r.now.Add(h.after)
	for !r.state.Due.IsZero() && !r.state.Due.After(then) {
		r.now = r.state.Due
		if err := r.apply(Tick{}, h.presence); err != nil {
			return err
		}
		if due := r.state.Due; !due.IsZero() && !due.After(r.now) {
			return fmt.Errorf("the timer that rings at %v is set to %v", r.now, due)
		}
	}
	r.now = then
	return r.apply(h.input, h.presence)
}

func (r *replay) apply(in Input, presence map[uint64]Presence) error {
	s := r.state
	if e, ok := in.(Ended); ok {
		delete(r.shown, [2]uint64{e.Seq, e.Channel})
	}
	actions, err := s.Apply(in, func(c uint64) Presence { return presence[c] }, r.now)
	if err != nil && len(actions) > 0 {
		return fmt.Errorf("%T is refused, and does %v", in, actions)
	}
	r.out = append(r.out, fmt.Sprintf("%T %v", in, fault.KindOf(err)))
	for _, a := range actions {
		text, _ := json.Marshal(a)
		r.out = append(r.out, fmt.Sprintf("%T%s", a, text))
		_, delivers := a.(Deliver)
		if !delivers && strings.Contains(string(text), secretText) {
			return fmt.Errorf("a secret in %T", a)
		}
		switch a := a.(type) {
		case Show:
			e := s.Entries[a.ID]
			if e.Answer != nil || e.Claimed {
				return fmt.Errorf("%s is over, and displayed", a.ID)
			}
			if r.shown[[2]uint64{a.Seq, a.Channel}] {
				return fmt.Errorf("%s is displayed twice in %d", a.ID, a.Channel)
			}
			r.shown[[2]uint64{a.Seq, a.Channel}] = true
		case Settle:
			r.settled[a.ID]++
			if r.settled[a.ID] > r.asked[a.ID] {
				return fmt.Errorf("%s ended twice", a.ID)
			}
			if s.Entries[a.ID].Answer == nil {
				return fmt.Errorf("%s has no outcome", a.ID)
			}
		case Store:
			if a.Seq != 0 {
				r.keep = append(r.keep, a)
				r.asked[a.ID]++
			}
		case Deliver:
			r.deliver = append(r.deliver, a)
		}
	}
	if !s.Due.IsZero() && s.Due.Before(r.now) {
		return fmt.Errorf("a timer for %v at %v", s.Due, r.now)
	}
	return r.check()
}

// check returns what does not hold of a state and should.
func (r *replay) check() error {
	s := r.state
	for _, e := range s.Entries {
		if e.Answer != nil && (e.Answer.Text == secretText || e.Answer.Value == secretText) {
			return fmt.Errorf("the secret of %s is kept", e.ID)
		}
	}
	for _, l := range s.Lanes {
		for _, id := range l.Pending {
			e := s.Entries[id]
			switch {
			case e == nil || e.Answer != nil:
				return fmt.Errorf("%s is over, and pending", id)
			case e.Ready && !e.Claimed && s.Due.IsZero():
				return fmt.Errorf("nothing ends %s", id)
			case e.Ready && !e.Claimed && l.Shown == nil && e.Stuck != s.Appeared:
				return fmt.Errorf("it is the turn of %s", id)
			}
		}
		if sh := l.Shown; sh != nil {
			others := slices.DeleteFunc(slices.Clone(sh.Active), func(c Channel) bool { return c.Kind.isBeside() })
			if len(others) > 1 {
				return fmt.Errorf("%s is displayed in %v at the same time", sh.ID, others)
			}
		}
	}
	return nil
}

// channels of the random runs; the last two are an asker's own.
var someChannels = []Channel{
	{1, Page, "page"}, {2, Chat, "chat"}, {3, NewPage, "page"}, {4, Terminal, "terminal"}, {5, Elsewhere, "hosts"},
	{6, Elicitation, "elicitation"}, {7, Terminal, "terminal"},
}

func aQuestion(r *rand.Rand) question.Question {
	q := question.Question{Title: "t", Message: "m", Timeout: time.Duration(1+r.IntN(600)) * time.Second, Options: []question.Option{{Label: "Yes", Value: "yes"}, {Label: "No", Value: "no"}}}
	switch r.IntN(4) {
	case 0:
		q.Default = "no"
	case 1:
		q.Options, q.AllowText, q.Secret = nil, true, true
	case 2:
		q.Severity, q.Channel = question.Danger, "terminal"
	}
	return q
}

// next makes up what happens next: channels come, go, answer twice, and say what is not true.
func next(r *rand.Rand, p *replay, presence map[uint64]Presence) Input {
	id := fmt.Sprint(r.IntN(12))
	channel := someChannels[r.IntN(len(someChannels))]
	var seq uint64
	if e := p.state.Entries[id]; e != nil {
		seq = e.Seq
	}
	switch n := r.IntN(15); {
	case n < 2:
		q := aQuestion(r)
		a := Asked{Asked: question.Asked{ID: id, Question: q, At: p.now, Deadline: p.now.Add(q.Timeout), Host: []string{"", "", "build"}[r.IntN(3)]}}
		if r.IntN(2) == 0 {
			a.Own = []Channel{someChannels[5+r.IntN(2)]}
		}
		a.Private = r.IntN(4) == 0
		a.Abroad = !a.Private && r.IntN(8) == 0
		return a
	case n < 5 && len(p.keep) > 0:
		k := p.keep[0]
		p.keep = p.keep[1:]
		return Kept(k)
	case n < 7:
		presence[channel.ID] = Presence(r.IntN(4))
		return Appeared{}
	case n < 9:
		how := []How{NotShown, Lost, PutAway}[r.IntN(3)]
		return Ended{Seq: seq, Channel: channel.ID, How: how} // also where it is not displayed
	case n < 11:
		reply := question.Reply{Action: []question.Action{question.Submit, question.Submit, question.Submit, question.Dismiss, question.Decline, question.Active, "?"}[r.IntN(7)], Values: []string{"yes"}}
		if e := p.state.Entries[id]; e != nil && e.Question.Secret {
			reply.Values, reply.Text = nil, secretText
		}
		return Replied{ID: id, Seq: seq - uint64(r.IntN(8)/7), Reply: reply, Channel: channel.Name}
	case n < 12 && len(p.deliver) > 0:
		d := p.deliver[0]
		if r.IntN(4) > 0 { // else it is said twice
			p.deliver = p.deliver[1:]
		}
		return Delivered{ID: d.ID, Seq: d.Seq, Answer: d.Answer, Failed: r.IntN(3) == 0}
	case n < 13:
		return Withdrawn{ID: id}
	case n < 14:
		return []Input{Added{id, []Channel{someChannels[5]}}, Removed{id, []Channel{someChannels[5]}}}[r.IntN(2)]
	}
	return Removed{"", []Channel{channel}}
}

// Whatever channels do, in whatever order: each question ends once, a channel displays none twice
// at the same time, one that is displayed is not over, secrets go to their asker alone, and nothing
// waits that has no end. The same inputs have the same effects, also after the state was written
// and read.
func TestRandom(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		p, presence := newReplay(), map[uint64]Presence{}
		var script []happening
		run := func(h happening) {
			h.presence = map[uint64]Presence{}
			for c, present := range presence {
				h.presence[c] = present
			}
			script = append(script, h)
			if err := p.do(h); err != nil {
				t.Fatalf("seed %d, %T after %d others: %v\n%s", seed, h.input, len(script), err, strings.Join(p.out[max(0, len(p.out)-30):], "\n"))
			}
		}
		for _, c := range someChannels[:5] {
			run(happening{input: Added{"", []Channel{c}}})
		}
		for range 200 {
			run(happening{after: time.Duration(r.IntN(20)) * time.Second, input: next(r, p, presence)})
		}
		for len(p.keep) > 0 {
			k := p.keep[0]
			p.keep = p.keep[1:]
			run(happening{input: Kept(k)})
		}
		for _, d := range p.deliver {
			run(happening{input: Delivered{ID: d.ID, Seq: d.Seq, Answer: d.Answer}})
		}
		run(happening{after: 2 * MaxRespite, input: Appeared{}})
		for _, l := range p.state.Lanes {
			if len(l.Pending) > 0 {
				t.Fatalf("seed %d: %v never end", seed, l.Pending)
			}
		}
		again := newReplay()
		for i, h := range script {
			if i%8 == 0 {
				text, err := json.Marshal(again.state)
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(string(text), secretText) {
					t.Fatalf("seed %d: a secret is kept", seed)
				}
				again.state = New(0)
				if err := json.Unmarshal(text, again.state); err != nil {
					t.Fatal(err)
				}
			}
			if err := again.do(h); err != nil {
				t.Fatalf("seed %d, again: %v", seed, err)
			}
		}
		if !slices.Equal(p.out, again.out) {
			t.Fatalf("seed %d, again: -want +got:\n%s", seed, cmp.Diff(p.out, again.out))
		}
	}
}
