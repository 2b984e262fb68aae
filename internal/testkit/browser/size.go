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
	"github.com/chromedp/chromedp"
)

// Size resizes the window, in CSS pixels.
func (tab *Tab) Size(width, height int) {
	tab.t.Helper()
	size := emulation.SetDeviceMetricsOverrideParams{Width: int64(width), Height: int64(height), DeviceScaleFactor: 1}
	if _, err := chromedp.Call(tab.ctx, emulation.SetDeviceMetricsOverride, size); err != nil {
		tab.fail("resize the window", err)
	}
}

// Print switches between the page's print and screen styles.
func (tab *Tab) Print(print bool) {
	tab.t.Helper()
	var media emulation.SetEmulatedMediaParams
	if print {
		media.Media = "print"
	}
	if _, err := chromedp.Call(tab.ctx, emulation.SetEmulatedMedia, media); err != nil {
		tab.fail("change the media type", err)
	}
}

// CollectGarbage frees what the page does not reach any more.
func (tab *Tab) CollectGarbage() {
	tab.t.Helper()
	if _, err := chromedp.Call(tab.ctx, heapprofiler.CollectGarbage, cdp.Empty{}); err != nil {
		tab.fail("collect garbage", err)
	}
}

// Listeners returns how many event listeners the value of a JavaScript expression has.
func (tab *Tab) Listeners(expression string) int {
	tab.t.Helper()
	n, err := tab.listeners(expression)
	if err != nil {
		tab.fail("count the listeners of "+expression, err)
	}
	return n
}

func (tab *Tab) listeners(expression string) (int, error) {
	document, err := chromedp.Call(tab.ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: tab.scoped("document")})
	if err != nil {
		return 0, err
	}
	node, err := chromedp.Call(tab.ctx, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: document.Result.ObjectID})
	if err != nil {
		return 0, err
	}
	// The browser lists only listeners from the global object through which it found their target.
	own, err := chromedp.Call(tab.ctx, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: node.Node.BackendNodeID})
	if err != nil {
		return 0, err
	}
	target, err := chromedp.Call(tab.ctx, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function() { return (" + expression + "); }", ObjectID: own.Object.ObjectID,
	})
	if err != nil {
		return 0, err
	}
	if target.ExceptionDetails != nil {
		return 0, errors.New(target.ExceptionDetails.Text)
	}
	list, err := chromedp.Call(tab.ctx, domdebugger.GetEventListeners, domdebugger.GetEventListenersParams{ObjectID: target.Result.ObjectID})
	if err != nil {
		return 0, err
	}
	return len(list.Listeners), nil
}

// CountNodes returns how many nodes the page holds, in the document or not.
func (tab *Tab) CountNodes() int {
	tab.t.Helper()
	counters, err := chromedp.Call(tab.ctx, memory.GetDOMCounters, cdp.Empty{})
	if err != nil {
		tab.fail("count the nodes", err)
	}
	return int(counters.Nodes)
}
