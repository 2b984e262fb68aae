package variable

// same reports whether two values are equal, for all code of this package. It is ==, except that
// NaN equals NaN: a value that has not changed is never sent again. web/src/data/value.ts has the
// same notion.
func same(a, b Value) bool { return a == b || (a != a && b != b) }

// keyOf returns what stands for v as the key of a map, in which NaN would never be found.
func keyOf(v Value) Value {
	if v != v {
		return keyOfNaN
	}
	return v
}

var keyOfNaN = Value(new(int))
