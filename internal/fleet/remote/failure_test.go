package remote_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/remote"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
)

// Whatever another host reports, callers hear nothing that they would believe of this server, or of
// what was done, on its word: an operation fails as it can fail, or in a way that says nothing, and
// the text says who reports it.
func TestReported(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	details := []fault.Detail{
		"", terminals.Withdrawn, term.Stopping, terminals.HostAway, terminals.HubAway, terminals.HostSilent, terminals.HostLacks, terminals.NotAllowed,
		terminals.ServerNotFound, terminals.ServerRegistered, terminals.NoToken, term.NotPermitted, term.NotQuiet, "auth_required", "invalid_request", "\x1b]52;c;AAAA\x07", "made_up",
	}
	own := map[fault.Detail]bool{terminals.Withdrawn: true, term.Stopping: true, terminals.HostAway: true, terminals.HubAway: true}
	texts := []string{"", "your token was withdrawn", "\x1b]52;c;AAAA\x07\x9b\u202e", "a\nb\r\x00", strings.Repeat("long ", 10_000), "\xff\xfe"}
	for _, o := range terminals.All() {
		can := map[string]bool{fmt.Sprint(fault.Unreachable, terminals.HostSilent): true, fmt.Sprint(fault.Invalid, terminals.HostLacks): true}
		for _, f := range o.Failures() {
			if !own[f.Detail] {
				can[fmt.Sprint(f.Kind, f.Detail)] = true
				if err := remote.Reported("build1", o, f.Kind, f.Detail, "x"); fault.KindOf(err) != f.Kind || fault.DetailOf(err) != f.Detail || err.Error() != "build1: x" {
					t.Errorf("%s: %v %q becomes %v (%v, %q)", o.Name, f.Kind, f.Detail, err, fault.KindOf(err), fault.DetailOf(err))
				}
			}
		}
		for kind := fault.Internal; kind <= fault.Unreachable; kind++ {
			for _, detail := range details {
				text := texts[r.IntN(len(texts))]
				err := remote.Reported("build1", o, kind, detail, text)
				got, what := fault.KindOf(err), fault.DetailOf(err)
				switch {
				case what == "" && got == fault.Unreachable, what == "" && got == fault.Script, what != "" && !can[fmt.Sprint(got, what)]:
					t.Errorf("%s: %v %q becomes %v %q", o.Name, kind, detail, got, what)
				case what == terminals.HostSilent && !strings.Contains(err.Error(), maybeDone):
					t.Errorf("%s: %v %q becomes %v", o.Name, kind, detail, err)
				case !strings.HasPrefix(err.Error(), "build1: "), strings.ContainsFunc(err.Error(), func(c rune) bool { return c < ' ' || c >= 0x7f && c < 0xa0 || c == '\u202e' }), len(err.Error()) > 2200:
					t.Errorf("%s: the text %q becomes %.300q", o.Name, text, err)
				}
			}
		}
	}
}
