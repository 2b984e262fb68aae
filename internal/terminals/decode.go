package terminals

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
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
	return d.explain(json.Unmarshal(fault.Must(json.Marshal(members)), in)) // the values are JSON
}

// explain names the member that cannot have its value, and what it must be.
func (d *Decoder) explain(err error) error {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return fault.Wrap(fault.Invalid, err, "the input is not as expected")
	}
	path := strings.Split(wrong.Field, ".")
	name, want := path[len(path)-1], jsonType(wrong.Type)
	value, number, isNumber := strings.Cut(wrong.Value, " ")
	switch p := d.schema.Properties[name]; {
	case isNumber && strings.ContainsAny(number, ".eE"):
		return fault.New(fault.Invalid, "%s must be a whole number", name)
	case isNumber:
		return fault.New(fault.Invalid, "%s cannot be %s", name, wrong.Value)
	case p != nil && SchemaType(p) != "" && SchemaType(p) != want:
		name = "each value of " + name
	}
	return fault.New(fault.Invalid, "%s must be %s, not %s", name, article(want), article(value))
}

// jsonType returns the JSON schema's name of a type.
func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "string" // in base64
		}
		return "array"
	case reflect.Struct, reflect.Map:
		return "object"
	}
	return "integer"
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
