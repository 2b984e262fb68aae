package lua_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"ui-mcp/internal/ui/keep"
	"ui-mcp/internal/ui/lua"
)

// kept keeps the global of a VM.
func kept(t testing.TB, vm *lua.VM, global string) *lua.Kept {
	t.Helper()
	k, err := vm.Keep(global, vm.Global(global), func(func(*lua.Kept) bool) {})
	if err != nil {
		t.Fatal(err)
	}
	k.WalkAll()
	return k
}

// text is the file of what is kept.
func text(t testing.TB, k *lua.Kept) string {
	t.Helper()
	b, err := keep.Encode(k.Snapshot().Document())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// data is the text without the declarations.
func data(t testing.TB, k *lua.Kept) string {
	t.Helper()
	_, data, _ := strings.Cut(text(t, k), "\n  \"data\": ")
	return strings.TrimSuffix(data, "\n}\n")
}

func decode(t testing.TB, text string) *keep.Document {
	t.Helper()
	d, err := keep.Decode([]byte(text))
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
		h := newHarness(t, nil)
		// Tables that are keys have the order in which they were added, which a table that is
		// changed in place does not get from a file.
		tables := seed%2 == 0
		code := strings.NewReplacer("SEED", fmt.Sprint(seed+1), "TABLES", fmt.Sprint(tables)).Replace(wild)
		h.run(code)
		k := kept(t, h.vm, "root")
		other := newHarness(t, nil)
		other.run(code)
		copied := kept(t, other.vm, "root")
		copied.Restore(decode(t, text(t, k)), true)
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
			fresh := kept(t, h.vm, "root")
			if diff := cmp.Diff(ungone(data(t, fresh)), ungone(got)); diff != "" {
				t.Fatalf("seed %d, round %d: looking at everything (-) and following (+):\n%s", seed, round, diff)
			}
			// Into a new session, and into one that has an earlier version.
			again := newHarness(t, nil)
			again.run(code)
			r := kept(t, again.vm, "root")
			r.Restore(decode(t, text(t, k)), true)
			r.WalkAll()
			if diff := cmp.Diff(got, data(t, r)); diff != "" {
				t.Fatalf("seed %d, round %d: restored:\n%s", seed, round, diff)
			}
			copied.Restore(decode(t, text(t, k)), false)
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
	h := newHarness(t, nil)
	h.run(`root = { rows = {} } for i = 1, 1000 do root.rows[i] = { n = i } end`)
	k := kept(t, h.vm, "root")
	h.run(`root.rows[1000].n = 0 root.rows[1].n = 2 table.remove(root.rows, 500)`)
	steps := 1
	k.Restart()
	for ; !k.Walk(func() bool { return false }); steps++ {
	}
	if steps < 10 {
		t.Errorf("%d steps", steps)
	}
	if diff := cmp.Diff(data(t, kept(t, h.vm, "root")), data(t, k)); diff != "" {
		t.Error(diff)
	}
}
