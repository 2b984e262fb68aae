package async

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/wake"

	lua "github.com/yuin/gopher-lua"
	engine "ui-mcp/internal/ui/lua"
)

const (
	// outputPause is the least time between two calls about a screen that keeps changing.
	outputPause = 100 * time.Millisecond
	// maxOutputLines bounds the lines of one call about output; of more, the newest are passed.
	maxOutputLines = 1_000
	// maxHandlers bounds the handlers of one terminal.
	maxHandlers = 1_000
	// defaultSilence is how long t:on("idle") waits for more, in milliseconds.
	defaultSilence = 2_000
)

var terminalEvents = []string{"output", "idle", "command", "waits", "exit", "title", "bell"}

// A stream waits for something again and again, outside the VM's goroutine, and each time applies
// it there before it waits for more. So a session that lags gets fewer and larger pieces, and none
// of them queue up. It belongs to the VM's goroutine.
type stream struct {
	lib    *Library
	ctx    context.Context
	cancel context.CancelFunc
	next   func(context.Context) (apply func(), err error)
	ended  func(error)
}

// newStream starts a stream. The context of next ends with the stream. ended is called when next
// has failed, unless the stream was stopped.
func (lib *Library) newStream(next func(context.Context) (apply func(), err error), ended func(error)) *stream {
	s := &stream{lib: lib, next: next, ended: ended}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.wait()
	return s
}

func (s *stream) wait() {
	if s.ctx.Err() != nil {
		return
	}
	s.lib.opts.Background(func(outer context.Context) func() {
		defer context.AfterFunc(outer, s.cancel)()
		apply, err := s.next(s.ctx)
		return func() {
			switch {
			case s.ctx.Err() != nil:
			case err != nil:
				s.cancel()
				s.ended(err)
			default:
				defer s.wait() // also if a handler panics
				apply()
			}
		}
	})
}

// watch starts a stream of the events of a terminal, or, if id is "", of changes of the list. apply
// is called at the beginning, too, without events.
func (lib *Library) watch(id string, apply func([]TerminalEvent), ended func(error)) *stream {
	var next func() ([]TerminalEvent, error)
	return lib.newStream(func(ctx context.Context) (_ func(), err error) {
		var events []TerminalEvent
		if next == nil {
			next, err = lib.theTerminals().Watch(ctx, id)
		} else {
			events, err = next()
		}
		return func() { apply(events) }, err
	}, ended)
}

// A handler is called with the events of one kind of a terminal.
type handler struct {
	event   string
	fn      *lua.LFunction
	file    string // the file that registered it while it was loaded, or ""
	loading int    // and which loading that was
	stream  *stream
}

// terminalOn implements t:on(event, f[, ms]). A file that is loaded again and registers a handler
// replaces the handlers of that event that its earlier loadings have registered: see
// [Library.Ran].
func (lib *Library) terminalOn(l *lua.LState, t *terminal) int {
	h := &handler{event: l.CheckString(2), fn: l.CheckFunction(3)}
	if !slices.Contains(terminalEvents, h.event) {
		l.RaiseError("on: there is no event %q: events are %s", h.event, strings.Join(terminalEvents, ", "))
	}
	silence := l.OptInt(4, defaultSilence)
	if silence <= 0 {
		l.RaiseError("on: the silence must be a number of milliseconds above 0")
	}
	if len(t.handlers) >= maxHandlers {
		l.RaiseError("on: this terminal has %d handlers already: cancel some", maxHandlers)
	}
	h.file, h.loading = lib.vm.Loading()
	t.handlers = append(t.handlers, h)
	t.serve(h, lib.script(l), silence)
	mine := func(other *handler) bool { return other == h }
	lib.vm.Did(func() { end(t.take(mine)) }, nil)
	return engine.Returns(l, lib.handle(func() { t.drop(mine) }))
}

// serve starts the stream of a handler that has one of its own.
func (t *terminal) serve(h *handler, script string, silence int) {
	var next func(context.Context) (func(), error)
	switch h.event {
	case "output":
		next = t.nextOutput(h, script)
	case "idle":
		next = t.nextIdle(h, script, silence)
	default:
		return
	}
	h.stream = t.lib.newStream(next, func(err error) {
		if k := fault.KindOf(err); k != fault.Gone && k != fault.NotFound {
			t.lib.report("terminal "+t.now.Name+": on "+h.event, nil, nil, err)
		}
	})
}

// take removes handlers, which go on nevertheless, and returns them.
func (t *terminal) take(gone func(*handler) bool) (taken []*handler) {
	t.handlers = slices.DeleteFunc(slices.Clone(t.handlers), func(h *handler) bool { // emit may be going through the list
		if gone(h) {
			taken = append(taken, h)
		}
		return gone(h)
	})
	return taken
}

func end(list []*handler) {
	for _, h := range list {
		if h.stream != nil {
			h.stream.cancel()
		}
	}
}

// drop removes handlers, unless the file that is being loaded fails.
func (t *terminal) drop(gone func(*handler) bool) {
	before := t.handlers
	taken := t.take(gone)
	t.lib.vm.Did(func() { t.handlers = before }, func() { end(taken) })
}

func (t *terminal) emit(event string, v lua.LValue) {
	for _, h := range t.handlers {
		if h.event == event && slices.Contains(t.handlers, h) { // else one before has cancelled it
			_ = t.lib.vm.Callback("callback", h.fn, v, t.obj) // it has been reported
		}
	}
}

// Ran implements [engine.Library]: it drops the handlers that earlier loadings of a file have
// registered for the events for which the present one has, too.
func (lib *Library) Ran(file string, loading int) {
	for _, t := range lib.terminals.of {
		again := map[string]bool{}
		for _, h := range t.handlers {
			again[h.event] = again[h.event] || h.file == file && h.loading == loading
		}
		t.drop(func(h *handler) bool { return again[h.event] && h.file == file && h.loading != loading })
	}
}

// created waits until the terminal has been created, and returns the ID by which operations know
// it. A name may be another terminal's by the time it is used.
func (t *terminal) created(ctx context.Context) (id string, err error) {
	if t.ready != nil {
		select {
		case <-t.ready:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	if id := t.id.Load(); id != nil {
		return *id, nil
	}
	return "", fault.New(fault.Gone, "this terminal could not be created")
}

// watched handles events of the terminal, and makes the object show the newest state. At first it
// reports the command that has ended before, if the terminal was created here.
func (t *terminal) watched(events []TerminalEvent) {
	rung := false
	for _, e := range events {
		switch {
		case e.State != "" && t.isNews(e.Reports):
			t.setState(e.State)
			if waits(e.State) {
				t.emit("waits", lua.LString(e.State))
			}
		case e.Command != nil && e.Command.Ended && e.Command.Number > t.commands:
			t.commands = e.Command.Number
			t.emit("command", t.lib.command(e.Command))
		}
		rung = rung || e.Bell
	}
	if rung {
		t.emit("bell", lua.LTrue)
	}
	t.lib.refreshTerminals()
	if last := t.now.Last; events == nil && t.ours && last != nil && last.Ended && last.Number > t.commands {
		t.commands = last.Number
		t.emit("command", t.lib.command(last))
	}
}

// nextIdle returns the function that waits for silence, each time after something new.
func (t *terminal) nextIdle(h *handler, script string, silence int) func(context.Context) (func(), error) {
	in := map[string]any{"timeout_ms": silence, "max_wait_ms": defaultWait.Milliseconds()}
	return func(ctx context.Context) (func(), error) {
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
			return func() { _ = t.lib.vm.Callback("callback", h.fn, lua.LTrue, t.obj) }, nil
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
		for {
			first := look == "screen.get"
			if !first {
				if err := wake.After(ctx, outputPause); err != nil {
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
				output := t.lib.value(map[string]any{"lines": lines, "first": float64(start), "missed": float64(missed)})
				_ = t.lib.vm.Callback("callback", h.fn, output, t.obj) // it has been reported
			}, nil
		}
	}
}

// refreshSoon updates the pages once when the screen has changed since an epoch. A binding that
// shows the screen asks for it at each update, and so gets the next one, too.
func (t *terminal) refreshSoon(epoch uint64) {
	if t.refreshing {
		return
	}
	t.refreshing = true
	t.lib.opts.Background(func(ctx context.Context) func() {
		if wake.After(ctx, outputPause) == nil {
			var screen json.RawMessage // which the pages ask for
			_ = t.read(ctx, "a view", "screen.next", map[string]any{"epoch": epoch}, &screen)
		}
		return func() { t.refreshing = false }
	})
}
