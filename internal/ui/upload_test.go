package ui_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui"
)

var uploadFiles = map[string]string{
	"apps/a/app.lua": `
Stop = session:prototype("Stop", { name = "", photo = EMPTY, percent = EMPTY })
Trip = session:prototype("Trip", { stop = EMPTY, files = EMPTY, log = "", percent = EMPTY })
function Trip:add(file)
  if file.name == "refused.txt" then error("not this one") end
  table.insert(self.files, file)
end
function Trip:parts()
  local f = io.open(self.files[1].path, "rb")
  local n, text = 0, f:read(65536)
  while text do n, text = n + #text, f:read(65536) end
  return n
end
if not session.reloading then
  a = Trip:new({ files = {}, stop = Stop:new({ name = "Gate" }) })
end`,
	"apps/a/viewdefs/Trip.DEFAULT.html": `<template><div><input type="file" multiple ui-value="add(_)?upload&progress=percent">
	<progress ui-value="percent" max="100"></progress><div ui-view="stop"></div></div></template>`,
	"apps/a/viewdefs/Stop.DEFAULT.html": `<template><p><input type="file" ui-value="photo?upload"></p></template>`,
}

// upload sends a file to a binding as a page does that displays what there is.
func (w *world) upload(ctx context.Context, binding, epoch, name string, size int64, body io.Reader) error {
	what := ui.Sending{Epoch: epoch, Seen: 1 << 40, Name: name, Type: "text/plain", Size: size}
	if _, err := fmt.Sscanf(binding, "%d,%d", &what.Instance, &what.Slot); err != nil {
		w.t.Fatal(err)
	}
	return w.session.Upload(ctx, what, body)
}

// uploaded returns the names in the folder of uploads.
func (w *world) uploaded() []string {
	entries, err := os.ReadDir(filepath.Join(w.dir, "data", "uploads"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		w.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func (w *world) shows() (add, photo, epoch string) {
	w.t.Helper()
	w.display("a")
	p := w.connect()
	return w.binding("value", "add(_)"), w.binding("value", "photo"), p.take()[0].Epoch
}

// Two files of one name that arrive at once are two files. The app learns how much there is of one,
// reads them in parts, and gets their names as they were.
func TestUploads(t *testing.T) {
	w := newWorld(t, uploadFiles)
	add, photo, epoch := w.shows()
	const size = 3 << 20
	half := bytes.Repeat([]byte("x"), size/2)
	ended := make(chan error, 2)
	var sends [2]*io.PipeWriter
	for i := range sends {
		body, send := io.Pipe()
		sends[i] = send
		go func() { ended <- w.upload(w.t.Context(), add, epoch, "a/Köln*.txt", size, body) }()
		if _, err := send.Write(half); err != nil {
			t.Fatal(err)
		}
	}
	w.until("half is there", func() bool {
		for _, send := range sends { // the app learns of it at the next byte
			_, _ = send.Write(half[:1])
		}
		percent, _ := w.run("return a.percent")
		return percent == "50"
	})
	w.gives("files before they are whole", "return #a.files", "0")
	for _, name := range w.uploaded() {
		if !strings.HasSuffix(name, ".ui-mcp.part") {
			t.Errorf("%s has its name before it is whole", name)
		}
	}
	for _, send := range sends {
		_ = send.CloseWithError(errors.New("the connection broke"))
	}
	for range sends {
		if err := <-ended; fault.KindOf(err) != fault.Exhausted || !strings.Contains(err.Error(), "the file was not kept: the connection broke") {
			t.Errorf("an upload that was cut: %v", err)
		}
	}
	w.until("nothing is on its way", func() bool { percent, _ := w.run("return a.percent"); return percent == "null" })
	if left := w.uploaded(); left != nil {
		t.Errorf("%v is left", left)
	}
	for range 2 {
		if err := w.upload(t.Context(), add, epoch, `a\b/Köln*.txt`, size, io.LimitReader(zeros{}, size)); err != nil {
			t.Fatal(err)
		}
	}
	w.gives("the app got", `local one, two = unpack(a.files)
		return {#a.files, one.name, one.mime, two.size, a:parts(), one.path ~= two.path, a.percent == nil}`,
		fmt.Sprintf(`[2,"a\\b/Köln*.txt","text/plain",%d,%[1]d,true,true]`, size))
	for _, name := range w.uploaded() {
		if _, rest, _ := strings.Cut(name, "-"); rest != "Köln_.txt" {
			t.Errorf("the file is called %s", name)
		}
	}
	// The field that holds a file displays its name.
	if err := w.upload(t.Context(), photo, epoch, "gate.png", 1, strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	if text := w.inspect(ui.Inspection{}); !strings.Contains(text, "gate.png") {
		t.Errorf("the page shows %s", text)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// A file goes to the object that the person saw, also if the view shows another one when it has
// arrived; and to none if it showed another one when they chose it.
func TestUploadBelongsToItsObject(t *testing.T) {
	w := newWorld(t, uploadFiles)
	_, photo, epoch := w.shows()
	body, send := io.Pipe()
	ended := make(chan error)
	go func() { ended <- w.upload(t.Context(), photo, epoch, "gate.png", 2, body) }()
	_, _ = send.Write([]byte("x"))
	w.run(`gate, a.stop = a.stop, Stop:new({ name = "Tower" })`)
	_, _ = send.Write([]byte("y"))
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	w.gives("the file went to", `return {gate.photo.name, a.stop.photo == nil}`, `["gate.png",true]`)
	before := len(w.uploaded())
	var what ui.Sending
	if _, err := fmt.Sscanf(w.binding("value", "photo"), "%d,%d", &what.Instance, &what.Slot); err != nil {
		t.Fatal(err)
	}
	what.Epoch, what.Size = epoch, 1 // Seen is 0: before the view showed the tower
	if err := w.session.Upload(t.Context(), what, strings.NewReader("x")); fault.KindOf(err) != fault.Gone {
		t.Errorf("to an object that was not displayed: %v", err)
	}
	if err := w.upload(t.Context(), w.binding("value", "photo"), "other", "x", 1, strings.NewReader("x")); fault.KindOf(err) != fault.Gone {
		t.Errorf("to another life of the session: %v", err)
	}
	if n := len(w.uploaded()); n != before {
		t.Errorf("there are %d files, and were %d", n, before)
	}
}

// What is refused, is cut or ends in the middle is told, and leaves nothing.
func TestUploadsInVain(t *testing.T) {
	w := newWorld(t, uploadFiles)
	add, _, epoch := w.shows()
	cancelled, cancel := context.WithCancel(t.Context())
	for name, c := range map[string]struct {
		ctx  context.Context
		to   string
		file string
		size int64
		body io.Reader
		want string
	}{
		"too large":         {t.Context(), add, "a", ui.MaxUpload + 1, zeros{}, "at most 100 MiB"},
		"shorter than said": {t.Context(), add, "a", 3, strings.NewReader("ab"), "2 of 3 bytes"},
		"refused":           {t.Context(), add, "refused.txt", 1, strings.NewReader("x"), "not this one"},
		"no such binding":   {t.Context(), strings.Split(add, ",")[0] + ",99", "a", 1, strings.NewReader("x"), "takes no uploads"},
		"cancelled":         {cancelled, add, "a", 1 << 20, io.MultiReader(io.LimitReader(zeros{}, 1<<19), ends{cancel}, zeros{}), "cancel"},
	} {
		if err := w.upload(c.ctx, c.to, epoch, c.file, c.size, c.body); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if left := w.uploaded(); left != nil {
		t.Errorf("%v is left", left)
	}
	// The folder is full: what the app does not need must go first.
	full := filepath.Join(w.dir, "data", "uploads", "full")
	if err := os.WriteFile(full, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(full, 1<<30); err != nil {
		t.Fatal(err)
	}
	if err := w.upload(t.Context(), add, epoch, "a", 1, strings.NewReader("x")); fault.KindOf(err) != fault.Exhausted || !strings.Contains(err.Error(), "data/uploads may hold 1024 MiB") {
		t.Errorf("into a full folder: %v", err)
	}
	// The session ends in the middle; what a killed server has left goes when the next one starts.
	body, send := io.Pipe()
	ended := make(chan error)
	_ = os.Remove(full)
	go func() { ended <- w.upload(t.Context(), add, epoch, "a", 2, body) }()
	_, _ = send.Write([]byte("x"))
	w.engine.Close()
	_, _ = send.Write([]byte("y"))
	if err := <-ended; fault.KindOf(err) != fault.Gone {
		t.Errorf("after the session has ended: %v", err)
	}
	w.killed()
	w.start()
	if left := w.uploaded(); left != nil {
		t.Errorf("%v is left", left)
	}
}

// killed leaves what a killed server was receiving, and which would leave no room. It returns its
// path.
func (w *world) killed() string {
	w.t.Helper()
	w.write("data/uploads/abc-b.txt.ABCDEFGH.ui-mcp.part", "half")
	path, old := filepath.Join(w.dir, "data", "uploads", "abc-b.txt.ABCDEFGH.ui-mcp.part"), time.Now().Add(-time.Hour)
	if err := errors.Join(os.Truncate(path, 1<<30), os.Chtimes(path, old, old)); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// What a killed server was receiving goes when there is another upload, if the server that started
// could not yet tell; what another server may be receiving stays. Only the person reads it all.
func TestUploadsAfterAKilledServer(t *testing.T) {
	w := newWorld(t, uploadFiles)
	add, _, epoch := w.shows()
	path := w.killed()
	paused := filepath.Join(filepath.Dir(path), "abc-c.txt.ABCDEFGH.ui-mcp.part")
	ago := time.Now().Add(-2 * time.Minute)
	if err := errors.Join(os.WriteFile(paused, nil, 0o600), os.Chtimes(paused, ago, ago)); err != nil {
		t.Fatal(err)
	}
	own := "mine.ABCDEFGH.ui-mcp.part"
	if err := w.upload(t.Context(), add, epoch, own, 1, strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	for _, name := range w.uploaded() {
		file := filepath.Join(filepath.Dir(path), name)
		info, err := os.Stat(file)
		if err != nil || runtime.GOOS != "windows" && file != paused && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
		if file != paused {
			if err := os.Chtimes(file, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.engine.Close()
	w.start()
	if left := w.uploaded(); len(left) != 2 {
		t.Errorf("there are %v", left)
	}
}

// The problem of an upload goes away with the next one that works.
func TestUploadWorksAgain(t *testing.T) {
	w := newWorld(t, uploadFiles)
	add, _, epoch := w.shows()
	for _, tt := range []struct {
		name string
		want int
	}{{"refused.txt", 1}, {"a.txt", 0}} {
		_ = w.upload(t.Context(), add, epoch, tt.name, 1, strings.NewReader("x"))
		if list, err := w.session.Problems(t.Context()); err != nil || len(list) != tt.want {
			t.Errorf("after %s: %v, %v", tt.name, list, err)
		}
	}
}

type ends struct{ cancel func() }

func (e ends) Read([]byte) (int, error) { e.cancel(); return 0, io.EOF }

// Whatever a file is called, it stays in its folder, under a name that each system takes.
func TestNamesOfUploads(t *testing.T) {
	w := newWorld(t, uploadFiles)
	add, _, epoch := w.shows()
	for name, want := range map[string]string{
		"../../etc/passwd":               "passwd",
		`C:\Users\x\nul`:                 "nul",
		"a/..":                           "",
		"..":                             "",
		"":                               "",
		"con.txt. ":                      "con.txt",
		"a\x00b\nc\u202egnp.exe":         "a_b_c_gnp.exe",
		"\xff\xfe.bin":                   "_.bin",
		".htaccess":                      ".htaccess",
		"a／b∕c.txt":                      "a／b∕c.txt",
		`<>:"|?*`:                        "_______",
		strings.Repeat("ü", 300) + ".md": strings.Repeat("ü", 50) + ".md",
		"x." + strings.Repeat("y", 300):  "x." + strings.Repeat("y", 98),
	} {
		if err := w.upload(t.Context(), add, epoch, name, 1, strings.NewReader("x")); err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		names := w.uploaded()
		if len(names) != 1 {
			t.Fatalf("%q: there are %q", name, names)
		}
		if _, got, _ := strings.Cut(names[0], "-"); got != want {
			t.Errorf("%q became %q, want %q", name, got, want)
		}
		if err := os.Remove(filepath.Join(w.dir, "data", "uploads", names[0])); err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(t.TempDir(), "outside")
	if err := errors.Join(os.Mkdir(outside, 0o700), os.RemoveAll(filepath.Join(w.dir, "data")), os.Symlink(outside, filepath.Join(w.dir, "data"))); err != nil {
		t.Skip(err) // Windows needs a right for links
	}
	if err := w.upload(t.Context(), add, epoch, "a", 1, strings.NewReader("x")); err == nil {
		t.Error("a link led out of the base directory")
	}
}
