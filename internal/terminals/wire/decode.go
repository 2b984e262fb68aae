package wire

import (
	"encoding/json"
	"reflect"

	"ui-mcp/internal/fault"
)

// Decode reads an answer that this package or package terminals has encoded. Unlike encoding/json,
// it gives [Lines], rows and events the types that they had.
func Decode(b []byte, v any) (err error) {
	if events, ok := v.(*[]Event); ok {
		*events, err = DecodeEvents(b)
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return err
	}
	return restore(reflect.ValueOf(v))
}

// restore gives the lines and rows in a value their types.
func restore(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return restore(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := restore(v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				if err := restore(f); err != nil {
					return err
				}
			}
		}
	case reflect.Interface:
		list, ok := v.Interface().([]any)
		if !ok {
			return nil
		}
		var content any
		var err error
		switch v.Type() {
		case reflect.TypeFor[Lines]():
			content, err = typedLines(list)
		case reflect.TypeFor[Row]():
			content, err = typed[[]Span](list)
		default:
			return nil
		}
		v.Set(reflect.ValueOf(content))
		return err
	}
	return nil
}

// typedLines returns decoded lines with their type.
func typedLines(list []any) (Lines, error) {
	plain := make([]string, len(list))
	for i, line := range list {
		var ok bool
		if plain[i], ok = line.(string); !ok {
			return typed[[][]Span](list)
		}
	}
	return plain, nil
}

// typed returns a decoded value with its type.
func typed[T any](v any) (to T, err error) {
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &to)
	}
	return to, err
}

// DecodeEvents reads a list of events. They have the types that [EventTypes] lists.
func DecodeEvents(b []byte) ([]Event, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "events")
	}
	events := make([]Event, len(list))
	for i, b := range list {
		var err error
		if events[i], err = decodeEvent(b); err != nil {
			return nil, fault.Wrap(fault.Invalid, err, "event")
		}
	}
	return events, nil
}

func decodeEvent(b []byte) (Event, error) {
	var about struct {
		Event, Type string
		Mode        *json.RawMessage
	}
	if err := json.Unmarshal(b, &about); err != nil {
		return nil, err
	}
	for _, t := range EventTypes {
		if t.Name != about.Event+about.Type || about.Event == "mode" && (about.Mode != nil) != (t.Topic == "input") {
			continue
		}
		v := reflect.New(t.Type)
		err := Decode(b, v.Interface())
		return v.Elem().Interface().(Event), err
	}
	return nil, fault.New(fault.Invalid, "there are no events %.40q", about.Event)
}
