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
// tokens are counted before the parser runs.
const (
	// maxOpen bounds how deep brackets, blocks and the operands of right-associative and unary
	// operators nest. It is also a length of source that cannot nest deeper.
	maxOpen = maxSyntaxDepth
	// tokenCost is about what a token takes while a chunk is compiled, in bytes. Each function
	// takes functionCost beyond that, and each operand of a chain of .., joinedCost: they all stay
	// on the parser's stack until the chain ends.
	tokenCost    = 300
	functionCost = 20 << 10
	joinedCost   = 2 << 10
	// freeTokens are always permitted, so that a session that is nearly full can be cleaned up.
	freeTokens = 10_000
)

// A measure counts the tokens of a chunk and how deep they nest.
type measure struct {
	tokens, functions int
	mostJoined        int       // the most operands of .. that waited at once
	levels            []pending // of the enclosing brackets and blocks
	now               pending
	tight, joined     int // sums of levels
	operand           bool
}

// pending counts the operators of an expression whose right operand is not finished.
type pending struct {
	tight  int // unary operators and ^
	joined int // operators ..
}

// check returns an error if the parser cannot have a source within the budget. The source may still
// be wrong.
func check(budget Budget, name, src string) error {
	if len(src) <= maxOpen {
		return nil
	}
	var m measure
	for tok := range tokens(&reader{budget, src}, name) {
		m.count(&tok)
		switch limit := budget.Memory(); {
		case m.depth() > maxOpen:
			return wrong(name, tok.Pos.Line, "the code nests more than %d deep", maxOpen)
		case m.tokens >= freeTokens && uint64(m.bytes()) > limit:
			return wrong(name, tok.Pos.Line, "compiling so much code takes more than the %d MiB of this session: put data into a file of JSON", limit>>20)
		}
	}
	if m.tokens > freeTokens {
		_ = budget.Charge(m.bytes()) // Err has its error
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

// depth is how deep the next token would nest.
func (m *measure) depth() int { return len(m.levels) + m.tight + m.now.tight }

// bytes estimates the memory that compiling takes. TestCompileMemory compares it with the truth.
func (m *measure) bytes() int {
	return m.tokens*tokenCost + m.functions*functionCost + m.mostJoined*joinedCost
}

func (m *measure) count(tok *ast.Token) {
	m.tokens++
	after := m.operand // the token follows an operand
	m.operand = false
	switch tok.Type {
	case '(', '{', '[', parse.TFunction, parse.TDo, parse.TRepeat, parse.TIf:
		if tok.Type == parse.TFunction {
			m.functions++
		}
		m.levels = append(m.levels, m.now)
		m.tight += m.now.tight
		m.joined += m.now.joined
		m.now = pending{}
	case ')', '}', ']', parse.TEnd, parse.TUntil:
		m.now = pending{}
		if n := len(m.levels); n > 0 {
			m.now = m.levels[n-1]
			m.levels = m.levels[:n-1]
			m.tight -= m.now.tight
			m.joined -= m.now.joined
		}
		m.operand = tok.Type != parse.TUntil
	case parse.T2Comma:
		m.now = pending{joined: m.now.joined + 1}
		m.mostJoined = max(m.mostJoined, m.joined+m.now.joined)
	case '^', '#', parse.TNot:
		m.now.tight++
	case '-':
		if !after {
			m.now.tight++
			break
		}
		m.now.tight = 0
	case '+', '*', '/', '%':
		m.now.tight = 0
	case parse.TIdent, parse.TNumber, parse.TString, parse.TNil, parse.TTrue, parse.TFalse, parse.T3Comma:
		m.operand = true
	case '.', ':':
		// the operand goes on
	default: // keywords, comparisons, separators: they end the operands of the operators above
		m.now = pending{}
	}
}
