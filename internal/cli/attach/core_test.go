package attach

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/cli/attach/outer"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/transport/socketwire"
)

var noon = time.Date(2020, 1, 1, 12, 0, 0, 0, time.UTC)

// read returns frames as text: their kind and content.
func read(frames []socketwire.Frame) (list []string) {
	for _, f := range frames {
		list = append(list, strings.TrimSpace(fmt.Sprintf("%02x %s", byte(f.Kind), f.Content)))
	}
	return list
}

// The server learns the size of the terminal once, in the order of the keys, whenever it changed,
// and whenever the terminal was resized: one that has its size again may have lost some of the
// picture.
func TestSizes(t *testing.T) {
	c := core{wanted: size{24, 80}}
	if _, _, err := c.request(&Options{Session: "a"}, true); err != nil {
		t.Fatal(err)
	}
	c.resize(size{30, 90}) // after the request
	frames, _ := c.connect(identity{Name: "a", ID: "@id"})
	frames = append(frames, c.resize(size{30, 90})...)
	typed := c.key([]byte("x"), noon)
	frames = append(append(frames, typed.frames...), c.resize(size{31, 90})...)
	frames = append(append(frames, c.resized(size{31, 90})...), c.resize(size{31, 90})...)
	c.disconnect()
	if b := append(c.resize(size{32, 90}), c.resized(size{32, 90})...); b != nil {
		t.Errorf("without a connection: %q", b)
	}
	_, f, err := c.request(&Options{Session: "a"}, false)
	if err != nil {
		t.Fatal(err)
	}
	var again struct {
		size
		identity
	}
	if err := json.Unmarshal(f.Content, &again); err != nil || again.size != (size{32, 90}) || again.identity != (identity{Name: "@id"}) {
		t.Errorf("the next request is %s, %v", f.Content, err)
	}
	more, _ := c.connect(identity{Name: "b", ID: "@id"})
	want := []string{`06 {"rows":30,"cols":90}`, "11 x", `06 {"rows":31,"cols":90}`, `06 {"rows":31,"cols":90}`}
	if diff := cmp.Diff(want, read(append(frames, more...))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The server learns the newest size when the session is displayed again, also if the terminal is
// resized while that is drawn.
func TestResizedWhileUncovered(t *testing.T) {
	c := core{altScreen: true, wanted: size{8, 60}}
	if _, _, err := c.request(&Options{Session: "a"}, true); err != nil {
		t.Fatal(err)
	}
	c.connect(identity{Name: "a", ID: "@id"})
	c.enter()
	c.begin(outer.Help, &wish{})
	if _, p := c.paint(); p != (painting{}) || !c.own.covers {
		t.Fatalf("the terminal displays the session: %+v", p)
	}
	c.resized(size{6, 40})
	c.draw([]byte("picture"))
	c.key([]byte("q"), noon)
	b, p := c.paint()
	if !strings.HasSuffix(string(b), "picture") {
		t.Errorf("drawn: %q", b)
	}
	frames := append(c.resized(size{7, 50}), c.painted(p)...)
	want := []string{`06 {"rows":7,"cols":50}`, fmt.Sprintf("%02x", byte(socketwire.Drawn)), `06 {"rows":7,"cols":50}`}
	if diff := cmp.Diff(want, read(frames)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Input without a connection is sent on the next one, up to what does not fit: what follows could
// mean something else without it.
func TestPending(t *testing.T) {
	var c core
	c.connect(identity{Name: "a", ID: "@id"})
	c.disconnect()
	for _, b := range []string{"one", "two", strings.Repeat("x", maxPending), "three"} {
		if did := c.key([]byte(b), noon); did.frames != nil || did.leave {
			t.Errorf("frames %q, leave: %t", did.frames, did.leave)
		}
	}
	frames, _ := c.connect(identity{Name: "a", ID: "@id"})
	if diff := cmp.Diff([]string{"11 onetwo"}, read(frames)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if frames, _ := c.connect(identity{Name: "a", ID: "@id"}); frames != nil {
		t.Errorf("sent again: %q", frames)
	}
}

// What is typed after the server has been told that the connection ends is sent on the next one:
// the server reads nothing after that.
func TestTypedWhileLeaving(t *testing.T) {
	var c core
	c.connect(identity{Name: "a", ID: "@id"})
	before := c.key([]byte("one"), noon)
	if diff := cmp.Diff([]string{"11 one"}, read(before.frames)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	c.leave()
	if did := c.key([]byte("two"), noon); did.frames != nil {
		t.Errorf("sent after the end: %q", did.frames)
	}
	c.disconnect()
	c.key([]byte("three"), noon)
	frames, _ := c.connect(identity{Name: "a", ID: "@id"})
	if diff := cmp.Diff([]string{"11 twothree"}, read(frames)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if did := c.key([]byte("four"), noon); did.frames == nil {
		t.Error("nothing is sent on the next connection")
	}
}

// Ctrl+Z after the detach key suspends the client. The program gets neither.
func TestSuspendKey(t *testing.T) {
	c := core{input: outer.Input{Detach: outer.DefaultKey, Suspends: true}}
	c.connect(identity{Name: "a", ID: "@id"})
	did := c.key([]byte("a\x1c\x1ab\x1a"), noon)
	if diff := cmp.Diff([]string{"11 a", `1c Ctrl+\`, "1c", "11 b\x1a"}, read(did.frames)); diff != "" || did.leave || !did.suspend {
		t.Errorf("leave: %t, suspend: %t (-want +got):\n%s", did.leave, did.suspend, diff)
	}
	c.input.Suspends = false
	did = c.key([]byte("\x1c\x1a"), noon.Add(time.Minute))
	if diff := cmp.Diff([]string{`1c Ctrl+\`, "1c"}, read(did.frames)); diff != "" || did.suspend {
		t.Errorf("where it cannot be suspended: suspend: %t (-want +got):\n%s", did.suspend, diff)
	}
}

// The key a after the detach key shows or hides what agents do, also on the next connection.
func TestAgentKey(t *testing.T) {
	c := core{input: outer.Input{Detach: outer.DefaultKey}, showAgent: true}
	c.connect(identity{Name: "a", ID: "@id"})
	did := c.key([]byte("\x1caa"), noon)
	if diff := cmp.Diff([]string{`1c Ctrl+\`, "1c", "1f", "11 a"}, read(did.frames)); diff != "" || did.leave || did.suspend {
		t.Errorf("leave: %t, suspend: %t (-want +got):\n%s", did.leave, did.suspend, diff)
	}
	_, f, err := c.request(&Options{Session: "a", Viewer: term.ViewerOptions{ShowAgent: true}}, false)
	if err != nil || !bytes.Contains(f.Content, []byte(`"show_agent":false`)) {
		t.Errorf("the next request is %s, %v", f.Content, err)
	}
}

// The first request creates or attaches, and says how much history the person wants; the next ones
// find the same session, and want no history.
func TestRequests(t *testing.T) {
	c := core{wanted: size{24, 80}, session: identity{Name: "new", ID: "@id"}}
	for name, tt := range map[string]struct {
		o     Options
		first bool
		want  string
	}{
		"create":     {Options{Create: &terminals.NewSession{Name: "n", Command: "c"}, Client: clients.Options{ReadOnly: true}}, true, `01 "name":"n" "command":"c" "rows":24 "cols":80 "read_only":true "paced":true`},
		"created":    {Options{Create: &terminals.NewSession{Name: "n", Command: "c"}}, false, `03 "name":"@id" "scrollback":"none"`},
		"all":        {Options{Session: "a", Scrollback: -1, Detach: outer.DefaultKey}, true, `03 "name":"a" "scrollback":"all"`},
		"some":       {Options{Session: "a", Scrollback: 5, Viewer: term.ViewerOptions{SizeRule: "manual"}, Client: clients.Options{Name: "mine", Exact: true}}, true, `03 "name":"mine" "exact":true "scrollback":{"lines":5} "size":"manual"`},
		"watching":   {Options{Session: "a", Client: clients.Options{Kind: clients.KindWatch, ReadOnly: true}}, true, `03 "kind":"watch" "read_only":true`},
		"none":       {Options{Session: "a"}, true, `03 "scrollback":"none" "escape":"waits"`}, // without "escape", servers of earlier builds refuse it
		"once again": {Options{Session: "a", Scrollback: 5, Client: clients.Options{Name: "mine", Exact: true}}, false, `03 "name":"@id" "name":"mine" "exact":false "scrollback":"none"`},
	} {
		c := c
		_, f, err := c.request(&tt.o, tt.first)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%02x %s", byte(f.Kind), f.Content)
		for _, part := range strings.Fields(tt.want) {
			if !strings.Contains(got, part) {
				t.Errorf("%s: the request %s has no %s", name, got, part)
			}
		}
	}
}

// A scene is a core between a terminal and a server, which has a program's terminal.
type scene struct {
	t              *testing.T
	core           core
	outer, program *vt.Terminal
	display        *render.Display // nil while there is no connection
	answers        []byte          // of the outer terminal
	progress       vt.ProgressState
}

func newScene(t *testing.T, setup string, altScreen bool) *scene {
	d := &scene{t: t, core: core{altScreen: altScreen, wanted: size{6, 20}}}
	var err error
	if d.outer, err = vt.New(vt.Options{Cols: 20, Rows: 6, Scrollback: 1000, Effect: func(e vt.Effect) {
		switch e := e.(type) {
		case vt.Reply:
			d.answers = append(d.answers, e.Data...)
		case vt.Progress:
			d.progress = e.State
		}
	}}); err != nil {
		t.Fatal(err)
	}
	if d.program, err = vt.New(vt.Options{Cols: 20, Rows: 6}); err != nil {
		t.Fatal(err)
	}
	d.write(d.outer, []byte(setup+"$ wsh\r\n"))
	return d
}

func (d *scene) write(to *vt.Terminal, b []byte) {
	d.t.Helper()
	if _, err := to.Write(b); err != nil {
		d.t.Fatal(err)
	}
}

// connect begins a connection.
func (d *scene) connect() {
	d.t.Helper()
	_, f, err := d.core.request(&Options{Session: "a"}, false)
	var in struct {
		Client struct{ Screens, Adopted bool }
	}
	if err == nil {
		err = json.Unmarshal(f.Content, &in)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	_, b := d.core.connect(identity{Name: "a", ID: "@id"})
	d.write(d.outer, b)
	d.display = &render.Display{Screens: in.Client.Screens, Adopted: in.Client.Adopted}
}

// draw draws what the program displays, and cuts the connection within if cut is not negative.
func (d *scene) draw(b []byte, cut int) {
	d.t.Helper()
	b = d.core.draw(b)
	if cut >= 0 && cut < len(b) {
		d.write(d.outer, b[:cut])
		return
	}
	d.write(d.outer, b)
	if len(b) > 0 {
		d.core.drawn(b)
	}
}

func (d *scene) picture() []byte {
	return d.display.Draw(nil, nil, render.OfScreen(d.program.Snapshot()))
}

// state describes all of a terminal that outlives a client.
func state(term *vt.Terminal) string {
	s := term.Snapshot()
	text := fmt.Sprintf("alternate %t, %+v, title %q, cursor %v %v %v", s.AltScreen(), term.Input(), s.Title, s.Cursor.Visible, s.Cursor.Shape, s.Cursor.Blinks)
	for i := range 256 {
		if c := s.Colors.At(i); c != 0 {
			text += fmt.Sprintf(", color %d %v", i, c)
		}
	}
	usual := sgr.RGB(229, 229, 229) // the cursor's may be set explicitly afterwards
	for slot := vt.PaletteForeground; slot <= vt.PaletteCursor; slot++ {
		if c := s.Colors.At(slot); c != 0 && c != usual {
			text += fmt.Sprintf(", %v", c)
		} else {
			text += ", usual"
		}
	}
	return text
}

// pen returns the style of what is printed next, as the terminal reports it.
func (d *scene) pen() string {
	d.answers = nil
	d.write(d.outer, []byte("\x1bP$qm\x1b\\"))
	return string(d.answers)
}

var outputs = []string{
	"line\r\n", "\x1b[31mred", "\x1b[?1049h", "\x1b[?1049l", "\x1b[?1003;1006h", "\x1b[?2004h", "\x1b[?1h\x1b=", "\x1b[>5u", "\x1b[>4;2m",
	"\x1b]2;title\x1b\\", "\x1b[?25l", "\x1b[3 q", "\x1b[?5h", "\x1b[2;4r", "\x1b[?1004h", "\x1b[?7l", "\x1b[H\x1b[2J", "\x1bc", "日本\x1b[4:3m",
	"\x1b]12;#102030\x1b\\", "\x1b]112\x1b\\", "\x1b]4;1;#405060\x1b\\\x1b]10;#708090\x1b\\\x1b]11;#a0b0c0\x1b\\", "\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\",
}

// The terminal displays the program's screen after a picture, and is in its usual state after the
// client, and between two suspensions, whatever happens in between.
func TestOuterTerminal(t *testing.T) {
	for seed := range uint64(load.Count(300, 20_000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		setup := []string{"", "\x1b[?2004h", "\x1b[?1h\x1b=", "\x1b]2;mine\x1b\\", "\x1b[=3u", "\x1b[?1000;1006h", "\x1b]4;1;#111111\x1b\\\x1b]10;#222222\x1b\\\x1b]11;#333333\x1b\\"}[r.IntN(7)]
		d := newScene(t, setup, r.IntN(3) == 0)
		before, pen := state(d.outer), d.pen()
		d.write(d.outer, d.core.enter())
		d.connect()
		for range r.IntN(30) {
			d.write(d.program, []byte(outputs[r.IntN(len(outputs))]))
			switch r.IntN(12) {
			case 0: // the connection breaks
				d.core.disconnect()
				d.connect()
			case 1: // within a picture, too
				b := d.picture()
				d.draw(b[:r.IntN(len(b)+1)], -1)
				d.core.disconnect()
				d.connect()
				if d.progress != vt.ProgressNone {
					t.Fatalf("seed %d: the progress on the last connection is still displayed", seed)
				}
			case 2: // suspended, and continued
				d.write(d.outer, d.core.exit(false))
				if got := state(d.outer); got != before {
					t.Fatalf("seed %d: while suspended: %s\nbefore: %s", seed, got, before)
				}
				d.draw(d.picture(), -1) // which comes too late
				d.core.disconnect()
				d.write(d.outer, d.core.enter())
				d.connect()
			case 3, 4, 5, 6:
			default:
				continue
			}
			b := d.picture()
			if r.IntN(8) == 0 {
				b = append(b, "\x1b]9;4;1;50\x1b\\"...)
			}
			d.draw(b, -1)
			want, got := d.program.Snapshot(), d.outer.Snapshot()
			if c := want.Colors.At(vt.PaletteCursor); c != 0 {
				if drawn := got.Colors.At(vt.PaletteCursor); drawn != c {
					t.Fatalf("seed %d: the colour of the cursor is %v, want %v", seed, drawn, c)
				}
			}
			for y := range want.Lines {
				if want.Lines[y].Plain() != got.Lines[y].Plain() {
					t.Fatalf("seed %d: row %d is %q, want %q", seed, y, got.Lines[y].Plain(), want.Lines[y].Plain())
				}
			}
		}
		clean := r.IntN(2) == 0 // the program ends
		if clean {
			d.draw(d.display.Leave(d.picture()), -1)
		}
		d.write(d.outer, d.core.exit(clean))
		if d.progress != vt.ProgressNone {
			t.Fatalf("seed %d: progress is displayed afterwards", seed)
		}
		if got := state(d.outer); got != before {
			t.Fatalf("seed %d: afterwards: %s\nbefore: %s", seed, got, before)
		}
		if got := d.pen(); got != pen {
			t.Fatalf("seed %d: the pen is %q, was %q", seed, got, pen)
		}
	}
}

// A note is in the last row, as far as it fits, and nothing else of the terminal differs; the
// chooser of sessions is not disturbed.
func TestNote(t *testing.T) {
	d := newScene(t, "", false)
	d.write(d.outer, d.core.enter())
	d.connect()
	d.write(d.program, []byte("\x1b[31mred\r\nsecond"))
	d.draw(d.picture(), -1)
	before, cursor := state(d.outer)+d.pen(), d.outer.Snapshot().Cursor
	d.write(d.outer, d.core.note("build1 does not answer, since 12:00:00"))
	s := d.outer.Snapshot()
	if got := s.Lines[5].Plain(); got != "build1 does not ans" || s.Lines[1].Plain() != "second" {
		t.Errorf("the last row is %q", got)
	}
	if got := state(d.outer) + d.pen(); got != before || s.Cursor != cursor {
		t.Errorf("afterwards: %s %+v\nbefore: %s %+v", got, s.Cursor, before, cursor)
	}
	d.core.begin(outer.Choose, nil)
	if b := d.core.note("x"); b != nil {
		t.Errorf("over the chooser: %q", b)
	}
}
