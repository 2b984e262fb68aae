package lua

import (
	"log/slog"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"ui-mcp/internal/ui/lua/kept"
)

// Restored objects of types that are not declared are not looked at after each call: only the
// others count as pending, also when code has failed.
func TestStrangersAreNotPending(t *testing.T) {
	vm := New(Options{Dir: t.TempDir(), Timeout: time.Minute, Log: slog.New(slog.DiscardHandler)})
	defer vm.Close()
	defer vm.Arm()()
	var tables []*lua.LTable // so that none is gone
	for range 3 * 64 {
		tb := vm.state.NewTable()
		tables = append(tables, tb)
		types{vm}.Restored(tb, "Ghost", kept.Declaration{"x": "1"}, true)
		types{vm}.Restored(tb, "Ghost", kept.Declaration{"x": "1"}, true) // in place of the former
	}
	for _, step := range []struct {
		code           string
		pending, total int
	}{
		{`x = 1`, 0, len(tables)},
		{`Ghost = session:prototype("Other", {}) error("no")`, 0, len(tables)},
		{`Ghost = session:prototype("Ghost", { y = 1 }) function Ghost:mutate() if wait then error("later") end end wait = true`, len(tables), len(tables)},
		{`wait = false Ghost = session:prototype("Ghost", { y = 2 })`, len(tables), len(tables)}, // a failure waits for its file
	} {
		_, _ = vm.Run("test", step.code) // what fails is meant to
		if vm.pending != step.pending || len(vm.outdated) != step.total {
			t.Errorf("after %s: %d of %d are pending, want %d of %d", step.code, vm.pending, len(vm.outdated), step.pending, step.total)
		}
	}
	if err := vm.migrate(true, false); err != nil || vm.pending != 0 || len(vm.outdated) != 0 {
		t.Errorf("migrated in the end: %v; %d of %d are pending", err, vm.pending, len(vm.outdated))
	}
}
