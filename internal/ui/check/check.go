// Package check finds in the text of an app what cannot work, or cannot be used: in its view
// definitions and its Lua. It runs nothing: package ui finds what needs a running app. Neither
// claims what it cannot know: a name that occurs anywhere else may be in use, and an element with a
// role may be made a control by a script.
package check

import (
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ui-mcp/internal/finding"
)

// Codes are the codes of findings of checks, with what they mean.
var Codes = map[string]string{
	"load":          "a file cannot be used, or fails when it is run",
	"viewdef":       "a view definition has something that does nothing, or does not exist",
	"binding":       "a path cannot be read, or names what does not exist",
	"action":        "an action of the person fails",
	"timer":         "the function of a timer fails",
	"reload-guard":  "saving the file again replaces the app's object, and loses its data",
	"reload":        "the file fails when it is run again",
	"same-type":     "another app declares a type of the same name",
	"not-a-control": "something reacts to clicks that cannot be reached by keyboard",
	"unlabelled":    "a control has no name",
}

// declares is a declaration of a type, unless its line is a comment.
var declares = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:[^\n-]|-[^\n-])*?\bsession\s*:\s*prototype\s*\(\s*["']([^"'\n]+)["']\s*,`)
})

// SameTypes finds the types of an app that other apps declare, too: a session refuses the app that
// is loaded second. Both are Lua files by name.
func SameTypes(ours, theirs map[string]string) (list []finding.Finding) {
	where := map[string]string{} // by the name of the type
	for _, file := range slices.Sorted(maps.Keys(theirs)) {
		for name, line := range declared(theirs[file]) {
			if where[name] == "" {
				where[name] = fmt.Sprintf("%s:%d", file, line)
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(ours)) {
		for name, line := range declared(ours[file]) {
			if other := where[name]; other != "" {
				list = append(list, finding.Finding{
					Code: "same-type", File: file, Line: line, What: fmt.Sprintf("the type %s is declared by %s, too: of these two apps, a session refuses the one that is opened second", name, other),
					Instead: "give it another name, here or there, and rename its view definitions",
				})
			}
		}
	}
	return list
}

// declared yields the types that a source declares, with the lines.
func declared(src string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for _, at := range declares().FindAllStringSubmatchIndex(src, -1) {
			if !yield(src[at[2]:at[3]], 1+strings.Count(src[:at[2]], "\n")) {
				return
			}
		}
	}
}

// AssignedAt returns the line in which a source first assigns to a name, or 1.
func AssignedAt(src, name string) int {
	at := regexp.MustCompile(`(?m)(^|[^\w.:])` + regexp.QuoteMeta(name) + `\s*=[^=]`).FindStringSubmatchIndex(src)
	if at == nil {
		return 1
	}
	return 1 + strings.Count(src[:at[3]], "\n")
}
