package httpterm

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
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
	*terminals.Decoder
	params []param
	types  []string // the JSON types of their members
}

func newDecoder(r row) decoder {
	return decoder{r, sync.OnceValue(func() input { return newInput(r) })}
}

// newInput panics on a row that does not fit its operation.
func newInput(r row) input {
	var given []string
	if r.body == rawBody {
		given = []string{"data"}
	}
	d := input{Decoder: terminals.NewDecoder(r.op, given, r.needs), params: r.params()}
	properties := r.op.In().Properties
	for _, p := range d.params {
		schema := properties[p.member]
		if schema == nil {
			panic("httpterm: " + r.op.Name + " has no " + p.member)
		}
		d.types = append(d.types, terminals.SchemaType(schema))
	}
	return d
}

// decode reads a request into the operation's input. It also returns the server that the body
// names, or "".
func (d decoder) decode(r *http.Request, in any) (server string, err error) {
	members, raw, err := d.readBody(r)
	if err != nil {
		return "", err
	}
	if d.row.op == &terminals.CreateSession.Operation {
		if server, err = terminals.TextParam(members, "server"); err != nil {
			return "", err
		}
	}
	for name, field := range pathFields {
		if value := r.PathValue(name); value != "" {
			members[field] = httpio.AppendJSON(nil, value)
		}
	}
	input := d.input()
	if err := input.readQuery(r, members); err != nil {
		return server, err
	}
	if err := input.Decode(members, in); err != nil {
		return server, err
	}
	if d.row.body == rawBody {
		in.(*terminals.Input).Data = raw
	}
	return server, nil
}

// readBody reads the body: members of the input, or bytes. JSON must be declared: that excludes the
// types that a form on a page can send without asking.
func (d decoder) readBody(r *http.Request) (members map[string]json.RawMessage, raw []byte, err error) {
	if d.row.body == jsonBody && !httpio.IsJSON(r.Header.Get("Content-Type")) {
		return nil, nil, coded{fault.New(fault.Invalid, "The body must be JSON: send Content-Type: application/json."), http.StatusUnsupportedMediaType, errcode.InvalidRequest}
	}
	if d.row.body != noBody {
		if raw, err = io.ReadAll(r.Body); err != nil {
			return nil, nil, bodyError(err)
		}
	}
	if d.row.body == jsonBody {
		members, err = terminals.Members(raw)
		return members, nil, err
	}
	return map[string]json.RawMessage{}, raw, nil
}

func bodyError(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return coded{fault.New(fault.Invalid, "the body is too long: at most %d bytes are taken", MaxBody), http.StatusRequestEntityTooLarge, errcode.InvalidRequest}
	}
	return fault.Wrap(fault.Invalid, err, "read the body")
}

// readQuery adds the members of the input that are in the query.
func (d input) readQuery(r *http.Request, members map[string]json.RawMessage) error {
	if len(d.params) == 0 {
		return nil
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return fault.Wrap(fault.Invalid, err, "the query is malformed")
	}
	for i, p := range d.params {
		if values.Has(p.name) {
			if members[p.member], err = value(p.name, d.types[i], values); err != nil {
				return err
			}
		}
	}
	return nil
}

// value returns a query parameter as JSON of a type.
func value(name, kind string, values url.Values) (json.RawMessage, error) {
	text := values.Get(name)
	switch kind {
	case "integer":
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil {
			return nil, fault.New(fault.Invalid, "%s must be a whole number, not %q", name, text)
		}
		return strconv.AppendUint(nil, n, 10), nil
	case "boolean":
		b, err := strconv.ParseBool(text)
		if err != nil {
			return nil, fault.New(fault.Invalid, "%s must be true or false, not %q", name, text)
		}
		return strconv.AppendBool(nil, b), nil
	case "array":
		items := []string{}
		for _, list := range values[name] {
			for item := range strings.SplitSeq(list, ",") {
				if item = strings.TrimSpace(item); item != "" {
					items = append(items, item)
				}
			}
		}
		return httpio.AppendJSON(nil, items), nil
	}
	return httpio.AppendJSON(nil, text), nil
}
