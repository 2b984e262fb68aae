package ui

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/ui/act"
	"ui-mcp/internal/ui/problem"
	"ui-mcp/internal/ui/variable"
	"ui-mcp/internal/ui/wire"
)

// An Input is what an agent does to an element in place of the person: see [wire.Input].
type Input = wire.Input

// Acted is the outcome of [Session.Act].
type Acted struct {
	// Text says what was done and what has changed in the display since.
	Text string
	// Unknown says that a page was asked and nobody knows whether it has acted; Text says so, too.
	Unknown bool
	// Problems are those that were not reported to the agent yet, the newest first.
	Problems []problem.Problem
}

const (
	// actTimeout is long enough for hidden pages, whose timers run once a second.
	actTimeout = 10 * time.Second
	// lookBudget bounds the descriptions that are compared, and changesShown their difference, in
	// bytes.
	lookBudget   = 64 << 10
	changesShown = 3_000
)

// acts are the inputs that pages have been asked to carry out.
type acts struct {
	timeout time.Duration // never changes
	last    int64
	waiting map[int64]*acting // until their callers have the outcome
	used    uint64            // counts uses of pages
}

// before reports whether this page is asked rather than another.
func (c *client) before(other *client) bool {
	switch {
	case c.silent != other.silent:
		return other.silent
	case c.hidden != other.hidden:
		return other.hidden
	}
	return c.last > other.last
}

func (a *acts) underway() bool { return len(a.waiting) > 0 }

// acting is an input that a page has been asked to carry out, or, without a page, the session.
type acting struct {
	plan     *act.Plan
	id       int64           // 0 until it is under way
	page     Client          // or nil
	where    string          // that is, for the answer
	caller   context.Context // ends when nobody waits any more
	ended    chan wire.Acted // capacity 1; closed without a value when the page is gone
	answered bool            // there is a value in ended, or it is closed
	late     bool            // it was given up

	// taken are the events that the app took, and stale those that were ignored because the binding
	// has got another object since the reference was given.
	taken, stale int
}

func (a *acting) count(e wire.Event, stale bool) {
	same := func(planned wire.Event) bool { return planned.Instance == e.Instance && planned.Slot == e.Slot }
	switch {
	case !slices.ContainsFunc(slices.Concat(a.plan.Messages...), same):
	case stale:
		a.stale++
	default:
		a.taken++
	}
}

// say says what was done, unless the app has taken nothing of it. When it has taken a part, the act
// itself may have changed the rest: a click that removes a row is one on the row, too.
func (a *acting) say() string {
	if a.stale > 0 && a.taken == 0 {
		return fmt.Sprintf("The app ignored it (%s): it was bound to something else in between. Look with ui_inspect.", a.where)
	}
	return fmt.Sprintf("%s (%s).", a.plan.What, a.where)
}

// Act does to an element of the display what a person could: in the page that was used last, or, if
// there is none, in the session's own tree. ref is a reference from an inspection. An error of kind
// [fault.Precondition] says why a person could not do it, and that nothing was done.
func (s *Session) Act(ctx context.Context, ref string, input Input) (Acted, error) {
	a := &acting{where: "no page is open", caller: ctx, ended: make(chan wire.Acted, 1)}
	var before look
	defer s.exec.Post(func() {
		delete(s.st.acts.waiting, a.id)
		s.st.announce() // what the answer does not have
	})
	err := s.Do(ctx, func(tx *Tx) (err error) {
		st := tx.state()
		if a.plan, err = act.Find(st.tree, ref, input); err != nil {
			return err
		}
		before = st.look(a.plan.Target)
		switch {
		case a.plan.Nothing != "", st.askPage(a):
		case a.plan.Local != "":
			return fault.New(fault.Precondition, "nothing was done: %s, and no page is open. ui_open_browser opens one", a.plan.Local)
		case a.plan.Holds != "":
			a.plan.Nothing = a.plan.Holds
		default:
			act.Carried(st.tree, a.plan)
			st.acts.begin(a)
		}
		return nil
	})
	switch {
	case err != nil:
		return Acted{}, err
	case a.plan.Nothing != "":
		return Acted{Text: nothingToDo(a.plan.Nothing)}, nil
	case a.page != nil:
		return s.actInPage(ctx, a, before)
	}
	carryOut := func(message []wire.Event) func(*Tx) error {
		return func(tx *Tx) error {
			for _, e := range message {
				_, stale := tx.state().event(e, a.plan.Seen)
				a.count(e, stale)
			}
			return nil
		}
	}
	last := len(a.plan.Messages) - 1
	for _, m := range a.plan.Messages[:last] {
		if err := s.Do(ctx, carryOut(m)); err != nil {
			return Acted{}, err
		}
	}
	return s.outcomeOf(ctx, a.plan, before, a.say, carryOut(a.plan.Messages[last]))
}

func nothingToDo(why string) string { return "Nothing to do: " + why + "." }

// actInPage waits for what a page says about an act.
func (s *Session) actInPage(ctx context.Context, a *acting, before look) (Acted, error) {
	timer := time.NewTimer(s.st.acts.timeout)
	defer timer.Stop()
	var (
		answer          wire.Acted
		ok, late, begun bool
	)
	select {
	case answer, ok = <-a.ended:
	case <-timer.C:
		err := s.Do(ctx, func(tx *Tx) error {
			late, begun = tx.state().giveUp(a), a.taken > 0
			return nil
		})
		if err != nil {
			return Acted{}, err
		}
		if !late {
			answer, ok = <-a.ended
		}
	case <-ctx.Done():
		return Acted{}, fault.Wrap(fault.Timeout, context.Cause(ctx), "the page was asked when the call was cancelled: what it has not done by now is ignored")
	}
	unknown := ""
	switch {
	case late && !begun && len(a.plan.Messages) > 0:
		return Acted{}, fault.New(fault.Precondition, "it was not done: the page did not answer within %s; when it wakes up, this is ignored", s.st.acts.timeout)
	case late:
		unknown = fmt.Sprintf("the page did not answer within %s; what the app has not got by now is ignored", s.st.acts.timeout)
	case !ok:
		unknown = "the page closed or lost its connection before it answered"
	case answer.Refused != "":
		return Acted{}, fault.New(fault.Precondition, "nothing was done: %s", oneLine(answer.Refused))
	case answer.Thrown != "":
		unknown = "the page was stopped by an error while it did it: " + oneLine(answer.Thrown)
	case answer.Holds:
		return Acted{Text: nothingToDo(act.Holds)}, nil
	}
	text := a.say
	if unknown != "" {
		text = func() string {
			return fmt.Sprintf("The outcome is unknown: %s. Look with ui_inspect before you repeat it.", unknown)
		}
	}
	acted, err := s.outcomeOf(ctx, a.plan, before, text, func(*Tx) error { return nil })
	acted.Unknown = unknown != ""
	return acted, err
}

// oneLine is a text of a page's, which its scripts may have written, such as that a form is not
// valid: it must not pass for further lines of an answer.
func oneLine(text string) string {
	return safetext.Clip(safetext.OneLine(text), longest)
}

// outcomeOf runs f, and adds to what text returns afterwards, on the session's goroutine, what has
// changed since the description before was made.
func (s *Session) outcomeOf(ctx context.Context, plan *act.Plan, before look, text func() string, f func(*Tx) error) (Acted, error) {
	return ask(ctx, s, f, func() (Acted, []problem.Problem) {
		list := s.st.problems.list.Take(problem.PerResult)
		return Acted{Text: text() + "\n" + changed(before, s.st.look(plan.Target)), Problems: list}, list
	})
}

// A look is a description of what is displayed after a batch.
type look struct {
	text  string
	whole bool // it leaves nothing out
	seq   int64
}

// changed says what has changed between two looks.
func changed(before, after look) string {
	switch changes := difference(before.text, after.text, changesShown); {
	case changes != "":
		return "Changed:\n" + changes
	case before.seq == after.seq || before.whole && after.whole:
		return "Nothing has changed in what is displayed."
	}
	return "Nothing has changed in what was compared. That leaves out long texts and further rows of lists: ui_inspect with their path shows them."
}

// look describes what is displayed, always in the same detail, with the rows around a place.
func (st *state) look(at variable.Target) look {
	disarm := st.vm.Arm() // the app's own __tostring may run
	defer disarm()
	text, whole := st.tree.Look(at, variable.OutlineOptions{Budget: lookBudget, Name: st.newReference, Seen: st.seq})
	return look{text, whole, st.seq}
}

// newReference makes a name for an element: it is never used again in this run of the engine, and
// in another one only by a chance of one in a million.
func (st *state) newReference() string {
	return strings.ToLower(st.epoch[:4]) + strconv.FormatInt(st.counts.references.Add(1), 10)
}

// Placed is implemented by clients whose page is not in a window of a browser. Where says where it
// is, such as "in the page in the conversation".
type Placed interface{ Where() string }

// askPage asks a page to carry out an act, and reports whether there is one.
func (st *state) askPage(a *acting) bool {
	for {
		var page Client
		n := 0
		for c, known := range st.clients {
			if known.isNew || observes(c) { // it displays nothing yet, or takes no input
				continue
			}
			n++
			if page == nil || known.before(st.clients[page]) {
				page = c
			}
		}
		if page == nil {
			return false
		}
		target := a.plan.Target
		msg := wire.AppendAct(nil, wire.Act{ID: st.acts.last + 1, At: [2]int64{target.Instance, int64(target.Element)}, Input: a.plan.Input})
		if !page.Deliver(msg) {
			st.drop(page) // it has not got the message
			continue
		}
		a.page, a.where = page, "in the page"
		if p, ok := page.(Placed); ok {
			a.where = p.Where()
		}
		if n > 1 {
			a.where += fmt.Sprintf(" that was used last, of %d", n)
		}
		st.acts.begin(a)
		return true
	}
}

// begin counts an act as under way.
func (acts *acts) begin(a *acting) {
	acts.last++
	a.id = acts.last
	acts.waiting[a.id] = a
}

// pageUsed records that the person has used a page.
func (st *state) pageUsed(c *client) {
	st.acts.used++
	c.last = st.acts.used
}

// giveUp ends an act unless its page has answered: what comes of it from now on is ignored.
func (st *state) giveUp(asked *acting) bool {
	if asked.answered {
		return false
	}
	asked.late = true
	if p := st.clients[asked.page]; p != nil {
		p.silent = true
	}
	return true
}

// acted takes the answer of a page.
func (st *state) acted(c Client, answer wire.Acted) {
	if a := st.acts.waiting[answer.ID]; a != nil && a.page == c && !a.answered {
		a.answered = true
		a.ended <- answer
	}
}

// abandonActs ends the acts that a page has not answered.
func (st *state) abandonActs(c Client) {
	for _, a := range st.acts.waiting {
		if a.page == c && !a.answered {
			a.answered = true
			close(a.ended)
		}
	}
}
