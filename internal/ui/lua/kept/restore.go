package kept

import (
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Restore gives the object the data of a file. Objects that were made for another declaration of
// their type are outdated until their mutate has succeeded, as those of a file that is saved again.
// Tables that are already there stay the same where the file has their like, so that what else
// refers to them, such as the rows of a page, does not lose them.
//
// The first time, the object keeps what the file does not mention: the file may be older than a new
// field. Later the file counts.
func (k *Graph) Restore(d *Data, first bool) {
	r := restorer{k: k, Data: d, first: first, now: map[lua.LValue]*lua.LTable{}, taken: map[*lua.LTable]bool{}}
	if first {
		k.gone = map[string]bool{}
	}
	r.take(d.root, k.root)
	r.match()
	r.fill()
	k.app.Migrate() // Unmoved tells what failed
}

type restorer struct {
	k *Graph
	*Data
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
	if !table || !table2 || r.now[tb] != nil || r.taken[old] || r.k.app.NotData(old) != "" || r.k.typeOf(old) != r.typ[tb] {
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
		for _, e := range Entries(tb) {
			switch _, name := e.Key.(lua.LString); {
			case !name && r.first: // else the rows belong to an object that is new
			case e.Key == lua.LNumber(len(rows)+1):
				rows = append(rows, e.Value)
			default:
				r.offer(e.Value, now.RawGet(e.Key))
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
	for _, e := range Entries(tb) {
		name, _ := e.Key.(lua.LString)
		if typ != "" && strings.HasPrefix(string(name), "_") || !isScalar(e.Key) {
			continue
		}
		b := append(appendValue(nil, e.Key), '=')
		switch {
		case isScalar(e.Value):
			b = appendValue(b, e.Value)
		case e.Value.Type() != lua.LTTable:
			continue
		}
		list = append(list, string(b))
	}
	slices.Sort(list)
	return typ + strings.Join(list, ",")
}

// fill gives all tables their values.
func (r *restorer) fill() {
	object := lua.LValue(r.k.app.Object)
	for _, tb := range r.tables {
		to := tb
		if r.now[tb] != nil {
			to = r.now[tb]
		}
		switch typ := r.typ[tb]; {
		case typ != "":
			was := r.was[tb]
			if was == nil {
				was = r.types[typ]
			}
			r.k.app.Restored(to, typ, was, to == tb)
		case to.Metatable == lua.LNil || to.Metatable == object:
			to.Metatable = tb.Metatable
		}
		if to != tb && (!r.first || to != r.k.root) {
			r.remove(tb, to)
		}
		for _, e := range Entries(tb) {
			if v := r.here(e.Value); to != tb || v != e.Value {
				to.RawSet(e.Key, v)
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
	for _, e := range Entries(existing) {
		switch key := e.Key.(type) {
		case lua.LString:
			private := r.typ[tb] != "" && strings.HasPrefix(string(key), "_")
			if private || e.Value.Type() == lua.LTFunction || tb.RawGetString(string(key)) != lua.LNil {
				continue
			}
		case lua.LNumber:
			if i := int(key); float64(i) == float64(key) && i >= 1 && i <= length && tb.RawGetInt(i) != lua.LNil {
				continue
			}
		}
		existing.RawSet(e.Key, lua.LNil)
	}
}

// An Entry is a key of a table with its value.
type Entry struct{ Key, Value lua.LValue }

// Entries are all entries of a table.
func Entries(tb *lua.LTable) (list []Entry) {
	tb.ForEach(func(k, v lua.LValue) { list = append(list, Entry{k, v}) })
	return list
}
