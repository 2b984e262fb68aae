package term_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// parts are the files of an archive, in memory. Each takes some bytes before it is long, and some
// before it is full.
type parts struct {
	mu    sync.Mutex
	long  int
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

func (a *parts) create(name string) (record.File, error) {
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

func (p *part) Long() bool {
	p.all.mu.Lock()
	defer p.all.mu.Unlock()
	return p.text.Len() >= p.all.long
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
	must(t, err)
	screen, err := vt.New(vt.Options{Cols: d.Header.Cols, Rows: d.Header.Rows})
	must(t, err)
	must(t, d.Replay(t.Context(), screen))
	var b strings.Builder
	for _, row := range screen.Snapshot().Lines {
		fmt.Fprintln(&b, strings.TrimRight(row.Text, " "))
	}
	return strings.TrimSpace(b.String())
}

// An archive has parts that each stand alone, from the start on, also where one was cut because
// there was no more room. It does not keep callers from recording.
func TestArchive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &parts{long: 1 << 20, room: 2000}
		p := newScript()
		r := scripted(t, func(c *registry.Config) {
			c.Archive, c.Log = a.create, slog.New(slog.DiscardHandler)
		}, p)
		s := create(t, r, registry.CreateOptions{Name: "a", Cols: 20, Rows: 3})
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
		a.mu.Lock()
		a.room = 1 << 20
		a.mu.Unlock()
		time.Sleep(time.Second) // after a part that is full already, the next one begins
		must(t, s.Resize(t.Context(), 30, 4))
		p.say("\r\nlast")
		synctest.Wait()
		p.end(tty.Exit{})
		<-s.Ended()
		must(t, errors.Join(recorder.Close(), r.Close()))
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

// Where a part is long enough and the next one begins, no output is lost, not even what leaves the
// screen at once.
func TestArchiveIsWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &parts{long: 2000, room: 1 << 20}
		p := newScript()
		r := scripted(t, func(c *registry.Config) { c.Archive = a.create }, p)
		create(t, r, registry.CreateOptions{Name: "a", Cols: 20, Rows: 3})
		n := 0
		for range 100 {
			var b strings.Builder
			for range 20 {
				fmt.Fprintf(&b, "<%d>\r\n", n)
				n++
			}
			p.say(b.String())
			time.Sleep(archiveTick)
		}
		p.end(tty.Exit{})
		must(t, r.Close())
		if len(a.files) < 5 {
			t.Errorf("%d parts", len(a.files))
		}
		var all strings.Builder
		for _, f := range a.files {
			all.WriteString(f.text.String())
		}
		for i := range n {
			if !strings.Contains(all.String(), fmt.Sprintf(`\u003c%d\u003e`, i)) {
				t.Fatalf("<%d> of %d is not recorded", i, n)
			}
		}
	})
}

const archiveTick = 300 * time.Millisecond

// While no part can be begun, as on a full disk or without a folder, no program ends, and a part
// that is long enough goes on. Afterwards there are new parts.
func TestArchiveFails(t *testing.T) {
	for name, first := range map[string]bool{"at first": false, "later": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := &parts{long: 10, room: 1 << 20}
				able := func(is bool) {
					a.mu.Lock()
					defer a.mu.Unlock()
					if a.fail = nil; !is {
						a.fail = fault.New(fault.Precondition, "no space left on device")
					}
				}
				able(first)
				p := newScript()
				r := scripted(t, func(c *registry.Config) {
					c.Archive, c.Log = a.create, slog.New(slog.DiscardHandler)
				}, p)
				s := create(t, r, registry.CreateOptions{Name: "a", Cols: 20, Rows: 3})
				p.say("lost")
				synctest.Wait()
				able(!first)
				time.Sleep(time.Second)
				p.say("\r\nkept")
				synctest.Wait()
				p.end(tty.Exit{})
				<-s.Ended()
				must(t, r.Close())
				if len(a.files) != 1 {
					t.Fatalf("%d parts", len(a.files))
				}
				if got := replay(t, a.files[0].text.String()); got != "lost\nkept" {
					t.Errorf("it ends with %q", got)
				}
			})
		})
	}
}
