package clidocs

import (
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

var (
	// described is a line whose call a description follows, after two blanks.
	described = regexp.MustCompile(`(?m)^([ \t]*(?:'[^'\n]*'|"(?:[^"\\\n]|\\.)*"|\\.|[^\s'"\\])+(?: (?:'[^'\n]*'|"(?:[^"\\\n]|\\.)*"|\\.|[^\s'"\\])+)*)  .*$`)
	// leading are programs that run another one.
	leading = []string{"exec", "nohup", "source", "sudo"}
	// adds are programs that get a command after "--", as in "claude mcp add NAME -- COMMAND".
	adds = []string{"claude", "codex"}
)

// inShell returns the calls of a program in shell text whose first line has a number.
func inShell(text, program string, line int) (calls []Call) {
	parser := syntax.NewParser(syntax.RecoverErrors(10)) // parts of examples are enough
	file, _ := parser.Parse(strings.NewReader(described.ReplaceAllString(text, "$1")), "")
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok {
			return true
		}
		var words []string
		for _, w := range call.Args {
			words = append(words, literal(w.Parts))
		}
		if len(words) > 0 && slices.Contains(adds, words[0]) {
			words = words[slices.Index(words, "--")+1:]
		}
		for len(words) > 0 && slices.Contains(leading, words[0]) {
			words = words[1:]
		}
		if len(words) > 0 && words[0] == program {
			calls = append(calls, Call{Line: line + int(call.Pos().Line()) - 1, Args: words[1:]})
		}
		return true
	})
	return calls
}

// literal is a word without its quotes. What a substitution would print is a placeholder.
func literal(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(unescaped.ReplaceAllString(p.Value, "$1"))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			b.WriteString(literal(p.Parts))
		default:
			b.WriteString("…")
		}
	}
	return b.String()
}

var unescaped = regexp.MustCompile(`(?s)\\(.)`)
