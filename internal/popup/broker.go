// Package popup brings questions to a person and answers back. A [Broker] queues the questions of
// each workspace, puts them before the person through [Channel]s one at a time, and gives each
// exactly one outcome, which waits until it is collected.
//
// What is asked ([Broker.Ask]) or happens to a question becomes an input of package core, which
// decides alone, without time or locks; the broker does what it says: shows and hides, stores, sets
// its timer and wakes who waits ([Broker.Collect]). An asker may go and come back, also in a later
// run. The files of an answer are in the base directory before the answer is, and go with age.
//
// It knows no transport: pages, clients and terminals are channels to it.
package popup

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/popup/workspace"
)

const (
	// Beat is how often waiting callers are notified that the question is still open: clients give
	// up after a minute without any sign of life.
	Beat = 12 * time.Second

	defaultPatience = 5 * time.Second
)

// Options are what a broker is made of. The zero value is a broker that serves no workspace by
// name, keeps nothing, and knows no other server.
type Options struct {
	// Workspaces are the folders that this server serves. Questions that name none are for the
	// first one.
	Workspaces []string
	// Store keeps questions and answers for later runs; nil keeps them in memory only.
	Store Store
	// Files is the base directory, in which data/answers has the files that come with answers: see
	// keepFiles. "": nobody can add files, but type paths.
	Files string
	// Others returns the workspaces of the person's other programs, whose questions those show;
	// nil: there are none. It may take a moment.
	Others func() []string
	// Patience is how long a question waits for a channel when there is none, as when a page is
	// being reloaded, before it ends with [question.NoHuman]; 0 means 5 seconds.
	Patience time.Duration
	// Log records failures; nil discards them. Questions and answers are never logged.
	Log *slog.Logger
}

// A Store keeps documents by name.
type Store interface {
	Put(name string, content []byte) error
	Delete(name string) error
	All() (map[string][]byte, error)
}

// A Broker is safe for concurrent use. Use [New].
type Broker struct {
	opts       Options
	workspaces []string // clean, with links followed
	stopped    context.Context
	stop       context.CancelCauseFunc
	work       sync.WaitGroup // all that is shown or stored, and changes in progress; Add only during a change, or with mu held, while the state is not stopped
	disk       sync.Mutex     // held while the store is used; never together with mu

	mu       sync.Mutex // guards the fields below; never held while another package but core is called
	state    *core.State
	askers   map[string]*asker  // by the ID of their question
	channels map[uint64]Channel // of all questions
	named    uint64             // how many channels there were
	timer    *time.Timer
	watchers map[int]func()
	watched  int           // the number of the newest watcher
	appeared chan struct{} // closed and replaced when there may be a channel where there was none
}

// New returns a broker and resumes the questions that the store has kept. The caller must Close it.
func New(opts Options) (*Broker, error) {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	opts.Patience = cmp.Or(opts.Patience, defaultPatience)
	b := &Broker{
		opts:     opts,
		state:    core.New(opts.Patience),
		askers:   map[string]*asker{},
		channels: map[uint64]Channel{},
		watchers: map[int]func(){},
		appeared: make(chan struct{}),
	}
	for _, w := range opts.Workspaces {
		clean := locate(w)
		if clean == "" {
			return nil, fault.New(fault.Invalid, "%q is not the absolute path of a workspace", w)
		}
		b.workspaces = append(b.workspaces, clean)
	}
	b.stopped, b.stop = context.WithCancelCause(context.Background())
	if err := b.restore(); err != nil {
		b.stop(nil)
		return nil, err
	}
	return b, nil
}

// locate returns a path in the form in which paths are compared, with links followed if it exists.
func locate(path string) string {
	clean := workspace.Clean(path)
	if clean == "" {
		return ""
	}
	if real, err := filepath.EvalSymlinks(filepath.FromSlash(clean)); err == nil {
		return workspace.Clean(real)
	}
	return clean
}

// Close ends all waiting with [fault.Gone] and returns when no channel is in use any more.
// Questions without an outcome stay in the store, for the next broker. It may be called more than
// once.
func (b *Broker) Close() {
	b.change(core.Stopping{})
	b.mu.Lock()
	if b.timer != nil {
		b.timer.Stop()
	}
	b.mu.Unlock()
	b.stop(core.ErrStopping)
	b.work.Wait()
}

// AddChannel lets c show questions, until remove is called.
func (b *Broker) AddChannel(c Channel) (remove func()) { return b.lend("", b.channels, []Channel{c}) }

// Recheck tells the broker that a channel may have become more present.
func (b *Broker) Recheck() { b.change(core.Appeared{}) }

// Watch calls f after each change of the pending and the past questions, until stop is called. f
// must not block; it may be called from several goroutines, and one call may still be running
// when stop returns.
func (b *Broker) Watch(f func()) (stop func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.watched++
	id := b.watched
	b.watchers[id] = f
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.watchers, id)
	}
}

// Answer applies a person's reply to a question. The first valid reply counts; later ones get
// [fault.Exists], unless they are the same one, by its delivery. An invalid reply gets
// [fault.Invalid], and the question stays open.
func (b *Broker) Answer(id string, r question.Reply, channel string) (question.Answer, error) {
	return b.AnswerShown(id, func(Asked) error { return nil }, r, channel)
}

// AnswerShown is [Broker.Answer] for a reply to a question that may be another one now under the
// same ID: check is given the question, and its error refuses the reply.
func (b *Broker) AnswerShown(id string, check func(Asked) error, r question.Reply, channel string) (question.Answer, error) {
	isAnswer := func(a question.Answer) bool { return r.Delivery != "" && a.Delivery == r.Delivery }
	e, k, err := b.find(id)
	if err == nil && !(e.Answer != nil && isAnswer(*e.Answer)) { // else it was checked before
		err = check(e.Asked)
	}
	var kept []question.File
	if err == nil {
		kept, err = b.keepFiles(e.Question, r)
		r.Files = kept
	}
	if err == nil {
		err = b.apply(core.Replied{ID: id, Seq: e.Seq, Reply: r, Channel: channel}, nil)
	}
	if err != nil {
		b.dropFiles(kept)
	}
	switch {
	case errors.Is(err, core.ErrOver):
		select {
		case <-k.settled.Done():
		case <-b.stopped.Done():
			return question.Answer{}, core.ErrStopping
		}
		if !isAnswer(k.answer) {
			return question.Answer{}, core.TooLate(k.answer)
		}
	case err != nil || r.Action == question.Active:
		return question.Answer{}, err
	}
	if k.refused != nil {
		return question.Answer{}, fault.New(fault.Exists, "%v", k.refused)
	}
	return k.answer, nil
}

// Withdraw ends a question whose answer nobody needs any more. A question that is over stays as it
// is.
func (b *Broker) Withdraw(id string) error {
	_, _, err := b.find(id)
	if err == nil {
		b.change(core.Withdrawn{ID: id})
	}
	return err
}

// find returns a question as it is now, and what belongs to it here.
func (b *Broker) find(id string) (core.Entry, *asker, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e, err := b.state.Find(id)
	if err != nil {
		return core.Entry{}, nil, err
	}
	return *e, b.askers[id], nil
}

func newID() string { return rand.Text() }

// knownID returns id if newID can have returned it, and "" otherwise.
func knownID(id string) string {
	if len(id) < 26 || len(id) > 128 || strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") != "" {
		return ""
	}
	return id
}
