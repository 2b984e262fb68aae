package httpterm_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/httpterm"
)

// replaced has a long recording, which another one replaces after its first part was read.
type replaced struct {
	terminals.Terminals
	parts int
}

func (r *replaced) Do(_ context.Context, _ terminals.Grant, _ *terminals.Operation, in, out any) error {
	const size = 1 << 20
	q, part := in.(*terminals.RecordingQuery), out.(*terminals.RecordingPart)
	if r.parts++; r.parts == 1 {
		*part = terminals.RecordingPart{RecordingState: wire.RecordingState{ID: "one", Bytes: size}, Data: bytes.Repeat([]byte("1"), size/2)}
		return nil
	}
	if q.ID != "" && q.ID != "two" {
		return fault.With(record.NoRecording, fault.New(fault.NotFound, "there is another recording"))
	}
	*part = terminals.RecordingPart{RecordingState: wire.RecordingState{ID: "two", Bytes: size}, Data: bytes.Repeat([]byte("2"), size/2)}
	return nil
}

// A download ends with an error rather than with a part of another recording.
func TestDownloadOfReplacedRecording(t *testing.T) {
	s := httptest.NewServer(asOwner(httpterm.New(&replaced{})))
	defer s.Close()
	response, err := http.Get(s.URL + "/sessions/a/recording")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(response.Body); err == nil {
		t.Error("the download seems to be complete")
	}
	if bytes.Contains(body.Bytes(), []byte("2")) {
		t.Error("two recordings in one download")
	}
}
