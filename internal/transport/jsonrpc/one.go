package jsonrpc

import (
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"
)

// ParseOne reads data as one message of MCP, which has no batches: its ids are strings or integers
// below 2^53, and its params are objects. m is nil for any other data, and then one of the other
// results says what to do: send the refusal, or log why the message is ignored. Responses are never
// refused.
func ParseOne(data []byte) (m *Message, refusal *Response, ignored string) {
	parsed := Parse(data)
	m = &parsed
	id, problem := echoable(m.ID), m.Invalid
	switch {
	case id == nil && m.ID != nil:
		problem = Errorf(CodeInvalidRequest, `Invalid Request: "id" must be a string or an integer`)
		if TypeOf(m.ID) == "number" {
			problem.Message = `Invalid Request: "id" must be an integer below 2^53, or a string`
		}
	case problem != nil && problem.Code == CodeParse && utf8.Valid(data):
		problem = Errorf(CodeParse, "%s (a message is one JSON object; on standard input it is one line)", problem.Message)
	case problem != nil:
	case m.Params != nil && TypeOf(m.Params) != "object" && TypeOf(m.Params) != "null":
		problem = Errorf(CodeInvalidRequest, `Invalid Request: "params" must be an object`)
	}
	switch {
	case problem == nil:
		return m, nil, ""
	case m.IsResponse:
		return nil, nil, problem.Message
	}
	return nil, Failure(id, problem), ""
}

// StatelessSince is the first revision of MCP without a handshake and sessions. Its requests name
// their version.
const StatelessSince = "2026-07-28"

// IsStateless reports whether the parameters of a request name such a version. Requests of older
// revisions may name theirs, too. It ignores malformed parameters, which a server refuses.
func IsStateless(params json.RawMessage) bool {
	var p struct {
		Meta struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	}
	_ = json.Unmarshal(params, &p)
	return p.Meta.Version >= StatelessSince
}

// echoable returns an id, or nil for one that some programs do not return unchanged: many keep
// numbers as a float64.
func echoable(id json.RawMessage) json.RawMessage {
	switch TypeOf(id) {
	case "string":
		return id
	case "number":
		const exact = 1 << 53
		f, err := strconv.ParseFloat(string(id), 64)
		if err == nil && f == math.Trunc(f) && math.Abs(f) < exact {
			return id
		}
	}
	return nil
}
