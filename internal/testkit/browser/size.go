package browser

import (
	"errors"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/domdebugger"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/memory"
	"github.com/chromedp/cdproto/runtime"
)

// Size resizes the window, in CSS pixels.
func (tab *Tab) Size(width, height int) {
	size := emulation.SetDeviceMetricsOverrideParams{Width: int64(width), Height: int64(height), DeviceScaleFactor: 1}
	call(tab, "resize the window", emulation.SetDeviceMetricsOverride, size)
}

// Print switches between the page's print and screen styles.
func (tab *Tab) Print(print bool) {
	var media emulation.SetEmulatedMediaParams
	if print {
		media.Media = "print"
	}
	call(tab, "change the media type", emulation.SetEmulatedMedia, media)
}

// CollectGarbage frees what the page does not reach any more.
func (tab *Tab) CollectGarbage() {
	call(tab, "collect garbage", heapprofiler.CollectGarbage, cdp.Empty{})
}

// Listeners returns how many event listeners the value of a JavaScript expression has.
func (tab *Tab) Listeners(expression string) int {
	what := "count the listeners of " + expression
	document := call(tab, what, runtime.Evaluate, runtime.EvaluateParams{Expression: tab.scoped("document")})
	node := call(tab, what, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: document.Result.ObjectID})
	// The browser lists only listeners from the global object through which it found their target.
	own := call(tab, what, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: node.Node.BackendNodeID})
	target := call(tab, what, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function() { return (" + expression + "); }", ObjectID: own.Object.ObjectID,
	})
	if target.ExceptionDetails != nil {
		tab.fail(what, errors.New(target.ExceptionDetails.Text))
	}
	return len(call(tab, what, domdebugger.GetEventListeners, domdebugger.GetEventListenersParams{ObjectID: target.Result.ObjectID}).Listeners)
}

// CountNodes returns how many nodes the page holds, in the document or not.
func (tab *Tab) CountNodes() int {
	return int(call(tab, "count the nodes", memory.GetDOMCounters, cdp.Empty{}).Nodes)
}
