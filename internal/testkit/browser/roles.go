package browser

import (
	"encoding/json"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A Node is an element as assistive technology presents it.
type Node struct {
	Role, Name string
	backend    cdp.BackendNodeID
}

// Nodes returns the elements of the page that assistive technology presents, in the order of the
// document, also those in shadow trees.
func (tab *Tab) Nodes() []Node {
	const what = "read the accessibility tree"
	document := call(tab, what, runtime.Evaluate, runtime.EvaluateParams{Expression: "document"})
	tree := call(tab, what, accessibility.QueryAXTree, accessibility.QueryAXTreeParams{ObjectID: document.Result.ObjectID})
	text := func(v *accessibility.Value) (s string) {
		if v == nil || json.Unmarshal(v.Value, &s) != nil {
			return ""
		}
		return s
	}
	var list []Node
	for _, n := range tree.Nodes {
		if !n.Ignored && n.BackendDOMNodeID != 0 {
			list = append(list, Node{text(n.Role), text(n.Name), n.BackendDOMNodeID})
		}
	}
	return list
}

// Assign assigns the elements of nodes to a global variable of the page, as an array, without those
// that have vanished.
func (tab *Tab) Assign(variable string, nodes []Node) {
	tab.Run("window." + variable + " = []")
	for _, n := range nodes {
		found, err := chromedp.Call(tab.ctx, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: n.backend})
		if err != nil {
			continue
		}
		call(tab, "assign an element", runtime.CallFunctionOn, runtime.CallFunctionOnParams{
			FunctionDeclaration: "function() { window." + variable + ".push(this); }", ObjectID: found.Object.ObjectID,
		})
	}
}
