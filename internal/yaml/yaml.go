// Package yaml writes values as YAML, for documents that people read, too. It does not read YAML.
package yaml

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
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
	var b bytes.Buffer
	writeYAML(&b, value, 0)
	return b.Bytes()
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

// writeYAML writes a value at the start of a line, or an empty or simple one where it stands.
func writeYAML(b *bytes.Buffer, v any, depth int) {
	indent := strings.Repeat("  ", depth)
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.SortFunc(keys, compareKeys)
		for _, k := range keys {
			b.WriteString(indent + yamlString(k) + ":")
			writeMember(b, v[k], depth+1)
		}
	case []any:
		for _, item := range v {
			b.WriteString(indent + "-")
			if isSimple(item) {
				writeMember(b, item, depth+1)
				continue
			}
			// The first member stands beside the dash.
			var inner bytes.Buffer
			writeYAML(&inner, item, depth+1)
			b.WriteString(" " + strings.TrimLeft(inner.String(), " "))
		}
	}
}

// writeMember writes what follows a colon or dash.
func writeMember(b *bytes.Buffer, v any, depth int) {
	if !isSimple(v) {
		b.WriteByte('\n')
		writeYAML(b, v, depth)
		return
	}
	b.WriteByte(' ')
	switch v := v.(type) {
	case string:
		b.WriteString(yamlString(v))
	case map[string]any:
		b.WriteString("{}")
	case []any:
		var items []string
		for _, item := range v {
			switch text, ok := item.(string); {
			case ok:
				items = append(items, yamlString(text))
			case item == nil:
				items = append(items, "null")
			default:
				items = append(items, fmt.Sprint(item))
			}
		}
		b.WriteString("[" + strings.Join(items, ", ") + "]")
	case nil:
		b.WriteString("null")
	default: // a number or a boolean
		fmt.Fprint(b, v)
	}
	b.WriteByte('\n')
}

// isSimple reports whether a value fits on one line.
func isSimple(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool {
			switch item.(type) {
			case map[string]any, []any:
				return true
			}
			return false
		})
	}
	return true
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
