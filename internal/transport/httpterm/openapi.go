package httpterm

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/httpio"
)

type object = map[string]any

// openAPI returns openapi.yaml: what the rows say, in OpenAPI 3.1.
func openAPI() object {
	paths := map[string]object{}
	add := func(path, method string, operation object) {
		if paths[path] == nil {
			paths[path] = object{}
		}
		method = strings.ToLower(method)
		if first, ok := paths[path][method].(object); ok {
			merge(first, operation)
			return
		}
		paths[path][method] = operation
	}
	for _, e := range extras {
		add(e.path, e.method, e.describe())
	}
	for _, r := range rows {
		add(r.path, r.method, r.describe())
	}
	return object{
		"openapi":  "3.1.0",
		"info":     object{"title": "wsh server", "version": "1", "description": "Terminal sessions over HTTP. With server=HOST in its query, any request is carried out by that server alone, on which names are plain; without, a session of another server is HOST/SESSION, with its slash escaped."},
		"security": []object{{"token": []string{}}, {}},
		"paths":    paths,
		"components": object{
			"schemas":         object{"Error": object{"type": "object", "required": []string{"error"}, "properties": object{"error": errcode.Schema}}},
			"responses":       object{"Error": answer("An error.", object{"$ref": "#/components/schemas/Error"})},
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer", "description": "the server's token, where it asks for one"}},
		},
	}
}

// An extra is a path that offers no operation of the table.
type extra struct {
	method, path string
	summary      string
	status       int
	content      string // media type of the answer, or ""
	schema       object
	query        []string
	open         bool // needs no token
}

var ticket = object{"type": "object", "required": []string{"ticket"}, "properties": object{"ticket": object{"type": "string"}}}

var extras = []extra{
	{method: "GET", path: "/health", summary: "Reports that the server runs.", status: http.StatusOK, content: "application/json", open: true,
		schema: object{"type": "object", "required": []string{"status"}, "properties": object{"status": object{"const": "ok"}}}},
	{method: "GET", path: "/openapi.yaml", summary: "Describes the requests, as OpenAPI.", status: http.StatusOK, content: "application/yaml"},
	{method: "GET", path: "/asyncapi.yaml", summary: "Describes the WebSockets, as AsyncAPI.", status: http.StatusOK, content: "application/yaml"},
	{method: "GET", path: "/docs", summary: "Returns the reference of operations and requests.", status: http.StatusOK, content: "text/markdown"},
	{method: "GET", path: "/", summary: "Returns the page of terminals.", status: http.StatusOK, content: "text/html", open: true},
	{method: "GET", path: "/s/{name}", summary: "Returns the same page, which opens that session.", status: http.StatusOK, content: "text/html", open: true},
	{method: "GET", path: "/ui", summary: "Returns the same page; its files are below.", status: http.StatusOK, content: "text/html", open: true},
	{method: "POST", path: "/auth/ws-ticket", summary: "Returns a ticket, with which a browser connects a WebSocket once within 30 seconds.",
		status: http.StatusOK, content: "application/json", schema: ticket},
	{method: "GET", path: "/ws/json", summary: "Upgrades to a WebSocket for all sessions.",
		status: http.StatusSwitchingProtocols, query: []string{"ticket"}},
	{method: "GET", path: "/sessions/{name}/ws/json", summary: "Upgrades to a WebSocket for one session.",
		status: http.StatusSwitchingProtocols, query: []string{"ticket"}},
	{method: "GET", path: "/sessions/{name}/ws/raw", summary: "Upgrades to a WebSocket with the program's output and input as bytes.",
		status: http.StatusSwitchingProtocols, query: []string{"ticket"}},
	{method: "GET", path: "/sessions/{name}/ws/attach", summary: "Upgrades to a WebSocket that attaches a person's terminal.",
		status: http.StatusSwitchingProtocols, query: []string{"ticket"}},
	{method: "GET", path: httpio.QuestionsPath, summary: "Upgrades to a WebSocket with the open questions, and the person's replies.",
		status: http.StatusSwitchingProtocols, query: []string{"ticket"}},
}

func (e extra) describe() object {
	success := object{"description": http.StatusText(e.status) + "."}
	if e.content != "" {
		schema := e.schema
		if schema == nil {
			schema = object{"type": "string"}
		}
		success["content"] = object{e.content: object{"schema": schema}}
	}
	o := object{"operationId": operationID(e.method, e.path), "summary": e.summary, "responses": object{
		strconv.Itoa(e.status): success, "default": object{"$ref": "#/components/responses/Error"},
	}}
	var params []object
	if strings.Contains(e.path, "{name}") {
		params = append(params, object{"name": "name", "in": "path", "required": true, "description": "name of the session", "schema": object{"type": "string"}})
	}
	for _, name := range e.query {
		params = append(params, object{"name": name, "in": "query", "schema": object{"type": "string"}})
	}
	if params != nil {
		o["parameters"] = params
	}
	if e.open {
		o["security"] = []object{}
	}
	return o
}

// describe returns the row as an operation of OpenAPI.
func (r row) describe() object {
	in := r.op.In()
	o := object{"operationId": operationID(r.method, r.path), "summary": r.op.Doc, "x-operation": r.op.Name}
	var params []object
	for _, name := range r.pathNames() {
		field := pathFields[name]
		params = append(params, object{"name": name, "in": "path", "required": true, "description": in.Properties[field].Description, "schema": object{"type": "string"}})
		delete(in.Properties, field)
	}
	for _, p := range r.params() {
		schema := in.Properties[p.member]
		delete(in.Properties, p.member)
		param := object{"name": p.name, "in": "query", "schema": schema}
		if schema.Items != nil {
			param["explode"] = false // a list is one parameter, with commas
		}
		if r.requires(p) {
			param["required"] = true
		}
		params = append(params, param)
	}
	if params != nil {
		o["parameters"] = params
	}
	in.Required = slices.DeleteFunc(append(in.Required, r.needs...), func(n string) bool { return in.Properties[n] == nil })
	in.PropertyOrder = nil
	switch r.body {
	case rawBody:
		o["requestBody"] = object{"required": true, "content": object{"*/*": object{"schema": object{"description": in.Properties["data"].Description}}}}
	case jsonBody:
		o["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": in}}}
	}
	success := object{"description": "Done."}
	if r.status() != http.StatusNoContent {
		success = answer("The answer.", withLists(r.op.Out()))
	}
	if r.download != "" {
		success = object{"description": "The file.", "content": object{r.download: object{}}}
	}
	responses := object{strconv.Itoa(r.status()): success}
	codes := r.failures()
	for _, status := range slices.Sorted(maps.Keys(codes)) {
		var list []string
		for _, f := range codes[status] {
			list = append(list, f.code+": "+f.when)
		}
		responses[strconv.Itoa(status)] = object{"description": strings.Join(list, "; "), "content": object{
			"application/json": object{"schema": object{"$ref": "#/components/schemas/Error"}},
		}}
	}
	responses["default"] = object{"$ref": "#/components/responses/Error"}
	o["responses"] = responses
	return o
}

// requires reports whether HTTP clients must give a parameter.
func (r row) requires(p param) bool {
	return slices.Contains(append(r.op.In().Required, r.needs...), p.member)
}

// pathNames returns the names in the row's path, in order.
func (r row) pathNames() []string {
	var list []string
	for part := range strings.SplitSeq(r.path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			list = append(list, strings.TrimSuffix(name, "}"))
		}
	}
	return list
}

// A failure is a way in which a request can fail.
type failure struct{ code, when string }

// failures returns the ways in which the row's operation can fail, by status.
func (r row) failures() map[int][]failure {
	list := map[int][]failure{}
	for _, f := range r.op.Failures() {
		status, code := r.codeOf(fault.With(f.Detail, fault.New(f.Kind, "x")))
		list[status] = append(list[status], failure{code, f.When})
	}
	return list
}

// operationID names a request.
func operationID(method, path string) string {
	id := strings.NewReplacer("sessions/{name}", "session", "/{", "_", "}", "", "/", "_", ".", "_", "-", "_").Replace(path)
	return strings.ToLower(method) + strings.TrimSuffix(id, "_")
}

// merge adds a row to the one that has the same path, and from which it takes some formats.
func merge(first, other object) {
	params := first["parameters"].([]object)
	for _, p := range other["parameters"].([]object) {
		i := slices.IndexFunc(params, func(x object) bool { return x["name"] == p["name"] })
		switch {
		case i < 0:
			params = append(params, p)
		case p["name"] == "format":
			params[i]["schema"].(*jsonschema.Schema).Description += "; " + p["schema"].(*jsonschema.Schema).Description
		}
	}
	first["parameters"] = params
	first["summary"] = first["summary"].(string) + " In the other formats: " + other["summary"].(string)
	content := first["responses"].(object)["200"].(object)["content"].(object)
	for _, kind := range []string{"text/html", "image/svg+xml", "image/png"} {
		content[kind] = object{}
	}
}

// withLists declares that the lists of an answer are never null.
func withLists(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	if slices.Equal(s.Types, []string{"null", "array"}) {
		s.Type, s.Types = "array", nil
	}
	withLists(s.Items)
	for _, p := range s.Properties {
		withLists(p)
	}
	return s
}

func answer(description string, schema any) object {
	return object{"description": description, "content": object{"application/json": object{"schema": schema}}}
}
