package lua

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/fault"
)

const (
	// outputPause is the least time between two calls about a screen that keeps changing.
	outputPause = 100 * time.Millisecond
	// maxOutputLines bounds the lines of one call about output; of more, the newest are passed.
	maxOutputLines = 1_000
	// maxHandlers bounds the handlers of one terminal.
	maxHandlers = 1_000
	// defaultSilence is that of t:on("idle"), in milliseconds.
	defaultSilence = 2_000
)

// terminalEvents are what handlers can be registered for.
var terminalEvents = []string{"output", "idle", "command", "waits", "exit", "title", "bell"}

// A stream waits for something again and again, outside the VM's goroutine, and each time applies
// it there before it waits for more. So a session that lags gets fewer and larger pieces, and none
// of them queue up. It belongs to the VM's goroutine.
type stream struct {
	vm     *VM
	ctx    context.Context
	cancel context.CancelFunc
	close  func()
	next   func(context.Context) (apply func(), err error)
	ended  func(error)
}

// newStream starts a stream. close, which may be nil, releases what it waits for. ended is called
// when next has failed, unless the stream was stopped.
func (vm *VM) newStream(close func(), next func(context.Context) (apply func(), err error), ended func(error)) *stream {
	s := &stream{vm: vm, close: close, next: next, ended: ended}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	vm.streams[s] = true
	s.wait()
	return s
}

func (s *stream) wait() {
	s.vm.opts.Background(func(outer context.Context) func() {
		defer context.AfterFunc(outer, s.cancel)()
		apply, err := s.next(s.ctx)
		return func() {
			switch {
			case s.ctx.Err() != nil:
				s.stop()
			case err != nil:
				s.stop()
				s.ended(err)
			default:
				defer s.goOn() // also if a handler panics
				apply()
			}
		}
	})
}

func (s *stream) goOn() {
	if s.ctx.Err() == nil {
		s.wait()
	}
}

// stop ends the stream. It may be called twice.
func (s *stream) stop() {
	if !s.vm.streams[s] {
		return
	}
	delete(s.vm.streams, s)
	s.cancel()
	if s.close != nil {
		s.close()
	}
}

// A handler is called with the events of one kind of a terminal.
type handler struct {
	fn      *lua.LFunction
	file    string // the file that registered it while it was loaded, or ""
	loading int    // and which loading that was
	stream  *stream
}

// terminalOn implements t:on(event, f[, ms]). A file that is loaded again and registers a handler
// replaces the handlers of that event that its earlier loadings have registered: see
// [VM.replaceHandlers].
func (vm *VM) terminalOn(l *lua.LState, t *terminal) int {
	event, fn := l.CheckString(2), l.CheckFunction(3)
	if !slices.Contains(terminalEvents, event) {
		l.RaiseError("on: there is no event %q: events are %s", event, strings.Join(terminalEvents, ", "))
	}
	silence := l.OptInt(4, defaultSilence)
	if silence <= 0 {
		l.RaiseError("on: the silence must be a number of milliseconds above 0")
	}
	h := &handler{fn: fn}
	h.file, h.loading = vm.Loading()
	count := 0
	for _, list := range t.handlers {
		count += len(list)
	}
	if count >= maxHandlers {
		l.RaiseError("on: this terminal has %d handlers already: cancel some", maxHandlers)
	}
	t.handlers[event] = append(t.handlers[event], h)
	t.serve(event, h, vm.script(l), silence)
	mine := func(_ string, other *handler) bool { return other == h }
	vm.Did(func() { t.drop(mine) }, nil)
	l.Push(vm.handle(func() { t.dropUndoably(mine) }))
	return 1
}

// serve starts the stream of a handler that has one of its own.
func (t *terminal) serve(event string, h *handler, script string, silence int) {
	var next func(context.Context) (func(), error)
	switch event {
	case "output":
		next = t.nextOutput(h, script)
	case "idle":
		next = t.nextIdle(h, script, silence)
	default:
		t.watchIfNeeded()
		return
	}
	h.stream = t.vm.newStream(nil, next, func(err error) {
		if k := fault.KindOf(err); k != fault.Gone && k != fault.NotFound {
			t.vm.fail("callback", "terminal "+t.now.Name+": on "+event+": "+Message(err))
		}
	})
}

// drop removes handlers.
func (t *terminal) drop(gone func(event string, h *handler) bool) {
	for _, h := range t.take(gone) {
		h.end()
	}
}

// dropUndoably removes handlers, unless the file that is being loaded fails.
func (t *terminal) dropUndoably(gone func(event string, h *handler) bool) {
	before := maps.Clone(t.handlers)
	taken := t.take(gone)
	t.vm.Did(func() { t.handlers = before }, func() {
		for _, h := range taken {
			h.end()
		}
	})
}

// take removes handlers, which go on nevertheless, and returns them.
func (t *terminal) take(gone func(event string, h *handler) bool) (taken []*handler) {
	for event, list := range t.handlers {
		t.handlers[event] = slices.DeleteFunc(slices.Clone(list), func(h *handler) bool { // emit may be going through the list
			if !gone(event, h) {
				return false
			}
			taken = append(taken, h)
			return true
		})
	}
	return taken
}

func (h *handler) end() {
	if h.stream != nil {
		h.stream.stop()
	}
}

func (t *terminal) dropHandlers() { t.drop(func(string, *handler) bool { return true }) }

// emit calls the handlers of an event.
func (t *terminal) emit(event string, v lua.LValue) {
	for _, h := range t.handlers[event] {
		if slices.Contains(t.handlers[event], h) { // else one before has cancelled it
			_ = t.vm.callback("callback", h.fn, v, t.obj) // it has been reported
		}
	}
}

// replaceHandlers drops the handlers that earlier loadings of a file have registered for the events
// for which the present one has, too. It is called when the file has run.
func (vm *VM) replaceHandlers(file string, loading int) {
	for _, t := range vm.terminals.of {
		for event, list := range t.handlers {
			again := slices.ContainsFunc(list, func(h *handler) bool { return h.file == file && h.loading == loading })
			if !again {
				continue
			}
			t.dropUndoably(func(e string, h *handler) bool {
				return e == event && h.file == file && h.loading != loading
			})
		}
	}
}

// created waits until the terminal has been created.
func (t *terminal) created(ctx context.Context) error {
	if t.ready != nil {
		select {
		case <-t.ready:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if t.ref() == "" {
		return fault.New(fault.Gone, "this terminal could not be created")
	}
	return nil
}

// A watcher is a [TerminalWatcher] that may be closed while it is being made: it then closes as
// soon as it is there.
type watcher struct {
	TerminalWatcher // nil before it is there; written by open

	mu     sync.Mutex // guards closed, and the field above between open and Close
	closed bool
}

// open takes what Watch has returned.
func (w *watcher) open(made TerminalWatcher, err error) error {
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		made.Close()
		return context.Canceled
	}
	w.TerminalWatcher = made
	return nil
}

// Close closes it, now or when it is there.
func (w *watcher) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	if w.TerminalWatcher != nil {
		w.TerminalWatcher.Close()
	}
}

// watchIfNeeded watches a terminal that runs, once it has been created.
func (t *terminal) watchIfNeeded() {
	if t.now.ID == "" || t.watch != nil || t.wasWatched || t.now.Exit != nil {
		return
	}
	t.wasWatched = true
	var w watcher
	t.watch = t.vm.newStream(w.Close, func(ctx context.Context) (func(), error) {
		if w.TerminalWatcher == nil {
			if err := w.open(t.vm.opts.Terminals.Watch(ctx, t.ref())); err != nil {
				return nil, err
			}
			return func() { t.watched(nil); t.catchUp() }, nil
		}
		events, err := w.Next(ctx)
		if err != nil {
			return nil, err
		}
		return func() { t.watched(events) }, nil
	}, func(error) {
		t.watch = nil // the program has ended, which the list shows, too
		t.vm.refreshTerminals()
	})
}

func (t *terminal) stopWatching() {
	if t.watch != nil {
		t.watch.stop()
		t.watch = nil
	}
}

// watched handles events of the terminal, and makes the object show the newest state.
func (t *terminal) watched(events []TerminalEvent) {
	rung := false
	for _, e := range events {
		switch {
		case e.State != "" && e.State != t.state:
			t.setState(e.State)
			if waits(e.State) {
				t.emit("waits", lua.LString(e.State))
			}
		case e.Command != nil && e.Command.Ended && e.Command.Number > t.commands:
			t.commands = e.Command.Number
			t.emit("command", t.vm.command(e.Command))
		}
		rung = rung || e.Bell
	}
	if rung {
		t.emit("bell", lua.LTrue)
	}
	t.vm.refreshTerminals()
}

// catchUp reports the command that has ended before the terminal was watched, if it was created
// here.
func (t *terminal) catchUp() {
	if last := t.now.Last; t.ours && last != nil && last.Ended && last.Number > t.commands {
		t.commands = last.Number
		t.emit("command", t.vm.command(last))
	}
}

// nextIdle returns the function that waits for silence, each time after something new.
func (t *terminal) nextIdle(h *handler, script string, silence int) func(context.Context) (func(), error) {
	in := map[string]any{"timeout_ms": silence, "max_wait_ms": defaultWait.Milliseconds()}
	return func(ctx context.Context) (func(), error) {
		if err := t.created(ctx); err != nil {
			return nil, err
		}
		for {
			var got struct {
				Generation uint64 `json:"generation"`
			}
			err := t.read(ctx, script, "wait.idle", in, &got)
			if fault.KindOf(err) == fault.Timeout && ctx.Err() == nil {
				continue
			}
			if err != nil {
				return nil, err
			}
			in["last_generation"] = got.Generation
			return func() { _ = t.vm.callback("callback", h.fn, lua.LTrue, t.obj) }, nil
		}
	}
}

// A page is a part of a terminal's lines.
type page struct {
	Epoch  uint64   `json:"epoch"`
	Lines  []string `json:"lines"`
	Total  uint64   `json:"total_lines"`
	Offset uint64   `json:"offset"`
	First  uint64   `json:"first"`
	Layout uint64   `json:"layout"`
}

// trim removes the empty rows at the end of the screen, which the program has yet to fill.
func (p *page) trim() {
	if p.First-p.Offset+p.Total != p.First+uint64(len(p.Lines)) {
		return // there are more lines
	}
	for len(p.Lines) > 0 && p.Lines[len(p.Lines)-1] == "" {
		p.Lines = p.Lines[:len(p.Lines)-1]
	}
}

// nextOutput returns the function that waits for output, and passes the lines that were finished
// since the last call: those above the cursor.
func (t *terminal) nextOutput(h *handler, script string) func(context.Context) (func(), error) {
	var epoch, from, layout uint64
	look := "screen.get"                  // at first
	fromStart := t.ours && t.now.ID == "" // it is being created
	return func(ctx context.Context) (func(), error) {
		if err := t.created(ctx); err != nil {
			return nil, err
		}
		for {
			first := look == "screen.get"
			if !first {
				if err := pause(ctx, outputPause); err != nil {
					return nil, err
				}
			}
			var screen struct {
				Epoch           uint64 `json:"epoch"`
				Rows            int    `json:"rows"`
				AlternateActive bool   `json:"alternate_active"`
				Cursor          struct {
					Row int `json:"row"`
				} `json:"cursor"`
			}
			if err := t.read(ctx, script, look, map[string]any{"epoch": epoch}, &screen); err != nil {
				return nil, err
			}
			look, epoch = "screen.next", screen.Epoch
			var p page
			if err := t.read(ctx, script, "scrollback.get", map[string]any{"from": from, "limit": maxOutputLines}, &p); err != nil {
				return nil, err
			}
			end := p.First - p.Offset + p.Total
			finished := end - min(end, uint64(screen.Rows))
			if p.Epoch == screen.Epoch && !screen.AlternateActive { // else only what has scrolled off the screen is certain
				finished += uint64(screen.Cursor.Row)
			}
			if first && !fromStart || !first && p.Layout != layout {
				from, p.Lines = finished, nil // lines have new numbers, or were there before
			}
			layout = p.Layout
			if first && !fromStart {
				continue
			}
			var missed uint64
			if finished > from+maxOutputLines {
				missed = finished - maxOutputLines - from
				from = finished - maxOutputLines
				if err := t.read(ctx, script, "scrollback.get", map[string]any{"from": from, "limit": maxOutputLines}, &p); err != nil {
					return nil, err
				}
			}
			if p.First > from { // the history has lost them
				missed += p.First - from
				from = p.First
			}
			lines := p.Lines[:min(uint64(len(p.Lines)), finished-min(finished, from))]
			start := from
			from += uint64(len(lines))
			return func() {
				output := t.vm.lua(map[string]any{"lines": lines, "first": float64(start), "missed": float64(missed)})
				_ = t.vm.callback("callback", h.fn, output, t.obj) // it has been reported
			}, nil
		}
	}
}

// pause waits, unless ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// refreshSoon updates the pages once when the screen has changed since an epoch. A binding that
// shows the screen asks for it at each update, and so gets the next one, too.
func (t *terminal) refreshSoon(epoch uint64) {
	if t.refreshing {
		return
	}
	t.refreshing = true
	var s *stream
	s = t.vm.newStream(nil, func(ctx context.Context) (func(), error) {
		if err := pause(ctx, outputPause); err != nil {
			return nil, err
		}
		var screen json.RawMessage // which the pages ask for
		err := t.read(ctx, "a view", "screen.next", map[string]any{"epoch": epoch}, &screen)
		return func() {
			t.refreshing = false
			s.stop()
		}, err
	}, func(error) { t.refreshing = false })
}
