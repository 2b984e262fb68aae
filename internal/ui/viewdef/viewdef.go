// Package viewdef parses view definitions: HTML templates whose ui- attributes bind elements to
// paths. A definition is parsed once, on the server, into static HTML with numbered elements and a
// list of bindings. Pages get both, and the variable tree is built from the same list. The package
// reads no file and knows no object.
//
//   - A [Template] is a parsed definition: its HTML as nodes, and its bindings.
//   - A [Binding] connects an element with a path: what it sets there, or which input it sends.
//   - A [Store] has the templates of all files and uploads, a [Snapshot] what it had at a moment.
//
// A saved file goes this way. A mistake is told with file and line, while the last good template
// stays:
//
//	HTML → Parse → Template → Store.Put → Snapshot → variable.Tree, and wire → page
//
// Elements with bindings are numbered in the order of the source, for the page and the server:
//
//	<p><b ui-value="name"></b></p>
//	<p><b data-ui="0"></b></p>, [{Element: 0, Kind: Value, Path: name}]
package viewdef

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"golang.org/x/net/html"
	"ui-mcp/internal/ui/path"
	"ui-mcp/internal/ui/wire"
)

// A Kind says what of an element a binding sets, or which input of the person it sends.
type Kind uint8

// Pages bind in this order: kinds that create elements come first, so that a select has its options
// before its value, and scripts last.
const (
	List Kind = iota
	View
	Value
	Attr
	Class
	Style
	Event
	Key
	Action
	HTML
	Focus
	Scroll
	Measure
	Code
)

// String is the kind's name on the wire.
func (k Kind) String() string {
	return [...]string{"list", "view", "value", "attr", "class", "style", "event", "key", "action", "html", "focus", "scroll", "measure", "code"}[k]
}

// Access says what may be done through a binding.
type Access uint8

const (
	Read Access = iota
	ReadWrite
	Write  // written with what the person enters, never read
	Invoke // a method is called, its result ignored
)

// Readable reports whether the binding displays a value.
func (a Access) Readable() bool { return a == Read || a == ReadWrite }

// Writable reports whether the person can send something through the binding.
func (a Access) Writable() bool { return a != Read }

// Priority orders the reading of bindings within one pass.
type Priority int8

const (
	Low    Priority = -1
	Medium Priority = 0
	High   Priority = 1
)

// A Binding connects an element of a template with a path.
type Binding struct {
	Kind        Kind
	Element     int    // which element, counted as docs/protocol.md says
	Name        string // the attribute, class, style property, event, key or dimension
	Path        path.Path
	Access      Access
	Priority    Priority
	Namespace   string  // of the element or the closest one around it in the template, or ""
	Wrapper     string  // type of the wrapper of the value, or ""
	ItemWrapper string  // type of the wrapper of each item of a list, or ""
	Window      bool    // of a list: only the rows that pages ask for are sent
	Literal     *string // of an event: the value to write or pass to the method instead of what the page sends, or nil
	Progress    string  // of uploads: the field that gets how much has arrived, or ""
	Address     Address // of an attribute: what a browser does with it
	Opts        wire.Opts
	Line        int    // in the template's file, from 1
	Source      string // the attribute as written, for messages
	holder      string // of a list or view: the key of holds for the element that gets it, or ""
}

// A Template is a parsed view definition. It is never changed.
type Template struct {
	Key      string // TYPE.NAMESPACE
	File     string // its source, as messages name it
	Bindings []Binding
	Nodes    []*Node // what a person may see
	Elements []*Node // all of its static HTML, in document order, without those in inner templates
	Def      []byte  // what pages get, see wire.AppendDefBody
	Warnings []Problem
	Mistakes []Problem // what has no effect and was surely meant to have one
	numbered []*Node
}

// A Problem is a mistake in a view definition.
type Problem struct {
	File string
	Line int
	Msg  string
}

func (p Problem) Error() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Msg) }

var validKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][\w-]*(\.[\w-]+)+$`) })

// CheckKey returns an error, for the author, if key cannot name a view definition. It is the one
// rule for files, uploads and templates: TYPE.NAMESPACE, where the type may have dots.
func CheckKey(key string) error {
	if validKey().MatchString(key) {
		return nil
	}
	return fmt.Errorf("%q cannot be the name of a view definition: it is TYPE.NAMESPACE, such as Contact.DEFAULT, of letters, digits, _ and -, and the type may have dots", key)
}

// Parse parses the view definition src. key is its name (see [CheckKey]); file names the source in
// messages. The error is a [Problem] that makes the definition unusable; lesser ones are in the
// template's Mistakes and Warnings.
func Parse(key, file, src string) (*Template, error) {
	if err := CheckKey(key); err != nil {
		return nil, Problem{file, 1, err.Error()}
	}
	marked, warnings, err := mark(file, src)
	if err != nil {
		return nil, err
	}
	content, err := parseContent(file, marked)
	if err != nil {
		return nil, err
	}
	b := builder{file: file, nodes: map[*html.Node]*Node{}}
	var root Node
	b.read(content, &root, true)
	for _, n := range root.Nodes {
		n.Parent = nil
	}
	b.walk(content, "", "")
	if b.err != nil {
		return nil, b.err
	}
	slices.SortStableFunc(b.bindings, func(x, y Binding) int {
		if x.Kind <= View || y.Kind <= View {
			return cmp.Compare(min(x.Kind, Value), min(y.Kind, Value))
		}
		return cmp.Or(cmp.Compare(x.Element, y.Element), cmp.Compare(x.Kind, y.Kind))
	})
	rows := make([]wire.Binding, len(b.bindings))
	for i, x := range b.bindings {
		n := b.numbered[x.Element]
		n.Slots = append(n.Slots, i)
		rows[i] = wire.Binding{Element: x.Element, Kind: x.Kind.String(), Name: x.Name, Opts: x.Opts}
	}
	for _, n := range b.plain {
		b.number(n) // a person acts on them, too
	}
	t := &Template{
		Key: key, File: file, Bindings: b.bindings, Nodes: root.Nodes, Elements: b.all,
		Warnings: append(warnings, b.warnings...), Mistakes: b.mistakes, numbered: b.numbered,
	}
	static, err := render(content)
	if err != nil {
		return nil, Problem{file, 1, err.Error()}
	}
	t.Def = wire.AppendDefBody(nil, key, static, rows)
	return t, nil
}
