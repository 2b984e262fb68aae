package mcpserver

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// repair mends the mistakes that models commonly make with the type of an
// argument, where only one meaning is possible: "42" for 42, "true" for true,
// 1 for "1", 3.0 for 3, an object written as a string. A value that it cannot
// mend it returns as it is. keep is false for null, which means the same as
// an argument left out.
func repair(raw json.RawMessage, p *jsonschema.Schema) (fixed json.RawMessage, keep bool) {
	got := kindOf(raw)
	if got == "null" && !slices.Contains(types(p), "null") {
		return nil, false
	}
	if accepts(p, got, raw) {
		return whole(raw, p), true
	}
	for _, want := range types(p) {
		switch {
		case want == "string" && (got == "number" || got == "boolean"):
			return json.RawMessage(strconv.Quote(string(raw))), true
		case got != "string":
			continue
		}
		if v := unquote(raw, want); accepts(p, kindOf(v), v) {
			return whole(v, p), true
		}
	}
	return raw, true
}

// unquote returns the JSON value of type want that the JSON string raw holds,
// or raw when it holds none.
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
	if !json.Valid(v) || kindOf(v) != want {
		return raw
	}
	return v
}

// whole writes an integral number without fraction or exponent where the
// schema wants an integer, since encoding/json decodes no other form into one.
func whole(raw json.RawMessage, p *jsonschema.Schema) json.RawMessage {
	if kindOf(raw) != "number" || !slices.Contains(types(p), "integer") || !bytes.ContainsAny(raw, ".eE") {
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

// types are the JSON types that p allows; none means any.
func types(p *jsonschema.Schema) []string {
	if p.Type != "" {
		return []string{p.Type}
	}
	return p.Types
}

// wants says in words what p allows.
func wants(p *jsonschema.Schema) string {
	ts := slices.Clone(types(p))
	for i, t := range ts {
		ts[i] = article(t)
	}
	return strings.Join(ts, " or ")
}

func article(kind string) string {
	switch kind {
	case "null":
		return kind
	case "object", "array", "integer":
		return "an " + kind
	}
	return "a " + kind
}

// kindOf is the JSON type of a valid value, by its first byte.
func kindOf(raw json.RawMessage) string {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 {
		return "null"
	}
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}
