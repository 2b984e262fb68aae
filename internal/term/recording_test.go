package term_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// A recording, replayed, shows what the terminal showed.
func TestRecord(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("\x1b]2;a title\a\x1b[1;31mred\x1b[m and plain\r\nsecond\x1b[2;3H")
		synctest.Wait()
		var file bytes.Buffer
		r, err := s.Record(t.Context(), &file)
		must(t, err)
		if _, err := s.Record(t.Context(), io.Discard); fault.KindOf(err) != fault.Precondition {
			t.Errorf("a second recording: %v", err)
		}
		time.Sleep(time.Second)
		p.say("cut \xe6\x97")
		p.say("\xa5 here")
		synctest.Wait()
		must(t, s.Resize(t.Context(), 30, 5))
		time.Sleep(time.Second)
		p.say("\r\nthird")
		p.end(tty.Exit{})
		<-s.Ended()
		must(t, r.Close())
		want := screenOf(t, s)

		d, err := record.NewReader(&file)
		must(t, err)
		if d.Header.Cols != 20 || d.Header.Rows != 4 || d.Header.Title != "a title" {
			t.Errorf("header %+v", d.Header)
		}
		screen, err := vt.New(vt.Options{Cols: d.Header.Cols, Rows: d.Header.Rows})
		must(t, err)
		begin := ""
		for e, err := d.Next(); err != io.EOF; e, err = d.Next() {
			must(t, err)
			if e.At > 500*time.Millisecond && begin == "" {
				begin = strings.Join(plain(screen.Snapshot())[:2], "|")
			}
			must(t, e.Replay(screen))
		}
		if begin != "red and plain|second" {
			t.Errorf("in the beginning: %q", begin)
		}
		got := screen.Snapshot()
		if diff := cmp.Diff(plain(want), plain(got)); diff != "" {
			t.Errorf("the end (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(want.Lines[0].Spans, got.Lines[0].Spans); diff != "" {
			t.Errorf("its styles (-want +got):\n%s", diff)
		}
	})
}
