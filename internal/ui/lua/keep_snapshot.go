package lua

import (
	"cmp"
	"maps"
	"slices"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/ui/keep"
)

// A KeptSnapshot is the data as a walk has found them. It may be used on any goroutine, by one at a
// time for each Kept.
type KeptSnapshot struct {
	null     lua.LValue
	contents []*content
	root     int
	gone     []string
	types    map[string]keep.Type
	was      map[int]keep.Type
}

// Snapshot returns what the last walk has found, which must be finished.
func (k *Kept) Snapshot() *KeptSnapshot {
	root := k.nodes[k.root].index
	c := k.contents[root]
	for name := range k.gone {
		if _, back := slices.BinarySearch(c.names, name); back {
			delete(k.gone, name)
		}
	}
	return &KeptSnapshot{
		null: k.vm.json.null, contents: slices.Clone(k.contents), root: root,
		gone: slices.Sorted(maps.Keys(k.gone)), types: k.schema, was: k.was,
	}
}

// Document returns the data.
func (s *KeptSnapshot) Document() *keep.Document {
	d := &keep.Document{Types: s.types, Nodes: make([]*keep.Node, len(s.contents)), Root: keep.Ref(s.root)}
	for i, c := range s.contents {
		if c == nil {
			continue
		}
		if c.node == nil {
			c.node = s.node(c)
		}
		d.Nodes[i] = c.node
	}
	for i, t := range s.was {
		if d.Nodes[i] != nil {
			n := *d.Nodes[i]
			n.Was, d.Nodes[i] = &t, &n
		}
	}
	if len(s.gone) > 0 {
		root := *d.Nodes[s.root]
		root.Fields = slices.Clone(root.Fields)
		for _, name := range s.gone {
			root.Fields = append(root.Fields, keep.Field{Name: name})
		}
		slices.SortFunc(root.Fields, func(a, b keep.Field) int { return cmp.Compare(a.Name, b.Name) })
		d.Nodes[s.root] = &root
	}
	return d
}

func (s *KeptSnapshot) node(c *content) *keep.Node {
	n := &keep.Node{Type: c.typ, Object: c.object}
	at := 0
	for _, name := range c.names {
		if v, ok := s.value(c, at); ok {
			n.Fields = append(n.Fields, keep.Field{Name: name, Value: v})
		}
		at++
	}
	there := 0
	for i := range c.list {
		if c.values[at+i] != lua.LNil {
			there++
		}
	}
	sparse := c.list > 16 && there < c.list/2
	for i := range c.list {
		v, ok := s.value(c, at)
		at++
		switch {
		case !sparse:
			if !ok {
				v = nil
			}
			n.List = append(n.List, v)
		case ok:
			n.Pairs = append(n.Pairs, keep.Pair{Key: float64(i + 1), Value: v})
		}
	}
	for len(n.List) > 0 && n.List[len(n.List)-1] == nil {
		n.List = n.List[:len(n.List)-1]
	}
	for i, key := range c.keys {
		v, ok := s.value(c, at)
		at++
		var k any
		switch key := key.(type) {
		case lua.LNumber:
			k = float64(key)
		case lua.LBool:
			k = bool(key)
		case *lua.LTable:
			if c.keyNodes == nil || c.keyNodes[i] == nil {
				continue
			}
			k = keep.Ref(c.keyNodes[i].index)
		default:
			continue
		}
		if ok {
			n.Pairs = append(n.Pairs, keep.Pair{Key: k, Value: v})
		}
	}
	return n
}

// value is the value at an index, and whether it is data.
func (s *KeptSnapshot) value(c *content, i int) (any, bool) {
	switch v := c.values[i].(type) {
	case lua.LString:
		return string(v), true
	case lua.LNumber:
		return float64(v), true
	case lua.LBool:
		return bool(v), true
	case *lua.LTable:
		if c.nodes != nil && c.nodes[i] != nil {
			return keep.Ref(c.nodes[i].index), true
		}
	case *lua.LUserData:
		if v == s.null {
			return keep.Null{}, true
		}
	}
	return nil, false
}
