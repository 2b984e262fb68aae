package questions_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
)

// Whatever happens in whatever order to a program that asks, the line to it, and the server of the
// person, on another host or the same: no reply goes to a question that was not displayed; each
// reply arrives, or the person is told that it did not, and then it does not arrive later; secrets
// are not kept; and what the host asks is displayed, unless the person has replied or put it away.
func TestAnythingWhileAsking(t *testing.T) {
	for seed := range uint64(40) {
		if seed < 2 { // in these, a verdict came that had an open question displayed again
			seed = []uint64{226, 279}[seed]
		}
		synctest.Test(t, func(t *testing.T) { newTrial(t, seed).run(60) })
		if t.Failed() {
			break
		}
	}
}

// A trial is a host that asks, and a person whose server follows it.
type trial struct {
	t      *testing.T
	seed   uint64
	random *rand.Rand
	b      *host
	p      *person
	asked  int // questions
	deaf   bool
	down   bool
	typing sync.WaitGroup

	logged sync.Mutex
	log    []string

	mu       sync.Mutex
	shown    map[string]bool   // digests of what the person has seen
	replies  map[string]string // titles, by the texts with which the person has replied
	accepted map[string]bool   // texts that the host has accepted
	kept     map[string]bool   // texts that were taken here
	reported map[string]bool   // texts of which the person was told that they did not arrive
	noted    map[string]bool   // titles of which the person was told that later
	away     map[string]bool   // titles that the person has put away
}

func newTrial(t *testing.T, seed uint64) *trial {
	x := &trial{
		t: t, seed: seed, random: rand.New(rand.NewPCG(seed, 1)),
		shown: map[string]bool{}, replies: map[string]string{}, accepted: map[string]bool{}, kept: map[string]bool{}, reported: map[string]bool{}, noted: map[string]bool{}, away: map[string]bool{},
	}
	x.b = newHost(t, "b")
	if seed%2 == 0 {
		x.witness()
		x.p = newPerson(t, "a", x.b)
		return x
	}
	x.p = newPerson(t, "")
	x.b.programs = func() []questions.Program {
		return []questions.Program{{ID: "a", Channel: "page", Follow: func(ctx context.Context, s terminals.QuestionStream) error {
			way := x.p.Way("")
			defer way.Close()
			return way.Follow(ctx, "b", func(context.Context) (terminals.QuestionStream, error) {
				x.b.mu.Lock()
				defer x.b.mu.Unlock()
				if x.b.away {
					return nil, errLost
				}
				return x.b.lineLocked(x.witnessed(s)), nil
			})
		}}}
	}
	x.restart(nil)
	return x
}

func (x *trial) note(format string, args ...any) {
	x.logged.Lock()
	defer x.logged.Unlock()
	x.log = append(x.log, fmt.Sprintf(format, args...))
}

func (x *trial) fail(format string, args ...any) {
	x.t.Helper()
	x.logged.Lock()
	defer x.logged.Unlock()
	x.t.Errorf("seed %d: %s, after:\n%s", x.seed, fmt.Sprintf(format, args...), strings.Join(x.log, "\n"))
}

func (x *trial) slow(takes time.Duration) {
	x.note("replies take %v", takes)
	x.b.change(func() { x.b.takes = takes })
}

// witness takes note of the replies that the host gets.
func (x *trial) witness() {
	x.b.change(func() {
		offer := x.b.offer
		x.b.offer = witness{offer, x}
	})
}

type witness struct {
	follower
	x *trial
}

func (w witness) Follow(ctx context.Context, by terminals.Grant) (terminals.QuestionStream, error) {
	s, err := w.follower.Follow(ctx, by)
	return w.x.witnessed(s), err
}

func (x *trial) witnessed(s terminals.QuestionStream) *witnessed {
	return &witnessed{QuestionStream: s, x: x, texts: map[string]terminals.QuestionReply{}}
}

type witnessed struct {
	terminals.QuestionStream
	x     *trial
	texts map[string]terminals.QuestionReply // by delivery; guarded by x.mu
}

func (w *witnessed) Send(ctx context.Context, in terminals.FromFollower) error {
	if in.Answer != nil {
		w.x.mu.Lock()
		text := in.Answer.Reply.Text
		if !w.x.shown[in.Answer.Digest] {
			w.x.fail("%q replies to what was not displayed", text)
		}
		if w.x.reported[text] {
			w.x.fail("%q arrives after the person was told that it did not", text)
		}
		w.texts[in.Answer.Delivery] = *in.Answer
		w.x.mu.Unlock()
	}
	return w.QuestionStream.Send(ctx, in)
}

func (w *witnessed) Receive(ctx context.Context) (terminals.QuestionNews, error) {
	news, err := w.QuestionStream.Receive(ctx)
	if v := news.Verdict; v != nil {
		w.x.mu.Lock()
		text := w.texts[v.Delivery].Reply.Text
		w.x.accepted[text] = w.x.accepted[text] || v.Result == terminals.Accepted
		w.x.mu.Unlock()
	}
	return news, err
}

// look returns the questions of the host that the person sees, and takes note of all.
func (x *trial) look() (list []popup.Asked) {
	synctest.Wait()
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, a := range x.p.Broker.Pending() {
		if strings.HasPrefix(a.Question.Title, "Your answer") {
			x.noted[a.Question.Quote] = true
			continue
		}
		x.shown[a.Question.Posed(0).Digest()] = true
		list = append(list, a)
	}
	for _, a := range list {
		for text, title := range x.replies {
			if title == a.Question.Title && x.kept[text] && !x.accepted[text] && !x.noted[title] {
				x.fail("%s is displayed again, and %q is kept", title, text)
			}
		}
	}
	return list
}

// run does that many things, and then lets all that is broken be repaired.
func (x *trial) run(steps int) {
	for range steps {
		x.step(x.b.broker.Pending(), x.look())
		if x.t.Failed() {
			return
		}
	}
	x.note("everything works again")
	if x.down {
		x.b.heal()
	}
	x.hears(true)
	x.slow(0)
	x.p.Come(true)
	time.Sleep(5 * time.Minute)
	x.typing.Wait()
	seen := x.look()
	for _, a := range x.b.broker.Pending() {
		if title := a.Question.Title; !x.away[title] && !slices.ContainsFunc(seen, func(s popup.Asked) bool { return s.Question.Title == title }) {
			x.fail("%s is asked, and not displayed", title)
		}
	}
	for _, a := range seen {
		if !slices.ContainsFunc(x.b.broker.Pending(), func(p popup.Asked) bool { return p.Question.Title == a.Question.Title }) {
			x.fail("%s is displayed, and not asked", a.Question.Title)
		}
	}
	time.Sleep(11 * time.Hour) // until all questions would have ended
	x.look()
	x.mu.Lock()
	defer x.mu.Unlock()
	for text, title := range x.replies {
		if !x.accepted[text] && !x.reported[text] && !x.noted[title] {
			x.fail("%q, to %s, has not arrived, and the person does not know", text, title)
		}
	}
}

func (x *trial) step(asked, seen []popup.Asked) {
	switch k := x.random.IntN(18); {
	case k < 4 && len(asked) < terminals.MaxQuestions-1:
		x.ask()
	case k < 7 && len(seen) > 0:
		x.reply(seen[x.random.IntN(len(seen))])
	case k == 7 && len(asked) > 0:
		a := asked[x.random.IntN(len(asked))]
		x.note("%s is answered there", a.Question.Title)
		_, _ = x.b.broker.Answer(a.ID, question.Reply{Action: question.Decline}, "terminal")
	case k < 10 && len(asked) > 0:
		x.withdraw(asked[x.random.IntN(len(asked))])
	case k == 10:
		x.note("the line is down: %v", !x.down)
		if x.down = !x.down; x.down {
			x.b.cut()
		} else {
			x.b.heal()
		}
	case k == 11:
		x.restart(asked)
	case k == 12:
		x.hears(x.deaf)
	case k == 14:
		here := x.random.IntN(2) == 0
		x.note("the person is here: %v", here)
		x.p.Come(here)
	case k == 15:
		x.slow([]time.Duration{0, time.Millisecond, 3 * time.Second, 6 * time.Second}[x.random.IntN(4)])
	default:
		d := []time.Duration{0, time.Millisecond, 100 * time.Millisecond, time.Second, time.Minute}[x.random.IntN(5)]
		x.note("%v", d)
		time.Sleep(d)
	}
}

// ask asks something new. Some programs ask again when the host is restarted: see isAskedAgain.
func (x *trial) ask() {
	x.asked++
	title := fmt.Sprintf("Q%d", x.asked)
	q, o := persons.Deploy(title), popup.AskOptions{}
	switch x.random.IntN(3) {
	case 0:
		q, o = secret(title), ignored
	case 1:
		o = popup.AskOptions{Asked: popup.Asked{ID: strings.Repeat("Q", 25) + string(rune('A'+x.asked%26)) + string(rune('A'+x.asked/26))}}
	}
	q.Timeout = 10 * time.Hour
	x.note("ask %s", title)
	x.b.askThis(q, o)
}

func isAskedAgain(a popup.Asked) bool { return strings.HasPrefix(a.ID, strings.Repeat("Q", 20)) }

func (x *trial) reply(a popup.Asked) {
	title := a.Question.Title
	x.mu.Lock()
	defer x.mu.Unlock()
	r := written(fmt.Sprintf("reply %d", len(x.replies)))
	switch x.random.IntN(6) {
	case 0:
		r = question.Reply{Action: question.Dismiss}
		x.away[title] = true
	case 1:
		r = question.Reply{Action: question.Decline}
	default:
		x.replies[r.Text] = title
	}
	broker := x.p.Broker
	x.typing.Go(func() {
		_, err := broker.Answer(a.ID, r, "page")
		x.mu.Lock()
		defer x.mu.Unlock()
		x.note("%s %q to %s: %v", r.Action, r.Text, title, err)
		switch {
		case r.Text == "":
		case err != nil:
			x.reported[r.Text] = true
		case a.Question.Secret && !x.accepted[r.Text]:
			x.fail("%q, a secret, is kept", r.Text)
		default:
			x.kept[r.Text] = true
		}
	})
}

func (x *trial) withdraw(a popup.Asked) {
	x.note("withdraw %s", a.Question.Title)
	_ = x.b.broker.Withdraw(a.ID)
	if !isAskedAgain(a) {
		return
	}
	if x.random.IntN(2) == 0 {
		synctest.Wait()
	}
	x.note("and ask it again")
	x.b.askThis(a.Question, popup.AskOptions{Asked: popup.Asked{ID: a.ID}})
}

func (x *trial) restart(asked []popup.Asked) {
	x.note("the host is restarted")
	if x.down {
		x.b.heal()
		x.down = false
	}
	x.b.restart()
	x.witness()
	for _, a := range asked {
		if isAskedAgain(a) {
			x.b.askThis(a.Question, popup.AskOptions{Asked: popup.Asked{ID: a.ID}})
		}
	}
}

// hears says whether acknowledgements of the host arrive.
func (x *trial) hears(them bool) {
	x.note("acknowledgements arrive: %v", them)
	x.deaf = !them
	x.b.change(func() { x.b.deaf = x.deaf })
}
