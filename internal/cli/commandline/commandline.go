// Package commandline builds the parsers of our command lines and the parts of them that are the
// same for each command. It runs nothing.
package commandline

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/environ"
	"ui-mcp/internal/ui/spell"
)

// A Program is a program's command line.
type Program struct {
	Name, Version, Description string // Version is what --version prints
	Vars                       kong.Vars
	// Globals points to a struct with the flags that every command has, and Commands to one with a
	// field for each command, tagged as kong wants it. Parsing fills both.
	Globals, Commands any
	// Details are the last parts of what --help prints about commands, by [Path]; in them, PROGRAM
	// stands for the name.
	Details  map[string]string
	Topics   []Topic
	Environ  environ.Variables // values for flags that have a variable
	Out, Err io.Writer
}

// A Topic is what help describes besides commands.
type Topic struct {
	Name string // a word
	Help string // what it is about, in a few words
	Text string // paragraphs, and lines indented by four blanks, which stay as they are
}

// A Call is one run of a [Shared] command.
type Call struct {
	Streams
	Program Program
	Version string // as the linker set it
}

// A Shared command is the same in each program that has it.
type Shared interface {
	Run(ctx context.Context, c Call) error
}

// Model returns the whole command line, as its tags describe it.
func (p Program) Model() *kong.Application { return p.parser(everyCommand, func(int) {}).Model }

// Parse returns the command that args choose, and its context. After help or the version, which it
// prints to Out, the context is nil, and status is the exit status. An error is a mistake in args.
func (p Program) Parse(args []string) (chosen *kong.Context, status int, err error) {
	needs, few := p.needed(args)
	chosen, status, err = p.parse(needs, args)
	if err != nil && few { // the message may depend on the other commands
		return p.parse(everyCommand, args)
	}
	return chosen, status, err
}

func (p Program) parse(knows func(reflect.StructField) bool, args []string) (chosen *kong.Context, status int, err error) {
	exited := -1
	parser := p.parser(knows, func(status int) {
		if exited < 0 { // kong continues after exiting; only the first status counts
			exited = status
		}
	})
	p.applyEnvironment(parser.Model.Node)
	if err := CheckCommand(parser.Model.Node, args); err != nil {
		return nil, 0, err
	}
	chosen, err = parser.Parse(args)
	if exited >= 0 {
		return nil, exited, nil
	}
	return chosen, 0, err
}

// HasFlag reports whether a flag was given on the command line.
func HasFlag(c *kong.Context, name string) bool {
	return slices.ContainsFunc(c.Path, func(p *kong.Path) bool { return p.Flag != nil && p.Flag.Name == name })
}

// Run runs the command that was chosen: one that is shared, or a C, by own.
func Run[C any](ctx context.Context, chosen *kong.Context, call Call, own func(C) error) error {
	switch c := chosen.Selected().Target.Addr().Interface().(type) {
	case Shared:
		return c.Run(ctx, call)
	case C:
		return own(c)
	}
	panic(fmt.Sprintf("command %q cannot be run", chosen.Command()))
}

// everyCommand makes a parser know the whole command line.
func everyCommand(reflect.StructField) bool { return true }

// needed returns which commands a parser must know to read args, and whether they are fewer than
// all: reading the tags of all takes longer than most commands run. They are the one that the first
// argument names; or else those that any argument names, and the default one; and none of them for
// --version.
func (p Program) needed(args []string) (needs func(reflect.StructField) bool, few bool) {
	all := slices.Collect(reflect.TypeOf(p.Commands).Elem().Fields())
	namedBy := func(args []string) func(reflect.StructField) bool {
		return func(f reflect.StructField) bool {
			return slices.ContainsFunc(names(f), func(name string) bool { return slices.Contains(args, name) })
		}
	}
	switch {
	case len(args) > 0 && slices.ContainsFunc(all, namedBy(args[:1])):
		return namedBy(args[:1]), true
	case len(args) > 0 && args[0] == "--version":
		return namedBy(nil), true
	case slices.ContainsFunc(args, func(arg string) bool { return arg == "--help" || arg == "-h" }):
		return everyCommand, false
	case len(args) > 0 && !strings.HasPrefix(args[0], "-"), !slices.ContainsFunc(all, isDefault):
		return everyCommand, false // for the message
	}
	return func(f reflect.StructField) bool { return isDefault(f) || namedBy(args)(f) }, true
}

func isDefault(f reflect.StructField) bool { return f.Tag.Get("default") != "" }

// parser returns a parser, which calls exit after help or the version.
func (p Program) parser(knows func(reflect.StructField) bool, exit func(status int)) *kong.Kong {
	defaults := kong.NewRegistry().RegisterDefaults()
	options := []kong.Option{
		kong.Name(p.Name),
		kong.Description(p.Description),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoAppDescFormat: true, NoExpandSubcommands: true, WrapUpperBound: 100}),
		kong.Vars{"version": p.Version, "program": p.Name},
		p.Vars,
		kong.Writers(p.Out, p.Err),
		kong.Exit(exit),
		kong.Bind(p.Environ), // for hooks of commands
		kong.ValueFormatter(describe),
		kong.KindMapper(reflect.Slice, refuseEmpty(defaults.ForType(reflect.TypeFor[[]string]()))),
		kong.NamedMapper("path", refuseEmpty(defaults.ForNamedType("path", reflect.TypeFor[string]()))),
	}
	for f, v := range reflect.ValueOf(p.Commands).Elem().Fields() {
		if knows(f) {
			options = append(options, kong.DynamicCommand(names(f)[0], f.Tag.Get("help"), f.Tag.Get("group"), v.Addr().Interface(), string(f.Tag)))
		}
	}
	parser, err := kong.New(p.Globals, options...)
	if err != nil {
		panic(fmt.Sprintf("the grammar of the command line: %v", err))
	}
	for path, text := range p.Details {
		if node, unknown := Find(parser.Model.Node, strings.Fields(path)); unknown == "" {
			node.Detail = strings.ReplaceAll(text, "PROGRAM", p.Name)
		}
	}
	return parser
}

// refuseEmpty returns a mapper that refuses an empty value, or an empty part of a list: a script's
// variable that is not set must not mean no flag, which may stand for everything, or this
// directory.
func refuseEmpty(m kong.Mapper) kong.Mapper {
	return kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		value, isText := ctx.Scan.Peek().Value.(string)
		if ctx.Value.Flag == nil || !isText {
			return m.Decode(ctx, target)
		}
		sep := rune(-1)
		if target.Kind() == reflect.Slice {
			sep = ctx.Value.Tag.Sep
		}
		if value == "" || slices.Contains(kong.SplitEscaped(value, sep), "") {
			return emptyValue(target.Type())
		}
		return m.Decode(ctx, target)
	})
}

// emptyValue says what is wrong with an empty value for a flag of type t, or for a part of it.
func emptyValue(t reflect.Type) error {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if value, ok := reflect.New(t).Interface().(encoding.TextUnmarshaler); ok {
		if err := value.UnmarshalText(nil); err != nil {
			return err
		}
	}
	return errors.New("an empty value is not possible")
}

// applyEnvironment makes the values of variables the defaults of their flags. kong would read the
// environment of the process, and does not once the tags have no variables. An empty variable of a
// flag that refuses empty values is as good as none.
func (p Program) applyEnvironment(node *kong.Node) {
	for _, flag := range node.Flags {
		refuses := flag.Tag.Type == "path" || flag.Target.Kind() == reflect.Slice // see refuseEmpty
		for i := len(flag.Envs) - 1; i >= 0; i-- {                                // the first one set counts
			if value, ok := p.Environ.Lookup(flag.Envs[i]); ok && (value != "" || !refuses) {
				flag.HasDefault, flag.Default = true, value
			}
		}
		flag.Tag.Envs = nil
	}
	for _, child := range node.Children {
		p.applyEnvironment(child)
	}
}

// describe returns the help of a flag or an argument, with the variables of a flag.
func describe(value *kong.Value) string {
	if value.Flag == nil {
		return kong.DefaultHelpValueFormatter(value)
	}
	complete, tag := *value, *value.Tag
	tag.Envs, complete.Tag = value.Flag.Envs, &tag
	return kong.DefaultHelpValueFormatter(&complete)
}

// names returns the name of a command, and its aliases.
func names(f reflect.StructField) []string {
	name := f.Tag.Get("name")
	if name == "" {
		name = strings.ToLower(f.Name)
	}
	if aliases := f.Tag.Get("aliases"); aliases != "" {
		return append([]string{name}, strings.Split(aliases, ",")...)
	}
	return []string{name}
}

// CheckCommand returns an error if the first argument should be a command below node and does not
// exist. kong would call it an unexpected argument.
func CheckCommand(node *kong.Node, args []string) error {
	if len(args) == 0 || len(node.Children) == 0 || strings.HasPrefix(args[0], "-") {
		return nil
	}
	var known []string
	for _, c := range node.Children {
		if c.Name == args[0] || slices.Contains(c.Aliases, args[0]) {
			return nil
		}
		known = append(append(known, c.Name), c.Aliases...)
	}
	if meant := spell.Nearest(args[0], known); meant != "" {
		return fmt.Errorf("unknown command %q: did you mean %q?", args[0], meant)
	}
	return fmt.Errorf("unknown command %q", args[0])
}

// Find returns the command at a path such as "token", "new", or the first word that names no
// command, and the command before it.
func Find(node *kong.Node, path []string) (_ *kong.Node, unknown string) {
	for _, name := range path {
		i := slices.IndexFunc(node.Children, func(c *kong.Node) bool {
			return !c.Hidden && (c.Name == name || slices.Contains(c.Aliases, name))
		})
		if i < 0 {
			return node, name
		}
		node = node.Children[i]
	}
	return node, ""
}

// Path returns how a command is called, without the name of the program and without aliases: "token
// new".
func Path(node *kong.Node) string {
	var words []string
	for ; node != nil && node.Type == kong.CommandNode; node = node.Parent {
		words = append([]string{node.Name}, words...)
	}
	return strings.Join(words, " ")
}
