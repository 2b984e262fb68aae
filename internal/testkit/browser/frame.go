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
			frame := &Tab{t: tab.t, ctx: ctx, cancel: cancel, last: make(chan struct{}, 1), outer: tab, element: element, messages: &messages{}}
			frame.watch()
			return frame
		}
		tab.Wait("true") // a round trip
	}
}

// Inner returns the content of a frame from the same origin as its page. element is the JavaScript
// expression for its iframe element. Inner waits until the frame exists. Expressions see the
// frame's window as the global object, except what its scripts declare with let, const and class.
// They remain code of the page: it is the page that sends a message which they post. The console
// has the messages of page and frame together.
func (tab *Tab) Inner(element string) *Tab {
	tab.Wait(element + ".contentDocument")
	return &Tab{t: tab.t, ctx: tab.ctx, cancel: func() {}, outer: tab, element: element, inner: true, messages: tab.messages}
}

// scoped returns an expression with the value that expression has in the tab's frame.
func (tab *Tab) scoped(expression string) string {
	if !tab.inner {
		return expression
	}
	return tab.outer.scoped("(() => { with (" + tab.element + ".contentWindow) { return (" + expression + "); } })()")
}

// offset returns where in the window a frame's content begins; a page's begins at the origin.
func (tab *Tab) offset() Point {
	if tab.outer == nil {
		return Point{}
	}
	begin := tab.outer.offset()
	at := Eval[Point](tab.outer, `((e, {left, top}) => ({X: left + e.clientLeft, Y: top + e.clientTop}))(`+
		tab.element+`, `+tab.element+`.getBoundingClientRect())`)
	return Point{begin.X + at.X, begin.Y + at.Y}
}

// window returns the tab that takes the input of a frame.
func (tab *Tab) window() *Tab {
	if tab.outer != nil {
		return tab.outer.window()
	}
	return tab
}
