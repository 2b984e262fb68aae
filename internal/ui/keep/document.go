// Package keep is the format of the files in which the objects of apps are kept: JSON that people
// can read, compare and edit. The same data always become the same text. The package does no I/O
// and does not know the language of the objects.
package keep

const (
	// MaxSize is how long a file may be, in bytes.
	MaxSize = 64 << 20
	// MaxTables and MaxValues bound what a file may have: in memory, short values take many times
	// the bytes that they have in the file. A declared type counts as a table. A value under a name
	// counts twice, and one under another key four times, because these take as much more.
	MaxTables = 1 << 20
	MaxValues = 4 << 20

	fieldWeight, pairWeight = 2, 4
)

// A Document is what one file holds: a graph of tables, of which each may be referred to several
// times, also by itself.
type Document struct {
	// Types are the declarations for which the objects were made, unless a node has another one.
	Types map[string]Type
	// Nodes are the tables, by Ref. Entries that nothing refers to may be nil.
	Nodes []*Node
	Root  Ref
}

// A Type is what a declaration says of the objects of a type.
type Type struct {
	// Fields are the default values: nil, a bool, a float64, a string, or Table.
	Fields map[string]any
	// Mutates says that the type has a method that moves objects on when fields change.
	Mutates bool
}

// A Node is a table. Its values are nil, a bool, a float64, a string, Null, or a Ref.
type Node struct {
	Type   string // "" is a plain table
	Was    *Type  // the declaration for which it was made, if it is not that in Types
	Object bool   // if it is empty: an object rather than a list
	List   []any  // the values of 1, 2, ...; nil is a hole
	Fields []Field
	Pairs  []Pair // the values of other keys
}

// A Field is a value under a string. Fields are sorted by name; no name is there twice.
type Field struct {
	Name  string
	Value any
}

// A Pair is a value under a key that is a number, a bool or a Ref.
type Pair struct{ Key, Value any }

type (
	// A Ref refers to a table by its index in Nodes.
	Ref int
	// Null is the null of JSON where nil means that there is nothing.
	Null struct{}
	// Table is a default value that is a table.
	Table struct{}
)

// Same reports whether two declarations of a type are the same.
func (t Type) Same(u Type) bool {
	if len(t.Fields) != len(u.Fields) || t.Mutates != u.Mutates {
		return false
	}
	for name, v := range t.Fields {
		w, ok := u.Fields[name]
		if !ok || v != w && !(isNaN(v) && isNaN(w)) {
			return false
		}
	}
	return true
}
