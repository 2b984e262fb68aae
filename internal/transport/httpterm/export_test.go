package httpterm

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
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
func (r row) Status() int { return r.status }

// Request returns the request that asks for the row's operation with an input in JSON.
func (r row) Request(in string) (*http.Request, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(in), &members); err != nil {
		return nil, err
	}
	path := r.path
	for name, field := range pathFields {
		if value, ok := members[field]; ok && strings.Contains(path, "{"+name+"}") {
			path = strings.Replace(path, "{"+name+"}", url.PathEscape(text(value)), 1)
			delete(members, field)
		}
	}
	query := url.Values{}
	for _, p := range r.query {
		value, ok := members[p.in()]
		delete(members, p.in())
		if !ok {
			continue
		}
		var list []string
		if json.Unmarshal(value, &list) == nil {
			query.Set(p.name, strings.Join(list, ","))
		} else {
			query.Set(p.name, text(value))
		}
	}
	var content []byte
	var err error
	switch {
	case r.body == rawBody:
		err = json.Unmarshal(members["data"], &content)
	case r.body == jsonBody:
		content, err = json.Marshal(members)
	case len(members) > 0:
		err = fmt.Errorf("%s offers no way to give %v", r.Name(), members)
	}
	if err != nil {
		return nil, err
	}
	req := httptest.NewRequest(r.method, path+"?"+query.Encode(), strings.NewReader(string(content)))
	req.Header.Set("Content-Type", "application/json")
	return req, nil
}

// text returns a JSON value as it is written in a query.
func text(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	return string(value)
}

// IsDownload reports whether the answer is a file and not JSON.
func (r row) IsDownload() bool { return r.download != "" }

// OpenAPI returns openapi.yaml, and the document of which it is made.
func OpenAPI() ([]byte, map[string]any) { return openAPI(), openAPIDocument() }

// Reference returns the reference of the requests.
func Reference() []byte { return reference() }
