package pattern

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// maxMemory is how many bytes the states of an automaton may take. When they would take more, all
// are dropped and computed again as needed.
const maxMemory = 256 << 10

// An automaton decides whether a text contains a match. It is a deterministic automaton whose
// states are computed when text first leads to them.
type automaton struct {
	prog    *syntax.Prog
	classes classes
	matched *state // the state after a match; nothing leads out of it
	states  map[string]*state
	memory  int

	// For step.
	visited []bool // by instruction
	stack   []uint32
	after   []uint32 // instructions of the next state
	key     []byte
}

// A state stands for all texts after which the same continuations match.
type state struct {
	before rune     // a character like the last one, for ^, $, \b and the like; -1 at the beginning
	insts  []uint32 // instructions that continue matches which have begun, sorted
	next   []*state // by class; nil: not computed yet
}

func newAutomaton(prog *syntax.Prog) *automaton {
	return &automaton{
		prog: prog, classes: newClasses(prog), matched: new(state), states: map[string]*state{},
		visited: make([]bool, len(prog.Inst)),
	}
}

func (a *automaton) matches(text string) bool {
	s := a.state(-1, nil)
	for i := 0; i < len(text); {
		var class int
		if c := text[i]; c < utf8.RuneSelf {
			class = int(a.classes.ascii[c])
			i++
		} else {
			r, n := utf8.DecodeRuneInString(text[i:])
			class = a.classes.of(r)
			i += n
		}
		next := s.next[class]
		if next == nil {
			next = a.step(s, a.classes.samples[class])
			s.next[class] = next
		}
		if next == a.matched {
			return true
		}
		s = next
	}
	return a.step(s, -1) == a.matched
}

// step returns the state after a character, or the end of the text, which is -1.
func (a *automaton) step(s *state, r rune) *state {
	clear(a.visited)
	a.after = a.after[:0]
	a.stack = append(append(a.stack[:0], uint32(a.prog.Start)), s.insts...) // a match may begin anywhere
	boundary := syntax.EmptyOpContext(s.before, r)
	for len(a.stack) > 0 {
		pc := a.stack[len(a.stack)-1]
		a.stack = a.stack[:len(a.stack)-1]
		if a.visited[pc] {
			continue
		}
		a.visited[pc] = true
		switch i := &a.prog.Inst[pc]; i.Op {
		case syntax.InstMatch:
			return a.matched
		case syntax.InstAlt, syntax.InstAltMatch:
			a.stack = append(a.stack, i.Out, i.Arg)
		case syntax.InstCapture, syntax.InstNop:
			a.stack = append(a.stack, i.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(i.Arg)&^boundary == 0 {
				a.stack = append(a.stack, i.Out)
			}
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			if r >= 0 && takes(i, r) {
				a.after = append(a.after, i.Out)
			}
		}
	}
	slices.Sort(a.after)
	a.after = slices.Compact(a.after)
	return a.state(r, a.after)
}

func takes(i *syntax.Inst, r rune) bool {
	switch i.Op {
	case syntax.InstRuneAny:
		return true
	case syntax.InstRuneAnyNotNL:
		return r != '\n'
	}
	return i.MatchRune(r)
}

// state returns the state after a character with the given instructions, which it copies.
func (a *automaton) state(before rune, insts []uint32) *state {
	switch {
	case before < 0, before == '\n':
	case syntax.IsWordChar(before):
		before = 'a'
	default:
		before = ' '
	}
	a.key = binary.AppendVarint(a.key[:0], int64(before))
	for _, pc := range insts {
		a.key = binary.AppendUvarint(a.key, uint64(pc))
	}
	if s := a.states[string(a.key)]; s != nil {
		return s
	}
	cost := 100 + len(a.key) + 4*len(insts) + 8*len(a.classes.samples)
	if a.memory += cost; a.memory > maxMemory {
		clear(a.states)
		a.memory = cost
	}
	s := &state{before, slices.Clone(insts), make([]*state, len(a.classes.samples))}
	a.states[string(a.key)] = s
	return s
}

// classes divide the characters into classes whose members an expression treats alike.
type classes struct {
	ascii   [utf8.RuneSelf]uint16
	starts  []rune // of ranges of characters of one class, in order; the first is 0
	classOf []uint16
	samples []rune // of each class, one character
}

func (c *classes) of(r rune) int {
	i, found := slices.BinarySearch(c.starts, r)
	if !found {
		i--
	}
	return int(c.classOf[i])
}
