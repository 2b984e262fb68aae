package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var begin = time.Unix(1_700_000_000, 0)

func TestRecorder(t *testing.T) {
	var file bytes.Buffer
	r, err := record.New(&file, record.Header{Cols: 80, Rows: 24, Start: begin, Env: map[string]string{"TERM": "x"}})
	must(t, err)
	r.Output(begin.Add(1500*time.Millisecond), []byte("a\x1b[m\"\xe6"))
	r.Output(begin.Add(2*time.Second), []byte("\x97\xa5\xff!"))
	r.Resize(begin.Add(3*time.Second), 100, 30)
	must(t, r.Close())
	r.Output(begin, []byte("too late"))
	want := `{"version":2,"width":80,"height":24,"timestamp":1700000000,"env":{"TERM":"x"}}
[1.500000, "o", "a\u001b[m\""]
[2.000000, "o", "日` + "\ufffd" + `!"]
[3.000000, "r", "100x30"]
`
	if diff := cmp.Diff(want, file.String()); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}

// programs are recordings of the output of real programs, in which resizing marks changes of size.
const programs = "../vt/testdata/programs/*.out"

var resizing = regexp.MustCompile(`\x1b\[8;(\d+);(\d+)t`)

// TestBegunAnywhere begins a recording at random moments of real programs, also in the middle of
// characters and sequences: replaying it gives the cells of the terminal, then and later.
func TestBegunAnywhere(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(programs)
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for seed, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			output, err := os.ReadFile(name)
			must(t, err)
			random := rand.New(rand.NewPCG(uint64(seed), 1))
			for range load.Count(2, 20) {
				begunAt(t, output, random.IntN(len(output)), random)
			}
		})
	}
}

// begunAt records a program from a moment on, and replays the recording.
func begunAt(t *testing.T, output []byte, at int, random *rand.Rand) {
	t.Helper()
	terminal, err := vt.New(vt.Options{Cols: 80, Rows: 24, Scrollback: 2000})
	must(t, err)
	resize := func(from, to int) (cols, rows int) { // to the last size in a part of the output
		all := resizing.FindAllSubmatch(output[from:to], -1)
		if len(all) == 0 {
			return 0, 0
		}
		rows, _ = strconv.Atoi(string(all[len(all)-1][1]))
		cols, _ = strconv.Atoi(string(all[len(all)-1][2]))
		must(t, terminal.Resize(cols, rows))
		return cols, rows
	}
	_, _ = terminal.Write(output[:at])
	resize(0, at)
	var file bytes.Buffer
	cols, rows := terminal.Size()
	r, err := record.New(&file, record.Header{Cols: cols, Rows: rows, Start: begin})
	must(t, err)
	r.Output(begin, terminal.AppendState(nil, vt.MaxSize))
	screens := []*vt.Snapshot{terminal.Snapshot()}
	for now := begin; at < len(output) && len(screens) < 6; {
		now = now.Add(time.Second)
		end := min(len(output), at+1+random.IntN(3000))
		_, _ = terminal.Write(output[at:end])
		r.Output(now, output[at:end])
		if cols, rows := resize(at, end); cols > 0 {
			r.Resize(now, cols, rows)
		}
		screens = append(screens, terminal.Snapshot())
		at = end
	}
	must(t, r.Close())
	d, err := record.NewReader(&file)
	must(t, err)
	replayed, err := vt.New(vt.Options{Cols: d.Header.Cols, Rows: d.Header.Rows, Scrollback: 2000})
	must(t, err)
	e, err := d.Next()
	for i, want := range screens {
		for err == nil && e.At <= time.Duration(i)*time.Second+time.Millisecond {
			must(t, e.Replay(replayed))
			e, err = d.Next()
		}
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}
		if diff := cmp.Diff(cellsOf(want), cellsOf(replayed.Snapshot())); diff != "" {
			t.Fatalf("%d pieces after the start (-want +got):\n%s", i, diff)
		}
	}
}

// cellsOf returns all cells of a screen, and its cursor.
func cellsOf(s *vt.Snapshot) []string {
	lines := []string{fmt.Sprintf("%+v", s.Cursor)}
	for _, l := range s.Lines {
		var b strings.Builder
		for c := range l.Cells() {
			fmt.Fprintf(&b, "%+v", c)
		}
		lines = append(lines, b.String())
	}
	return lines
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestRecorderFails(t *testing.T) {
	r, err := record.New(failing{}, record.Header{Cols: 1, Rows: 1, Start: begin})
	must(t, err)
	// Without pauses, as much as may wait could be there before the first attempt to write.
	wait.Until(t, "the recording ends", func() bool {
		r.Output(begin, []byte("x"))
		return r.Stopped()
	})
	if err := r.Close(); fault.KindOf(err) != fault.Internal || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("Close = %v", err)
	}
}

// A file that cannot be written in time ends the recording, and blocks nobody.
func TestRecorderStalls(t *testing.T) {
	in, out := io.Pipe()
	r, err := record.New(out, record.Header{Cols: 1, Rows: 1, Start: begin})
	must(t, err)
	for !r.Stopped() {
		r.Output(begin, make([]byte, 64<<10))
	}
	go io.Copy(io.Discard, in)
	if err := r.Close(); fault.KindOf(err) != fault.Exhausted {
		t.Errorf("Close = %v", err)
	}
	out.Close()
}

func TestReader(t *testing.T) {
	const v2 = `{"version":2,"width":80,"height":24}` + "\n"
	const v3 = `{"version":3,"term":{"cols":80,"rows":24}}` + "\n"
	for _, tt := range []struct {
		name, file string
		want       []record.Event
		bad        bool
	}{
		{"version 2", v2 + `[1.5,"o","x"]` + "\n\n" + `[2,"r","90x30"]` + "\n", []record.Event{
			{At: 1500 * time.Millisecond, Kind: "o", Data: "x"}, {At: 2 * time.Second, Kind: "r", Data: "90x30", Cols: 90, Rows: 30}}, false},
		{"version 3", v3 + "# a comment\n" + `[1.5,"o","x"]` + "\n" + `[2,"x","0"]`, []record.Event{
			{At: 1500 * time.Millisecond, Kind: "o", Data: "x"}, {At: 3500 * time.Millisecond, Kind: "x", Data: "0"}}, false},
		{"cut in its last line", v2 + `[1,"o","x"]` + "\n" + `[2,"o","cut`, []record.Event{{At: time.Second, Kind: "o", Data: "x"}}, false},
		{"cut in its first event", v2 + `[`, nil, false},
		{"cut in its header", v2[:10], nil, true},
		{"damaged before its last line", v2 + `[1,"o","cut` + "\n" + `[2,"o","x"]`, nil, true},
		{"damaged in its last line", v2 + `[1,"o","cut` + "\n", nil, true},
		{"nothing", "", nil, true},
		{"no JSON", "hello\n", nil, true},
		{"version 1", `{"version":1}`, nil, true},
		{"version 4", `{"version":4,"term":{"cols":80,"rows":24}}`, nil, true},
		{"no event", v2 + `[1,"o"]`, nil, true},
		{"no time", v2 + `["a","o","x"]`, nil, true},
		{"negative time", v2 + `[-1,"o","x"]`, nil, true},
		{"endless time", v2 + `[1e300,"o","x"]`, nil, true},
		{"no size", v2 + `[1,"r","large"]`, nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := events(tt.file)
			if (err != nil) != tt.bad || tt.bad && fault.KindOf(err) != fault.Invalid {
				t.Fatalf("error %v", err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

func events(file string) ([]record.Event, error) {
	d, err := record.NewReader(strings.NewReader(file))
	if err != nil {
		return nil, err
	}
	var list []record.Event
	for {
		e, err := d.Next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
}

func FuzzReader(f *testing.F) {
	f.Add("{\"version\":2,\"width\":80,\"height\":24}\n[1.5,\"o\",\"x\"]\n[2,\"r\",\"9x3\"]")
	f.Add("{\"version\":3,\"term\":{\"cols\":8,\"rows\":2}}\n# c\n[1e9,\"o\",\"x\"]")
	f.Fuzz(func(t *testing.T, file string) {
		list, err := events(file)
		if err != nil && fault.KindOf(err) != fault.Invalid {
			t.Errorf("kind of %v", err)
		}
		for _, e := range list {
			if e.At < 0 {
				t.Errorf("event at %v", e.At)
			}
		}
	})
}

// must ends a test in which something has failed that the rest needs.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
