package terminals_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/terminals"
)

// Another host gets what a limited grant names there, and nothing of what has the same name here or
// on a third host.
func TestGrantOnAnotherHost(t *testing.T) {
	t.Parallel()
	type names []string
	for name, tt := range map[string]struct {
		sessions, tags         names
		wantSessions, wantTags names
		nothing                bool
	}{
		"unlimited":               {},
		"a session there":         {sessions: names{"build1/web"}, wantSessions: names{"web"}},
		"a tag there":             {tags: names{"build1/ci"}, wantTags: names{"ci"}},
		"both":                    {sessions: names{"web", "build1/web"}, tags: names{"build1/ci", "ci"}, wantSessions: names{"web"}, wantTags: names{"ci"}},
		"several":                 {sessions: names{"build1/a", "build2/b", "build1/c"}, wantSessions: names{"a", "c"}},
		"sessions here":           {sessions: names{"web"}, nothing: true},
		"a session on a third":    {sessions: names{"build2/web"}, nothing: true},
		"a tag on a third":        {tags: names{"build2/ci"}, nothing: true},
		"a session like the host": {sessions: names{"build1"}, nothing: true},
		"no name":                 {sessions: names{"build1/"}, nothing: true},
		"a longer name of a host": {sessions: names{"build11/web", "my-build1/web"}, nothing: true},
	} {
		g := terminals.Grant{Rights: terminals.Read | terminals.Type, Sessions: tt.sessions, Tags: tt.tags}
		got, ok := g.On("build1")
		if ok == tt.nothing {
			t.Errorf("%s: the grant concerns the host: %t", name, ok)
		}
		if !ok {
			continue
		}
		want := terminals.Grant{Rights: g.Rights, Sessions: tt.wantSessions, Tags: tt.wantTags}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

// A token may name a session of the longest name on a host of the longest name, and none that is
// longer.
func TestLongestScope(t *testing.T) {
	t.Parallel()
	l := newLocal(t)
	longest := strings.Repeat("h", label.MaxName) + "/" + strings.Repeat("s", label.MaxName)
	issue(t, l, terminals.Everything, terminals.NewToken{Rights: []string{"read"}, Sessions: []string{longest}})
	for _, item := range []string{"h" + longest, longest + "s", "h/" + longest} {
		_, err := terminals.CreateToken.Do(t.Context(), l, terminals.Everything, terminals.NewToken{Rights: []string{"read"}, Sessions: []string{item}})
		if fault.KindOf(err) != fault.Invalid {
			t.Errorf("a name of %d bytes: %v", len(item), err)
		}
	}
}

// Callers are told apart by what admits them, and not by what they say: of a guest's callers, only
// the host counts.
func TestCaller(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		grant terminals.Grant
		want  string
	}{
		{terminals.Grant{Client: "claims/anything"}, ""},
		{terminals.Grant{Token: "t", Client: "claims"}, "token t"},
		{terminals.Grant{Guest: true, Client: "KEY/agent"}, "host KEY"},
		{terminals.Grant{Guest: true, Token: "t", Client: "KEY/other"}, "host KEY"},
	} {
		if got := tt.grant.Caller(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.grant, got, tt.want)
		}
	}
}
