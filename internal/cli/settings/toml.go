package settings

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

type tomlDocument struct {
	text   []byte
	value  map[string]any
	tables []tomlTable // in order
}

type tomlTable struct {
	key      []string
	start    int              // of the line of the header
	end      int              // of the last line with a value, and of its comment
	commands []unstable.Range // of the texts that are the value of the key "command"
}

func parseTOML(text []byte) (document, error) {
	d := &tomlDocument{text: text}
	if err := toml.Unmarshal(text, &d.value); err != nil {
		at := ""
		if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, column := wrong.Position()
			at = fmt.Sprintf("line %d, column %d: ", line, column)
		}
		return nil, fmt.Errorf("it is not valid TOML: %s%s", at, strings.TrimPrefix(err.Error(), "toml: "))
	}
	var p unstable.Parser
	p.Reset(text)
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			d.header(e)
		case unstable.KeyValue:
			if n := len(d.tables); n > 0 && e.Value().Kind == unstable.String {
				if key, _ := keyOf(e.Key()); slices.Equal(key, []string{"command"}) {
					d.tables[n-1].commands = append(d.tables[n-1].commands, e.Value().Raw)
				}
			}
		}
	}
	if err := p.Error(); err != nil {
		return nil, fmt.Errorf("it is not valid TOML: %w", err)
	}
	d.close(len(text))
	return d, nil
}

// keyOf returns the parts of a key, and where the first one is.
func keyOf(parts unstable.Iterator) (key []string, at int) {
	for parts.Next() {
		if len(key) == 0 {
			at = int(parts.Node().Raw.Offset)
		}
		key = append(key, string(parts.Node().Data))
	}
	return key, at
}

func (d *tomlDocument) header(e *unstable.Node) {
	key, at := keyOf(e.Key())
	start := bytes.LastIndexByte(d.text[:at], '\n') + 1
	d.close(start)
	if e.Kind == unstable.ArrayTable {
		key = append(key, "") // it is no entry
	}
	d.tables = append(d.tables, tomlTable{key: key, start: start})
}

// close ends the last table where the next one begins, at a position. The comments before the next
// one are not part of either.
func (d *tomlDocument) close(at int) {
	if len(d.tables) == 0 {
		return
	}
	last := &d.tables[len(d.tables)-1]
	for at > last.start {
		line := bytes.LastIndexByte(d.text[:at-1], '\n') + 1
		if text := bytes.Trim(d.text[line:at], blanks); len(text) > 0 && text[0] != '#' {
			break
		}
		at = line
	}
	last.end = at
}

func (d *tomlDocument) decode() (map[string]any, error) { return d.value, nil }

func (d *tomlDocument) get(path [2]string) (map[string]any, error) { return entryIn(d.value, path) }

func (d *tomlDocument) add(path [2]string, e Entry) ([]byte, error) {
	if entry, err := d.get(path); err != nil {
		return nil, err
	} else if entry != nil {
		return nil, fmt.Errorf("%w: there is %q already", ErrByHand, path[1])
	}
	eol := lineEnd(d.text)
	var b strings.Builder
	if len(d.text) > 0 {
		if !bytes.HasSuffix(d.text, []byte("\n")) {
			b.WriteString(eol)
		}
		b.WriteString(eol)
	}
	fmt.Fprintf(&b, "[%s.%s]%s", quoteKey(path[0]), quoteKey(path[1]), eol)
	for _, f := range e {
		fmt.Fprintf(&b, "%s = %s%s", quoteKey(f.Key), listOrValue(f.Value, quoteTOML), eol)
	}
	return append(bytes.Clone(d.text), b.String()...), nil
}

func (d *tomlDocument) remove(path [2]string) ([]byte, error) {
	entry, err := d.get(path)
	if entry == nil || err != nil {
		return d.text, err
	}
	var splices []splice
	for _, t := range d.tables {
		if len(t.key) < 2 || t.key[0] != path[0] || t.key[1] != path[1] {
			continue
		}
		start := t.start
		if blank := bytes.TrimSuffix(d.text[:start], []byte("\n")); len(blank) < start {
			blank = bytes.TrimSuffix(blank, []byte("\r"))
			if len(blank) == 0 || blank[len(blank)-1] == '\n' {
				start = len(blank)
			}
		}
		splices = append(splices, splice{start, t.end, ""})
	}
	text := apply(d.text, splices...)
	var left tomlDocument
	if err := toml.Unmarshal(text, &left.value); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrByHand, err)
	}
	if entry, err := left.get(path); entry != nil || err != nil {
		return nil, fmt.Errorf("%w: %q is not a table of its own", ErrByHand, path[1])
	}
	return text, nil
}

// removeTable leaves everything: add makes only the table of an entry, which remove removes.
func (d *tomlDocument) removeTable(string) ([]byte, error) { return d.text, nil }

func (d *tomlDocument) setCommand(path [2]string, program string) ([]byte, error) {
	for _, t := range d.tables {
		if slices.Equal(t.key, path[:]) && len(t.commands) == 1 {
			at := t.commands[0]
			return apply(d.text, splice{int(at.Offset), int(at.Offset + at.Length), quoteTOML(program)}), nil
		}
	}
	return nil, fmt.Errorf("%w: %q is not a table of its own with a command", ErrByHand, path[1])
}

// quoteKey writes a key, in quotes where they are needed.
func quoteKey(key string) string {
	if key == "" || strings.ContainsFunc(key, func(c rune) bool {
		return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '_' && c != '-'
	}) {
		return quoteTOML(key)
	}
	return key
}

// quoteTOML writes a string. Those of JSON are valid, except that TOML wants an escape for DEL.
func quoteTOML(s string) string { return strings.ReplaceAll(quoteJSON(s), "\x7f", `\u007f`) }
