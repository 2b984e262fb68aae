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
	"dead-method":   "nothing calls a method",
	"same-type":     "another app declares a type of the same name",
	"not-a-control": "something reacts to clicks that cannot be reached by keyboard",
	"unlabelled":    "a control has no name",
	"broken-link":   "an attribute names an element that does not exist",
}

// A Method is a method of a type that a file has declared.
type Method struct {
	Type, Name string
	File       string // relative to the base directory
	Line       int
}

// called are the methods that the engine calls, and that a base type has for its heirs.
var called = []string{"new", "mutate", "sync"}

var (
	// callsByName is a call of a method whose name is computed.
	callsByName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\]\s*\(`) })
	definition  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`function\s+[\w.]+[.:](\w+)\s*\(`) })
	agents      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\b(agents?|ui_run)\b`) })
)

// DeadMethods finds the methods that nothing calls. sources are Lua files by name, and others all
// other texts in which a method may be named. A method whose comment mentions the agent is
// for the agent.
func DeadMethods(methods []Method, sources map[string]string, others []string) (list []finding.Finding) {
	used := map[string]int{} // how often the name of a method occurs, without definitions
	for _, m := range methods {
		used[m.Name] = 0
	}
	count := func(text string) {
		for word := range words(text) {
			if n, ok := used[word]; ok {
				used[word] = n + 1
			}
		}
	}
	for _, text := range others {
		count(text)
	}
	for _, src := range sources {
		if callsByName().MatchString(src) {
			return nil
		}
		count(src)
		for _, m := range definition().FindAllStringSubmatch(src, -1) {
			used[m[1]]--
		}
	}
	for _, m := range methods {
		if used[m.Name] > 0 || slices.Contains(called, m.Name) || strings.HasPrefix(m.Name, "__") {
			continue
		}
		if src := sources[m.File]; src == "" || !defines(src, m) || agents().MatchString(commentAbove(src, m.Line)) {
			continue
		}
		list = append(list, finding.Finding{
			Code: "dead-method", File: m.File, Line: m.Line, What: fmt.Sprintf("nothing calls %s:%s()", m.Type, m.Name),
			Instead: "bind it or remove it; if it is for the agent, say so in a comment above",
		})
	}
	return list
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

// words yields the names in a text. An agent waits for checks, and regular expressions would take
// ten times as long for all texts of a project.
func words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; i < len(text); i++ {
			if !inName(text[i]) || '0' <= text[i] && text[i] <= '9' {
				continue
			}
			start := i
			for i < len(text) && inName(text[i]) {
				i++
			}
			if !yield(text[start:i]) {
				return
			}
		}
	}
}

func inName(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// defines reports whether the line of a method has its definition, as far as that can be told.
func defines(src string, m Method) bool {
	lines := strings.Split(src, "\n")
	if m.Line < 1 || m.Line > len(lines) {
		return false
	}
	found := definition().FindStringSubmatch(lines[m.Line-1])
	return found != nil && found[1] == m.Name
}

// commentAbove returns the comment that ends above a line, counted from 1.
func commentAbove(src string, line int) string {
	lines := strings.Split(src, "\n")
	var above []string
	for i := line - 2; i >= 0 && i < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[i]), "--"); i-- {
		above = append(above, lines[i])
	}
	return strings.Join(above, "\n")
}

// AssignedAt returns the line in which a source first assigns to a name, or 1.
func AssignedAt(src, name string) int {
	at := regexp.MustCompile(`(?m)(^|[^\w.:])` + regexp.QuoteMeta(name) + `\s*=[^=]`).FindStringSubmatchIndex(src)
	if at == nil {
		return 1
	}
	return 1 + strings.Count(src[:at[3]], "\n")
}
