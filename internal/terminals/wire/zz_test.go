package wire_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"ui-mcp/internal/terminals/wire"
)

var strs = []string{"", "a", "<>&", "\u2028\u2029", "\xff\xfe", "\b\f\n\r\t\x00\x1f\x7f", "日本é😀", "\\\"/'", "\xed\xa0\x80", "\ufffd", "a\xffb"}

func fill(r *rand.Rand, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		s := strs[r.IntN(len(strs))]
		if r.IntN(4) == 0 {
			b := make([]byte, r.IntN(20))
			for i := range b {
				b[i] = byte(r.IntN(256))
			}
			s = string(b)
		}
		v.SetString(s)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt([]int64{0, -1, 7, math.MaxInt64, math.MinInt64}[r.IntN(5)])
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint([]uint64{0, 1, 255, math.MaxUint64}[r.IntN(4)])
	case reflect.Float64, reflect.Float32:
		v.SetFloat([]float64{0, 1e21, 1e-7, 0.1, 1e20, -3.5, 1e6, 123456789.125, 1e-6, math.MaxFloat64, 5e-324}[r.IntN(11)])
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Pointer:
		if depth < 6 && r.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem(), depth+1)
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte(`{"a": "<\u003c", "b" : [1, 2]}`))
			return
		}
		n := r.IntN(4) - 1
		if n >= 0 && depth < 6 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				fill(r, v.Index(i), depth+1)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i), depth+1)
		}
	case reflect.Map:
		if r.IntN(3) > 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range r.IntN(4) {
				k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				fill(r, k, depth+1)
				fill(r, e, depth+1)
				v.SetMapIndex(k, e)
			}
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf([]time.Time{{}, time.Now(), time.Unix(0, 0).UTC(), time.Now().Round(0).UTC(), time.Unix(1e9, 120000).In(time.FixedZone("x", 3600))}[r.IntN(5)]))
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(r, v.Field(i), depth+1)
			}
		}
	case reflect.Interface:
		if v.NumMethod() > 0 {
			return
		}
		var x any
		switch r.IntN(7) {
		case 1:
			x = strs[r.IntN(len(strs))]
		case 2:
			var s []wire.Span
			fill(r, reflect.ValueOf(&s).Elem(), depth+1)
			x = s
		case 3:
			var s [][]wire.Span
			fill(r, reflect.ValueOf(&s).Elem(), depth+1)
			x = s
		case 4:
			var s []string
			fill(r, reflect.ValueOf(&s).Elem(), depth+1)
			x = s
		case 5:
			x = json.RawMessage(`[ "<", "\u2028" ]`)
		case 6:
			x = map[string]any{"b": 1.5, "a": []any{nil, "x<"}}
		}
		if x != nil {
			v.Set(reflect.ValueOf(x))
		}
	}
}

func TestZZ(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	types := []reflect.Type{reflect.TypeFor[wire.Screen](), reflect.TypeFor[wire.Changes](), reflect.TypeFor[wire.Session]()}
	for _, e := range wire.EventTypes {
		types = append(types, e.Type)
	}
	bad := map[string]bool{}
	for _, typ := range types {
		for range 3000 {
			v := reflect.New(typ)
			fill(r, v.Elem(), 0)
			want, err := json.Marshal(v.Elem().Interface())
			if err != nil {
				if !bad[typ.String()+"err"] {
					t.Logf("%v: %v", typ, err)
				}
				bad[typ.String()+"err"] = true
				continue
			}
			got := wire.Append(nil, v.Elem().Interface())
			if string(got) != string(want) && !bad[typ.String()] {
				bad[typ.String()] = true
				t.Errorf("%v\n%s\nwant\n%s", typ, got, want)
			}
		}
	}
}
