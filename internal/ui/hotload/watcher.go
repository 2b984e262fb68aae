// Package hotload turns file events into ordered batches of changes.
//
// The package finds changes by looking, not by trusting events: an event only says that it is time
// to look. A look walks the roots, follows symbolic links, and compares the contents with those of
// the previous look. So however an editor saves (in place, through a temporary file, through a
// backup), whichever events are merged or lost, and whichever link changes its target, the result
// is the files whose contents differ, by the paths at which a program finds them.
package hotload

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A Change is a file whose content has changed.
type Change struct {
	Path    string // absolute, below a root as the root was given; the path of the link where one leads to the file
	Removed bool   // the file is gone; else it is new or has other content
}

// Options configure a [Watcher]. Roots and OnChange are required.
type Options struct {
	// Roots are the directories to watch recursively, absolute. They need not exist yet.
	Roots []string
	// OnChange receives each batch: sorted by path, no path twice, never empty. It runs on the
	// watcher's goroutine, so that batches come one after the other; meanwhile further events wait.
	// It must not call Close.
	OnChange func([]Change)
	// Quiet is how long to wait without an event before a batch is made: 30 ms if 0.
	Quiet time.Duration
	// Max is how long after its first event a batch is made even if events continue: 200 ms if 0.
	Max time.Duration
	// Poll is how often to look while anything cannot be watched or read: every 2 seconds if 0.
	Poll time.Duration
	// Log receives errors, and whether the watcher polls; nil discards them.
	Log *slog.Logger
}

// A Watcher watches the files below directories whose names end with .lua or .html, until it is
// closed.
//
// It ignores names that start with a dot or a #, or end with ~ (hidden files and editors' temporary
// files), and folders called node_modules. Symbolic links to files and folders are followed; a
// folder that contains itself through a link is entered once.
type Watcher struct {
	opts   Options
	source source
	stop   chan struct{} // closed by Close
	done   chan struct{} // closed when the goroutine has exited
	ask    chan request  // for looks out of turn
	once   sync.Once

	// The goroutine's own.
	seen    *snapshot
	touched map[string]bool // files named by events since the last look: their content is read even if size and time agree
	all     bool            // events were lost: all contents are read
	broken  error           // why no more events come; nil while they do
	first   time.Time       // of the burst of events that waits for a batch; zero without one
	warned  bool            // the log says that something cannot be watched or read
}

// A request asks for a look now; unless always is set, only if something may have changed.
type request struct {
	always bool
	done   chan struct{} // closed afterwards
}

// A source reports changes in directories, by the path under which the directory was added.
type source struct {
	add, remove func(dir string) error
	close       func() error
	events      <-chan fsnotify.Event
	errors      <-chan error
	marker      *marker // tells that all earlier events have arrived; may be nil
}

// New starts to watch. Changes after its return are noticed; existing files are not reported. If
// the system sends no events, the watcher polls and logs why. The caller must Close the watcher.
func New(opts Options) *Watcher { return start(opts, open(fsnotify.NewWatcher)) }

// open returns the system's events. If the system refuses, so does each add of the source, and the
// watcher polls.
func open(newWatcher func() (*fsnotify.Watcher, error)) source {
	fsw, err := newWatcher()
	if err == nil {
		m := newMarker(fsw)
		end := fsw.Close
		if m != nil {
			end = func() error { return errors.Join(fsw.Close(), m.close()) }
		}
		return source{fsw.Add, fsw.Remove, end, fsw.Events, fsw.Errors, m}
	}
	err = fmt.Errorf("%w (on Linux, raise fs.inotify.max_user_instances, or end other watching programs)", err)
	return source{
		add:    func(string) error { return err },
		remove: func(string) error { return nil },
		close:  func() error { return nil },
	}
}

func start(opts Options, src source) *Watcher {
	opts.Quiet = cmp.Or(opts.Quiet, 30*time.Millisecond)
	opts.Max = cmp.Or(opts.Max, 200*time.Millisecond)
	opts.Poll = cmp.Or(opts.Poll, 2*time.Second)
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	w := &Watcher{
		opts:    opts,
		source:  src,
		stop:    make(chan struct{}),
		done:    make(chan struct{}),
		ask:     make(chan request),
		seen:    &snapshot{},
		touched: map[string]bool{},
	}
	w.look()
	go w.run()
	return w
}

// Close stops watching and waits; when it returns OnChange is not running and will not be called
// again. It may be called more than once.
func (w *Watcher) Close() {
	w.once.Do(func() {
		close(w.stop)
		<-w.done
		if err := w.source.close(); err != nil {
			w.opts.Log.Warn("closing the file watcher", "error", err)
		}
	})
	<-w.done
}

// Look reports all changes so far at once, and returns when OnChange has returned: everything
// written before the call has then taken effect. It must not be called from OnChange, or by a
// goroutine that OnChange waits for. It returns the cause if ctx ends first. Unless thorough is
// set, it leaves out the changes that the system does not report, as on network mounts, and costs a
// fraction where the system reports changes in order and nothing has changed.
func (w *Watcher) Look(ctx context.Context, thorough bool) error {
	r := request{thorough, make(chan struct{})}
	select {
	case w.ask <- r:
	case <-w.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-r.done:
	case <-w.done:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// takeEvents records the events that have arrived, without waiting for more.
func (w *Watcher) takeEvents() {
	for {
		select {
		case ev, ok := <-w.source.events:
			if !ok {
				return
			}
			w.note(ev)
		default:
			return
		}
	}
}

// note records an event, and reports whether it matters.
func (w *Watcher) note(ev fsnotify.Event) bool {
	if !w.seen.concerns(ev) {
		return false
	}
	w.touched[ev.Name] = true
	return true
}

// mark records an event and returns how long to wait for a batch, unless another event arrives.
func (w *Watcher) mark(now time.Time) time.Duration {
	if w.first.IsZero() {
		w.first = now
	}
	return max(0, min(w.opts.Quiet, w.first.Add(w.opts.Max).Sub(now)))
}

func (w *Watcher) run() {
	defer close(w.done)
	batch := time.NewTimer(time.Hour)
	batch.Stop()
	poll := time.NewTimer(time.Hour)
	defer batch.Stop()
	defer poll.Stop()
	w.schedulePoll(poll)
	for {
		select {
		case <-w.stop:
			return
		case ev, ok := <-w.source.events:
			if !ok {
				w.eventsEnded(batch)
			} else if w.note(ev) {
				batch.Reset(w.mark(time.Now()))
			}
		case r := <-w.ask:
			if r.always {
				w.takeEvents()
			}
			if r.always || !w.settle() || !w.first.IsZero() || len(w.touched) > 0 {
				batch.Stop()
				w.deliver()
				w.schedulePoll(poll)
			}
			close(r.done)
		case err, ok := <-w.source.errors:
			if !ok {
				w.eventsEnded(batch)
				continue
			}
			w.lost(err)
			batch.Reset(w.mark(time.Now()))
		case <-batch.C:
			w.deliver()
			w.schedulePoll(poll)
		case <-poll.C:
			if w.first.IsZero() { // else the burst's own look is about to come
				w.deliver()
			}
			w.schedulePoll(poll)
		}
	}
}

// lost makes the next look read everything.
func (w *Watcher) lost(reason error) {
	w.opts.Log.Warn("file events were lost; reading all files again", "error", reason)
	w.all = true
}

// eventsEnded switches to polling after the source has closed a channel. Close waits for the
// goroutine before it closes the source, so the source has failed.
func (w *Watcher) eventsEnded(batch *time.Timer) {
	w.source.events, w.source.errors, w.source.marker = nil, nil, nil
	w.broken, w.all = errors.New("the system has stopped sending file events"), true
	batch.Reset(w.mark(time.Now()))
}

func (w *Watcher) deliver() {
	if changes := w.look(); len(changes) > 0 {
		select {
		case <-w.stop: // the caller of Close wants no more calls
		default:
			w.opts.OnChange(changes)
		}
	}
}

// look takes a new snapshot and returns the differences from the previous one.
func (w *Watcher) look() []Change {
	w.first = time.Time{}
	s := scanner{
		watch:   w.source.add,
		hash:    hash,
		stop:    w.stop,
		now:     time.Now(),
		before:  w.seen,
		touched: w.touched,
		all:     w.all,
	}
	next := s.scan(w.opts.Roots)
	select {
	case <-w.stop:
		return nil
	default:
	}
	if w.broken != nil {
		next.problem = w.broken
	}
	for dir := range w.seen.dirs {
		if _, still := next.dirs[dir]; !still {
			_ = w.source.remove(dir) // it fails if the directory is gone, and with it the watch
		}
	}
	changes := diff(w.seen.files, next.files)
	w.seen, w.all = next, false
	clear(w.touched)
	if failing := next.problem != nil; failing != w.warned {
		w.warned = failing
		if failing {
			w.opts.Log.Warn("not all files can be watched and read; looking for changes at intervals",
				"every", w.opts.Poll, "error", next.problem)
		} else {
			w.opts.Log.Info("all files can be watched and read again")
		}
	}
	return changes
}

func (w *Watcher) schedulePoll(t *time.Timer) {
	if w.seen.problem != nil {
		t.Reset(w.opts.Poll)
	} else {
		t.Stop()
	}
}

// diff returns the changes from one set of files to another, sorted by path.
func diff(before, after map[string]file) []Change {
	var changes []Change
	for path, f := range after {
		if old, ok := before[path]; !ok || old.sum != f.sum {
			changes = append(changes, Change{Path: path})
		}
	}
	for path := range before {
		if _, ok := after[path]; !ok {
			changes = append(changes, Change{Path: path, Removed: true})
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return changes
}
