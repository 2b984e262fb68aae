package httpterm

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/errcode"
)

var update = flag.Bool("update", false, "rewrite docs/api.md")

// docs/api.md describes the operations and the rows.
func TestReference(t *testing.T) {
	got := written()
	if *update {
		if err := os.WriteFile("../../../docs/api.md", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(string(reference()), got); d != "" {
		t.Errorf("docs/api.md is not the table; \"go test ./internal/transport/httpterm -update\" writes it (-file +table):\n%s", d)
	}
}

const preface = `# Operations on terminals

Generated from the tables of operations and of requests by their tests; [terminal.md](terminal.md)
says what sessions, silence and commands are. Every interface offers these operations or some of
them. WebSockets and the scripts of apps call them by name; older names are for clients that know
those, with the parameters that differ in brackets. Rows, columns and lines count from 0, times are
in milliseconds. Members and parameters that are unknown are ignored.

Each operation needs a right: *read* sees sessions and their screens, *type* sends input, resizes
and runs commands, *draw* changes overlays, panels, capture and focus, *manage* creates, changes and
removes sessions and detaches clients, *administer* governs the server and issues tokens, *answer*
sees the questions to the person and replies as that person. Rights can be limited to some sessions;
the others do not exist for the caller. [security.md](security.md) says how callers get rights.

## Requests

Over HTTP, '{name}' in a path is the session. A body is JSON and declared so ('Content-Type:
application/json'), except that of '…/input'. Where the server asks for a token, send
'Authorization: Bearer TOKEN'. 'GET /docs' serves this page, 'GET /openapi.yaml' the same for
programs.

A session of another server that this one knows is 'HOST/SESSION', wherever a session is named, also
in answers; in a path, 'HOST%2FSESSION'. With 'server=HOST' in the query, any request is carried out
by that server alone, and the names in it and in its answer are those that the server itself uses;
so with 'server' in the body of 'POST /sessions'.

Every error is '{"error": {"code", "message"}}': clients act on the code, and people read the
message. WebSockets have the same codes. Beside the errors listed with an operation, anything can be
answered with these:

`

func written() string {
	var b strings.Builder
	b.WriteString(strings.ReplaceAll(preface, "'", "`"))
	table(&b, "status | code | when", func(row func(...any)) {
		for _, m := range errcode.Meanings {
			row(m.Status, code(m.Code), m.When)
		}
		for _, f := range common {
			row(f.status, code(f.code), f.when)
		}
	})
	table(&b, "other requests | |", func(row func(...any)) {
		for _, e := range extras {
			row(code(e.method+" "+e.path), fmt.Sprintf("%d %s", e.status, e.content), e.summary)
		}
	})
	seen := map[string]string{} // answers, and the first operation that has them
	for _, o := range terminals.All() {
		b.WriteString("## " + o.Name + "\n\n" + wrap(o.Doc) + "\n\n")
		about := fmt.Sprintf("A %s; needs the right to %s.", o.Kind, strings.ReplaceAll(o.Right.String(), ", ", " and "))
		if older := o.Older(); older != "" {
			about += " " + older + "."
		}
		b.WriteString(wrap(about) + "\n\n")
		all := []row{{op: o}}
		for _, r := range rows {
			if r.op == o {
				b.WriteString(wrap(r.sentence()) + "\n\n")
				all = append(all, r)
			}
		}
		b.WriteString(members("input", o.In()))
		if out := o.Out(); out != nil && o.Kind != terminals.Streaming {
			b.WriteString(answerOf(o, out, seen))
		}
		table(&b, "error | code | when", func(row func(...any)) {
			for _, m := range meanings(all) {
				if o.Kind == terminals.Streaming {
					row("", code(m.code), m.when)
				} else {
					row(m.status, code(m.code), m.when)
				}
			}
		})
	}
	b.WriteString("## Events\n\n" + wrap("To those who watch a session, by its events or all; "+
		"`lagged` and its like have `type`, the others `event` and `seq`, the epoch of the screen.") + "\n\n")
	table(&b, "subscribe to | event |", func(row func(...any)) {
		for _, e := range wire.EventTypes {
			topic := e.Topic
			if topic != "" {
				topic = code(topic)
			}
			row(topic, code(e.Name), e.Doc+membersOf(terminals.SchemaOf(e.Type)))
		}
	})
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// membersOf lists what an event has of its own.
func membersOf(s *jsonschema.Schema) string {
	var list []string
	for _, name := range s.PropertyOrder {
		if name == "event" || name == "seq" || name == "type" {
			continue
		}
		member := code(name)
		if text := about(s.Properties[name]); text != "" {
			member += " (" + text + ")"
		}
		list = append(list, member)
	}
	if list == nil {
		return ""
	}
	return " Has " + strings.Join(list, ", ") + "."
}

// A meaning is what a code of an answer with a status means.
type meaning struct {
	status     int
	code, when string
}

// common are failures of most operations, which are described once.
var common = []meaning{
	{400, errcode.InvalidRequest, "a value is out of range or malformed"},
	{404, errcode.SessionNotFound, "there is no such session"},
}

// meanings returns the ways in which requests for one operation can fail, by status, without those
// that are common.
func meanings(rows []row) (list []meaning) {
	for _, r := range rows {
		failures := r.failures()
		for _, status := range slices.Sorted(maps.Keys(failures)) {
			for _, f := range failures[status] {
				if m := (meaning{status, f.code, f.when}); f.code != errcode.NotAllowed && !slices.Contains(append(list, common...), m) {
					list = append(list, m)
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b meaning) int { return a.status - b.status })
	return list
}

// sentence says how the row is requested and answered.
func (r row) sentence() string {
	text := code(r.method + " " + r.path)
	if r.formats != nil {
		text = code(r.method + " " + r.path + "?format=" + strings.Join(r.formats, "|"))
	}
	var with []string
	for _, p := range r.params() {
		name := code(p.name)
		if p.member != p.name {
			name += " (" + code(p.member) + ")"
		}
		if r.requires(p) && r.formats == nil { // which are the way to the row
			name += " (required)"
		}
		with = append(with, name)
	}
	if with != nil {
		text += ", with " + strings.Join(with, ", ") + " in the query,"
	}
	switch r.body {
	case jsonBody:
		text += " with JSON as its body"
		for _, name := range r.needs {
			text += ", where " + code(name) + " is required,"
		}
	case rawBody:
		text += " with the bytes to type as its body, of any type,"
	}
	text += fmt.Sprintf(" answers with %d", r.status())
	_, out := r.op.New()
	if _, isFile := out.(*terminals.Image); r.download != "" || isFile {
		text += strings.TrimRight(" and a file, "+r.download, ", ")
	}
	if r.lateCode != "" {
		text += ", and has the error " + code(r.lateCode)
	}
	return text + "."
}

func code(s string) string { return "`" + s + "`" }

// table writes a table, unless fill adds no row.
func table(b *strings.Builder, header string, fill func(row func(cells ...any))) {
	head := "| " + header + " |\n|" + strings.Repeat("---|", strings.Count(header, "|")+1) + "\n"
	fill(func(cells ...any) {
		b.WriteString(head + "|")
		head = ""
		for _, c := range cells {
			fmt.Fprintf(b, " %v |", c)
		}
		b.WriteByte('\n')
	})
	if head == "" {
		b.WriteByte('\n')
	}
}

func answerOf(o *terminals.Operation, out *jsonschema.Schema, seen map[string]string) string {
	text, whose := "", "The answer has"
	if out.Items != nil {
		text, whose, out = "The answer is a list.\n\n", "Its items have", out.Items
	}
	answer := members("answer", out)
	if answer == "" {
		return text + fmt.Sprintf("The answer: %s.\n\n", out.Description)
	}
	if first, ok := seen[answer]; ok {
		return text + fmt.Sprintf("%s the members that `%s` answers.\n\n", whose, first)
	}
	seen[answer] = o.Name
	return text + answer
}

// members is a table of an object's members, required ones first.
func members(title string, s *jsonschema.Schema) string {
	isInput := title == "input"
	names := slices.SortedFunc(maps.Keys(s.Properties), func(x, y string) int {
		if a, b := slices.Contains(s.Required, x), slices.Contains(s.Required, y); isInput && a != b {
			if a {
				return -1
			}
			return 1
		}
		return slices.Index(s.PropertyOrder, x) - slices.Index(s.PropertyOrder, y)
	})
	var b strings.Builder
	table(&b, title+" | type |", func(row func(...any)) {
		for _, name := range names {
			p, mark := s.Properties[name], ""
			if isInput && slices.Contains(s.Required, name) {
				mark = " (required)"
			}
			row(code(name)+mark, typeOf(p), about(p))
		}
	})
	return b.String()
}

// typeOf returns the type of a value in words.
func typeOf(s *jsonschema.Schema) string {
	kind := terminals.SchemaType(s)
	if kind == "array" && s.Items != nil {
		return "list of " + typeOf(s.Items)
	}
	if kind == "" {
		return "any"
	}
	return kind
}

// about returns the description of a value.
func about(s *jsonschema.Schema) string {
	var list []string
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
		list = append(list, fmt.Sprintf("default `%s`", s.Default))
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
