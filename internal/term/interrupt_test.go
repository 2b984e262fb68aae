//go:build linux || darwin

package term_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
)

// A line that is run right after C-c is run once, and its result is its own.
func TestRunRightAfterInterrupt(t *testing.T) {
	t.Parallel()
	for _, name := range shells {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, name, nil)
			background := term.RunOptions{MaxWait: 2 * time.Minute, Background: true}
			var want, got []string
			for i := range 5 {
				run(t, s, []string{"sleep 1000", "cat"}[i/2%2], background)
				must(t, s.Keys(t.Context(), "C-c"))
				line := fmt.Sprintf("after %d", i)
				if i%2 == 0 {
					wantRun(t, line, run(t, s, "echo "+line, term.RunOptions{MaxWait: 2 * time.Minute}), 0, line+"\n")
				} else if state := run(t, s, "echo "+line, background).State; state == core.Silent {
					t.Errorf("%q in the background: state %q", line, state)
				}
				want = append(want, line)
			}
			if _, err := s.WaitPrompt(t.Context(), 2*time.Minute); err != nil {
				t.Fatal(err)
			}
			page, err := s.Scrollback(t.Context(), term.PageOptions{Lines: 1000})
			must(t, err)
			for _, l := range page.Lines {
				var n int
				if _, err := fmt.Sscanf(l.Text, "after %d", &n); err == nil {
					got = append(got, l.Text)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the output of what was run, -want +got:\n%s", diff)
			}
		})
	}
}
