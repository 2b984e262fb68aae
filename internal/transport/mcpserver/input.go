package mcpserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"ui-mcp/internal/fault"
)

// An input decodes the arguments of one tool.
type input struct {
	tool     string
	schema   *jsonschema.Schema
	resolved *jsonschema.Resolved
	wire     json.RawMessage // the schema as clients see it
}

// newInput derives the schema from In, which must be a struct.
func newInput[In any](tool string) (*input, error) {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		return nil, err
	}
	if schema.Type != "object" {
		return nil, fmt.Errorf("the input must be a struct, not %T", *new(In))
	}
	for _, p := range schema.Properties {
		dropNull(p)
	}
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		return nil, err
	}
	wire, err := wireSchema(schema)
	if err != nil {
		return nil, err
	}
	return &input{tool: tool, schema: schema, resolved: resolved, wire: wire}, nil
}

// dropNull makes an optional argument (a pointer field) have one type. A null
// is understood all the same, as an argument left out: see repair.
func dropNull(p *jsonschema.Schema) {
	types := slices.DeleteFunc(slices.Clone(p.Types), func(t string) bool { return t == "null" })
	if len(types) == 1 {
		p.Type, p.Types = types[0], nil
	}
}

// wireSchema is the schema's JSON, with "properties" even where there are
// none: some hosts refuse a tool without.
func wireSchema(s *jsonschema.Schema) (json.RawMessage, error) {
	data, err := json.Marshal(s)
	if err != nil || len(s.Properties) > 0 {
		return data, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	fields["properties"] = json.RawMessage("{}")
	return json.Marshal(fields)
}

// decode checks raw against the schema and stores it in dst. Errors are of
// kind [fault.Invalid] and name the argument.
func (in *input) decode(raw json.RawMessage, dst any) error {
	args, err := in.arguments(raw)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		p, known := in.schema.Properties[name]
		if !known {
			return fault.New(fault.Invalid, "unknown argument %q: %s takes %s", name, in.tool, in.takes())
		}
		fixed, keep := repair(args[name], p)
		if !keep {
			delete(args, name)
			continue
		}
		args[name] = fixed
		if got := kindOf(fixed); !accepts(p, got, fixed) {
			return fault.New(fault.Invalid, "argument %q must be %s, not %s", name, wants(p), article(got))
		}
	}
	for _, name := range in.schema.Required {
		if _, ok := args[name]; !ok {
			return fault.New(fault.Invalid, "missing argument %q: %s", name, in.schema.Properties[name].Description)
		}
	}
	return in.store(args, dst)
}

// arguments splits the arguments object, which may also be missing, null, or
// an object that was encoded as a string.
func (in *input) arguments(raw json.RawMessage) (map[string]json.RawMessage, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	raw = unquote(raw, "object")
	var args map[string]json.RawMessage
	if err := json.Unmarshal(raw, &args); err != nil {
		return nil, fault.New(fault.Invalid, "arguments must be an object, not %s", article(kindOf(raw)))
	}
	return args, nil
}

// store decodes args into dst, after the checks that only a whole schema can
// make: enumerations, limits, what is inside objects and arrays.
func (in *input) store(args map[string]json.RawMessage, dst any) error {
	if args == nil {
		args = map[string]json.RawMessage{}
	}
	data, err := json.Marshal(args)
	if err != nil {
		return fault.Wrap(fault.Invalid, err, "arguments")
	}
	var instance any
	if err := json.Unmarshal(data, &instance); err != nil {
		return fault.Wrap(fault.Invalid, err, "arguments")
	}
	if err := in.resolved.Validate(instance); err != nil {
		return fault.Wrap(fault.Invalid, err, "arguments")
	}
	err = json.Unmarshal(data, dst)
	if te, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fault.New(fault.Invalid, "argument %q: %s is out of range", te.Field, te.Value)
	}
	return fault.Wrap(fault.Invalid, err, "arguments")
}

// takes lists the arguments for a person or model that got one wrong.
func (in *input) takes() string {
	if len(in.schema.Properties) == 0 {
		return "no arguments"
	}
	names := in.schema.PropertyOrder
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(in.schema.Properties))
	}
	return strings.Join(names, ", ")
}
