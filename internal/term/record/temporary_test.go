package record_test

import (
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/record"
)

// Several recordings have as many bytes together as their budget allows.
func TestBudget(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	budget := record.NewBudget(10)
	temporary := func() *record.Temporary {
		t.Helper()
		f, err := record.NewTemporary(10, budget)
		must(t, err)
		return f
	}
	write := func(f *record.Temporary, text string, ok bool) {
		t.Helper()
		if _, err := f.Write([]byte(text)); err == nil != ok || err != nil && fault.KindOf(err) != fault.Exhausted {
			t.Errorf("write %q: %v", text, err)
		}
	}
	a, b := temporary(), temporary()
	write(a, "123456", true)
	write(b, "12345", false)
	write(b, "1234", true)
	if _, err := record.NewTemporary(10, budget); fault.KindOf(err) != fault.Exhausted {
		t.Errorf("without room: %v", err)
	}
	must(t, a.Close())
	write(b, "1234567", false)
	write(b, "123456", true)
	write(b, "1", false)
	must(t, b.Close())
}

// Of many events that are written at once, those that fit are recorded, as whole lines.
func TestTemporaryKeepsWholeLines(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for name, tt := range map[string]struct{ most, budget int64 }{
		"own limit": {10, 1000}, "budget": {1000, 10},
	} {
		t.Run(name, func(t *testing.T) {
			budget := record.NewBudget(tt.budget)
			f, err := record.NewTemporary(tt.most, budget)
			must(t, err)
			defer f.Close()
			if n, err := f.Write([]byte("12\n345\n678\n")); n != 7 || fault.KindOf(err) != fault.Exhausted {
				t.Errorf("%d bytes, %v", n, err)
			}
			if n, err := f.Write([]byte("abcd")); n != 0 || fault.KindOf(err) != fault.Exhausted {
				t.Errorf("a line that is too long: %d bytes, %v", n, err)
			}
			if n, err := f.Write([]byte("90\n")); n != 3 || err != nil {
				t.Errorf("what is left: %d bytes, %v", n, err)
			}
			b := make([]byte, 20)
			if n, _ := f.ReadAt(b, 0); string(b[:n]) != "12\n345\n90\n" {
				t.Errorf("read %q", b[:n])
			}
		})
	}
}
