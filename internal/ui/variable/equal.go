package variable

import "unsafe"

// same reports whether two values are equal, for all code of this package. It is ==, except that
// NaN equals NaN: a value that has not changed is never sent again. web/src/data/value.ts has the
// same notion.
func same(a, b Value) bool { return identical(a, b) || a == b || (a != a && b != b) }

// identical reports whether two values are the same word for word. Then they are the same, as
// nothing changes what an interface refers to; equal values need not be identical. Nearly all that
// a pass reads is what it has read before, and without this, an eighth of its time would go into
// looking at what the words refer to.
func identical(a, b Value) bool {
	return *(*[2]uintptr)(unsafe.Pointer(&a)) == *(*[2]uintptr)(unsafe.Pointer(&b))
}

// keyOf returns what stands for v as the key of a map, in which NaN would never be found.
func keyOf(v Value) Value {
	if v != v {
		return keyOfNaN
	}
	return v
}

var keyOfNaN = Value(new(int))
