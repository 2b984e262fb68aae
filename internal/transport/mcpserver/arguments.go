package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/jsonrpc"
)

// An input decodes the arguments of one tool: it derives a schema, corrects the mistakes that
// models commonly make with types, and refuses the rest, naming the argument.
type input struct {
	tool   string
	schema *jsonschema.Schema
	wire   json.RawMessage // the schema that clients get
}

// newInput derives the schema from In, which must be a struct; schemas replace those of types
// within it.
func newInput[In any](tool string, schemas map[reflect.Type]*jsonschema.Schema) (*input, error) {
	schema, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: schemas})
	if err != nil {
		return nil, err
	}
	if schema.Type != "object" {
		return nil, fmt.Errorf("the input must be a struct, not %T", *new(In))
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[In]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		for word := range strings.FieldsSeq(f.Tag.Get("enum")) {
			schema.Properties[name].Enum = append(schema.Properties[name].Enum, word)
		}
	}
	for _, p := range schema.Properties {
		dropNull(p)
	}
	wire, err := wireSchema(schema)
	if err != nil {
		return nil, err
	}
	return &input{tool: tool, schema: schema, wire: wire}, nil
}

// dropNull gives an optional argument (a pointer field) one type: some clients refuse all tools of
// a server that has a list of types. Null is accepted, too, as an argument that was left out: see
// coerce.
func dropNull(p *jsonschema.Schema) {
	types := slices.DeleteFunc(slices.Clone(p.Types), func(t string) bool { return t == "null" })
	if len(types) == 1 {
		p.Type, p.Types = types[0], nil
	}
}

// wireSchema is the schema as JSON, with "properties" even when there are none: some hosts refuse a
// tool without them. It does not say where null is allowed, since some refuse that, too; nor that
// there are no other arguments, since every conversation would pay for it: decode refuses them.
func wireSchema(s *jsonschema.Schema) (json.RawMessage, error) {
	shown := *s
	shown.Properties, shown.AdditionalProperties = maps.Clone(s.Properties), nil
	for name, p := range shown.Properties {
		forms := slices.DeleteFunc(slices.Clone(p.AnyOf), func(form *jsonschema.Schema) bool { return form.Type == "null" })
		if len(forms) < len(p.AnyOf) {
			other := *p
			other.AnyOf = forms
			shown.Properties[name] = &other
		}
	}
	s = &shown
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

// decode checks raw against the schema and stores it in dst. Errors are of kind [fault.Invalid] and
// name the argument.
func (in *input) decode(raw json.RawMessage, dst any) error {
	args, err := in.arguments(raw)
	if err != nil {
		return err
	}
	for name, value := range args {
		if p := in.schema.Properties[name]; p != nil {
			fixed, keep := coerce(value, p)
			if args[name] = fixed; !keep {
				delete(args, name)
			}
		}
	}
	if err := checkFields(in.tool, "", args, in.schema); err != nil {
		return err
	}
	return in.store(args, dst)
}

// checkChoice returns an error if the schema lists strings and a string is not among them.
func checkChoice(name string, raw json.RawMessage, p *jsonschema.Schema) error {
	var text string
	if len(p.Enum) == 0 || json.Unmarshal(raw, &text) != nil || slices.Contains(p.Enum, any(text)) {
		return nil
	}
	var choices []string
	for _, c := range p.Enum {
		choices = append(choices, fmt.Sprint(c))
	}
	return fault.New(fault.Invalid, "argument %q cannot be %.100q: give one of %s", name, text, strings.Join(choices, ", "))
}

// arguments splits the arguments object, which may also be missing, null, or an object that was
// encoded as a string.
func (in *input) arguments(raw json.RawMessage) (map[string]json.RawMessage, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	raw = unquote(raw, "object")
	var args map[string]json.RawMessage
	if err := json.Unmarshal(raw, &args); err != nil {
		return nil, fault.New(fault.Invalid, "arguments must be an object, not %s", jsonrpc.Article(jsonrpc.TypeOf(raw)))
	}
	return args, nil
}

// argument decodes one argument, or returns the zero value when there is none. [input.decode]
// refuses an argument of another type.
func argument[T any](in *input, raw json.RawMessage, name string) (v T) {
	if args, err := in.arguments(raw); err == nil && args[name] != nil {
		value, _ := coerce(args[name], in.schema.Properties[name])
		_ = json.Unmarshal(value, &v)
	}
	return v
}

// store decodes args into dst, which have been checked.
func (in *input) store(args map[string]json.RawMessage, dst any) error {
	if args == nil {
		args = map[string]json.RawMessage{}
	}
	data, err := json.Marshal(args)
	if err != nil {
		return fault.Wrap(fault.Invalid, err, "arguments")
	}
	err = json.Unmarshal(data, dst)
	if te, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if got, number, _ := strings.Cut(te.Value, " "); number == "" { // what a type decodes itself
			return fault.New(fault.Invalid, "argument %q must be %s, not %s", te.Field, jsonrpc.Article(jsonType(te.Type)), jsonrpc.Article(got))
		}
		return fault.New(fault.Invalid, "argument %q: %s is out of range", te.Field, te.Value)
	}
	return fault.Wrap(fault.Invalid, err, "arguments")
}

// coerce corrects the mistakes that models commonly make with the type of an argument, where only
// one meaning is possible: "42" for 42, "true" for true, 3.0 for 3, an object or a list written as
// a string. It returns other values unchanged: docs/adr/0025-types-of-arguments.md says why a
// number is never made a string. keep is false for null, which means the same as an argument that
// was left out.
func coerce(raw json.RawMessage, p *jsonschema.Schema) (fixed json.RawMessage, keep bool) {
	got := jsonrpc.TypeOf(raw)
	if got == "null" && !slices.Contains(types(p), "null") {
		return nil, false
	}
	if accepts(p, got, raw) {
		return whole(raw, p), true
	}
	if got != "string" {
		return raw, true
	}
	for _, want := range types(p) {
		if v := unquote(raw, want); accepts(p, jsonrpc.TypeOf(v), v) {
			return whole(v, p), true
		}
	}
	return raw, true
}

// unquote returns the JSON value of type want that the JSON string raw holds, or else raw.
func unquote(raw json.RawMessage, want string) json.RawMessage {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return raw
	}
	v := json.RawMessage(strings.TrimSpace(s))
	if want == "boolean" {
		v = bytes.ToLower(v) // Python's True and False
	}
	if want == "integer" {
		want = "number"
	}
	if !json.Valid(v) || jsonrpc.TypeOf(v) != want {
		return raw
	}
	return v
}

// whole writes an integral number without fraction or exponent where the schema wants an integer,
// since encoding/json decodes no other form into one.
func whole(raw json.RawMessage, p *jsonschema.Schema) json.RawMessage {
	if jsonrpc.TypeOf(raw) != "number" || !slices.Contains(types(p), "integer") || !bytes.ContainsAny(raw, ".eE") {
		return raw
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return raw
	}
	return strconv.AppendFloat(nil, f, 'f', -1, 64)
}

// accepts reports whether the schema allows raw, whose kind is got, by type.
func accepts(p *jsonschema.Schema, got string, raw json.RawMessage) bool {
	ts := types(p)
	if len(ts) == 0 || slices.Contains(ts, got) {
		return true
	}
	if got != "number" || !slices.Contains(ts, "integer") {
		return false
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	return err == nil && f == math.Trunc(f)
}

// types are the JSON types that p allows; an empty list means any.
func types(p *jsonschema.Schema) (ts []string) {
	if p.Type != "" {
		return []string{p.Type}
	}
	for _, form := range p.AnyOf {
		ts = append(ts, types(form)...)
	}
	return ts
}

// wants says in words what p allows.
func wants(p *jsonschema.Schema) string {
	ts := slices.Clone(types(p))
	for i, t := range ts {
		ts[i] = jsonrpc.Article(t)
	}
	return strings.Join(ts, " or ")
}

func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.Map, reflect.Struct, reflect.Pointer:
		return "object"
	}
	return "number"
}
