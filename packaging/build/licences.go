package main

import (
	"bytes"
	"cmp"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ui-mcp/web"
)

// A part is software of others in a program.
type part struct {
	kind    string // "golang" or "npm", as in package URLs
	name    string
	version string // with "v" if it is a Go module
	licence string // an SPDX expression
	text    string // of the licence
}

func (p part) url() string {
	return "pkg:" + p.kind + "/" + strings.Replace(p.name, "@", "%40", 1) + "@" + p.version
}

// licences are the ones that our packages may contain, by phrases that each of their texts has and
// no other's, in the order of expressions.
var licences = []struct {
	id      string
	phrases []string
}{
	{"Apache-2.0", []string{"apache license", "version 2.0, january 2004", "grant of patent license"}},
	{"BSD-2-Clause", []string{"redistributions in binary form must reproduce the above copyright notice", "this software is provided by the copyright"}},
	{"BSD-3-Clause", []string{"redistributions in binary form must reproduce the above copyright notice", "endorse or promote products derived from this software without specific prior written permission"}},
	{"ISC", []string{"distribute this software for any purpose with or without fee is hereby granted"}},
	{"MIT", []string{"permission is hereby granted, free of charge, to any person obtaining a copy", `the software is provided "as is"`}},
}

// refused are phrases of licences that ask for more, also where they are added to one of those.
var refused = []string{"gnu general public", "gnu affero", "gnu lesser", "mozilla public", "commons clause", "non-commercial", "noncommercial"}

// licenceOf returns the SPDX expression for the text of a licence, or "" if our list lacks it.
func licenceOf(text string) string {
	// Texts of the same licence differ in line breaks, marks of lists and quotation marks.
	plain := strings.NewReplacer("“", `"`, "”", `"`, "``", `"`, "''", `"`, "*", " ").Replace(strings.ToLower(text))
	plain = strings.Join(strings.Fields(plain), " ")
	has := func(phrase string) bool { return strings.Contains(plain, phrase) }
	if slices.ContainsFunc(refused, has) {
		return ""
	}
	var ids []string
	for _, l := range licences {
		if !slices.ContainsFunc(l.phrases, func(p string) bool { return !has(p) }) {
			ids = append(ids, l.id)
		}
	}
	if slices.Contains(ids, "BSD-3-Clause") { // its text contains the shorter one
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == "BSD-2-Clause" })
	}
	return strings.Join(ids, " AND ")
}

// partsOf returns what the programs at these paths contain, by name. It is an error if a part has
// no licence that is in [licences].
func partsOf(programs []string) ([]part, error) {
	modules := map[string]string{} // versions
	bundled := map[string]bool{}   // whether the programs have these lists of packages for browsers
	toolchain := ""
	for _, name := range programs {
		info, err := buildinfo.ReadFile(name)
		if err != nil {
			return nil, err
		}
		toolchain = info.GoVersion
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			modules[m.Path] = m.Version
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for _, list := range []struct {
			files fs.FS
			name  string
		}{{web.Dist(), "shoelace/LICENSES.txt"}, {web.Terminals(), "xterm/LICENSES.txt"}} {
			text, err := fs.ReadFile(list.files, list.name)
			if err != nil {
				return nil, err
			}
			if bytes.Contains(data, text) {
				bundled[string(text)] = true
			}
		}
	}
	dirs, err := goCommand(append([]string{"list", "-m", "-f", "{{.Path}} {{.Version}} {{.Dir}}"}, slices.Sorted(maps.Keys(modules))...)...)
	if err != nil {
		return nil, err
	}
	root, err := goCommand("env", "GOROOT")
	if err != nil {
		return nil, err
	}
	list := []part{{kind: "golang", name: "std", version: "v" + strings.TrimPrefix(toolchain, "go")}}
	if list[0].text, err = licenceIn(root); err != nil {
		return nil, err
	}
	for line := range strings.Lines(dirs + "\n") {
		words := strings.SplitN(strings.TrimSpace(line), " ", 3)
		if len(words) < 3 || modules[words[0]] != words[1] {
			return nil, fmt.Errorf("the programs have %s %s, and the sources ask for %q", words[0], modules[words[0]], line)
		}
		text, err := licenceIn(words[2])
		if err != nil {
			return nil, err
		}
		list = append(list, part{kind: "golang", name: words[0], version: words[1], text: text})
	}
	for text := range bundled {
		list = append(list, bundledParts(text)...)
	}
	var problems []error
	for i := range list {
		if list[i].licence = licenceOf(list[i].text); list[i].licence == "" {
			problems = append(problems, fmt.Errorf("the licence of %s %s is not one that our packages may contain, or it is not recognised", list[i].name, list[i].version))
		}
	}
	slices.SortFunc(list, func(a, b part) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.name, b.name)) })
	return list, errors.Join(problems...)
}

func goCommand(args ...string) (string, error) {
	out, err := exec.Command("go", args...).Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return "", fmt.Errorf("go %s: %s", strings.Join(args, " "), failed.Stderr)
	}
	return strings.TrimSpace(string(out)), err
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying)(\.md|\.txt)?$`)

func licenceIn(dir string) (string, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	for _, f := range files {
		if licenceFile.MatchString(f.Name()) {
			text, err := os.ReadFile(filepath.Join(dir, f.Name()))
			return string(text), err
		}
	}
	return "", fmt.Errorf("%s has no licence", dir)
}

// bundledParts reads a list of packages for npm with their licences, as web/shoelace and web/xterm
// write it.
func bundledParts(list string) (parts []part) {
	sections := strings.Split(list, "\n"+strings.Repeat("=", 78)+"\n")
	for _, section := range sections[1:] {
		head, text, _ := strings.Cut(section, "\n")
		name, version, _ := strings.Cut(head, " ")
		parts = append(parts, part{kind: "npm", name: name, version: version, text: strings.TrimSpace(text) + "\n"})
	}
	return parts
}

// thirdParty returns a document with the licences of parts, each text once.
func thirdParty(command string, parts []part) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s contains the software below, under these licences.\n", command)
	for i, p := range parts {
		if slices.ContainsFunc(parts[:i], func(earlier part) bool { return earlier.text == p.text }) {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", strings.Repeat("=", 78))
		for _, same := range parts[i:] {
			if same.text == p.text {
				fmt.Fprintf(&b, "%s %s (%s)\n", same.name, same.version, same.licence)
			}
		}
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(p.text))
	}
	return b.Bytes()
}
