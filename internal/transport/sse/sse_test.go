package sse

import (
	"bytes"
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readAll returns the events of a stream and how it ended.
func readAll(r *Reader) (events []Event, err error) {
	for {
		e, err := r.Next()
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
}

func TestReader(t *testing.T) {
	tests := []struct {
		name, stream string
		want         []Event
	}{
		{"nothing", "", nil},
		{"comments", ": open\n\n: still\n\n", nil},
		{"an event", "event: message\ndata: {}\n\n", []Event{{Name: "message", Data: []byte("{}")}}},
		{"no name", "data:x\n\n", []Event{{Name: "message", Data: []byte("x")}}},
		{"a name without data", "event: a\n\ndata: x\n\n", []Event{{Name: "message", Data: []byte("x")}}},
		{"an id", "id: 7\nevent: a\ndata: x\n\n", []Event{{Name: "a", ID: "7", Data: []byte("x")}}},
		{"two lines", "data: x\ndata:  y\n\n", []Event{{Name: "message", Data: []byte("x\n y")}}},
		{"an empty line of data", "data\n\n", []Event{{Name: "message"}}},
		{"CRLF", "data: x\r\n\r\n", []Event{{Name: "message", Data: []byte("x")}}},
		{"unknown fields", "retry: 3\nx\ndata: x\n\n", []Event{{Name: "message", Data: []byte("x")}}},
		{"cut off", "data: x\n\ndata: y\n", []Event{{Name: "message", Data: []byte("x")}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := readAll(NewReader(strings.NewReader(test.stream), 100))
			if !errors.Is(err, io.EOF) {
				t.Errorf("it ends with %v", err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	if _, err := readAll(NewReader(strings.NewReader("data: "+strings.Repeat("x", 200)), 100)); errors.Is(err, io.EOF) {
		t.Error("a line that is too long is read as the end")
	}
}

func TestWriter(t *testing.T) {
	rec := httptest.NewRecorder()
	w := Start(rec)
	for _, err := range []error{
		w.Send(Event{Data: []byte("{}")}), w.Comment("waiting"), w.Send(Event{Name: "a", ID: "7", Data: []byte("x\ny")}),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	want := ": open\n\nevent: message\ndata: {}\n\n: waiting\n\nevent: a\nid: 7\ndata: x\ndata: y\n\n"
	if got := rec.Body.String(); got != want {
		t.Errorf("stream = %q, want %q", got, want)
	}
	if got := rec.Header().Get("Content-Type"); got != ContentType || !rec.Flushed {
		t.Errorf("type %s, flushed %v", got, rec.Flushed)
	}
}

// The reader returns what was written, whatever the data: line breaks separate lines of data.
func FuzzRoundTrip(f *testing.F) {
	for _, s := range []string{"", "x", "a\nb", "\n", "data: x", ": c", "{\"a\":1}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.ContainsRune(data, '\r') {
			t.Skip("the format has no way to send it")
		}
		wire := Event{ID: "1", Data: data}.Append(nil)
		got, err := NewReader(bytes.NewReader(wire), len(wire)+1).Next()
		if err != nil || got.ID != "1" || got.Name != "message" || !bytes.Equal(got.Data, data) {
			t.Errorf("%q came back as %+v, %v", data, got, err)
		}
	})
}
