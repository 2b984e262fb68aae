package terminals

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"ui-mcp/internal/fault"
)

// A Decoder reads the input of an operation from JSON, for interfaces whose clients write it. Its
// errors are of kind Invalid and name the member that is missing or wrong.
type Decoder struct {
	schema   *jsonschema.Schema
	required []string
}

// NewDecoder returns a decoder for inputs of an operation. It requires the members that the
// operation needs and those in more, but not those in given, which the interface sets itself.
func NewDecoder(o *Operation, given, more []string) *Decoder {
	d := &Decoder{schema: o.In()}
	for _, name := range slices.Concat(d.schema.Required, more) {
		if d.schema.Properties[name] == nil {
			panic(fmt.Sprintf("terminals: %s has no %s", o.Name, name))
		}
		if !slices.Contains(given, name) && !slices.Contains(d.required, name) {
			d.required = append(d.required, name)
		}
	}
	return d
}

// Members reads a JSON object, for [Decoder.Decode]. The error is of kind Invalid.
func Members(data []byte) (map[string]json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return nil, fault.New(fault.Invalid, "give a JSON object, not %s", article(wrong.Value))
		}
		if len(bytes.TrimSpace(data)) == 0 {
			return nil, fault.New(fault.Invalid, "give a JSON object, such as {}")
		}
		return nil, fault.Wrap(fault.Invalid, err, "this is not JSON")
	}
	if members == nil {
		return map[string]json.RawMessage{}, nil // it is null
	}
	return members, nil
}

// Decode reads the members of a JSON object into the operation's input, which [Operation.New] has
// returned. It ignores members that are unknown, and changes the map.
func (d *Decoder) Decode(members map[string]json.RawMessage, in any) error {
	maps.DeleteFunc(members, func(name string, _ json.RawMessage) bool {
		return name != "session" && strings.EqualFold(name, "session") // JSON would take it for the one that a path names
	})
	for _, name := range d.required {
		if v, ok := members[name]; !ok || string(v) == "null" {
			return fault.New(fault.Invalid, "%s is missing: %s", name, d.schema.Properties[name].Description)
		}
	}
	if err := checkMembers("", members, d.schema); err != nil {
		return err
	}
	return decodeError(json.Unmarshal(fault.Must(json.Marshal(members)), in)) // the values are JSON
}

// decodeError names the member that cannot have its value.
func decodeError(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fault.New(fault.Invalid, "%s cannot be %s", wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:], wrong.Value)
	}
	return fault.Wrap(fault.Invalid, err, "the input is not as expected")
}

// checkMembers returns an error if a member of an object does not have the type of its schema.
func checkMembers(path string, members map[string]json.RawMessage, s *jsonschema.Schema) error {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		p := s.Properties[name]
		if p == nil {
			p = s.AdditionalProperties
		}
		if err := checkType(path+name, members[name], p); err != nil {
			return err
		}
	}
	return nil
}

// checkType returns an error if a value does not have the type of its schema. A schema without a
// type is checked when its value is decoded.
func checkType(path string, value json.RawMessage, s *jsonschema.Schema) error {
	if s == nil || string(value) == "null" {
		return nil
	}
	want, got := SchemaType(s), valueType(value)
	switch {
	case want == "" || got == want || want == "number" && got == "integer":
	case want == "integer" && got == "number":
		return fault.New(fault.Invalid, "%s must be a whole number", path)
	case got == "integer":
		return fault.New(fault.Invalid, "%s must be %s, not a number", path, article(want))
	default:
		return fault.New(fault.Invalid, "%s must be %s, not %s", path, article(want), article(got))
	}
	switch want {
	case "object":
		var members map[string]json.RawMessage
		if err := json.Unmarshal(value, &members); err != nil {
			return fault.Wrap(fault.Invalid, err, "%s", path)
		}
		return checkMembers(path+".", members, s)
	case "array":
		var items []json.RawMessage
		if err := json.Unmarshal(value, &items); err != nil {
			return fault.Wrap(fault.Invalid, err, "%s", path)
		}
		for i, item := range items {
			if err := checkType(fmt.Sprintf("%s[%d]", path, i), item, s.Items); err != nil {
				return err
			}
		}
	}
	return nil
}

// SchemaType returns the type of a value that may also be null.
func SchemaType(s *jsonschema.Schema) string {
	for _, t := range s.Types {
		if t != "null" {
			return t
		}
	}
	return s.Type
}

// valueType returns the JSON schema's name of a valid value's type.
func valueType(value json.RawMessage) string {
	switch value[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	}
	if bytes.ContainsAny(value, ".eE") {
		return "number"
	}
	return "integer"
}

// article names a type in a sentence.
func article(kind string) string {
	switch kind {
	case "integer":
		return "a whole number"
	case "array":
		return "a list"
	case "bool":
		return "a boolean"
	case "object":
		return "an object"
	}
	return "a " + kind
}
