// Package label has what sessions and their clients are known by: names, tags, and sets of both.
package label

import (
	"slices"
	"strings"
	"unicode"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
)

// Limits.
const (
	MaxName = 64 // bytes of a name or tag
	MaxTags = 64 // for each session
)

// Details of errors.
const (
	InvalidName fault.Detail = "invalid_session_name"
	InvalidTag  fault.Detail = "invalid_tag"
)

// A Label is what a session is known by.
type Label struct {
	Name string
	Tags []string // sorted
}

// A Scope is the sessions that have one of the names or one of the tags. Nil is all sessions.
type Scope struct{ Names, Tags []string }

// Covers reports whether a session of that name with those tags is in the set.
func (s *Scope) Covers(name string, tags []string) bool {
	return s == nil || slices.Contains(s.Names, name) || HaveCommon(tags, s.Tags)
}

// HaveCommon reports whether two lists of tags share one.
func HaveCommon(a, b []string) bool {
	return slices.ContainsFunc(a, func(tag string) bool { return slices.Contains(b, tag) })
}

// CheckName returns an error of kind Invalid unless a session can have the name.
func CheckName(name string) error { return fault.With(InvalidName, CheckWord("session name", name)) }

// CheckWord returns an error of kind Invalid unless a word has the characters that names of
// sessions and tags have. what says in the error what it names.
func CheckWord(what, word string) error {
	if !IsWord(word, "-_.") || word == "." || word == ".." {
		return fault.New(fault.Invalid, "%q is no %s: it has 1 to %d bytes, which are letters, digits, \"-\", \"_\" and \".\"", safetext.Clip(word, MaxName), what, MaxName)
	}
	return nil
}

// IsWord reports whether a word has 1 to MaxName bytes: letters, digits and the given marks.
func IsWord(word, marks string) bool {
	return word != "" && len(word) <= MaxName && !strings.ContainsFunc(word, func(r rune) bool {
		return r == unicode.ReplacementChar || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(marks, r)
	})
}

// ChangeTags returns tags with some added and some removed, sorted.
func ChangeTags(tags, add, remove []string) ([]string, error) {
	for _, t := range slices.Concat(add, remove) {
		if err := CheckWord("tag", t); err != nil {
			return nil, fault.With(InvalidTag, err)
		}
	}
	out := slices.Concat(tags, add)
	out = slices.DeleteFunc(out, func(t string) bool { return slices.Contains(remove, t) })
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) > MaxTags {
		return nil, fault.New(fault.Exhausted, "a session has at most %d tags", MaxTags)
	}
	return out, nil
}
