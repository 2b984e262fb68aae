package kept_test

import (
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/lua/kept"
)

// A harness is a VM whose scripts return JSON.
type harness struct {
	t  *testing.T
	vm *lua.VM
}

func newHarness(t *testing.T) *harness {
	vm := lua.New(lua.Options{Dir: t.TempDir(), Timeout: wait.Patience, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(vm.Close)
	return &harness{t: t, vm: vm}
}

func (h *harness) run(code string) string {
	h.t.Helper()
	defer h.vm.Arm()()
	v, err := h.vm.Run("test", code)
	if err != nil {
		h.t.Fatalf("%s: %v", code, err)
	}
	return string(h.vm.JSON(v, 1<<16))
}

// keep keeps the global of a VM.
func keep(t testing.TB, vm *lua.VM, global string) *kept.Graph {
	t.Helper()
	k, err := vm.Keep(global, vm.Global(global))
	if err != nil {
		t.Fatal(err)
	}
	k.WalkAll()
	return k
}

// text is the file of what is kept.
func text(t testing.TB, k *kept.Graph) string {
	t.Helper()
	b, err := k.Snapshot().Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// data is the text without the declarations.
func data(t testing.TB, k *kept.Graph) string {
	t.Helper()
	_, data, _ := strings.Cut(text(t, k), "\n  \"data\": ")
	return strings.TrimSuffix(data, "\n}\n")
}

// read reads a text of another VM.
func read(t testing.TB, h *harness, text string) *kept.Data {
	t.Helper()
	d, err := h.vm.ReadKept([]byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return d
}

// wild changes a graph of objects in every way that occurs to it. wild.step(n) makes n changes.
const wild = `
Base = session:prototype("Base", { name = "", n = 0 })
Thing = session:prototype("Thing", { flag = false, due = EMPTY, list = EMPTY }, Base)
root = Thing:new({ list = {} })
local seed = SEED
local function random(n) seed = (seed * 16807) % 2147483647 return seed % n + 1 end
local all = { root, root.list }
local names = { "name", "n", "flag", "due", "list", "extra", "_private", "_other", "type", "$x", "a b", "\255", "ü", "" }
local function scalar()
    local list = { "", "x", "\0", "\255\254", "ü", 0, -1, 1.5, 2^53, 1e300, 1/0, -1/0, true, false, ui.json_null, "text" .. random(1000), random(1000000) }
    return list[random(#list)]
end
local function value()
    local r = random(10)
    if r <= 5 then return scalar() end
    if r == 6 then return nil end
    if r <= 8 then return all[random(#all)] end
    local new = random(2) == 1 and Thing:new() or {}
    if random(8) == 1 then new = ui.json_decode("{}") end
    if random(8) == 1 then new = Base:new({ n = random(9) }) end
    table.insert(all, new)
    return new
end
local keys = { -1, 0, 0.5, true, false, 1e10 }
function step(n)
    for i = 1, n do
        local t, r = all[random(#all)], random(9)
        if r <= 4 then t[names[random(#names)]] = value()
        elseif r == 5 then table.insert(t, (value()))
        elseif r == 6 then table.remove(t, random(#t + 1))
        elseif r == 7 then t[random(6)] = value()
        elseif r == 8 then
            local key = keys[random(#keys)]
            if TABLES and random(4) == 1 then key = all[random(#all)] end
            t[key] = value()
        else
            local p, q = names[random(#names)], names[random(#names)]
            t[p], t[q] = t[q], t[p]
        end
        if #all > 60 then table.remove(all, 2 + random(#all - 2)) end
        if random(50) == 1 then t._private, t.extra = nil, 1 end
    end
end
`

// However the graph of objects changes, following it finds what looking at all of it finds; and
// what was read from the file is what was written.
func TestKeepRandomGraphs(t *testing.T) {
	for seed := range 8 {
		h := newHarness(t)
		// Tables that are keys have the order in which they were added, which a table that is
		// changed in place does not get from a file.
		tables := seed%2 == 0
		code := strings.NewReplacer("SEED", fmt.Sprint(seed+1), "TABLES", fmt.Sprint(tables)).Replace(wild)
		h.run(code)
		k := keep(t, h.vm, "root")
		other := newHarness(t)
		other.run(code)
		copied := keep(t, other.vm, "root")
		copied.Restore(read(t, other, text(t, k)), true)
		for round := range 25 {
			version, before := k.Version(), data(t, k)
			h.run(fmt.Sprintf("step(%d)", []int{0, 1, 3, 40}[round%4]))
			k.WalkAll()
			got := data(t, k)
			if k.Version() == version && got != before {
				t.Fatalf("seed %d, round %d: another text and the same version", seed, round)
			}
			if round%4 == 0 && k.Version() != version {
				t.Fatalf("seed %d, round %d: nothing has changed but the version", seed, round)
			}
			fresh := keep(t, h.vm, "root")
			if diff := cmp.Diff(ungone(data(t, fresh)), ungone(got)); diff != "" {
				t.Fatalf("seed %d, round %d: looking at everything (-) and following (+):\n%s", seed, round, diff)
			}
			// Into a new session, and into one that has an earlier version.
			again := newHarness(t)
			again.run(code)
			r := keep(t, again.vm, "root")
			r.Restore(read(t, again, text(t, k)), true)
			r.WalkAll()
			if diff := cmp.Diff(got, data(t, r)); diff != "" {
				t.Fatalf("seed %d, round %d: restored:\n%s", seed, round, diff)
			}
			copied.Restore(read(t, other, text(t, k)), false)
			copied.WalkAll()
			if diff := cmp.Diff(got, data(t, copied)); diff != "" && !tables {
				t.Fatalf("seed %d, round %d: read again:\n%s", seed, round, diff)
			}
		}
	}
}

// ungone is a text without the names that the root no longer has: who looks for the first time does
// not know them.
func ungone(text string) string {
	text = nulls.ReplaceAllString(text, "")
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(", \n", r) {
			return -1
		}
		return r
	}, text)
}

var nulls = regexp.MustCompile(`"(?:[^"\\]|\\.)*": null`)

// A walk in many steps finds what one in a single step finds.
func TestKeepInSteps(t *testing.T) {
	h := newHarness(t)
	h.run(`root = { rows = {} } for i = 1, 1000 do root.rows[i] = { n = i } end`)
	k := keep(t, h.vm, "root")
	h.run(`root.rows[1000].n = 0 root.rows[1].n = 2 table.remove(root.rows, 500)`)
	steps := 1
	k.Restart()
	for ; !k.Walk(func() bool { return false }); steps++ {
	}
	if steps < 10 {
		t.Errorf("%d steps", steps)
	}
	if diff := cmp.Diff(data(t, keep(t, h.vm, "root")), data(t, k)); diff != "" {
		t.Error(diff)
	}
}

func TestKeptText(t *testing.T) {
	h := newHarness(t)
	h.run(`
Expense = session:prototype("Expense", { amount = 0, note = "", tags = {}, due = EMPTY, f = function() end, mutate = function() end })
Expenses = session:prototype("Expenses", { draft = "", ["$price"] = 0/0 })
local zero = 0
local cake = Expense:new({ amount = 1e300, _private = 1 })
local lunch = Expense:new({ amount = 12.5, note = "Lunch\n\"big\"", tags = { "food", true, nil, 3 } })
local strange = { 1, ["$price"] = "a\255", ["\254"] = 0/0, [false] = ui.json_null }
root = Expenses:new({ draft = "Lun", empty = {}, object = ui.json_decode("{}"), gone = 1, items = { lunch, cake }, selected = cake, strange = strange })
root.huge, root.zero, strange[-1] = { [1e6] = 2^53 }, -zero, root`)
	k := keep(t, h.vm, "root")
	h.run(`root.gone = nil`)
	k.WalkAll()
	const want = `{
  "format": 1,
  "types": {
    "Expense": {"$mutate": true, "amount": 0, "due": null, "note": "", "tags": []},
    "Expenses": {"$$price": {"$number": "nan"}, "draft": ""}
  },
  "data": {
    "$id": 1,
    "$type": "Expenses",
    "draft": "Lun",
    "empty": [],
    "huge": {"$pairs": [[1000000, 9007199254740992]]},
    "items": [
      {
        "$type": "Expense",
        "amount": 12.5,
        "note": "Lunch\n\"big\"",
        "tags": {"$list": ["food", true], "$pairs": [[4, 3]]}
      },
      {"$id": 2, "$type": "Expense", "amount": 1e+300}
    ],
    "object": {},
    "selected": {"$ref": 2},
    "strange": {
      "$list": [
        1
      ],
      "$pairs": [
        [-1, {"$ref": 1}],
        [false, {"$null": true}],
        [{"$bytes": "/g=="}, {"$number": "nan"}]
      ],
      "$$price": {"$bytes": "Yf8="}
    },
    "zero": -0,
    "gone": null
  }
}
`
	if diff := cmp.Diff(want, text(t, k)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A chain of any length can be kept: it does not nest without end.
func TestKeptLongChain(t *testing.T) {
	const make = `Base, Thing = nil, nil root = {} local at = root for i = 1, 20000 do at.next = { n = i } at = at.next end`
	h, other := newHarness(t), newHarness(t)
	h.run(make)
	other.run(`root = {}`)
	want := text(t, keep(t, h.vm, "root"))
	k := keep(t, other.vm, "root")
	k.Restore(read(t, other, want), true)
	k.WalkAll()
	if text(t, k) != want {
		t.Error("the chain is another one")
	}
}

// Data that are too many or too long are not written; a file of any content is read within bounded
// memory, however short its values are.
func TestKeptTooMany(t *testing.T) {
	load.Long(t, "TestReadKeptErrors reads files that are refused, and TestKeepTooLarge of ui writes them")
	h := newHarness(t)
	for what, element := range map[string]string{"lists": "[]", "nested": strings.Repeat("[", 400) + strings.Repeat("]", 400)} {
		list := strings.Repeat(element+",", (kept.Max/2)/(len(element)+1))
		_, err := h.vm.ReadKept([]byte(`{"format":1,"data":{"$id":1,"a":[` + strings.TrimSuffix(list, ",") + `]}}`))
		if err == nil || !strings.Contains(err.Error(), "it has more than a million tables") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestReadKeptErrors(t *testing.T) {
	h := newHarness(t)
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
		`{"format": 1, "data": {"$ref": 1}}`:   "nothing has the $id 1",
		`{"format": 1, "data": [{"$ref": 1}]}`: "nothing has the $id 1",
		`{"format": 1, "data": [{"$id": 1}, {"$id": 1}]}`:                                    "twice",
		`{"format": 1, "data": {"a": 1, "a": 2}}`:                                            `"a" is there twice`,
		`{"format": 1, "data": {"$$a": 1, "$$a": 2}}`:                                        `"$a" is there twice`,
		`{"format": 1, "data": {"$x": 1}}`:                                                   "$x",
		`{"format": 1, "data": {"$bytes": "AA=="}}`:                                          "must be an object or a list",
		`{"format": 1, "data": [{"$bytes": 1}]}`:                                             "$bytes",
		`{"format": 1, "data": [{"$number": "1"}]}`:                                          "$number",
		`{"format": 1, "data": [{"$bytes": "AA==", "a": 1}]}`:                                "nothing else",
		`{"format": 1, "data": {"$type": 1}}`:                                                `"$type" cannot be 1 here`,
		`{"format": 1, "data": {"$pairs": [[1]]}}`:                                           "a key and a value",
		`{"format": 1, "data": {"$pairs": [[1, 2], [1, 3]]}}`:                                "twice",
		`{"format": 1, "data": {"$pairs": [[{"$number":"nan"}, 2]]}}`:                        "a key and a value",
		"{\"format\": 1, \"data\": [\n9007199254740993]}":                                    "line 2: the number 9007199254740993 cannot be kept exactly",
		`{"format": 1, "data": [-18446744073709551615]}`:                                     "cannot be kept exactly",
		`{"format": 1, "data": {"$was": 1}}`:                                                 "must be an object",
		`{"format": 1, "data": [1e999]}`:                                                     "too large",
		`{"format": 1, "data": [], "other": 1}`:                                              `"other" is unknown`,
		`{"format": 1, "data": [], "data": []}`:                                              `"data" is there twice`,
		"{\"format\": 1, \"data\": [\n\"\xff\"]}":                                            "line 2: it is not UTF-8",
		`{"format": 1, "data": ` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`: "nested more than",
	} {
		_, err := h.vm.ReadKept([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %q", text, err, want)
		}
	}
}

// Whatever is in a file, reading it fails or yields what can be written and read again.
func FuzzReadKept(f *testing.F) {
	f.Add(`{"format":1,"types":{"A":{"$mutate":true,"x":{"$number":"nan"}}},"data":{"$id":1,"a":{"$ref":1}},"more":[{"$id":3}]}`)
	f.Add(`{"format":1,"data":{"$type":"A","$was":{"$$x":[]},"$pairs":[[{"$ref":2},{"$bytes":"AA=="}]],"$list":[null,{"$id":2}],"n":null}}`)
	f.Fuzz(func(t *testing.T, content string) {
		h := newHarness(t)
		h.run(`root, again = {}, {}`)
		d, err := h.vm.ReadKept([]byte(content))
		if err != nil || d.Type() != "" {
			return
		}
		k := keep(t, h.vm, "root")
		k.Restore(d, true)
		k.WalkAll()
		first := text(t, k)
		r := keep(t, h.vm, "again")
		r.Restore(read(t, h, first), true)
		r.WalkAll()
		if diff := cmp.Diff(first, text(t, r)); diff != "" {
			t.Fatalf("written again:\n%s", diff)
		}
	})
}
