package chunk

import (
	"context"
	"math"
	"runtime"
	"strings"
	"testing"
)

// Compiling allocates about what is expected.
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
		bytes := 0
		for tok := range tokens(strings.NewReader(src), "test") {
			bytes += cost(tok)
		}
		// About a half of it is garbage, which the estimate does not include.
		if took := int(after.TotalAlloc - before.TotalAlloc); took > 2*bytes || took < bytes/8 {
			t.Errorf("%s: %d bytes, expected about %d", name, took, bytes)
		}
	}
}

// Brackets that were closed take no more than other tokens: a file of data may have many rows.
func TestManyRows(t *testing.T) {
	src := "return {" + strings.Repeat(`{id=1,name="x",done=true},`, 100_000) + "}"
	if err := check(limited{unlimited{t.Context()}}, "data", src); err != nil {
		t.Error(err)
	}
}

type limited struct{ unlimited }

func (limited) Memory() uint64 { return 512 << 20 }

type unlimited struct{ context.Context }

func (unlimited) Done() <-chan struct{} { return nil }
func (unlimited) Memory() uint64        { return math.MaxUint64 }
func (unlimited) Charge(int) error      { return nil }
