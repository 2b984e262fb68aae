package terminals

import (
	"context"
	"math"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/terminals/wire"
)

// Archive is the answer of [ListArchive].
type Archive struct {
	Recordings []Archived `json:"recordings" jsonschema:"the newest first, at most 1000"`
	LeftOut    int        `json:"left_out,omitempty" jsonschema:"how many older ones there are besides"`
}

// Archived describes a recording in the server's folder.
type Archived struct {
	ID        string `json:"id" jsonschema:"the name of the file"`
	Session   string `json:"session" jsonschema:"name that the session had when the file was begun"`
	Recording bool   `json:"recording" jsonschema:"whether this server is writing it"`
	Bytes     int64  `json:"bytes" jsonschema:"its size"`
	AgeMS     int64  `json:"age_ms" jsonschema:"milliseconds since it was begun"`
}

// ArchivedQuery is the input of [GetArchived].
type ArchivedQuery struct {
	ID     string `json:"id" jsonschema:"of a recording that archive.list returns"`
	Offset uint64 `json:"offset,omitempty" jsonschema:"first byte to return" default:"0"`
}

// ArchivedPart is the answer of [GetArchived].
type ArchivedPart struct {
	Archived
	Data []byte `json:"data" jsonschema:"a part of the file, in base64"`
	Next uint64 `json:"next" jsonschema:"offset to continue from; the end when it is bytes"`
}

// maxArchive is how many recordings are listed.
const maxArchive = 1000

// Operations on the folder in which the server records what all programs write. It has also what
// sessions wrote that have been removed or renamed, so the right to some sessions is not enough.
var (
	ListArchive = onServer(Operation{
		Name: "archive.list", Aliases: also("list_archive"), Kind: Query, Right: Read | Administer,
		Doc:   "Lists the recordings in the folder in which the server records what all programs write (wsh server --record); none without such a folder.",
		Fails: []Failure{{Kind: fault.Precondition, When: "the folder cannot be read"}},
	}, func(_ context.Context, l *Local, _ Grant, _ None) (Archive, error) {
		out := Archive{Recordings: []Archived{}}
		if l.host.Archive == nil {
			return out, nil
		}
		list, err := l.host.Archive.List()
		if err != nil {
			return out, err
		}
		out.LeftOut = max(0, len(list)-maxArchive)
		for _, s := range list[:len(list)-out.LeftOut] {
			out.Recordings = append(out.Recordings, newArchived(s))
		}
		return out, nil
	})

	GetArchived = onServer(Operation{
		Name: "archive.get", Aliases: also("get_archived"), Kind: Query, Right: Read | Administer,
		Doc:   "Returns a part of a recording in the server's folder (an asciicast), also while it is being written.",
		Fails: []Failure{{fault.NotFound, record.NoRecording, "the folder has no such recording"}, {Kind: fault.Precondition, When: "the folder cannot be read"}},
	}, func(_ context.Context, l *Local, _ Grant, in ArchivedQuery) (ArchivedPart, error) {
		if l.host.Archive == nil {
			return ArchivedPart{}, fault.With(record.NoRecording, fault.New(fault.NotFound, "this server has no folder for recordings: see wsh server --record"))
		}
		b := make([]byte, MaxPart)
		offset := min(in.Offset, math.MaxInt64)
		n, s, err := l.host.Archive.ReadAt(in.ID, b, int64(offset))
		if fault.KindOf(err) == fault.NotFound {
			err = fault.With(record.NoRecording, err)
		}
		if err != nil {
			return ArchivedPart{}, err
		}
		return ArchivedPart{newArchived(s), b[:n], offset + uint64(n)}, nil
	})
)

func newArchived(s record.Stored) Archived {
	return Archived{ID: s.File, Session: s.Session, Recording: s.Active, Bytes: s.Size, AgeMS: wire.Milliseconds(time.Since(s.Since))}
}

var archiveOps = ops(ListArchive, GetArchived)
