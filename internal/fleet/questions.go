package fleet

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
)

const (
	// pollTime is how long a host may take to answer that its questions are the same.
	pollTime = 30 * time.Second
	// pollSlack is how much longer a host may take than it was asked to.
	pollSlack = 10 * time.Second
	// leastPoll is the least time between two questions for the questions of a host.
	leastPoll = 100 * time.Millisecond
	// newEvery is how often a host may ask something new, after the first questions.
	newEvery = 3 * time.Second
	// firstRefusal and lastRefusal are the pauses before a host that refuses is asked again.
	firstRefusal, lastRefusal = time.Second, time.Minute
	// complainEvery is how often questions of a host that are invalid are in the log.
	complainEvery = time.Hour
	// maxID is the length of the longest ID of a question, in bytes, and of other words of a host.
	maxID = 128
)

// A Person is how this server reaches its person, for what other hosts ask.
type Person struct {
	Broker *popup.Broker
	// Channels show the questions of other hosts, in addition to the broker's channels.
	Channels []popup.Channel
	// File keeps replies that could not be delivered yet; "" keeps them as long as the process
	// runs. Secrets and what is typed into programs are never in it.
	File string
}

// questions asks the person here what programs on other hosts ask.
type questions struct {
	Person
	fleet   *Fleet
	secret  string // see follower
	outbox  *outbox
	running sync.WaitGroup // Add only with fleet.mu held and the fleet open, or by a goroutine of the group

	mu     sync.Mutex         // guards the fields below; taken last
	asking map[string]*asking // those that are followed, by the identity of the host
	quotas map[string]*quota  // by identity, since hosts of hubs come and go
}

func newQuestions(f *Fleet, p Person) *questions {
	q := &questions{Person: p, fleet: f, secret: rand.Text(), asking: map[string]*asking{}, quotas: map[string]*quota{}}
	q.outbox = openOutbox(p.File, f.opts.Log, q.undelivered)
	return q
}

// follower is the text by which a host knows this process. No other host knows it.
func (q *questions) follower(identity string) string {
	sum := sha256.Sum256([]byte(q.secret + identity))
	return hex.EncodeToString(sum[:16])
}

// close returns when nothing is asked any more. The fleet is closed.
func (q *questions) close() {
	q.outbox.close()
	q.running.Wait()
}

// attend follows the questions of a host if they are for this server's person. It does so once for
// each host. The caller holds f.mu.
func (f *Fleet) attend(h *host) {
	if f.questions == nil || h.attended || !f.isAttended(h) {
		return
	}
	h.attended = true
	f.questions.running.Go(func() { f.questions.follow(h) })
}

// isAttended reports whether the questions of a host are for this server's person: it was added
// here, or is a host of a hub that was accepted here by its key, at whatever level: see
// [member.Member.Chosen]. The caller holds f.mu.
func (f *Fleet) isAttended(h *host) bool {
	if h.via == nil {
		return h.hub == nil
	}
	list, ok := f.accepted.opened()
	if !ok {
		return false
	}
	e, ok := list.Get(h.key)
	return ok && e.Hub == h.via.server && h.via.member.Chosen(h.key)
}

// reattend applies a change of what is accepted. The caller holds f.mu.
func (f *Fleet) reattend(key string) {
	for _, h := range f.hosts {
		if h.via != nil && h.key == key {
			h.signal()
			f.attend(h)
		}
	}
}

// identity is what this server knows the host by: its key, or the address that it was given. What
// the host says of itself has no part in it.
func (h *host) identity() string {
	if h.key != "" {
		return h.key
	}
	return h.address
}

// state is what follow needs to know of a host.
type state struct {
	link     Link // nil: its questions cannot be followed now
	name     string
	changed  chan struct{}
	attended bool
}

// look returns the state of a host.
func (q *questions) look(h *host) state {
	q.fleet.mu.Lock()
	defer q.fleet.mu.Unlock()
	s := state{link: h.link, name: h.name, changed: h.changed, attended: q.fleet.isAttended(h) && h.ctx.Err() == nil}
	if h.via == nil && !h.answers {
		s.link = nil
	}
	return s
}

// follow asks the person here what is asked on a host, until the host is forgotten or may not ask
// any more.
func (q *questions) follow(h *host) {
	a := &asking{questions: q, host: h, identity: h.identity(), open: map[instance]*posed{}, again: make(chan struct{}, 1)}
	a.enter()
	defer a.leave()
	pause := firstRefusal
	for {
		s := q.look(h)
		if !s.attended && q.leaves(h) {
			return
		}
		if s.link == nil {
			a.lost()
			q.await(h, s, lastRefusal)
			pause = firstRefusal
			continue
		}
		err := a.poll(s)
		if err != nil {
			a.lost()
		}
		switch fault.DetailOf(err) {
		case terminals.NotAllowed, terminals.Withdrawn, terminals.HostLacks:
			a.end()
		}
		switch {
		case err == nil || q.await(h, s, pause):
			pause = firstRefusal
		default:
			pause = min(2*pause, lastRefusal)
		}
	}
}

// await waits until the state of a host is another one. It returns false if that takes too long.
func (q *questions) await(h *host, s state, most time.Duration) bool {
	timeout := time.NewTimer(most)
	defer timeout.Stop()
	for now := s; now.same(s); now = q.look(h) {
		select {
		case <-now.changed:
		case <-timeout.C:
			return false
		case <-h.ctx.Done():
			return true
		}
	}
	return true
}

// same reports whether a call under way goes on in another state.
func (s state) same(as state) bool {
	return s.link == as.link && s.name == as.name && s.attended == as.attended
}

// leaves says that a host is not followed any more, unless it is to be followed again.
func (q *questions) leaves(h *host) bool {
	q.fleet.mu.Lock()
	defer q.fleet.mu.Unlock()
	h.attended = q.fleet.isAttended(h) && h.ctx.Err() == nil
	return !h.attended
}

// grant is what calls to other hosts need.
func (q *questions) grant() terminals.Grant {
	return terminals.Grant{Rights: terminals.Answer, From: term.Sender{Name: q.fleet.opts.Name}}
}

// isShown reports whether the person can be reached now, for what another host asks.
func (q *questions) isShown() bool {
	return q.Broker.Reachable(popup.Asked{Host: "another", Question: question.Question{Severity: question.Info}}, q.Channels...)
}

// poll asks the host for its questions, waits until they differ from the last ones, and applies
// that. It returns nil, too, if something has changed here that concerns the call.
func (a *asking) poll(s state) error {
	least := leastPoll
	if a.throttled {
		least = newEvery
	}
	if !a.pause(least - time.Since(a.polled)) {
		return nil
	}
	a.polled = time.Now()
	a.callIt(s)
	appeared := a.Broker.Appearance()
	shows := a.isShown()
	ctx, cancel := context.WithTimeoutCause(a.host.ctx, pollTime+pollSlack, fault.With(terminals.HostSilent, fault.New(fault.Unreachable, "%s does not answer", s.name)))
	defer cancel()
	in := terminals.QuestionQuery{After: a.revision, Follower: a.follower(a.identity), Shows: shows}
	in.MaxWaitMS = new(uint64(pollTime.Milliseconds()))
	var list terminals.QuestionList
	var err error
	answered := make(chan struct{})
	a.running.Go(func() {
		defer close(answered)
		list, err = terminals.ListQuestions.Do(ctx, s.link, a.grant(), in)
	})
	for changed := false; !changed; {
		select {
		case <-answered:
			if err == nil {
				a.apply(s, list)
			}
			return err
		case <-a.again:
			a.revision, changed = "", true
		case <-appeared:
			appeared = a.Broker.Appearance()
			changed = a.isShown() != shows
		case <-s.changed:
			now := a.look(a.host)
			changed = !now.same(s)
			s.changed = now.changed
		case <-a.host.ctx.Done():
			changed = true
		}
	}
	cancel()
	<-answered
	return nil
}

// pause waits, and reports false if the host is forgotten meanwhile.
func (a *asking) pause(d time.Duration) bool {
	if d <= 0 {
		return a.host.ctx.Err() == nil
	}
	select {
	case <-time.After(d):
		return true
	case <-a.host.ctx.Done():
		return false
	}
}

// apply asks what is new, withdraws what is not asked any more, and delivers replies that were
// kept. What the host says is not trusted: it can neither exceed the limits nor change a question
// that is displayed.
func (a *asking) apply(s state, list terminals.QuestionList) {
	a.throttled = false
	if a.revision = list.Revision; len(a.revision) > maxID {
		a.revision = ""
	}
	if len(list.Server) > maxID {
		list.Server = ""
	}
	listed := map[instance]terminals.OpenQuestion{}
	ids := map[string]bool{}
	var order []instance
	for _, l := range list.Questions[:min(len(list.Questions), terminals.MaxQuestions)] {
		if l.ID == "" || max(len(l.ID), len(l.Asked)) > maxID || ids[l.ID] {
			continue
		}
		ids[l.ID] = true
		i := instance{key{l.ID, l.Question.Digest()}, l.Asked}
		listed[i] = l
		order = append(order, i)
	}
	a.listed(s.link, list.Server, listed)
	a.redeliver(s.link, list.Server, order)
	for _, i := range order {
		if a.has(i) || a.outbox.replied(a.identity, list.Server, i.key) {
			continue
		}
		if !a.allowed() {
			a.revision, a.throttled = "", true // it comes again
			break
		}
		q, err := listed[i].Question.Question()
		if err != nil {
			a.complain(s.name, err)
			a.ignore(i)
			continue
		}
		a.ask(s.name, i, listed[i].Asker, q)
	}
}

// A quota bounds what a host may ask that is new.
type quota struct {
	left       int       // how many questions it may ask
	since      time.Time // when it was that many
	complained time.Time // when it was in the log last
}

// allowed reports whether the host may ask something new, and counts that.
func (a *asking) allowed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	maps.DeleteFunc(a.quotas, func(_ string, q *quota) bool { // as new
		return now.Sub(q.since) > terminals.MaxQuestions*newEvery && now.Sub(q.complained) > complainEvery
	})
	q := a.quotas[a.identity]
	if q == nil {
		q = &quota{left: terminals.MaxQuestions, since: now}
		a.quotas[a.identity] = q
	}
	earned := int(now.Sub(q.since) / newEvery)
	q.since = q.since.Add(time.Duration(earned) * newEvery)
	if q.left = min(q.left+earned, terminals.MaxQuestions); q.left == 0 {
		return false
	}
	q.left--
	return true
}

// complain has an invalid question in the log, but not each. The host was just allowed to ask it.
func (a *asking) complain(name string, err error) {
	a.mu.Lock()
	q := a.quotas[a.identity]
	again := q != nil && time.Since(q.complained) < complainEvery
	if q != nil && !again {
		q.complained = time.Now()
	}
	a.mu.Unlock()
	if !again {
		a.fleet.opts.Log.Warn("a question of another server is not asked; others like it are not logged for an hour", "name", name, "reason", displayed(err))
	}
}

// askers are the kinds of asker.
var askers = []question.Asker{question.ByAgent, question.ByApp, question.ByProgram}

// ask begins to ask a question of the host.
func (a *asking) ask(name string, i instance, asker question.Asker, q question.Question) {
	if !slices.Contains(askers, asker) {
		asker = question.ByProgram
	}
	q.Workspace, q.Channel = "", "" // those are of the other host
	ctx, cancel := context.WithCancel(a.host.ctx)
	o := &posed{asking: a, name: name, instance: i, asker: asker, question: q, until: time.Now().Add(q.Timeout), cancel: cancel}
	a.mu.Lock()
	a.open[i] = o
	a.mu.Unlock()
	a.running.Go(func() { o.run(ctx) })
}
