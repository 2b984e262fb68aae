package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A mutant is one small change of a package.
type mutant struct {
	n        int // counted from 1 within its package
	file     string
	line     int
	function string // that it is in; "" outside of functions
	what     string // the expression before and after
}

// key names a mutant where lines move. Two mutants of a function may share it.
func (m mutant) key() string { return m.file + " " + m.function + ": " + m.what }

// A writer puts all mutants of a package into its source, each behind a call that asks whether it
// is the one to run. So the package is compiled once, and not for each mutant.
type writer struct {
	fset    *token.FileSet
	info    *types.Info
	mutants []mutant

	// of the file that is written
	name     string
	source   []byte
	function string
	edits    []edit
}

// An edit replaces some bytes of a source file.
type edit struct {
	at, size int
	text     string
	rank     int // orders edits at one place
}

func (w *writer) write(file *ast.File, name string, source []byte) []byte {
	w.name, w.source, w.edits = name, source, nil
	for _, d := range file.Decls {
		w.function = ""
		if f, ok := d.(*ast.FuncDecl); ok {
			w.function = functionName(f)
		}
		ast.Inspect(d, func(n ast.Node) bool {
			w.visit(n)
			return true
		})
	}
	slices.SortStableFunc(w.edits, func(a, b edit) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return a.rank - b.rank
	})
	var out []byte
	done := 0
	for _, e := range w.edits {
		out = append(append(out, source[done:e.at]...), e.text...)
		done = e.at + e.size
	}
	return append(out, source[done:]...)
}

func functionName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	receiver := types.ExprString(f.Recv.List[0].Type)
	receiver, _, _ = strings.Cut(strings.TrimPrefix(receiver, "*"), "[")
	return receiver + "." + f.Name.Name
}

func (w *writer) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		w.binary(n)
	case *ast.UnaryExpr:
		if n.Op == token.NOT && w.isBool(n) {
			w.negate(n, w.text(n.X))
		}
	case *ast.IfStmt:
		w.condition(n.Cond)
	case *ast.ForStmt:
		w.condition(n.Cond)
	case *ast.SwitchStmt:
		if n.Tag == nil {
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					w.condition(e)
				}
			}
		}
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			if id, ok := e.(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") && w.info.Uses[id] == types.Universe.Lookup(id.Name) {
				w.negate(id, map[string]string{"true": "false", "false": "true"}[id.Name])
			}
		}
	case *ast.IncDecStmt:
		to := map[token.Token]token.Token{token.INC: token.DEC, token.DEC: token.INC}[n.Tok]
		w.replace(n.TokPos, 2, fmt.Sprintf(" %c= mutantStep(%d, %s)", n.Tok.String()[0], w.add(n, w.text(n.X)+to.String()), w.original(n.X)))
	case *ast.AssignStmt:
		if (n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN) && w.isNumber(n.Lhs[0]) {
			to := map[token.Token]string{token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+="}[n.Tok]
			w.wrap(n.Rhs[0], fmt.Sprintf("mutantSign(%d, %s, ", w.add(n, w.text(n.Lhs[0])+" "+to+" "+w.text(n.Rhs[0])), w.original(n.Lhs[0])), ")")
		}
	}
}

// condition writes the negation of a condition that has no operator of its own.
func (w *writer) condition(e ast.Expr) {
	switch e.(type) {
	case nil, *ast.BinaryExpr, *ast.UnaryExpr:
		return
	}
	if w.isBool(e) {
		w.negate(e, "!("+w.text(e)+")")
	}
}

// The functions of preamble that do what an operator does, or what takes its place.
var operators = map[token.Token]struct {
	function string
	to       string
}{
	token.LSS: {"mutantLess", "<="}, token.LEQ: {"mutantLessEqual", "<"},
	token.GTR: {"mutantGreater", ">="}, token.GEQ: {"mutantGreaterEqual", ">"},
	token.ADD: {"mutantAdd", "-"}, token.SUB: {"mutantSub", "+"},
	token.MUL: {"mutantMul", "/"}, token.QUO: {"mutantQuo", "*"}, token.REM: {"mutantRem", "*"},
	token.LAND: {"mutantAnd", "||"}, token.LOR: {"mutantOr", "&&"},
}

// negations has the negated operator of each comparison.
var negations = map[token.Token]string{
	token.EQL: "!=", token.NEQ: "==", token.LSS: ">=", token.GEQ: "<", token.GTR: "<=", token.LEQ: ">",
}

func (w *writer) binary(e *ast.BinaryExpr) {
	if w.info.Types[e].Value != nil {
		return // a constant
	}
	if to, ok := negations[e.Op]; ok {
		w.negate(e, w.text(e.X)+" "+to+" "+w.text(e.Y))
	}
	o, ok := operators[e.Op]
	if !ok {
		return
	}
	lazy := ""
	switch e.Op {
	case token.LAND, token.LOR:
		if !w.isBool(e) || !w.isBool(e.X) || !w.isBool(e.Y) {
			return
		}
		lazy = "func() bool { return "
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		if !w.isBasic(e.X, types.IsOrdered) || !w.isBasic(e.Y, types.IsOrdered) {
			return
		}
	default:
		if !w.isNumber(e) || e.Op == token.REM && !w.isBasic(e, types.IsInteger) {
			return
		}
	}
	n := w.add(e, w.text(e.X)+" "+o.to+" "+w.text(e.Y))
	end := ")"
	if lazy != "" {
		end = ") })"
		lazy += "("
	}
	w.wrap(e, fmt.Sprintf("%s(%d, ", o.function, n), end)
	w.replace(e.OpPos, len(e.Op.String()), ", "+lazy)
}

func (w *writer) negate(e ast.Expr, to string) {
	w.wrap(e, "((", fmt.Sprintf(") != mutantOn(%d))", w.add(e, to)))
}

// add adds a mutant that turns a node into a text, and returns its number.
func (w *writer) add(n ast.Node, to string) int {
	w.mutants = append(w.mutants, mutant{
		n: len(w.mutants) + 1, file: w.name, line: w.fset.Position(n.Pos()).Line, function: w.function, what: w.text(n) + " → " + to,
	})
	return len(w.mutants)
}

// wrap puts texts before and after a node: around the texts of its child nodes, which come later.
func (w *writer) wrap(n ast.Node, before, after string) {
	const middle = 1 << 30 // replacements
	order := len(w.edits) + 1
	w.edits = append(w.edits, edit{w.offset(n.Pos()), 0, before, middle + order}, edit{w.offset(n.End()), 0, after, middle - order})
}

func (w *writer) replace(at token.Pos, size int, text string) {
	w.edits = append(w.edits, edit{w.offset(at), size, text, 1 << 30})
}

func (w *writer) offset(p token.Pos) int { return w.fset.PositionFor(p, false).Offset }

// original returns the source of a node, without the mutants in it.
func (w *writer) original(n ast.Node) string {
	return string(w.source[w.offset(n.Pos()):w.offset(n.End())])
}

// text returns the source of a node on one line.
func (w *writer) text(n ast.Node) string {
	text := strings.Join(strings.Fields(w.original(n)), " ")
	if r := []rune(text); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return text
}

// isBool reports whether an expression is of type bool, not of one that is based on it, and no
// constant.
func (w *writer) isBool(e ast.Expr) bool {
	t := w.info.Types[e]
	b, ok := t.Type.(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0 && t.Value == nil
}

func (w *writer) isNumber(e ast.Expr) bool { return w.isBasic(e, types.IsInteger|types.IsFloat) }

// isBasic reports whether the type of an expression is based on one of those types, and no type
// parameter.
func (w *writer) isBasic(e ast.Expr, of types.BasicInfo) bool {
	t := w.info.TypeOf(e)
	if _, ok := t.(*types.TypeParam); ok || t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&of != 0
}
