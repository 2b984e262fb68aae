package keep

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ui-mcp/internal/testkit/load"
)

func encode(t *testing.T, d *Document) string {
	t.Helper()
	text, err := Encode(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestEncode(t *testing.T) {
	d := &Document{
		Types: map[string]Type{
			"Expense":  {Fields: map[string]any{"amount": 0.0, "note": "", "tags": Table{}, "due": nil}, Mutates: true},
			"Expenses": {Fields: map[string]any{"draft": ""}},
		},
		Nodes: []*Node{
			0: {Type: "Expenses", Fields: []Field{{"draft", "Lun"}, {"empty", Ref(5)}, {"items", Ref(1)}, {"selected", Ref(3)}, {"strange", Ref(6)}}},
			1: {List: []any{Ref(2), Ref(3)}},
			2: {Type: "Expense", Fields: []Field{{"amount", 12.5}, {"note", "Lunch\n\"big\""}, {"tags", Ref(4)}}},
			3: {Type: "Expense", Fields: []Field{{"amount", 1e300}}},
			4: {List: []any{"food", true, nil, 3.0}},
			5: {},
			6: {List: []any{1.0}, Fields: []Field{{"$price", "a\xff"}, {"\xfe", math.NaN()}}, Pairs: []Pair{{-1.0, Ref(0)}, {false, Null{}}}},
		},
	}
	const want = `{
  "format": 1,
  "types": {
    "Expense": {"$mutate": true, "amount": 0, "due": null, "note": "", "tags": []},
    "Expenses": {"draft": ""}
  },
  "data": {
    "$id": 1,
    "$type": "Expenses",
    "draft": "Lun",
    "empty": [],
    "items": [
      {"$type": "Expense", "amount": 12.5, "note": "Lunch\n\"big\"", "tags": ["food", true, null, 3]},
      {"$id": 2, "$type": "Expense", "amount": 1e+300}
    ],
    "selected": {"$ref": 2},
    "strange": {"$list": [1], "$pairs": [[-1, {"$ref": 1}], [false, {"$null": true}], [{"$bytes": "/g=="}, {"$number": "nan"}]], "$$price": {"$bytes": "Yf8="}}
  }
}
`
	got := encode(t, d)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("-want +got:\n%s", diff)
	}
	back, err := Decode([]byte(got))
	if err != nil {
		t.Fatal(err)
	}
	if again := encode(t, back); again != got {
		t.Errorf("read and written again:\n%s", again)
	}
	if diff := cmp.Diff(d.Types, back.Types); diff != "" {
		t.Errorf("types, -want +got:\n%s", diff)
	}
}

// random is a document of n tables that refer to each other in any way.
func random(r *rand.Rand, n int) *Document {
	d := &Document{Types: map[string]Type{"T": {Fields: map[string]any{"a": 1.0}}}}
	scalars := []any{true, false, 0.0, -1.5, math.Inf(1), math.Inf(-1), 1e15, 9007199254740992.0, 9007199254740994.0, 1e18 + 128, 5e-324, "", "x", "$", "a\x00b", "\xc3\x28", "ü\u2028", Null{}}
	value := func() any {
		if r.IntN(3) == 0 {
			return Ref(r.IntN(n))
		}
		return scalars[r.IntN(len(scalars))]
	}
	for range n {
		node := &Node{}
		if r.IntN(2) == 0 {
			node.Type = "T"
			if r.IntN(4) == 0 {
				node.Was = &Type{Fields: map[string]any{"a": 2.0, "$b": Table{}}, Mutates: r.IntN(2) == 0}
			}
		}
		for range r.IntN(4) {
			node.List = append(node.List, value())
		}
		names := []string{"", "$id", "$$", "a", "b", "\xff", "type", "é"}
		for _, name := range names {
			if r.IntN(4) == 0 {
				node.Fields = append(node.Fields, Field{name, value()})
			}
		}
		slices.SortFunc(node.Fields, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
		for _, key := range []any{-1.0, 0.5, 1e300, true, Ref(r.IntN(n))} {
			if r.IntN(6) == 0 {
				node.Pairs = append(node.Pairs, Pair{key, value()})
			}
		}
		node.Object = node.isListLike() && len(node.List) == 0 && r.IntN(2) == 0
		d.Nodes = append(d.Nodes, node)
	}
	return d
}

func (n *Node) isListLike() bool { return n.Type == "" && len(n.Fields) == 0 && len(n.Pairs) == 0 }

// tree is a document as nested values, for comparing, in which a table has its number in the order
// in which the tables are met.
func tree(d *Document) []string {
	number := map[Ref]int{d.Root: 0}
	order := []Ref{d.Root}
	value := func(v any) string {
		if r, ok := v.(Ref); ok {
			if _, known := number[r]; !known {
				number[r] = len(number)
				order = append(order, r)
			}
			return fmt.Sprint("#", number[r])
		}
		return fmt.Sprintf("%T %#v", v, v)
	}
	var lines []string
	for i := 0; i < len(order); i++ {
		n := d.Nodes[order[i]]
		line := fmt.Sprintf("%s %v", n.Type, n.Object)
		if n.Was != nil {
			line += fmt.Sprint(" ", *n.Was)
		}
		for _, v := range n.List {
			line += ", " + value(v)
		}
		for _, f := range n.Fields {
			line += fmt.Sprintf(", %q=%s", f.Name, value(f.Value))
		}
		for _, p := range n.Pairs {
			line += fmt.Sprintf(", [%s]=%s", value(p.Key), value(p.Value))
		}
		lines = append(lines, line)
	}
	return lines
}

// Whatever the tables, the text has them all, and is the same when it is written again.
func TestRandomDocuments(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 3000 {
		d := random(r, 1+r.IntN(60))
		text := encode(t, d)
		back, err := Decode([]byte(text))
		if err != nil {
			t.Fatalf("round %d: %v in\n%s", round, err, text)
		}
		if diff := cmp.Diff(tree(d), tree(back), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("round %d: -want +got:\n%s\nin\n%s", round, diff, text)
		}
		if again := encode(t, back); again != text {
			t.Fatalf("round %d: written again:\n%s", round, cmp.Diff(text, again))
		}
	}
}

// A chain of any length can be kept: it does not nest without end.
func TestLongChain(t *testing.T) {
	d := &Document{}
	const length = 100_000
	for i := range length {
		n := &Node{Fields: []Field{{"at", float64(i)}}}
		if i+1 < length {
			n.Fields = append(n.Fields, Field{"next", Ref(i + 1)})
		}
		d.Nodes = append(d.Nodes, n)
	}
	text := encode(t, d)
	back, err := Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	at, n := back.Root, 1
	for ; len(back.Nodes[at].Fields) == 2; n++ {
		at = back.Nodes[at].Fields[1].Value.(Ref)
	}
	if n != length {
		t.Errorf("%d of %d are left", n, length)
	}
}

func TestDecodeErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "line 1: unexpected end of JSON input",
		"{\n\"format\": 1,\n\"data\": [1,]}":   "line 3: invalid character",
		"[]":                                   "line 1: the file must be an object",
		"{}":                                   "not a file of kept data",
		`{"format": 2, "data": []}`:            "format 2, and this program reads formats up to 1: a newer version",
		`{"new": [1], "format": 2}`:            "a newer version",
		`{"format": 0, "data": []}`:            "there is no format 0",
		`{"format": "2", "data": []}`:          "there is no format 2",
		`{"format": 1}`:                        `no "data"`,
		`{"format": 1, "data": 3}`:             "must be an object or a list",
		`{"format": 1, "data": {"$ref": 1}}`:   "must be an object or a list",
		`{"format": 1, "data": [{"$ref": 1}]}`: "nothing has the $id 1",
		`{"format": 1, "data": {"$id": 1, "$id": 2}}`:                                        "twice",
		`{"format": 1, "data": [{"$id": 1}, {"$id": 1}]}`:                                    "twice",
		`{"format": 1, "data": {"a": 1, "a": 2}}`:                                            `"a" is there twice`,
		`{"format": 1, "data": {"$$a": 1, "$$a": 2}}`:                                        `"$a" is there twice`,
		`{"format": 1, "data": {"$x": 1}}`:                                                   "$x",
		`{"format": 1, "data": {"$bytes": "AA=="}}`:                                          "must be an object or a list",
		`{"format": 1, "data": [{"$bytes": 1}]}`:                                             "$bytes",
		`{"format": 1, "data": [{"$number": "1"}]}`:                                          "$number",
		`{"format": 1, "data": [{"$bytes": "AA==", "a": 1}]}`:                                "nothing else",
		`{"format": 1, "data": {"$type": 1}}`:                                                "a $type is a name",
		`{"format": 1, "data": {"$pairs": [[1]]}}`:                                           "a key and a value",
		`{"format": 1, "data": {"$pairs": [[1, 2], [1, 3]]}}`:                                "twice",
		`{"format": 1, "data": {"$pairs": [[{"$number":"nan"}, 2]]}}`:                        "cannot be a key",
		"{\"format\": 1, \"data\": [\n9007199254740993]}":                                    "line 2: the number 9007199254740993 cannot be kept exactly",
		`{"format": 1, "data": [-18446744073709551615]}`:                                     "cannot be kept exactly",
		`{"format": 1, "data": {"$was": 1}}`:                                                 "must be an object",
		`{"format": 1, "data": [1e999]}`:                                                     "too large",
		`{"format": 1, "data": [], "other": 1}`:                                              `"other" is unknown`,
		`{"format": 1, "data": [], "more": [1]}`:                                             "objects and lists only",
		`{"format": 1, "data": [], "data": []}`:                                              `"data" is there twice`,
		`{"format": 1, "types": {"T": {"a": [1]}}, "data": []}`:                              "must be empty",
		"{\"format\": 1, \"data\": [\n\"\xff\"]}":                                            "line 2: it is not UTF-8",
		`{"format": 1, "data": ` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`: "nested more than",
	} {
		_, err := Decode([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %q", text, err, want)
		}
	}
}

func TestTooLarge(t *testing.T) {
	long := strings.Repeat("x", MaxSize/4)
	d := &Document{Nodes: []*Node{{List: []any{long, long, long, long}}}}
	if _, err := Encode(d); err != ErrTooLarge {
		t.Errorf("err = %v", err)
	}
}

// A file of any content is read within bounded memory, however short its values are; and what is
// written can be read, up to the limits.
func TestTooMany(t *testing.T) {
	load.Long(t, "TestDecodeErrors and TestTooLarge read and write files that are refused")
	list := func(n int, f func(i int) string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(f(i))
		}
		return b.String()
	}
	always := func(s string) func(int) string { return func(int) string { return s } }
	for name, text := range map[string]string{
		"lists":   `"data":[` + list(4*MaxTables, always("[]")) + `]`,
		"objects": `"data":[` + list(4*MaxTables, always("{}")) + `]`,
		"nested":  `"data":[` + list(MaxTables/40, always(strings.Repeat("[", 400)+strings.Repeat("]", 400))) + `]`,
		"more":    `"data":[],"more":[` + list(4*MaxTables, always("[]")) + `]`,
		"values":  `"data":[` + list(2*MaxValues, always("1")) + `]`,
		"fields":  `"data":{` + list(MaxValues/2+1, func(i int) string { return fmt.Sprintf(`"%x":1`, i) }) + `}`,
		"pairs":   `"data":{"$pairs":[` + list(MaxValues/4+1, func(i int) string { return fmt.Sprintf(`[%d,1]`, i) }) + `]}`,
		"refs":    `"data":{"$id":1,"a":[` + list(MaxValues+1, always(`{"$ref":1}`)) + `]}`,
		"default": `"data":[],"types":{"A":{` + list(MaxValues/2+1, func(i int) string { return fmt.Sprintf(`"%x":1`, i) }) + `}}`,
		"types":   `"data":[],"types":{` + list(2*MaxTables, func(i int) string { return fmt.Sprintf(`"%x":{}`, i) }) + `}`,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Decode([]byte(`{"format":1,` + text + `}`))
		runtime.ReadMemStats(&after)
		if !errors.Is(err, ErrTooMany) {
			t.Errorf("%s: %v", name, err)
		}
		if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 700 {
			t.Errorf("%s: %d MiB were allocated", name, got)
		}
	}
	d := &Document{Nodes: []*Node{{}}}
	for i := 1; i < MaxTables; i++ {
		d.Nodes = append(d.Nodes, &Node{List: []any{true, 1.0}})
		d.Nodes[0].List = append(d.Nodes[0].List, Ref(i))
	}
	for range MaxValues - 3*(MaxTables-1) {
		d.Nodes[1].List = append(d.Nodes[1].List, 2.0)
	}
	if _, err := Decode([]byte(encode(t, d))); err != nil {
		t.Error(err)
	}
	d.Nodes[1].List = append(d.Nodes[1].List, 2.0)
	if _, err := Encode(d); err != ErrTooMany {
		t.Errorf("a value too many: %v", err)
	}
	d.Nodes[1].List = []any{Ref(MaxTables)}
	d.Nodes = append(d.Nodes, &Node{})
	if _, err := Encode(d); err != ErrTooMany {
		t.Errorf("a table too many: %v", err)
	}
}

// Whatever is in a file, reading it fails or yields what can be written and read again.
func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		text, err := Encode(random(r, 1+r.IntN(10)))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"format":1,"types":{"A":{"$mutate":true,"x":{"$number":"nan"}}},"data":{"$id":1,"a":{"$ref":1}},"more":[{"$id":3}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Decode(text)
		if err != nil {
			return
		}
		first, err := Encode(d)
		if err != nil {
			return
		}
		back, err := Decode(first)
		if err != nil {
			t.Fatalf("%v in\n%s", err, first)
		}
		if again, err := Encode(back); err != nil || string(again) != string(first) {
			t.Fatalf("%v: written again:\n%s", err, cmp.Diff(string(first), string(again)))
		}
		for name, typ := range d.Types {
			if !typ.Same(back.Types[name]) {
				t.Fatalf("type %s: %v and %v", name, typ, back.Types[name])
			}
		}
	})
}
