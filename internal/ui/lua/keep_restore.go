package lua

import (
	"slices"
	"strings"
	"weak"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/ui/keep"
)

// Restore gives the object the data of a file. Objects that were made for another declaration of
// their type are outdated until their mutate has succeeded, as those of a file that is saved again.
// Tables that are already there stay the same where the file has their like, so that what else
// refers to them, such as the rows of a page, does not lose them.
//
// The first time, the object keeps what the file does not mention: the file may be older than a new
// field. Later the file counts.
func (k *Kept) Restore(d *keep.Document, first bool) {
	r := restorer{k: k, doc: d, first: first, tables: make([]*lua.LTable, len(d.Nodes)), taken: map[*lua.LTable]bool{}}
	if first {
		k.gone = map[string]bool{}
	}
	r.take(d.Root, k.root)
	r.match()
	r.fill()
	_ = k.vm.migrate(false, k.vm.loading > 0) // Unmoved tells
}

// A restorer restores one document.
type restorer struct {
	k      *Kept
	doc    *keep.Document
	first  bool
	tables []*lua.LTable // by Ref
	taken  map[*lua.LTable]bool
	todo   []keep.Ref
}

// take uses an existing table for a node.
func (r *restorer) take(ref keep.Ref, tb *lua.LTable) {
	r.tables[ref], r.taken[tb] = tb, true
	r.todo = append(r.todo, ref)
}

// offer takes an existing value for the table of a node, if it can be, and reports whether it is.
func (r *restorer) offer(v any, existing lua.LValue) bool {
	ref, ok := v.(keep.Ref)
	tb, table := existing.(*lua.LTable)
	if !ok || !table || !r.fits(ref, tb) {
		return false
	}
	r.take(ref, tb)
	return true
}

// fits reports whether an existing table can be used for a node.
func (r *restorer) fits(ref keep.Ref, tb *lua.LTable) bool {
	return r.tables[ref] == nil && !r.taken[tb] && r.k.vm.isData(tb) && r.k.vm.prototypeOf(tb) == nil &&
		r.k.typeOf(tb) == r.doc.Nodes[ref].Type
}

// match finds the tables that are already there.
func (r *restorer) match() {
	for len(r.todo) > 0 {
		ref := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		n, tb := r.doc.Nodes[ref], r.tables[ref]
		for _, f := range n.Fields {
			r.offer(f.Value, tb.RawGetString(f.Name))
		}
		if !r.first { // else the rows belong to an object that is new
			r.matchList(n, tb)
			for _, p := range n.Pairs {
				if key := r.key(p.Key); key != nil {
					r.offer(p.Value, tb.RawGet(key))
				}
			}
		}
	}
}

// matchList finds the rows of a list: first those that are the same, then those that follow the
// same one.
func (r *restorer) matchList(n *keep.Node, tb *lua.LTable) {
	length := tb.MaxN()
	known := map[string][]int{} // the indexes of rows
	for i := 1; i <= length; i++ {
		row, _ := tb.RawGetInt(i).(*lua.LTable)
		if node := r.k.nodes[row]; node != nil && r.k.contents[node.index] != nil {
			s := signature((&KeptSnapshot{null: r.k.vm.json.null}).node(r.k.contents[node.index]))
			known[s] = append(known[s], i)
		}
	}
	at := make([]int, len(n.List)) // where each was, or 0
	for i, v := range n.List {
		ref, ok := v.(keep.Ref)
		if !ok || r.tables[ref] != nil {
			continue
		}
		s := signature(r.doc.Nodes[ref])
		if rows := known[s]; len(rows) > 0 {
			r.offer(ref, tb.RawGetInt(rows[0]))
			at[i], known[s] = rows[0], rows[1:]
		}
	}
	last := 0
	for i, v := range n.List {
		if at[i] != 0 {
			last = at[i]
		} else if row := tb.RawGetInt(last + 1); r.offer(v, row) {
			last++
		}
	}
}

// signature is the scalars of a table as a text.
func signature(n *keep.Node) string {
	b := []byte(n.Type)
	add := func(v any) {
		if _, table := v.(keep.Ref); table {
			b = append(b, '#')
		} else {
			b = keep.AppendScalar(b, v)
		}
		b = append(b, ',')
	}
	for _, v := range n.List {
		add(v)
	}
	for _, f := range n.Fields {
		b = append(append(b, f.Name...), '=')
		add(f.Value)
	}
	return string(b)
}

// key is the key of a pair, or nil if its table is not there.
func (r *restorer) key(v any) lua.LValue {
	if ref, ok := v.(keep.Ref); ok {
		if tb := r.tables[ref]; tb != nil {
			return tb
		}
		return nil
	}
	return r.value(v)
}

// fill makes the tables that are missing, and gives all their values.
func (r *restorer) fill() {
	for ref, n := range r.doc.Nodes {
		if n != nil && r.tables[ref] == nil {
			r.tables[ref] = r.newTable(n)
		}
	}
	for ref, n := range r.doc.Nodes {
		if n == nil {
			continue
		}
		tb := r.tables[ref]
		switch object := lua.LValue(r.k.vm.json.object); {
		case n.Type != "":
			r.version(n, tb)
		case n.Object && tb.Metatable == lua.LNil:
			tb.Metatable = object
		case !n.Object && tb.Metatable == object:
			tb.Metatable = lua.LNil
		}
		if !r.first || tb != r.k.root {
			r.remove(n, tb)
		}
		for _, f := range n.Fields {
			tb.RawSetString(f.Name, r.value(f.Value))
			if tb == r.k.root && f.Value == nil {
				r.k.gone[f.Name] = true
			}
		}
		for i, v := range n.List {
			tb.RawSetInt(i+1, r.value(v))
		}
		for i := tb.MaxN(); i > len(n.List); i-- {
			tb.RawSetInt(i, lua.LNil)
		}
		for _, p := range n.Pairs {
			tb.RawSet(r.value(p.Key), r.value(p.Value))
		}
	}
}

// remove removes the values of an existing table that a node does not have.
func (r *restorer) remove(n *keep.Node, tb *lua.LTable) {
	if !r.taken[tb] {
		return
	}
	for _, e := range entries(tb) {
		switch key := e.key.(type) {
		case lua.LString:
			_, there := slices.BinarySearchFunc(n.Fields, string(key), func(f keep.Field, name string) int { return strings.Compare(f.Name, name) })
			if !there && (n.Type == "" || !strings.HasPrefix(string(key), "_")) && !isFunction(e.value) {
				tb.RawSetString(string(key), lua.LNil)
			}
		case lua.LNumber:
			if i := int(key); float64(i) == float64(key) && i >= 1 && i <= len(n.List) {
				continue // is set anyway
			}
			tb.RawSet(key, lua.LNil)
		default:
			tb.RawSet(key, lua.LNil)
		}
	}
}

func (r *restorer) newTable(n *keep.Node) *lua.LTable {
	vm := r.k.vm
	if p := vm.prototypes[n.Type]; p != nil && n.Type != "" {
		return vm.create(p.table, nil)
	}
	return vm.state.NewTable()
}

// version records for which declaration of its type an object was made.
func (r *restorer) version(n *keep.Node, tb *lua.LTable) {
	vm, w := r.k.vm, weak.Make(tb)
	was := r.doc.Types[n.Type]
	if n.Was != nil {
		was = *n.Was
	}
	vm.declared++
	delete(vm.outdated, w)
	now, declared := vm.declaration(n.Type)
	switch {
	case !declared:
		vm.strangers[w] = stranger{n.Type, was}
	case was.Fields != nil && (!was.Same(now) || vm.loading > 0 && !now.Mutates): // mutate may follow
		vm.outdated[w] = outdated{was: was}
	}
}

func (r *restorer) value(v any) lua.LValue {
	switch v := v.(type) {
	case keep.Ref:
		return r.tables[v]
	case keep.Null:
		return r.k.vm.json.null
	}
	return r.k.vm.lua(v)
}
