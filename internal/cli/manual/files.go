package manual

import (
	"path/filepath"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/files"
)

// All returns the pages of a program: its own, and one for each command that is not hidden.
func All(program Page, model *kong.Application) []Page {
	pages := []Page{program}
	var add func(*kong.Node)
	add = func(node *kong.Node) {
		for _, c := range node.Children {
			if !c.Hidden {
				pages = append(pages, Page{Program: program.Program, Version: program.Version, Command: c})
				add(c)
			}
		}
	}
	add(model.Node)
	return pages
}

// Install writes all pages of a program into a directory, such as ~/.local/share/man/man1, which
// must exist, and returns their names.
func Install(dir string, program Page, model *kong.Application) ([]string, error) {
	var names []string
	for _, p := range All(program, model) {
		name := p.Name() + ".1"
		if err := files.Write(filepath.Join(dir, name), []byte(p.Write(model)), 0o644); err != nil {
			return names, err
		}
		names = append(names, name)
	}
	return names, nil
}
