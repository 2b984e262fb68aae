package keep

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ui-mcp/internal/ui/wire"
)

const (
	// maxDepth bounds how deep tables nest in the text; deeper ones follow in a list of their own.
	maxDepth = 40
	// format is the version of the texts, whose first member it is. Raise it when an older program
	// would take a text for something else, or lose a part of it.
	format = 1
	// maxFlat is how many scalars a list may have to share a line with what contains it.
	maxFlat = 8
)

// ErrTooLarge says that a document does not fit into [MaxSize]. ErrTooMany says that it has more
// than [MaxTables] or [MaxValues]. ErrNewer says that a newer version of this program has written
// it.
var (
	ErrTooLarge = errors.New("it would take more than " + strconv.Itoa(MaxSize>>20) + " MiB")
	ErrTooMany  = fmt.Errorf("it has more than %d tables or %d values in them (one under a name counts twice)", MaxTables, MaxValues)
	ErrNewer    = errors.New("a newer version of ui-mcp has written it, so update this one")
)

// A tally counts what a document has.
type tally struct{ tables, values int }

func (t *tally) add(tables, values int) error {
	t.tables += tables
	t.values += values
	if t.tables > MaxTables || t.values > MaxValues {
		return ErrTooMany
	}
	return nil
}

// Encode returns the text of a document: one line for each table without tables inside. Members are
// sorted. A table that is referred to more than once has a number, "$id", by which the others refer
// to it. Its only errors are [ErrTooLarge] and [ErrTooMany].
func Encode(d *Document) ([]byte, error) {
	e := encoder{doc: d, uses: make([]uint8, len(d.Nodes)), ids: make([]int, len(d.Nodes)), placed: make([]bool, len(d.Nodes))}
	if err := e.count(); err != nil {
		return nil, err
	}
	e.buf = fmt.Appendf(e.buf, "{\n  \"format\": %d,\n  \"types\": {", format)
	for i, name := range slices.Sorted(maps.Keys(d.Types)) {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		e.buf = append(wire.AppendString(append(e.buf, "\n    "...), name), ": "...)
		e.declaration(d.Types[name])
	}
	if len(d.Types) > 0 {
		e.buf = append(e.buf, "\n  "...)
	}
	e.buf = append(e.buf, "},\n  \"data\": "...)
	e.value(d.Root, 1)
	if len(e.more) > 0 {
		e.buf = append(e.buf, ",\n  \"more\": ["...)
		for i := 0; i < len(e.more); i++ { // it grows meanwhile
			if i > 0 {
				e.buf = append(e.buf, ',')
			}
			e.line(2)
			e.node(e.more[i], 2)
		}
		e.buf = append(e.buf, "\n  ]"...)
	}
	e.buf = append(e.buf, "\n}\n"...)
	if len(e.buf) > MaxSize {
		return nil, ErrTooLarge
	}
	return e.buf, nil
}

type encoder struct {
	doc    *Document
	buf    []byte
	uses   []uint8 // how often each node is referred to: 0, 1, or more
	ids    []int   // the numbers of those that need one, from 1
	last   int     // the last number given
	placed []bool  // the text has the node, or more has it
	more   []Ref   // nodes that nest too deep
}

// count counts references, and what the document has.
func (e *encoder) count() error {
	var t tally
	for _, typ := range e.doc.Types {
		if err := t.add(1, fieldWeight*len(typ.Fields)); err != nil {
			return err
		}
	}
	todo := []Ref{e.doc.Root}
	e.uses[e.doc.Root] = 1
	visit := func(v any) {
		if r, ok := v.(Ref); ok {
			if e.uses[r] == 0 {
				todo = append(todo, r)
			}
			e.uses[r] = min(e.uses[r]+1, 2)
		}
	}
	for len(todo) > 0 {
		n := e.doc.Nodes[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		if n.Was != nil {
			if err := t.add(1, fieldWeight*len(n.Was.Fields)); err != nil {
				return err
			}
		}
		if err := t.add(1, len(n.List)+fieldWeight*len(n.Fields)+pairWeight*len(n.Pairs)); err != nil {
			return err
		}
		n.each(visit)
	}
	return nil
}

// each calls f with each value and each key of a pair.
func (n *Node) each(f func(v any)) {
	for _, v := range n.List {
		f(v)
	}
	for _, field := range n.Fields {
		f(field.Value)
	}
	for _, p := range n.Pairs {
		f(p.Key)
		f(p.Value)
	}
}

func (e *encoder) declaration(t Type) {
	e.buf = append(e.buf, '{')
	first := true
	if t.Mutates {
		e.buf, first = append(e.buf, `"$mutate": true`...), false
	}
	for _, name := range slices.Sorted(maps.Keys(t.Fields)) {
		e.member(escaped(name), &first)
		if v := t.Fields[name]; v == (Table{}) {
			e.buf = append(e.buf, "[]"...)
		} else {
			e.buf = AppendScalar(e.buf, v)
		}
	}
	e.buf = append(e.buf, '}')
}

func (e *encoder) member(name string, first *bool) {
	if !*first {
		e.buf = append(e.buf, ", "...)
	}
	*first = false
	e.buf = append(wire.AppendString(e.buf, name), ": "...)
}

// escaped is a name as a member: what starts with $ has a meaning of its own.
func escaped(name string) string {
	if strings.HasPrefix(name, "$") {
		return "$" + name
	}
	return name
}

// value appends a value at a depth.
func (e *encoder) value(v any, depth int) {
	r, ok := v.(Ref)
	if !ok {
		e.buf = AppendScalar(e.buf, v)
		return
	}
	if !e.placed[r] && depth < maxDepth {
		e.node(r, depth)
		return
	}
	if !e.placed[r] {
		e.placed[r] = true
		e.more = append(e.more, r)
	}
	e.buf = append(strconv.AppendInt(append(e.buf, `{"$ref": `...), int64(e.id(r)), 10), '}')
}

func (e *encoder) id(r Ref) int {
	if e.ids[r] == 0 {
		e.last++
		e.ids[r] = e.last
	}
	return e.ids[r]
}

// line starts a line for what is at a depth.
func (e *encoder) line(depth int) {
	e.buf = append(e.buf, '\n')
	for range depth {
		e.buf = append(e.buf, "  "...)
	}
}

// node appends a table that is in the text for the first time.
func (e *encoder) node(r Ref, depth int) {
	if len(e.buf) > MaxSize {
		return
	}
	e.placed[r] = true
	n := e.doc.Nodes[r]
	if e.uses[r] > 1 {
		e.id(r)
	}
	if e.ids[r] == 0 && n.isList() {
		e.list(n.List, depth, e.lines(n))
		return
	}
	lines := e.lines(n)
	e.buf = append(e.buf, '{')
	first := true
	member := func(name string) {
		if !first {
			e.buf = append(e.buf, ',')
		}
		switch {
		case lines:
			e.line(depth + 1)
		case !first:
			e.buf = append(e.buf, ' ')
		}
		first = false
		e.buf = append(wire.AppendString(e.buf, name), ": "...)
	}
	if e.ids[r] != 0 {
		member("$id")
		e.buf = strconv.AppendInt(e.buf, int64(e.ids[r]), 10)
	}
	if n.Type != "" {
		member("$type")
		e.buf = wire.AppendString(e.buf, n.Type)
	}
	if n.Was != nil {
		member("$was")
		e.declaration(*n.Was)
	}
	if len(n.List) > 0 || n.isList() {
		member("$list")
		e.list(n.List, depth+1, lines)
	}
	pairs := n.Pairs
	for _, f := range n.Fields {
		if !utf8.ValidString(f.Name) {
			pairs = append(slices.Clip(pairs), Pair{f.Name, f.Value})
		}
	}
	if len(pairs) > 0 {
		member("$pairs")
		e.buf = append(e.buf, '[')
		for i, p := range pairs {
			if i > 0 {
				e.buf = append(e.buf, ',')
			}
			switch {
			case lines:
				e.line(depth + 2)
			case i > 0:
				e.buf = append(e.buf, ' ')
			}
			e.buf = append(e.buf, '[')
			e.value(p.Key, depth+2)
			e.buf = append(e.buf, ", "...)
			e.value(p.Value, depth+2)
			e.buf = append(e.buf, ']')
		}
		if lines {
			e.line(depth + 1)
		}
		e.buf = append(e.buf, ']')
	}
	for _, f := range n.Fields {
		if utf8.ValidString(f.Name) {
			member(escaped(f.Name))
			e.value(f.Value, depth+1)
		}
	}
	if lines {
		e.line(depth)
	}
	e.buf = append(e.buf, '}')
}

func (e *encoder) list(list []any, depth int, lines bool) {
	e.buf = append(e.buf, '[')
	for i, v := range list {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		switch {
		case lines:
			e.line(depth + 1)
		case i > 0:
			e.buf = append(e.buf, ' ')
		}
		e.value(v, depth+1)
	}
	if lines && len(list) > 0 {
		e.line(depth)
	}
	e.buf = append(e.buf, ']')
}

// isList reports whether a table can be a JSON array.
func (n *Node) isList() bool {
	return n.Type == "" && n.Was == nil && !n.Object && len(n.Fields) == 0 && len(n.Pairs) == 0
}

// lines reports whether the members of a table have lines of their own: it has tables inside, other
// than short lists.
func (e *encoder) lines(n *Node) bool {
	lines := false
	n.each(func(v any) {
		r, ok := v.(Ref)
		if !ok || lines || e.placed[r] {
			return
		}
		inner := e.doc.Nodes[r]
		flat := e.uses[r] == 1 && inner.isList() && len(inner.List) <= maxFlat
		for _, v := range inner.List {
			_, table := v.(Ref)
			flat = flat && !table
		}
		lines = !flat
	})
	return lines
}

// AppendScalar appends a value other than a Ref.
func AppendScalar(dst []byte, v any) []byte {
	switch v := v.(type) {
	case bool:
		return strconv.AppendBool(dst, v)
	case float64:
		switch {
		case math.IsNaN(v):
			return append(dst, `{"$number": "nan"}`...)
		case math.IsInf(v, 1):
			return append(dst, `{"$number": "inf"}`...)
		case math.IsInf(v, -1):
			return append(dst, `{"$number": "-inf"}`...)
		case v == 0 && math.Signbit(v):
			return append(dst, "-0"...)
		}
		return wire.AppendNumber(dst, v)
	case string:
		if utf8.ValidString(v) {
			return wire.AppendString(dst, v)
		}
		dst = append(dst, `{"$bytes": "`...)
		return append(base64.StdEncoding.AppendEncode(dst, []byte(v)), `"}`...)
	case Null:
		return append(dst, `{"$null": true}`...)
	}
	return append(dst, "null"...)
}
