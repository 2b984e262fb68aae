package wsterm

import (
	"encoding/json"
	"slices"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

// methods returns the operations that clients can call, in the order of the reference. Where an
// operation is of one session, the socket or the member "session" of the request says which.
func methods() []*terminals.Operation {
	return slices.DeleteFunc(terminals.All(), func(o *terminals.Operation) bool { return !isMethod(o) })
}

func isMethod(o *terminals.Operation) bool {
	return o.Kind != terminals.Streaming || o == &terminals.Watch.Operation
}

// methodOf returns the method of that name, or nil.
func methodOf(name string) *terminals.Call {
	if c := terminals.Named(name); c != nil && isMethod(c.Operation) {
		return c
	}
	return nil
}

// input returns the operation that a call of a method stands for, its input, and a value for its
// answer.
func input(m *terminals.Call, session string, params map[string]json.RawMessage) (o *terminals.Operation, in, out any, err error) {
	if m.OfSession() {
		params["session"] = quote(session)
	}
	return m.Decode(params)
}

func quote(text string) json.RawMessage {
	return fault.Must(json.Marshal(text)) // every string can be encoded
}
