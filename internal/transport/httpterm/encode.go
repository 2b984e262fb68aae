package httpterm

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

// A Request asks for an operation over HTTP.
type Request struct {
	Method, Path string // the path with the query
	Body         []byte
	JSON         bool // the body is JSON
	Status       int  // of success
}

// Encode returns the request for an operation with an input, which may be a [json.RawMessage]
// instead of the operation's type.
func Encode(o *terminals.Operation, in any) (Request, error) {
	i := slices.IndexFunc(rows, func(r row) bool { return r.op == o }) // rows with older names come later
	if i < 0 {
		return Request{}, fault.New(fault.Internal, "%s is not offered over HTTP", o.Name)
	}
	r := rows[i]
	path, body, err := r.encode(in)
	return Request{r.method, path, body, r.body == jsonBody, r.status()}, err
}

// Segment returns a name as a part of a path. A path with "." or ".." would mean something else.
func Segment(of, name string) (string, error) {
	if strings.Trim(name, ".") == "" {
		return "", fault.New(fault.NotFound, "there is no %s %q", of, name)
	}
	return url.PathEscape(name), nil
}

// encode returns the path with the query, and the body, of a request for the row's operation with
// an input.
func (r row) encode(in any) (path string, body []byte, err error) {
	encoded, err := json.Marshal(in)
	if err != nil {
		return "", nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(encoded, &members); err != nil {
		return "", nil, err
	}
	path = r.path
	for name, field := range pathFields {
		if value, ok := members[field]; ok && strings.Contains(path, "{"+name+"}") {
			segment, err := Segment(field, plain(value))
			if err != nil {
				return "", nil, err
			}
			path = strings.Replace(path, "{"+name+"}", segment, 1)
			delete(members, field)
		}
	}
	query := url.Values{}
	for _, p := range r.params() {
		value, ok := members[p.member]
		delete(members, p.member)
		if !ok || string(value) == "null" {
			continue
		}
		var list []string
		if json.Unmarshal(value, &list) == nil {
			query.Set(p.name, strings.Join(list, ","))
		} else {
			query.Set(p.name, plain(value))
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	switch {
	case r.body == rawBody:
		err = json.Unmarshal(members["data"], &body)
	case r.body == jsonBody:
		body, err = json.Marshal(members)
	case len(members) > 0:
		err = fmt.Errorf("%s %s offers no way to give %v", r.method, r.path, members)
	}
	return path, body, err
}

// plain returns a JSON value as it is written in a path or query.
func plain(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	return string(value)
}
