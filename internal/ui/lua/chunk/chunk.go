// Package chunk compiles Lua source within bounds. It runs nothing.
package chunk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// The library compiles recursively, so a deeply nested chunk would overflow the stack and end the
// process, and in time quadratic in the constants and labels of a function. So each chunk is
// checked before it is compiled.
const (
	// MaxSource is how long one chunk may be, in bytes.
	MaxSource = 8 << 20
	// maxSyntaxDepth bounds how deep expressions and blocks nest. Each elseif, and each operator of
	// a chain other than .., is one level.
	maxSyntaxDepth = 1_000
	maxLabels      = 1_000 // gotos included
	// maxLookups bounds how often the compiler compares constants or searches a block for a name:
	// it finds each use of a constant by linear search. All functions are counted as one.
	maxLookups = 1 << 29
	// maxOperands is how many operands of .. are joined at once; each takes a register.
	maxOperands = 50
)

// concatName is the local variable that holds the function for .. in each chunk. No script can
// write the name.
const concatName = "(concat)"

// A Budget bounds what compiling takes. Its Done is called for each step of the work; when that
// returns a channel, compiling ends with Err.
type Budget interface {
	context.Context
	Memory() uint64         // bytes
	Charge(bytes int) error // is called before that much is allocated
}

// A Chunk is compiled source.
type Chunk struct {
	// Proto is the chunk; if Joins is true, a function that returns the chunk, and that gets the
	// function for the operator .. as its argument.
	Proto *lua.FunctionProto
	Joins bool
	// Fields are the fields that it sets: in a table that it makes, or by an assignment. Fields in
	// declarations of types do not count, as they hold for their type only.
	Fields map[string]bool
}

// Compile compiles the source of a chunk of that name. Errors begin with the name.
//
// It turns the joining of strings into calls of a function: a single instruction of the library's
// could allocate gigabytes unchecked. What it does about assignments, assignInOrder says.
func Compile(budget Budget, name, src string) (*Chunk, error) {
	if len(src) > MaxSource {
		return nil, wrong(name, 1, "a chunk can have %d MiB at most", MaxSource>>20)
	}
	if err := check(budget, name, src); err != nil {
		return nil, err
	}
	stmts, err := parse.Parse(&reader{budget, src}, name)
	if stop := budget.Err(); stop != nil {
		return nil, fmt.Errorf("%s: %w", name, stop)
	}
	if err != nil {
		return nil, syntaxError(err, src)
	}
	c := checker{budget: budget, name: name, constants: map[string]int{}, fields: map[string]bool{}, types: map[ast.Expr]bool{}}
	if err := c.check(stmts); err != nil {
		return nil, err
	}
	if c.joins {
		stmts = withConcat(stmts)
	}
	proto, err := lua.Compile(stmts, name)
	if err != nil {
		return nil, syntaxError(err, src)
	}
	return &Chunk{Proto: proto, Joins: c.joins, Fields: c.fields}, nil
}

func wrong(name string, line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", name, max(line, 1), fmt.Errorf(format, args...))
}

// A reader ends early when the time is up. The parser does not stop at read errors.
type reader struct {
	budget Budget
	src    string
}

func (r *reader) Read(p []byte) (int, error) {
	if r.src == "" || r.budget.Done() != nil {
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
	budget Budget
	name   string
	joins  bool // a joining was replaced by a call
	todo   []checked
	seen   int

	constants map[string]int // where the compiler finds each
	lookups   int
	labels    int

	fields map[string]bool   // that the chunk sets
	types  map[ast.Expr]bool // tables that declare types, whose fields are theirs only
}

// checked is a statement or an expression to be examined.
type checked struct {
	stmt  ast.Stmt
	expr  *ast.Expr
	depth int
}

func (c *checker) check(chunk []ast.Stmt) error {
	c.parts(reflect.ValueOf(chunk), 1)
	for len(c.todo) > 0 {
		it := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		if c.seen++; c.seen%256 == 0 && c.budget.Done() != nil {
			return fmt.Errorf("%s: %w", c.name, c.budget.Err())
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
			return wrong(c.name, line, "the code nests more than %d deep", maxSyntaxDepth)
		case c.lookups > maxLookups:
			return wrong(c.name, line, "too many different constants and names: put data into several files, or into one of JSON")
		case c.labels > maxLabels:
			return wrong(c.name, line, "a chunk can have %d labels and gotos at most", maxLabels)
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
		c.labels++
	case *ast.NumberExpr:
		c.constant("0" + n.Value)
	case *ast.StringExpr:
		c.constant(n.Value)
	case *ast.IdentExpr:
		c.constant(n.Value)
		c.lookups += it.depth
	case *ast.FuncCallExpr:
		c.constant(n.Method)
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
			*it.expr = c.join(list, n, it.depth)
			return
		} // else the result grows only by constants in the source, so the instruction is safe
	}
	c.parts(reflect.ValueOf(node), it.depth+1)
}

// parts queues the statements and expressions that are directly in a value.
func (c *checker) parts(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Interface:
		switch part := v.Addr().Interface().(type) {
		case *ast.Expr:
			if *part != nil {
				c.todo = append(c.todo, checked{expr: part, depth: depth})
			}
		case *ast.Stmt:
			*part = assignInOrder(*part)
			c.todo = append(c.todo, checked{stmt: *part, depth: depth})
		}
	case reflect.Slice:
		for i := range v.Len() {
			c.parts(v.Index(i), depth)
		}
	case reflect.Pointer:
		if n, ok := v.Interface().(*ast.FuncName); ok {
			c.constant(n.Method)
		}
		c.parts(v.Elem(), depth)
	case reflect.Struct:
		for i := range v.NumField() {
			c.parts(v.Field(i), depth)
		}
	}
}

// sets records that a field is set, if that is wanted and the key is a text in the source.
func (c *checker) sets(key ast.Expr, wanted bool) {
	if name, ok := key.(*ast.StringExpr); ok && wanted {
		c.fields[name.Value] = true
	}
}

func (c *checker) constant(s string) {
	at, known := c.constants[s]
	if !known {
		at = len(c.constants)
		c.constants[s] = at
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
func (c *checker) join(list []ast.Expr, e *ast.StringConcatOpExpr, depth int) ast.Expr {
	c.joins = true
	for first := true; ; first = false {
		var calls []ast.Expr
		for args := range slices.Chunk(list, maxOperands) {
			args = slices.Clone(args)
			adjust(args[len(args)-1])
			if first {
				c.parts(reflect.ValueOf(args), depth+1)
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

// syntaxError returns an error of the parser as NAME:LINE: …. The library gives no line at the end
// of a source: that and the last word come from src.
func syntaxError(err error, src string) error {
	at, ok := errors.AsType[*parse.Error](err)
	if !ok {
		return errors.New(strings.Join(strings.Fields(err.Error()), " "))
	}
	what, line := at.Message+" near '"+at.Token+"'", at.Pos.Line
	if line == parse.EOF {
		src = strings.TrimRight(src, " \t\r\n")
		what, line = at.Message, 1+strings.Count(src, "\n")
		if what == "syntax error" || what == "parse error" {
			what = "unexpected end of the file"
			if last := lastWord().FindString(src); last != "" {
				what += " after '" + last + "'"
			}
		}
	}
	return wrong(at.Pos.Source, line, "%s", strings.Join(strings.Fields(what), " "))
}

var lastWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:[\w]+|[^\w\s])$`) })
