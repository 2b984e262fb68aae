// Package problem keeps the list of what does not work in a session: the person's pages display
// them behind a badge, and the agent gets them in results and events. It is pure: it knows neither
// where problems come from nor how they are sent, only their form on the wire.
package problem

import (
	"fmt"
	"strings"

	"ui-mcp/internal/safetext"
	"ui-mcp/internal/ui/wire"
)

// A Kind is the origin of a problem, which decides when it counts as fixed.
type Kind uint8

const (
	Binding Kind = iota // a binding that cannot be read, or displays an object without a view definition
	Viewdef             // a view definition that cannot be used, or is probably wrong
	Reload              // a Lua file that failed when it was run
	Action              // an action of the person that failed
	Timer               // a timer or callback of the app
	Script              // a script in a page
	Keep                // a kept object that cannot be saved or read, or what became of its file
	kinds
)

// String is the kind's name on the wire.
func (k Kind) String() string {
	return [...]string{"binding", "viewdef", "reload", "action", "timer", "script", "keep"}[k]
}

// limits bound how many problems of each kind are kept, so that a flood of one kind hides no other.
// Together they are 200.
var limits = [kinds]int{Binding: 60, Viewdef: 40, Reload: 20, Action: 20, Timer: 20, Script: 20, Keep: 20}

// PerResult is how many problems one result for the agent lists at most.
const PerResult = 20

// A Problem is something that does not work. Two problems are the same if Kind, File, Line, Source
// and Message are equal.
type Problem struct {
	ID      int64 // given by the List
	Kind    Kind
	Warning bool   // it works, but probably not as intended
	OfFile  bool   // the whole file cannot be used: an earlier version may be in force
	File    string // relative to the base directory, or ""
	Line    int    // counted from 1; 0 if unknown
	Source  string // the attribute or script as written, or ""
	Message string
	Trace   string // Lua's stack, a line each, or ""
	// The binding, by which a page finds the element; Instance is 0 if there is no binding.
	Instance int64
	Slot     int
}

type key struct {
	kind                  Kind
	file, source, message string
	line                  int
}

func (p *Problem) key() key { return key{p.Kind, p.File, p.Source, p.Message, p.Line} }

// String returns the problem in one line, for people and agents.
func (p Problem) String() string {
	var b strings.Builder
	// A message of Lua starts with the location, which must not appear twice.
	if p.File != "" && !strings.HasPrefix(p.Message, p.File+":") {
		b.WriteString(p.File)
		if p.Line > 0 {
			fmt.Fprintf(&b, ":%d", p.Line)
		}
		b.WriteString(": ")
	}
	if p.Source != "" {
		b.WriteString(p.Source)
		b.WriteString(": ")
	}
	b.WriteString(p.Message)
	return safetext.OneLine(b.String())
}

func (p *Problem) wire() wire.Problem {
	w := wire.Problem{ID: p.ID, Kind: p.Kind.String(), File: p.File, Line: max(p.Line, 0), Source: p.Source, Message: p.Message}
	if p.Instance > 0 {
		w.At = []int64{p.Instance, int64(p.Slot)}
	}
	return w
}
