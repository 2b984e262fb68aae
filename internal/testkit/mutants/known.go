package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// survivors are the mutants that are known to survive, by package: for each, as often as its key is
// there.
type survivors map[string][]string

// readSurvivors reads a file in which each survivor is a line with its package and key, with its
// reason in the indented lines below. Lines that begin with # are comments.
func readSurvivors(path string) (survivors, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	known := survivors{}
	name, key, reason := "", "", true
	for i, line := range append(strings.Split(string(text), "\n"), "end") {
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '\t':
			reason = true
		case !reason:
			return nil, fmt.Errorf("%s:%d: the survivor above has no reason in an indented line below it", path, i+1)
		case line == "end":
		default:
			var ok bool
			if name, key, ok = strings.Cut(line, " "); !ok {
				return nil, fmt.Errorf("%s:%d: a survivor is a package, a file, a function and the change", path, i+1)
			}
			known[name] = append(known[name], key)
			reason = false
		}
	}
	return known, nil
}

// take reports whether a mutant is known to survive, and removes it.
func (s survivors) take(name string, m mutant) bool {
	i := slices.Index(s[name], m.key())
	if i < 0 {
		return false
	}
	s[name] = slices.Delete(s[name], i, i+1)
	return true
}
