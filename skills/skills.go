// Package skills embeds the documents that teach agents to work with terminals. They are prompts of
// the MCP server of wsh, and "wsh install" writes them into projects.
//
// It only reads them: the transports and the installer say what happens to a document.
package skills

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed wsh/*.md
var files embed.FS

// A Document is one skill.
type Document struct {
	Name        string // of the installed skill, such as "wsh-tui"
	Prompt      string // the name of the prompt, such as "wsh:tui", or "" if it is no prompt
	Description string // what it teaches and when to use it, in one line
	Body        string // Markdown, without the front matter
	Text        string // the whole file
}

// prompts are the documents that are prompts, in the order in which clients list them.
var prompts = []string{
	"core-mcp", "drive-process", "tui", "multi-session", "agent-orchestration", "monitor",
	"visual-feedback", "input-capture", "generative-ui",
}

// Wsh returns the skills for wsh: the prompts in the order in which clients list them, and then the
// others. The caller owns the slice.
func Wsh() []Document { return slices.Clone(wsh()) }

var wsh = sync.OnceValue(func() []Document {
	var list []Document
	for _, name := range append(slices.Clone(prompts), "core") {
		text, err := files.ReadFile(path.Join("wsh", name+".md"))
		if err != nil {
			panic(fmt.Sprintf("skills: %v", err))
		}
		d, err := parse(string(text))
		if err != nil {
			panic(fmt.Sprintf("skills: wsh/%s.md: %v", name, err))
		}
		if slices.Contains(prompts, name) {
			d.Prompt = "wsh:" + strings.TrimSuffix(name, "-mcp")
		}
		list = append(list, d)
	}
	return list
})

// parse splits a document into its front matter and its body. The front matter has a key and a
// value on each line.
func parse(text string) (Document, error) {
	d := Document{Text: text}
	head, body, found := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	if !found || !strings.HasPrefix(text, "---\n") {
		return d, fmt.Errorf("there is no front matter")
	}
	d.Body = strings.TrimLeft(body, "\n")
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, ": ")
		if strings.Contains(value, ": ") || strings.Contains(value, " #") {
			return d, fmt.Errorf("YAML would not read the %s as plain text", key)
		}
		switch key {
		case "name":
			d.Name = value
		case "description":
			d.Description = value
		default:
			return d, fmt.Errorf("unknown line %q in the front matter", line)
		}
	}
	if d.Name == "" || d.Description == "" || d.Body == "" {
		return d, fmt.Errorf("a document needs a name, a description and a body")
	}
	return d, nil
}
