package machine_test

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"ui-mcp/internal/machine"
)

func TestCPUs(t *testing.T) {
	if n := machine.CPUs(); n < 1 || n > runtime.NumCPU() {
		t.Errorf("%d processors of %d", n, runtime.NumCPU())
	}
}

// The load is that which the system's own file has, before or after it.
func TestLoad(t *testing.T) {
	if runtime.GOOS != "linux" {
		load, ok := machine.Load()
		if ok != (runtime.GOOS == "darwin") || load < 0 {
			t.Errorf("%v, %t", load, ok)
		}
		return
	}
	inFile := func() float64 {
		t.Helper()
		b, err := os.ReadFile("/proc/loadavg")
		if err != nil {
			t.Skip(err)
		}
		first, _, _ := strings.Cut(string(b), " ")
		load, err := strconv.ParseFloat(first, 64)
		if err != nil {
			t.Fatal(err)
		}
		return load
	}
	before := inFile()
	load, ok := machine.Load()
	after := inFile()
	const rounding = 0.011
	if !ok || load < min(before, after)-rounding || load > max(before, after)+rounding {
		t.Errorf("%v, %t, the file has %v and then %v", load, ok, before, after)
	}
}
