package lua

import lua "github.com/yuin/gopher-lua"

// Len returns the number of elements of a table: the length of its array part.
func (vm *VM) Len(v Value) int {
	if tb, ok := v.(*lua.LTable); ok {
		return tb.Len()
	}
	return 0
}
