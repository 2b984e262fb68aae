package chunk

import (
	"fmt"

	"github.com/yuin/gopher-lua/ast"
)

// assignInOrder returns a statement that does what an assignment of several values means in Lua:
// all expressions are evaluated before anything is assigned. The library writes the value of an
// expression into a local variable at once, so that "a, b = b, a" made both the same. Where that
// can happen, the statement becomes
//
//	do local (1), (2) = b, a; b = (2); a = (1) end
//
// with names that no script can write. Other statements are returned as they are.
func assignInOrder(s ast.Stmt) ast.Stmt {
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Lhs) < 2 {
		return s
	}
	assigned := map[string]bool{}
	for _, lhs := range a.Lhs {
		if name, ok := lhs.(*ast.IdentExpr); ok {
			assigned[name.Value] = true
		}
	}
	if len(assigned) == 0 {
		return s
	}
	line := a.Line()
	var names []string
	var values []ast.Expr
	// held returns a temporary variable that gets the value of an expression, or of none if the
	// expressions on the right have fewer values.
	held := func(e ast.Expr) ast.Expr {
		name := fmt.Sprintf("(%d)", len(names)+1)
		names = append(names, name)
		if e != nil {
			values = append(values, e)
		}
		return at(&ast.IdentExpr{Value: name}, line, line)
	}
	// kept is held for an expression that the assignments could change.
	kept := func(e ast.Expr) ast.Expr {
		name, isName := e.(*ast.IdentExpr)
		if _, constant := e.(ast.ConstExpr); constant || isName && !assigned[name.Value] {
			return e
		}
		adjust(e)
		return held(e)
	}
	targets := make([]ast.Expr, len(a.Lhs))
	for i, lhs := range a.Lhs {
		targets[i] = lhs
		if field, ok := lhs.(*ast.AttrGetExpr); ok {
			targets[i] = at(&ast.AttrGetExpr{Object: kept(field.Object), Key: kept(field.Key)}, field.Line(), field.Line())
		}
	}
	block := make([]ast.Stmt, len(a.Lhs)+1)
	for i, target := range targets {
		one := &ast.AssignStmt{Lhs: []ast.Expr{target}, Rhs: []ast.Expr{held(nil)}}
		block[len(targets)-i] = at(one, line, a.LastLine()) // from the right, as in Lua
	}
	block[0] = at(&ast.LocalAssignStmt{Names: names, Exprs: append(values, a.Rhs...)}, line, a.LastLine())
	return at(&ast.DoBlockStmt{Stmts: block}, line, a.LastLine())
}

// at returns a node that was put where these lines have something else.
func at[N ast.PositionHolder](n N, line, last int) N {
	n.SetLine(line)
	n.SetLastLine(last)
	return n
}
