// Package manual writes manual pages, in the macros of man(7), from the model of a command line. So
// they say what --help says. It runs nothing, and knows no command.
package manual

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/commandline"
)

// A Page is what a manual page is about.
type Page struct {
	Program string
	Version string
	Command *kong.Node // nil for the program
	// About describes the program: paragraphs, and lines that are indented by four blanks.
	About  string
	Topics []commandline.Topic // of the page of the program
}

// Name returns the name of the page: "wsh-token-new".
func (p Page) Name() string {
	if p.Command == nil {
		return p.Program
	}
	return p.Program + "-" + strings.ReplaceAll(commandline.Path(p.Command), " ", "-")
}

// Write returns the page. model describes the command line.
func (p Page) Write(model *kong.Application) string {
	w := &writer{}
	node := p.Command
	if node == nil {
		node = model.Node
	}
	w.line(`.TH %s 1 "" %s`, argument(strings.ToUpper(p.Name())), argument(p.Program+" "+p.Version))
	w.section("NAME")
	help := node.Help
	if p.Command == nil {
		help, _, _ = strings.Cut(p.About, "\n")
	}
	w.line(`%s \- %s`, escape(p.Name()), escape(lowerFirst(strings.TrimSuffix(help, "."))))
	w.section("SYNOPSIS")
	w.line(".B %s", argument(strings.TrimSpace(p.Program+" "+commandline.Path(node))))
	w.text(synopsis(node))
	w.section("DESCRIPTION")
	if p.Command == nil {
		_, rest, _ := strings.Cut(p.About, "\n")
		w.prose(rest)
	} else {
		w.prose(cmp.Or(node.Detail, node.Help))
	}
	p.commands(w, node)
	if len(node.Positional) > 0 {
		w.section("ARGUMENTS")
		for _, v := range node.Positional {
			w.line(".TP\n.I %s", argument(v.Name))
			w.text(v.Help)
		}
	}
	p.options(w, model, node)
	for _, topic := range p.Topics {
		w.section(strings.ToUpper(topic.Name))
		w.prose(topic.Text)
	}
	p.seeAlso(w, node)
	return w.String()
}

// commands lists the commands below a node.
func (p Page) commands(w *writer, node *kong.Node) {
	for i, c := range slices.DeleteFunc(slices.Clone(node.Children), func(c *kong.Node) bool { return c.Hidden }) {
		if i == 0 {
			w.section("COMMANDS")
		}
		w.line(".TP\n.B %s", argument(c.Name))
		w.text(c.Help)
	}
}

// options lists the flags of a node. Flags of the program are on its own page, and flags of a
// default command on the page of its parent as well.
func (p Page) options(w *writer, model *kong.Application, node *kong.Node) {
	flags := slices.Clone(node.Flags)
	if node.DefaultCmd != nil {
		flags = append(flags, node.DefaultCmd.Flags...)
	}
	if node.Type == kong.CommandNode {
		flags = append(flags, model.Flags...)
	}
	for i, f := range slices.DeleteFunc(flags, func(f *kong.Flag) bool { return f.Hidden }) {
		if i == 0 {
			w.section("OPTIONS")
		}
		name := `\fB` + escape("--"+f.Name) + `\fR`
		if f.Short != 0 {
			name = `\fB` + escape("-"+string(f.Short)) + `\fR, ` + name
		}
		if !f.IsBool() {
			name += `=\fI` + escape(strings.Trim(f.FormatPlaceHolder(), `"`)) + `\fR`
		}
		w.line(".TP\n%s", name)
		help := f.Help
		if len(f.Envs) > 0 {
			help += " Also $" + strings.Join(f.Envs, " or $") + "."
		}
		w.text(help)
	}
}

func (p Page) seeAlso(w *writer, node *kong.Node) {
	var names []string
	if node.Type == kong.CommandNode {
		names = append(names, p.Program)
	}
	for _, c := range node.Children {
		if !c.Hidden {
			names = append(names, Page{Program: p.Program, Command: c}.Name())
		}
	}
	w.section("SEE ALSO")
	for i, name := range names {
		comma := ","
		if i == len(names)-1 {
			comma = ""
		}
		w.line(".BR %s (1)%s", argument(name), comma)
	}
}

// synopsis returns the arguments of a command.
func synopsis(node *kong.Node) string {
	words := []string{"[flags]"}
	if len(node.Children) > 0 {
		words = append(words, "[command]")
	}
	for _, v := range node.Positional {
		words = append(words, v.Summary())
	}
	return strings.Join(words, " ")
}

type writer struct{ strings.Builder }

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

func (w *writer) section(title string) { w.line(".SH %s", argument(title)) }

// text writes a text that is filled.
func (w *writer) text(s string) {
	if s = strings.TrimSpace(s); s != "" {
		w.line("%s", escape(s))
	}
}

// prose writes paragraphs, and indented lines as examples.
func (w *writer) prose(s string) {
	example := false
	for line := range strings.SplitSeq(strings.TrimSpace(s), "\n") {
		code, isExample := strings.CutPrefix(line, "    ")
		switch {
		case isExample && !example:
			w.line(".RS 4\n.nf")
		case !isExample && example && line != "":
			w.line(".fi\n.RE\n.PP")
		case line == "" && !example:
			w.line(".PP")
			continue
		case line == "":
			w.line("")
			continue
		}
		example = isExample
		if isExample {
			line = code
		}
		w.line("%s", escape(line))
	}
	if example {
		w.line(".fi\n.RE")
	}
}

// escape returns text that is printed as it is.
func escape(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, "'", `\(aq`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

func argument(s string) string { return `"` + strings.ReplaceAll(escape(s), `"`, `""`) + `"` }

func lowerFirst(s string) string {
	if len(s) > 1 && s[1] >= 'a' && s[1] <= 'z' {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}
