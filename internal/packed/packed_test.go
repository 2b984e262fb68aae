package packed

import (
	"embed"
	"io"
	"io/fs"
	"testing"
	"testing/fstest"
)

//go:embed testdata/good
var good embed.FS

//go:embed testdata/damaged
var damaged embed.FS

// A file system of compressed files and others is as one that was never compressed.
func TestFS(t *testing.T) {
	f := New(good)
	if err := fstest.TestFS(f, "testdata/good/plain.txt", "testdata/good/folder/script.js", "testdata/good/folder/empty.css"); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{
		"testdata/good/plain.txt": "as it is\n", "testdata/good/folder/script.js": "let a = 1;\n", "testdata/good/folder/empty.css": "",
	} {
		if got, err := f.ReadFile(name); string(got) != want || err != nil {
			t.Errorf("%s is %q (%v), want %q", name, got, err, want)
		}
		if info, err := fs.Stat(f, name); err != nil || info.Size() != int64(len(want)) {
			t.Errorf("%s: %v, %v; want %d bytes", name, info, err, len(want))
		}
	}
	file, err := f.Open("testdata/good/folder/script.js")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.(io.Seeker).Seek(4, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(file); string(rest) != "a = 1;\n" || err != nil {
		t.Errorf("from the fifth byte on, it is %q (%v)", rest, err)
	}
	if _, err := New(damaged).ReadFile("testdata/damaged/cut.js"); err == nil {
		t.Error("a damaged file can be read")
	}
}
