package chromium

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

func TestMain(m *testing.M) {
	if os.Getenv("BE_OWNER") != "" {
		beOwner()
	}
	goleak.VerifyTestMain(m)
}

// temp gives the test a temporary directory of its own for profiles.
func temp(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	return dir
}

// empty waits until nothing is left in a directory.
func empty(t *testing.T, dir string) {
	t.Helper()
	wait.Until(t, "nothing is left", func() bool {
		left, err := os.ReadDir(dir)
		return err == nil && len(left) == 0
	})
}

func program(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFind(t *testing.T) {
	path := program(t, "microsoft-edge", "")
	dir := filepath.Dir(path)
	t.Setenv("PATH", dir)
	t.Setenv(Variable, "")
	if got, err := Find("chromium", "microsoft-edge"); err != nil || got != path && !strings.HasPrefix(got, "/usr") {
		t.Errorf("Find = %q, %v", got, err)
	}
	t.Setenv(Variable, path)
	if got, err := Find("chromium"); err != nil || got != path {
		t.Errorf("with %s: %q, %v", Variable, got, err)
	}
	t.Setenv(Variable, dir)
	if _, err := Find("chromium"); fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), Variable) {
		t.Errorf("a folder: %v", err)
	}
	variable := func(name string) string {
		return map[string]string{"HOME": "/Users/ann", "ProgramFiles": `C:\Program Files`, "LocalAppData": `C:\Users\ann\AppData\Local`}[name]
	}
	for goos, want := range map[string]string{
		"darwin":  "/Users/ann/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
		"windows": `C:\Program Files\Microsoft\Edge\Application\msedge.exe`,
		"linux":   "/usr/bin/chromium",
	} {
		if list := places(goos, variable); !slices.Contains(list, want) {
			t.Errorf("%s: %q lacks %q", goos, list, want)
		}
	}
}

// Root alone goes without the sandbox.
func TestFlags(t *testing.T) {
	if got := slices.Contains(Flags(), "no-sandbox"); got != (os.Geteuid() == 0) {
		t.Errorf("no-sandbox: %t as user %d", got, os.Geteuid())
	}
}

// A browser starts for its first page, ends when it is idle, and starts again.
func TestIdle(t *testing.T) {
	dir := temp(t)
	b := New(Options{Idle: time.Millisecond})
	defer b.Close()
	for range 2 {
		events := make(chan string, 100)
		page, err := b.Page(t.Context(), func(method string, _ json.RawMessage) { events <- method })
		if err != nil {
			t.Fatal(err)
		}
		if info, err := filepath.Glob(filepath.Join(dir, profilePrefix+"*")); err != nil || len(info) != 1 {
			t.Errorf("profiles: %v, %v", info, err)
		}
		var sum struct {
			Result struct{ Value int }
		}
		if err := page.Call(t.Context(), "Runtime.evaluate", map[string]any{"expression": "1 + 1"}, &sum); err != nil || sum.Result.Value != 2 {
			t.Errorf("1 + 1 = %d, %v", sum.Result.Value, err)
		}
		if err := page.Call(t.Context(), "Runtime.nothing", nil, nil); err == nil || !strings.Contains(err.Error(), "Runtime.nothing") {
			t.Errorf("an unknown method: %v", err)
		}
		page.Close()
		empty(t, dir)
	}
}

// Callers that leave while a page opens, at whatever moment, do not end the browser of others.
func TestCallersThatLeave(t *testing.T) {
	temp(t)
	b := New(Options{})
	defer b.Close()
	page, err := b.Page(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	left := errors.New("the caller has left")
	for wait := time.Duration(0); wait < 20*time.Millisecond; wait = wait*3/2 + 10*time.Microsecond {
		ctx, cancel := context.WithTimeoutCause(t.Context(), wait, left)
		if p, err := b.Page(ctx, nil); err == nil {
			p.Close()
		} else if !errors.Is(err, left) {
			t.Errorf("after %v: %v", wait, err)
		}
		cancel()
	}
	if err := page.Call(t.Context(), "Runtime.evaluate", map[string]any{"expression": "1"}, nil); err != nil {
		t.Errorf("the page of another caller: %v", err)
	}
}

// What cannot be started says so, and leaves nothing.
func TestStartFails(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its programs are scripts")
	}
	dir := temp(t)
	for name, tt := range map[string]struct{ script, want string }{
		"ends":        {"#!/bin/sh\necho no library >&2\nexit 1\n", "it says: no library"},
		"no program":  {"", "does not start"},
		"no protocol": {"#!/bin/sh\nexec cat <&3 >/dev/null\n", "does not start"},
	} {
		path := program(t, "chromium", tt.script)
		b := New(Options{Find: func() (string, error) { return path, nil }})
		ctx, cancel := context.WithTimeoutCause(t.Context(), 2*time.Second, errors.New("does not start in time for the test"))
		if _, err := b.Page(ctx, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
		cancel()
		b.Close()
		empty(t, dir)
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "missing"))
	b := New(Options{})
	defer b.Close()
	if _, err := b.Page(t.Context(), nil); fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("no temporary folder: %v", err)
	}
}

// A long message costs in proportion to its length, however small the pieces in which it arrives.
func TestLongMessage(t *testing.T) {
	const long = 32 << 20
	c := &conn{ended: make(chan struct{}), waiting: map[int64]chan message{1: make(chan message, 1), 2: make(chan message, 1)}}
	all := `{"id":1,"result":"` + strings.Repeat("x", long) + "\"}\x00" + `{"id":2}` + "\x00"
	first, second := c.waiting[1], c.waiting[2]
	start := time.Now()
	c.read(pieces{strings.NewReader(all)})
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	if m := <-first; len(m.Result) != long+2 {
		t.Errorf("the long message has %d bytes", len(m.Result))
	}
	if m := <-second; m.ID != 2 {
		t.Errorf("the next one is %v", m)
	}
}

// pieces reads little at a time.
type pieces struct{ from io.Reader }

func (p pieces) Read(b []byte) (int, error) { return p.from.Read(b[:min(len(b), 1<<10)]) }

// beOwner is a process that has a browser until it is killed.
func beOwner() {
	page, err := New(Options{}).Page(context.Background(), nil)
	if err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
	_ = page
	os.Stderr.WriteString("ready\n")
	select {}
}

// A browser ends with its process, however that ends, and the next process removes its profile, but
// none that is in use.
func TestKilledOwner(t *testing.T) {
	load.Long(t, "TestSweep says what is left over")
	dir := temp(t)
	owner := exec.Command(os.Args[0])
	owner.Env = append(os.Environ(), "BE_OWNER=1")
	said, err := owner.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(said).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the browser does not run: %q, %v", line, err)
	}
	sweep()
	profiles, err := filepath.Glob(filepath.Join(dir, profilePrefix+"*"))
	if err != nil || len(profiles) != 1 {
		t.Fatalf("profiles: %v, %v", profiles, err)
	}
	_ = owner.Process.Kill()
	_ = owner.Wait()
	if runtime.GOOS == "linux" {
		wait.Until(t, "no process uses the profile", func() bool { return !used(profiles[0]) })
	}
	wait.Until(t, "the profile is removed", func() bool {
		sweep()
		_, err := os.Stat(profiles[0])
		return errors.Is(err, os.ErrNotExist)
	})
}

// used reports whether a process has a profile on its command line.
func used(dir string) bool {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	return slices.ContainsFunc(files, func(file string) bool {
		line, err := os.ReadFile(file)
		return err == nil && bytes.Contains(line, []byte(dir))
	})
}

// What is left over goes, and what is in use or another's stays.
func TestSweep(t *testing.T) {
	dir := temp(t)
	used, err := newProfile()
	if err != nil {
		t.Fatal(err)
	}
	ended := exec.Command(os.Args[0], "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(dir, fmt.Sprint(ownPrefix(), ended.Process.Pid, "-1"))
	older, aside := filepath.Join(dir, profilePrefix+"123"), filepath.Join(dir, "aside")
	for _, d := range []string{left, older, aside} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(aside, left+"-link"); err != nil {
		t.Fatal(err)
	}
	sweep()
	for path, want := range map[string]bool{used: true, left: false, older: true, aside: true} {
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s is there: %t, want %t", path, err == nil, want)
		}
	}
	if info, err := os.Stat(used); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("the profile has the mode %v, %v", info.Mode(), err)
	}
	if err := removeProfile(used); err != nil {
		t.Error(err)
	}
}

// Messages of any length arrive, and malformed ones do no harm.
func FuzzMessages(f *testing.F) {
	f.Add([]byte("{\"id\":1,\"result\":{}}\x00{}\x00"))
	f.Add([]byte("\x00\x00{\"method\":\"a\"}\x00["))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := newConn(bytes.NewReader(data), &bytes.Buffer{})
		<-c.ended
	})
}

// A drawing has the pixels of its document, also where its corners are round, and runs no script.
func TestDraw(t *testing.T) {
	dir := temp(t)
	b := New(Options{Flags: []string{Offline}})
	svg := `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" viewBox="0 0 20 10"><rect width="100%" height="100%" rx="5" fill="#010203"/>` +
		`<path shape-rendering="crispEdges" fill="#ff0000" d="M4 4h2v2h-2z"/><script>document.querySelector("path").remove()</script></svg>`
	data, err := b.Draw(t.Context(), []byte(svg), 20, 10)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if size := img.Bounds().Size(); size.X != 20 || size.Y != 10 {
		t.Errorf("the picture has %v pixels", size)
	}
	for at, want := range map[image.Point]color.RGBA{{}: {1, 2, 3, 255}, {X: 19, Y: 9}: {1, 2, 3, 255}, {X: 4, Y: 4}: {255, 0, 0, 255}, {X: 6, Y: 4}: {1, 2, 3, 255}} {
		if got := color.RGBAModel.Convert(img.At(at.X, at.Y)); got != want {
			t.Errorf("at %v it is %v, want %v", at, got, want)
		}
	}
	b.Close()
	empty(t, dir)
	none := New(Options{Find: func() (string, error) { return "", fault.New(fault.Precondition, "there is none") }})
	defer none.Close()
	if _, err := none.Draw(t.Context(), []byte(svg), 20, 10); fault.KindOf(err) != fault.Precondition {
		t.Errorf("without a browser: %v", err)
	}
}
