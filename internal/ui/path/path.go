// Package path parses the binding paths of view definitions, such as "contact.name", "items.0",
// "save()", "remove(_)" and "rows?wrapper=lua.ViewList". It does not know the values to which a
// path leads.
package path

import (
	"fmt"
	"strconv"
	"strings"
)

// A Kind says what one step of a path does.
type Kind uint8

const (
	Field   Kind = iota // name: a field of an object
	Index               // 0: an element of an array, counted from 0
	Call                // name(): a method called without arguments
	CallArg             // name(_): a method called with the value to be written
	CallSub             // name(path): a method called with the value of another path
	Parent              // "..": the object of the view around this one
)

// A Step is a field, method call or index of a path.
type Step struct {
	Kind  Kind
	Name  string // Field, Call, CallArg, CallSub
	Index int    // Index, from 0
	Arg   *Path  // CallSub; it has no options
}

// A Path is a parsed binding path. It is never changed after Parse.
type Path struct {
	Bare  string // as it is written, without options; "" in one that was not parsed
	Steps []Step
	// Options are the values of its query by their keys. Of several with one key, the last counts;
	// a key without a value has the value "true".
	Options map[string]string
}

// maxSteps and maxDepth bound paths. A template that exceeds them has a mistake in it, and code
// that walks a path needs no limits of its own.
const (
	maxSteps = 64
	maxDepth = 8
)

// Parse parses a path:
//
//	path   = step { "." step } [ "?" option { "&" option } ]
//	step   = ".." | index | name [ "(" [ "_" | steps ] ")" ]
//	option = key [ "=" value ]
//
// An index is 0 or digits without a leading zero. A name is a letter or an underscore, then
// letters, digits and underscores; a letter may be of any script. After "..", the dot that would
// separate the next step may be left out ("..name").
func Parse(s string) (Path, error) {
	src, query, hasQuery := strings.Cut(s, "?")
	p := parser{src: strings.TrimSpace(src)}
	steps, err := p.steps(0)
	if err == nil && p.pos < len(p.src) {
		err = fmt.Errorf("unexpected %q: paths have no expressions, so make a method of it and write its name with ()", p.src[p.pos:])
	}
	var opts map[string]string
	if err == nil && hasQuery {
		opts, err = options(query)
	}
	if err != nil {
		return Path{}, fmt.Errorf("path %q: %w", s, err)
	}
	return Path{Bare: p.src, Steps: steps, Options: opts}, nil
}

type parser struct {
	src string
	pos int
}

func (p *parser) steps(depth int) ([]Step, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("arguments nested more than %d deep", maxDepth)
	}
	var steps []Step
	for {
		st, err := p.step(depth)
		if err != nil {
			return nil, err
		}
		if n := len(steps); n > 0 && steps[n-1].Kind == CallArg {
			return nil, fmt.Errorf("%s(_) must be the last step", steps[n-1].Name)
		}
		if len(steps) == maxSteps {
			return nil, fmt.Errorf("more than %d steps", maxSteps)
		}
		steps = append(steps, st)
		switch {
		case p.peek() == '.' && !p.hasPrefix(".."):
			p.pos++
		case st.Kind == Parent && p.pos < len(p.src) && p.peek() != ')':
			// "..name": the dot is already there
		default:
			return steps, nil
		}
	}
}

func (p *parser) step(depth int) (Step, error) {
	switch c := p.peek(); {
	case p.hasPrefix(".."):
		p.pos += 2
		return Step{Kind: Parent}, nil
	case c >= '0' && c <= '9':
		return p.index()
	}
	name := p.name()
	if name == "" {
		if p.pos >= len(p.src) {
			return Step{}, fmt.Errorf("a name is missing at the end")
		}
		return Step{}, fmt.Errorf("a name is missing before %q", p.src[p.pos:])
	}
	if p.peek() != '(' {
		return Step{Kind: Field, Name: name}, nil
	}
	p.pos++
	st := Step{Kind: Call, Name: name}
	switch {
	case p.peek() == ')':
	case p.hasPrefix("_)"):
		p.pos++
		st.Kind = CallArg
	default:
		arg, err := p.steps(depth + 1)
		if err != nil {
			return Step{}, err
		}
		if arg[len(arg)-1].Kind == CallArg {
			return Step{}, fmt.Errorf("%s(…): an argument cannot take the written value", name)
		}
		st.Kind, st.Arg = CallSub, &Path{Steps: arg}
	}
	if p.peek() != ')' {
		return Step{}, fmt.Errorf("%s(: the closing parenthesis is missing", name)
	}
	p.pos++
	return st, nil
}

func (p *parser) index() (Step, error) {
	start := p.pos
	for p.peek() >= '0' && p.peek() <= '9' {
		p.pos++
	}
	digits := p.src[start:p.pos]
	if len(digits) > 1 && digits[0] == '0' {
		return Step{}, fmt.Errorf("index %s has a leading zero", digits)
	}
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return Step{}, fmt.Errorf("index %s is too large", digits)
	}
	return Step{Kind: Index, Index: int(n)}, nil
}

func (p *parser) name() string {
	start := p.pos
	for i, r := range p.src[start:] {
		if !isNameRune(r, i == 0) {
			p.pos = start + i
			return p.src[start:p.pos]
		}
	}
	p.pos = len(p.src)
	return p.src[start:]
}

// peek returns the next byte, or 0 at the end.
func (p *parser) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

func (p *parser) hasPrefix(s string) bool { return strings.HasPrefix(p.src[p.pos:], s) }

func options(query string) (map[string]string, error) {
	opts := map[string]string{}
	for part := range strings.SplitSeq(query, "&") {
		key, value, ok := strings.Cut(part, "=")
		key = strings.TrimSpace(key)
		if key == "" {
			return nil, fmt.Errorf("an option without a name in %q", "?"+query)
		}
		if !ok {
			value = "true"
		}
		opts[key] = strings.TrimSpace(value)
	}
	return opts, nil
}

func (p Path) Last() Step { return p.Steps[len(p.Steps)-1] }
