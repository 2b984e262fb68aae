// Package finding has the form in which everything that examines apps tells what it has found: the
// looks at pages, and the checks of apps.
package finding

import (
	"cmp"
	"fmt"
	"slices"

	"ui-mcp/internal/safetext"
)

// A Finding is something in an app that does not work, or that a person could not read or use, and
// what to do about it.
type Finding struct {
	Code    string `json:"code"`           // such as "page-overflow": see look.Codes and check.Codes
	File    string `json:"file,omitempty"` // relative to the base directory; "" if unknown
	Line    int    `json:"line,omitempty"` // 0 if unknown
	What    string `json:"what"`           // a sentence without its full stop
	Instead string `json:"instead,omitempty"`
}

// String returns the finding as one line.
func (f Finding) String() string {
	text := place(f.File, f.Line) + f.Code + ": " + f.What
	if f.Instead != "" {
		text += "; " + f.Instead
	}
	return safetext.OneLine(text)
}

// Untried is a part of an app about which a check says nothing.
type Untried struct {
	File string `json:"file"` // relative to the base directory; "" is all of the app
	Line int    `json:"line"` // 0 is all of the file
	What string `json:"what"` // such as a binding, as written
	Why  string `json:"why"`  // a sentence without its full stop
}

// String returns the part as one line.
func (u Untried) String() string {
	return safetext.OneLine(place(u.File, u.Line) + "not tried: " + u.What + ", since " + u.Why)
}

// Checked is what a check has found, and what it has not tried.
type Checked struct {
	Findings []Finding `json:"findings"`
	NotTried []Untried `json:"not_tried"`
}

// Sort sorts both lists by files and lines, and leaves out what was not tried twice.
func (c *Checked) Sort() {
	slices.SortStableFunc(c.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Code, b.Code), cmp.Compare(a.What, b.What))
	})
	slices.SortStableFunc(c.NotTried, func(a, b Untried) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	c.NotTried = slices.Compact(c.NotTried)
}

// place returns the beginning of a line about a place in a file; line 0 is unknown.
func place(file string, line int) string {
	switch {
	case file != "" && line > 0:
		return fmt.Sprintf("%s:%d: ", file, line)
	case file != "":
		return file + ": "
	}
	return ""
}

// An Element is an element of a page, as the page knows it.
type Element struct {
	Instance int64  `json:"instance"`
	Number   int    `json:"at"` // in its template, in document order
	Tag      string `json:"tag"`
	// Template is the key of a template whose file alone is asked for; excludes the other fields.
	Template string `json:"-"`
}

// A Place is where an element of a page comes from.
type Place struct {
	Path string // of the view or row that displays it, from the root; "" if unknown
	File string // of its template
	Line int    // 0 if unknown
}

// An Area is a part of a page: a whole instance, first, and those in it; or an element.
type Area struct {
	Instances []int64 // one if there is an element
	Element   int     // the element's number in its template; -1 without one
}
