package overlay

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"ui-mcp/internal/fault"
)

// A Verb is the action of an operation.
type Verb string

const (
	Create  Verb = "create"  // create an element from the form
	Update  Verb = "update"  // change the fields that the form has
	Replace Verb = "replace" // like update, but the form must have the spans, and position, height and z of a panel
	Rewrite Verb = "spans"   // replace the spans that have the ids of those in the form
	Write   Verb = "write"   // replace all region writes
	Remove  Verb = "remove"  // remove one element
	Clear   Verb = "clear"   // remove all elements of a kind, on both screens
)

// An Op is one operation of a batch.
type Op struct {
	Verb   Verb   `json:"op"`
	Kind   Kind   `json:"type"`
	ID     string `json:"id,omitempty"` // not for create and clear
	Writes Writes `json:"writes,omitempty"`
	Form
}

// Apply carries out all operations in order, or none: then the error names the one that failed,
// with its index from 0 if there are several. It returns the id of each operation's element, or ""
// for clear. Errors are of kind Invalid or NotFound if an operation is wrong, and Exhausted if it
// would exceed a limit.
func (m *Model) Apply(ops ...Op) ([]string, error) {
	if len(ops) > MaxBatch {
		return nil, fault.New(fault.Exhausted, "%d operations: give at most %d at once", len(ops), MaxBatch)
	}
	next := m.state
	next.elements, next.made = maps.Clone(m.elements), maps.Clone(m.made)
	ids := make([]string, len(ops))
	for i, op := range ops {
		id, err := next.do(op)
		if err != nil {
			return nil, fault.With(fault.DetailOf(err), fault.Wrap(fault.KindOf(err), err, "%s", op.describe(i, len(ops))))
		}
		ids[i] = id
	}
	// Once for each element: measuring text takes much longer than anything else.
	for _, id := range ids {
		if e := next.elements[id]; e != nil && !e.fitted {
			e.fit()
		}
	}
	if len(ops) > 0 {
		m.state = next
		m.changed()
	}
	return ids, nil
}

// describe names an operation for an error.
func (o Op) describe(i, n int) string {
	s := strings.TrimSpace(fmt.Sprintf("%.20s %.20s %.80s", o.Verb, o.Kind, o.ID))
	if n > 1 {
		s = fmt.Sprintf("operation %d, %s", i, s)
	}
	return s
}

func (s *state) do(op Op) (id string, err error) {
	if op.Kind != Overlay && op.Kind != Panel {
		return "", fault.New(fault.Invalid, `type %.40q: give "overlay" or "panel"`, string(op.Kind))
	}
	switch op.Verb {
	case Create:
		return s.create(op)
	case Clear:
		s.clear(func(e *Element) bool { return e.Kind == op.Kind })
		return "", nil
	}
	e, err := s.find(op.Kind, op.ID)
	if err != nil {
		return "", err
	}
	if op.Verb == Remove {
		s.remove(e)
		return e.ID, nil
	}
	next := *e
	switch op.Verb {
	case Replace:
		if err = op.complete(); err == nil {
			err = op.Form.apply(&next)
		}
	case Update:
		err = op.Form.apply(&next)
	case Rewrite:
		err = next.rewrite(op.Spans)
	case Write:
		if op.Writes == nil {
			return "", fault.New(fault.Invalid, "writes: give a list, which replaces all region writes")
		}
		next.Writes = slices.Clone(op.Writes)
	default:
		return "", fault.New(fault.Invalid, "op %.40q: give %q, %q, %q, %q, %q, %q or %q", string(op.Verb), Create, Update, Replace, Rewrite, Write, Remove, Clear)
	}
	if err != nil {
		return "", err
	}
	return e.ID, s.put(&next, e, op.Verb == Write)
}

// complete refuses a replacement that lacks a required field.
func (o *Op) complete() error {
	switch {
	case o.Kind == Panel && (o.Spans == nil || o.Position == nil || o.Height == nil || o.Z == nil):
		return fault.New(fault.Invalid, "give position, height, z and spans; to change only some of them, update the panel")
	case o.Spans == nil:
		return fault.New(fault.Invalid, "give spans")
	}
	return nil
}

func (s *state) create(op Op) (string, error) {
	most := MaxOverlays
	if op.Kind == Panel {
		most = MaxPanels
	}
	n := 0
	for _, e := range s.elements {
		if e.Kind == op.Kind {
			n++
		}
	}
	if n >= most {
		return "", fault.New(fault.Exhausted, "there are %d %ss already: remove some first", most, op.Kind)
	}
	if op.ID != "" {
		return "", fault.New(fault.Invalid, "a new element gets its id here: leave it out")
	}
	e := &Element{Kind: op.Kind, Z: s.topZ, Mode: s.Mode(), Spans: Spans{}, Writes: slices.Clone(op.Writes)}
	if op.Kind == Panel {
		e.Position, e.Height = Bottom, 1
	} else {
		e.FitWidth, e.FitHeight = true, true
	}
	if err := op.Form.apply(e); err != nil {
		return "", err
	}
	s.made[op.Kind]++
	s.order++
	e.ID = fmt.Sprintf("%s-%d", op.Kind, s.made[op.Kind])
	e.order = s.order
	return e.ID, s.put(e, nil, true)
}

// put stores e in place of before (nil: e is new). Its size is fitted at the end of the batch.
func (s *state) put(e, before *Element, newWrites bool) error {
	if newWrites {
		if err := e.checkWrites(); err != nil {
			return err
		}
	}
	if err := e.checkSpans(); err != nil {
		return err
	}
	e.fitted, e.drawn = false, nil
	if err := e.check(); err != nil {
		return err
	}
	s.text += e.textSize()
	if before != nil {
		s.text -= before.textSize()
	}
	if s.text > MaxTextAll {
		return fault.New(fault.Exhausted, "all elements together would have %d bytes of text: the limit is %d; remove some first", s.text, MaxTextAll)
	}
	if e.Z >= s.topZ {
		s.topZ = min(e.Z+1, math.MaxInt32)
	}
	s.elements[e.ID] = e
	if s.focus == e.ID && !e.Focusable {
		s.focus = ""
	}
	return nil
}

func (s *state) remove(e *Element) {
	delete(s.elements, e.ID)
	s.text -= e.textSize()
	if s.focus == e.ID {
		s.focus = ""
	}
}

func (s *state) clear(match func(*Element) bool) {
	for _, e := range s.elements {
		if match(e) {
			s.remove(e)
		}
	}
}

// rewrite replaces all spans that have the id of a given one; of given spans with the same id, the
// last counts. Given spans without an id are ignored. An id that no span has is ignored: a client
// may update more than is displayed.
func (e *Element) rewrite(with Spans) error {
	if with == nil {
		return fault.New(fault.Invalid, "spans: give a list of spans with ids")
	}
	replacements := make(map[string]*Span, len(with))
	for i := range with {
		w := &with[i]
		if w.ID != "" {
			replacements[w.ID] = w
		}
	}
	spans := slices.Clone(e.Spans)
	for i := range spans {
		if w, ok := replacements[spans[i].ID]; ok {
			spans[i] = *w
		}
	}
	e.Spans = spans
	return nil
}
