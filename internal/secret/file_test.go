package secret_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"ui-mcp/internal/secret"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct {
		content string
		mode    fs.FileMode
		want    string
		err     string
	}{
		"a line":           {"secret\n", 0o600, "secret", ""},
		"a Windows line":   {"secret\r\n", 0o400, "secret", ""},
		"no line":          {" secret ", 0o600, " secret ", ""},
		"two lines":        {"a\nb\n", 0o600, "a\nb", ""},
		"the longest":      {strings.Repeat("x", 4096), 0o600, strings.Repeat("x", 4096), ""},
		"too long":         {strings.Repeat("x", 4097), 0o600, "", "more than 4096 bytes"},
		"read by a group":  {"secret", 0o640, "", "make it 0600"},
		"read by everyone": {"secret", 0o604, "", "make it 0600"},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(tt.err, "0600") {
				t.Skip("there are no modes")
			}
			path := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
			if err := os.WriteFile(path, []byte(tt.content), tt.mode); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, tt.mode); err != nil { // whatever the umask
				t.Fatal(err)
			}
			got, err := secret.Read(path)
			if tt.err == "" && (err != nil || got != tt.want) || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err) || !strings.Contains(err.Error(), path)) {
				t.Errorf("%.20q, %v", got, err)
			}
			if again, err := secret.ReadOrMake(path, secret.NewLong); tt.err == "" && again != tt.want || tt.err != "" && err == nil {
				t.Errorf("or made: %.20q, %v", again, err)
			}
		})
	}
	for _, path := range []string{dir, filepath.Join(dir, "none")} {
		if got, err := secret.Read(path); err == nil {
			t.Errorf("%s: %q", path, got)
		}
	}
}

// Of a file that is much too long, little is read.
func TestReadLongFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const long = 64 << 20 // without any blocks on the disk
	if err := os.Truncate(path, long); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := secret.Read(path)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "more than 4096 bytes") {
		t.Errorf("%v", err)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > long/16 {
		t.Errorf("it takes %d bytes of memory", taken)
	}
}

// A secret is made once, in a file that only this user can read.
func TestReadOrMake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	first, err := secret.ReadOrMake(path, secret.NewLong)
	if err != nil || len(first) < 32 {
		t.Fatalf("%q, %v", first, err)
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if again, err := secret.ReadOrMake(path, secret.NewLong); err != nil || again != first {
		t.Errorf("again: %q, %v", again, err)
	}
	if _, err := secret.ReadOrMake(filepath.Join(path, "below"), secret.NewLong); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("below a file: %v", err)
	}
	if _, err := secret.ReadOrMake(filepath.Join(filepath.Dir(path), "no", "folder"), secret.NewLong); err == nil || !strings.Contains(err.Error(), "keep a new secret") {
		t.Errorf("in no folder: %v", err)
	}
}

func TestNew(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		text := secret.New()
		if !regexp.MustCompile(`^[0-9A-Z]{32}$`).MatchString(text) || seen[text] {
			t.Fatalf("%q", text)
		}
		seen[text] = true
	}
}

func TestKnown(t *testing.T) {
	for _, tt := range []struct {
		known, text string
		want        bool
	}{{"a", "a", true}, {"a", "b", false}, {"a", "", false}, {"a", "aa", false}, {"", "", false}, {"", "a", false}} {
		k := secret.Know(tt.known)
		if got := k.Is(tt.text); got != tt.want || k.IsZero() != (tt.known == "") {
			t.Errorf("%q is %q: %t, zero %t", tt.known, tt.text, got, k.IsZero())
		}
	}
	if (secret.Known{}).Is("") {
		t.Error("the zero Known recognises nothing as a secret")
	}
}
