package viewdef

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// holds are the elements that display only certain elements, the most usual one first. Anything
// else in them is displayed nowhere, in a wrong place, or so that nobody can choose it.
var holds = map[string][]string{
	"select":   {"option", "optgroup", "hr"},
	"optgroup": {"option"},
	"datalist": {"option"},

	"table":    {"tr", "tbody", "thead", "tfoot", "caption", "colgroup"},
	"thead":    {"tr"},
	"tbody":    {"tr"},
	"tfoot":    {"tr"},
	"tr":       {"td", "th"},
	"colgroup": {"col"},

	"svg": {"svg"}, // in a view definition of its own, <rect> is an unknown element of HTML

	"sl-select":      {"sl-option"},
	"sl-radio-group": {"sl-radio", "sl-radio-button"},
	"sl-menu":        {"sl-menu-item", "sl-menu-label", "sl-divider"},
	"sl-tree":        {"sl-tree-item"},
	"sl-carousel":    {"sl-carousel-item"},
}

// holderOf returns what holds has about the content of an element, as its key, or "".
func holderOf(n *html.Node) string {
	tag := n.Data
	if n.Namespace == "svg" && tag != "foreignObject" {
		tag = "svg"
	}
	if holds[tag] == nil {
		return ""
	}
	return tag
}

// Misfit says that the list or view of a binding cannot display a template where it is, or "".
func (b *Binding) Misfit(t *Template) string {
	want := holds[b.holder]
	fits := func(n *Node) bool {
		return slices.Contains(want, n.Tag) || slices.ContainsFunc(n.Slots, func(i int) bool { k := t.Bindings[i].Kind; return k == View || k == HTML })
	}
	first := t.First()
	if want == nil || first == nil || slices.ContainsFunc(t.Nodes, fits) {
		return ""
	}
	// Components find what is inside other elements, and in views there, too.
	if strings.HasPrefix(b.holder, "sl-") && (slices.ContainsFunc(t.Elements, fits) ||
		slices.ContainsFunc(t.Bindings, func(b Binding) bool { return b.Kind <= View || b.Kind == HTML })) {
		return ""
	}
	return fmt.Sprintf("<%s> does not display the <%s> of %s as it should: begin that file's template with <%s>", b.holder, first.Tag, t.File, want[0])
}
