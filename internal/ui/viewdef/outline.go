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
