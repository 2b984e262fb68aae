// Package commandline builds the parsers of our command lines and the parts of them that are the
// same for each command. It runs nothing.
package commandline

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/ui/spell"
)

// Parser returns a parser of a command line. globals points to a struct with the flags that every
// command has, and commands to one with a field for each command, tagged as kong wants it.
//
// If the first argument is the name of a command, the parser knows this command alone, and for
// --version none: reading the tags of all of them takes longer than most commands run. Pass no
// arguments for the whole model.
func Parser(globals, commands any, args []string, options ...kong.Option) (*kong.Kong, error) {
	list := reflect.ValueOf(commands).Elem()
	isChosen := func(f reflect.StructField) bool { return slices.Contains(names(f), args[0]) }
	fields := reflect.VisibleFields(list.Type())
	all := len(args) == 0 || args[0] != "--version" && !slices.ContainsFunc(fields, isChosen)
	for i, f := range fields {
		if !all && !isChosen(f) {
			continue
		}
		options = append(options, kong.DynamicCommand(names(f)[0], f.Tag.Get("help"), f.Tag.Get("group"), list.Field(i).Addr().Interface(), string(f.Tag)))
	}
	return kong.New(globals, options...)
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
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return nil
	}
	var known, visible []string
	for _, c := range node.Children {
		if c.Name == args[0] || slices.Contains(c.Aliases, args[0]) {
			return nil
		}
		known = append(append(known, c.Name), c.Aliases...)
		if !c.Hidden {
			visible = append(visible, c.Name)
		}
	}
	if meant := spell.Nearest(args[0], known); meant != "" {
		return fmt.Errorf("unknown command %q: did you mean %q?", args[0], meant)
	}
	if len(visible) > maxListed {
		return fmt.Errorf("unknown command %q", args[0])
	}
	return fmt.Errorf("unknown command %q: it must be one of %s", args[0], strings.Join(visible, ", "))
}

// maxListed is how many commands an error lists.
const maxListed = 16

// Path returns how a command is called, without the name of the program and without aliases: "token
// new".
func Path(node *kong.Node) string {
	var words []string
	for ; node != nil && node.Type == kong.CommandNode; node = node.Parent {
		words = append([]string{node.Name}, words...)
	}
	return strings.Join(words, " ")
}
