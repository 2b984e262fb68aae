package wire

import (
	"encoding/json"
	"reflect"

	"ui-mcp/internal/fault"
)

// Decode reads an answer that this package or package terminals has encoded. Unlike encoding/json,
// it gives [Lines], rows and events the types that they had. text, unless it is nil, returns what
// stands in the place of a text: see [EachText].
func Decode(b []byte, v any, text func(foreign, s string) string) (err error) {
	if events, ok := v.(*[]Event); ok {
		*events, err = decodeEvents(b)
	} else {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		return err
	}
	return restore(reflect.ValueOf(v), "", text)
}

// EachText puts what text returns in the place of each text in what v points to. It gets the tag
// "foreign" of the member that the text is.
func EachText(v any, text func(foreign, s string) string) error {
	return restore(reflect.ValueOf(v), "", text)
}

// restore gives lines and rows in a value their types, and replaces texts.
func restore(v reflect.Value, foreign string, text func(foreign, s string) string) error {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return restore(v.Elem(), "", text)
		}
	case reflect.Interface:
		if v.IsNil() {
			return nil
		}
		content, err := typedContent(v)
		if err != nil {
			return err
		}
		return restoreCopy(reflect.ValueOf(content), text, v.Set)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				if err := restore(f, v.Type().Field(i).Tag.Get("foreign"), text); err != nil {
					return err
				}
			}
		}
	case reflect.Slice:
		for i := 0; i < v.Len() && v.Type().Elem().Kind() != reflect.Uint8; i++ {
			if err := restore(v.Index(i), "", text); err != nil {
				return err
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if err := restoreCopy(v.MapIndex(key), text, func(c reflect.Value) { v.SetMapIndex(key, c) }); err != nil {
				return err
			}
		}
	case reflect.String:
		if text != nil {
			v.SetString(text(foreign, v.String()))
		}
	}
	return nil
}

// restoreCopy is restore for a value that cannot be changed in its place.
func restoreCopy(v reflect.Value, text func(foreign, s string) string, set func(reflect.Value)) error {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	err := restore(c, "", text)
	set(c)
	return err
}

// typedContent returns what an interface has, with the type of lines or a row.
func typedContent(v reflect.Value) (any, error) {
	list, ok := v.Interface().([]any)
	switch {
	case ok && v.Type() == reflect.TypeFor[Lines]():
		return typedLines(list)
	case ok && v.Type() == reflect.TypeFor[Row]():
		return typed[[]Span](list)
	}
	return v.Interface(), nil
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

// decodeEvents reads a list of events. They have the types that [EventTypes] lists.
func decodeEvents(b []byte) ([]Event, error) {
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
		err := json.Unmarshal(b, v.Interface())
		return v.Elem().Interface().(Event), err
	}
	return nil, fault.New(fault.Invalid, "there are no events %.40q", about.Event)
}
