package keys

import (
	"strconv"
	"strings"
	"sync"
)

// A special is a key that does not stand for a character.
type special int

const (
	none special = iota
	enter
	tab
	escape
	backspace
	space // a character with a name
	insert
	deleteKey
	pageUp
	pageDown
	up
	down
	right
	left
	home
	end
	menu

	// The keys of the keypad.
	keypad0               // and keypad0+1 to keypad0+9
	keypadDecimal special = iota + 9
	keypadDivide
	keypadMultiply
	keypadSubtract
	keypadAdd
	keypadEnter
	keypadEqual
	keypadSeparator
	keypadLeft
	keypadRight
	keypadUp
	keypadDown
	keypadPageUp
	keypadPageDown
	keypadHome
	keypadEnd
	keypadInsert
	keypadDelete
	keypadBegin

	// Keys that only the kitty protocol can express.
	mediaPlay
	mediaPause
	mediaPlayPause
	mediaReverse
	mediaStop
	mediaFastForward
	mediaRewind
	mediaNext
	mediaPrevious
	mediaRecord
	volumeDown
	volumeUp
	mute
	superKey
	capsLock
	scrollLock
	numLock
	printScreen
	pause

	f1 // and f1+1 to f1+23; the last of all
)

const lastFunction = 24

// names are the names that Names returns, in its order.
var names = []struct {
	name string
	key  special
}{
	{"Enter", enter}, {"Tab", tab}, {"Escape", escape}, {"Backspace", backspace}, {"Space", space},
	{"Up", up}, {"Down", down}, {"Left", left}, {"Right", right}, {"Home", home}, {"End", end},
	{"PageUp", pageUp}, {"PageDown", pageDown}, {"Insert", insert}, {"Delete", deleteKey}, {"Menu", menu},
}

// keypadNames are the names of the keys of the keypad after its digits, in the order of the keys.
var keypadNames = []string{
	"decimal", "divide", "multiply", "subtract", "add", "enter", "equal", "separator",
	"left", "right", "up", "down", "pageup", "pagedown", "home", "end", "insert", "delete", "begin",
}

// rareNames are the names of the keys that only the kitty protocol can express.
var rareNames = []struct {
	name string
	key  special
}{
	{"MediaPlay", mediaPlay}, {"MediaPause", mediaPause}, {"MediaPlayPause", mediaPlayPause}, {"MediaReverse", mediaReverse},
	{"MediaStop", mediaStop}, {"MediaFastForward", mediaFastForward}, {"MediaRewind", mediaRewind},
	{"MediaNext", mediaNext}, {"MediaPrevious", mediaPrevious}, {"MediaRecord", mediaRecord},
	{"VolumeDown", volumeDown}, {"VolumeUp", volumeUp}, {"Mute", mute}, {"Super", superKey},
	{"CapsLock", capsLock}, {"ScrollLock", scrollLock}, {"NumLock", numLock}, {"PrintScreen", printScreen}, {"Pause", pause},
}

// named maps names in lower case, including other programs' names, to keys.
var named = sync.OnceValue(func() map[string]special {
	m := map[string]special{
		"enter": enter, "return": enter, "cr": enter, "tab": tab, "escape": escape, "esc": escape,
		"backspace": backspace, "bspace": backspace, "bs": backspace, "space": space, "spc": space,
		"up": up, "down": down, "left": left, "right": right,
		"arrowup": up, "arrowdown": down, "arrowleft": left, "arrowright": right,
		"home": home, "end": end, "pageup": pageUp, "pgup": pageUp, "ppage": pageUp,
		"pagedown": pageDown, "pgdn": pageDown, "pgdown": pageDown, "npage": pageDown,
		"insert": insert, "ins": insert, "ic": insert, "delete": deleteKey, "del": deleteKey, "dc": deleteKey,
		"menu": menu, "contextmenu": menu,
		"kp/": keypadDivide, "kp*": keypadMultiply, "kp-": keypadSubtract, "kp+": keypadAdd, "kp.": keypadDecimal,
		"audiovolumedown": volumeDown, "audiovolumeup": volumeUp, "audiovolumemute": mute,
		"mediatracknext": mediaNext, "mediatrackprevious": mediaPrevious,
	}
	for i := range lastFunction {
		m["f"+strconv.Itoa(i+1)] = f1 + special(i)
	}
	for i := range 10 {
		m["kp"+strconv.Itoa(i)] = keypad0 + special(i)
	}
	for i, name := range keypadNames {
		m["kp"+name] = keypadDecimal + special(i)
	}
	for _, n := range rareNames {
		m[strings.ToLower(n.name)] = n.key
	}
	return m
})

// Names returns the names of the special keys.
func Names() []string {
	var list []string
	for _, n := range names {
		list = append(list, n.name)
	}
	list = append(list, "F1 to F"+strconv.Itoa(lastFunction), "KP0 to KP9", "KPEnter (and so on)")
	return append(list, "MediaPlay (and so on)", "VolumeUp", "Super")
}
