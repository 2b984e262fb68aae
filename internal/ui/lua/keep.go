package lua

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/keep"
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
	// shared are tables that may belong to another one, too.
	shared map[*lua.LTable]bool
	// strangers are objects of types that nobody has declared, and these types.
	strangers map[*lua.LTable]string
	types     map[string]keep.Type // of the file that the strangers are from
	// unmoved are objects whose mutate has failed, with the declarations of their types in the
	// file.
	unmoved  map[*lua.LTable]keep.Type
	declared int // VM.declared at the last walk
	schema   map[string]keep.Type
}

// A keptNode is a table that belongs to a Kept. Its index never changes.
type keptNode struct {
	table *lua.LTable
	index int
	epoch uint64 // of the last walk that has reached it
}

// A content is what a table held at one moment. It is not changed any more, so another goroutine
// may read it.
type content struct {
	meta  lua.LValue
	typ   string
	names []string // of the fields that count, sorted
	// private are the names of the others: all names are needed to notice new ones.
	private []string
	list    int          // the length of the array part
	keys    []lua.LValue // the other keys
	// values has the values of names, then of the array part, then of keys; nodes has the tables
	// among them, or is nil if there are none, and keyNodes the tables among keys.
	values   []lua.LValue
	nodes    []*keptNode
	keyNodes []*keptNode
	object   bool     // an empty table that was decoded from {}
	notes    []string // what is not data
	node     *keep.Node
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
		shared: map[*lua.LTable]bool{}, strangers: map[*lua.LTable]string{}, unmoved: map[*lua.LTable]keep.Type{},
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
		for _, to := range c.keyNodes {
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

// node returns the node of a table.
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
		if k.sharing(tb) != nil {
			k.shared[tb] = true
		}
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
				delete(k.strangers, tb)
				delete(k.unmoved, tb)
				k.contents[n.index] = nil
				k.free = append(k.free, n.index)
			}
		}
	}
	if k.declared != k.vm.declared || k.retyped {
		k.declared, k.retyped = k.vm.declared, false
		if schema := k.schemaNow(); !maps.EqualFunc(schema, k.schema, keep.Type.Same) {
			k.schema, k.changed = schema, true
		}
	}
	if k.changed {
		k.changed = false
		k.version++
	}
}

// matches reports whether a table holds what it held.
func (c *content) matches(tb *lua.LTable) bool {
	if tb.Metatable != c.meta || mapLen(tb, stringKeys) != len(c.names)+len(c.private) || mapLen(tb, otherKeys) != len(c.keys) {
		return false
	}
	at := 0
	for _, name := range c.names {
		if !sameValue(tb.RawGetString(name), c.values[at]) {
			return false
		}
		at++
	}
	for _, name := range c.private {
		if tb.RawGetString(name) == lua.LNil {
			return false
		}
	}
	if tb.MaxN() != c.list {
		return false
	}
	for i := range c.list {
		if !sameValue(tb.RawGetInt(i+1), c.values[at]) {
			return false
		}
		at++
	}
	for _, key := range c.keys {
		if !sameValue(tb.RawGetH(key), c.values[at]) {
			return false
		}
		at++
	}
	return true
}

// sameValue reports whether two values are the same. Most are the same words in memory, which needs
// no look at what they point to.
func sameValue(a, b lua.LValue) bool {
	if *(*[2]uintptr)(unsafe.Pointer(&a)) == *(*[2]uintptr)(unsafe.Pointer(&b)) || a == b {
		return true
	}
	x, ok := a.(lua.LNumber)
	y, ok2 := b.(lua.LNumber)
	return ok && ok2 && x != x && y != y
}

// The library does not tell how many keys a table has, and going through them takes several times
// as long as looking at those that are known.
var stringKeys, otherKeys = tableField("strdict"), tableField("dict")

func tableField(name string) int {
	f, ok := reflect.TypeFor[lua.LTable]().FieldByName(name)
	if !ok || f.Type.Kind() != reflect.Map {
		panic("lua: the library's tables have no map " + name)
	}
	return f.Index[0]
}

// mapLen is the number of entries of one of a table's maps.
func mapLen(tb *lua.LTable, field int) int { return reflect.ValueOf(tb).Elem().Field(field).Len() }

// read returns what a table holds. before is what it held, or nil.
func (k *Kept) read(tb *lua.LTable, before *content) *content {
	c := &content{meta: tb.Metatable, typ: k.typeOf(tb), list: tb.MaxN()}
	n := mapLen(tb, stringKeys)
	if n > 0 {
		c.names = make([]string, 0, n)
	}
	if n > 0 || mapLen(tb, otherKeys) > 0 {
		var at lua.LValue = lua.LNil
		if c.list > 0 {
			at = lua.LNumber(c.list)
		}
		for key, _ := tb.Next(at); key != lua.LNil; key, _ = tb.Next(key) {
			name, ok := key.(lua.LString)
			switch {
			case !ok:
				c.keys = append(c.keys, key)
			case c.typ != "" && strings.HasPrefix(string(name), "_"):
				c.private = append(c.private, string(name))
			default:
				c.names = append(c.names, string(name))
			}
		}
		slices.Sort(c.names)
		slices.SortStableFunc(c.keys, compareKeys)
		if before != nil && slices.Equal(c.names, before.names) {
			c.names = before.names
		}
	}
	c.values = make([]lua.LValue, 0, len(c.names)+c.list+len(c.keys))
	for _, name := range c.names {
		c.values = append(c.values, tb.RawGetString(name))
	}
	for i := range c.list {
		c.values = append(c.values, tb.RawGetInt(i+1))
	}
	for i, key := range c.keys {
		c.values = append(c.values, tb.RawGetH(key))
		if !isScalar(key) {
			if n := k.dataNode(key); n != nil {
				if c.keyNodes == nil {
					c.keyNodes = make([]*keptNode, len(c.keys))
				}
				c.keyNodes[i] = n
			} else {
				c.note("a key of " + cmp.Or(c.typ, "a table") + " is no data, so its value is not kept")
			}
		}
	}
	for i, v := range c.values {
		switch v.(type) {
		case lua.LString, lua.LNumber, lua.LBool, *lua.LNilType:
			continue
		}
		n := before.nodeAt(i, v)
		if n == nil {
			n = k.dataNode(v)
		}
		switch {
		case n != nil:
			if c.nodes == nil {
				c.nodes = make([]*keptNode, len(c.values))
			}
			c.nodes[i] = n
		case v != lua.LValue(k.vm.json.null) && v != lua.LValue(k.vm.empty):
			c.note(c.nameOf(i) + " is " + k.vm.notData(v) + ", which is not kept")
		}
	}
	switch {
	case c.typ != "" || c.meta == lua.LNil:
	case c.meta == lua.LValue(k.vm.json.object):
		c.object = len(c.values) == 0
	default:
		c.note("a table has a metatable that session:prototype has not made: it is kept without")
	}
	return c
}

// nodeAt is the node of a table that was in the same place before.
func (c *content) nodeAt(i int, v lua.LValue) *keptNode {
	if c != nil && i < len(c.nodes) && c.values[i] == v {
		return c.nodes[i]
	}
	return nil
}

func (c *content) nameOf(i int) string {
	owner := cmp.Or(c.typ, "a table")
	switch {
	case i < len(c.names):
		return fmt.Sprintf("%q of %s", c.names[i], owner)
	case i < len(c.names)+c.list:
		return "an element of " + cmp.Or(c.typ, "a list")
	}
	return "a value of " + owner
}

func (c *content) note(text string) {
	if len(c.notes) < maxNotes && !slices.Contains(c.notes, text) {
		c.notes = append(c.notes, text)
	}
}

// maxNotes bounds how many values that are not data are reported.
const maxNotes = 5

func (vm *VM) notData(v lua.LValue) string {
	if tb, ok := v.(*lua.LTable); ok {
		if vm.prototypeOf(tb) != nil {
			return "the type " + vm.Type(tb)
		}
		return "a table of the program"
	}
	return "a " + v.Type().String()
}

func isScalar(v lua.LValue) bool {
	switch v.(type) {
	case lua.LString, lua.LNumber, lua.LBool:
		return true
	}
	return false
}

// compareKeys orders the keys of a table that are no names: numbers, then booleans, then others as
// they were added.
func compareKeys(a, b lua.LValue) int {
	x, number := a.(lua.LNumber)
	y, number2 := b.(lua.LNumber)
	if number && number2 {
		return cmp.Compare(x, y)
	}
	if p, ok := a.(lua.LBool); ok && a.Type() == b.Type() && a != b {
		if p {
			return 1
		}
		return -1
	}
	rank := func(v lua.LValue) int {
		switch v.(type) {
		case lua.LNumber:
			return 0
		case lua.LBool:
			return 1
		}
		return 2
	}
	return cmp.Compare(rank(a), rank(b))
}

// dataNode is the node of a value that is a table with data, or nil.
func (k *Kept) dataNode(v lua.LValue) *keptNode {
	tb, ok := v.(*lua.LTable)
	if !ok || !k.vm.isData(tb) || k.vm.prototypeOf(tb) != nil {
		return nil
	}
	return k.node(tb)
}

// isData reports whether a table is the app's own.
func (vm *VM) isData(tb *lua.LTable) bool {
	if vm.own[tb] {
		return false
	}
	mt, ok := tb.Metatable.(*lua.LTable)
	return !ok || !vm.own[mt] || mt == vm.json.object || vm.prototypeOf(mt) != nil
}

// typeOf is the type by which an object is restored, or "".
func (k *Kept) typeOf(tb *lua.LTable) string {
	if mt, ok := tb.Metatable.(*lua.LTable); ok {
		name, _ := mt.RawGetString("type").(lua.LString)
		return string(name)
	}
	if len(k.strangers) > 0 {
		return k.strangers[tb]
	}
	return ""
}

// schemaNow are the declarations of the types that objects have.
func (k *Kept) schemaNow() map[string]keep.Type {
	types := map[string]keep.Type{}
	last := ""
	for _, c := range k.contents {
		if c == nil || c.typ == "" || c.typ == last {
			continue
		}
		last = c.typ
		if _, known := types[last]; known {
			continue
		}
		if t, ok := k.vm.declaration(last); ok {
			types[last] = t
		} else if t, ok := k.types[last]; ok {
			types[last] = t
		}
	}
	for tb, t := range k.unmoved {
		types[k.vm.Type(tb)] = t
	}
	return types
}

// declaration is what the declarations of a type and of its ancestors say of its objects.
func (vm *VM) declaration(name string) (keep.Type, bool) {
	p := vm.prototypes[name]
	if p == nil {
		return keep.Type{}, false
	}
	t := keep.Type{Fields: map[string]any{}}
	tb := p.table
	for range maxIndexLoop {
		if q := vm.prototypeOf(tb); q != nil {
			for name, v := range q.fields {
				if _, nearer := t.Fields[name]; nearer || isFunction(v) || strings.HasPrefix(name, "_") {
					continue
				}
				switch v := v.(type) {
				case lua.LString:
					t.Fields[name] = string(v)
				case lua.LNumber:
					t.Fields[name] = float64(v)
				case lua.LBool:
					t.Fields[name] = bool(v)
				case *lua.LTable:
					t.Fields[name] = keep.Table{}
					if v == vm.empty {
						t.Fields[name] = nil
					}
				}
			}
		}
		t.Mutates = t.Mutates || isFunction(tb.RawGetString("mutate"))
		mt, ok := tb.Metatable.(*lua.LTable)
		if !ok {
			break
		}
		tb = mt
	}
	return t, true
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
	for _, typ := range k.strangers {
		unknown[typ]++
	}
	for _, typ := range slices.Sorted(maps.Keys(unknown)) {
		notes = append(notes, fmt.Sprintf("the type %s is not declared: its %d objects are plain tables until it is, and are kept as they are", typ, unknown[typ]))
	}
	return append(notes, k.sharedNotes()...)
}

// A KeptSnapshot is the data as a walk has found them. It may be used on any goroutine, by one at a
// time for each Kept.
type KeptSnapshot struct {
	null     lua.LValue
	contents []*content
	root     int
	gone     []string
	types    map[string]keep.Type
}

// Snapshot returns what the last walk has found, which must be finished.
func (k *Kept) Snapshot() *KeptSnapshot {
	root := k.nodes[k.root].index
	c := k.contents[root]
	for name := range k.gone {
		if _, back := slices.BinarySearch(c.names, name); back {
			delete(k.gone, name)
		}
	}
	return &KeptSnapshot{
		null: k.vm.json.null, contents: slices.Clone(k.contents), root: root,
		gone: slices.Sorted(maps.Keys(k.gone)), types: k.schema,
	}
}

// Document returns the data.
func (s *KeptSnapshot) Document() *keep.Document {
	d := &keep.Document{Types: s.types, Nodes: make([]*keep.Node, len(s.contents)), Root: keep.Ref(s.root)}
	for i, c := range s.contents {
		if c == nil {
			continue
		}
		if c.node == nil {
			c.node = s.node(c)
		}
		d.Nodes[i] = c.node
	}
	if len(s.gone) > 0 {
		root := *d.Nodes[s.root]
		root.Fields = slices.Clone(root.Fields)
		for _, name := range s.gone {
			root.Fields = append(root.Fields, keep.Field{Name: name})
		}
		slices.SortFunc(root.Fields, func(a, b keep.Field) int { return cmp.Compare(a.Name, b.Name) })
		d.Nodes[s.root] = &root
	}
	return d
}

func (s *KeptSnapshot) node(c *content) *keep.Node {
	n := &keep.Node{Type: c.typ, Object: c.object}
	at := 0
	for _, name := range c.names {
		if v, ok := s.value(c, at); ok {
			n.Fields = append(n.Fields, keep.Field{Name: name, Value: v})
		}
		at++
	}
	there := 0
	for i := range c.list {
		if c.values[at+i] != lua.LNil {
			there++
		}
	}
	sparse := c.list > 16 && there < c.list/2
	for i := range c.list {
		v, ok := s.value(c, at)
		at++
		switch {
		case !sparse:
			if !ok {
				v = nil
			}
			n.List = append(n.List, v)
		case ok:
			n.Pairs = append(n.Pairs, keep.Pair{Key: float64(i + 1), Value: v})
		}
	}
	for len(n.List) > 0 && n.List[len(n.List)-1] == nil {
		n.List = n.List[:len(n.List)-1]
	}
	for i, key := range c.keys {
		v, ok := s.value(c, at)
		at++
		var k any
		switch key := key.(type) {
		case lua.LNumber:
			k = float64(key)
		case lua.LBool:
			k = bool(key)
		case *lua.LTable:
			if c.keyNodes == nil || c.keyNodes[i] == nil {
				continue
			}
			k = keep.Ref(c.keyNodes[i].index)
		default:
			continue
		}
		if ok {
			n.Pairs = append(n.Pairs, keep.Pair{Key: k, Value: v})
		}
	}
	return n
}

// value is the value at an index, and whether it is data.
func (s *KeptSnapshot) value(c *content, i int) (any, bool) {
	switch v := c.values[i].(type) {
	case lua.LString:
		return string(v), true
	case lua.LNumber:
		return float64(v), true
	case lua.LBool:
		return bool(v), true
	case *lua.LTable:
		if c.nodes != nil && c.nodes[i] != nil {
			return keep.Ref(c.nodes[i].index), true
		}
	case *lua.LUserData:
		if v == s.null {
			return keep.Null{}, true
		}
	}
	return nil, false
}
