package lua

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// The cost of values in bytes, measured for the library's representation. A test compares the sums
// with the heap.
const (
	tableBytes    = 112
	elementBytes  = 18  // of the array part
	hashBytes     = 850 // of a table with keys other than 1..n
	keyBytes      = 130
	numberBytes   = 8
	stringBytes   = 16 // plus the text
	functionBytes = 100
	upvalueBytes  = 56
	threadBytes   = 24 << 10
	userdataBytes = 64
	// sharedString is the length from which strings are identified by their memory, since many
	// places may hold the same one.
	sharedString = 128
	// maxFrames bounds how many calls of a thread are examined.
	maxFrames = 10_000
)

// A census adds up the memory of Lua values.
type census struct {
	sum, limit uint64
	seen       map[lua.LValue]struct{}
	texts      map[*byte]struct{}
	todo       []lua.LValue
}

// census estimates how many bytes the session's code can reach: from globals, prototypes, what
// libraries hold, and from the locals of running functions. It stops counting at limit. It does not
// see what only Go code holds, such as wrappers that no Lua value refers to.
func (vm *VM) census(limit uint64) uint64 {
	c := &census{limit: limit, seen: map[lua.LValue]struct{}{}, texts: map[*byte]struct{}{}}
	g := vm.state.G
	c.add(g.Global)
	c.add(g.Registry)
	c.add(vm.session)
	c.add(vm.app)
	for th := g.CurrentThread; th != nil; th = th.Parent {
		c.add(th)
	}
	c.add(vm.state)
	for _, p := range vm.prototypes {
		c.add(p.table)
		for _, v := range p.fields {
			c.add(v)
		}
	}
	for _, lib := range vm.libraries {
		lib.Values(c.add)
	}
	for len(c.todo) > 0 && c.sum < c.limit {
		v := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		c.visit(v)
	}
	return c.sum
}

// add counts a scalar, and remembers anything else for a visit.
func (c *census) add(v lua.LValue) {
	switch v := v.(type) {
	case lua.LNumber:
		c.sum += numberBytes
	case lua.LString:
		if len(v) >= sharedString {
			p := unsafe.StringData(string(v))
			if _, known := c.texts[p]; known {
				return
			}
			c.texts[p] = struct{}{}
		}
		c.sum += stringBytes + uint64(len(v))
	case *lua.LTable, *lua.LFunction, *lua.LState, *lua.LUserData:
		if _, known := c.seen[v]; !known {
			c.seen[v] = struct{}{}
			c.todo = append(c.todo, v)
		}
	}
}

func (c *census) visit(v lua.LValue) {
	switch v := v.(type) {
	case *lua.LTable:
		c.table(v)
	case *lua.LFunction:
		c.sum += functionBytes + upvalueBytes*uint64(len(v.Upvalues))
		if v.Env != nil {
			c.add(v.Env)
		}
		for _, u := range v.Upvalues {
			if u != nil {
				c.add(u.Value())
			}
		}
	case *lua.LState:
		c.thread(v)
	case *lua.LUserData:
		c.sum += userdataBytes
		if v.Env != nil {
			c.add(v.Env)
		}
		c.add(v.Metatable)
	}
}

func (c *census) table(tb *lua.LTable) {
	n := tb.MaxN()
	c.sum += tableBytes + elementBytes*uint64(n)
	c.add(tb.Metatable)
	hash := false
	tb.ForEach(func(k, v lua.LValue) {
		if i, ok := k.(lua.LNumber); !ok || i < 1 || int(i) > n {
			hash = true
			c.sum += keyBytes
			c.add(k)
		}
		c.add(v)
	})
	if hash {
		c.sum += hashBytes
	}
}

// thread counts the locals and temporary values of all running functions of a thread.
func (c *census) thread(th *lua.LState) {
	c.sum += threadBytes
	if th.Env != nil {
		c.add(th.Env)
	}
	if th.Dead || th.IsClosed() {
		return
	}
	for level := range maxFrames {
		frame, ok := th.GetStack(level)
		if !ok {
			break
		}
		fn, err := th.GetInfo("f", frame, lua.LNil)
		if err == nil {
			c.add(fn)
		}
		for i := 1; ; i++ {
			name, v := th.GetLocal(frame, i)
			if name == "" {
				break
			}
			c.add(v)
		}
	}
}
