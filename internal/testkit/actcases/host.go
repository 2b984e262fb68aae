package actcases

import (
	"encoding/json"

	"ui-mcp/internal/ui/variable"
)

// An object is one of a scene: it has any method, which does nothing.
type object struct {
	typ    string
	fields map[string]any
}

// host is the language of the objects of scenes, whose arrays are *[]any. It has the methods that
// scenes need.
type host struct{ variable.Host }

func (host) Field(obj variable.Value, name string) (variable.Value, error) {
	if o, ok := obj.(*object); ok {
		return o.fields[name], nil
	}
	return nil, nil
}

func (host) Element(obj variable.Value, i int) (variable.Value, error) {
	if a, ok := obj.(*[]any); ok && i < len(*a) {
		return (*a)[i], nil
	}
	return nil, nil
}

func (host) IsObject(v variable.Value) bool {
	_, isObject := v.(*object)
	_, isArray := v.(*[]any)
	return isObject || isArray
}

func (host) Len(v variable.Value) int {
	if a, ok := v.(*[]any); ok {
		return len(*a)
	}
	return 0
}

func (host) Type(v variable.Value) string {
	if o, ok := v.(*object); ok {
		return o.typ
	}
	return ""
}

func (host) Origin(string) string                          { return "" }
func (host) IsFunction(variable.Value) bool                { return false }
func (host) Member(variable.Value, string) variable.Member { return variable.Member{Known: true} }
func (host) Truthy(v variable.Value) bool                  { return v != nil && v != false }
func (host) Stopped() error                                { return nil }
func (host) Work() error                                   { return nil }
func (host) Resume() bool                                  { return true }

func (host) AppendJSON(dst []byte, v variable.Value) ([]byte, error) {
	switch x := v.(type) {
	case *object:
		v = x.typ
	case *[]any:
		v = *x
	}
	b, err := json.Marshal(v)
	return append(dst, b...), err
}
