package record_test

import (
	"os"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/record"
)

func TestTemporary(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f, err := record.NewTemporary(10)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("12345678")); err != nil {
		t.Error(err)
	}
	if n, err := f.Write([]byte("abc")); n != 0 || fault.KindOf(err) != fault.Exhausted {
		t.Errorf("beyond the limit: %d, %v", n, err)
	}
	b := make([]byte, 20)
	if n, err := f.ReadAt(b, 6); string(b[:n]) != "78" || err != nil {
		t.Errorf("read %q, %v", b[:n], err)
	}
	if f.Size() != 8 {
		t.Errorf("%d bytes", f.Size())
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if files, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(files) != 0 {
		t.Errorf("left behind: %v, %v", files, err)
	}
}
