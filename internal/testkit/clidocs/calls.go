// Package clidocs compares documents with command lines: it finds the calls of a program in
// documents and in the texts of the source, and writes the reference of a program's commands. It is
// for tests, and runs nothing.
package clidocs

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
)

// A Call is one call of a program.
type Call struct {
	File string
	Line int
	Args []string
	// Mentioned is set if the call is part of a sentence, which may leave out arguments.
	Mentioned bool
}

// CheckCalls parses each call of a program in the documents of the project, and in the texts of its
// commands. parse is the program's own parser. Of a call that is part of a sentence or has
// placeholders, only the commands and flags must exist.
func CheckCalls(t *testing.T, program string, parse func(args []string) error) {
	t.Helper()
	calls := Calls(t, program)
	if len(calls) < 20 {
		t.Errorf("%d calls of %s were found", len(calls), program)
	}
	foreign := regexp.MustCompile(`^un(known|expected) `)
	for _, c := range calls {
		args, whole := filled(c.Args)
		if err := parse(args); err != nil && (whole && !c.Mentioned || foreign.MatchString(err.Error())) {
			t.Errorf("%s:%d: %s %s: %v", c.File, c.Line, program, strings.Join(c.Args, " "), err)
		}
	}
}

// placeholder is an argument that stands for others, as NAME and [flags] do.
var placeholder = regexp.MustCompile(`^(--[a-z-]+=)?[A-Z][A-Z-]*(\.\.\.)?$|[[…]|^vX\.Y\.Z$`)

// filled returns arguments without those that may be left out, except for flags, and whether none
// of them is a placeholder.
func filled(args []string) (list []string, whole bool) {
	whole = true
	for _, arg := range args {
		whole = whole && !placeholder.MatchString(arg)
		if plain := strings.Trim(arg, "[]"); arg != "vX.Y.Z" && plain == arg || strings.HasPrefix(plain, "-") {
			list = append(list, plain)
		}
	}
	return list, whole
}

// Calls returns the calls of a program in the documents of the project, in the help of commands and
// in messages.
func Calls(t *testing.T, program string) (list []Call) {
	t.Helper()
	root := testkit.Root(t)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(path, root), string(filepath.Separator)))
		if d.IsDir() {
			switch d.Name() {
			case ".git", "scratch", "node_modules", "testdata", "dist", "release", "bin", ".demo":
				return fs.SkipDir
			}
			return nil
		}
		// The changelog names removed flags, and the lists of commands repeat the texts of the
		// source.
		document := filepath.Ext(path) == ".md" && name != "CHANGELOG.md" && !strings.HasSuffix(name, "-commands.md")
		source := filepath.Ext(path) == ".go" && !strings.HasSuffix(path, "_test.go") && strings.HasPrefix(name, "internal/")
		if !document && !source {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), program) {
			return err
		}
		found := inGo
		if document {
			found = inMarkdown
		}
		for _, c := range found(string(text), program) {
			c.File = name
			list = append(list, c)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

var (
	fence = regexp.MustCompile("(?ms)^ *```(\\w*)\n(.*?)^ *```$")
	span  = regexp.MustCompile("`((?:[^`\n]|\n[^`\n])+)`") // within a paragraph
)

// inMarkdown returns the calls in blocks of shell and in code spans.
func inMarkdown(text, program string) (list []Call) {
	for _, m := range fence.FindAllStringSubmatchIndex(text, -1) {
		block, first := text[m[4]:m[5]], lineOf(text, m[4])
		switch text[m[2]:m[3]] {
		case "sh", "bash", "":
			list = append(list, inShell(block, program, first)...)
		case "console":
			for i, line := range strings.Split(block, "\n") {
				if command, ok := strings.CutPrefix(strings.TrimSpace(line), "$ "); ok {
					list = append(list, inShell(command, program, first+i)...)
				}
			}
		}
	}
	blank := func(block string) string { return strings.Repeat("\n", strings.Count(block, "\n")) }
	lines := strings.Split(fence.ReplaceAllStringFunc(text, blank), "\n")
	before := "" // the previous line
	for i, line := range lines {
		code, ok := strings.CutPrefix(line, "    ")
		if ok && !strings.HasPrefix(code, " ") && (before == "" || strings.HasPrefix(before, "    ")) {
			list = append(list, inShell(code, program, i+1)...)
			lines[i] = ""
		}
		before = line
	}
	prose := strings.Join(lines, "\n")
	for _, m := range span.FindAllStringSubmatchIndex(prose, -1) {
		if code := strings.ReplaceAll(prose[m[2]:m[3]], "\n", " "); strings.HasPrefix(code, program+" ") {
			list = append(list, mentioned(inShell(code, program, lineOf(prose, m[2])))...)
		}
	}
	return list
}

func lineOf(text string, at int) int { return 1 + strings.Count(text[:at], "\n") }

// quoted is a call in a message.
var quoted = regexp.MustCompile(`["` + "`" + `]((?:wsh|ui-mcp) [^"` + "`" + `\n]+)["` + "`" + `]`)

// inGo returns the calls in the string literals of Go: in indented lines, which are examples, and
// in quotes.
func inGo(text, program string) (list []Call) {
	var s scanner.Scanner
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(text))
	s.Init(file, []byte(text), nil, 0)
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return list
		}
		if tok != token.STRING {
			continue
		}
		value, err := strconv.Unquote(literal)
		if err != nil {
			continue
		}
		start := file.Line(pos)
		value = strings.ReplaceAll(value, `\"`, `"`) // of a struct's tags
		for i, line := range strings.Split(value, "\n") {
			if code, ok := strings.CutPrefix(line, "    "); ok && !strings.HasPrefix(code, " ") {
				list = append(list, inShell(code, program, start+i)...)
			}
			for _, m := range quoted.FindAllStringSubmatch(line, -1) {
				if strings.HasPrefix(m[1], program+" ") && !strings.Contains(m[1], "%") {
					list = append(list, mentioned(inShell(m[1], program, start+i))...)
				}
			}
		}
	}
}

func mentioned(calls []Call) []Call {
	for i := range calls {
		calls[i].Mentioned = true
	}
	return calls
}
