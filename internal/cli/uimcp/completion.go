package uimcp

import (
	"context"
	"fmt"

	"github.com/alecthomas/kong"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

// Help is the last part of what --help prints.
func (completionCommand) Help() string {
	return `The script makes the shell complete the commands and flags of ui-mcp. It is made from them, so print it again after an update.

    source <(ui-mcp completion bash)                                 in ~/.bashrc
    ui-mcp completion zsh > "${fpath[1]}/_ui-mcp"                    once, then begin a new zsh
    ui-mcp completion fish > ~/.config/fish/completions/ui-mcp.fish  once`
}

func (c completionCommand) run(_ context.Context, e env) error {
	parser := newParser(&grammar{}, nil, e.version, e.Streams, func(int) {})
	commands := completions(parser.Model.Node)
	var script string
	switch c.Shell {
	case "bash":
		script = bashScript(commands)
	case "zsh":
		script = zshScript(commands)
	default: // the grammar accepts no other shell
		script = fishScript(commands)
	}
	_, err := fmt.Fprint(e.Out, script)
	return err
}

// A completion lists what can follow a command.
type completion struct {
	path  string // the command, such as "linkapp add"; "" is ui-mcp itself
	words []word // subcommands and arguments that can be listed
	flags []word
}

// A word is something that a shell can complete.
type word struct {
	text, help string
	value      value    // of a flag
	choices    []string // of a flag whose value is one of them
}

// A value is the kind of a flag's value.
type value int

const (
	noValue value = iota
	directory
	choice
	anything // cannot be completed
)

// completions lists what can follow node, and each of the commands below it.
func completions(node *kong.Node) []completion {
	c := completion{path: node.Path()}
	var list []completion
	for _, child := range node.Children {
		c.words = append(c.words, word{text: child.Name, help: child.Help})
		list = append(list, completions(child)...)
	}
	for _, arg := range node.Positional {
		if arg.Enum == "" {
			continue
		}
		for _, text := range arg.EnumSlice() {
			c.words = append(c.words, word{text: text, help: arg.Name})
		}
	}
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			c.flags = append(c.flags, flagWord(f))
		}
	}
	return append([]completion{c}, list...)
}

func flagWord(f *kong.Flag) word {
	w := word{text: "--" + f.Name, help: f.Help}
	limited, isLimited := f.Target.Interface().(interface{ choices() []string })
	switch {
	case f.IsBool():
	case f.Name == "dir":
		w.value = directory
	case isLimited:
		w.value, w.choices = choice, limited.choices()
	default:
		w.value = anything
	}
	return w
}

// valued lists the flags that take a value, each once, of all commands.
func valued(commands []completion) []word {
	var list []word
	seen := map[string]bool{}
	for _, c := range commands {
		for _, f := range c.flags {
			if f.value != noValue && !seen[f.text] {
				seen[f.text] = true
				list = append(list, f)
			}
		}
	}
	return list
}

// texts lists the words that can follow a command, then its flags.
func (c completion) texts() []word {
	return append(c.words[:len(c.words):len(c.words)], c.flags...)
}
