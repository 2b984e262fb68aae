// Package yaml writes values as YAML, for documents that people read, too. It does not read YAML.
package yaml

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Of returns a value as YAML. The value is anything that can be JSON; anything else is a mistake of
// the program, and panics. Members are sorted, except that those by which documents of OpenAPI and
// AsyncAPI are read come first.
func Of(v any) []byte {
	encoded, err := json.Marshal(v)
	if err != nil {
		panic(err) // a mistake in the program's own documents
	}
	d := json.NewDecoder(bytes.NewReader(encoded))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		panic(err)
	}
	return append(bytes.TrimLeft(appendValue(nil, value, ""), " \n"), '\n')
}

// keyOrder has the members that come before others.
var keyOrder = []string{
	"openapi", "asyncapi", "info", "title", "version", "operationId", "summary", "name", "in", "type", "required", "description",
	"address", "action", "channel", "parameters", "requestBody", "paths", "get", "post", "put", "patch", "delete",
}

func compareKeys(a, b string) int {
	rank := func(key string) int {
		if i := slices.Index(keyOrder, key); i >= 0 {
			return i
		}
		return len(keyOrder)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
}

// appendValue appends a value after a colon or dash: what fits on the line, or lines that begin
// with indent.
func appendValue(b []byte, v any, indent string) []byte {
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			return append(b, " {}"...)
		}
		for _, k := range slices.SortedFunc(maps.Keys(v), compareKeys) {
			b = append(b, "\n"+indent+yamlString(k)+":"...)
			b = appendValue(b, v[k], indent+"  ")
		}
		return b
	case []any:
		if len(v) == 0 {
			return append(b, " []"...)
		}
		for _, item := range v {
			b = append(b, "\n"+indent+"-"...)
			inner := appendValue(nil, item, indent+"  ")
			b = append(append(b, ' '), bytes.TrimLeft(inner, " \n")...) // beside the dash
		}
		return b
	case string:
		return append(b, " "+yamlString(v)...)
	case nil:
		return append(b, " null"...)
	}
	return fmt.Append(append(b, ' '), v) // a number or a boolean
}

// plainYAML matches strings that mean themselves without quotes.
var plainYAML = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z/$][A-Za-z0-9 /_.;()$+-]*[A-Za-z0-9/_.;()$+-]$|^[A-Za-z]$`)
})

func yamlString(s string) string {
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
	default:
		if plainYAML().MatchString(s) {
			return s
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b) // its strings are strings of YAML, too
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // every string can be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}
