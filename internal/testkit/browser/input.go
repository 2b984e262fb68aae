package browser

import "github.com/chromedp/cdproto/input"

// Wheel turns the mouse's wheel at a point of the window, down by CSS pixels.
func (tab *Tab) Wheel(at Point, down float64) {
	// The browser asks for both directions, and the library leaves out zeros.
	const little = 1e-6
	call(tab.window(), "turn the wheel", input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: input.DispatchMouseEventTypeMouseWheel, X: at.X, Y: at.Y, DeltaX: little, DeltaY: down,
	})
}

// What the mouse does.
const (
	pressed  = input.DispatchMouseEventTypeMousePressed
	released = input.DispatchMouseEventTypeMouseReleased
	moved    = input.DispatchMouseEventTypeMouseMoved
)

// mouse does something with the mouse at a point of the window, with the left button pressed or not
// after that.
func (tab *Tab) mouse(what input.DispatchMouseEventType, at Point, held bool) {
	e := input.DispatchMouseEventParams{Type: what, X: at.X, Y: at.Y}
	if what != moved {
		e.Button, e.ClickCount = input.MouseButtonLeft, 1
	}
	if held {
		e.Button, e.Buttons = input.MouseButtonLeft, 1 // as a bit
	}
	call(tab.window(), string(what), input.DispatchMouseEvent, e)
}

// MoveTo moves the mouse to a point of the window.
func (tab *Tab) MoveTo(at Point) {
	tab.mouse(moved, at, false)
}

// PressAt presses the mouse's left button at a point. The returned function releases it at one.
func (tab *Tab) PressAt(at Point) (release func(at Point)) {
	tab.MoveTo(at)
	tab.mouse(pressed, at, true)
	return func(at Point) { tab.mouse(released, at, false) }
}

// Drag presses the mouse's left button at a point, moves to another and releases it there.
func (tab *Tab) Drag(from, to Point) {
	release := tab.PressAt(from)
	tab.mouse(moved, Point{(from.X + to.X) / 2, (from.Y + to.Y) / 2}, true)
	tab.mouse(moved, to, true)
	release(to)
}

// Swipe puts a finger on the screen at a point, moves it to another in some steps and takes it off.
func (tab *Tab) Swipe(from, to Point) {
	const steps = 10
	move, lift := tab.Touch(from)
	for i := range steps {
		part := float64(i+1) / steps
		move(Point{from.X + part*(to.X-from.X), from.Y + part*(to.Y-from.Y)})
	}
	lift()
}

// Touch puts fingers on points of the window, the first of which may be there already. The returned
// functions move the first one, alone, and lift all.
func (tab *Tab) Touch(at ...Point) (move func(to Point), lift func()) {
	tab.touch(input.DispatchTouchEventTypeTouchStart, at...)
	return func(to Point) { tab.touch(input.DispatchTouchEventTypeTouchMove, to) }, func() { tab.touch(input.DispatchTouchEventTypeTouchEnd) }
}

// CancelTouch takes the fingers away from the page, as the system does for gestures of its own.
func (tab *Tab) CancelTouch() {
	tab.touch(input.DispatchTouchEventTypeTouchCancel)
}

func (tab *Tab) touch(what input.DispatchTouchEventType, at ...Point) {
	points := []*input.TouchPoint{}
	for i, p := range at {
		points = append(points, &input.TouchPoint{X: p.X, Y: p.Y, ID: new(float64(i))})
	}
	call(tab.window(), "touch", input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: what, TouchPoints: points})
}

// Compose enters text through an input method: first each of the parts is what is being composed,
// then the last one is committed.
func (tab *Tab) Compose(parts ...string) {
	for _, part := range parts {
		tab.Composing(part)
	}
	tab.Insert(parts[len(parts)-1])
}

// Composing makes text what an input method is composing, until [Tab.Insert] commits it.
func (tab *Tab) Composing(text string) {
	n := int64(len([]rune(text)))
	call(tab.window(), "compose", input.ImeSetComposition, input.ImeSetCompositionParams{Text: text, SelectionStart: n, SelectionEnd: n})
}

// Insert enters text at once, as an input method does: no keys are pressed.
func (tab *Tab) Insert(text string) {
	call(tab.window(), "insert", input.InsertText, input.InsertTextParams{Text: text})
}
