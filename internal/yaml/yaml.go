// Package yaml writes values as YAML, for documents that people read, too. It does not read YAML.
package yaml

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Of returns a value as YAML in block style. The value is anything that can be JSON; anything else
// is a mistake of the program, and panics. Members are sorted, except that those by which documents
// of OpenAPI and AsyncAPI are read come first.
func Of(v any) []byte {
	d := json.NewDecoder(bytes.NewReader(scalar(v)))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		panic(err)
	}
	return append(bytes.TrimLeft(appendValue(nil, value, "\n"), " \n"), '\n')
}

// keyOrder has the members that come before others.
var keyOrder = []string{
	"openapi", "asyncapi", "info", "title", "version", "operationId", "summary", "name", "in", "type", "required", "description",
	"address", "action", "channel", "parameters", "requestBody", "paths", "get", "post", "put", "patch", "delete",
}

func compareKeys(a, b string) int {
	rank := func(key string) uint { return uint(slices.Index(keyOrder, key)) } // the largest number for others
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
}

// appendValue appends a value after a colon or dash: what fits on the line, or lines that begin
// with indent.
func appendValue(b []byte, v any, indent string) []byte {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.SortedFunc(maps.Keys(v), compareKeys) {
			b = appendValue(append(append(append(b, indent...), key(k)...), ':'), v[k], indent+"  ")
		}
		if len(v) > 0 {
			return b
		}
	case []any:
		for _, item := range v {
			inner := bytes.TrimLeft(appendValue(nil, item, indent+"  "), " \n") // beside the dash
			b = append(append(append(b, indent...), "- "...), inner...)
		}
		if len(v) > 0 {
			return b
		}
	}
	return append(append(b, ' '), scalar(v)...)
}

// key returns a member's name, in quotes unless it clearly means itself without.
func key(s string) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	words := []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
	if s == "" || strings.Trim(s[:1], letters+"/$") != "" || strings.Trim(s, letters+"0123456789/$_.-") != "" || slices.Contains(words, strings.ToLower(s)) {
		return string(scalar(s))
	}
	return s
}

// scalar returns a value as JSON, which YAML includes.
func scalar(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // a mistake in the program's own documents
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
