package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/finding"
	"ui-mcp/internal/ui/act"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/variable"
	"ui-mcp/internal/ui/viewdef"
	"ui-mcp/internal/ui/wire"
)

const (
	// crawlActs bounds how often the controls of an app are acted on.
	crawlActs = 1_000
	// crawlRounds bounds how often the controls are looked for again, since acts display others.
	crawlRounds = 8
	// crawlEach is how often one is acted on: by the first object, and again when others are there.
	crawlEach = 2
	// grown is how often one is acted on again that has made a list longer.
	grown = 2
)

// A crawl acts on the controls of an app like a person who tries everything. So the app makes the
// states itself: lists that are empty, that have one row, and several.
type crawl struct {
	until  time.Time
	acts   int
	failed bool // something in the last try

	stopped  string                       // why it has ended before its end, or ""
	controls map[*viewdef.Node]*attempted // those that there are
	sent     map[*viewdef.Binding]bool    // what acts have reached
	dragged  map[[2]*viewdef.Binding]int  // how often what was dragged to what
	fired    map[string]int               // how often the functions of timers were called, by their places
}

func (c *crawl) end(why string) { c.stopped = cmp.Or(c.stopped, why) }

// attempted is a control of a template that was on display.
type attempted struct {
	could   bool   // it was acted on
	refused string // why it could not be, or ""
	times   int    // how often its turn has come
}

// control returns what is known of a control.
func (c *crawl) control(n *viewdef.Node) *attempted {
	if c.controls[n] == nil {
		c.controls[n] = &attempted{}
	}
	return c.controls[n]
}

func (c *checker) act(ctx context.Context) {
	c.crawl = crawl{
		until: time.Now().Add(c.within), controls: map[*viewdef.Node]*attempted{},
		sent: map[*viewdef.Binding]bool{}, fired: map[string]int{}, dragged: map[[2]*viewdef.Binding]int{},
	}
	c.controls(ctx)
	c.drags(ctx)
	for range grown {
		if !c.timers(ctx) {
			break
		}
		c.controls(ctx)
	}
}

// timers lets the functions of timers run, in the order in which they are due, which is after all
// acts. It reports whether there were any.
func (c *checker) timers(ctx context.Context) (any bool) {
	for _, t := range c.st.async.Timers() {
		at := fmt.Sprint(t.File, ":", t.Line)
		if c.crawl.fired[at] >= crawlEach || c.over(ctx) {
			continue
		}
		c.crawl.fired[at]++
		c.crawl.acts++
		any = true
		err := c.step(func() error { return c.st.async.Due(t.ID) })
		if err != nil && !c.tainted() {
			f := locate(finding.Finding{Code: "timer", File: t.File, Line: t.Line, What: lua.Message(err)})
			f.What = "the function of a timer fails: " + f.What
			c.add(f)
		}
	}
	return any
}

// drags drags from each kind of element to each that takes a drop, of another object where there is
// one.
func (c *checker) drags(ctx context.Context) {
	on := func(event string) []wire.Event {
		disarm := c.st.vm.Arm() // the app's own __tostring may run
		defer disarm()
		return act.EventsOn(c.st.tree, event)
	}
	for _, from := range on("dragstart") {
		for _, to := range slices.Backward(on("drop")) {
			of := [2]*viewdef.Binding{c.binding(from), c.binding(to)}
			if of[0] == nil || of[1] == nil || from.Instance == to.Instance || c.crawl.dragged[of] >= crawlEach {
				continue
			}
			if c.over(ctx) {
				return
			}
			c.crawl.dragged[of]++
			c.send([]wire.Event{from}, c.st.seq)
			to.Value = float64(from.Instance)
			c.send([]wire.Event{to}, c.st.seq)
			for _, end := range on("dragend") {
				if end.Instance == from.Instance {
					c.send([]wire.Event{end}, c.st.seq)
				}
			}
		}
	}
}

// binding returns the binding of an event, or nil if it is not displayed any more.
func (c *checker) binding(e wire.Event) *viewdef.Binding {
	if t := c.st.tree.TemplateOf(e.Instance); t != nil {
		return &t.Bindings[e.Slot]
	}
	return nil
}

// controls acts on the controls on display, and on those that this displays.
func (c *checker) controls(ctx context.Context) {
	st := c.st
	progress := true
	for range crawlRounds {
		controls := act.Controls(st.tree, st.seq, st.newReference, nil)
		var fields []act.Control
		for _, x := range controls {
			c.crawl.control(x.Node)
			if !x.Acts {
				fields = append(fields, x)
			}
		}
		progress = c.fill(ctx, fields, true)
		for _, x := range controls {
			before := c.st.tree.Rows()
			known := c.crawl.control(x.Node)
			if !x.Acts || known.times >= crawlEach || !c.try(ctx, x) {
				continue
			}
			known.times++
			progress = true
			if c.crawl.failed {
				known.times = crawlEach // once is enough: it may have taken long
				continue
			}
			c.uncovered(ctx)
			for range grown {
				if c.st.tree.Rows() <= before {
					break
				}
				before = c.st.tree.Rows()
				c.drags(ctx) // what other controls may remove again
				around := slices.DeleteFunc(slices.Clone(fields), func(f act.Control) bool { return f.Template != x.Template })
				c.fill(ctx, around, false)
				c.try(ctx, x)
			}
		}
		if !progress {
			break
		}
	}
	if progress {
		c.crawl.end(fmt.Sprintf("controls were looked for %d times, and there were still others", crawlRounds))
	}
}

// fill enters something into fields, once for each element of a template; with counts, that is a
// turn, of which each has few. It reports whether it has.
func (c *checker) fill(ctx context.Context, fields []act.Control, counts bool) (progress bool) {
	done := map[*viewdef.Node]bool{}
	for _, x := range fields {
		known := c.crawl.control(x.Node)
		if done[x.Node] || counts && known.times >= crawlEach {
			continue
		}
		before := c.st.tree.Rows()
		if c.try(ctx, x) {
			if c.st.tree.Rows() < before {
				c.clear(ctx, x) // it is a filter, and hides what is to be tried
			}
			done[x.Node], progress = true, true
			if counts {
				known.times++
			}
		}
	}
	return progress
}

// uncovered acts on controls that could not be tried before, or were not there: the next act may
// take them away again, as it closes a dialog.
func (c *checker) uncovered(ctx context.Context) {
	covered := func(n *viewdef.Node) bool {
		known := c.crawl.controls[n]
		return known == nil || !known.could && known.refused != "" // else its turn comes
	}
	for _, x := range act.Controls(c.st.tree, c.st.seq, c.st.newReference, covered) {
		// Else it was tried just now, in another object.
		if covered(x.Node) && c.try(ctx, x) {
			c.crawl.control(x.Node).times++
		}
	}
}

// clear makes a field empty again.
func (c *checker) clear(ctx context.Context, x act.Control) {
	x.Inputs = slices.DeleteFunc(slices.Clone(x.Inputs), func(in act.Input) bool { return in.Fill == nil })
	for i := range x.Inputs {
		x.Inputs[i].Fill = new(string)
	}
	c.try(ctx, x)
}

func (c *checker) over(ctx context.Context) bool {
	switch {
	case ctx.Err() != nil:
		c.crawl.end("the check was cancelled")
	case c.crawl.acts >= crawlActs:
		c.crawl.end(fmt.Sprintf("controls were acted on %d times by then", crawlActs))
	case c.tainted():
		c.crawl.end(c.asked())
	case time.Now().After(c.crawl.until):
		c.crawl.end(fmt.Sprintf("a check takes at most %v", c.within))
	default:
		return false
	}
	return true
}

// asked says why the session is tainted.
func (c *checker) asked() string {
	if c.st.vm.Tainted() {
		return "the app asked for what a check does not have: a terminal, or the result of a program or of writing a file"
	}
	return "code of the app took too long for a check"
}

// pointer are the events that only a pointer, the focus or the page causes, which nothing imitates.
var pointer = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(mouse|pointer|touch|drag|drop|wheel|scroll|hover|focus|blur|context|dbl|aux|resize|load|toggle|transition|animation)`)
})

// missed lists what acts have not reached: views that were never displayed, controls, events.
func (c *checker) missed() {
	why := cmp.Or(c.crawl.stopped, "nothing that was tried led to it")
	for _, t := range c.templates() {
		if lua.AppOf(t.File) != c.app {
			continue
		}
		add := func(line int, what, why string) {
			c.untried = append(c.untried, finding.Untried{File: t.File, Line: line, What: what, Why: why})
		}
		if !c.displayed(t) {
			add(1, "the view "+t.Key, cmp.Or(c.crawl.stopped, "no control led to it: only its names were compared"))
			continue
		}
		for i := range t.Bindings {
			b, why := &t.Bindings[i], why
			control := c.crawl.controls[t.Numbered(b.Element)]
			if control != nil {
				why = cmp.Or(control.refused, why)
			}
			switch {
			case c.crawl.sent[b]:
			case b.Kind == viewdef.Event && pointer().MatchString(b.Name):
				add(b.Line, b.Source, "a check only clicks, enters, presses keys, and drags to what takes a drop")
			case b.Kind == viewdef.Action, b.Kind == viewdef.Event, b.Kind == viewdef.Key:
				add(b.Line, b.Source, why)
			case b.Kind == viewdef.Value && control != nil && !control.could:
				add(b.Line, b.Source, why)
			}
		}
	}
	for _, t := range c.st.async.Timers() {
		if c.crawl.fired[fmt.Sprint(t.File, ":", t.Line)] == 0 {
			c.untried = append(c.untried, finding.Untried{File: t.File, Line: t.Line, What: "the function of a timer", Why: cmp.Or(c.crawl.stopped, "it was set by another timer")})
		}
	}
	for _, j := range c.st.async.Jobs() {
		c.untried = append(c.untried, finding.Untried{
			File: j.File, Line: j.Line, What: "what the app does with a result", Why: "requests, programs and questions have none in a check",
		})
	}
}

// try acts on a control, if a person could. It reports whether they could.
func (c *checker) try(ctx context.Context, x act.Control) (could bool) {
	c.crawl.failed = false
	known := c.crawl.control(x.Node)
	defer func() {
		if could {
			known.could, known.refused = true, ""
		}
	}()
	for _, input := range x.Inputs {
		if c.over(ctx) {
			return could
		}
		disarm := c.st.vm.Arm() // the app's own __tostring may run
		plan, err := act.Find(c.st.tree, x.Ref, input)
		disarm()
		if err != nil || plan.Nothing != "" {
			if _, _, gone := c.st.tree.Referred(x.Ref); err != nil && !known.could {
				known.refused = err.Error()
				if gone != nil {
					known.refused = "another control took it off the page"
				}
			}
			continue
		}
		could = true
		for _, message := range plan.Messages {
			c.crawl.failed = !c.send(message, plan.Seen) || c.crawl.failed
		}
		act.Carried(c.st.tree, plan)
	}
	return could
}

// send carries out the events of one message, and reports whether none of them failed.
func (c *checker) send(message []wire.Event, seen int64) (works bool) {
	works = true
	c.crawl.acts++
	for _, h := range message {
		c.crawl.sent[c.binding(h)] = true
		err := c.step(func() error { return c.st.tree.Event(h.Instance, h.Slot, h.Value, seen) })
		p, ok := errors.AsType[*variable.Problem](err)
		if !ok || c.tainted() {
			continue
		}
		works = false
		f := finding.Finding{Code: "action", File: p.File, Line: p.Line, What: p.Message}
		if p.Err != nil {
			f.What = lua.Message(p.Err)
			f = locate(f)
		}
		f.What = fmt.Sprintf("%s fails: %s", p.Source, f.What)
		c.add(f)
	}
	return works
}
