package ui

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"ui-mcp/internal/finding"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/ui/check"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/variable"
	"ui-mcp/internal/ui/viewdef"
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
	// sights bounds how many states of a list are compared.
	sights = 30
)

// A crawl acts on the controls of an app like a person who tries everything. So the app makes the
// states itself: lists that are empty, that have one row, and several.
type crawl struct {
	until  time.Time
	acts   int
	failed bool  // something in the last try
	rows   int   // on display, of all lists
	seen   int64 // the batch after which the lists were looked at last
	lists  map[listKey]*listSeen
}

type listKey struct {
	template *viewdef.Template
	slot     int
	instance int64
}

// listSeen is what was displayed around a list that was empty, and then that had rows.
type listSeen [2][]uint64

type controlKey struct {
	template *viewdef.Template
	element  int
}

// act acts on all controls.
func (c *checker) act(ctx context.Context) {
	st := c.st
	c.crawl = crawl{until: time.Now().Add(c.within), lists: map[listKey]*listSeen{}, seen: -1}
	c.look()
	tried := map[controlKey]int{}
	for range crawlRounds {
		controls := st.tree.Controls(st.seq, st.newReference)
		var fields []variable.Control
		for _, x := range controls {
			if !x.Acts {
				fields = append(fields, x)
			}
		}
		progress := c.fill(ctx, fields, tried)
		for _, x := range controls {
			before := c.crawl.rows
			key := controlKey{x.Template, x.Element}
			if !x.Acts || tried[key] >= crawlEach || !c.try(ctx, x) {
				continue
			}
			tried[key]++
			progress = true
			if c.crawl.failed {
				tried[key] = crawlEach // once is enough: it may have taken long
				continue
			}
			for range grown {
				if c.crawl.rows <= before {
					break
				}
				before = c.crawl.rows
				c.fill(ctx, sameTemplate(fields, x.Template), nil)
				c.try(ctx, x)
			}
		}
		if !progress {
			break
		}
	}
	c.emptyStates()
}

// sameTemplate returns the controls of a template.
func sameTemplate(list []variable.Control, t *viewdef.Template) (out []variable.Control) {
	for _, x := range list {
		if x.Template == t {
			out = append(out, x)
		}
	}
	return out
}

// fill enters something into fields, once for each element of a template; with tried, not into
// those that have been tried often enough. It reports whether it has.
func (c *checker) fill(ctx context.Context, fields []variable.Control, tried map[controlKey]int) (progress bool) {
	done := map[controlKey]bool{}
	for _, x := range fields {
		key := controlKey{x.Template, x.Element}
		if done[key] || tried != nil && tried[key] >= crawlEach {
			continue
		}
		if c.try(ctx, x) {
			done[key], progress = true, true
			if tried != nil {
				tried[key]++
			}
		}
	}
	return progress
}

// over reports whether the crawl is to end.
func (c *checker) over(ctx context.Context) bool {
	return ctx.Err() != nil || c.crawl.acts >= crawlActs || c.tainted() || time.Now().After(c.crawl.until)
}

// try acts on a control, if a person could. It reports whether they could.
func (c *checker) try(ctx context.Context, x variable.Control) (could bool) {
	c.crawl.failed = false
	for _, input := range x.Inputs {
		if c.over(ctx) {
			return could
		}
		disarm := c.st.vm.Arm() // the app's own __tostring may run
		plan, err := c.st.tree.Act(x.Ref, input)
		disarm()
		if err != nil || plan.Nothing != "" {
			continue
		}
		could = true
		for _, message := range plan.Messages {
			c.crawl.failed = !c.send(message, plan.Seen) || c.crawl.failed
		}
		c.st.tree.Typed(plan)
	}
	return could
}

// send carries out the events of one message, and reports whether none of them failed.
func (c *checker) send(message []variable.Happening, seen int64) (works bool) {
	works = true
	c.crawl.acts++
	for _, h := range message {
		err := c.step(func() error { return c.st.tree.Event(h.Instance, h.Slot, h.Value, seen) })
		var p *variable.Problem
		if !errors.As(err, &p) || c.tainted() {
			continue
		}
		works = false
		f := finding.Finding{Code: "action", File: p.File, Line: p.Line, What: p.Msg}
		if p.Err != nil {
			f.What = lua.Message(p.Err)
			f = locate(f)
		}
		f.What = fmt.Sprintf("%s fails: %s", p.Source, f.What)
		c.add(f)
	}
	c.look()
	return works
}

// look records the states of lists.
func (c *checker) look() {
	if c.crawl.seen == c.st.seq {
		return // nothing has changed
	}
	c.crawl.seen = c.st.seq
	disarm := c.st.vm.Arm() // the app's own __tostring may run
	defer disarm()
	c.crawl.rows = 0
	for _, x := range c.st.tree.Lists() {
		c.crawl.rows += x.Rows
		k := listKey{x.Template, x.Slot, x.Instance}
		seen := c.crawl.lists[k]
		if seen == nil {
			seen = &listSeen{}
			c.crawl.lists[k] = seen
		}
		if states := &seen[min(x.Rows, 1)]; len(*states) < sights && !slices.Contains(*states, x.Around) {
			*states = append(*states, x.Around)
		}
	}
}

// emptyStates finds lists that have been displayed empty and with rows, while everything around
// them was the same.
func (c *checker) emptyStates() {
	for k, seen := range c.crawl.lists {
		same := slices.ContainsFunc(seen[0], func(around uint64) bool { return slices.Contains(seen[1], around) })
		b := &k.template.Bindings[k.slot]
		if !same || lua.AppOf(k.template.File) != c.app || slices.ContainsFunc(c.found, func(f finding.Finding) bool { return f.File == k.template.File }) {
			continue // what would tell that it is empty may be what does not work
		}
		text, err := regular.ReadFile(filepath.Join(c.st.dir, filepath.FromSlash(k.template.File)), maxText)
		if err == nil && check.NeedsEmptyState(k.template, b, string(text)) {
			c.add(finding.Finding{
				Code: "no-empty-state", File: k.template.File, Line: b.Line, What: b.Source + ": nothing tells that the list is empty",
				Instead: `add <p class="ui-empty" ui-attr-hidden="isFilled()">, where the method tells whether it has rows`,
			})
		}
	}
}
