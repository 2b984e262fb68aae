// Package completion lets shells complete the command lines of our commands. A short script in the
// shell asks the command itself, through a hidden command, what can come next; so flags are never
// out of date, and names of things that exist right now are completed, too.
//
// It reads the model of a command line and knows no command. The caller completes values that only
// it can know.
package completion

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// A Kind says what can come next.
type Kind string

const (
	Words       Kind = "words" // the candidates of the result, which may be none
	Files       Kind = "files"
	Directories Kind = "directories"
	Command     Kind = "command" // another command line, which begins at Result.Start
)

// A Candidate is a word that can come next.
type Candidate struct{ Text, Help string }

// A Result is what can come next.
type Result struct {
	Kind       Kind
	Candidates []Candidate
	// Start is the index of the first word of another command line, where 0 is the first word after
	// the name of the program.
	Start int
	// prefix is the part of the last word before the value that is completed, such as "--dir=".
	prefix string
}

// Given are the values on the command line so far, by the names of flags and arguments.
type Given map[string][]string

// Values completes a flag or argument of a command whose values only the caller knows. It returns
// false for values that it does not know either.
type Values func(command *kong.Node, v *kong.Value, given Given) (Result, bool)

// Complete returns what the last word can become, which may be empty. The first word comes after
// the name of the program.
//
// Values are completed by values, or else by what the model says: an enum, "type" path or dir, a
// method Choices() []string of the Go type, or the tag complete, which is the name of a [Kind].
func Complete(model *kong.Application, words []string, values Values) Result {
	c := completer{node: model.Node, values: values, given: Given{}}
	if len(words) == 0 {
		words = []string{""}
	}
	last := len(words) - 1
	for i, w := range words[:last] {
		c.take(i, w)
	}
	return c.complete(last, words[last])
}

// A completer reads a command line word by word.
type completer struct {
	node    *kong.Node // the command
	values  Values
	given   Given
	chosen  bool       // the arguments of a command follow, and no other command
	unknown bool       // a word should be a command, and is not
	args    int        // how many arguments have come
	onlyArg bool       // no flags any more, after "--"
	pending *kong.Flag // its value is next, or nil
	inner   int        // the index of the word at which another command line begins, plus 1
}

func (c *completer) started() bool { return c.inner > 0 }

// take reads a complete word.
func (c *completer) take(i int, w string) {
	switch {
	case c.started():
	case c.pending != nil:
		c.give(c.pending.Name, w)
		c.pending = nil
	case c.onlyArg || w == "-" || !strings.HasPrefix(w, "-"):
		c.takeArgument(i, w)
	case w == "--":
		c.onlyArg = true
	case strings.HasPrefix(w, "--"):
		name, value, hasValue := strings.Cut(w[2:], "=")
		f := c.flag(func(f *kong.Flag) bool { return f.Name == name || slices.Contains(f.Aliases, name) })
		c.takeFlag(f, value, hasValue)
	default:
		for rest := []rune(w[1:]); len(rest) > 0; rest = rest[1:] {
			f := c.flag(func(f *kong.Flag) bool { return f.Short == rest[0] })
			if f != nil && !f.IsBool() {
				c.takeFlag(f, strings.TrimPrefix(string(rest[1:]), "="), len(rest) > 1)
				break
			}
			c.takeFlag(f, "", false)
		}
	}
}

func (c *completer) give(name, value string) { c.given[name] = append(c.given[name], value) }

func (c *completer) takeFlag(f *kong.Flag, value string, hasValue bool) {
	switch {
	case f == nil:
	case f.IsBool() || hasValue:
		c.give(f.Name, value)
	default:
		c.pending = f
	}
}

func (c *completer) takeArgument(i int, w string) {
	if child := c.child(w); child != nil {
		c.node = child
		return
	}
	v := c.argument()
	c.unknown = v == nil && !c.chosen && len(c.node.Children) > 0
	c.chosen = true
	if v != nil {
		c.give(v.Name, w)
		if v.Passthrough {
			c.inner = i + 1
		}
	}
	c.args++
}

// child returns the subcommand of a name, or nil.
func (c *completer) child(name string) *kong.Node {
	if c.chosen {
		return nil
	}
	for _, child := range c.node.Children {
		if child.Name == name || slices.Contains(child.Aliases, name) {
			return child
		}
	}
	return nil
}

// argument returns the next argument, or nil. The last one may be a list.
func (c *completer) argument() *kong.Value {
	list := c.node.Positional
	if len(list) == 0 && c.node.DefaultCmd != nil {
		list = c.node.DefaultCmd.Positional
	}
	switch {
	case c.args < len(list):
		return list[c.args]
	case len(list) > 0 && list[len(list)-1].IsCumulative():
		return list[len(list)-1]
	}
	return nil
}

// flags returns the flags that the command takes, with the flags of its default command.
func (c *completer) flags() []*kong.Flag {
	var all []*kong.Flag
	if c.node.DefaultCmd != nil {
		all = append(all, c.node.DefaultCmd.Flags...)
	}
	for n := c.node; n != nil; n = n.Parent {
		all = append(all, n.Flags...)
	}
	return all
}

func (c *completer) flag(is func(*kong.Flag) bool) *kong.Flag {
	list := c.flags()
	if i := slices.IndexFunc(list, is); i >= 0 {
		return list[i]
	}
	return nil
}

// complete returns what the last word can become.
func (c *completer) complete(i int, w string) Result {
	switch {
	case c.unknown:
		return Result{Kind: Words}
	case c.started():
		return Result{Kind: Command, Start: c.inner - 1}
	case c.pending != nil:
		return c.value(c.pending.Value, i, w, "")
	case !c.onlyArg && strings.HasPrefix(w, "--") && strings.Contains(w, "="):
		name, value, _ := strings.Cut(w[2:], "=")
		f := c.flag(func(f *kong.Flag) bool { return f.Name == name })
		if f == nil || f.IsBool() {
			return Result{Kind: Words}
		}
		return c.value(f.Value, i, value, "--"+name+"=")
	case !c.onlyArg && strings.HasPrefix(w, "-"):
		return Result{Kind: Words, Candidates: c.flagNames(w)}
	}
	r := Result{Kind: Words}
	if !c.chosen {
		for _, child := range c.node.Children {
			if !child.Hidden && strings.HasPrefix(child.Name, w) {
				r.Candidates = append(r.Candidates, Candidate{child.Name, child.Help})
			}
		}
	}
	if v := c.argument(); v != nil && len(r.Candidates) == 0 {
		if v.Passthrough {
			return Result{Kind: Command, Start: i}
		}
		r = c.value(v, i, w, "")
	}
	if w == "" && !c.onlyArg && r.Kind == Words && len(r.Candidates) == 0 {
		r.Candidates = c.flagNames("--")
	}
	return r
}

// flagNames returns the flags that can still be given.
func (c *completer) flagNames(w string) []Candidate {
	var list []Candidate
	for _, f := range c.flags() {
		text := "--" + f.Name
		_, isGiven := c.given[f.Name]
		if f.Hidden || isGiven && !f.IsCumulative() || !strings.HasPrefix(text, w) {
			continue
		}
		list = append(list, Candidate{text, f.Help})
	}
	return list
}

// value returns what the value of a flag or argument can become, which is w in the word of index i,
// after a prefix.
func (c *completer) value(v *kong.Value, i int, w, prefix string) Result {
	r, ok := Result{}, false
	if c.values != nil {
		r, ok = c.values(c.node, v, c.given)
	}
	if !ok {
		r = known(v)
	}
	r.prefix, r.Start = prefix, i
	list := r.Candidates
	r.Candidates = nil
	for _, candidate := range list {
		// Names on the line already are not offered again.
		if strings.HasPrefix(candidate.Text, w) && !(v.IsCumulative() && slices.Contains(c.given[v.Name], candidate.Text)) {
			candidate.Text = prefix + candidate.Text
			r.Candidates = append(r.Candidates, candidate)
		}
	}
	return r
}

// known returns the values that the model knows.
func known(v *kong.Value) Result {
	if kind := v.Tag.Get("complete"); kind != "" {
		return Result{Kind: Kind(kind)}
	}
	switch v.Tag.Type {
	case "path", "existingfile":
		return Result{Kind: Files}
	case "existingdir":
		return Result{Kind: Directories}
	}
	var texts []string
	if v.Enum != "" {
		texts = v.EnumSlice()
	} else if limited, ok := v.Target.Interface().(interface{ Choices() []string }); ok {
		texts = limited.Choices()
	}
	r := Result{Kind: Words}
	for _, text := range texts {
		if text != "" {
			r.Candidates = append(r.Candidates, Candidate{Text: text})
		}
	}
	return r
}

// A Query is the hidden command by which the scripts ask what can come next.
type Query struct {
	Shell string   `arg:""`
	Words []string `arg:"" passthrough:"" optional:""`
}

// Answer writes the answer to out.
func (q Query) Answer(out io.Writer, model *kong.Application, values Values) error {
	words := q.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	switch q.Shell {
	case "bash":
		words = split(strings.Join(words, " "), '\\')
	case "powershell":
		words = split(strings.Join(words, " "), '`')
	}
	r := Complete(model, words, values)
	word := ""
	if len(words) > 0 {
		word = words[len(words)-1]
	}
	return r.write(out, q.Shell, word)
}

// write writes a result for the script of a shell: its kind, and each candidate with its help after
// a tab. word is the last word, of which bash completes only a part.
func (r Result) write(out io.Writer, shell, word string) error {
	var b strings.Builder
	b.WriteString(string(r.Kind))
	switch r.Kind {
	case Command:
		fmt.Fprintf(&b, " %d", r.Start)
	case Files, Directories:
		fmt.Fprintf(&b, " %s", r.prefix)
	}
	b.WriteByte('\n')
	for _, c := range r.Candidates {
		text := c.Text
		if shell == "bash" {
			text = text[min(len(text), breakAt(word)):]
		}
		help, _, _ := strings.Cut(clean.Replace(c.Help), ". ")
		fmt.Fprintf(&b, "%s\t%s\n", text, strings.TrimSuffix(help, "."))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

var clean = strings.NewReplacer("\n", " ", "\t", " ")

// breakAt returns where the part of a word begins that bash completes: after the last of the
// characters at which it breaks words.
func breakAt(word string) int { return strings.LastIndexAny(word, "=:@") + 1 }

// split splits a command line up to the cursor, as bash and PowerShell give it, into words, without
// the first one: the name of the program. The last word is the one to complete. escape is the
// character that takes the next one literally, except between single quotes.
func split(line string, escape rune) []string {
	var words []string
	var word strings.Builder
	in, quote := false, rune(0)
	escaped := false
	for _, c := range line {
		switch {
		case escaped:
			word.WriteRune(c)
			escaped = false
		case quote != 0 && c == quote:
			quote = 0
		case c == escape && quote != '\'':
			escaped, in = true, true
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, in = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if in {
				words = append(words, word.String())
				word.Reset()
			}
			in = false
		default:
			word.WriteRune(c)
			in = true
		}
	}
	words = append(words, word.String())
	if len(words) == 1 {
		return []string{""}
	}
	return words[1:]
}
