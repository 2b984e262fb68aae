package clidocs

import (
	"regexp"
	"slices"
	"strings"
)

// inShell returns the calls of a program in shell text whose first line has a number. Two blanks
// end a call: a description follows.
func inShell(text, program string, line int) []Call {
	s := &shell{text: text, program: program, line: line}
	s.commands(false)
	return s.calls
}

// A shell reads text as a shell does, as far as that is needed to tell words from one another.
type shell struct {
	text    string
	program string
	line    int // of what comes next

	calls []Call
}

// assignment is a word that may precede a command.
var assignment = regexp.MustCompile(`^[A-Za-z_]\w*=`)

// leading are words after which a command may begin.
var leading = map[string]bool{
	"!": true, "if": true, "then": true, "else": true, "elif": true, "while": true, "until": true, "do": true, "{": true,
	"exec": true, "time": true, "nohup": true, "sudo": true, "source": true,
}

// adds are programs that are given a command after "--", as in "claude mcp add NAME -- COMMAND".
var adds = map[string]bool{"claude": true, "codex": true}

// commands reads commands to the end of the text, or to the parenthesis that ends a substitution.
func (s *shell) commands(nested bool) {
	var words []string
	start := s.line
	end := func() {
		if len(words) > 0 && adds[words[0]] {
			words = words[slices.Index(words, "--")+1:]
		}
		for len(words) > 0 && (leading[words[0]] || assignment.MatchString(words[0])) {
			words = words[1:]
		}
		if len(words) > 0 && words[0] == s.program {
			s.calls = append(s.calls, Call{Line: start, Args: words[1:]})
		}
		words = nil
	}
	defer end()
	for s.text != "" {
		switch c := s.text[0]; {
		case c == '\n':
			s.skip(1)
			end()
			start = s.line
		case strings.HasPrefix(s.text, "  ") && len(words) > 0, c == '#':
			s.skip(len(s.text[:strings.IndexByte(s.text+"\n", '\n')]))
		case c == ' ' || c == '\t':
			s.skip(1)
		case strings.HasPrefix(s.text, "\\\n"):
			s.skip(2)
			s.text = strings.TrimLeft(s.text, " ")
		case strings.HasPrefix(s.text, "$(") || strings.HasPrefix(s.text, "<("):
			words = append(words, s.word())
		case c == ')':
			s.skip(1)
			if nested {
				return
			}
			end()
		case strings.IndexByte("|&;(", c) >= 0:
			s.skip(1)
			end()
		case c == '>' || c == '<':
			s.skip(1)
			s.text = strings.TrimLeft(s.text, "><& ")
			s.word() // its file
		default:
			word := s.word()
			if strings.HasPrefix(s.text, ">") && (word == "1" || word == "2") {
				continue // the descriptor of a redirection
			}
			words = append(words, word)
		}
	}
}

// word reads one word. What a substitution would print is a placeholder.
func (s *shell) word() string {
	var b strings.Builder
	quote := byte(0)
	for s.text != "" {
		c := s.text[0]
		switch {
		case quote == 0 && (c == '$' || c == '<') && strings.HasPrefix(s.text[1:], "("), quote == '"' && strings.HasPrefix(s.text, "$("):
			s.skip(2)
			s.commands(true)
			b.WriteString("…")
			continue
		case quote == 0 && strings.IndexByte(" \t\n|&;()<>", c) >= 0:
			return b.String()
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && len(s.text) > 1:
			s.skip(1)
			b.WriteByte(s.text[0])
		case c == '$' && quote != '\'' && len(s.text) > 1 && s.text[1] != ' ':
			b.WriteString("…")
		default:
			b.WriteByte(c)
		}
		s.skip(1)
	}
	return b.String()
}

// skip passes over n bytes.
func (s *shell) skip(n int) {
	s.line += strings.Count(s.text[:n], "\n")
	s.text = s.text[n:]
}
