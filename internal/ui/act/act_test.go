package act_test

import (
	"flag"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/actcases"
	"ui-mcp/internal/ui/act"
)

var update = flag.Bool("update", false, "record what acts do without a page")

// What the server predicts for an act is what a page does, where it predicts something: without a
// page, the app gets the same events. Where the two differ, the server refuses the act or says why
// it cannot tell; the record has these.
func TestActsAsRecorded(t *testing.T) {
	pages := actcases.Outcomes(t, testkit.Read(t, "../../testkit/actcases/testdata", "page.txt"))
	var differ actcases.Record
	wrong := 0
	for _, s := range actcases.Scenes() {
		st := s.Show(t)
		st.Done()
		differ.Add(s, func(in act.Input) string {
			page, ok := pages[s.Name][actcases.Describe(in)]
			if !ok {
				t.Fatalf("%s, %s: there is no record of what a page does", s.Name, actcases.Describe(in))
			}
			got, certain := predicted(st, in)
			if got == page {
				return ""
			}
			refuses := strings.HasSuffix(page, "no event") || differs.MatchString(got)
			if strings.HasPrefix(got, "refused, the form was not sent: ") {
				refuses = !strings.Contains(page, "submit()")
			}
			if certain || !refuses {
				t.Errorf("%s, %s:\n\tpredicted  %s\n\tin the page %s", s.Name, actcases.Describe(in), got, page)
				if wrong++; wrong > 3 {
					t.FailNow()
				}
			}
			return got
		})
	}
	if *update {
		testkit.Write(t, "testdata", "acts.txt", differ.String())
	}
	if d := cmp.Diff(testkit.Read(t, "testdata", "acts.txt"), differ.String()); d != "" {
		t.Errorf("-recorded +now:\n%s", d)
	}
}

// predicted returns what the server says of an act, as text. It is certain if the app would get
// these events without a page.
func predicted(st *actcases.Display, in act.Input) (text string, certain bool) {
	plan, err := st.Act(in)
	if err != nil {
		return "refused, " + err.Error(), false
	}
	events := st.Events(plan.Messages)
	switch {
	case plan.Nothing != "":
		return "nothing, " + plan.Nothing, false
	case plan.Local != "":
		return "unknown, " + plan.Local + "; " + events, false
	case plan.Holds != "":
		return "holds perhaps, " + plan.Holds + "; " + events, false
	}
	return events, true
}

// differs are the outcomes for which a page may do something: the server cannot tell what, or it is
// what persons could not do, or what is theirs alone.
var differs = regexp.MustCompile(strings.Join([]string{
	"^unknown, ", "^holds perhaps, ", "^nothing, it holds that already$",
	"follows a link: that is the person's", "only the person chooses files",
	"a key does not type into", "is read-only", "takes exactly one option", "takes at most", "takes a number", "takes only the numbers that its step allows",
	"cannot be unchecked", "cannot be checked", "has no options to select", "has no option ", "has options: use select", "holds no text: use check",
	"^refused, the option .* is disabled",
}, "|"))
