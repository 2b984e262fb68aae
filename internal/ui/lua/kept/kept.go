// Package kept follows the data of Lua objects, writes them as text, and reads that. It knows no
// files, and of the VM only an [App].
//
//   - A [Graph] is an object that is kept: all tables that it leads to, each a node with the
//     content that it had when it was last looked at.
//   - A [Snapshot] is what a walk has found. Another goroutine may encode it.
//   - [Data] is what a text has, as tables that nothing refers to yet.
//
// A change goes this way, and a file the other one:
//
//	script → Graph.Walk → contents → Snapshot.Encode → text
//	text → Read → Data → Graph.Restore → tables
//
// A content never changes: a walk replaces it. So a snapshot costs a slice, whatever the object
// holds, and what was compared is what is saved. A text looks like this:
//
//	{"format": 1, "types": {…}, "data": {"$id": 1, "$type": "Item", "me": {"$ref": 1}}}
package kept

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
	"weak"

	lua "github.com/yuin/gopher-lua"
)

// An App is what kept data need of the VM whose objects they are.
type App struct {
	Types
	Marks
	NewTable func() *lua.LTable
}

// Types are the types that the app has declared, and which objects are theirs. They are used on the
// VM's goroutine.
type Types interface {
	// Declared changes whenever a declaration may have changed, or Outdated.
	Declared() int
	Declaration(typ string) (d Declaration, declared bool)
	// Outdated are the objects that were made for other declarations.
	Outdated() map[weak.Pointer[lua.LTable]]Outdated
	// NotData says what a table is that is not the app's own data, or returns "".
	NotData(tb *lua.LTable) string
	// Restored makes a table an object of a type, if it is new, and takes note of the declaration
	// for which it was made: nil if that is not known.
	Restored(tb *lua.LTable, typ string, was Declaration, isNew bool)
	// Migrate brings outdated objects up to date, as far as that succeeds.
	Migrate()
}

// An Outdated object was made for an earlier declaration of its type, or its type is not declared.
type Outdated struct {
	Type string // if that is not declared; else ""
	Was  Declaration
	Err  error // what mutate has failed with, or nil: it has not been called
}

// Marks are values that stand for what Lua tables cannot express.
type Marks struct {
	Null   *lua.LUserData // null in JSON
	Object *lua.LTable    // the metatable of tables decoded from {}
	Empty  *lua.LTable    // in a declaration: a field that is nil at first
}

// A Graph follows the data of an object: all tables that can be reached from it, with what they
// held when they were last looked at. Nothing reports that Lua code changes a table, so
// [Graph.Walk] compares them, in steps as short as the caller wants. What it compares with is what
// is saved.
//
// The values of an object that has a type are its own fields, except those whose names start with
// an underscore. Plain tables have all their values. Functions, coroutines, handles of the system
// and tables of this program are no data.
type Graph struct {
	app   *App
	root  *lua.LTable
	nodes map[*lua.LTable]*node
	// contents are what the nodes hold, by their index.
	contents []*content
	free     []int // indexes that no node has

	epoch   uint64  // of the walk; 0: there was none
	todo    []*node // that the walk has still to look at
	reached int     // in this walk
	walking bool
	changed bool // since the last walk that was finished
	version int
	retyped bool // objects may have other types than schema has

	// gone are the names of values that the root once had: in the file they are null, so that they
	// are not taken for new ones.
	gone map[string]bool
	// made are the names that the root had before it got data: a table without a type may be a map
	// whose names come and go, so that only these are looked for.
	made     map[string]bool
	declared int // App.Declared at the last walk
	schema   map[string]Declaration
	was      map[int]Declaration // see schemaNow
}

// A node is a table that belongs to a Graph. Its index never changes.
type node struct {
	table *lua.LTable
	index int
	epoch uint64 // of the last walk that has reached it
}

// New follows an object from now on. Nothing has to end it.
func New(app *App, root *lua.LTable) *Graph {
	made := map[string]bool{}
	for _, e := range Entries(root) {
		if name, ok := e.Key.(lua.LString); ok {
			made[string(name)] = true
		}
	}
	return &Graph{app: app, root: root, made: made, nodes: map[*lua.LTable]*node{}, gone: map[string]bool{}}
}

// Object is the object that is kept.
func (k *Graph) Object() any { return k.root }

// Type is the type of the object, or "".
func (k *Graph) Type() string { return k.typeOf(k.root) }

// Version changes whenever a finished walk has found a change.
func (k *Graph) Version() int { return k.version }

// Restart begins the walk again: something may have changed meanwhile.
func (k *Graph) Restart() { k.walking = false }

// Walk compares the tables with what they held before. It stops when more returns false, which it
// asks now and then, and continues with the next call. It returns true when it has finished; what
// it has found is consistent if no code of the app has run since it began.
func (k *Graph) Walk(more func() bool) (finished bool) {
	if !k.walking {
		k.walking, k.epoch, k.reached, k.todo = true, k.epoch+1, 0, k.todo[:0]
		k.reach(k.node(k.root))
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
func (k *Graph) WalkAll() {
	k.Restart()
	k.Walk(func() bool { return true })
}

// missing records which of the names the root no longer has.
func (k *Graph) missing(names []string) {
	for _, name := range names {
		if (k.typeOf(k.root) != "" || k.made[name]) && k.root.RawGetString(name) == lua.LNil && utf8.ValidString(name) {
			k.gone[name] = true
		}
	}
}

func (k *Graph) reach(n *node) {
	if n != nil && n.epoch != k.epoch {
		n.epoch = k.epoch
		k.reached++
		k.todo = append(k.todo, n)
	}
}

func (k *Graph) node(tb *lua.LTable) *node {
	n := k.nodes[tb]
	if n == nil {
		n = &node{table: tb}
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
func (k *Graph) finish() {
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
	if k.declared != k.app.Declared() || k.retyped {
		k.declared, k.retyped = k.app.Declared(), false
		schema, was := k.schemaNow()
		if !maps.EqualFunc(schema, k.schema, Declaration.Same) || !maps.EqualFunc(was, k.was, Declaration.Same) {
			k.schema, k.was, k.changed = schema, was, true
		}
	}
	if k.changed {
		k.changed = false
		k.version++
	}
}

// Unmoved is what mutate has failed with for one of the objects, or nil. They keep their fields,
// and it is called again when a file is saved again.
func (k *Graph) Unmoved() (err error) {
	for w, o := range k.app.Outdated() {
		if o.Err != nil && k.nodes[w.Value()] != nil && (err == nil || o.Err.Error() < err.Error()) {
			err = o.Err
		}
	}
	return err
}

// Notes are what the data have that is not kept, or not as it is.
func (k *Graph) Notes() (notes []string) {
	lost := 0
	for _, c := range k.contents {
		if c != nil && c.lost > 0 {
			notes = append(notes, c.note)[:1]
			lost += c.lost
		}
	}
	if lost > 1 {
		notes[0] += fmt.Sprintf(" (the first of %d such values)", lost)
	}
	unknown := map[string]int{}
	for w, o := range k.app.Outdated() {
		if o.Type != "" && k.nodes[w.Value()] != nil {
			unknown[o.Type]++
		}
	}
	for _, typ := range slices.Sorted(maps.Keys(unknown)) {
		notes = append(notes, fmt.Sprintf("the type %s is not declared: its %d objects are plain tables until it is, and are kept as they are", typ, unknown[typ]))
	}
	return notes
}
