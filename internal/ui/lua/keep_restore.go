package lua

import (
	"slices"
	"strings"
	"weak"

	lua "github.com/yuin/gopher-lua"
)

// Restore gives the object the data of a file. Objects that were made for another declaration of
// their type are outdated until their mutate has succeeded, as those of a file that is saved again.
// Tables that are already there stay the same where the file has their like, so that what else
// refers to them, such as the rows of a page, does not lose them.
//
// The first time, the object keeps what the file does not mention: the file may be older than a new
// field. Later the file counts.
func (k *Kept) Restore(d *KeptData, first bool) {
	r := restorer{k: k, KeptData: d, first: first, now: map[lua.LValue]*lua.LTable{}, taken: map[*lua.LTable]bool{}}
	if first {
		k.gone = map[string]bool{}
	}
	r.take(d.root, k.root)
	r.match()
	r.fill()
	_ = k.vm.migrate(false, k.vm.loading > 0) // Unmoved tells
}

type restorer struct {
	k *Kept
	*KeptData
	first bool
	now   map[lua.LValue]*lua.LTable // the tables that were there, by those of the file
	taken map[*lua.LTable]bool       // those that were there
	todo  []*lua.LTable
}

func (r *restorer) take(tb, existing *lua.LTable) {
	r.now[tb], r.taken[existing] = existing, true
	r.todo = append(r.todo, tb)
}

// offer takes an existing value for one of the file if both are tables of one type, and reports
// whether it is.
func (r *restorer) offer(v, existing lua.LValue) bool {
	tb, table := v.(*lua.LTable)
	old, table2 := existing.(*lua.LTable)
	if !table || !table2 || r.now[tb] != nil || r.taken[old] || !r.k.vm.isData(old) || r.k.vm.prototypeOf(old) != nil || r.k.typeOf(old) != r.typ[tb] {
		return false
	}
	r.take(tb, old)
	return true
}

// here is a value of the file with the table that was there.
func (r *restorer) here(v lua.LValue) lua.LValue {
	if tb := r.now[v]; tb != nil {
		return tb
	}
	return v
}

// match finds the tables that are already there.
func (r *restorer) match() {
	for len(r.todo) > 0 {
		tb := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		now := r.now[tb]
		var rows []lua.LValue
		for _, e := range entries(tb) {
			switch _, name := e.key.(lua.LString); {
			case !name && r.first: // else the rows belong to an object that is new
			case e.key == lua.LNumber(len(rows)+1):
				rows = append(rows, e.value)
			default:
				r.offer(e.value, now.RawGet(e.key))
			}
		}
		r.matchRows(rows, now)
		for i := 0; i < len(r.keyed) && len(r.todo) == 0 && !r.first; i++ {
			if p := r.keyed[i]; r.now[p.in] != nil {
				r.offer(p.value, r.now[p.in].RawGet(r.here(p.key)))
			}
		}
	}
}

// matchRows finds the rows of a list: first those that are the same, then those that follow the
// same one.
func (r *restorer) matchRows(rows []lua.LValue, now *lua.LTable) {
	known := map[string][]int{} // the indexes of rows
	for i := 1; len(rows) > 0 && i <= now.MaxN(); i++ {
		if row, ok := now.RawGetInt(i).(*lua.LTable); ok {
			s := signature(r.k.typeOf(row), row)
			known[s] = append(known[s], i)
		}
	}
	at := make([]int, len(rows)) // where each was, or 0
	for i, v := range rows {
		row, ok := v.(*lua.LTable)
		if !ok || r.now[row] != nil {
			continue
		}
		s := signature(r.typ[row], row)
		if same := known[s]; len(same) > 0 {
			r.offer(row, now.RawGetInt(same[0]))
			at[i], known[s] = same[0], same[1:]
		}
	}
	last := 0
	for i, v := range rows {
		if at[i] != 0 {
			last = at[i]
		} else if r.offer(v, now.RawGetInt(last+1)) {
			last++
		}
	}
}

// signature is the scalars of an object as a text.
func signature(typ string, tb *lua.LTable) string {
	var list []string
	for _, e := range entries(tb) {
		name, _ := e.key.(lua.LString)
		if typ != "" && strings.HasPrefix(string(name), "_") || !isScalar(e.key) {
			continue
		}
		b := append(appendKept(nil, e.key), '=')
		switch {
		case isScalar(e.value):
			b = appendKept(b, e.value)
		case e.value.Type() != lua.LTTable:
			continue
		}
		list = append(list, string(b))
	}
	slices.Sort(list)
	return typ + strings.Join(list, ",")
}

// fill gives all tables their values.
func (r *restorer) fill() {
	object := lua.LValue(r.k.vm.json.object)
	for _, tb := range r.tables {
		to := tb
		if r.now[tb] != nil {
			to = r.now[tb]
		}
		switch typ := r.typ[tb]; {
		case typ != "":
			if p := r.k.vm.prototypes[typ]; p != nil && to == tb {
				r.k.vm.create(p.table, tb)
			}
			r.version(tb, to)
		case to.Metatable == lua.LNil || to.Metatable == object:
			to.Metatable = tb.Metatable
		}
		if to != tb && (!r.first || to != r.k.root) {
			r.remove(tb, to)
		}
		for _, e := range entries(tb) {
			if v := r.here(e.value); to != tb || v != e.value {
				to.RawSet(e.key, v)
			}
		}
	}
	for _, p := range r.keyed {
		r.here(p.in).(*lua.LTable).RawSet(r.here(p.key), r.here(p.value))
	}
	for _, name := range r.gone {
		r.k.root.RawSetString(name, lua.LNil)
		r.k.gone[name] = true
	}
}

// remove removes the values of an existing table that one of the file does not have.
func (r *restorer) remove(tb, existing *lua.LTable) {
	length := tb.MaxN()
	for _, e := range entries(existing) {
		switch key := e.key.(type) {
		case lua.LString:
			private := r.typ[tb] != "" && strings.HasPrefix(string(key), "_")
			if private || isFunction(e.value) || tb.RawGetString(string(key)) != lua.LNil {
				continue
			}
		case lua.LNumber:
			if i := int(key); float64(i) == float64(key) && i >= 1 && i <= length && tb.RawGetInt(i) != lua.LNil {
				continue
			}
		}
		existing.RawSet(e.key, lua.LNil)
	}
}

// version records for which declaration of its type an object was made.
func (r *restorer) version(tb, to *lua.LTable) {
	vm, w, typ := r.k.vm, weak.Make(to), r.typ[tb]
	was := r.was[tb]
	if was == nil {
		was = r.types[typ]
	}
	vm.declared++
	delete(vm.outdated, w)
	now, declared := vm.declaration(typ)
	switch {
	case !declared:
		vm.strangers[w] = stranger{typ, was}
	case was != nil && (!was.same(now) || vm.loading > 0 && now[mutateMark] == ""): // mutate may follow
		vm.outdated[w] = outdated{was: was}
	}
}
