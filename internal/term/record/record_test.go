package record_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/record"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var begin = time.Unix(1_700_000_000, 0)

func TestRecorder(t *testing.T) {
	var file bytes.Buffer
	r, err := record.New(&file, record.Header{Cols: 80, Rows: 24, Start: begin, Env: map[string]string{"TERM": "x"}})
	if err != nil {
		t.Fatal(err)
	}
	r.Output(begin.Add(1500*time.Millisecond), []byte("a\x1b[m\"\xe6"))
	r.Output(begin.Add(2*time.Second), []byte("\x97\xa5\xff!"))
	r.Resize(begin.Add(3*time.Second), 100, 30)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r.Output(begin, []byte("too late"))
	want := `{"version":2,"width":80,"height":24,"timestamp":1700000000,"env":{"TERM":"x"}}
[1.500000, "o", "a\u001b[m\""]
[2.000000, "o", "日` + "\\ufffd" + `!"]
[3.000000, "r", "100x30"]
`
	if diff := cmp.Diff(want, file.String()); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestRecorderFails(t *testing.T) {
	r, err := record.New(failing{}, record.Header{Cols: 1, Rows: 1, Start: begin})
	if err != nil {
		t.Fatal(err)
	}
	for !r.Stopped() {
		r.Output(begin, []byte("x"))
	}
	if err := r.Close(); fault.KindOf(err) != fault.Internal || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("Close = %v", err)
	}
}

// A file that cannot be written in time ends the recording, and blocks nobody.
func TestRecorderStalls(t *testing.T) {
	in, out := io.Pipe()
	r, err := record.New(out, record.Header{Cols: 1, Rows: 1, Start: begin})
	if err != nil {
		t.Fatal(err)
	}
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
		{"nothing", "", nil, true},
		{"no JSON", "hello\n", nil, true},
		{"version 1", `{"version":1}`, nil, true},
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
