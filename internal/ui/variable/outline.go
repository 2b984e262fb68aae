package variable

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"ui-mcp/internal/safetext"
)

// OutlineOptions narrow an outline.
type OutlineOptions struct {
	// Path is where to start: a sequence of binding paths ("value.contacts.0"; a number is a row),
	// or the id of an instance or variable; "" means everything.
	Path string
	// Depth is how many views and rows deep to go; 0 means all.
	Depth int
	// Budget is the greatest length of the text, in bytes.
	Budget int
	// Name makes a name that was never used before, for references; nil leaves references out. Seen
	// is the number of the last batch that pages got.
	Name func() string
	Seen int64
}

// Outline describes what a person sees, as last read, as text:
//
//	view value #2: ContactApp.DEFAULT
//	  h1 Contacts
//	  p {summary(): 3 contacts}
//	  input {query: ""} placeholder="Search"
//	  button Add → add()
//	  list matches() #9: 3 rows, Contact.list-item
//	    [0] #31 li.active {name: Ann}
//
// Text in braces is a binding's path and its value; the rest is written in the template. A number
// after # is the id of a variable; one after @ is the reference of a control or row, for acting on
// it. If the whole does not fit into the budget, lists are cut first, then the end; the text says
// what is missing.
func (t *Tree) Outline(opts OutlineOptions) (string, error) {
	at, err := t.find(opts.Path)
	if err != nil {
		return "", err
	}
	lines := t.outline(at, opts)
	for _, l := range lines {
		t.shown(l.refs, opts.Seen)
	}
	return text(lines), nil
}

// outline describes a target in the greatest detail that fits; if none does, the start of the least
// one.
func (t *Tree) outline(at target, opts OutlineOptions) (lines []line) {
	o := &outliner{t: t, name: opts.Name, seen: opts.Seen, keep: map[*instance]bool{}}
	rows := []int{10, 5, 3, 2, 1}
	if at.isList() {
		rows = append([]int{100, 30}, rows...)
	}
	for _, o.rows = range rows {
		o.depth, o.left, o.less = everything, opts.Budget, false
		if opts.Depth > 0 {
			o.depth = opts.Depth
		}
		if lines = o.target(at, opts.Budget); o.left >= 0 && sizeOf(lines) <= opts.Budget {
			return lines
		}
	}
	return cut(lines, opts.Budget)
}

// everything is more levels than views can nest.
const everything = 1000

// Look describes everything, always in the same detail, so that two descriptions can be compared.
// The rows around a place are in it, too. whole is false if something is left out.
func (t *Tree) Look(at Target, opts OutlineOptions) (all string, whole bool) {
	const rows = 10
	o := &outliner{t: t, name: opts.Name, seen: opts.Seen, depth: everything, rows: rows, left: opts.Budget, keep: map[*instance]bool{}}
	for in := t.instances[at.Instance]; in != nil; in = in.parent {
		o.keep[in] = true
	}
	all = text(o.target(target{in: &t.root}, opts.Budget))
	return all, o.left >= 0 && !o.less && !strings.Contains(all, omittedRows)
}

// cut returns the first lines of an outline, of about n bytes.
func cut(lines []line, n int) []line {
	note := line{text: "… more than fits: narrow it with path or depth, or allow more tokens"}
	n -= note.size()
	for k, l := range lines {
		if n -= l.size(); n < 0 {
			lines = lines[:k]
			break
		}
	}
	return append(lines, note)
}

type outliner struct {
	t     *Tree
	name  func() string // see OutlineOptions
	seen  int64
	rows  int                // of a list that are listed
	depth int                // how many views and rows further to go
	left  int                // bytes left; below 0 if there were too few
	less  bool               // something was left out or cut
	keep  map[*instance]bool // rows that are listed whatever rows is
	rowOf *instance          // the row whose first element is outlined next: its line has the reference

	chosen map[Element]bool // of the options that are outlined; nil outside a control with some
}

type line struct {
	in   int // its indentation
	text string
	refs string // the references in it, with blanks between them
}

func (l line) size() int { return 2*l.in + len(l.text) + 1 }

func sizeOf(lines []line) (n int) {
	for _, l := range lines {
		n += l.size()
	}
	return n
}

func text(lines []line) string {
	var b strings.Builder
	b.Grow(sizeOf(lines))
	for _, l := range lines {
		for range l.in {
			b.WriteString("  ")
		}
		b.WriteString(l.text)
		b.WriteByte('\n')
	}
	return b.String()
}

func (o *outliner) line(format string, args ...any) line {
	l := line{text: squeezed(fmt.Sprintf(format, args...))}
	o.left -= len(l.text) + 1
	return l
}

// squeezed returns the words of a text with single blanks between them.
func squeezed(s string) string {
	last := ' '
	for _, r := range s {
		if unicode.IsSpace(r) && (r != ' ' || last == ' ') {
			return strings.Join(strings.Fields(s), " ")
		}
		last = r
	}
	return strings.TrimSuffix(s, " ")
}

func indent(lines []line) []line {
	for i := range lines {
		lines[i].in++
	}
	return lines
}

func (o *outliner) target(at target, budget int) (lines []line) {
	switch {
	case at.row != nil:
		lines = o.row(at.row, at.path)
	case at.isList():
		lines = o.list(at.in, at.slot, at.path, at.path)
	case at.isView():
		lines = o.view(at.in, at.slot, at.path, at.path)
	default:
		return o.whole(at, budget)
	}
	if o.less {
		lines = append(lines, line{text: "(… is left out: inspect its path, or allow more depth or tokens)"})
	}
	return lines
}

// whole outlines a single binding. There a long text appears in full, with its lines, each marked.
func (o *outliner) whole(at target, budget int) []line {
	failed := o.problem(slotKey{at.in, at.slot})
	head := o.line("%s:%s", at.path, failed)
	room := max(budget-head.size()-len(leftOut), 0)
	value := o.t.display(at.in.vars[at.slot].value)
	marks := strings.Count(value[:min(room, len(value))], "\n") * len("  "+dataMark)
	value = safetext.Lines(clip(value, max(room-marks, 0)))
	if failed == "" && !strings.Contains(value, "\n") {
		head.text += " " + value
		return []line{head}
	}
	lines := []line{head}
	for text := range strings.SplitSeq(value, "\n") {
		lines = append(lines, line{in: 1, text: dataMark + text})
	}
	return lines
}

// dataMark begins each line of a text that has several: no data pass for lines of the program.
const dataMark = "| "

// view outlines the view in.vars[i]. name is its path from the enclosing object, path the one from
// the root.
func (o *outliner) view(in *instance, i int, name, path string) []line {
	child, _ := in.vars[i].inside()
	head := strings.TrimSpace("view "+name) + " #" + strconv.FormatInt(in.varID(i), 10) + ": "
	failed := o.problem(slotKey{in, i})
	switch {
	case child == nil:
		return []line{o.line("%snothing%s", head, failed)}
	case child.plan.tmpl.Key == missingKey:
		return []line{o.line("%s%s%s", head, failed, o.problem(slotKey{child, -1}))}
	case isNative(child.obj), isNative(in.obj):
		return o.instance(child, path) // a list's own views are passed through
	case o.depth <= 0:
		o.less = true
		return []line{o.line("%s%s%s …", head, child.plan.tmpl.Key, failed)}
	}
	lines := []line{o.line("%s%s%s", head, child.plan.tmpl.Key, failed)}
	o.depth--
	lines = append(lines, indent(o.instance(child, path))...)
	o.depth++
	return lines
}

func (o *outliner) list(in *instance, i int, name, path string) []line {
	va := &in.vars[i]
	_, rows := va.inside()
	total := len(rows)
	if va.more != nil && va.window != nil {
		total = va.window.total
	}
	key := ""
	if len(rows) > 0 {
		if k := displayedBy(rows[0].inst).plan.tmpl.Key; k != missingKey {
			key = ", " + k
		}
	}
	text := count(total) + " rows" + key
	switch total {
	case 0:
		text = "no rows"
	case 1:
		text = "1 row" + key
	}
	head := o.line("list %s #%d: %s%s", name, in.varID(i), text, o.problem(slotKey{in, i}))
	if o.depth <= 0 && total > 0 {
		o.less = true
		head.text += " …"
		return []line{head}
	}
	lines := []line{head}
	o.depth--
	next := 0 // the index after the last row that was listed
	skipped := func(to int) {
		if more := to - next; more > 0 {
			lines = append(lines, indent([]line{o.line("… %s"+omittedRows+"%s is the next", count(more), join(path, strconv.Itoa(next)))})...)
		}
	}
	show := func(r listRow) {
		skipped(r.inst.row())
		lines = append(lines, indent(o.row(r.inst, join(path, strconv.Itoa(r.inst.row()))))...)
		next = r.inst.row() + 1
	}
	limit := min(len(rows), o.rows)
	for _, r := range rows[:limit] {
		if o.left < 0 {
			break
		}
		show(r)
	}
	for _, r := range rows[limit:] {
		if o.keep[r.inst] {
			show(r)
		}
	}
	o.depth++
	skipped(total)
	return lines
}

// row outlines a row: its first line starts with its number and id.
func (o *outliner) row(row *instance, path string) []line {
	shown := displayedBy(row)
	around := o.rowOf
	o.rowOf = shown
	lines := o.instance(row, path)
	o.rowOf = around
	head := fmt.Sprintf("[%d] #%d", row.index, row.id)
	ref := ""
	if n := shown.plan.tmpl.First(); n != nil && shown.plan.tmpl.Key != missingKey && o.chosen == nil {
		if ref = o.ref(Element{o.t, shown, n}); ref != "" {
			head += " @" + ref
		}
	}
	head += o.problem(slotKey{row, -1})
	o.left -= len(head) + 1
	if len(lines) == 0 {
		return []line{{text: head, refs: ref}}
	}
	lines[0].text, lines[0].refs = head+" "+lines[0].text, both(ref, lines[0].refs)
	// The following elements are below that line and have to be moved there.
	if rest := lines[1:]; slices.ContainsFunc(rest, func(l line) bool { return l.in == 0 }) {
		indent(rest)
	}
	return lines
}

// both joins the references of what becomes one line.
func both(refs, more string) string {
	return strings.TrimSpace(refs + " " + more)
}

// displayedBy returns the instance that displays a row's element: a list's items are only wrappers.
func displayedBy(row *instance) *instance {
	if _, ok := row.obj.(*ViewListItem); ok {
		for i := range row.vars {
			if child, _ := row.vars[i].inside(); child != nil {
				return child
			}
		}
	}
	return row
}

func (o *outliner) instance(in *instance, path string) []line {
	tmpl := in.plan.tmpl
	if o.left < 0 || tmpl.Key == missingKey {
		return nil
	}
	return o.content(in, in.plan.tmpl.Nodes, path)
}

// problem returns what is wrong with a variable, to append to its text.
func (o *outliner) problem(key slotKey) string {
	if p := o.t.problems[key]; p != nil {
		return " ⚠ " + o.clip(p.cause())
	}
	return ""
}

func join(path, step string) string {
	if path == "" {
		return step
	}
	return path + "." + step
}

// count prints a number with its digits in groups.
func count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
