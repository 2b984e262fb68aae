package variable

import (
	"slices"
	"strings"

	"ui-mcp/internal/ui/viewdef"
)

// A Place is where an element of a page comes from.
type Place struct {
	Path string // of the view or row that the element is in, from the root
	File string // of its template
	Line int    // 0 if unknown
}

// PlaceOf returns where an element is written: the element of an instance with a number, counted as
// [viewdef.Template.Elements] is, and its tag. ok is false when the instance does not exist any
// more.
func (t *Tree) PlaceOf(inst int64, number int, tag string) (p Place, ok bool) {
	in := t.instances[inst]
	if in == nil {
		return Place{}, false
	}
	p = Place{Path: strings.TrimSpace(t.showing(in).path), File: in.plan.tmpl.File}
	if all := in.plan.tmpl.Elements; number >= 0 && number < len(all) && all[number].Tag == tag {
		p.Line = all[number].Line
	}
	return p, true
}

// An Area is what a path leads to on a page.
type Area struct {
	// Instances are a whole instance, first, and those in it; or the one that Element is in.
	Instances []int64
	// Element is an element of the instance, as [viewdef.Template.Elements] counts; -1 means all of
	// it.
	Element int
}

// maxArea bounds the instances of an area: pages draw what they need from the first ones.
const maxArea = 1000

// AreaOf returns what a path of [OutlineOptions] or a reference, which starts with @, leads to; ""
// is everything.
func (t *Tree) AreaOf(path string) (Area, error) {
	if strings.HasPrefix(path, "@") {
		e, r, err := t.Referred(path)
		if err != nil {
			return Area{}, err
		}
		if r.Target.Element == hostElement {
			return areaBelow(e.in), nil
		}
		return areaOf(e.in, r.Target.Element), nil
	}
	at, err := t.find(path)
	if err != nil {
		return Area{}, err
	}
	top := at.row
	if top == nil {
		if top, _ = at.in.vars[at.slot].inside(); !at.isView() || top == nil {
			return areaOf(at.in, at.in.plan.slots[at.slot].Element), nil
		}
	}
	return areaBelow(top), nil
}

// areaOf returns the element of an instance with a number.
func areaOf(in *instance, bound int) Area {
	i := slices.IndexFunc(in.plan.tmpl.Elements, func(n *viewdef.Node) bool { return n.Element == bound })
	return Area{[]int64{in.id}, i}
}

func areaBelow(top *instance) Area {
	a := Area{Element: -1}
	for next := []*instance{top}; len(next) > 0 && len(a.Instances) < maxArea; next = next[1:] {
		a.Instances = append(a.Instances, next[0].id)
		for i := range next[0].vars {
			child, rows := next[0].vars[i].inside()
			if child != nil {
				next = append(next, child)
			}
			for _, r := range rows {
				next = append(next, r.inst)
			}
		}
	}
	return a
}
