package kept

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/ui/wire"
)

// ErrNewer says that a newer version of this program has written a file.
var ErrNewer = errors.New("a newer version of ui-mcp has written it, so update this one")

// Data is what a file has, as tables that nothing refers to yet.
type Data struct {
	root   *lua.LTable
	tables []*lua.LTable
	typ    map[*lua.LTable]string
	types  map[string]Declaration
	was    map[*lua.LTable]Declaration // of objects that are not as types says
	gone   []string                    // names of the root that are null
	keyed  []keyed
}

// A keyed value has a table as its key in a table. These keys have the order of the file, so they
// get their values when it is certain which tables they are.
type keyed struct {
	in, key *lua.LTable
	value   lua.LValue
}

// Type is the type of the object, or "".
func (d *Data) Type() string { return d.typ[d.root] }

// Check returns an error if a file with this text cannot be read: it is no JSON, or [ErrNewer].
// It may be called on any goroutine.
func Check(text []byte) error {
	var head struct{ Format float64 }
	var syntax *json.SyntaxError
	if !utf8.Valid(text) {
		at := bytes.IndexFunc(bytes.ReplaceAll(text, []byte("\ufffd"), []byte("...")), func(r rune) bool { return r == utf8.RuneError })
		return wrong(text, at, "it is not UTF-8")
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	switch err := json.Unmarshal(text, &head); {
	case errors.As(err, &syntax):
		return wrong(text, int(syntax.Offset), "%s", syntax)
	case head.Format > version:
		return fmt.Errorf("this is format %v, and this program reads formats up to %d: %w", head.Format, version, ErrNewer)
	}
	return nil
}

func wrong[T string | []byte](text T, at int, format string, args ...any) error {
	return fmt.Errorf("line %d: %w", 1+strings.Count(string(text[:min(at, len(text))]), "\n"), fmt.Errorf(format, args...))
}

// Read reads a text as [Snapshot.Encode] writes it, or as a person has edited it: in any
// layout and order. An error names the line, or is [ErrNewer].
func Read(app *App, text []byte) (*Data, error) {
	if err := Check(text); err != nil {
		return nil, err
	}
	data := &Data{typ: map[*lua.LTable]string{}, types: map[string]Declaration{}, was: map[*lua.LTable]Declaration{}}
	d := &decoder{Scanner: wire.Scanner{Text: strings.TrimPrefix(string(text), "\ufeff")}, Data: data, app: app, ids: map[int]*numbered{}}
	if err := d.document(); err != nil {
		return nil, err
	}
	return data, nil
}

type decoder struct {
	wire.Scanner
	*Data
	app   *App
	depth int
	ids   map[int]*numbered
}

// A numbered is a table with a number. It is there as soon as something refers to it.
type numbered struct {
	table *lua.LTable
	found bool
	at    int // the first reference
}

func (d *decoder) wrong(at int, format string, args ...any) error {
	return wrong(d.Text, at, format, args...)
}

// inside calls element for each element of an array or member of an object; it must read it.
func (d *decoder) inside(open byte, what string, element func(at int) error) error {
	if d.Next() != open {
		return d.wrong(d.Pos, "%s must be %s", what, map[byte]string{'{': "an object", '[': "a list"}[open])
	}
	if d.depth++; d.depth > maxDepth {
		return d.wrong(d.Pos, "it is nested more than %d deep", maxDepth)
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

func (d *decoder) document() error {
	format := lua.LValue(lua.LNil)
	seen := map[string]bool{}
	err := d.inside('{', "the file", func(at int) (err error) {
		name := d.Quoted()
		if seen[name] {
			return d.wrong(at, "%q is there twice", name)
		}
		seen[name] = true
		switch name {
		case "format":
			if format, err = d.value(); err == nil && format != lua.LNumber(version) {
				err = d.wrong(at, "there is no format %v", format)
			}
		case "types":
			err = d.inside('{', "types", func(int) (err error) {
				typ := d.Quoted()
				d.types[typ], err = d.declaration()
				return err
			})
		case "data":
			v, err := d.value()
			if d.root, _ = v.(*lua.LTable); err == nil && d.root == nil {
				err = d.wrong(at, "the data must be an object or a list")
			}
			return err
		case "more":
			err = d.inside('[', "more", func(int) error { _, err := d.value(); return err })
		default:
			err = d.wrong(at, "%q is unknown", name)
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case format == lua.LNil:
		return errors.New(`it has no "format": it is not a file of kept data`)
	case d.root == nil:
		return errors.New(`it has no "data"`)
	}
	for number, n := range d.ids {
		if !n.found {
			return d.wrong(n.at, "nothing has the $id %d", number)
		}
	}
	return nil
}

// declaration reads the fields of a type.
func (d *decoder) declaration() (Declaration, error) {
	t := Declaration{}
	err := d.inside('{', "the fields of a type", func(at int) error {
		name := d.Quoted()
		v, err := d.value()
		switch _, table := v.(*lua.LTable); {
		case err != nil:
			return err
		case name != Mutate && strings.HasPrefix(name, "$") && !strings.HasPrefix(name, "$$"):
			return d.wrong(at, "%q has no meaning here; a name that starts with $ is written with two of them", name)
		case table:
			t[name] = "[]"
		case v == lua.LNil:
			t[name] = "null"
		case name != Mutate || v == lua.LTrue:
			t[name] = string(appendValue(nil, v))
		}
		return nil
	})
	return t, err
}

// value reads a value; null is nil.
func (d *decoder) value() (lua.LValue, error) {
	c := d.Next()
	at := d.Pos
	switch c {
	case '[':
		tb, err := d.newTable()
		if err != nil {
			return nil, err
		}
		return tb, d.list("a list", tb)
	case '{':
		return d.object()
	}
	switch s, ok := d.Scalar(); {
	case !ok:
		return nil, d.wrong(at, "the number %.40s is too large", s.Text)
	case s.Kind == 0 && isInexact(s):
		return nil, d.wrong(at, "the number %.40s cannot be kept exactly, since it is above 2^53: write it as a text, in quotes", s.Text)
	case s.Kind == '"':
		return lua.LString(s.Text), nil
	case s.Kind == 'n':
		return lua.LNil, nil
	case s.Kind != 0:
		return lua.LBool(s.Kind == 't'), nil
	default:
		return lua.LNumber(s.Number), nil
	}
}

// isInexact reports whether a whole number has become another one.
func isInexact(s wire.Scalar) bool {
	const exact = len("9007199254740992") // 2^53
	return len(s.Text) >= exact && strings.Trim(s.Text, "-0123456789") == "" &&
		strconv.FormatFloat(s.Number, 'f', 0, 64) != s.Text
}

func (d *decoder) newTable() (*lua.LTable, error) {
	tb := d.app.NewTable()
	if d.tables = append(d.tables, tb); len(d.tables) > maxTables {
		return nil, d.wrong(d.Pos, "%w", errTooMany)
	}
	return tb, nil
}

func (d *decoder) list(what string, tb *lua.LTable) error {
	i := 0
	return d.inside('[', what, func(int) error {
		v, err := d.value()
		if i++; err == nil && v != lua.LNil {
			tb.RawSetInt(i, v)
		}
		return err
	})
}

// object reads an object: a table, a reference to one, or a value that JSON does not have.
func (d *decoder) object() (v lua.LValue, err error) {
	start, isRoot := d.Pos, d.depth == 1
	var special lua.LValue // what the object stands for, if it is no table
	var tb *lua.LTable     // made when it is needed: references are many and have none
	made := func() (*lua.LTable, error) {
		if tb == nil {
			tb, err = d.newTable()
		}
		return tb, err
	}
	members, typ, notEmpty := 0, "", false
	var was Declaration
	err = d.inside('{', "a value", func(at int) error {
		name := d.Quoted()
		members++
		switch name {
		case "$was":
			was, err = d.declaration()
			return err
		case "$list", "$pairs":
			notEmpty = true
			tb, err := made()
			if err == nil && name == "$list" {
				err = d.list(name, tb)
			} else if err == nil {
				err = d.pairs(tb)
			}
			return err
		}
		v, err := d.value()
		if err != nil {
			return err
		}
		text, isText := v.(lua.LString)
		number, isNumber := v.(lua.LNumber)
		isID := isNumber && number >= 1 && number <= math.MaxInt32 && float64(number) == math.Trunc(float64(number))
		switch {
		case name == "$type" && text != "":
			typ = string(text)
		case name == "$id" && isID:
			n := d.numbered(int(number), at)
			if n.found || tb != nil {
				return d.wrong(at, "the $id %v is there twice, or behind values of its table", number)
			}
			n.found, tb = true, n.table
		case name == "$ref" && isID:
			special = d.numbered(int(number), at).table
		case name == "$null" && v == lua.LTrue:
			special = d.app.Null
		case name == "$number" && text == "nan":
			special = lua.LNumber(math.NaN())
		case name == "$number" && text == "inf":
			special = lua.LNumber(math.Inf(1))
		case name == "$number" && text == "-inf":
			special = lua.LNumber(math.Inf(-1))
		case name == "$bytes" && isText:
			b, err := base64.StdEncoding.DecodeString(string(text))
			if err != nil {
				return d.wrong(at, "$bytes is not base64")
			}
			special = lua.LString(b)
		case strings.HasPrefix(name, "$") && !strings.HasPrefix(name, "$$"):
			return d.wrong(at, "%q cannot be %.40s here; a name that starts with $ is written with two of them", name, v)
		default:
			name = strings.TrimPrefix(name, "$")
			tb, err := made()
			switch {
			case err != nil:
				return err
			case tb.RawGetString(name) != lua.LNil:
				return d.wrong(at, "%q is there twice", name)
			case v != lua.LNil:
				tb.RawSetString(name, v)
			case isRoot:
				d.gone = append(d.gone, name)
			}
			return nil
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case special != nil && members > 1:
		return nil, d.wrong(start, "a value with $ref, $bytes, $number or $null has nothing else")
	case special != nil:
		return special, nil
	}
	if _, err := made(); err != nil {
		return nil, err
	}
	if key, _ := tb.Next(lua.LNil); key == lua.LNil && !notEmpty && typ == "" && was == nil {
		tb.Metatable = d.app.Object
	}
	if typ != "" {
		d.typ[tb] = typ
	}
	if was != nil {
		d.was[tb] = was
	}
	return tb, nil
}

func (d *decoder) numbered(number, at int) *numbered {
	n := d.ids[number]
	if n == nil {
		n = &numbered{table: d.app.NewTable(), at: at}
		d.tables = append(d.tables, n.table)
		d.ids[number] = n
	}
	return n
}

// pairs reads the values of keys that are no names.
func (d *decoder) pairs(tb *lua.LTable) error {
	return d.inside('[', "$pairs", func(at int) error {
		var pair []lua.LValue
		err := d.inside('[', "each of $pairs", func(int) error {
			v, err := d.value()
			pair = append(pair, v)
			return err
		})
		switch {
		case err != nil:
			return err
		case len(pair) != 2 || pair[0] == lua.LNil || isNaN(pair[0]) || pair[0] == lua.LValue(d.app.Null):
			return d.wrong(at, "each of $pairs has a key and a value")
		case tb.RawGet(pair[0]) != lua.LNil:
			return d.wrong(at, "this key is there twice")
		}
		if key, table := pair[0].(*lua.LTable); table {
			d.keyed = append(d.keyed, keyed{tb, key, pair[1]})
		} else {
			tb.RawSet(pair[0], pair[1])
		}
		return nil
	})
}

func isNaN(v lua.LValue) bool {
	n, ok := v.(lua.LNumber)
	return ok && math.IsNaN(float64(n))
}
