package httpterm

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"

	"ui-mcp/internal/terminals"
)

// CodeOf is codeOf, for tests from outside.
var CodeOf = codeOf

// A Row is a row, for tests from outside.
type Row = row

// Rows are all rows.
func Rows() []Row { return rows }

// Name identifies the row.
func (r row) Name() string {
	name := r.method + " " + r.path
	if r.formats != nil {
		name += " as " + strings.Join(r.formats, ", ")
	}
	return name
}

// Op returns the row's operation.
func (r row) Op() *terminals.Operation { return r.op }

// Outcome returns the status and code of an error, as this row reports it.
func (r row) Outcome(err error) (int, string) {
	return r.codeOf(err)
}

// Status returns the status of success.
func (r row) Status() int { return r.status() }

// Request returns the request that asks for the row's operation with an input in JSON.
func (r row) Request(in string) (*http.Request, error) {
	path, body, err := r.encode(json.RawMessage(in))
	if err != nil {
		return nil, err
	}
	req := httptest.NewRequest(r.method, path, bytes.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	return req, nil
}

// IsDownload reports whether the answer is a file and not JSON.
func (r row) IsDownload() bool { return r.download != "" }

// OpenAPI returns openapi.yaml.
func OpenAPI() map[string]any { return openAPI() }
