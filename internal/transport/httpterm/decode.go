package httpterm

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/httpio"
)

// A decoder reads the input of a row's operation from requests.
type decoder struct {
	row   row
	input func() input // made for the first request: the schemas of all rows take long
}

// An input is what the schema of an operation says about a request.
type input struct {
	types map[string]string  // the JSON type of each query parameter's field
	body  *terminals.Decoder // nil unless the body is JSON
}

func newDecoder(r row) decoder {
	return decoder{r, sync.OnceValue(func() input { return newInput(r) })}
}

// newInput panics on a row that does not fit its operation.
func newInput(r row) input {
	d := input{types: map[string]string{}}
	properties := r.op.In().Properties
	for _, p := range r.query {
		schema := properties[p.in()]
		if schema == nil {
			panic("httpterm: " + r.op.Name + " has no " + p.in())
		}
		d.types[p.name] = terminals.SchemaType(schema)
	}
	if r.body == jsonBody {
		given := slices.Clone(r.pathFields())
		for _, p := range r.query {
			given = append(given, p.in())
		}
		d.body = terminals.NewDecoder(r.op, given, r.needs)
	}
	return d
}

func (p param) in() string {
	if p.field != "" {
		return p.field
	}
	return p.name
}

// decode reads a request into the operation's input. It also returns the server that the body
// names, or "".
func (d decoder) decode(r *http.Request, in any) (server string, err error) {
	if server, err = d.readBody(r, in); err != nil {
		return server, err
	}
	members, err := d.members(r)
	if err != nil || len(members) == 0 {
		return server, err
	}
	object := "{" + strings.Join(members, ",") + "}"
	return server, fault.Wrap(fault.Invalid, json.Unmarshal([]byte(object), in), "the request is malformed")
}

// readBody reads the body. JSON must be declared: that excludes the types that a form on a page can
// send without asking.
func (d decoder) readBody(r *http.Request, in any) (server string, err error) {
	switch {
	case d.row.body == noBody:
		return "", nil
	case d.row.body == jsonBody && !httpio.IsJSON(r.Header.Get("Content-Type")):
		return "", coded{fault.New(fault.Invalid, "The body must be JSON: send Content-Type: application/json."), http.StatusUnsupportedMediaType, errcode.InvalidRequest}
	}
	b, err := io.ReadAll(r.Body)
	if err != nil {
		return "", bodyError(err)
	}
	if d.row.body == rawBody {
		in.(*terminals.Input).Data = b
		return "", nil
	}
	if err := d.input().body.Decode(b, in); err != nil {
		return "", err
	}
	if d.row.op == &terminals.CreateSession.Operation && bytes.Contains(b, []byte(`"server"`)) {
		var of struct {
			Server string `json:"server"`
		}
		err = json.Unmarshal(b, &of)
		server = of.Server
	}
	return server, fault.Wrap(fault.Invalid, err, "server must be a string")
}

func bodyError(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return coded{fault.New(fault.Invalid, "the body is too long: at most %d bytes are taken", MaxBody), http.StatusRequestEntityTooLarge, errcode.InvalidRequest}
	}
	return fault.Wrap(fault.Invalid, err, "read the body")
}

// members returns the members of the input, as JSON, that are in the path and the query.
func (d decoder) members(r *http.Request) ([]string, error) {
	var list []string
	add := func(name, value string) { list = append(list, `"`+name+`":`+value) }
	for name, field := range pathFields {
		if value := r.PathValue(name); value != "" {
			add(field, quote(value))
		}
	}
	if len(d.row.query) == 0 {
		return list, nil
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "the query is malformed")
	}
	var failed error
	for _, p := range d.row.query {
		if !values.Has(p.name) {
			if p.required != "" {
				failed = errors.Join(failed, fault.New(fault.Invalid, "%s is missing: %s", p.name, p.required))
			}
			continue
		}
		value, err := d.value(p, values)
		failed = errors.Join(failed, err)
		add(p.in(), value)
	}
	return list, failed
}

// value returns a query parameter as JSON.
func (d decoder) value(p param, values url.Values) (string, error) {
	text := values.Get(p.name)
	switch d.input().types[p.name] {
	case "integer":
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil {
			return "", fault.New(fault.Invalid, "%s must be a whole number, not %q", p.name, text)
		}
		return strconv.FormatUint(n, 10), nil
	case "boolean":
		b, err := strconv.ParseBool(text)
		if err != nil {
			return "", fault.New(fault.Invalid, "%s must be true or false, not %q", p.name, text)
		}
		return strconv.FormatBool(b), nil
	case "array":
		var items []string
		for _, list := range values[p.name] {
			for item := range strings.SplitSeq(list, ",") {
				if item = strings.TrimSpace(item); item != "" {
					items = append(items, quote(item))
				}
			}
		}
		return "[" + strings.Join(items, ",") + "]", nil
	}
	return quote(text), nil
}

// quote returns a text as JSON.
func quote(text string) string {
	return string(fault.Must(json.Marshal(text))) // every string can be encoded
}
