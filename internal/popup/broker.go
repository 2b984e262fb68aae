// Package popup brings questions to a person and answers back. A [Broker] queues the questions of
// each workspace, puts them before the person through [Channel]s one at a time, and gives each
// exactly one outcome, which waits until it is collected.
//
// It knows no transport: pages, clients and terminals are channels to it.
package popup

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/popup/workspace"
)

const (
	// MaxPending is how many questions of a workspace may wait.
	MaxPending = 1000
	// MaxHistory is how many past questions of a workspace are remembered, with their answers, and
	// how many of all other hosts.
	MaxHistory = 200
	// maxOfHost is how many of one other host: it displaces none of the others.
	maxOfHost = 20
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
	// Peers are the person's other servers; nil means no other servers.
	Peers Peers
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

// Peers finds other servers.
type Peers interface {
	// Servers lists the other servers that run now. It may take a moment.
	Servers() []Peer
}

// A Peer is another server.
type Peer struct {
	Workspaces []string // clean
	// Ask asks at the server and returns the outcome. When ctx ends, the question is withdrawn
	// there, too.
	Ask func(context.Context, Asked) (question.Answer, error)
}

// A Broker is safe for concurrent use. Use [New].
type Broker struct {
	opts       Options
	workspaces []string // clean, with links followed
	stopped    context.Context
	stop       context.CancelCauseFunc
	work       sync.WaitGroup // presentations, and changes in progress; Add only with mu held and closed false
	disk       sync.Mutex     // held while the store is used; never together with mu

	mu       sync.Mutex // guards the fields below and all entries; never held while another package is called
	closed   bool
	entries  map[string]*entry
	queues   map[lane]*queue      // of other hosts only those with questions
	past     map[history][]*entry // in the order in which they ended
	unsaved  map[string]*entry    // those that the store has failed to save last, by their ID
	saving   *time.Timer          // tries that again; nil while none is set
	channels []Channel
	watchers map[int]func()
	watched  int           // the number of the newest watcher
	appeared chan struct{} // closed and replaced when there may be a channel where there was none
}

// A lane says which questions wait for each other: those of a workspace, and of another host.
type lane struct{ workspace, host string }

// A history says which past questions are remembered together: those of a workspace, or those of
// all other hosts.
type history struct {
	workspace string
	others    bool
}

func (e *entry) history() history {
	if e.Host != "" {
		return history{others: true}
	}
	return history{workspace: e.Workspace}
}

// A queue has the questions of one lane that have no outcome yet.
type queue struct {
	changed chan struct{} // capacity 1; a token means that pending may have changed

	lane       lane
	pending    []*entry // in the order in which they were asked
	presenting bool     // a goroutine presents them
}

// New returns a broker and resumes the questions that the store has kept. The caller must Close it.
func New(opts Options) (*Broker, error) {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	opts.Patience = cmp.Or(opts.Patience, defaultPatience)
	b := &Broker{
		opts:     opts,
		entries:  map[string]*entry{},
		queues:   map[lane]*queue{},
		past:     map[history][]*entry{},
		unsaved:  map[string]*entry{},
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
	b.mu.Lock()
	b.closed = true
	for _, e := range b.entries {
		if e.timer != nil {
			e.timer.Stop()
		}
	}
	if b.saving != nil {
		b.saving.Stop()
	}
	b.mu.Unlock()
	b.stop(errStopping)
	b.work.Wait()
	b.saveUnsaved()
}

var errStopping = fault.New(fault.Gone, "the server is stopping: the question has no answer yet")

// AddChannel lets c show questions, until remove is called.
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

// Recheck tells the broker that a channel may have become more present.
func (b *Broker) Recheck() {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.appeared)
	b.appeared = make(chan struct{})
}

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

// notifyWatchers calls the functions passed to Watch.
func (b *Broker) notifyWatchers() {
	b.mu.Lock()
	all := slices.Collect(maps.Values(b.watchers))
	b.mu.Unlock()
	for _, f := range all {
		f()
	}
}

// queueLocked returns the queue of an entry, and makes it when it does not exist.
func (b *Broker) queueLocked(e *entry) *queue {
	of := lane{e.Workspace, e.Host}
	q := b.queues[of]
	if q == nil {
		q = &queue{lane: of, changed: make(chan struct{}, 1)}
		b.queues[of] = q
	}
	return q
}

// leaveLocked forgets a queue of another host that has no questions: hosts come and go.
func (b *Broker) leaveLocked(q *queue) {
	if q.lane.host != "" && len(q.pending) == 0 && !q.presenting && b.queues[q.lane] == q {
		delete(b.queues, q.lane)
	}
}

// newID returns an unguessable ID.
func newID() string { return rand.Text() }

// knownID returns id if newID can have returned it, and "" otherwise.
func knownID(id string) string {
	if len(id) < 26 || strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") != "" {
		return ""
	}
	return id
}
