package mcpbridge

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"ui-mcp/internal/transport/jsonrpc"
)

// statelessSince is the first revision of MCP without a handshake and sessions. Its requests name
// their version.
const statelessSince = "2026-07-28"

// Names of headers.
const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
	methodHeader  = "Mcp-Method"
	nameHeader    = "Mcp-Name"
)

// params are what the bridge reads of a message's parameters.
type params struct {
	Name      string          `json:"name"`
	URI       string          `json:"uri"`
	RequestID json.RawMessage `json:"requestId"`
	Meta      struct {
		Version string `json:"io.modelcontextprotocol/protocolVersion"`
	} `json:"_meta"`
}

// parseParams reads what it can: the server refuses malformed parameters.
func parseParams(raw json.RawMessage) (p params) {
	_ = json.Unmarshal(raw, &p)
	return p
}

func (p *params) isStateless() bool { return p.Meta.Version >= statelessSince }

// setHeaders repeats parts of a stateless request, as that era wants it.
func (p *params) setHeaders(h http.Header, method string) {
	h.Set(versionHeader, p.Meta.Version)
	h.Set(methodHeader, encodeHeader(method))
	switch method {
	case "tools/call", "prompts/get":
		h.Set(nameHeader, encodeHeader(p.Name))
	case "resources/read":
		h.Set(nameHeader, encodeHeader(p.URI))
	}
}

// encodeHeader returns a text as the value of a header, in base64 if it could not be one as it is.
func encodeHeader(text string) string {
	const begin, end = "=?base64?", "?="
	plain := strings.TrimSpace(text) == text && !strings.HasPrefix(text, begin)
	for i := range len(text) {
		plain = plain && text[i] >= ' ' && text[i] <= '~'
	}
	if plain {
		return text
	}
	return begin + base64.StdEncoding.EncodeToString([]byte(text)) + end
}

// isHandshake reports whether a call starts a session.
func isHandshake(c *call) bool { return c.method == "initialize" && !c.stateless }

// keyOf returns an id in a form in which equal ids are equal, however they are written.
func keyOf(id json.RawMessage) string {
	if jsonrpc.TypeOf(id) == "string" {
		var text string
		if json.Unmarshal(id, &text) == nil {
			return "s" + text
		}
	}
	if n, err := strconv.ParseFloat(string(id), 64); err == nil {
		return "n" + strconv.FormatFloat(n, 'g', -1, 64)
	}
	return string(id)
}
