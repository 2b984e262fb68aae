//go:build linux || darwin

package term_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/testkit/wait"
)

// framed is a panel at the top and one of two rows at the bottom.
const framed = `[{"op":"create","type":"panel","position":"top","background":"blue","spans":[{"text":"THE TITLE"}]},
	{"op":"create","type":"panel","height":2,"spans":[{"text":"STATUS\nMORE"}]}]`

// until waits for a picture of which ok is true.
func until(t testing.TB, s *term.Session, what string, ok func(*render.Frame) bool) *render.Frame {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var f *render.Frame
	for {
		next, err := s.NextPicture(ctx, f)
		if err != nil {
			shown := "nothing"
			if f != nil {
				shown = strings.Join(f.Plain(), "\n")
			}
			t.Fatalf("waiting for %s: %v\n%s", what, err, shown)
		}
		if f = next; ok(f) {
			return f
		}
	}
}

// untilRow waits until a row of the picture, counted from the end when it is negative, has a text
// in it.
func untilRow(t testing.TB, s *term.Session, row int, text string) *render.Frame {
	t.Helper()
	return until(t, s, fmt.Sprintf("%q in row %d", text, row), func(f *render.Frame) bool {
		rows := f.Plain()
		if row < 0 {
			return strings.Contains(rows[len(rows)+row], text)
		}
		return strings.Contains(rows[row], text)
	})
}

// wantFramed checks that the picture has the panels of framed, and between them the program's
// screen.
func wantFramed(t testing.TB, s *term.Session) {
	t.Helper()
	settled(t, s)
	f, err := s.Picture(t.Context())
	must(t, err)
	screen := screenOf(t, s)
	want := append(append([]string{"THE TITLE"}, plain(screen)...), "STATUS", "MORE")
	if d := gocmp.Diff(want, f.Plain()); d != "" {
		t.Errorf("picture (-want +got):\n%s", d)
	}
}

// settled waits until the program is quiet, and waits for input if the system tells that. One that
// is still beginning may miss a new size.
func settled(t testing.TB, s *term.Session) {
	t.Helper()
	wait.Until(t, "the program waits for input", func() bool {
		if _, err := s.Quiesce(t.Context(), term.QuiesceOptions{Timeout: 200 * time.Millisecond, Fresh: true}); err != nil {
			t.Fatal(err)
		}
		return s.Reads() != tty.ReadsNot
	})
}

func send(t testing.TB, s *term.Session, text string) {
	t.Helper()
	must(t, s.Send(t.Context(), []byte(text)))
}

// numbered is a file of 200 numbered lines.
func numbered(t testing.TB) string {
	t.Helper()
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	file := filepath.Join(t.TempDir(), "FILE")
	must(t, os.WriteFile(file, []byte(b.String()), 0o600))
	return file
}

// Programs see the rows that panels leave them, and neither harms the other.
func TestPanelsAndPrograms(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"vim", "less"} {
		program(t, name)
	}
	t.Run("vim", func(t *testing.T) {
		t.Parallel()
		s := shellSession(t, "bash", nil)
		apply(t, s, framed)
		send(t, s, "clear; vim -u NONE -N "+numbered(t)+"\r")
		// On the alternate screen these panels do not show, and vim has all rows.
		untilRow(t, s, 0, "line 1")
		untilRow(t, s, 22, "line 23")
		settled(t, s)
		apply(t, s, framed)
		untilRow(t, s, 1, "line 1")
		untilRow(t, s, 20, "line 20")
		wantFramed(t, s)
		send(t, s, "G")
		untilRow(t, s, 20, "line 200")
		send(t, s, "ggOadded at the top\x1b:redraw!\r")
		untilRow(t, s, 1, "added at the top")
		wantFramed(t, s)
		send(t, s, ":set lines?\r")
		untilRow(t, s, -3, "lines=21")
		apply(t, s, `[{"op":"remove","type":"panel","id":"panel-3"}]`)
		untilRow(t, s, 0, "added at the top")
		send(t, s, ":q!\r")
		untilRow(t, s, 0, "THE TITLE")
		wantFramed(t, s) // at the prompt
		wantRun(t, "stty", run(t, s, "stty size", term.RunOptions{}), 0, "21 80\n")
		wantFramed(t, s)
		if list, err := s.Elements(t.Context(), "panel"); err != nil || len(list) != 2 {
			t.Errorf("panels %+v, %v", list, err)
		}
	})
	t.Run("less", func(t *testing.T) {
		t.Parallel()
		s := create(t, newRegistry(t), registry.CreateOptions{Command: "less -X " + numbered(t), Cols: 60, Rows: 12})
		untilRow(t, s, 0, "line 1")
		settled(t, s)
		apply(t, s, framed)
		untilRow(t, s, 1, "line 1")
		wantFramed(t, s)
		send(t, s, " ")
		untilRow(t, s, 1, "line 9")
		wantFramed(t, s)
		must(t, s.Resize(t.Context(), 40, 20))
		untilRow(t, s, 16, "line 24")
		wantFramed(t, s)
	})
}

// A person clicks in vim, below a panel.
func TestMouseInVim(t *testing.T) {
	t.Parallel()
	program(t, "vim")
	s := create(t, newRegistry(t), registry.CreateOptions{Command: "vim -u NONE -N -c 'set mouse=a' " + numbered(t), Cols: 60, Rows: 12})
	untilRow(t, s, 0, "line 1")
	settled(t, s)
	apply(t, s, framed)
	settled(t, s)
	untilRow(t, s, 8, "line 8")
	c := attach(t, s)
	if err := c.Type(t.Context(), []byte("\x1b[<0;4;6M\x1b[<0;4;6m")); err != nil { // on line 5
		t.Fatal(err)
	}
	f := until(t, s, "the cursor on line 5", func(f *render.Frame) bool { return f.Cursor.Row == 5 && f.Cursor.Col == 3 })
	if got := f.Plain()[5]; got != "line 5" {
		t.Errorf("the cursor is on %q", got)
	}
}
