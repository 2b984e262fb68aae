package term

import (
	"cmp"
	"context"
	"slices"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/mailbox"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/wake"
)

// Topics are what a watcher reports. They are bits and can be combined.
type Topics uint8

const (
	WatchScreen   Topics = 1 << iota // the program's screen, cursor and modes
	WatchElements                    // overlays, panels and the focus
	WatchInput                       // what persons type, and who gets it
	WatchCommands                    // the beginning and end of commands, where the shell marks them
	WatchState                       // what the session is doing: see [core.State]
	WatchEffects                     // bells, notifications, progress, and what the program puts on the clipboard
	WatchClients                     // clients that attach, leave, lead, or have another size
)

// DefaultInterval is the least time between a watcher's updates while the screen keeps changing.
const DefaultInterval = 100 * time.Millisecond

// echoTime is how long after input a watcher gets updates at the shortest interval: people wait for
// the effects of their input.
const echoTime = 100 * time.Millisecond

// WatchOptions say what a watcher reports.
type WatchOptions struct {
	Topics Topics
	// Interval is the least time between two updates about the screen; 0 means DefaultInterval. It
	// is at least framePause, and at most MaxWait. The first change after a pause is reported at
	// once, as is the first one after input or after the end of a command.
	Interval time.Duration
	// Idle is the silence after which a session is idle, at most MaxWait; 0 reports no activity.
	Idle time.Duration
	// MayCapture says that the watcher may capture input. Only such watchers get what is typed into
	// an element, with input captured, while the program asks for a secret.
	MayCapture bool
}

// An Update is what a watcher reports at a time. The screen precedes the events, so that it
// includes what they are about, such as the output of a command that has ended.
type Update struct {
	Epoch uint64 // of the screen
	// Screen is the newest screen, or nil if it has not changed. Before is the previously reported
	// one: see [vt.Snapshot.Since]. It is nil if the caller should start from Screen, because this
	// is the first update or events were lost.
	Screen, Before *vt.Snapshot
	Elements       *Elements // nil if they have not changed
	Events         []Event   // in order
	Missed         int       // how many events were lost before Events
	Activity       []Activity
}

// An Event is something that happened. One of its pointers is set, or Effect or State.
type Event struct {
	Epoch   uint64 // of the screen
	Input   *InputEvent
	Command *core.Command // one that has begun or ended
	State   core.State    // the new one
	Reports uint64        // how many states were reported, this one included: see [Info]
	Client  *clients.Event
	Effect  vt.Effect // a Bell, Clipboard (set by the program), Notification or Progress
}

// Elements are the overlays and panels of the visible screen.
type Elements struct {
	Overlays, Panels []overlay.Element
	Focused          string // or ""
	Mode             overlay.ScreenMode
}

// Activity reports that a session has become active or idle.
type Activity struct {
	Idle       bool
	Generation uint64
	Screen     *vt.Snapshot // of an idle session
}

// A Watcher reports what happens in a session. Changes of the screen are combined, so a flood has
// few reports, and nothing is prepared until a caller asks. The caller must Close it.
type Watcher struct {
	o       WatchOptions
	session *Session
	box     *mailbox.Box[Event]
	changed chan struct{} // capacity 1; a token means "something may have changed"
	first   Update        // as of the beginning; only Next uses it
	begun   bool          // Next has returned the first update

	// The executor owns the fields below.
	screen   *vt.Snapshot // reported last; nil: none
	looked   time.Time    // when the last update about the screen was taken
	inputs   uint64       // how often input had been sent then
	revision uint64       // of the model
	activity activity
	quiet    uint64 // the generation that was reported as idle
}

type activity uint8

const (
	activityUnknown activity = iota
	activityRunning
	activityIdle
)

// Watch returns a watcher, whose first update has the whole screen as it is now. The next updates
// have all changes since.
func (s *Session) Watch(ctx context.Context, o WatchOptions) (*Watcher, error) {
	if o.Interval < 0 || o.Idle < 0 {
		return nil, fault.New(fault.Invalid, "an interval or a silence cannot be negative")
	}
	o.Interval = min(max(cmp.Or(o.Interval, DefaultInterval), framePause), MaxWait)
	o.Idle = min(o.Idle, MaxWait)
	w := &Watcher{o: o, session: s, box: mailbox.New[Event](), changed: make(chan struct{}, 1)}
	err := s.doRunning(ctx, func(st *state) error {
		st.watchers[w] = struct{}{}
		st.waiters[w.changed] = struct{}{}
		w.first, _ = w.look(s, st, time.Now(), false)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return w, nil
}

// Close ends watching. A call of Next that waits returns.
func (w *Watcher) Close() {
	w.box.Close()
	s := w.session
	s.exec.Post(func() {
		delete(s.st.watchers, w)
		delete(s.st.waiters, w.changed)
	})
}

// Name returns the present name of the session.
func (w *Watcher) Name() string { return w.session.Name() }

// Next waits for something to report. A slow caller gets the newest screen, and loses the oldest
// events if there are too many. When the program has ended and everything has been reported, the
// error is of kind Gone, as it is after Close.
//
// It may be called from one goroutine at a time.
func (w *Watcher) Next(ctx context.Context) (Update, error) {
	s := w.session
	if !w.begun {
		first := w.first
		w.begun, w.first = true, Update{}
		return first, nil
	}
	for changed := false; ; {
		if err := context.Cause(w.box); err != nil {
			return Update{}, err
		}
		var u Update
		var p pending
		err := s.do(ctx, func(st *state) error {
			if u, p = w.look(s, st, time.Now(), changed); u.isEmpty() && st.core.Exit != nil {
				return s.goneError(*st.core.Exit)
			}
			return nil
		})
		if err != nil {
			return Update{}, err
		}
		if !u.isEmpty() {
			return u, nil
		}
		if changed, err = w.pause(ctx, p); err != nil {
			return Update{}, err
		}
	}
}

func (u *Update) isEmpty() bool {
	return u.Screen == nil && u.Elements == nil && len(u.Events) == 0 && u.Missed == 0 && len(u.Activity) == 0
}

// pending says when to look again: after a time, if it is not 0, and after a change if changes
// matter before then.
type pending struct {
	after   time.Duration
	changes bool
}

func (p *pending) in(d time.Duration) {
	if p.after == 0 || d < p.after {
		p.after = d
	}
}

// pause waits until there may be something to report, and returns whether because of a change.
func (w *Watcher) pause(ctx context.Context, p pending) (bool, error) {
	var after <-chan time.Time
	if p.after > 0 {
		after = time.After(p.after)
	}
	changed := w.changed
	if !p.changes {
		changed = nil
	}
	select {
	case <-changed:
		return true, nil
	case <-after:
	case <-w.box.Wake:
	case <-w.box.Done():
	case <-w.session.ended:
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
	return false, nil
}

// look returns what there is to report. changed says that it is called because of a change.
func (w *Watcher) look(s *Session, st *state, now time.Time, changed bool) (Update, pending) {
	u := Update{Epoch: st.term.Epoch()}
	var p pending
	u.Events, u.Missed = w.box.Take()
	ended := st.core.Exit != nil
	if u.Missed > 0 {
		w.screen = nil
	}
	commanded := slices.ContainsFunc(u.Events, func(e Event) bool { return e.Command != nil })
	if rest := w.rest(st, now); rest > 0 && !ended && w.screen != nil && !commanded {
		p.in(rest)
	} else {
		w.lookAtScreen(st, &u)
		// A watcher that ignores the screen must not look at each piece of output.
		if u.Screen != nil || u.Elements != nil || changed && w.o.Topics&WatchScreen == 0 {
			w.looked, w.inputs = now, st.core.Inputs
			p.in(w.rest(st, now))
		} else {
			p.changes = true
		}
	}
	if w.o.Idle > 0 && !ended {
		w.lookAtActivity(s, st, &u, &p, now)
	}
	return u, p
}

// rest returns how long the watcher must wait until it may look at the screen again.
func (w *Watcher) rest(st *state, now time.Time) time.Duration {
	interval := w.o.Interval
	if now.Sub(st.inputAt) < echoTime {
		interval = framePause
		if w.inputs != st.core.Inputs {
			return 0
		}
	}
	return interval - now.Sub(w.looked)
}

// lookAtScreen reports changes of the screen and of the elements.
func (w *Watcher) lookAtScreen(st *state, u *Update) {
	first := w.screen == nil
	if w.o.Topics&WatchScreen != 0 || first {
		if screen := st.term.Snapshot(); screen != w.screen {
			u.Screen, u.Before = screen, w.screen
			w.screen = screen
		}
	}
	if w.o.Topics&WatchElements != 0 && (first || w.revision != st.model.Revision()) {
		w.revision = st.model.Revision()
		u.Elements = &Elements{
			Overlays: st.model.List(overlay.Overlay), Panels: st.model.List(overlay.Panel),
			Focused: st.model.Focused(), Mode: st.model.Mode(),
		}
	}
}

// lookAtActivity reports that the session has become active or idle.
func (w *Watcher) lookAtActivity(s *Session, st *state, u *Update, p *pending, now time.Time) {
	quiet, again := st.core.Check(w.o.Idle, st.facts, now)
	generation := st.core.Idle.Count
	running := func() {
		u.Activity = append(u.Activity, Activity{Generation: generation})
		w.activity = activityRunning
	}
	switch {
	case quiet && (w.activity != activityIdle || w.quiet != generation):
		if w.activity == activityIdle { // there was activity in between
			running()
		}
		u.Activity = append(u.Activity, Activity{Idle: true, Generation: generation, Screen: st.term.Snapshot()})
		w.activity, w.quiet = activityIdle, generation
	case !quiet && w.activity != activityRunning:
		running()
	}
	if again > 0 {
		p.in(again)
	}
}

// report sends an event to those watchers that report its topic.
func (st *state) report(topic Topics, e Event) {
	if len(st.watchers) == 0 {
		return
	}
	e.Epoch = st.term.Epoch()
	for w := range st.watchers {
		if w.o.Topics&topic != 0 {
			e := e
			if e.Input != nil && w.o.MayCapture {
				e.Input = e.Input.forCapturing()
			}
			w.box.Put(e, func(newest Event) bool { return supersedes(e.Effect, newest.Effect) })
		}
	}
}

// hurry lets watchers that pause look for the echo of input.
func (st *state) hurry(now time.Time) {
	st.inputAt = now
	for w := range st.watchers {
		if now.Sub(w.looked) < w.o.Interval {
			wake.Up(w.box.Wake)
		}
	}
}

// Size returns how many bytes an event holds.
func (e Event) Size() int {
	switch effect := e.Effect.(type) {
	case vt.Clipboard:
		return len(effect.Data) + len(effect.Selection)
	case vt.Notification:
		return len(effect.Title) + len(effect.Body)
	}
	if e.Input != nil {
		return e.Input.size()
	}
	return 0
}

// supersedes reports whether an effect makes an earlier one obsolete.
func supersedes(after, before vt.Effect) bool {
	switch after.(type) {
	case vt.Bell:
		_, ok := before.(vt.Bell)
		return ok
	case vt.Progress:
		_, ok := before.(vt.Progress)
		return ok
	}
	return false
}
