package actcases

import (
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/ui/act"
)

// A Record is what came of each case, as text: the lines of scenes, and below them the inputs with
// each outcome. Scenes with the same outcomes are together.
type Record struct {
	blocks []string
	scenes map[string][]string // by what is below them
}

// Add records a scene. outcome returns what comes of an input, or "" to leave the case out.
func (r *Record) Add(s *Scene, outcome func(in act.Input) string) {
	var order []string
	inputs := map[string][]string{}
	for _, in := range s.Inputs {
		o := outcome(in)
		if o == "" {
			continue
		}
		if inputs[o] == nil {
			order = append(order, o)
		}
		inputs[o] = append(inputs[o], Describe(in))
	}
	var b strings.Builder
	for _, o := range order {
		fmt.Fprintf(&b, "\t%s\n\t\t%s\n", strings.Join(inputs[o], "; "), o)
	}
	if len(order) == 0 {
		return
	}
	if r.scenes == nil {
		r.scenes = map[string][]string{}
	}
	if r.scenes[b.String()] == nil {
		r.blocks = append(r.blocks, b.String())
	}
	r.scenes[b.String()] = append(r.scenes[b.String()], s.Name)
}

// String is the text of a record.
func (r *Record) String() string {
	var b strings.Builder
	for _, block := range r.blocks {
		for _, name := range r.scenes[block] {
			b.WriteString(name + "\n")
		}
		b.WriteString(block)
	}
	return b.String()
}

// Outcomes returns the outcomes in a record, by the name of the scene and the input.
func Outcomes(t testing.TB, record string) map[string]map[string]string {
	t.Helper()
	all := map[string]map[string]string{}
	var scenes []string
	inputs, below := "", false
	for line := range strings.Lines(record) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "\t\t"):
			for in := range strings.SplitSeq(inputs, "; ") {
				for _, scene := range scenes {
					all[scene][in] = line[2:]
				}
			}
			below = true
		case strings.HasPrefix(line, "\t"):
			inputs = line[1:]
		default:
			if below {
				scenes, below = nil, false
			}
			if all[line] != nil {
				t.Fatalf("two scenes are called %s", line)
			}
			scenes = append(scenes, line)
			all[line] = map[string]string{}
		}
	}
	return all
}
