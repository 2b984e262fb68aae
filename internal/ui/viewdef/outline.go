package viewdef

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ui-mcp/internal/fault"
)

// A Node is an element of a template, or a piece of its text.
type Node struct {
	Tag   string // "" for text
	Text  string // of text, each run of white space as one space
	Attrs []Attribute
	// Element is the element's number, counted as docs/protocol.md says; -1 if it has none.
	Element int
	Slots   []int // the indexes of the element's bindings in the template's Bindings
	Nodes   []Node
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

// Outline returns the template's elements and text, in document order, without what a person never
// sees: scripts, styles, comments. Each call returns a new tree.
func (t *Template) Outline() []Node {
	var def struct{ HTML string }
	if err := json.Unmarshal([]byte("{"+string(t.Def)+"}"), &def); err != nil {
		panic(err) // Parse has produced it
	}
	context := &html.Node{Type: html.ElementNode, Data: "template", DataAtom: atom.Template}
	nodes := fault.Must(html.ParseFragment(strings.NewReader(def.HTML), context)) // Parse has written this string, and reading a string cannot fail
	slots := map[string][]int{}
	for i, b := range t.Bindings {
		k := strconv.Itoa(b.Element)
		slots[k] = append(slots[k], i)
	}
	return outline(nil, nodes, slots)
}

func outline(dst []Node, nodes []*html.Node, slots map[string][]int) []Node {
	for _, n := range nodes {
		switch n.Type {
		case html.TextNode:
			if s := oneSpace(n.Data); s != "" {
				dst = append(dst, Node{Text: s})
			}
		case html.ElementNode:
			switch n.DataAtom {
			case atom.Script, atom.Style, atom.Template, atom.Link, atom.Meta:
				continue
			}
			e := Node{Tag: n.Data, Element: -1}
			for _, a := range n.Attr {
				switch {
				case a.Key == elementAttr:
					e.Slots = slots[a.Val]
					e.Element, _ = strconv.Atoi(a.Val) // Parse has written it
				case !strings.HasPrefix(a.Key, "ui-"):
					e.Attrs = append(e.Attrs, Attribute{a.Key, a.Val})
				}
			}
			e.Nodes = outline(nil, slices.Collect(n.ChildNodes()), slots)
			dst = append(dst, e)
		}
	}
	return dst
}

// oneSpace replaces each run of white space by one space. White space alone becomes a space, too:
// it separates words.
func oneSpace(s string) string {
	var b strings.Builder
	space := false
	for _, r := range s {
		switch r {
		case ' ', '\t', '\r', '\n', '\f':
			if !space {
				b.WriteByte(' ')
			}
			space = true
		default:
			b.WriteRune(r)
			space = false
		}
	}
	return b.String()
}

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
