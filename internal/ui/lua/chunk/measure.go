package chunk

import (
	"fmt"
	"io"
	"iter"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// The parser keeps what it has not finished on a stack of large entries that doubles when it is
// full, and neither its tree nor the compiler's output are Lua data, which the guard counts. So
// tokens are counted before the parser runs. These are about what they take while a chunk is
// compiled, in bytes.
const (
	tokenCost = 300
	// openCost is for what stays on the parser's stack: brackets and blocks until they are closed,
	// and operators whose right operand comes first.
	openCost     = 2 << 10
	functionCost = 20 << 10
	// freeTokens are always permitted, so that a session that is nearly full can be cleaned up.
	freeTokens = 10_000
)

// check returns an error if the parser cannot have a source within the budget. The source may still
// be wrong.
func check(budget Budget, name, src string) error {
	if len(src) <= freeTokens {
		return nil
	}
	n, bytes, limit := 0, 0, budget.Memory()
	for tok := range tokens(&reader{budget, src}, name) {
		n++
		if bytes += cost(tok); n >= freeTokens && uint64(bytes) > limit {
			return wrong(name, tok.Pos.Line, "compiling so much code takes more than the %d MiB of this session: put data into a file of JSON", limit>>20)
		}
	}
	if n > freeTokens {
		_ = budget.Charge(bytes) // Err has its error
	}
	if stop := budget.Err(); stop != nil {
		return fmt.Errorf("%s: %w", name, stop)
	}
	return nil
}

// tokens yields the tokens of a source up to the first error, which the parser reports.
func tokens(src io.Reader, name string) iter.Seq[ast.Token] {
	return func(yield func(ast.Token) bool) {
		scanner := parse.NewScanner(src, name)
		var lexer parse.Lexer // only for the scanner's notes
		for {
			tok, err := scanner.Scan(&lexer)
			if err != nil || tok.Type < 0 || !yield(tok) {
				return
			}
		}
	}
}

// cost estimates the memory that a token takes. TestCompileMemory compares it with the truth.
func cost(tok ast.Token) int {
	switch tok.Type {
	case parse.TFunction:
		return functionCost
	case '(', '{', '[', parse.TDo, parse.TRepeat, parse.TIf, parse.T2Comma, parse.TNot, '^', '#', '-':
		return openCost
	case ')', '}', ']', parse.TEnd, parse.TUntil:
		return 2*tokenCost - openCost // what they close is done, and two tokens
	}
	return tokenCost
}
