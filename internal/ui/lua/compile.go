package lua

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
	"ui-mcp/internal/fault"
)

// The library compiles recursively, so a deeply nested chunk would overflow the stack and end the
// process, and in time quadratic in the constants and labels of a function. So each chunk is
// checked before it is compiled.
const (
	maxSource = 8 << 20 // bytes of one chunk
	// maxSyntaxDepth bounds how deep expressions and blocks nest. Each elseif, and each operator of
	// a chain other than .., is one level.
	maxSyntaxDepth = 1_000
	maxLabels      = 1_000 // of one function, gotos included
	// maxLookups bounds how often the compiler compares constants or searches a block for a name:
	// it finds each use of a constant by linear search among the function's constants.
	maxLookups = 1 << 29
	// maxOperands is how many operands of .. are joined at once; each takes a register.
	maxOperands = 50
)

// concatName is the local variable that holds the function for .. in each chunk. No script can
// write the name.
const concatName = "(concat)"

// compile compiles a chunk into a function, and returns the fields that the chunk sets: see
// [VM.assigned]. Its errors come from [VM.scriptError]. It can be stopped like running code.
//
// It turns the joining of strings into calls of [VM.concat]: a single instruction of the library's
// could allocate gigabytes unchecked. What it does about assignments, assignInOrder says.
func (vm *VM) compile(name, src string) (fn *lua.LFunction, fields map[string]bool, err error) {
	if len(src) > maxSource {
		return nil, nil, syntaxError(name, 1, "a chunk can have %s at most, not %s", size(maxSource), size(uint64(len(src))))
	}
	if err := vm.measure(name, src); err != nil {
		return nil, nil, err
	}
	chunk, err := parse.Parse(&sourceReader{guard: vm.guard, src: src}, name)
	if stop := vm.guard.err; stop != nil {
		return nil, nil, fault.Wrap(fault.Script, &ScriptError{Msg: name + ": " + stop.Error()}, "Lua error")
	}
	if err != nil {
		return nil, nil, fault.Wrap(fault.Script, &ScriptError{Msg: syntaxMessage(err, src)}, "Lua error")
	}
	c := checker{vm: vm, name: name, fields: map[string]bool{}, types: map[ast.Expr]bool{}}
	if err := c.check(chunk); err != nil {
		return nil, nil, err
	}
	if c.joins {
		chunk = withConcat(chunk)
	}
	proto, err := lua.Compile(chunk, name)
	if err != nil {
		return nil, nil, fault.Wrap(fault.Script, &ScriptError{Msg: syntaxMessage(err, src)}, "Lua error")
	}
	fn = vm.state.NewFunctionFromProto(proto)
	if c.joins {
		v, err := vm.call1(fn, vm.concatenate)
		if err != nil {
			return nil, nil, err
		}
		fn, _ = v.(*lua.LFunction) // see withConcat
	}
	return fn, c.fields, nil
}

func syntaxError(name string, line int, format string, args ...any) error {
	return fault.Wrap(fault.Script, &ScriptError{Msg: fmt.Sprintf("%s:%d: %s", name, max(line, 1), fmt.Sprintf(format, args...))}, "Lua error")
}

// A sourceReader ends early when the time is up. The parser does not stop at read errors.
type sourceReader struct {
	guard *guard
	src   string
}

func (r *sourceReader) Read(p []byte) (int, error) {
	if r.src == "" || r.guard.expired() {
		return 0, io.EOF
	}
	n := copy(p, r.src)
	r.src = r.src[n:]
	return n, nil
}

// withConcat puts a chunk into a function that has concatName as an upvalue:
//
//	local (concat) = ... return function(...) CHUNK end
func withConcat(chunk []ast.Stmt) []ast.Stmt {
	return []ast.Stmt{
		&ast.LocalAssignStmt{Names: []string{concatName}, Exprs: []ast.Expr{&ast.Comma3Expr{}}},
		&ast.ReturnStmt{Exprs: []ast.Expr{&ast.FunctionExpr{ParList: &ast.ParList{HasVargs: true}, Stmts: chunk}}},
	}
}

// A checker examines a chunk without recursion, replaces the joining of strings by calls, and puts
// assignments of several values in order.
type checker struct {
	vm    *VM
	name  string
	joins bool // a joining was replaced by a call
	todo  []checked
	seen  int

	lookups int

	fields map[string]bool   // that the chunk sets
	types  map[ast.Expr]bool // tables that declare types, whose fields are theirs only
}

// checked is a statement or an expression to be examined.
type checked struct {
	stmt  ast.Stmt
	expr  *ast.Expr
	depth int
	fn    *functionSize
}

// functionSize counts the parts of a function whose number dominates the time to compile it.
type functionSize struct {
	constants map[string]int // where each is found
	labels    int
}

func (c *checker) check(chunk []ast.Stmt) error {
	c.parts(reflect.ValueOf(chunk), 1, newFunctionSize())
	for len(c.todo) > 0 {
		it := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		if c.seen++; c.seen%stepEvery == 0 && c.vm.guard.expired() {
			return fault.Wrap(fault.Script, &ScriptError{Msg: c.name + ": " + c.vm.guard.err.Error()}, "Lua error")
		}
		line, rest := 0, len(c.todo)
		if it.stmt != nil {
			line = it.stmt.Line()
		} else {
			line = (*it.expr).Line()
		}
		c.part(it)
		slices.Reverse(c.todo[rest:]) // the compiler meets constants in the order of the source
		switch {
		case it.depth > maxSyntaxDepth:
			return syntaxError(c.name, line, "the code nests more than %d deep", maxSyntaxDepth)
		case c.lookups > maxLookups:
			return syntaxError(c.name, line, "too many different constants and names in one function: put data into several functions, or into a file of JSON")
		case it.fn.labels > maxLabels:
			return syntaxError(c.name, line, "a function can have %d labels and gotos at most", maxLabels)
		}
	}
	return nil
}

// part examines a statement or an expression.
func (c *checker) part(it checked) {
	var node any = it.stmt
	if it.expr != nil {
		node = *it.expr
	}
	switch n := node.(type) {
	case *ast.LabelStmt, *ast.GotoStmt:
		it.fn.labels++
	case *ast.NumberExpr:
		c.constant(it.fn, "0"+n.Value)
	case *ast.StringExpr:
		c.constant(it.fn, n.Value)
	case *ast.IdentExpr:
		c.constant(it.fn, n.Value)
		c.lookups += it.depth
	case *ast.FuncCallExpr:
		c.constant(it.fn, n.Method)
		if n.Method == "prototype" {
			for _, arg := range n.Args {
				c.types[arg] = true
			}
		}
	case *ast.TableExpr:
		for _, f := range n.Fields {
			c.sets(f.Key, !c.types[n])
		}
	case *ast.AssignStmt:
		for _, lhs := range n.Lhs {
			if target, ok := lhs.(*ast.AttrGetExpr); ok {
				c.sets(target.Key, true)
			}
		}
	case *ast.StringConcatOpExpr:
		if list, variable := operands(n); variable >= 2 || len(list) >= maxOperands {
			*it.expr = c.join(list, n, it.depth, it.fn)
			return
		} // else the result grows only by constants in the source, so the instruction is safe
	}
	c.parts(reflect.ValueOf(node), it.depth+1, it.fn)
}

// parts queues the statements and expressions that are directly in a value.
func (c *checker) parts(v reflect.Value, depth int, fn *functionSize) {
	switch v.Kind() {
	case reflect.Interface:
		switch part := v.Addr().Interface().(type) {
		case *ast.Expr:
			if *part != nil {
				c.todo = append(c.todo, checked{expr: part, depth: depth, fn: fn})
			}
		case *ast.Stmt:
			*part = assignInOrder(*part)
			c.todo = append(c.todo, checked{stmt: *part, depth: depth, fn: fn})
		}
	case reflect.Slice:
		for i := range v.Len() {
			c.parts(v.Index(i), depth, fn)
		}
	case reflect.Pointer:
		switch n := v.Interface().(type) {
		case *ast.FunctionExpr:
			fn = newFunctionSize()
		case *ast.FuncName:
			c.constant(fn, n.Method)
		}
		c.parts(v.Elem(), depth, fn)
	case reflect.Struct:
		for i := range v.NumField() {
			c.parts(v.Field(i), depth, fn)
		}
	}
}

// sets records that a field is set, if that is wanted and the key is a text in the source.
func (c *checker) sets(key ast.Expr, wanted bool) {
	if name, ok := key.(*ast.StringExpr); ok && wanted {
		c.fields[name.Value] = true
	}
}

func newFunctionSize() *functionSize { return &functionSize{constants: map[string]int{}} }

func (c *checker) constant(f *functionSize, s string) {
	at, known := f.constants[s]
	if !known {
		at = len(f.constants)
		f.constants[s] = at
	}
	c.lookups += at
}

// operands returns the operands of a chain of .., which nests to the right, and how many of them
// are not constants.
func operands(e *ast.StringConcatOpExpr) (list []ast.Expr, variable int) {
	add := func(e ast.Expr) {
		list = append(list, e)
		if _, constant := e.(ast.ConstExpr); !constant {
			variable++
		}
	}
	for {
		add(e.Lhs)
		next, ok := e.Rhs.(*ast.StringConcatOpExpr)
		if !ok {
			add(e.Rhs)
			return list, variable
		}
		e = next
	}
}

// join returns the call that joins the operands, which are examined later. A long chain becomes
// nested calls, since each argument takes a register.
func (c *checker) join(list []ast.Expr, e *ast.StringConcatOpExpr, depth int, f *functionSize) ast.Expr {
	c.joins = true
	for first := true; ; first = false {
		var calls []ast.Expr
		for args := range slices.Chunk(list, maxOperands) {
			args = slices.Clone(args)
			adjust(args[len(args)-1])
			if first {
				c.parts(reflect.ValueOf(args), depth+1, f)
			}
			fn := at(&ast.IdentExpr{Value: concatName}, e.Line(), e.Line())
			calls = append(calls, at(&ast.FuncCallExpr{Func: fn, Args: args, AdjustRet: true}, e.Line(), e.LastLine()))
		}
		if len(calls) == 1 {
			return calls[0]
		}
		list = calls
	}
}

// adjust limits an expression to one value.
func adjust(e ast.Expr) {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		e.AdjustRet = true
	case *ast.Comma3Expr:
		e.AdjustRet = true
	}
}

// concat is the operator .. of any number of operands.
func (vm *VM) concat(l *lua.LState) int {
	n := l.GetTop()
	total := 0
	for i := 1; i <= n; i++ {
		switch v := l.Get(i).(type) {
		case lua.LString:
			total += len(v)
		case lua.LNumber:
		default:
			return vm.concatOther(l)
		}
	}
	vm.allocate(l, total)
	var b strings.Builder
	b.Grow(total)
	for i := 1; i <= n; i++ {
		b.WriteString(l.Get(i).String())
	}
	return Returns(l, lua.LString(b.String()))
}

// concatOther joins operands that are not all strings or numbers, from the right.
func (vm *VM) concatOther(l *lua.LState) int {
	defer vm.block(l)()
	result := l.Get(l.GetTop())
	for i := l.GetTop() - 1; i > 0; i-- {
		left := l.Get(i)
		if lua.LVCanConvToString(left) && lua.LVCanConvToString(result) {
			a, b := left.String(), result.String()
			vm.allocate(l, len(a)+len(b))
			result = lua.LString(a + b)
			continue
		}
		op := l.GetMetaField(left, "__concat")
		if op == lua.LNil {
			op = l.GetMetaField(result, "__concat")
		}
		if op == lua.LNil {
			l.RaiseError("cannot perform concat operation between %s and %s", left.Type(), result.Type())
		}
		result = invoke(l, op, left, result)
	}
	return Returns(l, result)
}

// openLoad replaces the functions that compile code; the library's have no bounds.
func (vm *VM) openLoad() {
	l := vm.state
	vm.concatenate = l.NewFunction(vm.concat)
	load := func(l *lua.LState, name, src string) int {
		fn, _, err := vm.compile(name, src)
		if err != nil {
			return fails(l, Message(err))
		}
		return Returns(l, fn)
	}
	l.SetGlobal("loadstring", l.NewFunction(func(l *lua.LState) int {
		return load(l, l.OptString(2, "<string>"), l.CheckString(1))
	}))
	l.SetGlobal("load", l.NewFunction(func(l *lua.LState) int {
		if src, ok := l.Get(1).(lua.LString); ok {
			return load(l, l.OptString(2, "<string>"), string(src))
		}
		fn, name := l.CheckFunction(1), l.OptString(2, "?")
		defer vm.block(l)()
		var b strings.Builder
		for b.Len() <= maxSource {
			piece := invoke(l, fn)
			if piece == lua.LNil || piece == lua.LValue(lua.LString("")) {
				break
			}
			if !lua.LVCanConvToString(piece) {
				return fails(l, "reader function must return a string")
			}
			b.WriteString(piece.String())
		}
		return load(l, name, b.String())
	}))
	read := func(l *lua.LState) (name, src string, err error) {
		if name = l.CheckString(1); name == "" {
			return "", "", errNoInput
		}
		if file, err := filepath.Abs(name); err == nil {
			vm.Want(name, file)
		}
		b, err := readSource(name)
		return name, b, err
	}
	l.SetGlobal("loadfile", l.NewFunction(func(l *lua.LState) int {
		name, src, err := read(l)
		if err != nil {
			return fails(l, err.Error())
		}
		return load(l, name, src)
	}))
	l.SetGlobal("dofile", l.NewFunction(func(l *lua.LState) int {
		name, src, err := read(l)
		if err != nil {
			l.RaiseError("%s", err)
		}
		fn, _, err := vm.compile(name, src)
		if err != nil {
			l.RaiseError("%s", Message(err))
		}
		l.SetTop(0)
		l.Push(fn)
		l.Call(0, lua.MultRet)
		return l.GetTop()
	}))
}

// errNoInput is the error of reading standard input, which belongs to the protocol.
var errNoInput = errors.New("there is no standard input: name a file")

// Returns pushes the results of a function and returns how many they are.
func Returns(l *lua.LState, results ...lua.LValue) int {
	for _, v := range results {
		l.Push(v)
	}
	return len(results)
}

// invoke calls a function of the script's and returns its first result. Errors go to the caller.
func invoke(l *lua.LState, fn lua.LValue, args ...lua.LValue) lua.LValue {
	l.Push(fn)
	Returns(l, args...)
	l.Call(len(args), 1)
	v := l.Get(-1)
	l.Pop(1)
	return v
}

// fails pushes the results of a function that reports an error to its caller: nil and a message.
func fails(l *lua.LState, msg string) int {
	return Returns(l, lua.LNil, lua.LString(msg))
}
