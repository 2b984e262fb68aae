package attaching

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
)

// A session is not created in another directory because this one is gone.
func TestCreateInDirectoryThatIsGone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a directory in use cannot be removed")
	}
	dir := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	for name, refused := range map[string]bool{"": true, "s": true, "build1/s": false} {
		if n, err := new(sessionFlags).create(caller.Env{}, name); refused != (fault.KindOf(err) == fault.Precondition) {
			t.Errorf("%q: %+v, %v", name, n, err)
		}
	}
}
