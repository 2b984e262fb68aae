package act

import (
	"slices"
	"strings"
)

// A pressed is a key, as web/src/dom/keys.ts understands its name.
type pressed struct {
	bare      string // as written, without modifiers
	key       string // as browsers name it, in lower case
	modifiers map[string]bool
}

var keyNames = map[string]string{
	"left": "arrowleft", "right": "arrowright", "up": "arrowup", "down": "arrowdown", "space": " ", "esc": "escape",
}

var namedKeys = strings.Fields("arrowleft arrowright arrowup arrowdown escape enter tab backspace delete insert home end pageup pagedown " +
	"f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 contextmenu")

// parseKey parses the name of a key, with modifiers in any order. The result has no key if there is
// none of that name.
func parseKey(name string) pressed {
	k := pressed{bare: strings.ToLower(name), modifiers: map[string]bool{}}
	for again := true; again; {
		again = false
		for _, m := range [...]string{"ctrl", "shift", "alt", "meta"} {
			if rest, ok := strings.CutPrefix(k.bare, m+"-"); ok && rest != "" {
				k.bare, k.modifiers[m], again = rest, true, true
				break
			}
		}
	}
	if k.key = keyNames[k.bare]; k.key == "" {
		k.key = k.bare
	}
	if len([]rune(k.key)) != 1 && !slices.Contains(namedKeys, k.key) {
		k.key = ""
	}
	return k
}

// is reports whether a binding for the named key takes this one.
func (k pressed) is(name string) bool {
	want := parseKey(name)
	if want.key == "" || want.key != k.key {
		return false
	}
	for _, m := range [...]string{"ctrl", "shift", "alt", "meta"} {
		sign := m == "shift" && len([]rune(k.key)) == 1 && k.key != " " && strings.ToLower(k.key) == strings.ToUpper(k.key)
		if want.modifiers[m] != k.modifiers[m] && !sign {
			return false
		}
	}
	return true
}

// consumed reports whether a binding for this key prevents what the browser would do.
func (k pressed) consumed() bool {
	return k.key == "enter" || k.modifiers["ctrl"] || k.modifiers["alt"] || k.modifiers["meta"]
}
