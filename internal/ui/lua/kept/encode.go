package kept

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/ui/wire"
)

const (
	// Max is how long a file of kept data may be, in bytes.
	Max = 64 << 20
	// maxTables bounds how many tables a file may have: an empty one takes fifty times the
	// bytes in memory that it has in the file.
	maxTables = 1 << 20
	// maxNesting bounds how deep tables nest in the text; deeper ones follow in a list of their
	// own.
	maxNesting = 40
	// maxDepth bounds how deep a text nests that is read.
	maxDepth = 512
	// version is the version of the texts, whose first member it is. Raise it when an older
	// program would take a text for something else, or lose a part of it.
	version = 1
)

var errTooMany = errors.New("it has more than a million tables")

// A Snapshot is the data as a walk has found them. It may be used on any goroutine.
type Snapshot struct {
	null     lua.LValue
	contents []*content
	root     int
	gone     []string
	types    map[string]Declaration
	was      map[int]Declaration
}

// Snapshot returns what the last walk has found, which must be finished.
func (k *Graph) Snapshot() *Snapshot {
	root := k.nodes[k.root].index
	for _, name := range k.contents[root].names {
		delete(k.gone, name)
	}
	return &Snapshot{
		null: k.app.Null, contents: slices.Clone(k.contents), root: root,
		gone: slices.Sorted(maps.Keys(k.gone)), types: k.schema, was: k.was,
	}
}

// Encode returns the text of the data: JSON with one line for each table without tables inside. The
// same data always become the same text. A table that is referred to more than once has a number,
// "$id", by which the others refer to it. The only errors are that there is too much.
func (s *Snapshot) Encode() ([]byte, error) {
	e := encoder{Snapshot: s, uses: make([]uint8, len(s.contents)), ids: make([]int, len(s.contents)), placed: make([]bool, len(s.contents))}
	if e.count() > maxTables {
		return nil, errTooMany
	}
	e.buf = fmt.Appendf(e.buf, "{\n  \"format\": %d,\n  \"types\": {", version)
	first := true
	for _, name := range slices.Sorted(maps.Keys(s.types)) {
		e.next(&first, true, 2)
		e.name(name)
		e.declaration(s.types[name])
	}
	if !first {
		e.line(1)
	}
	e.buf = append(e.buf, "},\n  \"data\": "...)
	e.table(s.root, 1)
	if len(e.more) > 0 {
		e.buf = append(e.buf, ",\n  \"more\": ["...)
		first = true
		for i := 0; i < len(e.more); i++ { // it grows meanwhile
			e.next(&first, true, 2)
			e.table(e.more[i], 2)
		}
		e.buf = append(e.buf, "\n  ]"...)
	}
	e.buf = append(e.buf, "\n}\n"...)
	if len(e.buf) > Max {
		return nil, fmt.Errorf("it would take more than %d MiB", Max>>20)
	}
	return e.buf, nil
}

type encoder struct {
	*Snapshot
	buf    []byte
	uses   []uint8 // how often each table is referred to: 0, 1, or more
	ids    []int   // the numbers of those that need one, from 1
	last   int     // the last number given
	placed []bool  // the text has the table, or more has it
	more   []int   // tables that nest too deep
}

func (e *encoder) count() (tables int) {
	todo := []int{e.root}
	e.uses[e.root] = 1
	for ; len(todo) > 0; tables++ {
		c := e.contents[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		for j, n := range c.nodes {
			if at := j - len(c.values); n == nil || !e.has(c, j) || at >= 0 && !e.has(c, at+len(c.values)-len(c.keys)) {
				continue
			}
			if e.uses[n.index] == 0 {
				todo = append(todo, n.index)
			}
			e.uses[n.index] = min(e.uses[n.index]+1, 2)
		}
	}
	return tables
}

// has reports whether a value is data, and so is its key.
func (e *encoder) has(c *content, i int) bool {
	switch v := c.at(i).(type) {
	case lua.LString, lua.LNumber, lua.LBool:
	case *lua.LTable:
		if c.nodes == nil || c.nodes[i] == nil {
			return false
		}
	default:
		if v != e.null || i >= len(c.values) {
			return false
		}
	}
	key := i + len(c.keys)
	return key < len(c.values) || i >= len(c.values) || e.has(c, key)
}

// shape returns how long the list of a table is, up to the first hole, and whether there are other
// keys than its indexes and names.
func (e *encoder) shape(c *content) (list int, pairs bool) {
	for list < c.list && e.has(c, len(c.names)+list) {
		list++
	}
	for i := len(c.names) + list; i < len(c.values) && !pairs; i++ {
		pairs = e.has(c, i)
	}
	for i, name := range c.names {
		pairs = pairs || !utf8.ValidString(name) && e.has(c, i)
	}
	return list, pairs
}

func (e *encoder) line(depth int) {
	e.buf = append(e.buf, '\n')
	for range depth {
		e.buf = append(e.buf, "  "...)
	}
}

// next begins an element or a member.
func (e *encoder) next(first *bool, lines bool, depth int) {
	if !*first {
		e.buf = append(e.buf, ',')
	}
	switch {
	case lines:
		e.line(depth)
	case !*first:
		e.buf = append(e.buf, ' ')
	}
	*first = false
}

func (e *encoder) name(name string) {
	e.buf = append(wire.AppendString(e.buf, name), ": "...)
}

func (e *encoder) id(i int) int {
	if e.ids[i] == 0 {
		e.last++
		e.ids[i] = e.last
	}
	return e.ids[i]
}

func (e *encoder) declaration(t Declaration) {
	e.buf = append(e.buf, '{')
	first := true
	for _, name := range slices.Sorted(maps.Keys(t)) {
		e.next(&first, false, 0)
		e.name(name)
		e.buf = append(e.buf, t[name]...)
	}
	e.buf = append(e.buf, '}')
}

// value appends the value, or the key, at an index.
func (e *encoder) value(c *content, i, depth int) {
	if !e.has(c, i) {
		e.buf = append(e.buf, "null"...)
		return
	}
	if _, table := c.at(i).(*lua.LTable); !table {
		e.buf = appendValue(e.buf, c.at(i))
		return
	}
	at := c.nodes[i].index
	if !e.placed[at] && depth < maxNesting {
		e.table(at, depth)
		return
	}
	if !e.placed[at] {
		e.placed[at] = true
		e.more = append(e.more, at)
	}
	e.buf = append(strconv.AppendInt(append(e.buf, `{"$ref": `...), int64(e.id(at)), 10), '}')
}

// table appends a table that is in the text for the first time.
func (e *encoder) table(i, depth int) {
	if len(e.buf) > Max {
		return
	}
	e.placed[i] = true
	c := e.contents[i]
	if e.uses[i] > 1 {
		e.id(i)
	}
	lines := c.nodes != nil
	list, pairs := e.shape(c)
	was, outdated := e.was[i]
	array := c.typ == "" && !c.object && !outdated && !pairs
	for j := range c.names {
		array = array && !e.has(c, j)
	}
	if array && e.ids[i] == 0 {
		e.list(c, list, depth, lines)
		return
	}
	first := true
	member := func(name string) {
		e.next(&first, lines, depth+1)
		e.name(name)
	}
	e.buf = append(e.buf, '{')
	if e.ids[i] != 0 {
		member("$id")
		e.buf = strconv.AppendInt(e.buf, int64(e.ids[i]), 10)
	}
	if c.typ != "" {
		member("$type")
		e.buf = wire.AppendString(e.buf, c.typ)
	}
	if outdated {
		member("$was")
		e.declaration(was)
	}
	if list > 0 || array {
		member("$list")
		e.list(c, list, depth+1, lines)
	}
	if pairs {
		member("$pairs")
		e.pairs(c, list, depth+1, lines)
	}
	for j, name := range c.names {
		if utf8.ValidString(name) && e.has(c, j) {
			member(memberName(name))
			e.value(c, j, depth+1)
		}
	}
	if i == e.root {
		for _, name := range e.gone {
			member(memberName(name))
			e.buf = append(e.buf, "null"...)
		}
	}
	if lines {
		e.line(depth)
	}
	e.buf = append(e.buf, '}')
}

func (e *encoder) list(c *content, length, depth int, lines bool) {
	e.buf = append(e.buf, '[')
	first := true
	for i := range length {
		e.next(&first, lines, depth+1)
		e.value(c, len(c.names)+i, depth+1)
	}
	e.end(!first && lines, depth)
}

// pairs appends the values of keys that are no names, and no indexes of the list.
func (e *encoder) pairs(c *content, list, depth int, lines bool) {
	e.buf = append(e.buf, '[')
	first := true
	pair := func(i int, key func()) {
		if !e.has(c, i) {
			return
		}
		e.next(&first, lines, depth+1)
		e.buf = append(e.buf, '[')
		key()
		e.buf = append(e.buf, ", "...)
		e.value(c, i, depth+1)
		e.buf = append(e.buf, ']')
	}
	names, values := len(c.names), len(c.values)
	for i := list; i < c.list; i++ {
		pair(names+i, func() { e.buf = appendValue(e.buf, lua.LNumber(i+1)) })
	}
	for i := range c.keys {
		pair(names+c.list+i, func() { e.value(c, values+i, depth+1) })
	}
	for i, name := range c.names {
		if !utf8.ValidString(name) {
			pair(i, func() { e.buf = appendValue(e.buf, lua.LString(name)) })
		}
	}
	e.end(lines, depth)
}

func (e *encoder) end(lines bool, depth int) {
	if lines {
		e.line(depth)
	}
	e.buf = append(e.buf, ']')
}

// appendValue appends a value other than a table. What JSON does not have is an object with one
// member.
func appendValue(dst []byte, v lua.LValue) []byte {
	switch v := v.(type) {
	case lua.LNumber:
		switch f := float64(v); {
		case math.IsNaN(f):
			return append(dst, `{"$number": "nan"}`...)
		case math.IsInf(f, 1):
			return append(dst, `{"$number": "inf"}`...)
		case math.IsInf(f, -1):
			return append(dst, `{"$number": "-inf"}`...)
		case f == 0 && math.Signbit(f):
			return append(dst, "-0"...)
		default:
			return wire.AppendNumber(dst, f)
		}
	case lua.LBool:
		return strconv.AppendBool(dst, bool(v))
	case lua.LString:
		if utf8.ValidString(string(v)) {
			return wire.AppendString(dst, string(v))
		}
		dst = append(dst, `{"$bytes": "`...)
		return append(base64.StdEncoding.AppendEncode(dst, []byte(v)), `"}`...)
	case *lua.LUserData:
		return append(dst, `{"$null": true}`...)
	}
	return dst
}
