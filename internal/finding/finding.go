// Package finding has the form in which everything that examines apps tells what it has found: the
// looks at pages, and the checks of apps.
package finding

import "fmt"

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
	text := f.Code + ": "
	switch {
	case f.File != "" && f.Line > 0:
		text = fmt.Sprintf("%s:%d: %s", f.File, f.Line, text)
	case f.File != "":
		text = f.File + ": " + text
	}
	text += f.What
	if f.Instead != "" {
		text += "; " + f.Instead
	}
	return text
}
