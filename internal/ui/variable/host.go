// Package variable holds the tree of what a session displays: which object through which template,
// every bound value, and the rows of every list. Each scan finds what has changed since the last
// one, and returns it as operations for pages.
//
// The tree does no I/O and does not know the language of the objects: it reads them through a
// [Host]. It is not safe for concurrent use; a session's goroutine owns it.
//
// A [Tree] has instances, each an object displayed through a template, with a variable for each
// binding. A [Host] reads and writes the objects; the tree knows nothing of Lua. Scan reads all
// paths again, compares with what pages have, and appends operations of the wire.
//
//	root ── instance (object, template) ── variable of each binding ── instance or rows of instances
//
// An instance belongs to its object: when that moves between lists in one scan, the instance moves
// and keeps its id. A path that fails is a problem and changes nothing displayed.
package variable

import "ui-mcp/internal/ui/viewdef"

// A Value is a value of the host. nil is the host's nil. All others are opaque here and comparable:
// they are equal if they are the same scalar or the very same object; see [same].
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
	// Len returns the number of elements of an array, and 0 for any other value.
	Len(v Value) int
	// Type returns the type of an object, which selects its view definition, or "".
	Type(v Value) string
	// Origin is the app that has declared a type, or "".
	Origin(typ string) string
	// IsFunction reports whether v is code, which shows nothing.
	IsFunction(v Value) bool
	// Member tells, without running code, what an object's type says of a name; see [Member].
	Member(obj Value, name string) Member
	// Truthy reports whether v is true in a condition of the language.
	Truthy(v Value) bool
	// AppendJSON appends v as JSON: scalars as they are, arrays of scalars as arrays, and anything
	// else as a text that describes it. It may run the app's code. With an error, it has appended
	// some other JSON in place of the value.
	AppendJSON(dst []byte, v Value) ([]byte, error)
	// Stopped returns why the host runs no more code, such as an expired deadline, or nil.
	Stopped() error
	// Work counts a step of work without code of the host against the same deadline, and returns
	// what Stopped does.
	Work() error
	// Resume allows code to run again after Stopped, for a part of the previous time. If that would
	// be too little, it changes nothing and returns false.
	Resume() bool
	// Import converts a value from a page: nil, a bool, a float64, a string, or a []any or
	// map[string]any of those.
	Import(v any) Value

	// Wrap creates a wrapper object of the named type around v.
	Wrap(typ string, v Value) (Value, error)
	// Rewrap notifies a wrapper that its value is now v, or may have changed inside.
	Rewrap(wrapper, v Value) error
	// WrapItem creates an object of the named type for one item of a list. source is the value from
	// which the object knows its index; MoveItem changes that when the row moves.
	WrapItem(typ string, item Value, index int) (wrapper, source Value, err error)
	MoveItem(source Value, index int)
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
	// Near returns the files of templates with names like the missing one.
	Near(typ string) []string
	Generation() uint64
}
