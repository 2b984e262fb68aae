package httpterm_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/httpterm"
)

var update = flag.Bool("update", false, "rewrite openapi.json")

// openapi.json is what the rows say, in OpenAPI 3.1.
func TestOpenAPI(t *testing.T) {
	const file = "openapi.json"
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(openAPI()); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("openapi.json is not what is served; \"go test ./internal/transport/httpterm -update\" writes it (-file +rows):\n%s", d)
	}
}

type object = map[string]any

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
	add("/health", "GET", object{
		"operationId": "health", "summary": "Reports that the server runs.",
		"responses": object{"200": answer("The server runs.", object{"type": "object", "properties": object{"status": object{"const": "ok"}}})},
	})
	add("/auth/ws-ticket", "POST", object{ // which package access serves
		"operationId": "post_auth_ws_ticket",
		"summary":     "Issues a ticket that opens one WebSocket within 30 seconds, as ?ticket=, with the caller's rights.",
		"responses": object{
			"200":     answer("The ticket.", object{"type": "object", "required": []string{"ticket"}, "properties": object{"ticket": object{"type": "string", "pattern": "^[0-9A-Za-z]{32}$"}}}),
			"default": object{"$ref": "#/components/responses/Error"},
		},
	})
	for _, row := range httpterm.Rows() {
		add(row.Path(), row.Method(), operationOf(row))
	}
	failure := object{"type": "object", "required": []string{"code", "message"}, "properties": object{
		"code":    object{"type": "string", "description": "what clients act on"},
		"message": object{"type": "string", "description": "for people"},
	}}
	return object{
		"openapi": "3.1.0",
		"info":    object{"title": "wsh server", "version": "1", "description": "Terminal sessions over HTTP."},
		"paths":   paths,
		// Programs of the same user need no token unless the server was given one.
		"security": []object{{}, {"token": []string{}}},
		"components": object{
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer"}},
			"schemas":         object{"Error": object{"type": "object", "required": []string{"error"}, "properties": object{"error": failure}}},
			"responses":       object{"Error": answer("An error.", object{"$ref": "#/components/schemas/Error"})},
		},
	}
}

func operationOf(row httpterm.Row) object {
	op := row.Op()
	in := op.In()
	o := object{"operationId": row.ID(), "summary": op.Doc, "x-operation": op.Name}
	var params []object
	for _, p := range row.PathParams() {
		params = append(params, object{"name": p.Name, "in": "path", "required": true, "description": in.Properties[p.Field].Description, "schema": object{"type": "string"}})
		delete(in.Properties, p.Field)
	}
	for _, p := range row.Query() {
		schema := in.Properties[p.Field]
		delete(in.Properties, p.Field)
		param := object{"name": p.Name, "in": "query", "schema": schema}
		if schema.Items != nil {
			param["explode"] = false // a list is one parameter, with commas
		}
		if p.Required {
			param["required"] = true
		}
		params = append(params, param)
	}
	if params != nil {
		o["parameters"] = params
	}
	in.Required = slices.DeleteFunc(append(in.Required, row.Needs()...), func(n string) bool { return in.Properties[n] == nil })
	in.PropertyOrder = nil
	switch {
	case row.TakesBytes():
		o["requestBody"] = object{"required": true, "content": object{"*/*": object{"schema": object{"description": in.Properties["data"].Description}}}}
	case row.TakesJSON():
		o["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": in}}}
	}
	success := object{"description": "Done."}
	if row.Status() != http.StatusNoContent {
		success = answer("The answer.", op.Out())
	}
	responses := object{strconv.Itoa(row.Status()): success}
	codes := map[int][]string{}
	for _, f := range op.Failures() {
		status, code := row.Outcome(fault.With(f.Detail, fault.New(f.Kind, "x")))
		codes[status] = append(codes[status], code+": "+f.When)
	}
	for _, status := range slices.Sorted(maps.Keys(codes)) {
		responses[strconv.Itoa(status)] = object{"description": strings.Join(codes[status], "; "), "content": object{
			"application/json": object{"schema": object{"$ref": "#/components/schemas/Error"}},
		}}
	}
	responses["default"] = object{"$ref": "#/components/responses/Error"}
	o["responses"] = responses
	return o
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

func answer(description string, schema any) object {
	return object{"description": description, "content": object{"application/json": object{"schema": schema}}}
}
