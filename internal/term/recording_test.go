package term_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"

	"ui-mcp/internal/term"
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
		must(t, d.Replay(screen, 500*time.Millisecond))
		if got := strings.Join(plain(screen.Snapshot())[:2], "|"); got != "red and plain|second" {
			t.Errorf("in the beginning: %q", got)
		}
		if err := d.Replay(screen, time.Hour); !errors.Is(err, io.EOF) {
			t.Fatal(err)
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

// A recording can begin in any state of the terminal: replaying it shows the same, and so does what
// the program writes next.
func TestRecordBeginsAnywhere(t *testing.T) {
	for _, tt := range []struct{ name, before, after string }{
		{"margins", "\x1b[2;3r\x1b[3;1Ha", "\nb\nc"},
		{"margins at the sides", "\x1b[?69h\x1b[3;6s\x1b[1;3Habcdefgh", "ijkl"},
		{"origin mode", "\x1b[2;3r\x1b[?6h", "\x1b[1;1Hx"},
		{"style", "\x1b[1;31m", "red"},
		{"character sets", "\x1b(0", "qqq"},
		{"pending wrap", "01234567890123456789", "x"},
		{"tab stops", "\x1b[3g\x1b[5G\x1bH\r", "\tx"},
		{"saved cursor", "\x1b[3;3H\x1b[1m\x1b7\x1b[H\x1b[m", "\x1b8x"},
		{"palette", "\x1b]4;1;#123456\x1b\\", "\x1b[31mx"},
		{"sequence", "abc\x1b[2;", "4Hx"},
		{"string", "\x1b]2;ti", "tle\x1b\\x"},
		{"character", "\xe6\x97", "\xa5"},
		{"joined characters", "👩", "\u200d💻x"},
		{"primary screen behind", "primary\x1b[?1049halternate", "\x1b[?1049l"},
		{"insertion", "abc\r\x1b[4h", "x"},
		{"history", "1\r\n2\r\n3\r\n4\r\n5", "\x1b[H"},
		{"synchronized update", "old\x1b[?2026h\x1b[Hnew", "er\x1b[?2026l"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				p.say(tt.before)
				synctest.Wait()
				var file bytes.Buffer
				r, err := s.Record(t.Context(), &file)
				must(t, err)
				time.Sleep(time.Second)
				p.say(tt.after)
				p.end(tty.Exit{})
				<-s.Ended()
				must(t, r.Close())
				want := screenOf(t, s)
				d, err := record.NewReader(&file)
				must(t, err)
				screen, err := vt.New(vt.Options{Cols: d.Header.Cols, Rows: d.Header.Rows})
				must(t, err)
				if err := d.Replay(screen, time.Hour); !errors.Is(err, io.EOF) {
					t.Fatal(err)
				}
				got := screen.Snapshot()
				if diff := cmp.Diff(plain(want), plain(got)); diff != "" {
					t.Errorf("the screen (-want +got):\n%s", diff)
				}
				for y := range want.Lines {
					if diff := cmp.Diff(want.Lines[y].Spans, got.Lines[y].Spans); diff != "" {
						t.Errorf("styles of row %d (-want +got):\n%s", y, diff)
					}
				}
				if want.Cursor != got.Cursor || want.Title != got.Title {
					t.Errorf("cursor %+v, title %q; want %+v, %q", got.Cursor, got.Title, want.Cursor, want.Title)
				}
				color := want.Color(1)
				if c := got.Color(1); c != color {
					t.Errorf("colour 1 is %v, want %v", c, color)
				}
			})
		})
	}
}
