package variable_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/testkit/actcases"
	"ui-mcp/internal/ui/act"
)

var update = flag.Bool("update", false, "record outlines and paths")

// ofScenes are the form around controls, and names that are counted.
var ofScenes = regexp.MustCompile(`(?m)^  form .*\n|\d+$| click → \w+\(_?\), input → .* sl-input → \w+\(_?\)`)

// stateful are the controls that are outlined in every state.
var stateful = map[string]bool{"input": true, "select": true, "sl-button": true}

// notOutlined are scenes that look like others.
var notOutlined = regexp.MustCompile(`^(sent with|Enter in|keys|input (text|tel|search|password|unheard-of|email|url|month|time|week|datetime-local)) `)

// Agents see controls of each kind and state as recorded, with what an examination tries, and what
// a click is called. Of scenes that look the same, the record
// has the first.
func TestOutlinesAsRecorded(t *testing.T) {
	var b strings.Builder
	seen := map[string]bool{}
	for _, s := range actcases.Scenes() {
		control, state, _ := strings.Cut(s.Name, ", ")
		if state != "" && !stateful[control] || notOutlined.MatchString(s.Name) {
			continue
		}
		st := s.Show(t)
		_, text, _ := strings.Cut(st.Outline(), "\n") // without the line of the app
		text = ofScenes.ReplaceAllString(text, "") + "\ttried with " + st.Tries() + "\n"
		if plan, err := st.Act(act.Input{Click: true}); err == nil {
			text += "\t" + plan.What + "\n"
		}
		if !seen[text] {
			seen[text] = true
			b.WriteString(s.Name + "\n" + text)
		}
	}
	file := filepath.Join("testdata", "outlines.txt")
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("-recorded +now:\n%s", d)
	}
}
