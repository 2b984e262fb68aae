package viewdef

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A Node is an element of a template, or a piece of its text.
type Node struct {
	Tag   string // "" for text
	Text  string // of text, each run of white space as one space
	Attrs []Attribute
	Line  int // of its start tag in the template's file; 0 for an element that is not written there
	// Element is the element's number, counted as docs/protocol.md says; -1 if it has none.
	Element int
	Slots   []int // the indexes of the element's bindings in the template's Bindings
	Parent  *Node // nil for a root
	Nodes   []*Node
	Unseen  bool // a person never sees it, such as a script: no other element has it among its nodes
}

// Attr returns an attribute as it is written.
func (n *Node) Attr(name string) (value string, ok bool) {
	if i := slices.IndexFunc(n.Attrs, func(a Attribute) bool { return a.Name == name }); i >= 0 {
		return n.Attrs[i].Value, true
	}
	return "", false
}

// Type returns the type of an element, such as "checkbox", in lower case.
func (n *Node) Type() string {
	kind, _ := n.Attr("type")
	return strings.ToLower(kind)
}

// IsToggle reports whether an element is a checkbox or radio button of HTML.
func (n *Node) IsToggle() bool {
	return n.Tag == "input" && (n.Type() == "checkbox" || n.Type() == "radio")
}

// IsRadio reports whether an element is a radio button of HTML.
func (n *Node) IsRadio() bool { return n.Tag == "input" && n.Type() == "radio" }

// An Attribute is written in the template and is not a binding.
type Attribute struct{ Name, Value string }

// Numbered returns the element with a number, or nil.
func (t *Template) Numbered(number int) *Node {
	if number < 0 || number >= len(t.numbered) {
		return nil
	}
	return t.numbered[number]
}

// First returns the first element that a person may see, or nil.
func (t *Template) First() *Node {
	for _, n := range t.Nodes {
		if n.Tag != "" {
			return n
		}
	}
	return nil
}

// whiteSpace is a run of white space, which pages display as one space. White space alone is one,
// too: it separates words.
var whiteSpace = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[ \t\r\n\f]+`) })

// IsControl reports whether a person acts on an element with this tag, even if it has no bindings.
func IsControl(tag string) bool {
	switch tag {
	case "button", "summary", "sl-button", "sl-icon-button", "sl-menu-item", "sl-tab":
		return true
	}
	return Editable(tag)
}

// IsOption reports whether a person chooses among elements with this tag.
func IsOption(tag string) bool {
	return tag == "option" || tag == "sl-option" || tag == "sl-radio" || tag == "sl-radio-button"
}

// IsChooser reports whether the value of an element with this tag names options inside it.
func IsChooser(tag string) bool {
	return tag == "select" || tag == "sl-select" || tag == "sl-radio-group"
}

// IsSwitch reports whether the value of an element with this tag, a component, says whether it is
// checked.
func IsSwitch(tag string) bool { return tag == "sl-checkbox" || tag == "sl-switch" }

// IsCover reports whether an element with this tag covers what is outside while it is open.
func IsCover(tag string) bool { return tag == "sl-dialog" || tag == "sl-drawer" }
