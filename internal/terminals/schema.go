package terminals

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/terminals/wire"
)

// shapes are the types of an operation's input and answer.
type shapes struct{ in, out reflect.Type }

func shapesOf[In, Out any]() shapes { return shapes{reflect.TypeFor[In](), reflect.TypeFor[Out]()} }

// New returns pointers to a zero input, and to a zero answer or part of a stream.
func (o *Operation) New() (in, out any) {
	return reflect.New(o.shapes.in).Interface(), reflect.New(o.shapes.out).Interface()
}

// In returns the JSON schema of the input. Fields have these struct tags: jsonschema, the
// description with its unit; default, JSON; min and max, limits of a number or of the length of a
// list.
func (o *Operation) In() *jsonschema.Schema { return SchemaOf(o.shapes.in) }

// Out returns the JSON schema of the answer; nil for streams, and where nothing is returned.
func (o *Operation) Out() *jsonschema.Schema {
	if o.Kind == Streaming || o.shapes.out == reflect.TypeFor[None]() {
		return nil
	}
	return SchemaOf(o.shapes.out)
}

// custom are the schemas of types that encode themselves.
var custom = sync.OnceValue(func() map[reflect.Type]*jsonschema.Schema {
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[wire.Lines]():         {Type: "array", Description: "lines"},
		reflect.TypeFor[[]byte]():             {Type: "string", ContentEncoding: "base64"},
		reflect.TypeFor[overlay.Color]():      {Description: `a name such as red, bright_red or default, "#rrggbb", {"r","g","b"}, {"indexed"} or {"rgb":{...}}`},
		reflect.TypeFor[overlay.Background](): {Types: []string{"object", "null"}, Description: `{"bg": color}, or null to take it away`},
		reflect.TypeFor[question.Posed]():     {Type: "object", Description: "the question, with the members that popup.md describes; prompt: what is typed is a line for a program in a terminal; quote: text of others, displayed below the message"},
		reflect.TypeFor[question.Reply]():     {Type: "object", Description: "what the person did: action is answer, dismiss or decline; values has the values of chosen options, text is what was typed"},
		reflect.TypeFor[question.Answer]():    {Type: "object", Description: "popupId, outcome, source, value, values, text, secret, channel, at: see popup.md"},
		reflect.TypeFor[overlay.Element]():    {Type: "object", Description: "an overlay or panel: id, its position and size, z, spans, and what else was set"},
	}
})

// SchemaOf returns the JSON schema of a type, such as an event of package wire.
func SchemaOf(t reflect.Type) *jsonschema.Schema {
	schema, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: custom()})
	if err != nil {
		panic(fmt.Sprintf("the schema of %v: %v", t, err)) // a mistake in the table
	}
	open(schema)
	if t.Kind() == reflect.Struct {
		annotate(schema, t)
	}
	return schema
}

// open lets objects have members that are not listed: they are ignored.
func open(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Type == "object" && s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil {
		s.AdditionalProperties = nil
	}
	for _, p := range s.Properties {
		open(p)
	}
	open(s.Items)
}

// annotate adds the defaults and limits in the tags of a struct's fields.
func annotate(schema *jsonschema.Schema, t reflect.Type) {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		p := schema.Properties[name]
		if p == nil {
			continue
		}
		if d, ok := f.Tag.Lookup("default"); ok {
			p.Default = json.RawMessage(d)
		}
		least, most := limit(f, "min"), limit(f, "max")
		if f.Type.Kind() == reflect.Slice {
			if most != nil && f.Type.Elem().Kind() != reflect.Uint8 {
				p.MaxItems = new(int(*most))
			}
			if least != nil {
				p.MinItems = new(int(*least))
			}
			continue
		}
		p.Minimum, p.Maximum = least, most
	}
}

func limit(f reflect.StructField, tag string) *float64 {
	text, ok := f.Tag.Lookup(tag)
	if !ok {
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(fmt.Sprintf("%s of %s: %v", tag, f.Name, err)) // a mistake in the table
	}
	return &n
}
