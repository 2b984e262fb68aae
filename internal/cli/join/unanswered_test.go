package join

import (
	"os"
	"testing"

	"ui-mcp/internal/cli/instance"
)

// What to do about a stuck server depends on whose it is: ui-mcp has no -L.
func TestUnanswered(t *testing.T) {
	for want, command := range map[string][]string{
		`the server "x" does not answer: stop it, or name another one with -L`: nil,
		`the server "x" does not answer: "ui-mcp doctor" says what to do`:      {"mcp"},
	} {
		f := Finder{Options: instance.Options{Name: "x", Command: command}}
		if err := f.unanswered(os.ErrDeadlineExceeded); err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
