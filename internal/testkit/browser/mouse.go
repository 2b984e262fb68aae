package browser

import (
	"context"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"ui-mcp/internal/testkit/wait"
)

// ClickOn clicks with the mouse in the middle of the element that a JavaScript expression returns,
// which may be in a shadow tree. It waits until the element rests and nothing covers it.
func (tab *Tab) ClickOn(expression string) {
	tab.t.Helper()
	if tab.outer == nil {
		at := tab.Middle(expression)
		tab.do("click "+expression, chromedp.MouseClickXY(at.X, at.Y))
		return
	}
	wait.Until(tab.t, "the frame gets a press on "+expression, func() bool {
		at := tab.Middle(expression)
		tab.reach(at)
		return tab.click(at)
	})
}

// saw is the global variable of a frame that says which of the events being waited for came last.
const saw = `window.browserSaw`

// listen begins to wait for events in a frame.
func (tab *Tab) listen(events ...string) {
	for i, event := range events {
		events[i] = fmt.Sprintf(`window.addEventListener(%s, () => { %s = %[1]s }, { capture: true, once: true });`, quote(event), saw)
	}
	tab.Run(saw + ` = ""; ` + strings.Join(events, ""))
}

// click clicks at a point of the window. It reports whether that was a click for the frame: when a
// frame of another site has just moved, because the page has got a scroll bar for instance, it may
// get the release without the press. A frame that gets neither has code that stops both.
func (tab *Tab) click(at Point) bool {
	tab.listen("mousedown", "mouseup")
	tab.mouse(pressed, at, true)
	down := tab.saw()
	tab.mouse(released, at, false)
	return down != "" || tab.saw() == ""
}

// saw returns the last one of the events of listen, or "gone" when the document has ended, as a
// click may do.
func (tab *Tab) saw() string {
	ctx, cancel := context.WithTimeout(tab.ctx, wait.Patience)
	defer cancel()
	event, err := chromedp.Run(ctx, chromedp.Evaluate[string](tab.scoped(saw)))
	if err != nil {
		return "gone"
	}
	return event
}

// reach waits until what the mouse does at a point of the window reaches the frame. The browser
// decides which frame that is by what it has drawn, which a frame that has just grown is not yet.
func (tab *Tab) reach(at Point) {
	tab.t.Helper()
	tab.listen("mousemove")
	wait.Until(tab.t, "the mouse reaches the frame", func() bool {
		for _, x := range []float64{at.X - 1, at.X} { // a mouse that rests sends nothing
			tab.MoveTo(Point{x, at.Y})
		}
		return tab.saw() != ""
	})
}

// PointAt moves the mouse to the middle of an element, found as for [Tab.ClickOn].
func (tab *Tab) PointAt(expression string) {
	tab.MoveTo(tab.Middle(expression))
}

// ClickXY clicks at a point of the window, in CSS pixels.
func (tab *Tab) ClickXY(x, y float64) {
	tab.window().do("click", chromedp.MouseClickXY(x, y))
}

// Dark switches the system's colour scheme to dark or light.
func (tab *Tab) Dark(dark bool) {
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	tab.Feature("prefers-color-scheme", scheme)
}

// Feature sets what the system asks of pages, a media feature such as prefers-contrast.
func (tab *Tab) Feature(name, value string) {
	feature := &emulation.MediaFeature{Name: name, Value: value}
	call(tab, "change "+name, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{feature}})
}

// A Point of the window, in CSS pixels.
type Point struct{ X, Y float64 }

// Middle waits until a click in the middle of an element would hit it, at the same position in two
// animation frames and with no animation that will end, and returns the point of the window, where
// [Tab.ClickOn] clicks.
func (tab *Tab) Middle(expression string) Point {
	at := Eval[*Point](tab, `(async () => {
	const frame = () => new Promise(requestAnimationFrame);
	const end = performance.now() + `+fmt.Sprint((wait.Patience/2).Milliseconds())+`;
	const find = () => { try { return `+expression+`; } catch { return null; } };
	const top = (x, y) => {
		let hit = document.elementFromPoint(x, y);
		while (hit?.shadowRoot?.elementFromPoint(x, y) && hit.shadowRoot.elementFromPoint(x, y) !== hit) {
			hit = hit.shadowRoot.elementFromPoint(x, y);
		}
		return hit;
	};
	const within = (node, element) => {
		for (; node; node = node.assignedSlot ?? node.parentNode ?? node.host) if (node === element) return true;
		return false;
	};
	// An animation that has only been started may not have moved its element yet.
	const moves = (node) => {
		for (; node; node = node.assignedSlot ?? node.parentNode ?? node.host) {
			if (node.getAnimations?.().some((a) => a.playState === "running" && a.effect?.getComputedTiming().endTime < Infinity)) return true;
		}
		return false;
	};
	for (let last = ""; performance.now() < end; await frame()) {
		const element = find();
		if (!element) continue;
		element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
		const { left, top: t, width, height } = element.getBoundingClientRect();
		const [x, y] = [left + width / 2, t + height / 2];
		const now = [x, y, width, height].join();
		const hit = width > 0 && height > 0 && now === last && within(top(x, y), element) && !moves(element);
		last = now;
		if (hit) return { X: x, Y: y };
	}
	return null;
})()`)
	if at == nil {
		tab.fail("find "+expression, context.DeadlineExceeded)
	}
	begin := tab.offset()
	return Point{at.X + begin.X, at.Y + begin.Y}
}
