package settings

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"ui-mcp/internal/fault"
)

// A jsonDocument is a JSON file. Positions in the tree are positions in the text.
type jsonDocument struct {
	text []byte
	root hujson.Value // an empty file has {}
}

// maxBrackets bounds how deep values may be nested: the parser uses the stack.
const maxBrackets = 1 << 17

func parseJSON(text []byte) (document, error) {
	d := &jsonDocument{text: text}
	if len(bytes.Trim(text, blanks)) == 0 {
		text = []byte("{}" + lineEnd(text))
	}
	if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > maxBrackets {
		return nil, fmt.Errorf("it has more than %d objects and lists", maxBrackets)
	}
	root, err := hujson.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("it is not valid JSON: %s", strings.TrimPrefix(err.Error(), "hujson: "))
	}
	if _, isObject := root.Value.(*hujson.Object); !isObject {
		return nil, errors.New("it is not a JSON object")
	}
	d.root = root
	return d, nil
}

type object struct {
	*hujson.Object
	start int // of the text with its braces
}

// member returns the index of a member, or -1. Which of two members of one name counts depends on
// the reader, so neither is changed.
func (o object) member(name string) (int, error) {
	found := -1
	for i, m := range o.Members {
		if m.Name.Value.(hujson.Literal).String() == name {
			if found >= 0 {
				return 0, fmt.Errorf("%w: it has %q twice", ErrByHand, name)
			}
			found = i
		}
	}
	return found, nil
}

func (o object) objectIn(i int) (object, error) {
	m := o.Members[i]
	child, ok := m.Value.Value.(*hujson.Object)
	if !ok {
		return object{}, fmt.Errorf("%w: %s is not an object", ErrByHand, m.Name.Value.(hujson.Literal))
	}
	return object{child, m.Value.StartOffset}, nil
}

// top returns the root.
func (d *jsonDocument) top() object {
	return object{d.root.Value.(*hujson.Object), d.root.StartOffset}
}

// find returns the table of a path, and the index of the entry in it; the object is nil where there
// is no table, and the index -1 where there is no entry.
func (d *jsonDocument) find(path [2]string) (table object, entry int, err error) {
	top := d.top()
	i, err := top.member(path[0])
	if i < 0 || err != nil {
		return object{}, -1, err
	}
	if table, err = top.objectIn(i); err != nil {
		return object{}, -1, err
	}
	entry, err = table.member(path[1])
	return table, entry, err
}

func (d *jsonDocument) decode() (all map[string]any, err error) {
	v := d.root.Clone()
	v.Standardize()
	return all, json.Unmarshal(v.Pack(), &all)
}

func (d *jsonDocument) get(path [2]string) (map[string]any, error) {
	if _, i, err := d.find(path); i < 0 || err != nil {
		return nil, err
	}
	all, err := d.decode()
	if err != nil {
		return nil, err
	}
	return entryIn(all, path)
}

func (d *jsonDocument) add(path [2]string, e Entry) ([]byte, error) {
	table, i, err := d.find(path)
	switch {
	case err != nil:
		return nil, err
	case i >= 0:
		return nil, fmt.Errorf("%w: there is %q already", ErrByHand, path[1])
	case table.Object == nil:
		indent := d.indentIn(d.top())
		return d.insert(d.top(), path[0], d.object(indent, []string{member(path[1], d.entry(e, indent+d.unit()))})), nil
	}
	return d.insert(table, path[1], d.entry(e, d.indentIn(table))), nil
}

func (d *jsonDocument) indentIn(o object) string { return indentOf(d.text, o.start) + d.unit() }

// insert adds a member at the end of an object, on a line of its own, behind comments.
func (d *jsonDocument) insert(o object, name, value string) []byte {
	comments := bytes.TrimRight(o.AfterExtra, blanks)
	rest := o.AfterExtra[len(comments):]
	eol := lineEnd(d.text)
	added := hujson.Value{BeforeExtra: hujson.Extra(" "), Value: fault.Must(hujson.Parse([]byte(value))).Value} // we have written it
	if o.hasComma() {
		added.AfterExtra = hujson.Extra{}
	}
	if len(o.Members) == 0 && (len(comments) == 0 || bytes.IndexByte(rest, '\n') < 0) {
		rest = hujson.Extra(eol + indentOf(d.text, o.start))
	}
	o.AfterExtra = rest
	before := slices.Concat(comments, []byte(eol+d.indentIn(o)))
	o.Members = append(o.Members, hujson.ObjectMember{Name: hujson.Value{BeforeExtra: before, Value: hujson.String(name)}, Value: added})
	return d.root.Pack()
}

// hasComma reports whether a comma comes after the last member.
func (o object) hasComma() bool {
	n := len(o.Members)
	return n > 0 && o.Members[n-1].Value.AfterExtra != nil // as the parser says it
}

func (d *jsonDocument) remove(path [2]string) ([]byte, error) {
	table, i, err := d.find(path)
	if i < 0 || err != nil {
		return d.text, err
	}
	return d.cut(table, i), nil
}

// cut removes a member, as the inverse of insert. Comments stay.
func (d *jsonDocument) cut(o object, i int) (text []byte) {
	removed, hadComma := o.Members[i], o.hasComma()
	o.Members = slices.Delete(o.Members, i, i+1)
	at, lead := &o.AfterExtra, hujson.Extra(nil) // where its comments go, and what is before them
	if i < len(o.Members) {
		at = &o.Members[i].Name.BeforeExtra
	} else if i > 0 && hadComma {
		o.Members[i-1].Value.AfterExtra = append(hujson.Extra{}, o.Members[i-1].Value.AfterExtra...)
	} else if i > 0 {
		lead, o.Members[i-1].Value.AfterExtra = o.Members[i-1].Value.AfterExtra, nil
	}
	follows, before := slices.Concat(removed.Value.AfterExtra, *at), removed.Name.BeforeExtra
	for _, kept := range []hujson.Extra{bytes.TrimRight(before, blanks), before} { // the whitespace may end a comment
		*at = slices.Concat(lead, kept, follows)
		if len(o.Members) == 0 && len(bytes.Trim(*at, blanks)) == 0 {
			*at = nil
		}
		text = d.root.Pack()
		if _, err := parseJSON(text); err == nil {
			break
		}
	}
	return text
}

func (d *jsonDocument) removeTable(name string) ([]byte, error) {
	i, err := d.top().member(name)
	if i < 0 || err != nil {
		return d.text, err
	}
	table, err := d.top().objectIn(i)
	if err != nil || len(table.Members) > 0 || len(table.AfterExtra) > 0 {
		return d.text, err
	}
	return d.cut(d.top(), i), nil
}

func (d *jsonDocument) setCommand(path [2]string, program string) ([]byte, error) {
	if _, _, err := d.find(path); err != nil {
		return nil, err
	}
	pointer := "/" + path[0] + "/" + path[1] + "/command" // no name of ours has a slash
	v := cmp.Or(d.root.Find(pointer+"/0"), d.root.Find(pointer))
	if v == nil || v.Value.Kind() != '"' {
		return nil, fmt.Errorf("%w: %q has no command that is a text", ErrByHand, path[1])
	}
	return apply(d.text, splice{v.StartOffset, v.EndOffset, quoteJSON(program)}), nil
}

// unit returns by how much the file indents, which its first member says.
func (d *jsonDocument) unit() string {
	for _, m := range d.top().Members[:min(1, len(d.top().Members))] {
		before := string(m.Name.BeforeExtra)
		if newline := strings.LastIndexByte(before, '\n'); newline >= 0 && newline+1 < len(before) && strings.Trim(before[newline+1:], " \t") == "" {
			return before[newline+1:]
		}
	}
	return "  "
}

// member writes a member, without indentation.
func member(name, value string) string { return quoteJSON(name) + ": " + value }

// object writes an object whose closing brace has an indentation.
func (d *jsonDocument) object(indent string, members []string) string {
	eol := lineEnd(d.text)
	inner := eol + indent + d.unit()
	return "{" + inner + strings.Join(members, ","+inner) + eol + indent + "}"
}

// entry writes an entry. Lists are on one line.
func (d *jsonDocument) entry(e Entry, indent string) string {
	if len(e) == 1 && e[0].Key == "" {
		return listOrValue(e[0].Value, quoteJSON)
	}
	var members []string
	for _, f := range e {
		members = append(members, member(f.Key, listOrValue(f.Value, quoteJSON)))
	}
	return d.object(indent, members)
}

// listOrValue writes a value of a field, as both formats do.
func listOrValue(v any, quote func(string) string) string {
	switch v := v.(type) {
	case []string:
		var list []string
		for _, text := range v {
			list = append(list, quote(text))
		}
		return "[" + strings.Join(list, ", ") + "]"
	case string:
		return quote(v)
	}
	return fmt.Sprint(v) // a bool, or as it is
}

// quoteJSON writes a string, with <, > and & as they are.
func quoteJSON(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a buffer takes everything
	return strings.TrimSuffix(b.String(), "\n")
}
