package variable

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/viewdef"
)

// A target is what an outline's path leads to: the row row, or the binding in.vars[slot].
type target struct {
	in   *instance
	slot int
	row  *instance
	path string
}

func (at target) isList() bool {
	return at.row == nil && at.in.plan.slots[at.slot].Kind == viewdef.List
}

func (at target) isView() bool {
	return at.row == nil && at.in.plan.slots[at.slot].Kind == viewdef.View
}

// find follows an outline's path. If it leads nowhere, the error is a fault.NotFound that lists
// what is there instead; for an id, a fault.Gone, since ids end by themselves.
func (t *Tree) find(path string) (target, error) {
	path = strings.TrimPrefix(strings.TrimSpace(path), "#")
	at := target{in: &t.root}
	if path == "" {
		return at, nil
	}
	if id, err := strconv.ParseInt(path, 10, 64); err == nil {
		return t.findID(id)
	}
	at, rest := at.follow(path)
	if rest != "" {
		return target{}, fault.New(fault.NotFound, "nothing at %q%s; there is %s",
			path, after(at.path), cmp.Or(strings.Join(at.steps(), ", "), "nothing below"))
	}
	return at, nil
}

// follow follows a path as far as it leads, and returns the rest.
func (at target) follow(path string) (end target, rest string) {
	for path != "" {
		next, remaining, ok := at.step(path)
		if !ok {
			break
		}
		at, path = next, remaining
	}
	return at, path
}

// Reveal prepares the outline of a row of a windowed list that no page has asked for. It reports
// whether it found such a row on the path; the next scan mounts it, and the path may lead to
// another such row then. The row stays mounted until the path of another call leads to such a row
// and restart is set.
func (t *Tree) Reveal(path string, restart bool) bool {
	path = strings.TrimPrefix(strings.TrimSpace(path), "#")
	if _, err := strconv.ParseInt(path, 10, 64); err == nil {
		return false // the id of something that is mounted
	}
	at, rest := target{in: &t.root}.follow(path)
	w := at.window()
	if rest == "" || w == nil {
		return false
	}
	first, _, _ := strings.Cut(rest, ".")
	k, err := strconv.Atoi(first)
	if err != nil || k < 0 || k >= w.total {
		return false
	}
	if restart {
		for other := range t.windows {
			other.moved = other.moved || other.revealed != span{}
			other.revealed = span{}
		}
	}
	w.revealed, w.moved = span{k, k + 1}, true
	return true
}

func after(path string) string {
	if path == "" {
		return ""
	}
	return " after " + path
}

// step follows the next binding or row of a path.
func (at target) step(path string) (next target, rest string, ok bool) {
	in, list := at.content()
	if list != nil {
		first, rest, _ := strings.Cut(path, ".")
		_, rows := list.inside()
		for _, r := range rows {
			if k, err := strconv.Atoi(first); err == nil && r.inst.row() == k {
				return target{row: r.inst, path: join(at.path, first)}, rest, true
			}
		}
	}
	if in == nil {
		return target{}, "", false
	}
	length := -1
	for i := range in.plan.slots {
		name := in.plan.slots[i].Path.Bare
		if len(name) > length && (path == name || strings.HasPrefix(path, name+".")) {
			length = len(name)
			next = target{in: in, slot: i, path: join(at.path, name)}
		}
	}
	if length < 0 {
		return target{}, "", false
	}
	return next, strings.TrimPrefix(path[length:], "."), true
}

// window returns the window of a target that is a windowed list, or nil.
func (at target) window() *window {
	if _, list := at.content(); list != nil && list.more != nil {
		return list.window
	}
	return nil
}

// content returns what a target displays: an instance, or the variable of a list. A list's own
// views are passed through.
func (at target) content() (in *instance, list *variable) {
	in = at.row
	if in == nil {
		v := &at.in.vars[at.slot]
		if at.isList() {
			return nil, v
		}
		in, _ = v.inside()
	}
	for in != nil && isNative(in.obj) {
		inner := slices.IndexFunc(in.plan.slots, func(s slot) bool { return s.Kind <= viewdef.View })
		if inner < 0 {
			return in, nil
		}
		v := &in.vars[inner]
		if in.plan.slots[inner].Kind == viewdef.List {
			return nil, v
		}
		child, _ := v.inside()
		if child == nil {
			return in, nil
		}
		in = child
	}
	return in, nil
}

// steps lists the paths that can follow, for a message.
func (at target) steps() []string {
	in, list := at.content()
	var out []string
	switch {
	case at.window() != nil && at.window().total > 0:
		return []string{"0 to " + strconv.Itoa(at.window().total-1)}
	case list != nil:
		if _, rows := list.inside(); len(rows) > 0 {
			return []string{strconv.Itoa(rows[0].inst.row()) + " to " + strconv.Itoa(rows[len(rows)-1].inst.row())}
		}
	case in != nil:
		seen := map[string]bool{}
		for i := range in.plan.slots {
			if name := in.plan.slots[i].Path.Bare; !seen[name] && len(out) < 30 {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}

// findID returns the instance or variable that has a number, as /variables.json numbers them.
func (t *Tree) findID(id int64) (target, error) {
	in, slot, err := t.byID(id)
	switch {
	case err != nil:
		return target{}, err
	case slot < 0:
		return t.showing(in), nil
	}
	around := t.showing(in)
	return target{in: in, slot: slot, path: join(around.path, in.plan.slots[slot].Path.Bare)}, nil
}

// byID finds an instance, with the slot -1, or the instance and slot of a variable.
func (t *Tree) byID(id int64) (in *instance, slot int, err error) {
	if id == rootID {
		return &t.root, 0, nil
	}
	// Ids of variables follow the id of their instance.
	for n := range int64(t.maxSlots) + 1 {
		if in := t.instances[id-n]; in != nil && n <= int64(len(in.vars)) {
			return in, int(n) - 1, nil
		}
	}
	return nil, 0, fault.New(fault.Gone, "nothing has the id %d now: views that are shown again have new ids; ui_inspect has them", id)
}

// showing returns the view or row that displays an instance, with its path from the root.
func (t *Tree) showing(in *instance) target {
	if in.parent == nil {
		return target{in: &t.root}
	}
	path := t.showing(in.parent).path
	if !isNative(in.parent.obj) {
		path = join(path, in.parent.plan.slots[in.slot].Path.Bare)
	}
	if in.index == noRow {
		return target{in: in.parent, slot: int(in.slot), path: path}
	}
	return target{row: in, path: join(path, strconv.Itoa(in.row()))}
}
