package questions

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"maps"
	"sync"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/wake"
)

const (
	// keepTime is how long an answer is kept, for an asker that is away or that asks again.
	keepTime = time.Hour
	// deliverTime is how long the person waits for an asker to take a reply.
	deliverTime = 5 * time.Second
	// lookEvery is how often to look whether the person has come or gone.
	lookEvery = 30 * time.Second
	// newEvery is how often something new may be asked in one way, after the first questions.
	newEvery = 3 * time.Second
	// maxReason is how much another program can say about a reply, in bytes.
	maxReason = 500
)

// PersonOptions configure a [Person]. Broker and Log are required.
type PersonOptions struct {
	Broker *popup.Broker
	// Channels show what other programs ask, in addition to the broker's channels.
	Channels []popup.Channel
	// Relayed says that programs of this host ask, which show their questions themselves where they
	// can. Their questions keep their IDs, and have no limit.
	Relayed bool
	// Use, unless nil, is called with 1 when a question is displayed, and with -1 afterwards.
	Use func(change int)
	Log *slog.Logger
}

// A Person shows the person of this program what other programs ask. Its methods may be called from
// anywhere. The caller must Close it, after what follows. Use [NewPerson].
type Person struct {
	PersonOptions
	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	running sync.WaitGroup // Add only with mu held and ctx not ended, or by a goroutine of the group

	mu    sync.Mutex // guards the fields below, and those of ways and questions; taken last
	kept  map[asked]*kept
	nexts map[string]time.Time // by way: when a question would come next if they came evenly
}

// Asked is a question as it was displayed: in another way, or with another text, the same ID is
// another question.
type asked struct{ way, id, digest string }

// A kept is what the person has replied to a question. It is in [Person.kept] for an hour, unless
// it is a secret or was typed into a program.
type kept struct {
	asked
	host, name string // see posed
	title      string
	server     string // the process that has asked
	delivery   string
	reply      question.Reply
	private    bool // not to be kept
	accepted   bool // an asker has it; guarded by Person.mu
	timer      *time.Timer
}

// NewPerson returns a Person whom nobody asks yet.
func NewPerson(o PersonOptions) *Person {
	if o.Use == nil {
		o.Use = func(int) {}
	}
	p := &Person{PersonOptions: o, kept: map[asked]*kept{}, nexts: map[string]time.Time{}}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p
}

// Close withdraws what is asked, and forgets all answers.
func (p *Person) Close() {
	p.mu.Lock()
	p.cancel()
	for _, k := range p.kept {
		k.timer.Stop()
	}
	p.mu.Unlock()
	p.running.Wait()
}

// start calls f on another goroutine, unless p is closed.
func (p *Person) start(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ctx.Err() == nil {
		p.running.Go(f)
	}
}

// A shown is what an asker is told about the person: see [terminals.FromFollower].
type shown struct{ said, shows, opens bool }

// shown returns whether the person can be reached now, for what another program asks.
func (p *Person) shown() shown {
	a := popup.Asked{Relayed: p.Relayed, Question: question.Question{Severity: question.Info}}
	if !p.Relayed {
		a.Host = "another"
	}
	shows := p.Broker.Reachable(a, p.Channels...)
	a.Question.IfPresent = true
	return shown{true, shows, shows && !p.Broker.Reachable(a, p.Channels...)}
}

// sayShown tells an asker whether the person can be reached, if it was told something else. It
// returns a channel that is closed when that may be different.
func (p *Person) sayShown(ctx context.Context, s terminals.QuestionStream, said *shown) (appeared <-chan struct{}, err error) {
	appeared = p.Broker.Appearance()
	if now := p.shown(); now != *said {
		err = s.Send(ctx, terminals.FromFollower{Shows: &now.shows, Opens: now.opens})
		*said = now
	}
	return appeared, err
}

// await returns when it is to be asked again whether the person can be reached, and reports whether
// ctx goes on. Not everybody who comes is an appearance: a server in a new folder is just there.
func await(ctx context.Context, appeared <-chan struct{}) bool {
	select {
	case <-appeared:
	case <-time.After(lookEvery):
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

// put asks the person a question as soon as they can be reached, and returns the outcome. When ctx
// ends, the question is withdrawn.
func (p *Person) put(ctx context.Context, q question.Question, until time.Time, o popup.AskOptions) (question.Answer, error) {
	o.Channels, o.ID = p.Channels, cmp.Or(o.ID, rand.Text()) // asked again, it is the same one
	for {
		appeared := p.Broker.Appearance()
		if p.Broker.Reachable(popup.Asked{Question: q, Host: o.Host, Relayed: o.Relayed}, p.Channels...) {
			if q.Timeout = time.Until(until); q.Timeout <= 0 {
				return question.Answer{}, context.DeadlineExceeded
			}
			p.Use(1)
			a, err := p.Broker.AskAndWait(ctx, q, o, popup.WaitOptions{})
			p.Use(-1)
			if err != nil || a.Outcome != question.NoHuman {
				return a, err
			}
		}
		if !await(ctx, appeared) {
			return question.Answer{}, context.Cause(ctx)
		}
	}
}

// keep keeps an answer. Persons are slow enough for no other limit than the time.
func (p *Person) keep(k *kept) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if old := p.kept[k.asked]; old != nil {
		old.timer.Stop()
	}
	if p.ctx.Err() == nil {
		p.kept[k.asked] = k
		k.timer = time.AfterFunc(keepTime, func() {
			if p.forget(k) {
				p.undelivered(k, "It is not known whether the answer arrived: "+k.name+" has not taken it for an hour.")
			}
		})
	}
}

// forget does not keep an answer any more, and reports whether no asker has it.
func (p *Person) forget(k *kept) (lost bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept[k.asked] == k {
		k.timer.Stop()
		delete(p.kept, k.asked)
	}
	return !k.accepted
}

// said returns what another program says of a reply that it did not take, to be displayed.
func said(d terminals.Delivery) string {
	if d.Reason == "" {
		return "it has said " + safetext.Label(string(d.Result), maxWord)
	}
	return safetext.Clip(safetext.Visible(d.Reason), maxReason)
}

// undelivered tells the person that a reply did not reach the program that has asked. The texts of
// that program go with its name.
func (p *Person) undelivered(k *kept, why string) {
	if p.ctx.Err() != nil {
		return
	}
	p.Log.Warn("the reply to a question of another server was not delivered", "name", k.name, "reason", why)
	if k.reply.Action != question.Submit {
		return
	}
	note := question.Question{
		Title: "Your answer did not reach " + k.name, Plain: true, Severity: question.Warning,
		Message: why, Quote: k.title, Options: []question.Option{{Label: "OK", Value: "ok"}},
	}
	p.start(func() {
		_, _ = p.put(p.ctx, note, time.Now().Add(question.MaxTimeout), popup.AskOptions{Asked: popup.Asked{Host: k.host}}) // whatever the person does with it
	})
}

// admit waits until something new may be asked in a way, and counts that. It returns an error if
// ctx ends first.
func (p *Person) admit(ctx context.Context, way string) error {
	if p.Relayed {
		return nil
	}
	p.mu.Lock()
	now := time.Now()
	maps.DeleteFunc(p.nexts, func(_ string, next time.Time) bool { return next.Before(now) }) // as new
	next, ok := p.nexts[way]
	if !ok {
		next = now
	}
	p.nexts[way] = next.Add(newEvery)
	p.mu.Unlock()
	if wait := next.Sub(now) - (terminals.MaxQuestions-1)*newEvery; wait > 0 {
		return wake.After(ctx, wait)
	}
	return nil
}

func newKept(o *posed, r question.Reply) *kept {
	o.way.mu.Lock()
	defer o.way.mu.Unlock()
	return &kept{asked: o.asked, host: o.host, name: o.name, title: o.question.Title, server: o.way.server, delivery: rand.Text(), reply: r}
}
