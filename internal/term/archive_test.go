package term_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/vt"
)

// parts are the files of an archive, in memory. Each takes some bytes before it is full.
type parts struct {
	mu    sync.Mutex
	room  int
	fail  error // of making a file
	files []*part
}

type part struct {
	all    *parts
	name   string
	text   bytes.Buffer
	closed bool
}

func (a *parts) create(name string) (io.WriteCloser, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fail != nil {
		return nil, a.fail
	}
	p := &part{all: a, name: name}
	a.files = append(a.files, p)
	return p, nil
}

func (p *part) Write(b []byte) (int, error) {
	p.all.mu.Lock()
	defer p.all.mu.Unlock()
	if p.text.Len() >= p.all.room {
		return 0, record.ErrFull
	}
	return p.text.Write(b)
}

func (p *part) Close() error {
	p.all.mu.Lock()
	defer p.all.mu.Unlock()
	p.closed = true
	return nil
}

// replay returns the screen at the end of a recording.
func replay(t *testing.T, text string) string {
	t.Helper()
	d, err := record.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	screen, err := vt.New(vt.Options{Cols: d.Header.Cols, Rows: d.Header.Rows})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Replay(screen, 1000*time.Hour); err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, row := range screen.Snapshot().Lines {
		fmt.Fprintln(&b, strings.TrimRight(row.Text, " "))
	}
	return strings.TrimSpace(b.String())
}

// An archive has everything from the start on, in parts that each stand alone, and does not keep
// callers from recording.
func TestArchive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &parts{room: 2000}
		p := newScript()
		r := scripted(t, func(c *term.Config) { c.Archive = a.create }, p)
		s := create(t, r, term.CreateOptions{Name: "a", Cols: 20, Rows: 3})
		var own bytes.Buffer
		recorder, err := s.Record(t.Context(), &own)
		if err != nil {
			t.Fatalf("a recording beside the archive: %v", err)
		}
		for i := range 100 {
			p.say(fmt.Sprintf("\r\nline %d", i))
			time.Sleep(archiveTick)
			synctest.Wait()
		}
		if err := s.Resize(t.Context(), 30, 4); err != nil {
			t.Fatal(err)
		}
		p.say("\r\nlast")
		synctest.Wait()
		p.end(pty.Exit{})
		<-s.Ended()
		if err := errors.Join(recorder.Close(), r.Close()); err != nil {
			t.Error(err)
		}
		if len(a.files) < 2 {
			t.Fatalf("%d parts", len(a.files))
		}
		for i, f := range a.files {
			if !f.closed || f.name != "a" {
				t.Errorf("part %d, of %q, was closed: %v", i, f.name, f.closed)
			}
		}
		if got := replay(t, a.files[0].text.String()); !strings.HasPrefix(got, "line ") {
			t.Errorf("the first part ends with %q", got)
		}
		if got := replay(t, a.files[len(a.files)-1].text.String()); !strings.HasSuffix(got, "line 99\nlast") {
			t.Errorf("the last part ends with %q", got)
		}
	})
}

const archiveTick = 300 * time.Millisecond

// A full disk or a missing folder ends no program, and recording continues afterwards.
func TestArchiveFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &parts{room: 1 << 20, fail: fault.New(fault.Precondition, "no space left on device")}
		p := newScript()
		r := scripted(t, func(c *term.Config) {
			c.Archive, c.Log = a.create, slog.New(slog.DiscardHandler)
		}, p)
		s := create(t, r, term.CreateOptions{Name: "a", Cols: 20, Rows: 3})
		p.say("lost")
		synctest.Wait()
		a.mu.Lock()
		a.fail = nil
		a.mu.Unlock()
		time.Sleep(time.Second)
		p.say("\r\nkept")
		synctest.Wait()
		p.end(pty.Exit{})
		<-s.Ended()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if len(a.files) != 1 {
			t.Fatalf("%d parts", len(a.files))
		}
		if got := replay(t, a.files[0].text.String()); got != "lost\nkept" {
			t.Errorf("it ends with %q", got)
		}
	})
}
