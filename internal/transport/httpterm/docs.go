package httpterm

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"ui-mcp/internal/transport/errcode"
)

// reference returns the reference of the requests, as Markdown.
var reference = sync.OnceValue(func() []byte { return []byte(writeReference()) })

const preface = `# wsh server: requests

Generated from the table of routes; docs/terminal.md explains sessions, silence and commands. The
same as OpenAPI is at /openapi.yaml.

A body is JSON and declared so (Content-Type: application/json), except that of .../input. Members
and parameters that are unknown are ignored. Rows, columns and lines count from 0, times are in
milliseconds. Where the server asks for a token, send "Authorization: Bearer TOKEN".

A session of another server that this one knows is HOST/SESSION; in a path, HOST%2FSESSION. With
server=HOST in the query, any request is carried out by that server alone, and the names in it and
in its answer are those that the server itself uses; so with "server" in the body of POST /sessions.

Every error is {"error": {"code", "message"}}: clients act on the code, and people read the message.
Beside the errors listed below, any request can be answered with these:

| status | code | when |
|---|---|---|
`

// A meaning is what a code of an answer with a status means.
type meaning struct {
	status     int
	code, when string
}

// common are failures of most requests, which are described once.
var common = []meaning{
	{http.StatusBadRequest, errcode.InvalidRequest, "a value is out of range or malformed"},
	{http.StatusNotFound, errcode.SessionNotFound, "there is no such session"},
}

func writeReference() string {
	var b strings.Builder
	b.WriteString(preface)
	for _, m := range errcode.Meanings {
		if m.Any {
			fmt.Fprintf(&b, "| %d | %s | %s |\n", m.Status, m.Code, m.When)
		}
	}
	for _, f := range common {
		fmt.Fprintf(&b, "| %d | %s | %s |\n", f.status, f.code, f.when)
	}
	b.WriteString("\n")
	for _, e := range extras {
		answer := fmt.Sprintf(" The answer has the status %d", e.status)
		if e.content != "" {
			answer += " and is " + e.content
		}
		fmt.Fprintf(&b, "## %s %s\n\n%s\n\n", e.method, e.path, wrap(e.summary+answer+"."))
	}
	answers := map[string]string{}
	for _, r := range rows {
		r.document(&b, answers)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// document writes the row's section. answers has the requests by the answers that were described.
func (r row) document(b *strings.Builder, answers map[string]string) {
	path := r.path
	if r.formats != nil {
		path += "?format=" + strings.Join(r.formats, "|")
	}
	fmt.Fprintf(b, "## %s %s\n\n%s\n\n", r.method, path, wrap(r.op.Doc))
	in := r.op.In()
	var table strings.Builder
	line := func(name, where string, required bool, s *jsonschema.Schema) {
		if required {
			where += ", required"
		}
		fmt.Fprintf(&table, "| %s | %s | %s | %s |\n", name, where, kindOf(s), about(s))
	}
	for _, name := range r.pathNames() {
		delete(in.Properties, pathFields[name])
	}
	for _, p := range r.query {
		line(p.name, "query", p.required != "", in.Properties[p.in()])
		delete(in.Properties, p.in())
	}
	switch r.body {
	case jsonBody:
		for _, name := range in.PropertyOrder {
			if s := in.Properties[name]; s != nil {
				line(name, "body", slices.Contains(in.Required, name) || slices.Contains(r.needs, name), s)
			}
		}
	case rawBody:
		b.WriteString("The body is the bytes to type, unchanged and of any type.\n\n")
	}
	if table.Len() > 0 {
		b.WriteString("| parameter | in | type | |\n|---|---|---|---|\n" + table.String() + "\n")
	}
	r.documentAnswer(b, answers)
	codes := r.failures()
	var errors strings.Builder
	for _, status := range slices.Sorted(maps.Keys(codes)) {
		for _, f := range codes[status] {
			if f.code != errcode.NotAllowed && !slices.Contains(common, meaning{status, f.code, f.when}) { // any request can fail with those
				fmt.Fprintf(&errors, "| %d | %s | %s |\n", status, f.code, f.when)
			}
		}
	}
	if errors.Len() > 0 {
		b.WriteString("| error | code | when |\n|---|---|---|\n" + errors.String() + "\n")
	}
}

func (r row) documentAnswer(b *strings.Builder, answers map[string]string) {
	if r.download != "" {
		fmt.Fprintf(b, "The answer has the status %d and is a file, %s.\n\n", r.status, r.download)
		return
	}
	out := r.op.Out()
	if r.status == http.StatusNoContent || out == nil {
		fmt.Fprintf(b, "The answer has the status %d and no body.\n\n", r.status)
		return
	}
	if _, answer := r.op.New(); isFile(answer) {
		fmt.Fprintf(b, "The answer has the status %d, and is the file itself.\n\n", r.status)
		return
	}
	title := "answer"
	if out.Items != nil {
		out, title = out.Items, "item of the list"
	}
	if len(out.Properties) == 0 {
		fmt.Fprintf(b, "The answer has the status %d.\n\n", r.status)
		if out.Description != "" {
			fmt.Fprintf(b, "%s\n\n", wrap("The "+title+": "+out.Description+"."))
		}
		return
	}
	var members strings.Builder
	for _, name := range out.PropertyOrder {
		fmt.Fprintf(&members, "| %s | %s | %s |\n", name, kindOf(out.Properties[name]), about(out.Properties[name]))
	}
	if before := answers[members.String()]; before != "" {
		whose := "It has"
		if r.op.Out().Items != nil {
			whose = "Its items have"
		}
		b.WriteString(wrap(fmt.Sprintf("The answer has the status %d. %s the members that %s answers.", r.status, whose, before)) + "\n\n")
		return
	}
	answers[members.String()] = r.method + " " + r.path
	fmt.Fprintf(b, "The answer has the status %d.\n\n| %s | type | |\n|---|---|---|\n%s\n", r.status, title, members.String())
}

// kindOf returns the type of a value in words.
func kindOf(s *jsonschema.Schema) string {
	kind := schemaType(s.Type, s.Types)
	if kind == "array" && s.Items != nil {
		return "list of " + kindOf(s.Items)
	}
	if kind == "" {
		return "any"
	}
	return kind
}

// about returns the description of a value.
func about(s *jsonschema.Schema) string {
	list := []string{}
	if s.Description != "" {
		list = append(list, s.Description)
	}
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		list = append(list, fmt.Sprintf("%.0f to %.0f", *s.Minimum, *s.Maximum))
	case s.MaxItems != nil:
		list = append(list, fmt.Sprintf("at most %d", *s.MaxItems))
	}
	if s.Default != nil {
		list = append(list, fmt.Sprintf("default %s", s.Default))
	}
	return strings.ReplaceAll(strings.Join(list, "; "), "|", "\\|")
}

// wrap breaks a text at 100 columns.
func wrap(text string) string {
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		if column > 0 && column+1+len(word) > 100 {
			b.WriteByte('\n')
			column = 0
		} else if column > 0 {
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}
