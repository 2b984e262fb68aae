package keep

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ui-mcp/internal/ui/wire"
)

// maxNesting bounds how deep the text of a file nests. What Encode writes nests less.
const maxNesting = 500

// Decode reads a text as [Encode] writes it, or as a person has edited it: in any layout and order.
// An error names the line, or is [ErrNewer]. Fields are sorted, and each node can be reached from
// the root.
func Decode(text []byte) (*Document, error) {
	if !utf8.Valid(text) {
		at := 0
		for at < len(text) {
			r, n := utf8.DecodeRune(text[at:])
			if r == utf8.RuneError && n == 1 {
				break
			}
			at += n
		}
		return nil, wrong(string(text), at, "it is not UTF-8")
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	var syntax *json.SyntaxError
	if !json.Valid(text) {
		if err := json.Unmarshal(text, new(json.RawMessage)); errors.As(err, &syntax) {
			return nil, wrong(string(text), int(syntax.Offset), "%s", syntax)
		}
		return nil, wrong(string(text), 0, "it is not JSON")
	}
	d := &decoder{Scanner: wire.Scanner{Text: string(text)}, doc: &Document{Types: map[string]Type{}}, ids: map[int]Ref{}}
	if err := d.document(); err != nil {
		var later struct{ Format float64 }
		if json.Unmarshal(text, &later) == nil && later.Format > format {
			err = fmt.Errorf("this is format %v, and this program reads formats up to %d: %w", later.Format, format, ErrNewer)
		}
		return nil, err
	}
	return d.doc, nil
}

// wrong is an error at a position.
func wrong(text string, at int, format string, args ...any) error {
	return fmt.Errorf("line %d: %w", 1+strings.Count(text[:min(at, len(text))], "\n"), fmt.Errorf(format, args...))
}

type decoder struct {
	wire.Scanner
	depth int
	doc   *Document
	ids   map[int]Ref // by number
	tally tally
}

func (d *decoder) wrong(at int, format string, args ...any) error {
	return wrong(d.Text, at, format, args...)
}

// object calls member with the name of each member of an object; member must read the value.
func (d *decoder) object(what string, member func(name string, at int) error) error {
	return d.inside('{', what+" must be an object", func(at int) error { return member(d.Quoted(), at) })
}

// array calls element for each element of an array; element must read it.
func (d *decoder) array(what string, element func(at int) error) error {
	return d.inside('[', what+" must be a list", element)
}

func (d *decoder) inside(open byte, wanted string, element func(at int) error) error {
	if d.Next() != open {
		return d.wrong(d.Pos, "%s", wanted)
	}
	if d.depth++; d.depth > maxNesting {
		return d.wrong(d.Pos, "it is nested more than %d deep", maxNesting)
	}
	d.Pos++
	for c := d.Next(); c != ']' && c != '}'; c = d.Next() {
		if err := element(d.Pos); err != nil {
			return err
		}
	}
	d.Pos++
	d.depth--
	return nil
}

// scalar reads what is neither an array nor an object.
func (d *decoder) scalar() (any, error) {
	c := d.Next()
	from := d.Pos
	if c == '{' || c == '[' {
		return nil, d.wrong(from, "a text, a number, true, false or null must be here")
	}
	switch s, ok := d.Scalar(); {
	case !ok:
		return nil, d.wrong(from, "the number %.40s is too large", s.Text)
	case s.Kind == 0 && isInexact(s):
		return nil, d.wrong(from, "the number %.40s cannot be kept exactly, since it is above 2^53: write it as a text, in quotes", s.Text)
	case s.Kind == '"':
		return s.Text, nil
	case s.Kind == 'n':
		return nil, nil
	case s.Kind != 0:
		return s.Kind == 't', nil
	default:
		return s.Number, nil
	}
}

// isInexact reports whether a whole number has become another one.
func isInexact(s wire.Scalar) bool {
	const exact = len("9007199254740992") // 2^53
	return len(s.Text) >= exact && strings.Trim(s.Text, "-0123456789") == "" &&
		strconv.FormatFloat(s.Number, 'f', 0, 64) != s.Text
}

func (d *decoder) document() error {
	read, data := any(nil), false
	seen := map[string]bool{}
	err := d.object("the file", func(name string, at int) (err error) {
		if seen[name] {
			return d.wrong(at, "%q is there twice", name)
		}
		seen[name] = true
		switch name {
		case "format":
			if read, err = d.scalar(); err == nil && read != float64(format) {
				err = d.wrong(at, "there is no format %v", read)
			}
		case "types":
			err = d.types()
		case "data":
			var v any
			data = true
			if v, err = d.value(); err == nil {
				root, ok := v.(Ref)
				if d.doc.Root = root; !ok {
					err = d.wrong(at, "the data must be an object or a list")
				}
			}
		case "more":
			err = d.array("more", func(at int) error {
				v, err := d.value()
				if _, ok := v.(Ref); err == nil && !ok {
					err = d.wrong(at, "more has objects and lists only")
				}
				return err
			})
		default:
			err = d.wrong(at, "%q is unknown", name)
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case read == nil:
		return errors.New(`it has no "format": it is not a file of kept data`)
	case !data:
		return errors.New(`it has no "data"`)
	}
	return d.resolve()
}

// types reads the declarations.
func (d *decoder) types() error {
	return d.object("types", func(typ string, at int) error {
		if _, twice := d.doc.Types[typ]; twice {
			return d.wrong(at, "the type %s is there twice", typ)
		}
		var err error
		d.doc.Types[typ], err = d.declaration()
		return err
	})
}

// declaration reads the fields of a type.
func (d *decoder) declaration() (Type, error) {
	t := Type{Fields: map[string]any{}}
	err := d.object("the fields of a type", func(name string, at int) (err error) {
		if name == "$mutate" {
			v, err := d.scalar()
			t.Mutates = v == true
			return err
		}
		name, err = d.unescaped(name, at)
		if err != nil {
			return err
		}
		var v any = Table{}
		switch d.Next() {
		case '[':
			err = d.array("a default", func(at int) error { return d.wrong(at, "the list must be empty") })
		case '{':
			r, err := d.value()
			if err != nil {
				return err
			}
			if _, table := r.(Ref); !table {
				v = r
			}
		default:
			v, err = d.scalar()
		}
		t.Fields[name] = v
		return cmp.Or(err, d.count(0, fieldWeight))
	})
	return t, cmp.Or(err, d.count(1, 0))
}

// unescaped is the name of a field, given as a member.
func (d *decoder) unescaped(name string, at int) (string, error) {
	if !strings.HasPrefix(name, "$") {
		return name, nil
	}
	if !strings.HasPrefix(name, "$$") {
		return "", d.wrong(at, "%q has no meaning here; a name that starts with $ is written with two of them", name)
	}
	return name[1:], nil
}

// value reads a value.
func (d *decoder) value() (any, error) {
	switch d.Next() {
	case '[':
		r, err := d.newNode(&Node{})
		if err != nil {
			return nil, err
		}
		list, err := d.values("a list")
		d.doc.Nodes[r].List = list
		return r, err
	case '{':
		return d.table()
	}
	return d.scalar()
}

func (d *decoder) newNode(n *Node) (Ref, error) {
	d.doc.Nodes = append(d.doc.Nodes, n)
	return Ref(len(d.doc.Nodes) - 1), d.count(1, 0)
}

// count is called for each table and value before it is read, or right after.
func (d *decoder) count(tables, values int) error {
	if err := d.tally.add(tables, values); err != nil {
		return d.wrong(d.Pos, "%w", err)
	}
	return nil
}

func (d *decoder) values(what string) (list []any, err error) {
	err = d.array(what, func(int) error {
		v, err := d.value()
		list = append(list, v)
		return cmp.Or(err, d.count(0, 1))
	})
	for len(list) > 0 && list[len(list)-1] == nil {
		list = list[:len(list)-1]
	}
	return list, err
}

// marks are the names that have a meaning in a table.
var marks = []string{"$id", "$type", "$was", "$list", "$pairs", "$ref", "$bytes", "$number", "$null"}

// table reads an object: a table, a reference to one, or a value that JSON does not have.
func (d *decoder) table() (any, error) {
	start := d.Pos
	var node *Node // made when it is needed: references are many and have none
	made := func() *Node {
		if node == nil {
			node = &Node{}
		}
		return node
	}
	id, members := 0, 0
	var special any // what the object stands for, if it is no table
	var seen uint   // a bit for each name in marks
	list := false
	err := d.object("a value", func(name string, at int) (err error) {
		members++
		if !strings.HasPrefix(name, "$") || strings.HasPrefix(name, "$$") {
			if name, err = d.unescaped(name, at); err != nil {
				return err
			}
			v, err := d.value()
			n := made()
			n.Fields = append(n.Fields, Field{name, v})
			return cmp.Or(err, d.count(0, fieldWeight))
		}
		if mark := slices.Index(marks, name); mark >= 0 {
			if seen&(1<<mark) != 0 {
				return d.wrong(at, "%q is there twice", name)
			}
			seen |= 1 << mark
		}
		switch name {
		case "$id":
			id, err = d.number(name)
			if _, twice := d.ids[id]; err == nil && twice {
				err = d.wrong(at, "the $id %d is there twice", id)
			}
			if err == nil {
				d.ids[id] = Ref(-1) // until the table has its place
			}
		case "$type":
			v, err := d.scalar()
			typ, ok := v.(string)
			if err == nil && (!ok || typ == "") {
				err = d.wrong(at, "a $type is a name")
			}
			made().Type = typ
			return err
		case "$was":
			was, err := d.declaration()
			made().Was = &was
			return err
		case "$list":
			list = true
			made().List, err = d.values(name)
		case "$pairs":
			err = d.pairs(made())
		case "$ref":
			var number int
			number, err = d.number(name)
			special = ref{number, at}
		default:
			special, err = d.special(name, at)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if special != nil {
		if members > 1 {
			return nil, d.wrong(start, "a value with $ref, $bytes, $number or $null has nothing else")
		}
		return special, nil
	}
	n := made()
	slices.SortFunc(n.Fields, func(a, b Field) int { return cmp.Compare(a.Name, b.Name) })
	for i := 1; i < len(n.Fields); i++ {
		if n.Fields[i].Name == n.Fields[i-1].Name {
			return nil, d.wrong(start, "%q is there twice", n.Fields[i].Name)
		}
	}
	n.Object = len(n.Fields) == 0 && len(n.Pairs) == 0 && !list && n.Type == "" && n.Was == nil
	r, err := d.newNode(n)
	if id != 0 {
		d.ids[id] = r
	}
	return r, err
}

// A ref is a reference by number; at is where it is.
type ref struct{ number, at int }

func (d *decoder) number(name string) (int, error) {
	at := d.Pos
	v, err := d.scalar()
	f, ok := v.(float64)
	if err == nil && (!ok || f != math.Trunc(f) || f < 1 || f > math.MaxInt32) {
		err = d.wrong(at, "%s is a whole number from 1", name)
	}
	return int(f), err
}

// special reads a value that JSON does not have.
func (d *decoder) special(name string, at int) (any, error) {
	if name != "$bytes" && name != "$number" && name != "$null" {
		_, err := d.unescaped(name, at)
		return nil, err
	}
	v, err := d.scalar()
	if err != nil {
		return nil, err
	}
	text, _ := v.(string)
	switch {
	case name == "$null" && v == true:
		return Null{}, nil
	case name == "$number" && text == "nan":
		return math.NaN(), nil
	case name == "$number" && text == "inf":
		return math.Inf(1), nil
	case name == "$number" && text == "-inf":
		return math.Inf(-1), nil
	case name == "$bytes" && v == text:
		if b, err := base64.StdEncoding.DecodeString(text); err == nil {
			return string(b), nil
		}
	}
	return nil, d.wrong(at, "%s cannot be %.40v", name, v)
}

// pairs reads the values of keys that are no names.
func (d *decoder) pairs(n *Node) error {
	seen := map[any]bool{}
	var pair []any
	return d.array("$pairs", func(at int) error {
		pair = pair[:0]
		err := d.array("each of $pairs", func(int) error {
			v, err := d.value()
			pair = append(pair, v)
			return err
		})
		switch {
		case err != nil:
			return err
		case len(pair) != 2 || pair[0] == nil:
			return d.wrong(at, "each of $pairs has a key and a value")
		case isNaN(pair[0]) || pair[0] == Null{}:
			return d.wrong(at, "this cannot be a key")
		case seen[pair[0]]:
			return d.wrong(at, "this key is there twice")
		}
		seen[pair[0]] = true
		if name, ok := pair[0].(string); ok {
			n.Fields = append(n.Fields, Field{name, pair[1]})
		} else if pair[1] != nil {
			n.Pairs = append(n.Pairs, Pair{pair[0], pair[1]})
		}
		return d.count(0, pairWeight)
	})
}

// resolve replaces references by number, and drops what cannot be reached.
func (d *decoder) resolve() error {
	var err error
	get := func(v any) any {
		if r, ok := v.(ref); ok {
			target, known := d.ids[r.number]
			if !known || target < 0 {
				if err == nil {
					err = d.wrong(r.at, "nothing has the $id %d", r.number)
				}
				return nil
			}
			return target
		}
		return v
	}
	reached := make([]bool, len(d.doc.Nodes))
	reached[d.doc.Root] = true
	todo := []Ref{d.doc.Root}
	for len(todo) > 0 && err == nil {
		n := d.doc.Nodes[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		for i, v := range n.List {
			n.List[i] = get(v)
		}
		for i, f := range n.Fields {
			n.Fields[i].Value = get(f.Value)
		}
		for i, p := range n.Pairs {
			n.Pairs[i] = Pair{get(p.Key), get(p.Value)}
		}
		n.each(func(v any) {
			if r, ok := v.(Ref); ok && !reached[r] {
				reached[r] = true
				todo = append(todo, r)
			}
		})
	}
	for i := range d.doc.Nodes {
		if !reached[i] {
			d.doc.Nodes[i] = nil
		}
	}
	return err
}

func isNaN(v any) bool {
	f, ok := v.(float64)
	return ok && math.IsNaN(f)
}
