// Package pattern has Lua patterns, compiled once and matched by backtracking. Unlike with the
// library's, a match can be interrupted: some patterns take exponential time. The dialect is Lua
// 5.1's, including the frontier %f[set].
package pattern

import (
	"fmt"
	"strings"
)

const (
	maxCaptures = 32
	maxItems    = 10_000 // each may take a level of the Go stack
)

type itemKind uint8

const (
	itemSet      itemKind = iota // one character of the set, repeated as repeat says
	itemOpen                     // a capture starts
	itemClose                    // it ends
	itemPosition                 // a capture of the position
	itemBack                     // the text of capture arg again
	itemBalanced                 // %bxy
	itemFrontier                 // %f[set]
	itemEnd                      // the end of the subject
)

type item struct {
	kind   itemKind
	repeat byte // of a set: 0 or one of * + - ?
	arg    int  // the capture
	x, y   byte // of %bxy
	set    charSet
}

// A Pattern is a compiled pattern. Matching does not change it.
type Pattern struct {
	items    []item
	Anchored bool // it matches at the beginning only
	Captures int
	// literal is the text that a pattern without magic characters matches.
	literal   string
	isLiteral bool
}

type charSet [4]uint64

func (s *charSet) add(from, to byte) {
	for c := int(from); c <= int(to); c++ {
		s[c>>6] |= 1 << (c & 63)
	}
}
func (s *charSet) has(c byte) bool { return s[c>>6]&(1<<(c&63)) != 0 }
func (s *charSet) join(o charSet) {
	for i := range s {
		s[i] |= o[i]
	}
}
func (s *charSet) invert() {
	for i := range s {
		s[i] = ^s[i]
	}
}

// classes are the ranges of characters, each by its ends, for which letters stand after a percent
// sign; in upper case, for the others.
var classes = map[byte]string{
	'a': "AZaz", 'c': "\x00\x1f\x7f\x7f", 'd': "09", 'l': "az", 'p': "!/:@[`{~", 's': "\t\r  ", 'u': "AZ", 'w': "09AZaz", 'x': "09AFaf", 'z': "\x00\x00",
}

// escaped returns the set for which a percent sign and c stand.
func escaped(c byte) (set charSet) {
	ranges, ok := classes[c|32]
	if !ok {
		set.add(c, c)
		return set
	}
	for ; ranges != ""; ranges = ranges[2:] {
		set.add(ranges[0], ranges[1])
	}
	if c&32 == 0 {
		set.invert()
	}
	return set
}

type parser struct {
	src  string
	pos  int
	pat  Pattern
	open []int // captures that are still open
	done [maxCaptures]bool
}

// Compile parses a pattern. Its errors are for the script's author.
func Compile(src string) (*Pattern, error) {
	p := &parser{src: src}
	if !strings.ContainsAny(src, "^$*+?.([%-)") {
		p.pat.isLiteral, p.pat.literal = true, src
	}
	if strings.HasPrefix(src, "^") {
		p.pat.Anchored = true
		p.pos = 1
	}
	for p.pos < len(src) {
		if err := p.item(); err != nil {
			return nil, err
		}
		if len(p.pat.items) > maxItems {
			return nil, fmt.Errorf("pattern too complex: more than %d items", maxItems)
		}
	}
	if len(p.open) > 0 {
		return nil, fmt.Errorf("unfinished capture in pattern %q", src)
	}
	return &p.pat, nil
}

func (p *parser) bad(what string) error {
	return fmt.Errorf("malformed pattern %q (%s)", p.src, what)
}

func (p *parser) capture() (int, error) {
	if p.pat.Captures == maxCaptures {
		return 0, fmt.Errorf("too many captures in pattern %q", p.src)
	}
	p.pat.Captures++
	return p.pat.Captures - 1, nil
}

// item parses one item, with the sign for its repetition.
func (p *parser) item() (err error) {
	rest, width := p.src[p.pos:], 1
	var it item
	switch {
	case strings.HasPrefix(rest, "()"):
		it.kind, width = itemPosition, 2
		it.arg, err = p.capture()
		p.done[it.arg] = true
	case rest[0] == '(':
		it.kind = itemOpen
		it.arg, err = p.capture()
		p.open = append(p.open, it.arg)
	case rest[0] == ')':
		if len(p.open) == 0 {
			return fmt.Errorf("invalid pattern capture in %q: there is no ( for a )", p.src)
		}
		it.kind, it.arg = itemClose, p.open[len(p.open)-1]
		p.open = p.open[:len(p.open)-1]
		p.done[it.arg] = true
	case rest == "$":
		it.kind = itemEnd
	case strings.HasPrefix(rest, "%b"):
		if len(rest) < 4 {
			return p.bad("missing arguments to %b")
		}
		it.kind, it.x, it.y, width = itemBalanced, rest[2], rest[3], 4
	case strings.HasPrefix(rest, "%f"):
		p.pos += 2
		if !strings.HasPrefix(rest[2:], "[") {
			return p.bad("missing [ after %f")
		}
		it.kind, width = itemFrontier, 0
		it.set, err = p.class()
	case len(rest) > 1 && rest[0] == '%' && '0' <= rest[1] && rest[1] <= '9':
		it.kind, it.arg, width = itemBack, int(rest[1])-'1', 2
		if it.arg < 0 || it.arg >= p.pat.Captures || !p.done[it.arg] {
			return fmt.Errorf("invalid capture index %%%c in pattern %q", rest[1], p.src)
		}
	default:
		it.set, err = p.class()
		if rest, width = p.src[p.pos:], 0; rest != "" && strings.IndexByte("*+-?", rest[0]) >= 0 {
			it.repeat, width = rest[0], 1
		}
	}
	p.pat.items = append(p.pat.items, it)
	p.pos += width
	return err
}

// class parses an item that matches one character.
func (p *parser) class() (set charSet, err error) {
	c := p.src[p.pos]
	p.pos++
	switch c {
	case '.':
		set.invert()
	case '%':
		if p.pos == len(p.src) {
			return set, p.bad("ends with %")
		}
		set = escaped(p.src[p.pos])
		p.pos++
	case '[':
		return p.bracket()
	default:
		set.add(c, c)
	}
	return set, nil
}

func (p *parser) bracket() (set charSet, err error) {
	src := p.src
	not := strings.HasPrefix(src[p.pos:], "^")
	if not {
		p.pos++
	}
	for first := true; ; first = false {
		if p.pos >= len(src) {
			return set, p.bad("missing ]")
		}
		c := src[p.pos]
		p.pos++
		switch {
		case c == ']' && !first:
			if not {
				set.invert()
			}
			return set, nil
		case c == '%':
			if p.pos == len(src) {
				return set, p.bad("ends with %")
			}
			set.join(escaped(src[p.pos]))
			p.pos++
		case p.pos+1 < len(src) && src[p.pos] == '-' && src[p.pos+1] != ']':
			set.add(c, src[p.pos+1])
			p.pos += 2
		default:
			set.add(c, c)
		}
	}
}

// A Matcher matches a pattern against a subject.
type Matcher struct {
	Pattern  *Pattern
	Text     string               // the subject
	Captures [maxCaptures]Capture // of the last match
	Step     func()               // called often; panics when the time is up

	n int // steps since then
}

// A Capture is Text[From:To], or the position From if To is -1.
type Capture struct{ From, To int }

// stepEvery is how many characters are examined between two calls of Step.
const stepEvery = 256

// Count counts work for Step.
func (m *Matcher) Count(n int) {
	if m.n += n; m.n >= stepEvery {
		m.n = 0
		m.Step()
	}
}

// Find returns the first match that starts at init or later.
func (m *Matcher) Find(init int) (from, to int, ok bool) {
	if m.Pattern.isLiteral {
		i := strings.Index(m.Text[init:], m.Pattern.literal)
		return init + i, init + i + len(m.Pattern.literal), i >= 0
	}
	for from = init; from <= len(m.Text); from++ {
		if to = m.match(from, 0); to >= 0 {
			return from, to, true
		}
		if m.Pattern.Anchored {
			break
		}
		m.Count(1)
	}
	return 0, 0, false
}

// match matches the items from i at s, and returns the end of the match or -1. Captures need no
// undoing: an item is reached only through all items before it.
func (m *Matcher) match(s, i int) int {
	src := m.Text
	for ; i < len(m.Pattern.items); i++ {
		it := &m.Pattern.items[i]
		switch it.kind {
		case itemSet:
			if it.repeat != 0 {
				return m.repeat(it, s, i)
			}
			if s >= len(src) || !it.set.has(src[s]) {
				return -1
			}
			s++
		case itemOpen:
			m.Captures[it.arg] = Capture{From: s, To: s}
		case itemClose:
			m.Captures[it.arg].To = s
		case itemPosition:
			m.Captures[it.arg] = Capture{From: s, To: -1}
		case itemBack:
			c := m.Captures[it.arg]
			text := src[c.From:max(c.From, c.To)] // a position has none
			m.Count(len(text))
			if !strings.HasPrefix(src[s:], text) {
				return -1
			}
			s += len(text)
		case itemBalanced:
			if s = m.balanced(it.x, it.y, s); s < 0 {
				return -1
			}
		case itemFrontier:
			var before, at byte
			if s > 0 {
				before = src[s-1]
			}
			if s < len(src) {
				at = src[s]
			}
			if it.set.has(before) || !it.set.has(at) {
				return -1
			}
		case itemEnd:
			if s != len(src) {
				return -1
			}
		}
	}
	return s
}

// repeat matches the repeated item i and all items after it.
func (m *Matcher) repeat(it *item, s, i int) int {
	src := m.Text
	if it.repeat == '-' {
		for {
			if e := m.match(s, i+1); e >= 0 {
				return e
			}
			if s >= len(src) || !it.set.has(src[s]) {
				return -1
			}
			s++
			m.Count(1)
		}
	}
	first, last := s, len(src)
	switch it.repeat {
	case '+':
		first++
	case '?':
		last = min(last, s+1)
	}
	end := s
	for end < last && it.set.has(src[end]) {
		end++
	}
	m.Count(end - s + 1)
	for ; end >= first; end-- {
		if e := m.match(end, i+1); e >= 0 {
			return e
		}
		m.Count(1)
	}
	return -1
}

func (m *Matcher) balanced(x, y byte, s int) int {
	if s >= len(m.Text) || m.Text[s] != x {
		return -1
	}
	depth := 1
	for i := s + 1; i < len(m.Text); i++ {
		switch c := m.Text[i]; {
		case c == y:
			if depth--; depth == 0 {
				m.Count(i - s)
				return i + 1
			}
		case c == x:
			depth++
		}
	}
	m.Count(len(m.Text) - s)
	return -1
}
