package browser

import (
	"context"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"ui-mcp/internal/testkit/wait"
)

// DragAndDrop drags with the mouse what can be dragged at a point, and drops it at another. The
// page gets the events of both, as from a person. [Tab.Drag] moves the mouse only.
func (tab *Tab) DragAndDrop(from, to Point) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, wait.Patience)
	defer cancel()
	// Without that, the browser would wait for a mouse that the system has.
	intercept := func(enabled bool) {
		tab.t.Helper()
		call(tab, "drag", input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: enabled})
	}
	intercept(true)
	defer intercept(false)
	begun := chromedp.Events(ctx, input.DragIntercepted)
	const pressed = 1 // the left button, as a bit
	tab.MoveTo(from)
	tab.mouse("press the mouse's button", input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMousePressed, X: from.X, Y: from.Y, Button: input.MouseButtonLeft, Buttons: pressed, ClickCount: 1})
	for _, far := range []float64{3, 12} {
		tab.mouse("drag", input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: from.X + far, Y: from.Y, Button: input.MouseButtonLeft, Buttons: pressed})
	}
	var data *input.DragData
	for e, err := range begun {
		if err != nil {
			tab.fail("drag what is there", err)
		}
		data = e.Data
		break
	}
	for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
		call(tab.window(), "drag", input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: to.X, Y: to.Y, Data: data})
	}
	tab.mouse("release the mouse's button", input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseReleased, X: to.X, Y: to.Y, Button: input.MouseButtonLeft, ClickCount: 1})
}
