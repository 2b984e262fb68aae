package terminals

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"ui-mcp/internal/fault"
)

// An Alias is an older name of an operation, with what its clients give in another way.
type Alias struct {
	Name    string
	Members map[string]string // members of the input, by the names of the parameters that set them
	Needs   []string          // members that these clients must give, besides those that the operation needs
	Late    string            // code of the error that it was not quiet in time; "" means the usual one
	Doc     string            // what else differs, for readers of the reference

	Adapt  func(params map[string]json.RawMessage) error // changes parameters into members of the input
	Absent *Operation                                    // what a call without parameters stands for; nil: the same
}

func also(name string) []Alias { return []Alias{{Name: name}} }

var (
	nameIsSession = map[string]string{"name": "session"}
	tagIsTags     = map[string]string{"tag": "tags"}
	addAndRemove  = map[string]string{"add": "add_tags", "remove": "remove_tags"}
)

// A Call is an operation under one of its names, with the parameters of that name. The zero Alias
// is the operation's own name.
type Call struct {
	*Operation
	Alias   Alias
	decoder func() *Decoder // it takes longer to make than most operations last
}

// calls are all operations, by their names.
var calls = sync.OnceValue(func() map[string]*Call {
	list := map[string]*Call{}
	for _, o := range All() {
		for _, a := range append([]Alias{{Name: o.Name}}, o.Aliases...) {
			if list[a.Name] != nil {
				panic("terminals: two operations are called " + a.Name)
			}
			list[a.Name] = &Call{o, a, sync.OnceValue(func() *Decoder { return NewDecoder(o, []string{"session"}, a.Needs) })}
		}
	}
	return list
})

// Named returns the operation with this name, which may be an alias, or nil.
func Named(name string) *Call { return calls()[name] }

// OfSession reports whether the operation is of one session, which its input names.
func (o *Operation) OfSession() bool {
	in, _ := o.New()
	_, ok := in.(interface{ session() *string })
	return ok
}

// Decode reads parameters. It returns the operation that the call stands for, which is another one
// where the alias says so, its input, and a value for its answer. The session need not be given.
func (c *Call) Decode(params map[string]json.RawMessage) (o *Operation, in, out any, err error) {
	o = c.Operation
	absent := c.Alias.Absent != nil && !slices.ContainsFunc(slices.Collect(maps.Values(params)), func(v json.RawMessage) bool { return string(v) != "null" })
	if absent {
		o = c.Alias.Absent
	}
	if in, out = o.New(); absent {
		return o, in, out, nil
	}
	members := map[string]json.RawMessage{} // by the names of the operation, which other parameters may have
	for name, member := range c.Alias.Members {
		if value, ok := params[name]; ok {
			delete(params, name)
			members[member] = value
		}
	}
	maps.Copy(members, params)
	if c.Alias.Adapt != nil {
		if err := c.Alias.Adapt(members); err != nil {
			return o, in, out, err
		}
	}
	return o, in, out, c.decoder().Decode(members, in)
}

// Older returns a sentence for readers of the reference about the operation's aliases, without its
// full stop, or "" if there are none.
func (o *Operation) Older() string {
	var list []string
	for _, a := range o.Aliases {
		list = append(list, a.text())
	}
	switch len(list) {
	case 0:
		return ""
	case 1:
		return "Older name: " + list[0]
	}
	return "Older names: " + strings.Join(list, ", ")
}

func (a Alias) text() string {
	var differs []string
	for _, name := range slices.Sorted(maps.Keys(a.Members)) {
		differs = append(differs, "`"+name+"` is `"+a.Members[name]+"`")
	}
	for _, member := range a.Needs {
		differs = append(differs, "`"+member+"` is required")
	}
	if a.Late != "" {
		differs = append(differs, "its error is `"+a.Late+"`")
	}
	if a.Doc != "" {
		differs = append(differs, a.Doc)
	}
	if differs == nil {
		return "`" + a.Name + "`"
	}
	return "`" + a.Name + "` (" + strings.Join(differs, "; ") + ")"
}

// decodeData changes the data of input into base64.
func decodeData(params map[string]json.RawMessage) error {
	encoding, err := TextParam(params, "encoding")
	if err != nil {
		return err
	}
	data, err := TextParam(params, "data")
	if err != nil || params["data"] == nil {
		return err // the decoder reports what is missing
	}
	switch encoding {
	case "", "utf8":
		data = base64.StdEncoding.EncodeToString([]byte(data))
	case "base64":
		if _, err := base64.StdEncoding.DecodeString(data); err != nil {
			return fault.New(fault.Invalid, "data is not base64: %v", err)
		}
	default:
		return fault.New(fault.Invalid, "there is no encoding %.40q: it is utf8 or base64", encoding)
	}
	delete(params, "encoding")
	params["data"] = fault.Must(json.Marshal(data))
	return nil
}

// batchUpdate changes an update of one element's spans and writes into a batch of operations.
func batchUpdate(params map[string]json.RawMessage) error {
	kind, err := TextParam(params, "type")
	if err != nil {
		return err
	}
	id, err := TextParam(params, "id")
	if err != nil {
		return err
	}
	for name, value := range map[string]string{"id": id, "type": kind} {
		if value == "" {
			return fault.New(fault.Invalid, "%s is missing", name)
		}
	}
	var ops []map[string]any
	for _, part := range []struct{ param, op string }{{"spans", "spans"}, {"writes", "write"}} {
		if value := params[part.param]; value != nil && string(value) != "null" {
			ops = append(ops, map[string]any{"op": part.op, "type": kind, "id": id, part.param: value})
		}
	}
	if ops == nil { // which only checks that there is such an element
		ops = append(ops, map[string]any{"op": "update", "type": kind, "id": id})
	}
	list, err := json.Marshal(ops)
	if err != nil {
		return fault.Wrap(fault.Invalid, err, "params are malformed")
	}
	params["ops"] = list
	return nil
}

// TextParam returns a parameter that is a text, or "".
func TextParam(params map[string]json.RawMessage, name string) (string, error) {
	var s *string
	if value, ok := params[name]; ok {
		if err := json.Unmarshal(value, &s); err != nil {
			return "", fault.New(fault.Invalid, "%s must be a string", name)
		}
	}
	if s == nil {
		return "", nil
	}
	return *s, nil
}
