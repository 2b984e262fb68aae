// Package variable is the tree of what a session shows: which object through which template, every
// bound value, and the rows of every list. It finds what has changed since it last looked and says
// it as operations for pages.
//
// The tree does no I/O and knows nothing of the language the objects are written in: it reads them
// through a [Host]. It is not safe for concurrent use; a session's goroutine owns it.
package variable

import "ui-mcp/internal/ui/viewdef"

// A Value is a value of the host. nil is the host's nil; every other value is opaque here, can be
// compared with ==, and is equal to another exactly when it is the same scalar or the very same
// object.
type Value = any

// A Host is the language that the objects live in. All methods are called on the goroutine that
// uses the tree, and may run the app's own code. Objects given to it are never nil.
type Host interface {
	// Field reads a field, inherited ones included.
	Field(obj Value, name string) (Value, error)
	// Element reads an element of an array, counted from 0; nil if it does not exist.
	Element(obj Value, i int) (Value, error)
	SetField(obj Value, name string, v Value) error
	SetElement(obj Value, i int, v Value) error
	// Call calls a method of obj and returns its first result.
	Call(obj Value, method string, args ...Value) (Value, error)

	// IsObject reports whether v has an identity and content of its own, unlike a scalar.
	IsObject(v Value) bool
	// Len is the number of elements of an array; any other value has none.
	Len(v Value) int
	// Elements appends the elements of an array to dst. Any other value has none.
	Elements(dst []Value, v Value) []Value
	// Type is the type of an object, which selects its view definition, or "".
	Type(v Value) string
	// Origin is the app that has declared a type, or "".
	Origin(typ string) string
	// IsFunction reports whether v is code, which shows nothing.
	IsFunction(v Value) bool
	// Member tells, without running code, what an object's type says of a name; see [Member].
	Member(obj Value, name string) Member
	// Truthy reports whether the language takes v for true.
	Truthy(v Value) bool
	// AppendJSON appends v as JSON: scalars as they are, arrays of scalars as arrays, and whatever
	// else as a text that describes it. It may run the app's code. After an error it has appended
	// something else in the value's place.
	AppendJSON(dst []byte, v Value) ([]byte, error)
	// Stopped returns why the host runs no more code, such as for a time that is used up, or nil.
	Stopped() error
	// Resume lets code run again after Stopped, for a part of the time it had before. It reports
	// false, and changes nothing, when that would be too little.
	Resume() bool
	// Import makes a value of what a page sent: nil, a bool, a float64, a string or a []any of
	// those.
	Import(v any) Value

	// Wrap makes the wrapper object of the named type around v.
	Wrap(typ string, v Value) (Value, error)
	// Rewrap tells a wrapper that the value it stands for is now v, or may have changed within.
	Rewrap(wrapper, v Value) error
	// WrapItem makes the object of the named type that stands for one item of a list. place is what
	// the object knows its index by, which MoveItem changes when the row moves.
	WrapItem(typ string, item Value, index int) (wrapper, place Value, err error)
	MoveItem(place Value, index int)
}

// A Member is what is known of a name in an object.
type Member struct {
	Known   bool   // the object has it, its type declares it, or only running code could tell
	Method  bool   // it is a method
	Value   Value  // what it is, if that is known
	Similar string // a name that may have been meant instead, or ""
}

// Templates finds view definitions. [viewdef.Snapshot] is one.
type Templates interface {
	// Lookup returns the template of a type that the app has declared, or nil.
	Lookup(typ, app, namespace, fallback string) *viewdef.Template
	// Near returns the files of templates whose names are like that of a missing one.
	Near(typ string) []string
	Generation() uint64
}
