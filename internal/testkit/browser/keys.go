package browser

import (
	"unicode/utf8"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"

	"ui-mcp/internal/testkit/wait"
)

// Keys that do not type a character, for the texts of [Tab.Type] and [Tab.Press].
const (
	Enter      = kb.Enter
	Tabulator  = kb.Tab
	Escape     = kb.Escape
	Backspace  = kb.Backspace
	Delete     = kb.Delete
	Home       = kb.Home
	End        = kb.End
	PageUp     = kb.PageUp
	PageDown   = kb.PageDown
	ArrowLeft  = kb.ArrowLeft
	ArrowRight = kb.ArrowRight
	ArrowUp    = kb.ArrowUp
	ArrowDown  = kb.ArrowDown
)

// A Modifier is a key that is held while others are pressed.
type Modifier = kb.Modifier

// Modifiers for [Tab.Press].
const (
	Shift = kb.ModifierShift
	Ctrl  = kb.ModifierCtrl
	Alt   = kb.ModifierAlt
	Meta  = kb.ModifierMeta
)

// Focus gives the frame the focus, and waits until keys arrive there: the browser moves the focus
// between frames some time after a script has. It presses Shift, which types nothing.
func (tab *Tab) Focus() {
	tab.t.Helper()
	tab.Run(`window.focus(), addEventListener("keyup", ({ key }) => { if (key === "Shift") window.hasKeys = true }, { capture: true })`)
	wait.Until(tab.t, "keys arrive in the frame", func() bool {
		window := tab.window()
		for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
			call(window, "press Shift", input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: "Shift", Code: "ShiftLeft"})
		}
		return Eval[bool](tab, `window.hasKeys === true && document.hasFocus()`)
	})
}

// Hold presses a key and does not release it until release is called. Pressed again meanwhile it
// repeats.
func (tab *Tab) Hold(key string) (release func()) {
	r, _ := utf8.DecodeRuneInString(key)
	events := strokes(r, 0)
	call(tab.window(), "hold "+quote(key), input.DispatchKeyEvent, events[0])
	return func() { call(tab.window(), "release "+quote(key), input.DispatchKeyEvent, events[1]) }
}

// strokes are the events of one key, down and up, while the modifiers are held. The text of a key
// goes with its keydown event, so that a page that prevents the default of keydown prevents the
// character, as with a real keyboard.
func strokes(r rune, held int64) []input.DispatchKeyEventParams {
	var down, up input.DispatchKeyEventParams
	var text, plain string
	for _, event := range kb.Encode(r) {
		switch event.Type {
		case input.DispatchKeyEventTypeChar:
			text, plain = event.Text, event.UnmodifiedText
		case input.DispatchKeyEventTypeKeyUp:
			up = *event
		default:
			down = *event
		}
	}
	down.Modifiers |= held
	up.Modifiers |= held
	down.Type = input.DispatchKeyEventTypeRawKeyDown
	if text != "" && held&^int64(Shift) == 0 { // a shortcut types nothing
		down.Type, down.Text, down.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, text, plain
	}
	return []input.DispatchKeyEventParams{down, up}
}
