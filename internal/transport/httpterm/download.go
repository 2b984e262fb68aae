package httpterm

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/httpio"
)

// A download serves a session's recording as a file, part by part. It ends where the recording ends
// when the request arrives.
type download struct{ handler }

func (d download) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in terminals.RecordingQuery
	t, err := d.read(r, &in)
	if err != nil {
		d.fail(w, err)
		return
	}
	by := terminals.FromContext(r.Context())
	part, err := terminals.GetRecording.Do(r.Context(), t, by, in)
	if err != nil {
		d.fail(w, err)
		return
	}
	in.ID = part.ID // what follows must be of the same one
	h := w.Header()
	h.Set("Content-Type", d.row.download)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": strings.ReplaceAll(in.Session, "/", "-") + ".cast"}))
	h.Set("Cache-Control", "no-store")
	end := uint64(part.Bytes)
	h.Set("Content-Length", strconv.FormatUint(end-min(in.Offset, end), 10))
	out := httpio.NewWriter(w)
	for {
		data := part.Data[:min(uint64(len(part.Data)), end-min(in.Offset, end))]
		if _, err := out.Write(data); err != nil {
			return // the client has disconnected
		}
		in.Offset += uint64(len(data))
		if in.Offset >= end || len(data) == 0 || r.Method == http.MethodHead {
			break
		}
		if part, err = terminals.GetRecording.Do(r.Context(), t, by, in); err != nil {
			panic(http.ErrAbortHandler) // so that the client notices
		}
	}
	_ = out.Flush() // a client that has disconnected needs no answer
}
