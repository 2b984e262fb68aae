package variable

import (
	"slices"
	"strings"

	"ui-mcp/internal/finding"
	"ui-mcp/internal/ui/viewdef"
)

// PlaceOf returns where an element is written, whose number is counted as
// [viewdef.Template.Elements] is. ok is false when its instance does not exist any more.
func (t *Tree) PlaceOf(e finding.Element) (p finding.Place, ok bool) {
	in := t.instances[e.Instance]
	if in == nil {
		return finding.Place{}, false
	}
	p = finding.Place{Path: strings.TrimSpace(t.showing(in).path), File: in.plan.tmpl.File}
	if all := in.plan.tmpl.Elements; e.Number >= 0 && e.Number < len(all) && all[e.Number].Tag == e.Tag {
		p.Line = all[e.Number].Line
	}
	return p, true
}

// maxArea bounds the instances of an area: pages draw what they need from the first ones.
const maxArea = 1000

// AreaOf returns what a path of [OutlineOptions] or a reference, which starts with @, leads to; ""
// is everything.
func (t *Tree) AreaOf(path string) (finding.Area, error) {
	if strings.HasPrefix(path, "@") {
		e, r, err := t.Referred(path)
		if err != nil {
			return finding.Area{}, err
		}
		if r.Target.Element == hostElement {
			return areaBelow(e.in), nil
		}
		return areaOf(e.in, r.Target.Element), nil
	}
	at, err := t.find(path)
	if err != nil {
		return finding.Area{}, err
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
func areaOf(in *instance, bound int) finding.Area {
	i := slices.IndexFunc(in.plan.tmpl.Elements, func(n *viewdef.Node) bool { return n.Element == bound })
	return finding.Area{Instances: []int64{in.id}, Element: i}
}

func areaBelow(top *instance) finding.Area {
	a := finding.Area{Element: -1}
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
