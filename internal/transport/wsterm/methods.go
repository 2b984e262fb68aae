package wsterm

import (
	"encoding/json"
	"slices"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/httpio"
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

// decode reads the parameters of a method, in which one of a session gets that.
func decode(m *terminals.Call, session string, params map[string]json.RawMessage) (o *terminals.Operation, in, out any, err error) {
	if m.OfSession() {
		params["session"] = httpio.AppendJSON(nil, session)
	}
	return m.Decode(params)
}
