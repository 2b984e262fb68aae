package viewdef

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"ui-mcp/internal/ui/path"
	"ui-mcp/internal/ui/spell"
)

// elementAttr numbers the elements that have bindings and, after these, the other controls, for
// pages.
const elementAttr = "data-ui"

// parseContent parses marked source and returns the node whose children are the template's content.
func parseContent(file, marked string) (*html.Node, error) {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(marked), body)
	if err != nil {
		return nil, Problem{file, 1, "not HTML: " + err.Error()}
	}
	for _, n := range nodes {
		for c := range n.ChildNodes() {
			if n.DataAtom == atom.Template && c.Type == html.ElementNode {
				return n, nil
			}
		}
	}
	return nil, Problem{file, 1, "the <template> has no element in it"}
}

func render(content *html.Node) (string, error) {
	var b strings.Builder
	for c := range content.ChildNodes() {
		if err := html.Render(&b, c); err != nil {
			return "", err
		}
	}
	return strings.TrimSpace(b.String()), nil
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// builder walks a template's tree: it numbers elements and collects bindings.
type builder struct {
	file     string
	nodes    map[*html.Node]*Node // of elements
	all      []*Node              // the template's Elements
	numbered []*Node              // by their numbers
	plain    []*html.Node         // controls without bindings
	bindings []Binding
	warnings []Problem
	mistakes []Problem
	err      error // the first problem that makes the template unusable
}

// read makes the nodes below n, whose node is in, and takes the marks of the first pass from them.
// It lists the elements if displayed is set, unless they are in an inner template, which pages do
// not display.
func (b *builder) read(n *html.Node, in *Node, displayed bool) {
	for c := range n.ChildNodes() {
		e := &Node{Parent: in, Element: -1, Unseen: in.Unseen}
		switch c.Type {
		case html.TextNode:
			e.Text = whiteSpace().ReplaceAllString(c.Data, " ")
		case html.ElementNode:
			e.Tag = c.Data
			switch c.DataAtom {
			case atom.Script, atom.Style, atom.Template, atom.Link, atom.Meta:
				e.Unseen = true
			}
			c.Attr = slices.DeleteFunc(c.Attr, func(a html.Attribute) bool {
				switch {
				case a.Key == markAttr && e.Line == 0: // what the author has written comes after it
					e.Line, _ = strconv.Atoi(a.Val)
				case a.Key != markAttr && a.Key != elementAttr && !strings.HasPrefix(a.Key, "ui-"):
					e.Attrs = append(e.Attrs, Attribute{a.Key, a.Val})
				}
				return a.Key == markAttr || a.Key == elementAttr
			})
			b.nodes[c] = e
			if displayed {
				b.all = append(b.all, e)
			}
			b.read(c, e, displayed && c.DataAtom != atom.Template)
		}
		if e.Tag+e.Text != "" && e.Unseen == in.Unseen {
			in.Nodes = append(in.Nodes, e)
		}
	}
}

// number gives an element the next number.
func (b *builder) number(n *html.Node) {
	e := b.nodes[n]
	e.Element = len(b.numbered)
	n.Attr = append(n.Attr, html.Attribute{Key: elementAttr, Val: strconv.Itoa(e.Element)})
	b.numbered = append(b.numbered, e)
}

// walk visits the children of n. ns is their namespace. unused says why bindings in these elements
// have no effect, or is "".
func (b *builder) walk(n *html.Node, ns, unused string) {
	for c := range n.ChildNodes() {
		if c.Type != html.ElementNode {
			continue
		}
		attrs, line := uiAttributes(c), b.nodes[c].Line
		childNS, childUnused, list := ns, unused, false
		for _, a := range attrs {
			switch a.Key {
			case "ui-namespace":
				childNS = strings.TrimSpace(a.Val)
			case "ui-view":
				childUnused = "the view replaces what stands in its place"
			case "ui-viewlist":
				list = true
			}
		}
		if c.DataAtom == atom.Template {
			childUnused = "pages do not show what is in an inner <template>"
		}
		if len(attrs) > 0 {
			if unused != "" {
				b.warn(line, "the ui- attributes of this <%s> do nothing: %s", c.Data, unused)
			} else {
				b.element(c, attrs, childNS, line)
			}
		}
		if unused == "" && IsControl(c.Data) && b.nodes[c].Element < 0 {
			b.plain = append(b.plain, c)
		}
		if !list {
			b.walk(c, childNS, childUnused)
			continue
		}
		// The first element in a list is the placeholder that each row replaces.
		for row := range c.ChildNodes() {
			if row.Type == html.ElementNode {
				const why = "a row of ui-viewlist is shown with the view definition of its own type"
				if len(uiAttributes(row)) > 0 {
					b.warn(b.nodes[row].Line, "the ui- attributes of this <%s> do nothing: %s", row.Data, why)
				}
				b.walk(row, childNS, why)
				for row = row.NextSibling; row != nil; row = row.NextSibling {
					if row.Type == html.ElementNode {
						b.warn(line, "ui-viewlist uses its first child element as the place of each row: the others stay as they are")
						break
					}
				}
				break
			}
		}
	}
}

func uiAttributes(n *html.Node) []html.Attribute {
	return slices.DeleteFunc(slices.Clone(n.Attr), func(a html.Attribute) bool { return !strings.HasPrefix(a.Key, "ui-") })
}

func (b *builder) warn(line int, format string, args ...any) {
	b.warnings = append(b.warnings, Problem{b.file, line, fmt.Sprintf(format, args...)})
}

func (b *builder) mistake(line int, format string, args ...any) {
	b.mistakes = append(b.mistakes, Problem{b.file, line, fmt.Sprintf(format, args...)})
}

func (b *builder) element(n *html.Node, attrs []html.Attribute, ns string, line int) {
	before := len(b.bindings)
	itemWrapper := strings.TrimSpace(attribute(n, "ui-item-wrapper"))
	literals := b.literals(attrs, line)
	for _, a := range attrs {
		if _, of := literals[a.Key]; of {
			continue
		}
		kind, name, ok := classify(a.Key)
		if !ok {
			if !passive[a.Key] {
				b.mistake(line, "%s is not an attribute of view definitions%s", a.Key, meant(a.Key))
			}
			continue
		}
		bind, err := newBinding(kind, name, n.Data, a.Val)
		if err != nil {
			if b.err == nil {
				b.err = Problem{b.file, line, fmt.Sprintf("%s: %v", a.Key, err)}
			}
			continue
		}
		if why := runsData(n, kind, name); why != "" {
			b.mistake(line, "%s: %s", a.Key, why)
			continue
		}
		if kind == Attr {
			bind.Address = addressOf(n, name)
		}
		bind.Opts.Content, bind.Opts.Upload = takesFile(n, &bind, "content"), takesFile(n, &bind, "upload")
		switch several := has(n, "multiple"); {
		case bind.Opts.Content && bind.Opts.Upload:
			b.mistake(line, "%s: ?content and ?upload exclude each other: ?content is for files of at most 1 MiB", a.Key)
		case bind.Opts.Content && several:
			b.mistake(line, "%s: ?content takes one file: leave the attribute multiple out", a.Key)
		case bind.Opts.Upload && several && bind.Path.Last().Kind != path.CallArg:
			b.mistake(line, `%s: with multiple, ?upload needs a method that gets each file: %[1]s="add(_)?upload"`, a.Key)
		}
		bind.Opts.Arg = bind.Opts.Arg || bind.Opts.Upload && bind.Path.Last().Kind == path.CallArg
		if field, ok := bind.Path.Options["progress"]; ok && bind.Opts.Upload {
			if p, err := path.Parse(field); err != nil || len(p.Steps) != 1 || p.Steps[0].Kind != path.Field || field == "true" {
				b.mistake(line, "%s: ?progress names a field of the object that gets the file, such as progress=percent", a.Key)
			}
			bind.Progress = field
		}
		b.options(a.Key, &bind, line)
		bind.Element, bind.Namespace, bind.Line = len(b.numbered), ns, line
		bind.Source = a.Key + `="` + a.Val + `"`
		switch kind {
		case List:
			bind.holder = holderOf(n)
		case View:
			bind.holder = holderOf(n.Parent)
		}
		if text, ok := literals[a.Key+literalSuffix]; ok {
			bind.Literal = &text
			bind.Opts.Arg = false
		}
		if kind == List && itemWrapper != "" {
			bind.ItemWrapper = itemWrapper
		}
		b.bindings = append(b.bindings, bind)
	}
	if len(b.bindings) > before {
		b.number(n)
	}
}

var pathOptions = []string{
	"access", "content", "item", "itemWrapper", "keypress", "optional", "priority", "progress", "repeat", "replace", "scrollOnOutput",
	"upload", "window", "wrapper",
}

// takesFile reports whether a binding has an option with which it gets files.
func takesFile(n *html.Node, b *Binding, option string) bool {
	s, ok := b.Path.Options[option]
	return ok && s != "false" && b.Opts.Edit && n.Data == "input" && strings.EqualFold(attribute(n, "type"), "file")
}

// options reports unknown options of a path.
func (b *builder) options(attr string, bind *Binding, line int) {
	for _, key := range slices.Sorted(maps.Keys(bind.Path.Options)) {
		switch {
		case slices.Contains(pathOptions, key):
		case spell.Nearest(key, []string{"namespace"}) != "" || key == "namespace":
			b.mistake(line, "%s: ?%s is not an option of paths; did you mean the attribute `ui-namespace=%q`?", attr, key, bind.Path.Options[key])
		default:
			b.mistake(line, "%s: ?%s is not an option of paths%s", attr, key, spell.Offer(spell.Nearest(key, pathOptions)))
		}
	}
}

// meant offers the attribute that was probably meant, as a text to append.
func meant(attr string) string {
	known := append(slices.Collect(maps.Keys(kinds)), "ui-namespace", "ui-item-wrapper")
	return spell.Offer(spell.Nearest(attr, known))
}

// literalSuffix turns an event's attribute into the one that sets the event's value.
const literalSuffix = "-value"

// literals returns the values of ui-event-NAME-value attributes, by attribute.
func (b *builder) literals(attrs []html.Attribute, line int) map[string]string {
	var out map[string]string
	for _, a := range attrs {
		event, ok := strings.CutSuffix(a.Key, literalSuffix)
		if !ok || !strings.HasPrefix(a.Key, "ui-event-") || event == "ui-event" {
			continue
		}
		if !slices.ContainsFunc(attrs, func(x html.Attribute) bool { return x.Key == event }) {
			b.warn(line, "%s is the value that %s carries, which is not there", a.Key, event)
		}
		if out == nil {
			out = map[string]string{}
		}
		out[a.Key] = a.Val
	}
	return out
}

// passive are ui- attributes that are not bindings: settings, which are read above, and attributes
// that pages set.
var passive = map[string]bool{
	"ui-namespace": true, "ui-item-wrapper": true, "ui-viewdef": true, "ui-app": true,
	"ui-error": true, "ui-error-code": true, "ui-error-description": true,
}

// kinds are the bindings that have a name of their own.
var kinds = map[string]Kind{
	"ui-value": Value, "ui-view": View, "ui-viewlist": List, "ui-action": Action, "ui-html": HTML, "ui-code": Code,
	"ui-focus": Focus, "ui-scroll": Scroll, "ui-measure-width": Measure, "ui-measure-height": Measure,
}

// classify returns the binding that an attribute describes.
func classify(attr string) (kind Kind, name string, ok bool) {
	if kind, ok = kinds[attr]; ok {
		_, name, _ = strings.Cut(attr, "-measure-")
		return kind, name, true
	}
	for _, p := range [...]struct {
		prefix string
		kind   Kind
	}{{"ui-attr-", Attr}, {"ui-class-", Class}, {"ui-style-", Style}, {"ui-event-keypress-", Key}, {"ui-event-", Event}} {
		if name, ok := strings.CutPrefix(attr, p.prefix); ok && name != "" {
			return p.kind, name, true
		}
	}
	return 0, "", false
}

// priorities and accesses are the values of these options.
var (
	priorities = map[string]Priority{"low": Low, "medium": Medium, "high": High}
	accesses   = map[string]Access{"r": Read, "w": Write, "rw": ReadWrite, "action": Invoke}
)

func newBinding(kind Kind, name, tag, src string) (Binding, error) {
	p, err := path.Parse(src)
	if err != nil {
		return Binding{}, err
	}
	b := Binding{Kind: kind, Name: name, Path: p}
	if b.Access, err = access(kind, tag, p); err != nil {
		return Binding{}, err
	}
	if s, ok := p.Options["priority"]; ok {
		if b.Priority, ok = priorities[s]; !ok {
			return Binding{}, fmt.Errorf("priority=%s: the priorities are low, medium and high", s)
		}
	}
	b.Wrapper = p.Options["wrapper"]
	b.ItemWrapper = cmp.Or(p.Options["itemWrapper"], p.Options["item"])
	on := func(key string) bool { v, ok := p.Options[key]; return ok && v != "false" }
	b.Window = on("window") && (kind == List || b.Wrapper != "")
	b.Opts.Edit = kind == Value && b.Access.Writable()
	switch p.Last().Kind {
	case path.CallArg:
		b.Opts.Arg = kind != Value
	case path.Field, path.Index:
		b.Opts.Arg = kind == Key // it contains the name of the key
	}
	b.Opts.Keypress = on("keypress")
	b.Opts.ScrollOnOutput = on("scrollOnOutput")
	b.Opts.Repeat = (kind == Action || kind == Event || kind == Key) && on("repeat")
	b.Opts.Replace = kind == HTML && on("replace")
	return b, nil
}

// access returns what a binding may do: the path's option, or the default for its kind and element.
func access(kind Kind, tag string, p path.Path) (Access, error) {
	last := p.Last().Kind
	a := Read
	switch kind {
	case Value:
		switch {
		case last == path.CallArg:
			a = Write
		case Editable(tag) && last != path.Call && last != path.CallSub:
			a = ReadWrite
		}
	case Action, Event:
		a = Invoke
	case Measure:
		if last == path.Call || last == path.CallSub {
			return 0, fmt.Errorf("the size is written: to a field, or with a method %s(_)", p.Last().Name)
		}
		a = Write
	case Key:
		a = ReadWrite
		if last == path.Call || last == path.CallArg || last == path.CallSub {
			a = Invoke
		}
	}
	if s, ok := p.Options["access"]; ok {
		if a, ok = accesses[s]; !ok {
			return 0, fmt.Errorf("access=%s: it is r, w, rw or action", s)
		}
	}
	if kind == Measure && a != Write {
		return 0, fmt.Errorf("the size can only be written: leave ?access out")
	}
	if last == path.CallArg && a.Readable() {
		return 0, fmt.Errorf("%s(_) takes a value and cannot be read here: write %[1]s(), or ?access=w", p.Last().Name)
	}
	return a, nil
}

// Editable reports whether the person can change the value of such an element. The client's table
// of controls, web/src/dom/control.ts, has the same elements.
func Editable(tag string) bool {
	switch tag {
	case "input", "textarea", "select",
		"sl-checkbox", "sl-color-picker", "sl-input", "sl-radio-group", "sl-range", "sl-rating", "sl-select",
		"sl-switch", "sl-textarea":
		return true
	}
	return false
}
