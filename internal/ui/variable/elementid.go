package variable

import (
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
	switch id, _ := in.plan.tmpl.Elements[0].Attr("id"); {
	case inherited.written:
		return inherited
	case id != "":
		return elementID{id, true}
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
	n := in.plan.tmpl.Numbered(in.plan.slots[slot].Element)
	switch id, _ := n.Attr("id"); {
	case n == in.plan.tmpl.Elements[0]:
		return root
	case id != "":
		return elementID{id, true}
	}
	return madeID(in.varID(n.Slots[0]))
}

// inDocument returns the id that the first root element of in, which is root, really has: the
// element may itself be a view, and be replaced by what the view displays.
func (in *instance) inDocument(root elementID) string {
	for _, i := range in.plan.tmpl.Elements[0].Slots {
		if in.plan.slots[i].Kind != viewdef.View {
			continue
		}
		if child, _ := in.vars[i].inside(); child != nil {
			return child.inDocument(child.rootID(root))
		}
	}
	return root.text
}
