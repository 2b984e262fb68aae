package join

import (
	"os"
	"strings"
	"testing"

	"ui-mcp/internal/cli/instance"
)

// What to do about a stuck server is the same for each program: ui-mcp has no -L.
func TestUnanswered(t *testing.T) {
	f := Finder{Options: instance.Options{Name: "x"}}
	if got := f.unanswered(os.ErrDeadlineExceeded).Error(); strings.Contains(got, "-L") || !strings.Contains(got, "doctor") {
		t.Error(got)
	}
}
