package mcpserver

import (
	"context"
	"encoding/json"
	"net/http"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/jsonrpc"
)

type apiAnswer struct {
	Result  json.RawMessage `json:"result"`
	Notes   []string        `json:"notes,omitempty"`
	IsError bool            `json:"isError,omitempty"`
}

// api serves tools to scripts that do not speak MCP: POST /api/TOOL with the arguments as a JSON
// object, or GET for a tool that changes nothing and needs none.
//
//	{"result": value}                    the result: JSON if it is JSON, else text
//	{"result": value, "notes": [text]}   with the further texts of the result
//	{"result": text, "isError": true}    what was tried has failed; the status is 200
//	{"error": text}                      the request is wrong (4xx), or the server has failed (500)
func (h *HTTP) api(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("tool")
	tool, ok := h.server.tools[name]
	if !ok {
		httpio.WriteError(w, http.StatusNotFound, "there is no tool "+name)
		return
	}
	allowed := http.MethodPost
	if tool.readOnly {
		allowed = "GET, POST"
	}
	var arguments []byte
	switch {
	case r.Method == http.MethodPost:
		body, problem := httpio.ReadJSON(w, r, h.MaxBody)
		if problem == nil && len(body) > 0 && !json.Valid(body) {
			problem = &httpio.BodyError{Status: http.StatusBadRequest, Text: "the body is not JSON"}
		}
		if problem != nil {
			httpio.WriteError(w, problem.Status, problem.Text)
			return
		}
		arguments = body
	case r.Method == http.MethodGet && tool.readOnly:
	default:
		w.Header().Set("Allow", allowed)
		httpio.WriteError(w, http.StatusMethodNotAllowed, r.URL.Path+" understands "+allowed+" only")
		return
	}
	h.answer(w, r, name, tool, arguments)
}

func (h *HTTP) answer(w http.ResponseWriter, r *http.Request, name string, tool tool, arguments []byte) {
	res, badInput, err := h.call(r.Context(), name, tool, arguments)
	switch {
	case err == nil:
		httpio.WriteJSON(w, http.StatusOK, apiAnswer{Result: res.value(), Notes: res.notes, IsError: res.failed})
	case badInput || fault.KindOf(err) == fault.Internal:
		httpio.WriteError(w, httpio.Status(err), err.Error())
	default:
		httpio.WriteJSON(w, http.StatusOK, apiAnswer{Result: jsonrpc.MustMarshal(err.Error()), IsError: true})
	}
}

// call runs a tool in its turn. A panic becomes an error.
func (h *HTTP) call(ctx context.Context, name string, tool tool, arguments []byte) (res Result, badInput bool, err error) {
	ctx, cancel := h.answers.Bound(ctx)
	defer cancel()
	if t := h.server.turnOfTool(name, arguments); t.scope != unordered {
		h.server.turns.take(t)
		defer t.end()
		if err := t.wait(ctx); err != nil {
			return Result{}, false, err
		}
	}
	defer catch(ctx, h.Log, name, &err)
	return tool.call(ctx, arguments)
}

// value returns the text of a result, as it is if it is JSON, else as a JSON string.
func (r Result) value() json.RawMessage {
	if json.Valid([]byte(r.text)) {
		return json.RawMessage(r.text)
	}
	return jsonrpc.MustMarshal(r.text)
}
