package variable

import (
	"slices"
	"time"

	"ui-mcp/internal/ui/path"
	"ui-mcp/internal/ui/viewdef"
	"ui-mcp/internal/ui/wire"
)

const (
	// maxDepth bounds how deep views nest. An object that displays itself would nest forever.
	maxDepth = 100
	// maxInstances bounds the size of one session's tree.
	maxInstances = 250_000
)

// A Tree is the display of one session.
type Tree struct {
	host      Host
	templates Templates

	root      instance // a pseudo-instance whose only binding is the view of the root object
	instances map[int64]*instance
	lastID    int64
	gen       uint64 // of templates, at the last scan
	retyped   bool   // see Renew

	plans    map[*viewdef.Template]*plan
	missing  map[string]*viewdef.Template
	maxSlots int // the most bindings that a template has had
	defs     []wire.Def
	newDefs  int // how many of defs, at the end, have not been sent yet

	ops  wire.Ops
	high map[*instance]bool // instances with bindings of high priority
	low  map[*instance]bool
	pass uint32 // number of the scan that is running

	windows map[*window]bool // of all windowed lists

	stoppages map[*viewdef.Binding]*stoppage
	spent     bool // the running pass has used up its time

	objects    map[Value]*identity // of all objects that are displayed or written to
	unused     []Value             // objects whose last use ended in this pass
	lastObject int64
	owner      Value // what the last read left; see Tree.read
	batch      int64 // the number of the batch that the running scan produces

	unnamed map[*plan]bool // templates whose names checkNames is to look at

	problems        map[slotKey]*Problem
	problemsVersion int64

	refs refTable

	// Buffers, kept from pass to pass.
	scratch    []byte
	spareItems []Value
}

// An instance is a template on display, with its object.
type instance struct {
	id     int64
	plan   *plan
	obj    Value // what the paths of its bindings start from
	parent *instance
	slot   int32 // the binding of parent that it is in
	index  int32 // of the element that it displays in that binding's list; noRow in a view
	depth  int
	// The namespace that was asked for, which views inside inherit, and the one to fall back on.
	namespace, fallback string
	vars                []variable // one for each binding of the template
	mounted             uint32     // the pass in which it was read first; 0: it was not yet
	source              Value      // obj, or the value that obj wraps: the object that the person sees
	object              int64      // the identity of source, or 0
	rebound             int64      // the batch in which source last changed
	changes             []uint32   // how often each variable has changed; nil until one does
	gone                bool
}

// noRow is the index of an instance that is not a row.
const noRow = -1

func (in *instance) row() int { return int(in.index) }

// changed reports whether pages are to be told that a variable has changed, and counts that, for
// debugging tools. Pages get a new instance as a whole when everything in it has been read.
func (t *Tree) changed(in *instance, i int) bool {
	if in.mounted == t.pass {
		return false
	}
	if in.changes == nil {
		in.changes = make([]uint32, len(in.vars))
	}
	in.changes[i]++
	return true
}

// A variable is the live counterpart of a binding.
type variable struct {
	value Value // what its path read last
	*more       // for views, lists and table values; nil otherwise
}

// more is what only some variables need.
type more struct {
	owner      Value // the object that the binding writes to, if that is tracked
	ownerID    int64 // its identity
	ownedSince int64 // the batch in which the owner changed last

	json    []byte        // of a value that is an object: its last JSON
	wrapper Value         // of a view or list with a wrapper
	child   *instance     // of a view
	rows    []listRow     // of a list, in the order of their indexes
	window  *window       // of a windowed list
	read    uint32        // the pass in which a binding of high or low priority was read
	longest time.Duration // the most that took was
	entered any           // see Enter
	took    time.Duration // how long the path took to read, where it calls methods
}

// unknown is the cached value of a variable that has not been read, or whose page may display
// something other than the last value read. It equals no other value.
var unknown = Value(new(int))

// New returns an empty tree.
func New(host Host, templates Templates) *Tree {
	t := &Tree{
		host: host, templates: templates,
		instances: map[int64]*instance{},
		plans:     map[*viewdef.Template]*plan{},
		missing:   map[string]*viewdef.Template{},
		high:      map[*instance]bool{},
		low:       map[*instance]bool{},
		objects:   map[Value]*identity{},
		problems:  map[slotKey]*Problem{},
		stoppages: map[*viewdef.Binding]*stoppage{},
		unnamed:   map[*plan]bool{},
		windows:   map[*window]bool{},
	}
	t.root = instance{plan: rootPlan, vars: make([]variable, 1)}
	return t
}

var rootPlan = &plan{slots: []slot{{Binding: &viewdef.Binding{Kind: viewdef.View, Source: "ui-app"}}}}

// A plan is a template as this tree uses it.
type plan struct {
	tmpl        *viewdef.Template
	def         int // number of its definition in the session
	displayed   int // how many instances there are
	slots       []slot
	high, low   bool // whether any binding has that priority
	tracksEdits bool // whether the owner of any edited binding is tracked
	names       names
}

// A slot is a binding prepared for reading.
type slot struct {
	*viewdef.Binding
	field       *path.Step // the whole path, where the main pass reads just a field
	calls       bool       // the path calls methods: reading it may take long
	prefix      path.Path  // the path without its last step: leads to the object that is written to
	track       tracking
	prefixCalls bool // prefix calls methods, which may return a new object each time
	optional    bool // its names need not be declared
	skip        bool // the main pass leaves it out: nothing to read, or not of medium priority
}

func (t *Tree) plan(tmpl *viewdef.Template) *plan {
	if p := t.plans[tmpl]; p != nil {
		return p
	}
	p := &plan{tmpl: tmpl, def: len(t.defs) + 1, slots: make([]slot, len(tmpl.Bindings))}
	for i := range tmpl.Bindings {
		b := &tmpl.Bindings[i]
		s := slot{Binding: b, skip: !b.Access.Readable() || b.Priority != viewdef.Medium}
		if !s.skip && len(b.Path.Steps) == 1 && b.Path.Steps[0].Kind == path.Field && !takesFile(b) {
			s.field = &b.Path.Steps[0]
		}
		_, s.optional = b.Path.Options[optional]
		s.calls = slices.ContainsFunc(b.Path.Steps, func(s path.Step) bool { return s.Kind == path.Call || s.Kind == path.CallSub })
		if b.Access.Readable() {
			p.high = p.high || b.Priority == viewdef.High
			p.low = p.low || b.Priority == viewdef.Low
		}
		s.prefix = path.Path{Steps: b.Path.Steps[:max(len(b.Path.Steps)-1, 0)]}
		s.trackOwner()
		p.tracksEdits = p.tracksEdits || (s.track != trackNone && s.Opts.Edit)
		p.slots[i] = s
	}
	t.plans[tmpl] = p
	t.maxSlots = max(t.maxSlots, len(p.slots))
	t.defs = append(t.defs, wire.Def{ID: p.def, Body: tmpl.Def})
	t.newDefs++
	return p
}

// NewDefs returns the definitions that have not been sent yet, and marks them as sent.
func (t *Tree) NewDefs() []wire.Def {
	d := t.defs[len(t.defs)-t.newDefs:]
	t.newDefs = 0
	return current(d)
}

// Defs returns every definition that pages of this session may need.
func (t *Tree) Defs() []wire.Def { return current(t.defs) }

func current(defs []wire.Def) []wire.Def {
	return slices.DeleteFunc(slices.Clone(defs), func(d wire.Def) bool { return d.Body == nil })
}

// newInstance creates an instance of the template for obj in parent.vars[slot], without reading
// anything. A row's index is its element's; of a view it is noRow.
func (t *Tree) newInstance(parent *instance, slot, index int, tmpl *viewdef.Template, obj, source Value, ns, fallback string) *instance {
	p := t.plan(tmpl)
	t.lastID++
	in := &instance{
		id: t.lastID, plan: p, obj: obj, parent: parent, slot: int32(slot), index: int32(index), depth: parent.depth + 1,
		namespace: ns, fallback: fallback,
		vars: make([]variable, len(p.slots)),
	}
	for i := range in.vars {
		in.vars[i].value = unknown
	}
	t.lastID += int64(len(p.slots)) // a variable's id is its instance's, plus its slot, plus one
	t.instances[in.id] = in
	if p.names.sample == nil {
		p.names.sample = in
	}
	if p.displayed++; p.displayed == 1 {
		t.startNames(p)
	}
	t.identify(in, source)
	if p.high {
		t.high[in] = true
	}
	if p.low {
		t.low[in] = true
	}
	return in
}

func (t *Tree) free(in *instance) {
	if in == nil || in.gone {
		return
	}
	in.gone = true
	delete(t.instances, in.id)
	p := in.plan
	if p.names.sample == in {
		p.names.sample = nil
	}
	if p.displayed--; p.displayed == 0 {
		t.unnamed[p] = true
	}
	t.release(in.source)
	delete(t.high, in)
	delete(t.low, in)
	if len(t.stoppages) > 0 {
		t.forgetStoppages(in)
	}
	if len(t.problems) > 0 {
		for i := -1; i < len(in.vars); i++ {
			t.forgetProblem(slotKey{in, i})
		}
	}
	for i := range in.vars {
		m := in.vars[i].more
		if m == nil {
			continue
		}
		t.release(m.owner)
		t.free(m.child)
		for _, r := range m.rows {
			t.free(r.inst)
		}
		delete(t.windows, m.window)
	}
}

func (v *variable) ext() *more {
	if v.more == nil {
		v.more = &more{}
	}
	return v.more
}
