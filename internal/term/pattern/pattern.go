// Package pattern compiles what callers look for in the text of terminals: regular expressions and
// literal texts, of which neither matches the empty text. It does not capture groups or replace
// text.
package pattern

import (
	"regexp"
	"regexp/syntax"
	"slices"

	"ui-mcp/internal/fault"
)

// The limits of an expression. The second one bounds the time for each byte of text.
const (
	MaxLength = 1000 // bytes
	maxSize   = 2000 // instructions of the compiled expression, in which x{100} is x a hundred times
)

// A Pattern is a compiled regular expression.
type Pattern struct{ re *regexp.Regexp }

// Compile compiles a regular expression with the syntax of package regexp, in which ^ and $ match
// at the ends of lines. The error is of kind Invalid if the expression is malformed, too large, or
// matches the empty text, which would match everywhere.
func Compile(expression string, ignoreCase bool) (*Pattern, error) {
	if len(expression) > MaxLength {
		return nil, fault.New(fault.Invalid, "the regular expression is too long: it has %d bytes, and may have %d", len(expression), MaxLength)
	}
	if _, err := syntax.Parse(expression, syntax.Perl); err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "%q is no regular expression", expression)
	}
	p, err := compile(expression, ignoreCase)
	if err != nil {
		return nil, err
	}
	if p.re.MatchString("") {
		return nil, fault.New(fault.Invalid, "the regular expression %q matches no text at all, so anything", expression)
	}
	return p, nil
}

// Literal returns a pattern for a text. The error is of kind Invalid if it is too long or empty.
func Literal(text string, ignoreCase bool) (*Pattern, error) {
	switch {
	case text == "":
		return nil, fault.New(fault.Invalid, "the text is empty, so it is everywhere")
	case len(text) > MaxLength:
		return nil, fault.New(fault.Invalid, "the text is too long: it has %d bytes, and may have %d", len(text), MaxLength)
	}
	return compile(regexp.QuoteMeta(text), ignoreCase)
}

func compile(expression string, ignoreCase bool) (*Pattern, error) {
	if ignoreCase {
		expression = "(?i)" + expression
	}
	expression = "(?m)" + expression
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "compile a regular expression")
	}
	if prog, err := syntax.Compile(parsed.Simplify()); err != nil || len(prog.Inst) > maxSize {
		return nil, fault.New(fault.Invalid, "the regular expression repeats too much: make the numbers in its {} smaller")
	}
	re, err := regexp.Compile(expression)
	return &Pattern{re}, fault.Wrap(fault.Invalid, err, "compile a regular expression")
}

// Find returns where the first match in text begins and ends, or nil if there is none.
func (p *Pattern) Find(text string) []int { return p.re.FindStringIndex(text) }

// FindAll returns where matches begin and end, without overlaps and empty ones, as \b has.
func (p *Pattern) FindAll(text string) [][]int {
	return slices.DeleteFunc(p.re.FindAllStringIndex(text, -1), func(at []int) bool { return at[0] == at[1] })
}
