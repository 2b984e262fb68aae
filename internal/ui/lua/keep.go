package lua

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/fault"
)

// A Kept follows the data of an object: all tables that can be reached from it, with what they held
// when they were last looked at. Nothing reports that Lua code changes a table, so [Kept.Walk]
// compares them, in steps as short as the caller wants. What it compares with is what is saved.
//
// The values of an object that has a type are its own fields, except those whose names start with
// an underscore. Plain tables have all their values. Functions, coroutines, handles of the system
// and tables of this program are no data.
type Kept struct {
	vm     *VM
	name   string
	others iter.Seq[*Kept] // may have this one, too
	root   *lua.LTable
	nodes  map[*lua.LTable]*keptNode
	// contents are what the nodes hold, by their index.
	contents []*content
	free     []int // indexes that no node has

	epoch   uint64      // of the walk; 0: there was none
	todo    []*keptNode // that the walk has still to look at
	reached int         // in this walk
	walking bool
	changed bool // since the last walk that was finished
	version int
	retyped bool // objects may have other types than schema has

	// gone are the names of values that the root once had: in the file they are null, so that they
	// are not taken for new ones.
	gone map[string]bool
	// made are the names that the root had before it got data: a table without a type may be a map
	// whose names come and go, so that only these are looked for.
	made map[string]bool
	// shared are tables that may belong to another one, too, with the place where they are.
	shared   map[*lua.LTable]string
	declared int // VM.declared at the last walk
	schema   map[string]declaration
	was      map[int]declaration // see schemaNow
}

// A keptNode is a table that belongs to a Kept. Its index never changes.
type keptNode struct {
	table *lua.LTable
	index int
	epoch uint64 // of the last walk that has reached it
}

// Keep follows an object from now on. It fails for what cannot be kept. Nothing has to end it.
// others are the objects that are kept whenever it is called.
func (vm *VM) Keep(name string, obj Value, others iter.Seq[*Kept]) (*Kept, error) {
	tb, ok := obj.(*lua.LTable)
	switch {
	case !ok:
		return nil, fault.New(fault.Invalid, "the object to keep as %q must be a table, not %s: give an object, such as mcp:keep(\"expenses\", expenses), or false to end keeping it", name, vm.kindOf(in(obj)))
	case vm.prototypeOf(tb) != nil:
		return nil, fault.New(fault.Invalid, "%s is a type: keep an object, such as %[1]s:new()", vm.Type(tb))
	case !vm.isData(tb):
		return nil, fault.New(fault.Invalid, "this table belongs to the program, it cannot be kept")
	}
	made := map[string]bool{}
	for _, e := range entries(tb) {
		if name, ok := e.key.(lua.LString); ok {
			made[string(name)] = true
		}
	}
	return &Kept{
		vm: vm, name: name, others: others, root: tb, made: made, nodes: map[*lua.LTable]*keptNode{}, gone: map[string]bool{},
		shared: map[*lua.LTable]string{},
	}, nil
}

// Object is the object that is kept.
func (k *Kept) Object() Value { return k.root }

// Type is the type of the object, or "".
func (k *Kept) Type() string { return k.typeOf(k.root) }

// Version changes whenever a finished walk has found a change.
func (k *Kept) Version() int { return k.version }

// Restart begins the walk again: something may have changed meanwhile.
func (k *Kept) Restart() { k.walking = false }

// Walk compares the tables with what they held before. It stops when more returns false, which it
// asks now and then, and continues with the next call. It returns true when it has finished; what
// it has found is consistent if no code of the app has run since it began.
func (k *Kept) Walk(more func() bool) (finished bool) {
	if !k.walking {
		k.walking, k.epoch, k.reached, k.todo = true, k.epoch+1, 0, k.todo[:0]
		k.reach(k.node(k.root))
		if k.sharing(k.root) != nil {
			k.shared[k.root] = "the object itself"
		}
	}
	for i := 1; len(k.todo) > 0; i++ {
		if i%64 == 0 && !more() {
			return false
		}
		n := k.todo[len(k.todo)-1]
		k.todo = k.todo[:len(k.todo)-1]
		c := k.contents[n.index]
		if c == nil || !c.matches(n.table) {
			k.contents[n.index] = k.read(n.table, c)
			if c != nil && n.table == k.root {
				k.missing(c.names)
			}
			before := c
			c, k.changed = k.contents[n.index], true
			if _, known := k.schema[c.typ]; c.typ != "" && !known || before != nil && before.typ != c.typ {
				k.retyped = true
			}
		}
		for _, to := range c.nodes {
			k.reach(to)
		}
	}
	k.finish()
	return true
}

// WalkAll is Walk in one go.
func (k *Kept) WalkAll() {
	k.Restart()
	k.Walk(func() bool { return true })
}

// missing records which of the names the root no longer has.
func (k *Kept) missing(names []string) {
	for _, name := range names {
		if (k.typeOf(k.root) != "" || k.made[name]) && k.root.RawGetString(name) == lua.LNil && utf8.ValidString(name) {
			k.gone[name] = true
		}
	}
}

func (k *Kept) reach(n *keptNode) {
	if n != nil && n.epoch != k.epoch {
		n.epoch = k.epoch
		k.reached++
		k.todo = append(k.todo, n)
	}
}

func (k *Kept) node(tb *lua.LTable) *keptNode {
	n := k.nodes[tb]
	if n == nil {
		n = &keptNode{table: tb}
		if last := len(k.free) - 1; last >= 0 {
			n.index, k.free = k.free[last], k.free[:last]
		} else {
			n.index = len(k.contents)
			k.contents = append(k.contents, nil)
		}
		k.nodes[tb] = n
	}
	return n
}

// finish ends a walk: it lets go of tables that cannot be reached any more.
func (k *Kept) finish() {
	k.walking = false
	if k.reached < len(k.nodes) {
		k.changed, k.retyped = true, true
		for tb, n := range k.nodes {
			if n.epoch != k.epoch {
				delete(k.nodes, tb)
				k.contents[n.index] = nil
				k.free = append(k.free, n.index)
			}
		}
	}
	if k.declared != k.vm.declared || k.retyped {
		k.declared, k.retyped = k.vm.declared, false
		schema, was := k.schemaNow()
		if !maps.EqualFunc(schema, k.schema, declaration.same) || !maps.EqualFunc(was, k.was, declaration.same) {
			k.schema, k.was, k.changed = schema, was, true
		}
	}
	if k.changed {
		k.changed = false
		k.version++
	}
}

// Unmoved is what mutate has failed with, or nil. Its objects keep their fields, and it is called
// again when a file is saved again.
func (k *Kept) Unmoved() error {
	texts := map[string]error{}
	for w, o := range k.vm.outdated {
		if o.err != nil && k.nodes[w.Value()] != nil {
			texts[o.err.Error()] = o.err
		}
	}
	var errs []error
	for _, text := range slices.Sorted(maps.Keys(texts)) {
		errs = append(errs, texts[text])
	}
	return errors.Join(errs[:min(len(errs), maxNotes)]...)
}

// Notes are what the data have that is not kept, or not as it is, each once. They can change with
// the data of the others, too.
func (k *Kept) Notes() []string {
	var notes []string
	for _, c := range k.contents {
		if c == nil || len(c.notes) == 0 {
			continue
		}
		for _, note := range c.notes {
			if len(notes) < maxNotes && !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	unknown := map[string]int{}
	for w, s := range k.vm.strangers {
		if k.nodes[w.Value()] != nil {
			unknown[s.typ]++
		}
	}
	for _, typ := range slices.Sorted(maps.Keys(unknown)) {
		notes = append(notes, fmt.Sprintf("the type %s is not declared: its %d objects are plain tables until it is, and are kept as they are", typ, unknown[typ]))
	}
	return append(notes, k.sharedNotes()...)
}

// sharing returns another object that is kept and has a table, or nil.
func (k *Kept) sharing(tb *lua.LTable) *Kept {
	for other := range k.others {
		if other != k && other.nodes[tb] != nil {
			return other
		}
	}
	return nil
}

// Shares reports whether another object may have tables of this one.
func (k *Kept) Shares() bool { return len(k.shared) > 0 }

// sharedNotes names a place of each other object's tables. A walk of all objects must be finished.
func (k *Kept) sharedNotes() []string {
	places := map[string]string{} // by the other's name
	for tb, place := range k.shared {
		other := k.sharing(tb)
		if other == nil || k.nodes[tb] == nil {
			delete(k.shared, tb)
		} else if old := places[other.name]; old == "" || place < old {
			places[other.name] = place
		}
	}
	var notes []string
	for other, place := range places {
		notes = append(notes, fmt.Sprintf("%s is kept as part of %q, too: after a restart, these are two tables. Keep one object that has both, or store an ID instead of the table", place, other))
	}
	slices.Sort(notes)
	return notes[:min(len(notes), maxNotes)]
}
