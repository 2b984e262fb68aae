package mcpserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/jsonrpc"
)

// check returns an error of kind [fault.Invalid] if raw does not fit a schema. The error has the
// path of the value that does not, such as options[1].label, what it must be and what it is.
func check(path string, raw json.RawMessage, p *jsonschema.Schema) error {
	got := jsonrpc.TypeOf(raw)
	if len(p.AnyOf) > 0 {
		return checkAny(path, raw, p.AnyOf)
	}
	if !accepts(p, got, raw) {
		return fault.New(fault.Invalid, "argument %q must be %s, not %s", path, wants(p), jsonrpc.Article(got))
	}
	switch got {
	case "object":
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(raw, &fields); err != nil {
			return fault.Wrap(fault.Invalid, err, "argument %q", path)
		}
		return checkFields(path, path+".", fields, p)
	case "array":
		var items []json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil {
			return fault.Wrap(fault.Invalid, err, "argument %q", path)
		}
		for i, item := range items {
			if p.Items == nil {
				break
			}
			if err := check(path+"["+strconv.Itoa(i)+"]", item, p.Items); err != nil {
				return err
			}
		}
	case "number":
		if f, err := strconv.ParseFloat(string(raw), 64); p.Minimum != nil && err == nil && f < *p.Minimum {
			return fault.New(fault.Invalid, "argument %q must be at least %v, not %.40s", path, *p.Minimum, raw)
		}
	case "string":
		return checkChoice(path, raw, p)
	}
	return nil
}

// checkAny checks a value that may have one of several forms: the first that is of its type says
// what is wrong.
func checkAny(path string, raw json.RawMessage, forms []*jsonschema.Schema) error {
	var wanted []string
	for _, form := range forms {
		if accepts(form, jsonrpc.TypeOf(raw), raw) {
			return check(path, raw, form)
		}
		wanted = append(wanted, wants(form))
	}
	return fault.New(fault.Invalid, "argument %q must be %s, not %s", path, strings.Join(wanted, " or "), jsonrpc.Article(jsonrpc.TypeOf(raw)))
}

// checkFields checks the arguments of the tool whose name is owner, or the fields of the object
// within them whose path it is. prefix is what their own paths start with.
func checkFields(owner, prefix string, fields map[string]json.RawMessage, p *jsonschema.Schema) error {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		field, known := p.Properties[name]
		switch {
		case known:
		case p.AdditionalProperties == nil:
			continue
		case p.AdditionalProperties.Not != nil: // nothing more
			return fault.New(fault.Invalid, "unknown argument %q: %s takes %s", prefix+clip(name), owner, fieldsOf(p))
		default:
			field = p.AdditionalProperties
		}
		if err := check(prefix+clip(name), fields[name], field); err != nil {
			return err
		}
	}
	for _, name := range p.Required {
		if _, ok := fields[name]; !ok {
			return missing(prefix+name, p.Properties[name])
		}
	}
	return nil
}

// clip shortens a name of the client's for an error.
func clip(name string) string { return fmt.Sprintf("%.100s", name) }

// missing is the error for an argument that was left out.
func missing(path string, p *jsonschema.Schema) error {
	if p != nil && p.Description != "" {
		return fault.New(fault.Invalid, "missing argument %q (its description: %s)", path, p.Description)
	}
	return fault.New(fault.Invalid, "missing argument %q", path)
}

// fieldsOf lists what an object takes, for an error message.
func fieldsOf(p *jsonschema.Schema) string {
	if len(p.Properties) == 0 {
		return "no arguments"
	}
	names := p.PropertyOrder
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(p.Properties))
	}
	return strings.Join(names, ", ")
}
