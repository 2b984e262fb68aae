// Package popup brings questions to a person and answers back. A [Broker] keeps the questions of
// each workspace in the order in which they came, puts them before the person through [Channel]s,
// and sees to it that each gets exactly one outcome, which waits until it is collected.
//
// It knows no transport: pages, clients and terminals are channels to it.
package popup

import (
	"context"
	"crypto/rand"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/popup/workspace"
)

const (
	// MaxPending is how many questions of a workspace may wait.
	MaxPending = 1000
	// MaxHistory is how many ended questions of a workspace are remembered, answers included.
	MaxHistory = 200
	// Beat is how often who waits is told that the question is still open: clients that hear
	// nothing for a minute give up.
	Beat = 12 * time.Second

	defaultPatience = 5 * time.Second
)

// Options are what a broker is made of. The zero value is a broker that serves no workspace by
// name, keeps nothing, and knows no other server.
type Options struct {
	// Workspaces are the folders that this server is about. Questions that name none are for the
	// first of them.
	Workspaces []string
	// Store keeps questions and answers beyond the end of the process; nil keeps them in memory
	// only.
	Store Store
	// Peers are the other servers of the person; nil means that there are none.
	Peers Peers
	// Patience is how long a question waits for a channel when there is none, as when a page is
	// being reloaded, before it ends with [question.NoHuman]; 0 means 5 seconds.
	Patience time.Duration
	// Late, unless nil, is called with answers that came when nobody was waiting for them. It must
	// not block.
	Late func(question.Answer)
	// Log takes what goes wrong; nil discards it. It never gets to see what is asked and answered.
	Log *slog.Logger
}

// A Store keeps documents by name.
type Store interface {
	Put(name string, content []byte) error
	Delete(name string) error
	All() (map[string][]byte, error)
}

// Peers finds other servers.
type Peers interface {
	// Servers lists those that run now, without this one. It may take a moment.
	Servers() []Peer
}

// A Peer is another server.
type Peer struct {
	Workspaces []string // clean
	// Ask asks there and returns with the outcome. When ctx ends, the question is withdrawn there,
	// too.
	Ask func(context.Context, Asked) (question.Answer, error)
}

// A Broker is used through its methods, from any goroutine. Use [New].
type Broker struct {
	opts       Options
	workspaces []string // clean, with links followed
	stopped    context.Context
	stop       context.CancelCauseFunc
	work       sync.WaitGroup // presentations, and changes under way; Add only with mu held and closed false
	disk       sync.Mutex     // held while the store is used; never with mu

	mu       sync.Mutex // guards the fields below, and entries; never held while something else is called
	closed   bool
	entries  map[string]*entry
	queues   map[string]*queue
	channels []Channel
	watchers map[int]func()
	watched  int           // the number of the newest watcher
	appeared chan struct{} // closed, and replaced, when there may be a channel where there was none
}

// A queue is what was asked in one workspace.
type queue struct {
	pending    []*entry // in the order in which they were asked
	past       []*entry // in the order in which they ended
	presenting bool     // there is a goroutine that presents
}

// New returns a broker with the questions that the store has kept, whose presentation goes on. The
// caller must Close it.
func New(opts Options) (*Broker, error) {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Patience == 0 {
		opts.Patience = defaultPatience
	}
	b := &Broker{
		opts:     opts,
		entries:  map[string]*entry{},
		queues:   map[string]*queue{},
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

// locate is a path in the form in which paths are compared, with links followed where it exists.
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

// Close ends all waiting with [fault.Gone] and returns when no channel is used any more. Questions
// that have no outcome stay in the store, for the next broker. It may be called more than once.
func (b *Broker) Close() {
	b.mu.Lock()
	b.closed = true
	for _, e := range b.entries {
		if e.timer != nil {
			e.timer.Stop()
		}
	}
	b.mu.Unlock()
	b.stop(errStopping)
	b.work.Wait()
}

var errStopping = fault.New(fault.Gone, "the server is stopping: the question has no answer yet")

// AddChannel lets questions be shown through c, until the function that it returns is called.
func (b *Broker) AddChannel(c Channel) (remove func()) {
	b.mu.Lock()
	b.channels = append(b.channels, c)
	b.mu.Unlock()
	b.Recheck()
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for i, have := range b.channels {
			if have == c {
				b.channels = append(b.channels[:i:i], b.channels[i+1:]...)
				return
			}
		}
	}
}

// Recheck says that the presence of a channel may have changed for the better.
func (b *Broker) Recheck() {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.appeared)
	b.appeared = make(chan struct{})
}

// Watch has f called after each change of what is pending or past, until stop is called. f must not
// block; calls may come from several goroutines, and one may still be under way when stop returns.
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

// tell tells the watchers.
func (b *Broker) tell() {
	b.mu.Lock()
	var all []func()
	for _, f := range b.watchers {
		all = append(all, f)
	}
	b.mu.Unlock()
	for _, f := range all {
		f()
	}
}

// queueLocked returns the queue of a workspace.
func (b *Broker) queueLocked(workspace string) *queue {
	q := b.queues[workspace]
	if q == nil {
		q = &queue{}
		b.queues[workspace] = q
	}
	return q
}

// newID returns an id that nobody can guess.
func newID() string { return rand.Text() }
