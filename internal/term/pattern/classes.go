package pattern

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

func newClasses(prog *syntax.Prog) classes {
	takers := distinctTakers(prog)
	var c classes
	c.starts = boundaries(takers)
	known := map[string]uint16{}
	signature := make([]byte, len(takers)+1)
	for _, r := range c.starts {
		switch {
		case r == '\n':
			signature[0] = 2
		case syntax.IsWordChar(r):
			signature[0] = 1
		default:
			signature[0] = 0
		}
		for i, t := range takers {
			signature[i+1] = 0
			if takes(t, r) {
				signature[i+1] = 1
			}
		}
		class, ok := known[string(signature)]
		if !ok {
			class = uint16(len(c.samples))
			known[string(signature)] = class
			c.samples = append(c.samples, r)
		}
		c.classOf = append(c.classOf, class)
	}
	for r := range rune(utf8.RuneSelf) {
		c.ascii[r] = uint16(c.of(r))
	}
	return c
}

// distinctTakers returns the instructions that take characters, without those that take the same
// ones as an earlier instruction.
func distinctTakers(prog *syntax.Prog) []*syntax.Inst {
	var list []*syntax.Inst
	known := map[string]bool{}
	for i := range prog.Inst {
		switch t := &prog.Inst[i]; t.Op {
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			key := fmt.Sprint(t.Op, t.Arg, t.Rune)
			if !known[key] {
				known[key] = true
				list = append(list, t)
			}
		}
	}
	return list
}

// boundaries returns the first characters of ranges that are alike for all instructions.
func boundaries(takers []*syntax.Inst) []rune {
	starts := []rune{0}
	add := func(lo, hi rune) { starts = append(starts, lo, hi+1) }
	add('\n', '\n')
	add('0', '9')
	add('A', 'Z')
	add('_', '_')
	add('a', 'z')
	for _, t := range takers {
		if len(t.Rune) == 1 { // it may be folded
			add(t.Rune[0], t.Rune[0])
			for r := unicode.SimpleFold(t.Rune[0]); r != t.Rune[0]; r = unicode.SimpleFold(r) {
				add(r, r)
			}
			continue
		}
		for i := 0; i+1 < len(t.Rune); i += 2 {
			add(t.Rune[i], t.Rune[i+1])
		}
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	return slices.DeleteFunc(starts, func(r rune) bool { return r > unicode.MaxRune })
}
