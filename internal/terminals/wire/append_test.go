package wire_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/terminals/wire"
)

// FuzzAppendJSON holds the quick encoder to encoding/json: an update of the library may change it.
func FuzzAppendJSON(f *testing.F) {
	for _, s := range []string{
		"", "plain", "a quote \" and \\", "<a href=x>&amp;", "tab\tand\x1b[31mcolour\x1b[m", "héllo 日本", "\x1b]2;a \"title\"\aabcdefgh\x7f",
		"12345678", "1234567\"", "\x1b[1mbold\x1b[m plain \x1b]8;;http://a/?b&c\x1b\\link\x1b]8;;\x1b\\", "\u2028", strings.Repeat("0123456789", 10) + "<",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, out string) {
		v, err := vt.New(vt.Options{Cols: 30, Rows: 5, Scrollback: 10})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := v.Write([]byte(out)); err != nil {
			t.Fatal(err)
		}
		for _, format := range []wire.Format{wire.Plain, wire.Styled} {
			s := wire.NewScreen(v.Snapshot(), format)
			s.Title += out // also what a terminal would not take
			if got, want := string(s.AppendJSON(nil)), encode(t, s); got != want {
				t.Errorf("%s\nencoding/json: %s", got, want)
			}
			c := wire.NewChanges(v.Snapshot(), v.Snapshot().Since(vt.Moment{}), format)
			if got, want := string(c.AppendJSON(nil)), encode(t, c); got != want {
				t.Errorf("%s\nencoding/json: %s", got, want)
			}
		}
	})
}

// Each kind of event, too, with nothing in it and with awkward content.
func TestEventsAsEncodingJSON(t *testing.T) {
	texts := []string{"", "<&>\u2028\u2029", "\xff\xed\xa0\x80", "\x00\b\f\n\r\t\x1b\x7f", "\"\\/", "hé 😀"}
	for _, event := range wire.EventTypes {
		v := reflect.New(event.Type).Elem()
		for _, text := range texts {
			if text != "" {
				fill(v, text)
			}
			e := v.Interface().(wire.Event)
			if got, want := string(wire.Append(nil, []wire.Event{e})), encode(t, []wire.Event{e}); got != want {
				t.Errorf("%s\nencoding/json: %s", got, want)
			}
		}
	}
}

// fill sets all there is to set.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(math.MinInt64)
	case reflect.Uint64:
		v.SetUint(math.MaxUint64)
	case reflect.Float64:
		v.SetFloat(1e21)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text)
	case reflect.Interface:
		v.Set(reflect.ValueOf([]wire.Span{{Text: text, Bold: true, Link: text}}))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), text)
			}
		}
	}
}
