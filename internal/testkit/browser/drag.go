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
	ctx, cancel := context.WithTimeout(tab.ctx, wait.Patience)
	defer cancel()
	// Without that, the browser would wait for a mouse that the system has.
	intercept := func(enabled bool) {
		call(tab, "drag", input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: enabled})
	}
	intercept(true)
	defer intercept(false)
	begun := chromedp.Events(ctx, input.DragIntercepted)
	release := tab.PressAt(from)
	for _, far := range []float64{3, 12} {
		tab.mouse(moved, Point{from.X + far, from.Y}, true)
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
	release(to)
}
