package fleet

import (
	"context"
	"crypto/rand"
	"slices"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
)

// deliverTime is how long the person waits for a host to take a reply.
const deliverTime = 5 * time.Second

// A posed question is asked on a host, and here.
type posed struct {
	asking   *asking
	name     string // of the host
	instance instance
	asker    question.Asker
	question question.Question
	until    time.Time
	cancel   context.CancelFunc // withdraws it here

	replied bool // guarded by questions.mu
}

// run asks the question until it has an outcome, here or there.
func (o *posed) run(ctx context.Context) {
	defer o.cancel()
	ctx, cancel := context.WithDeadline(ctx, o.until.Add(popup.MaxRespite)) // the host has it end before
	defer cancel()
	a, err := o.asking.put(ctx, o.question, o.until, popup.AskOptions{Asker: o.asker, Host: o.name, Deliver: o.reply, Active: o.active})
	switch {
	case err == nil && a.Outcome == question.Answered: // reply has done the rest
	case err == nil && a.Outcome == question.Dismissed:
		_ = o.reply(question.Reply{Action: question.Dismiss})
	case err == nil && a.Outcome == question.Declined:
		_ = o.reply(question.Reply{Action: question.Decline})
	default:
		o.fail()
	}
}

// put asks the person a question as soon as they can be reached, and returns the outcome. When ctx
// ends, the question is withdrawn.
func (q *questions) put(ctx context.Context, asked question.Question, until time.Time, o popup.AskOptions) (question.Answer, error) {
	o.Channels = q.Channels
	for {
		appeared := q.Broker.Appearance()
		if q.Broker.Reachable(popup.Asked{Question: asked, Host: o.Host}, q.Channels...) {
			if asked.Timeout = time.Until(until); asked.Timeout <= 0 {
				return question.Answer{}, context.DeadlineExceeded
			}
			a, err := q.once(ctx, asked, o)
			if err != nil || a.Outcome != question.NoHuman {
				return a, err
			}
		}
		select {
		case <-appeared:
		case <-ctx.Done():
			return question.Answer{}, context.Cause(ctx)
		}
	}
}

// once asks the person a question.
func (q *questions) once(ctx context.Context, asked question.Question, o popup.AskOptions) (question.Answer, error) {
	id, err := q.Broker.Ask(asked, o)
	if err != nil {
		q.fleet.opts.Log.Warn("a question of another server could not be asked", "name", o.Host, "error", err)
		return question.Answer{}, err
	}
	a, err := q.Broker.Collect(ctx, id, popup.WaitOptions{})
	if err != nil {
		_ = q.Broker.Withdraw(id) // fails if it was over long ago
	}
	return a, err
}

// reply gives the person's reply to the host. Its error tells the person why the reply did not
// arrive. A host that cannot be reached gets it later, unless it is private.
func (o *posed) reply(r question.Reply) error {
	a := o.asking
	link, server, ok := o.take()
	if !ok {
		return fault.New(fault.Exists, "%s does not ask this any more", o.name)
	}
	k := &keptReply{
		Host: a.identity, Server: server, Name: o.name, ID: o.instance.id, Digest: o.instance.digest, Title: o.question.Title,
		Delivery: rand.Text(), Reply: r, Until: o.until, sending: true,
		private: r.Action == question.Submit && (o.question.Secret || o.question.Prompt),
	}
	if k.private && link == nil {
		o.fail()
		return fault.New(fault.Unreachable, "%s cannot be reached now: the answer was not sent, and is not kept", o.name)
	}
	a.outbox.add(k)
	var d terminals.Delivery
	var err error
	if link != nil {
		d, err = a.send(link, k)
	}
	switch {
	case link == nil || err != nil && !k.private:
		a.outbox.keep(k)
		a.fleet.opts.Log.Info("the reply to a question of another server is kept", "name", k.Name, "reason", displayed(err))
		a.wake(a)
		return nil
	case err != nil:
		a.outbox.drop(k)
		o.fail()
		return fault.New(fault.Unreachable, "it is not known whether the answer arrived, and it is not kept: %s", displayed(err))
	case d.Result == terminals.Accepted:
		a.outbox.arrived(k, k.Server)
		return nil
	}
	a.outbox.drop(k)
	o.fail()
	return fault.New(fault.Exists, "%s did not take the answer: %s", o.name, said(d))
}

// active tells the host that the person is at its question.
func (o *posed) active() {
	a := o.asking
	link := a.look(a.host).link
	a.mu.Lock()
	open := a.open[o.instance] == o && !o.replied && a.link == link && link != nil
	a.mu.Unlock()
	a.fleet.mu.Lock()
	defer a.fleet.mu.Unlock()
	if open && a.fleet.ctx.Err() == nil {
		a.running.Go(func() {
			at := question.Reply{Action: question.Active}
			_, _ = a.send(link, &keptReply{ID: o.instance.id, Digest: o.instance.digest, Delivery: rand.Text(), Reply: at}) // the next is on its way
		})
	}
}

// send sends a reply to a host.
func (a *asking) send(link Link, k *keptReply) (terminals.Delivery, error) {
	ctx, cancel := context.WithTimeout(a.host.ctx, deliverTime)
	defer cancel()
	in := terminals.QuestionReply{ID: k.ID, Digest: k.Digest, Delivery: k.Delivery, Reply: k.Reply, Follower: a.follower(a.identity)}
	return terminals.AnswerQuestion.Do(ctx, link, a.grant(), in)
}

// redeliver delivers the replies to the host that were kept: those to what it asks, and those to
// what the same process has asked, to learn what became of them. It tells the person of those that
// came too late. What the host asks still when it has refused the reply is to be displayed again.
func (a *asking) redeliver(link Link, server string, order []instance) {
	at := func(k key) int { return slices.IndexFunc(order, func(i instance) bool { return i.key == k }) }
	for _, k := range a.outbox.waiting(a.identity, server, func(k key) bool { return at(k) >= 0 }) {
		d, err := a.send(link, k)
		switch {
		case err != nil:
		case d.Result == terminals.Accepted:
			if a.outbox.arrived(k, server); at(k.key()) >= 0 {
				a.ignore(order[at(k.key())])
			}
		default:
			if a.outbox.drop(k) {
				a.undelivered(k, said(d))
			}
			if d.Result == terminals.Refused && at(k.key()) >= 0 {
				a.reopen(order[at(k.key())])
			}
		}
	}
}

// said returns what another host says of a reply that it did not take, to be displayed.
func said(d terminals.Delivery) string {
	if d.Reason == "" {
		return "it has said " + safetext.Label(string(d.Result), maxID)
	}
	return safetext.Clip(safetext.Visible(d.Reason), maxReason)
}

// undelivered tells the person that a reply did not reach the host that has asked. The texts of
// that host go with its name.
func (q *questions) undelivered(k *keptReply, why string) {
	q.fleet.opts.Log.Warn("the reply to a question of another server was not delivered", "name", k.Name, "reason", why)
	if k.Reply.Action != question.Submit {
		return
	}
	note := question.Question{
		Title: "Your answer did not reach " + k.Name, Plain: true, Severity: question.Warning,
		Message: why, Quote: k.Title, Options: []question.Option{{Label: "OK", Value: "ok"}},
	}
	q.fleet.mu.Lock()
	defer q.fleet.mu.Unlock()
	if q.fleet.ctx.Err() == nil {
		q.running.Go(func() {
			_, _ = q.put(q.fleet.ctx, note, time.Now().Add(question.MaxTimeout), popup.AskOptions{Host: k.Name}) // whatever the person does with it
		})
	}
}
