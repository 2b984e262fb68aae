package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ui-mcp/internal/finding"
	"ui-mcp/internal/ui/viewdef"
)

// Templates finds what is wrong in view definitions. texts are the sources in which labels may be:
// all that one page may display, such as these view definitions, other apps' and scripts.
func Templates(list []*viewdef.Template, texts []string) (found []finding.Finding) {
	labels := newLabels(texts)
	for _, t := range list {
		for _, e := range t.Elements {
			if e.Unseen {
				continue
			}
			add := func(code, what, instead string) {
				found = append(found, finding.Finding{Code: code, File: t.File, Line: e.Line, What: what, Instead: instead})
			}
			if b := clicked(t, e); b != nil {
				add("not-a-control", fmt.Sprintf("<%s %s> cannot be reached by keyboard", e.Tag, b.Source), "use a <button>, or give it a role, a tabindex and keys")
			}
			if what := labels.unlabelled(t, e); what != "" {
				add("unlabelled", what, "put it into a <label> with a text, or add an aria-label")
			}
		}
	}
	return found
}

// has reports whether an element has an attribute, written or bound.
func has(t *viewdef.Template, n *viewdef.Node, names ...string) bool {
	for _, name := range names {
		if _, ok := n.Attr(name); ok {
			return true
		}
		for _, i := range n.Slots {
			if b := &t.Bindings[i]; b.Kind == viewdef.Attr && b.Name == name {
				return true
			}
		}
	}
	return false
}

// clickable are the elements, beside controls, that a person can click without a mouse, or that
// pass clicks on to a control.
var clickable = []string{"summary", "label", "option", "area", "iframe", "video", "audio", "dialog", "details", "optgroup"}

// clicked returns the binding through which an element reacts to clicks that only a mouse can make,
// or nil.
func clicked(t *viewdef.Template, e *viewdef.Node) *viewdef.Binding {
	if viewdef.IsControl(e.Tag) || slices.Contains(clickable, e.Tag) || strings.Contains(e.Tag, "-") {
		return nil
	}
	if e.Tag == "a" && has(t, e, "href") || has(t, e, "tabindex", "role", "contenteditable") {
		return nil
	}
	for _, i := range e.Slots {
		b := &t.Bindings[i]
		switch {
		case b.Kind == viewdef.Action && (e.Tag != "form" || !holds(e, isControl)):
			return b
		case b.Kind == viewdef.Event && b.Name == "click" && !holds(e, isControl) && !inControl(e):
			return b // else a control inside may do the same, or it reacts to what that does
		}
	}
	return nil
}

func isControl(n *viewdef.Node) bool { return viewdef.IsControl(n.Tag) || n.Tag == "a" }

func inControl(e *viewdef.Node) bool {
	for p := e.Parent; p != nil; p = p.Parent {
		if isControl(p) {
			return true
		}
	}
	return false
}

// holds reports whether an element below n is as wanted.
func holds(n *viewdef.Node, wanted func(*viewdef.Node) bool) bool {
	for _, c := range n.Nodes {
		if c.Tag != "" && (wanted(c) || holds(c, wanted)) {
			return true
		}
	}
	return false
}

// labels are the ids of elements that labels name, in all documents.
type labels struct {
	fors map[string]bool
	open bool // elements may get other ids
}

var (
	forAttr = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\bfor\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>=]+))`)
	})
	madeID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`ui-attr-id\b|setAttribute\(\s*["']id["']|\.id\s*=`) })
)

func newLabels(texts []string) *labels {
	x := &labels{fors: map[string]bool{}}
	for _, text := range texts {
		for _, m := range forAttr().FindAllStringSubmatch(text, -1) {
			x.fors[m[1]+m[2]+m[3]] = true
		}
		x.open = x.open || madeID().MatchString(text)
	}
	return x
}

var named = []string{"aria-label", "aria-labelledby", "title", "label", "placeholder", "alt"}

// unlabelled says that a control has no name, or "".
func (x *labels) unlabelled(t *viewdef.Template, e *viewdef.Node) string {
	if !viewdef.IsControl(e.Tag) || has(t, e, named...) || has(t, e, "hidden", "aria-hidden") {
		return ""
	}
	kind := e.Type()
	switch {
	case e.Tag == "input" && (kind == "hidden" || kind == "submit" || kind == "reset"):
		return ""
	case e.Tag == "input" && kind == "button":
		if has(t, e, "value") || bound(t, e) {
			return ""
		}
		return "this button has no text"
	}
	if id, ok := e.Attr("id"); ok && (x.fors[id] || x.open) || has(t, e, "id") && !ok {
		return ""
	}
	editable := viewdef.Editable(e.Tag)
	if (!editable || viewdef.IsSwitch(e.Tag)) && says(t, e, nil) {
		return ""
	}
	for p := e.Parent; p != nil; p = p.Parent {
		if p.Tag == "label" && editable && says(t, p, e) || strings.Contains(p.Tag, "-") && !strings.HasPrefix(p.Tag, "sl-") {
			return ""
		}
	}
	what := "<" + e.Tag
	if kind != "" {
		what += fmt.Sprintf(" type=%q", kind)
	}
	for _, i := range e.Slots {
		if b := &t.Bindings[i]; b.Kind == viewdef.Value || b.Kind == viewdef.Action {
			what += " " + b.Source
			break
		}
	}
	if editable {
		return what + "> has no label"
	}
	return what + "> has no text"
}

func bound(t *viewdef.Template, n *viewdef.Node) bool {
	return slices.ContainsFunc(n.Slots, func(i int) bool {
		switch t.Bindings[i].Kind {
		case viewdef.Value, viewdef.HTML, viewdef.View, viewdef.List, viewdef.Code:
			return true
		}
		return false
	})
}

// says reports whether an element has, or may have, a text that a screen reader reads, outside of
// the element except.
func says(t *viewdef.Template, n, except *viewdef.Node) bool {
	for _, c := range n.Nodes {
		switch {
		case c == except:
		case c.Tag == "":
			if strings.TrimSpace(c.Text) != "" {
				return true
			}
		case viewdef.Editable(c.Tag):
		case bound(t, c), has(t, c, "aria-label", "alt", "label", "title"), c.Tag == "svg", c.Tag == "slot", says(t, c, except):
			return true
		}
	}
	return except == nil && !viewdef.Editable(n.Tag) && bound(t, n)
}
