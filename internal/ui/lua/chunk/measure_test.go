package chunk

import (
	"context"
	"math"
	"runtime"
	"strings"
	"testing"
)

// Compiling allocates about what measure expects.
func TestCompileMemory(t *testing.T) {
	const n = 20_000
	for name, src := range map[string]string{
		"numbers":     "return {" + strings.Repeat("1,", n) + "}",
		"strings":     "return {" + strings.Repeat("'',", n) + "}",
		"fields":      "return {" + strings.Repeat("a=1,", n) + "}",
		"tables":      "return {" + strings.Repeat("{},", n) + "}",
		"assignments": strings.Repeat("a=a ", n),
		"calls":       strings.Repeat("f() ", n),
		"blocks":      strings.Repeat("do end ", n),
		"locals":      strings.Repeat("do local a,b=1,2 end ", n),
		"branches":    strings.Repeat("if a then b() elseif c then d() end ", n),
		"functions":   strings.Repeat("f=function()end ", n/10),
		"methods":     strings.Repeat("function a:b() end ", n/10),
		"short joins": strings.Repeat("a=a..b..c..d ", n),
		"a long join": "return a" + strings.Repeat("..a", n),
		"long joins":  strings.Repeat("a=a"+strings.Repeat("..a", 1000)+" ", n/1000),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Compile(unlimited{t.Context()}, "test", src); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		runtime.ReadMemStats(&after)
		var m measure
		m.all(src)
		// About a half of it is garbage, which the estimate does not include.
		if took := int(after.TotalAlloc - before.TotalAlloc); took > 2*m.bytes() || took < m.bytes()/8 {
			t.Errorf("%s: %d bytes, expected about %d", name, took, m.bytes())
		}
	}
}

type unlimited struct{ context.Context }

func (unlimited) Done() <-chan struct{} { return nil }
func (unlimited) Memory() uint64        { return math.MaxUint64 }
func (unlimited) Charge(int) error      { return nil }

func (m *measure) all(src string) {
	for tok := range tokens(strings.NewReader(src), "test") {
		m.count(&tok)
	}
}

// Nesting is counted without the parser, and what only follows one another is not counted.
func TestNesting(t *testing.T) {
	const n = 5000
	rep := strings.Repeat
	for src, want := range map[string]int{
		rep("(", n): n, rep("{", n): n, rep("a[", n): n, rep("f(", n) + rep(")", n): n, rep("function() ", n): n + 1, rep("do ", n): n,
		rep("repeat ", n): n, rep("if a then ", n): n, rep("while a do ", n): n, "return " + rep("not ", n): n, "return " + rep("- ", n): n,
		"return " + rep("#", n): n, "return 2" + rep("^2", n): n, "return 2" + rep("^-2", n): 2 * n, rep("{-", n): 2 * n,
		rep("(a .. ", n): n,

		rep("() ", n): 1, rep("f(-1, -2) ", n): 2, "return -1" + rep(" + -1", n): 1, "return a" + rep(" - 1", n): 0, "return #a" + rep(" == #a", n): 1,
		"return {" + rep("-1, ", n) + "}": 2, rep("do end ", n): 1, rep("if a then b() elseif c then d() else e() end ", n): 2,
		rep("function f() return function() end end ", n): 3, rep("repeat f() until #a == 2 ", n): 2, rep("for i = 1, 2 do f(i) end ", n): 2,
		rep("x = 2^2 ", n): 1, "return a" + rep(" .. -a", n): 1, rep("'((((' --[[((((]] --((((\n", n): 0, rep("a = [==[((((]==] ", n): 0,
		rep(") ", n): 0, rep("a:b{c} ", n): 1, "return " + rep("true and -1 or ", n) + "nil": 1,
	} {
		var m measure
		deepest := 0
		for tok := range tokens(strings.NewReader(src), "test") {
			m.count(&tok)
			deepest = max(deepest, m.depth())
		}
		if deepest != want {
			t.Errorf("%.40s: %d deep, want %d", src, deepest, want)
		}
	}
}
