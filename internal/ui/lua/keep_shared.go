package lua

import (
	"cmp"
	"fmt"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

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
	with := map[*keptNode]string{} // the other's name
	for tb := range k.shared {
		if other := k.sharing(tb); other != nil && k.nodes[tb] != nil {
			with[k.nodes[tb]] = other.name
		} else {
			delete(k.shared, tb)
		}
	}
	if len(with) == 0 {
		return nil
	}
	places := map[string]string{} // by the other's name
	note := func(n *keptNode, place string) {
		if other := with[n]; other != "" && (places[other] == "" || place < places[other]) {
			places[other] = place
		}
	}
	note(k.nodes[k.root], "the object itself")
	inner := make([]bool, len(k.contents)) // what a shared table has is shared anyway
	for n := range with {
		inner[n.index] = true
	}
	for i, c := range k.contents {
		if c == nil || inner[i] {
			continue
		}
		for i, n := range c.nodes {
			if with[n] != "" {
				note(n, c.nameOf(i))
			}
		}
		for _, n := range c.keyNodes {
			note(n, "a key of "+cmp.Or(c.typ, "a table"))
		}
	}
	var notes []string
	for other, place := range places {
		notes = append(notes, fmt.Sprintf("%s is kept as part of %q, too: after a restart, these are two tables. Keep one object that has both, or store an ID instead of the table", place, other))
	}
	slices.Sort(notes)
	return notes[:min(len(notes), maxNotes)]
}
