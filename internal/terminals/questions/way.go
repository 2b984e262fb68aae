package questions

import (
	"context"
	"crypto/rand"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/wake"
)

// A Way is what another program asks, as far as this one knows it by one key or address. What that
// program says of itself has no part in it. What is asked in two ways is two questions.
type Way struct {
	*Person
	id        string
	complaint sync.Once // about an invalid question

	// Guarded by Person.mu.
	name   string            // of the program, when it was followed last
	server string            // the process that was followed last, as it says
	open   map[string]*posed // by ID
	at     *conn             // nil: the program cannot be reached now
}

// A conn is a stream to the program.
type conn struct {
	terminals.QuestionStream
	cancel context.CancelFunc // ends it
	ended  chan struct{}
	sent   map[string]*sent // replies without a verdict; guarded by Person.mu
}

// A sent is a reply on its way.
type sent struct {
	*kept
	posed   *posed                  // as it is asked; nil: it is not asked now
	verdict chan terminals.Delivery // capacity 1
	late    bool                    // nobody waits for the verdict; guarded by Person.mu
}

// A posed question is asked there, and here. It stays in Way.open as long as it is asked there:
//
//   - Nobody has replied: the person sees it, or will when they come.
//   - The person has replied, has put it away, or it is invalid: it is not displayed.
//
// While the program cannot be reached, nothing of this changes.
type posed struct {
	asked
	way      *Way
	name     string // of the program
	host     string // on which it is asked, or ""
	instance string // see [terminals.OpenQuestion.Asked]
	asker    question.Asker
	question question.Question
	until    time.Time
	again    bool               // it was asked here before; owned by run
	cancel   context.CancelFunc // withdraws it here

	// Guarded by Person.mu.
	conn    *conn // over which it was asked last
	replied bool
	away    *kept // says that the person has put it away
}

// Way returns a way in which nothing is known to be asked. id is the key or the address; there is
// one at a time of each.
func (p *Person) Way(id string) *Way { return &Way{Person: p, id: id, open: map[string]*posed{}} }

// Follow asks the person here what a program asks, which has a name here, until the stream of it
// ends. Questions stay until the next stream says that they are over, or [Way.End].
func (w *Way) Follow(ctx context.Context, name string, open func(context.Context) (terminals.QuestionStream, error)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := open(ctx)
	if err != nil {
		return err
	}
	var said shown
	appeared, err := w.sayShown(ctx, stream, &said) // before what the person has put away
	if err != nil {
		stream.Close()
		return err
	}
	w.mu.Lock()
	renamed := w.name != name // what was displayed with another name comes again
	c := &conn{stream, cancel, make(chan struct{}), map[string]*sent{}}
	w.name, w.at = name, c
	w.mu.Unlock()
	if renamed {
		w.End()
	}
	saying := make(chan struct{})
	go func() {
		defer close(saying)
		for err := error(nil); err == nil && await(ctx, appeared); {
			appeared, err = w.sayShown(ctx, stream, &said)
		}
	}()
	defer func() {
		w.mu.Lock()
		w.at = nil
		w.mu.Unlock()
		close(c.ended)
		cancel()
		stream.Close()
		<-saying
	}()
	for listed := false; ; {
		news, err := stream.Receive(ctx)
		if err != nil {
			return err
		}
		switch q := news.Asked; {
		case q != nil:
			if q.ID == "" || max(len(q.ID), len(q.Asked)) > maxWord {
				continue
			}
			if err := w.ask(ctx, c, *q); err != nil {
				return err
			}
		case news.Over != "":
			w.drop(func(o *posed) bool { return o.id == news.Over })
		case news.Verdict != nil:
			w.judge(c, *news.Verdict)
		case news.Listed != nil && !listed:
			listed = true
			w.drop(func(o *posed) bool { return o.conn != c })
			w.remind(c, news.Listed.Server)
		}
	}
}

// Close withdraws everything, and ends the use of the way.
func (w *Way) Close() { w.drop(func(*posed) bool { return true }) }

// End withdraws what nobody has replied to.
func (w *Way) End() { w.drop(func(o *posed) bool { return !o.replied }) }

// drop withdraws questions.
func (w *Way) drop(is func(o *posed) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, o := range w.open {
		if is(o) {
			o.cancel()
			delete(w.open, id)
		}
	}
}

// askers are the kinds of asker.
var askers = []question.Asker{question.ByAgent, question.ByApp, question.ByProgram}

// ask takes note of what the program asks. What it says is not trusted: it can neither exceed the
// limits nor change a question that is displayed. An error says that ctx has ended.
func (w *Way) ask(ctx context.Context, c *conn, in terminals.OpenQuestion) error {
	key := asked{w.id, in.ID, in.Question.Digest()}
	w.mu.Lock()
	o, k := w.open[in.ID], w.kept[key]
	if o != nil && o.asked == key && o.instance == in.Asked {
		o.conn = c
		w.mu.Unlock()
		w.again(o)
		return nil
	}
	if o != nil {
		o.cancel()
		delete(w.open, in.ID)
	}
	if len(w.open) >= terminals.MaxQuestions {
		w.mu.Unlock()
		return nil
	}
	host := w.name
	if w.Relayed {
		host = in.Host
	}
	o = &posed{asked: key, way: w, name: w.name, host: host, instance: in.Asked, asker: in.Asker, cancel: func() {}, conn: c, replied: k != nil}
	q, invalid := in.Question.Question()
	q.Workspace, q.Channel = "", "" // those are of the other program
	o.question, o.until = q, time.Now().Add(q.Timeout)
	w.open[in.ID] = o
	w.mu.Unlock()
	if k != nil {
		w.again(o)
		return nil
	}
	if err := w.admit(ctx, w.id); err != nil {
		w.drop(func(x *posed) bool { return x == o }) // it comes again
		return err
	}
	if invalid != nil {
		w.complaint.Do(func() {
			w.Log.Warn("a question of another server is not asked; others like it are not logged", "name", o.name, "reason", safetext.Clip(safetext.Visible(invalid.Error()), maxReason))
		})
		return nil
	}
	if !slices.Contains(askers, o.asker) {
		o.asker = question.ByProgram
	}
	o.show(0)
	return nil
}

// again says again what became of a question that the program asks again.
func (w *Way) again(o *posed) {
	w.mu.Lock()
	c, k := o.conn, o.away
	if k == nil && o.replied {
		k = w.kept[o.asked]
	}
	w.mu.Unlock()
	if k != nil {
		w.send(c, k, o)
	}
}

// remind sends the replies again that the process may not have, to questions that it does not ask
// now: to learn what became of them. Another process gets no answer to what it does not ask.
func (w *Way) remind(c *conn, server string) {
	w.mu.Lock()
	if w.server = server; len(server) > maxWord {
		w.server = ""
	}
	var list []*kept
	for key, k := range w.kept {
		if key.way == w.id && server != "" && k.server == server && !k.accepted && w.open[key.id] == nil {
			list = append(list, k)
		}
	}
	w.mu.Unlock()
	for _, k := range list {
		w.send(c, k, nil)
	}
}

// send sends a reply for whose verdict nobody waits, unless it is on its way.
func (w *Way) send(c *conn, k *kept, o *posed) {
	s := &sent{kept: k, posed: o, late: true}
	w.mu.Lock()
	_, again := c.sent[k.delivery]
	w.mu.Unlock()
	if !again {
		w.start(func() { _, _ = w.deliver(c, s) })
	}
}

// deliver sends a reply, and waits for the verdict, unless that is not wanted.
func (w *Way) deliver(c *conn, s *sent) (d terminals.Delivery, err error) {
	s.verdict = make(chan terminals.Delivery, 1)
	w.mu.Lock()
	c.sent[s.delivery] = s
	w.mu.Unlock()
	ctx, cancel := context.WithTimeout(w.ctx, deliverTime)
	defer cancel()
	in := terminals.QuestionReply{ID: s.id, Digest: s.digest, Delivery: s.delivery, Reply: s.reply}
	err = c.Send(ctx, terminals.FromFollower{Answer: &in})
	if err != nil {
		c.cancel() // it is sent again over the next stream
	}
	if err != nil || s.late {
		return d, err
	}
	select {
	case d = <-s.verdict:
		return d, nil
	case <-c.ended:
		err = fault.New(fault.Unreachable, "the connection has ended")
	case <-ctx.Done():
		err = fault.New(fault.Unreachable, "%s has not said for %v that it has taken the answer", s.name, deliverTime)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case d = <-s.verdict:
		return d, nil
	default:
		s.late = true
		return d, err
	}
}

// judge applies the verdict on a reply.
func (w *Way) judge(c *conn, d terminals.Delivery) {
	w.mu.Lock()
	s := c.sent[d.Delivery]
	if s == nil {
		w.mu.Unlock()
		return
	}
	delete(c.sent, d.Delivery)
	if d.Result == terminals.Accepted {
		s.accepted = true
	}
	late := s.late
	s.verdict <- d
	now := w.open[s.id]
	replied := now != nil && now.replied // else it is displayed
	w.mu.Unlock()
	if !late || s.private || d.Result == terminals.Accepted || s.posed == nil && d.Result == terminals.Unknown {
		return // another process may ask the same again
	}
	if w.forget(s.kept) {
		w.undelivered(s.kept, said(d))
	}
	if replied && now.asked == s.asked && (now != s.posed || d.Result == terminals.Refused) {
		now.reopen()
	}
}

// show puts the question before the person, after a pause. It is asked once: another show ends this
// one.
func (o *posed) show(pause time.Duration) {
	w := o.way
	ctx, cancel := context.WithCancel(w.ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open[o.id] != o || ctx.Err() != nil {
		cancel()
		return
	}
	o.cancel()
	o.cancel = cancel
	w.running.Go(func() {
		defer cancel()
		if wake.After(ctx, pause) == nil {
			o.run(ctx)
		}
	})
}

// run asks the question until it has an outcome, here or there. The program has it end.
func (o *posed) run(shown context.Context) {
	ctx, cancel := context.WithDeadline(shown, o.until.Add(core.MaxRespite))
	defer cancel()
	until := o.until
	if least := time.Now().Add(lookEvery); !time.Now().Before(until) { // it is asked still: the person is at it elsewhere
		until = least
	}
	ask := popup.AskOptions{Asked: popup.Asked{Asker: o.asker, Host: o.host, Relayed: o.way.Relayed}, Deliver: o.reply, Active: o.active}
	if ask.Relayed && !o.again {
		ask.ID = o.id
	}
	a, err := o.way.put(ctx, o.question, until, ask)
	o.again = err != nil || a.Outcome != question.Withdrawn // else an older connection's end took it away
	o.way.mu.Lock()
	replied := o.replied // else an earlier answer under the ID has come
	o.way.mu.Unlock()
	switch {
	case shown.Err() != nil:
	case err == nil && a.Outcome == question.Answered && replied: // reply has done the rest
	case err == nil && a.Outcome == question.Dismissed:
		k := newKept(o, question.Reply{Action: question.Dismiss})
		o.way.mu.Lock()
		o.replied, o.away = true, k
		o.way.mu.Unlock()
		o.way.again(o)
	case err == nil && a.Outcome == question.Declined && o.reply(question.Reply{Action: question.Decline}) == nil:
	default:
		o.reopen()
	}
}

// reopenAfter is how long a question is away that is to be displayed again: the program may just
// be saying that it is over.
const reopenAfter = time.Second

// reopen displays a question again, as long as it is asked.
func (o *posed) reopen() {
	o.way.mu.Lock()
	o.replied, o.away = false, nil
	o.way.mu.Unlock()
	if time.Now().Before(o.until.Add(core.MaxRespite)) {
		o.show(reopenAfter)
	}
}

// take returns the stream over which the question is asked, or nil if that has ended. ok is false
// if it is not asked any more, or answered.
func (o *posed) take(replies bool) (c *conn, ok bool) {
	w := o.way
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open[o.id] != o || o.replied {
		return nil, false
	}
	o.replied = replies
	if o.conn == w.at {
		c = o.conn
	}
	return c, true
}

// reply gives the person's reply to the program. Its error tells the person why the reply did not
// arrive. A program that cannot be reached gets it later, unless it is private.
func (o *posed) reply(r question.Reply) error {
	w := o.way
	c, ok := o.take(true)
	if !ok {
		return fault.New(fault.Exists, "%s does not ask this any more", o.name)
	}
	k := newKept(o, r)
	k.private = r.Action == question.Submit && (o.question.Secret || o.question.Prompt)
	switch {
	case !k.private:
		w.keep(k)
	case c == nil:
		return fault.New(fault.Unreachable, "%s cannot be reached now: the answer was not sent, and is not kept", o.name)
	}
	if c == nil {
		return nil
	}
	d, err := w.deliver(c, &sent{kept: k, posed: o})
	switch {
	case err != nil && k.private:
		return fault.New(fault.Unreachable, "it is not known whether the answer arrived, and it is not kept: %v", err)
	case err != nil:
		w.Log.Info("the reply to a question of another server is kept", "name", o.name, "reason", err)
		return nil
	case d.Result == terminals.Accepted:
		return nil
	}
	w.forget(k)
	return fault.New(fault.Exists, "%s did not take the answer: %s", o.name, said(d))
}

// active tells the program that the person is at its question.
func (o *posed) active() {
	w := o.way
	c, ok := o.take(false)
	if !ok || c == nil {
		return
	}
	in := terminals.QuestionReply{ID: o.id, Digest: o.digest, Delivery: rand.Text(), Reply: question.Reply{Action: question.Active}}
	w.start(func() {
		ctx, cancel := context.WithTimeout(w.ctx, deliverTime)
		defer cancel()
		_ = c.Send(ctx, terminals.FromFollower{Answer: &in}) // the next is on its way
	})
}
