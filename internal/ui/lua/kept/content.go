package kept

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// A content is what a table held at one moment. It is not changed any more, so another goroutine
// may read it.
type content struct {
	meta  lua.LValue
	typ   string
	names []string // of the fields that count, sorted
	// private are the names of the others: all names are needed to notice new ones.
	private []string
	list    int          // the length of the array part
	keys    []lua.LValue // the other keys
	// values has the values of names, then of the array part, then of keys; nodes has the tables
	// with data among them, followed by those among keys, or is nil if there are none.
	values []lua.LValue
	nodes  []*node
	object bool   // an empty table that was decoded from {}
	lost   int    // how many values are no data
	note   string // on the first of them
}

// at is the value, or the key, at an index of nodes.
func (c *content) at(i int) lua.LValue {
	if i < len(c.values) {
		return c.values[i]
	}
	return c.keys[i-len(c.values)]
}

func (c *content) matches(tb *lua.LTable) bool {
	if tb.Metatable != c.meta || mapLen(tb, stringKeys) != len(c.names)+len(c.private) || mapLen(tb, otherKeys) != len(c.keys) {
		return false
	}
	at := 0
	for _, name := range c.names {
		if !sameValue(tb.RawGetString(name), c.values[at]) {
			return false
		}
		at++
	}
	for _, name := range c.private {
		if tb.RawGetString(name) == lua.LNil {
			return false
		}
	}
	if tb.MaxN() != c.list {
		return false
	}
	for i := range c.list {
		if !sameValue(tb.RawGetInt(i+1), c.values[at]) {
			return false
		}
		at++
	}
	for _, key := range c.keys {
		if !sameValue(tb.RawGetH(key), c.values[at]) {
			return false
		}
		at++
	}
	return true
}

// sameValue reports whether two values are the same. Most are the same words in memory, which needs
// no look at what they point to.
func sameValue(a, b lua.LValue) bool {
	if *(*[2]uintptr)(unsafe.Pointer(&a)) == *(*[2]uintptr)(unsafe.Pointer(&b)) || a == b {
		return true
	}
	return isNaN(a) && isNaN(b)
}

// The library does not tell how many keys a table has, and going through them takes several times
// as long as looking at those that are known.
var stringKeys, otherKeys = tableField("strdict"), tableField("dict")

func tableField(name string) int {
	f, ok := reflect.TypeFor[lua.LTable]().FieldByName(name)
	if !ok || f.Type.Kind() != reflect.Map {
		panic("lua: the library's tables have no map " + name)
	}
	return f.Index[0]
}

func mapLen(tb *lua.LTable, field int) int { return reflect.ValueOf(tb).Elem().Field(field).Len() }

// read returns what a table holds. before is what it held, or nil.
func (k *Graph) read(tb *lua.LTable, before *content) *content {
	c := &content{meta: tb.Metatable, typ: k.typeOf(tb), list: tb.MaxN()}
	n := mapLen(tb, stringKeys)
	if n > 0 {
		c.names = make([]string, 0, n)
	}
	if n > 0 || mapLen(tb, otherKeys) > 0 {
		var at lua.LValue = lua.LNil
		if c.list > 0 {
			at = lua.LNumber(c.list)
		}
		for key, _ := tb.Next(at); key != lua.LNil; key, _ = tb.Next(key) {
			name, ok := key.(lua.LString)
			switch {
			case !ok:
				c.keys = append(c.keys, key)
			case c.typ != "" && strings.HasPrefix(string(name), "_"):
				c.private = append(c.private, string(name))
			default:
				c.names = append(c.names, string(name))
			}
		}
		slices.Sort(c.names)
		slices.SortStableFunc(c.keys, compareKeys)
		if before != nil && slices.Equal(c.names, before.names) {
			c.names = before.names
		}
	}
	c.values = make([]lua.LValue, 0, len(c.names)+c.list+len(c.keys))
	for _, name := range c.names {
		c.values = append(c.values, tb.RawGetString(name))
	}
	for i := range c.list {
		c.values = append(c.values, tb.RawGetInt(i+1))
	}
	for _, key := range c.keys {
		c.values = append(c.values, tb.RawGetH(key))
	}
	for i := range len(c.values) + len(c.keys) {
		v := c.at(i)
		if isScalar(v) || v == lua.LNil {
			continue
		}
		var n *node
		not := ""
		if before != nil && i < len(before.nodes) && before.at(i) == v { // it was in the same place before
			n = before.nodes[i]
		}
		if n == nil {
			n, not = k.dataNode(v)
		}
		switch {
		case n != nil:
			if c.nodes == nil {
				c.nodes = make([]*node, len(c.values)+len(c.keys))
			}
			c.nodes[i] = n
		case i >= len(c.values):
			c.lose(c.nameOf(i) + " is no data, so its value is not kept")
		case v != lua.LValue(k.app.Null) && v != lua.LValue(k.app.Empty):
			c.lose(c.nameOf(i) + " is " + not + ", which is not kept")
		}
	}
	switch {
	case c.typ != "" || c.meta == lua.LNil:
	case c.meta == lua.LValue(k.app.Object):
		c.object = len(c.values) == 0
	default:
		c.lose("a table has a metatable that session:prototype has not made: it is kept without")
	}
	return c
}

func (c *content) nameOf(i int) string {
	owner := cmp.Or(c.typ, "a table")
	switch {
	case i < len(c.names):
		return fmt.Sprintf("%q of %s", c.names[i], owner)
	case i < len(c.names)+c.list:
		return "an element of " + cmp.Or(c.typ, "a list")
	case i < len(c.values):
		return "a value of " + owner
	}
	return "a key of " + owner
}

func (c *content) lose(note string) {
	c.lost++
	c.note = cmp.Or(c.note, note)
}

func isScalar(v lua.LValue) bool {
	switch v.(type) {
	case lua.LString, lua.LNumber, lua.LBool:
		return true
	}
	return false
}

// compareKeys orders the keys of a table that are no names: numbers, then booleans, then others as
// they were added.
func compareKeys(a, b lua.LValue) int {
	rank := func(v lua.LValue) (kind int, number lua.LNumber) {
		switch v := v.(type) {
		case lua.LNumber:
			return 0, v
		case lua.LBool:
			if v {
				number = 1
			}
			return 1, number
		}
		return 2, 0
	}
	i, x := rank(a)
	j, y := rank(b)
	return cmp.Or(cmp.Compare(i, j), cmp.Compare(x, y))
}
