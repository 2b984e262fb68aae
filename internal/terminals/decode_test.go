package terminals_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
)

// decode reads a JSON object into an operation's input.
func decode(d *terminals.Decoder, object string, in any) error {
	members, err := terminals.Members([]byte(object))
	if err != nil {
		return err
	}
	return d.Decode(members, in)
}

func TestDecoder(t *testing.T) {
	for _, tt := range []struct{ op, in, says string }{
		{"session.create", `{"name":"a","tags":["x"],"env":{"A":"b"},"rows":null,"unknown":1}`, ""},
		{"session.resize", `{"session":"a","rows":5,"cols":6}`, ""},
		{"session.resize", `{"session":"a","rows":5}`, "cols is missing: width of the whole screen in cells"},
		{"session.resize", `{"session":"a","rows":5,"cols":null}`, "cols is missing"},
		{"session.resize", `{"session":"a","rows":"5","cols":6}`, "rows must be a whole number, not a string"},
		{"session.resize", `{"session":"a","rows":5.5,"cols":6}`, "rows must be a whole number"},
		{"session.resize", `{"session":"a","rows":1e30,"cols":6}`, "rows must be a whole number"},
		{"session.resize", `{"session":"a","rows":99999999999999999999,"cols":6}`, "rows cannot be number 99999999999999999999"},
		{"session.create", `{"scrollback":true}`, "scrollback must be a whole number, not a boolean"},
		{"session.create", `{"tags":"x"}`, "tags must be a list, not a string"},
		{"session.create", `{"tags":["x",1]}`, "each value of tags must be a string, not a number"},
		{"session.create", `{"env":{"A":1}}`, "each value of env must be a string, not a number"},
		{"session.create", `{"env":[]}`, "env must be an object, not a list"},
		{"session.create", `[]`, "give a JSON object, not a list"},
		{"session.create", `true`, "give a JSON object, not a boolean"},
		{"session.create", ``, "give a JSON object, such as {}"},
		{"session.create", `{`, "this is not JSON"},
		{"session.create", `{} {}`, "this is not JSON"},
		{"scrollback.get", `{"session":"a","offset":-1}`, "offset cannot be number -1"},
		{"input.send", `{"session":"a","data":"%"}`, "illegal base64"},
		{"input.send", `{"session":"a","data":1}`, "data must be a string, not a number"},
		{"overlay.create", `{"session":"a","spans":[{"text":"a"},{"text":1}]}`, "text must be a string, not a number"},
		{"overlay.create", `{"session":"a","spans":[{"text":"a","fg":"purple"}]}`, `no colour "purple"`},
		{"overlay.create", `{"session":"a","x":"1"}`, "x must be a whole number, not a string"},
		{"elements.apply", `{"session":"a","ops":[{"op":"create","type":"panel","height":"1"}]}`, "height must be a whole number, not a string"},
	} {
		t.Run(tt.op+" "+tt.in, func(t *testing.T) {
			o := operation(t, tt.op)
			in, _ := o.New()
			err := decode(terminals.NewDecoder(o, nil, nil), tt.in, in)
			if tt.says == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "Go ") {
				t.Errorf("%v, want %s", err, tt.says)
			}
		})
	}
}

func TestDecoderRequires(t *testing.T) {
	d := terminals.NewDecoder(&terminals.Overlays.Create.Operation, []string{"session"}, []string{"spans"})
	in, _ := terminals.Overlays.Create.New()
	if err := decode(d, `{}`, in); err == nil || !strings.HasPrefix(err.Error(), "spans is missing: ") {
		t.Error(err)
	}
	must(t, decode(d, `{"spans":[]}`, in))
}

// What a client writes in other letters does not take the place of the session that a path names.
func TestDecoderTakesOneSession(t *testing.T) {
	o := operation(t, "session.get")
	for _, object := range []string{`{"session":"a","\u017fession":"b"}`, `{"session":"a","Session":"b"}`} {
		in, _ := o.New()
		must(t, decode(terminals.NewDecoder(o, nil, nil), object, in))
		if got, _ := terminals.SessionIn(in); got != "a" {
			t.Errorf("%s is of %q", object, got)
		}
	}
}

// FuzzDecode gives any text to the decoder of every operation. It accepts what encoding/json does
// of members that are given once, and reports everything else as the caller's mistake.
func FuzzDecode(f *testing.F) {
	for _, c := range opcases.All {
		f.Add(c.In)
	}
	type decoder struct {
		*terminals.Decoder
		o *terminals.Operation
	}
	var decoders []decoder
	for _, o := range terminals.All() {
		decoders = append(decoders, decoder{terminals.NewDecoder(o, nil, nil), o})
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range decoders {
			in, _ := d.o.New()
			members, err := terminals.Members([]byte(text))
			if err == nil {
				err = d.Decode(members, in)
			}
			if err != nil {
				if fault.KindOf(err) != fault.Invalid {
					t.Errorf("%s: %v", d.o.Name, err)
				}
				continue
			}
			want, _ := d.o.New()
			object, _ := json.Marshal(members)
			if err := json.Unmarshal(object, want); err != nil || !reflect.DeepEqual(in, want) {
				t.Errorf("%s: %+v, want %+v, %v", d.o.Name, in, want, err)
			}
		}
	})
}
