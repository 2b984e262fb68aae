package keys

import "strconv"

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
	f1 // and f1+1 to f1+23
)

const lastFunction = 24

// names are the names that Names returns, in its order.
var names = []struct {
	name string
	key  special
}{
	{"Enter", enter}, {"Tab", tab}, {"Escape", escape}, {"Backspace", backspace}, {"Space", space},
	{"Up", up}, {"Down", down}, {"Left", left}, {"Right", right}, {"Home", home}, {"End", end},
	{"PageUp", pageUp}, {"PageDown", pageDown}, {"Insert", insert}, {"Delete", deleteKey},
}

// named maps names in lower case, including other programs' names, to keys.
var named = func() map[string]special {
	m := map[string]special{
		"enter": enter, "return": enter, "cr": enter, "tab": tab, "escape": escape, "esc": escape,
		"backspace": backspace, "bspace": backspace, "bs": backspace, "space": space, "spc": space,
		"up": up, "down": down, "left": left, "right": right,
		"arrowup": up, "arrowdown": down, "arrowleft": left, "arrowright": right,
		"home": home, "end": end, "pageup": pageUp, "pgup": pageUp, "ppage": pageUp,
		"pagedown": pageDown, "pgdn": pageDown, "pgdown": pageDown, "npage": pageDown,
		"insert": insert, "ins": insert, "ic": insert, "delete": deleteKey, "del": deleteKey, "dc": deleteKey,
	}
	for i := range lastFunction {
		m["f"+strconv.Itoa(i+1)] = f1 + special(i)
	}
	return m
}()

// Names returns the names of the special keys.
func Names() []string {
	var list []string
	for _, n := range names {
		list = append(list, n.name)
	}
	return append(list, "F1 to F"+strconv.Itoa(lastFunction))
}
