package browser

import (
	"context"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"

	"ui-mcp/internal/testkit/wait"
)

// Frame returns the content of a frame from another site, which is isolated from its page as in a
// person's browser. element is the JavaScript expression for its iframe element. Frame waits until
// its document is there. Keys and clicks are the page's: [Tab.Press] goes to whatever has the
// focus, and [Tab.ClickOn] clicks in the page where the frame displays the element.
func (tab *Tab) Frame(element string) *Tab {
	tab.t.Helper()
	tab.Wait(element)
	src := Eval[string](tab, element+".src")
	id := chromedp.FromContext(tab.ctx).Target.TargetID
	ctx, cancel := context.WithTimeout(tab.ctx, wait.Patience)
	defer cancel()
	for {
		targets, err := chromedp.Targets(ctx)
		if err != nil {
			tab.fail("find the frame "+src, err)
		}
		for _, t := range targets {
			if t.Type != "iframe" || t.ParentFrameID != cdp.FrameID(id) || !strings.HasPrefix(t.URL, src) {
				continue
			}
			ctx, cancel := chromedp.NewContext(tab.ctx, chromedp.WithTargetID(t.TargetID), chromedp.WithDetachOnCancel())
			tab.t.Cleanup(cancel)
			frame := &Tab{t: tab.t, ctx: ctx, cancel: cancel, last: make(chan struct{}, 1), outer: tab, element: element}
			frame.watch()
			return frame
		}
		tab.Wait("true") // a round trip
	}
}

// offset returns where in the window a frame's content begins; a page's begins at the origin.
func (tab *Tab) offset() Point {
	if tab.outer == nil {
		return Point{}
	}
	tab.t.Helper()
	return Eval[Point](tab.outer, `(({left, top}) => ({X: left, Y: top}))(`+tab.element+`.getBoundingClientRect())`)
}

// window returns the tab that takes the input of a frame.
func (tab *Tab) window() *Tab {
	if tab.outer != nil {
		return tab.outer.window()
	}
	return tab
}
