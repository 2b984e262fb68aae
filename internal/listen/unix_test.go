package listen

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/fault"
)

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

func TestUnix(t *testing.T) {
	dir := testkit.ShortDir(t)
	path := filepath.Join(dir, "s.sock")
	l, err := Unix(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := l.Addr().String(); got != path {
		t.Errorf("its address is %s", got)
	}
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode() != fs.ModeSocket|0o600 {
		t.Errorf("its mode is %v", info.Mode())
	}
	client, err := Dial(path)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	server, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	server.Close()

	if _, err := Unix(path); fault.KindOf(err) != fault.Exists {
		t.Errorf("a second listener: %v", err)
	}
	for range 2 {
		if err := l.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
	}
	if left := names(t, dir); left != "" {
		t.Errorf("left: %s", left)
	}
	if _, err := Dial(path); fault.KindOf(err) != fault.NotFound {
		t.Errorf("Dial without a server: %v", err)
	}
}

// A socket that a killed server left behind is replaced; another server's is left alone at the end.
func TestUnixStale(t *testing.T) {
	path := filepath.Join(testkit.ShortDir(t), "s.sock")
	killed, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	killed.SetUnlinkOnClose(false)
	killed.Close()
	first, err := Unix(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil { // as a person may, who then starts another server
		t.Fatal(err)
	}
	second, err := Unix(path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	client, err := Dial(path)
	if err != nil {
		t.Fatalf("the end of the first server took the socket of the second: %v", err)
	}
	client.Close()
}

func TestUnixRefusals(t *testing.T) {
	dir := testkit.ShortDir(t)
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	loose := filepath.Join(dir, "loose")
	if err := errors.Join(os.Mkdir(loose, 0o700), os.Chmod(loose, 0o777)); err != nil {
		t.Fatal(err)
	}
	// The path is short enough, but not that at which the socket is made.
	long := filepath.Join(dir, strings.Repeat("x", maxPath-len(dir)-len("//s")))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	type test struct {
		path string
		kind fault.Kind
		text string
	}
	tests := []test{
		{file, fault.Precondition, "is not a socket"},
		{link, fault.Precondition, "is not a socket"},
		{filepath.Join(dir, "none", "s.sock"), fault.Precondition, "no such file"},
		{filepath.Join(file, "s.sock"), fault.Precondition, "not a directory"},
		{filepath.Join(dir, strings.Repeat("x", 200)), fault.Invalid, "shorter"},
		{filepath.Join(long, "s"), fault.Invalid, "shorter"},
	}
	if runtime.GOOS != "windows" {
		tests = append(tests, test{filepath.Join(loose, "s.sock"), fault.Precondition, "0777"})
	}
	if os.Geteuid() == 0 {
		foreign := filepath.Join(dir, "foreign")
		if err := errors.Join(os.Mkdir(foreign, 0o700), os.Chown(foreign, 12345, -1)); err != nil {
			t.Fatal(err)
		}
		tests = append(tests, test{filepath.Join(foreign, "s.sock"), fault.Precondition, "another user"})
	}
	for _, tt := range tests {
		l, err := Unix(tt.path)
		if err == nil {
			l.Close()
		}
		if err == nil || fault.KindOf(err) != tt.kind || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("Unix(%s) = %v, want kind %v and %q", tt.path, err, tt.kind, tt.text)
		}
	}
	if content, err := os.ReadFile(file); err != nil || string(content) != "precious" {
		t.Errorf("the file holds %q, %v", content, err)
	}
}

// A socket that another user made at the path is not connected to.
func TestDialForeign(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make another user's socket")
	}
	path := filepath.Join(testkit.ShortDir(t), "s.sock")
	l, err := Unix(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := os.Chown(path, 12345, -1); err != nil {
		t.Fatal(err)
	}
	if _, err := Dial(path); fault.KindOf(err) != fault.Precondition {
		t.Errorf("Dial = %v", err)
	}
}
