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
	w := httptest.NewRecorder()
	handler{decoder: decoder{row: r}}.fail(w, err)
	var body struct{ Error struct{ Code string } }
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		panic(err)
	}
	return w.Code, body.Error.Code
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

// Method and Path are those of the row's requests.
func (r row) Method() string { return r.method }
func (r row) Path() string   { return r.path }

// TakesJSON and TakesBytes report what the body of requests is.
func (r row) TakesJSON() bool  { return r.body == jsonBody }
func (r row) TakesBytes() bool { return r.body == rawBody }

// Needs are the members that HTTP clients must give, beside those that the operation needs.
func (r row) Needs() []string { return r.needs }

// PathParams returns the parameters in the path, in order.
func (r row) PathParams() []Param {
	var list []Param
	for part := range strings.SplitSeq(r.path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			name = strings.TrimSuffix(name, "}")
			list = append(list, Param{name, pathFields[name], true})
		}
	}
	return list
}

// ID names the row as an identifier.
func (r row) ID() string {
	return strings.ToLower(r.method) + strings.NewReplacer("s/{name}", "", "/{", "_", "}", "", "/", "_").Replace(r.path)
}

// A Param is a query parameter and the field of the input that it sets.
type Param struct {
	Name, Field string
	Required    bool
}

// Query returns the query parameters.
func (r row) Query() []Param {
	var list []Param
	for _, p := range r.query {
		list = append(list, Param{p.name, p.in(), p.required != ""})
	}
	return list
}
