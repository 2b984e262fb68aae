package lua

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/ui/spell"
)

// The library's run-time errors do not say what was called or indexed. This file finds it in the
// code of the function that failed, as Lua's own debug library does: an error names the local, the
// global, the field or the method.

// named returns an error message with the names of what it is about, as far as they can be found. l
// is where the error is being raised.
func (vm *VM) named(l *lua.LState, msg string) string {
	f, ok := vm.failing(l)
	if !ok {
		return msg
	}
	if before, is := strings.CutSuffix(msg, "attempt to call a non-function object"); is {
		x, ok := f.find(calls, func(x operand) bool {
			return !isFunction(x.value) && l.GetMetaField(x.value, "__call") == lua.LNil
		})
		if ok {
			return before + fmt.Sprintf("attempt to call %s (a %s value)", x.name, typeName(x.value)) + x.hint
		}
	}
	if before, what, is := strings.Cut(msg, "attempt to index a non-table object("); is {
		kind, key, _ := strings.Cut(strings.TrimSuffix(what, "'"), ") with key '")
		x, ok := f.find(func(i uint32) []int { return f.indexes(i, key) }, func(x operand) bool { return typeName(x.value) == kind })
		if what = "a " + kind + " value"; ok {
			what = x.name + " (" + what + ")"
		}
		return before + fmt.Sprintf("attempt to index %s with key '%s'", what, key) + x.hint
	}
	if strings.Contains(msg, "cannot perform ") {
		if x, ok := f.find(computes, func(x operand) bool { return !lua.LVCanConvToString(x.value) }); ok {
			return msg + fmt.Sprintf(": %s is %s", x.name, typeName(x.value)) + x.hint
		}
	}
	return msg
}

func typeName(v lua.LValue) string { return v.Type().String() }

// A failure is a function of Lua's at the line where it has failed.
type failure struct {
	vm    *VM
	l     *lua.LState
	frame *lua.Debug
	fn    *lua.LFunction
}

func (vm *VM) failing(l *lua.LState) (failure, bool) {
	frame, ok := l.GetStack(0)
	if !ok {
		return failure{}, false
	}
	v, err := l.GetInfo("fl", frame, lua.LNil)
	fn, isFunction := v.(*lua.LFunction)
	if err != nil || !isFunction || fn.IsG {
		return failure{}, false
	}
	return failure{vm, l, frame, fn}, true
}

// An operand is a value in a failing function, and how the source calls it.
type operand struct {
	name  string
	value lua.LValue
	hint  string // a name that may have been meant, as a text to append, or ""
}

// The library's instructions: the operation, A, and B and C or Bx.
func opCode(i uint32) int { return int(i >> 26) }
func argA(i uint32) int   { return int(i>>18) & 0xff }
func argB(i uint32) int   { return int(i & 0x1ff) }
func argC(i uint32) int   { return int(i>>9) & 0x1ff }
func argBx(i uint32) int  { return int(i & 0x3ffff) }

const constantBit = 1 << 8 // in B and C: a constant, not a register

// find returns the first value that an instruction of the failing line uses, as a register that
// uses returns, and that cannot be used so.
func (f failure) find(uses func(i uint32) []int, wrong func(operand) bool) (operand, bool) {
	p := f.fn.Proto
	for pc, i := range p.Code {
		if pc >= len(p.DbgSourcePositions) || p.DbgSourcePositions[pc] != f.frame.CurrentLine {
			continue
		}
		for _, arg := range uses(i) {
			if arg&constantBit != 0 {
				continue
			}
			if x, ok := f.register(pc, arg, 0); ok && wrong(x) {
				return x, true
			}
		}
	}
	return operand{}, false
}

// calls returns what an instruction calls.
func calls(i uint32) []int {
	if c := opCode(i); c == lua.OP_CALL || c == lua.OP_TAILCALL {
		return []int{argA(i)}
	}
	return nil
}

// computes returns what an instruction computes with.
func computes(i uint32) []int {
	if c := opCode(i); c >= lua.OP_ADD && c <= lua.OP_POW {
		return []int{argB(i), argC(i)}
	}
	return nil
}

// indexes returns what an instruction indexes with a key, which may be unknown.
func (f failure) indexes(i uint32, key string) []int {
	var object, index int
	switch opCode(i) {
	case lua.OP_GETTABLE, lua.OP_GETTABLEKS, lua.OP_SELF:
		object, index = argB(i), argC(i)
	case lua.OP_SETTABLE, lua.OP_SETTABLEKS:
		object, index = argA(i), argB(i)
	default:
		return nil
	}
	if index&constantBit != 0 && f.constant(index).String() != key {
		return nil
	}
	return []int{object}
}

func (f failure) constant(arg int) lua.LValue {
	if k := arg &^ constantBit; k < len(f.fn.Proto.Constants) {
		return f.fn.Proto.Constants[k]
	}
	return lua.LNil
}

// register finds what is in a register before an instruction: a local variable, or what an earlier
// instruction has put there, if that can be said without running anything.
func (f failure) register(pc, reg, depth int) (operand, bool) {
	if name, v := f.l.GetLocal(f.frame, reg+1); name != "" && !strings.HasPrefix(name, "(") {
		return operand{name: "local '" + name + "'", value: v}, true
	}
	if depth > 20 {
		return operand{}, false
	}
	for at := pc - 1; at >= 0; at-- {
		i := f.fn.Proto.Code[at]
		a := argA(i)
		switch opCode(i) {
		case lua.OP_SETGLOBAL, lua.OP_SETUPVAL, lua.OP_SETTABLE, lua.OP_SETTABLEKS, lua.OP_JMP, lua.OP_EQ, lua.OP_LT, lua.OP_LE, lua.OP_TEST, lua.OP_NOP, lua.OP_SETLIST, lua.OP_CLOSE:
			continue // they set no register
		case lua.OP_SELF:
			switch reg {
			case a:
				return f.field(at, argB(i), f.constant(argC(i)), "method", depth)
			case a + 1:
				return f.register(at, argB(i), depth+1)
			}
			continue
		case lua.OP_CALL, lua.OP_LOADNIL, lua.OP_VARARG, lua.OP_MOVEN, lua.OP_TFORLOOP:
			if a <= reg && opCode(i) != lua.OP_MOVEN {
				return operand{}, false // a result, which has no name
			}
		}
		if a != reg {
			continue
		}
		switch opCode(i) {
		case lua.OP_MOVE, lua.OP_MOVEN:
			return f.register(at, argB(i), depth+1)
		case lua.OP_GETUPVAL:
			if name, v := f.l.GetUpvalue(f.fn, argB(i)+1); name != "" {
				return operand{name: "upvalue '" + name + "'", value: v}, true
			}
		case lua.OP_GETGLOBAL:
			name := f.constant(argBx(i)).String()
			if v := f.fn.Env.RawGetString(name); v != lua.LNil || f.fn.Env.Metatable == lua.LNil {
				return operand{name: "global '" + name + "'", value: v, hint: f.vm.similarGlobal(name)}, true
			}
		case lua.OP_GETTABLE, lua.OP_GETTABLEKS:
			if argC(i)&constantBit != 0 {
				return f.field(at, argB(i), f.constant(argC(i)), "field", depth)
			}
		}
		return operand{}, false
	}
	return operand{}, false
}

// field finds a field of what is in a register, reading it without running code.
func (f failure) field(pc, reg int, key lua.LValue, kind string, depth int) (operand, bool) {
	name, ok := key.(lua.LString)
	object, found := f.register(pc, reg, depth+1)
	if !ok || !found {
		return operand{}, false
	}
	m, known := f.vm.member(object.value, string(name))
	if !known {
		return operand{}, false
	}
	x := operand{name: fmt.Sprintf("%s '%s'", kind, name), value: m}
	if typ := f.vm.Type(object.value); typ != "" {
		x.name += " of " + typ
		if m == lua.LNil {
			x.hint = spell.Offer(f.vm.similarMember(object.value, string(name)))
		}
	} else if _, isTable := object.value.(*lua.LTable); !isTable && object.value != lua.LNil {
		x.name += " of a " + typeName(object.value)
	}
	return x, true
}

// member reads a field, inherited ones included, without running code: known is false if only code
// could tell.
func (vm *VM) member(v lua.LValue, name string) (m lua.LValue, known bool) {
	if _, isString := v.(lua.LString); isString {
		lib, _ := vm.state.G.Global.RawGetString("string").(*lua.LTable)
		v = lib
		if lib == nil {
			return lua.LNil, false
		}
	}
	tb, ok := v.(*lua.LTable)
	if !ok {
		return lua.LNil, false
	}
	return vm.memberOf(tb, name)
}

// memberOf is member for a table: nearly every variable of a large tree is read by it.
func (vm *VM) memberOf(tb *lua.LTable, name string) (m lua.LValue, known bool) {
	for range maxIndexLoop {
		if m := tb.RawGetString(name); m != lua.LNil {
			return m, true
		}
		mt, ok := tb.Metatable.(*lua.LTable)
		if !ok {
			return lua.LNil, true
		}
		if mt == vm.parent.of {
			tb = vm.parent.is
			continue
		}
		switch index := mt.RawGetString("__index").(type) {
		case *lua.LNilType:
			return lua.LNil, true
		case *lua.LTable:
			if vm.reading && vm.depth == 0 {
				vm.parent.of, vm.parent.is = mt, index
			}
			tb = index
		default:
			return lua.LNil, false
		}
	}
	return lua.LNil, false
}

// similarGlobal offers the global whose name is most like one that is nil.
func (vm *VM) similarGlobal(name string) string {
	if vm.state.G.Global.RawGetString(name) != lua.LNil {
		return ""
	}
	var names []string
	vm.state.G.Global.ForEach(func(k, _ lua.LValue) {
		if s, ok := k.(lua.LString); ok {
			names = append(names, string(s))
		}
	})
	return spell.Offer(spell.Nearest(name, names))
}

// memberNames are the names of an object's fields and methods, inherited and declared ones
// included.
func (vm *VM) memberNames(v lua.LValue) []string {
	var names []string
	for range maxIndexLoop {
		tb, ok := v.(*lua.LTable)
		if !ok {
			break
		}
		tb.ForEach(func(k, _ lua.LValue) {
			if s, ok := k.(lua.LString); ok && !strings.HasPrefix(string(s), "__") {
				names = append(names, string(s))
			}
		})
		if p := vm.prototypeOf(tb); p != nil {
			names = slices.AppendSeq(names, maps.Keys(p.fields))
		}
		mt, ok := tb.Metatable.(*lua.LTable)
		if !ok {
			break
		}
		v = mt.RawGetString("__index")
	}
	return names
}

// prototypeOf is what declared a table with session:prototype, or nil.
func (vm *VM) prototypeOf(tb *lua.LTable) *prototype {
	name, _ := tb.RawGetString("type").(lua.LString)
	if p := vm.prototypes[string(name)]; p != nil && p.table == tb {
		return p
	}
	return nil
}
