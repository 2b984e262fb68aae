package caller

import (
	"strings"
	"testing"

	"ui-mcp/internal/terminals/wire"
)

// A tag of another server's sessions is HOST/TAG, as for tokens; one without a host is of all.
func TestTagsOfOtherServers(t *testing.T) {
	here, there := wire.Session{Name: "a", Tags: []string{"ci"}}, wire.Session{Name: "build1/a", Tags: []string{"ci"}}
	for tag, want := range map[TagName]string{"ci": "a build1/a", "build1/ci": "build1/a", "BUILD1/ci": "build1/a", "build2/ci": "", "build1/x": ""} {
		var got []string
		for _, s := range []wire.Session{here, there} {
			if SharesTag(s, []TagName{tag}) {
				got = append(got, s.Name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %s", tag, got, want)
		}
	}
}

// The name of a server that a command is given may be written in other letters.
func TestServerFlagFolds(t *testing.T) {
	f := OtherServerFlag{Server: "Build1"}
	if !f.Has(wire.Session{Name: "build1/a"}) || f.Has(wire.Session{Name: "build2/a"}) || f.Has(wire.Session{Name: "a"}) {
		t.Error("build1/a is not on Build1, or others are")
	}
}
