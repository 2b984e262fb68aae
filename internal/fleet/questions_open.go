package fleet

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"sync/atomic"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
)

// deliverTime is how long the person waits for a host to take a reply. Then it is kept.
const deliverTime = 5 * time.Second

// A posed question is asked on a host, and here.
type posed struct {
	asking   *questions
	host     *host
	name     string // of the host
	id       string // here
	key      key
	asker    question.Asker
	question question.Question
	until    time.Time

	ctx    context.Context // ends when the host does not ask any more
	cancel context.CancelFunc

	replied atomic.Bool // the person has replied: nothing more is to be asked
}

// idOf returns what a question is called here. A host that is reached in two ways asks once.
func idOf(server string, k key) string {
	sum := sha256.Sum256([]byte(server + "\n" + k.id + "\n" + k.digest))
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:20])
}

// run asks the question until it has an outcome, here or there.
func (o *posed) run() {
	defer o.cancel()
	q := o.question
	for o.ctx.Err() == nil && !o.replied.Load() {
		q.Timeout = time.Until(o.until)
		if q.Timeout <= 0 {
			return
		}
		a, err := o.asking.put(o.ctx, q, popup.AskOptions{ID: o.id, Asker: o.asker, Host: o.name, Deliver: o.deliver})
		if err != nil {
			return // this server is stopping, or the host does not ask any more
		}
		switch a.Outcome {
		case question.Dismissed:
			o.send(question.Reply{Action: question.Dismiss})
		case question.Declined:
			o.send(question.Reply{Action: question.Decline})
		case question.Withdrawn: // by a reply that did not arrive, or since another way to the host has ended
			continue
		}
		return
	}
}

// put asks the person a question as soon as they can be reached, and returns the outcome. When ctx
// ends, the question is withdrawn.
func (q *questions) put(ctx context.Context, asked question.Question, o popup.AskOptions) (question.Answer, error) {
	o.Channels = q.Channels
	for {
		appeared := q.Broker.Appearance()
		if q.Broker.Reachable(popup.Asked{Question: asked, Host: o.Host}, q.Channels...) {
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

// deliver gives the person's reply to the host. Its error tells the person why the reply did not
// arrive. A host that cannot be reached gets the reply later.
func (o *posed) deliver(r question.Reply) error {
	o.replied.Store(true)
	d := o.send(r)
	switch d.Result {
	case terminals.Over, terminals.Refused:
		return fault.New(fault.Exists, "%s did not take the answer: %s", o.name, said(d.Reason))
	}
	return nil
}

// send keeps a reply and tries to deliver it.
func (o *posed) send(r question.Reply) terminals.Delivery {
	o.replied.Store(true)
	k := &keptReply{
		Host: o.host.identity(), Name: o.name, ID: o.key.id, Digest: o.key.digest, Title: o.question.Title,
		Delivery: rand.Text(), Reply: r, Until: o.until, private: o.question.Secret || o.question.Prompt,
	}
	o.asking.outbox.add(k)
	return o.asking.try(o.host, k)
}

// try tries to deliver a reply, and applies what comes of it. The result is "" if the host cannot
// be reached: it gets the reply later.
func (q *questions) try(h *host, k *keptReply) (d terminals.Delivery) {
	link := q.look(h).link
	if link == nil {
		return d
	}
	ctx, cancel := context.WithTimeout(h.ctx, deliverTime)
	defer cancel()
	in := terminals.QuestionReply{ID: k.ID, Digest: k.Digest, Delivery: k.Delivery, Reply: k.Reply, Follower: q.follower}
	d, err := terminals.AnswerQuestion.Do(ctx, link, q.grant(), in)
	if err != nil {
		q.fleet.opts.Log.Info("the reply to a question of another server is kept", "name", k.Name, "reason", displayed(err))
		return terminals.Delivery{}
	}
	q.outbox.settle(k, d.Result)
	return d
}

// redeliver delivers the replies to the host that were kept, and tells the person of those that
// came too late.
func (a *asking) redeliver(s state, listed map[key]terminals.OpenQuestion) {
	for _, k := range a.outbox.of(a.host.identity()) {
		_, asks := listed[key{k.ID, k.Digest}]
		if !asks && (k.delivered || k.tried == s.link) {
			continue
		}
		was := k.delivered
		d := a.try(a.host, k)
		if k.tried = s.link; (d.Result == terminals.Over || d.Result == terminals.Refused) && !was {
			a.undelivered(k, said(d.Reason))
		}
	}
}

// said returns what another host says, to be displayed.
func said(text string) string { return safetext.Clip(safetext.Visible(text), maxReason) }

// undelivered tells the person that a reply did not reach the host that has asked.
func (q *questions) undelivered(k *keptReply, why string) {
	q.fleet.opts.Log.Warn("the reply to a question of another server was not delivered", "name", k.Name, "reason", why)
	if k.Reply.Action != question.Submit {
		return
	}
	note := question.Question{
		Title: "Your answer did not reach " + k.Name, Plain: true, Severity: question.Warning, Timeout: question.MaxTimeout,
		Message: why, Quote: k.Title, Options: []question.Option{{Label: "OK", Value: "ok"}},
	}
	q.fleet.mu.Lock()
	defer q.fleet.mu.Unlock()
	if q.fleet.ctx.Err() == nil {
		q.running.Go(func() {
			ctx, cancel := context.WithTimeout(q.fleet.ctx, question.MaxTimeout)
			defer cancel()
			_, _ = q.put(ctx, note, popup.AskOptions{}) // whatever the person does with it
		})
	}
}
