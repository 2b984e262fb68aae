package terminals

import (
	"context"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/terminals/wire"
)

// RecordingQuery is the input of [GetRecording].
type RecordingQuery struct {
	Target
	Offset uint64 `json:"offset,omitempty" jsonschema:"first byte to return" default:"0"`
	ID     string `json:"id,omitempty" jsonschema:"id of an earlier answer: fail if the session has another recording by now"`
}

// RecordingRemoval is the input of [RemoveRecording].
type RecordingRemoval struct {
	Target
	ID string `json:"id,omitempty" jsonschema:"id of the recording to remove: fail if the session has another recording by now"`
}

// RecordingPart is the answer of [GetRecording].
type RecordingPart struct {
	wire.RecordingState
	Data []byte `json:"data" jsonschema:"a part of the file, in base64"`
	Next uint64 `json:"next" jsonschema:"offset to continue from; the end when it is bytes"`
}

// MaxPart is how much of a recording is returned at a time, in bytes.
const MaxPart = 256 << 10

var noRecording = Failure{fault.NotFound, record.NoRecording, "the session has no recording, or not that one"}

// Operations on the recording that a session keeps.
var (
	StartRecording = onSession(Operation{
		Name: "recording.start", Aliases: also("start_recording"), Kind: Change, Right: Manage, Doc: "Starts to record the program's output as an asciicast, from the present screen on. The session keeps the recording until it is removed, or another one is started.",
		Fails: []Failure{gone, {fault.Precondition, record.AlreadyRecording, "it is being recorded already"}, {Kind: fault.Exhausted, When: "recordings have as many bytes as the server allows"}},
	}, func(ctx context.Context, s *term.Session, _ Target) (wire.RecordingState, error) {
		k, err := s.StartRecording(ctx)
		return wire.NewRecordingState(k), err
	})

	StopRecording = onSession(Operation{
		Name: "recording.stop", Aliases: also("stop_recording"), Kind: Change, Right: Manage, Doc: "Ends the recording, if it has not ended, and returns when all of it can be read.",
		Fails: []Failure{gone, noRecording, {Kind: fault.Exhausted, When: "the program wrote more than can be recorded; the beginning can be read"}},
	}, func(ctx context.Context, s *term.Session, _ Target) (wire.RecordingState, error) {
		k, err := s.Kept().Stop()
		return wire.NewRecordingState(k), err
	})

	RemoveRecording = onSession(Operation{
		Name: "recording.remove", Aliases: also("remove_recording"), Kind: Change, Right: Manage, Doc: "Ends the recording, if it has not ended, and removes it.",
		Fails: []Failure{gone, noRecording},
	}, func(ctx context.Context, s *term.Session, in RecordingRemoval) (None, error) {
		return none(s.Kept().Remove(ctx, in.ID))
	})

	GetRecording = onSession(Operation{
		Name: "recording.get", Aliases: also("get_recording"), Kind: Query, Right: Read, Doc: "Returns a part of the recording, also while it is being written and after the program has ended.",
		Fails: []Failure{gone, noRecording},
	}, func(ctx context.Context, s *term.Session, in RecordingQuery) (RecordingPart, error) {
		b := make([]byte, MaxPart)
		offset := min(in.Offset, record.MaxKept)
		n, k, err := s.Kept().ReadAt(in.ID, b, int64(offset))
		if err != nil {
			return RecordingPart{}, err
		}
		return RecordingPart{wire.NewRecordingState(k), b[:n], offset + uint64(n)}, nil
	})
)

var recordingOps = ops(StartRecording, StopRecording, RemoveRecording, GetRecording)
