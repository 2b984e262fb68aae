package variable

import (
	"slices"
	"strconv"

	"ui-mcp/internal/ui/viewdef"
)

// An elementID is the id of an element in pages, which know the rules, too: docs/protocol.md has
// them. The zero elementID stands for no element of ours.
type elementID struct {
	text    string
	written bool // in a view definition, which goes before ids that pages make
}

func madeID(variable int64) elementID {
	return elementID{text: "ui-" + strconv.FormatInt(variable, 10)}
}

// rootID returns the id of the first root element of in, which inherits that of the element that it
// replaces.
func (in *instance) rootID(inherited elementID) elementID {
	switch tmpl := in.plan.tmpl; {
	case inherited.written:
		return inherited
	case tmpl.RootID != "":
		return elementID{tmpl.RootID, true}
	case inherited.text != "":
		return inherited
	}
	return madeID(in.id)
}

// elementID returns the id of the element of a binding. root is the first root element's id.
func (in *instance) elementID(slot int, root elementID) elementID {
	if in.id == 0 {
		return elementID{} // the page's own element, which the first instance does not inherit from
	}
	switch b := in.plan.slots[slot].Binding; {
	case b.Element == in.plan.tmpl.Root:
		return root
	case b.ElementID != "":
		return elementID{b.ElementID, true}
	default:
		return madeID(in.varID(in.plan.first(b.Element)))
	}
}

func (p *plan) first(element int) int {
	return slices.IndexFunc(p.slots, func(s slot) bool { return s.Element == element }) // every element with a number has a slot
}

// inDocument returns the id that the first root element of in, which is root, really has: the
// element may itself be a view, and be replaced by what the view displays.
func (in *instance) inDocument(root elementID) string {
	for i := range in.plan.slots {
		if b := in.plan.slots[i].Binding; b.Element != in.plan.tmpl.Root || b.Kind != viewdef.View {
			continue
		}
		if child, _ := in.vars[i].inside(); child != nil {
			return child.inDocument(child.rootID(root))
		}
	}
	return root.text
}
