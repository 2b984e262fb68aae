// Package httpio reads JSON bodies and writes answers for the HTTP handlers of every transport. It
// knows no routes, and each handler keeps its own shape of error: httpio moves bytes, within
// limits.
package httpio

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
)

// A BodyError is a request body that cannot be used. It has a status to answer with.
type BodyError struct {
	Status int
	Text   string
}

// ReadJSON returns the body of a request that must declare itself as JSON in UTF-8 and be at most
// limit bytes long. It does not look at the content.
func ReadJSON(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, *BodyError) {
	if !IsJSON(r.Header.Get("Content-Type")) {
		return nil, &BodyError{http.StatusUnsupportedMediaType, "the body must be JSON: send Content-Type: application/json"}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if tooLong, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, &BodyError{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is longer than %d bytes", tooLong.Limit)}
	}
	if err != nil {
		return nil, &BodyError{http.StatusBadRequest, fmt.Sprintf("the body ended early: %v", err)}
	}
	return body, nil
}

// Allowed returns the methods that a mux takes for the path of a request, besides its pattern "/".
func Allowed(mux *http.ServeMux, r *http.Request) string {
	var list []string
	for _, method := range []string{"DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"} {
		other := r.WithContext(r.Context())
		other.Method = method
		if _, pattern := mux.Handler(other); pattern != "" && pattern != "/" {
			list = append(list, method)
		}
	}
	return strings.Join(list, ", ")
}

// IsJSON reports whether a Content-Type is JSON in UTF-8.
func IsJSON(contentType string) bool {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil || kind != "application/json" {
		return false
	}
	charset, given := params["charset"]
	return !given || strings.EqualFold(charset, "utf-8")
}

// WriteJSON answers with a value, as [AppendJSON] encodes it, and a newline. The answer is not to
// be cached.
func WriteJSON(w http.ResponseWriter, status int, v any) {
	buffer := buffers.Get().(*[]byte)
	*buffer = append(AppendJSON((*buffer)[:0], v), '\n')
	writeJSON(w, status, *buffer)
	if cap(*buffer) <= maxBuffer {
		buffers.Put(buffer)
	}
}

// buffers holds *[]byte of at most maxBuffer bytes, for answers that are being encoded.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

const maxBuffer = 256 << 10

// AppendJSON appends a value, which must be encodable. Values that have a method of the same name
// encode themselves with it.
func AppendJSON(b []byte, v any) []byte {
	if a, ok := v.(interface{ AppendJSON([]byte) []byte }); ok {
		return a.AppendJSON(b)
	}
	return append(b, fault.Must(json.Marshal(v))...) // the program's own types can be encoded
}

// Health answers that the server runs. Each listener has it, at /health, with nothing more to say.
func Health(w http.ResponseWriter, _ *http.Request) {
	WriteRawJSON(w, http.StatusOK, []byte(`{"status":"ok"}`))
}

// WithHealth returns a handler that answers GET /health, and passes all other requests to next.
func WithHealth(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/health" && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			Health(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// WriteRawJSON answers with JSON that has been encoded already, and a newline.
func WriteRawJSON(w http.ResponseWriter, status int, body []byte) {
	writeJSON(w, status, append(body[:len(body):len(body)], '\n'))
}

// writeJSON writes the whole answer at once, and its length, so that it is not sent in chunks.
func writeJSON(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that has disconnected needs no answer
}

// WriteError answers {"error": text}.
func WriteError(w http.ResponseWriter, status int, text string) {
	WriteJSON(w, status, map[string]string{"error": text})
}

// WriteCoded answers {"error": {"code", "message"}}: clients act on the code, people read the
// message.
func WriteCoded(w http.ResponseWriter, status int, code, message string) {
	type detail struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	WriteJSON(w, status, struct {
		Error detail `json:"error"`
	}{detail{code, message}})
}

var statuses = map[fault.Kind]int{
	fault.Internal:     http.StatusInternalServerError,
	fault.Invalid:      http.StatusBadRequest,
	fault.NotFound:     http.StatusNotFound,
	fault.Exists:       http.StatusConflict,
	fault.Precondition: http.StatusConflict,
	fault.Script:       http.StatusUnprocessableEntity,
	fault.Timeout:      http.StatusRequestTimeout,
	fault.Gone:         http.StatusGone,
	fault.Exhausted:    http.StatusTooManyRequests,
	fault.Unreachable:  http.StatusServiceUnavailable,
}

// Status is the HTTP status for an error, by its kind.
func Status(err error) int {
	if status, ok := statuses[fault.KindOf(err)]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// Kind is the kind of the errors whose status is the given one. Exists and Precondition share
// theirs; Precondition is the one that is returned.
func Kind(status int) (fault.Kind, bool) {
	if status == http.StatusConflict {
		return fault.Precondition, true
	}
	for kind, s := range statuses {
		if s == status {
			return kind, true
		}
	}
	return fault.Internal, false
}

// QuestionsPath is where a server's questions are followed, over a WebSocket.
const QuestionsPath = "/questions/ws"

// WireHeader is the header in which a server says that its sockets take the input of an operation
// in the query's in, and Wire its value.
const WireHeader, Wire = "Wsh-Wire", "4"

// WriteTimeout is how long a client may take to read what a [Writer] sends.
const WriteTimeout = 30 * time.Second

// A Writer writes a response that takes a while, to a client that may have stopped reading: each
// write and flush has a deadline, where the connection supports one. It is for one goroutine at a
// time.
type Writer struct {
	w  http.ResponseWriter
	rc *http.ResponseController
}

// NewWriter returns a writer of a response.
func NewWriter(w http.ResponseWriter) *Writer { return &Writer{w, http.NewResponseController(w)} }

// Write implements [io.Writer]. What it writes may wait in a buffer until Flush.
func (w *Writer) Write(data []byte) (int, error) {
	_ = w.rc.SetWriteDeadline(time.Now().Add(WriteTimeout))
	return w.w.Write(data)
}

// Flush sends what is buffered. An error means that the client has not got all of it.
func (w *Writer) Flush() error {
	_ = w.rc.SetWriteDeadline(time.Now().Add(WriteTimeout))
	err := w.rc.Flush()
	if errors.Is(err, http.ErrNotSupported) {
		err = nil // it is not a connection, as in tests
	}
	// The connection's next response starts without a deadline.
	_ = w.rc.SetWriteDeadline(time.Time{})
	return err
}
