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

// rootTags returns the root elements of a template that are displayed, "" for one that another view
// or HTML replaces.
func rootTags(content *html.Node) (tags []string) {
	for c := range content.ChildNodes() {
		switch {
		case c.Type != html.ElementNode || slices.Contains([]string{"script", "style", "template", "link", "meta"}, c.Data):
		case has(c, "ui-view"), has(c, "ui-html"):
			tags = append(tags, "")
		default:
			tags = append(tags, c.Data)
		}
	}
	return tags
}

// Misfit says that the list or view of a binding cannot display a template where it is, or "".
func (b *Binding) Misfit(t *Template) string {
	want := holds[b.holder]
	fits := func(tag string) bool { return tag == "" || slices.Contains(want, tag) }
	if want == nil || len(t.roots) == 0 || slices.ContainsFunc(t.roots, fits) {
		return ""
	}
	// Components find what is inside other elements, and in views there, too.
	if strings.HasPrefix(b.holder, "sl-") && (slices.ContainsFunc(t.Elements, func(e Element) bool { return fits(e.Tag) }) ||
		slices.ContainsFunc(t.Bindings, func(b Binding) bool { return b.Kind <= View || b.Kind == HTML })) {
		return ""
	}
	return fmt.Sprintf("<%s> does not display the <%s> of %s as it should: begin that file's template with <%s>", b.holder, t.roots[0], t.File, want[0])
}
