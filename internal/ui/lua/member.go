package lua

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// A member is a field of a table, which becomes a member of a JSON object.
type member struct {
	name       string // the key in JSON
	key, value lua.LValue
}

// rank orders the keys that have the same name in JSON: strings come first, and of these the one
// that is the name.
func (m member) rank() int {
	s, ok := m.key.(lua.LString)
	switch {
	case ok && string(s) == m.name:
		return 0
	case ok:
		return 1
	}
	return 2
}

// clashing describes two keys with the same name.
func clashing(a, b member) string {
	show := func(m member) string {
		if s, ok := m.key.(lua.LString); ok {
			return fmt.Sprintf("%q", string(s))
		}
		return m.name
	}
	return fmt.Sprintf("the keys %s and %s have the same name in JSON", show(b), show(a))
}
