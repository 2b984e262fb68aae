// Package leak searches for a secret where it must not be: in texts, in files, and in the command
// lines and environments of processes, in the forms in which programs write such things. It does
// not look into compressed data, nor into the memory of processes.
package leak

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"ui-mcp/internal/fault"
)

// A Search looks for one secret. Choose one that is long enough to be nowhere by chance, and that
// nothing needs to escape. Its methods may be called from any goroutine.
type Search struct {
	t     testing.TB
	forms map[string][]byte // by their names
}

// For returns the search for a secret. Where it is found, t fails.
func For(t testing.TB, secret string) *Search {
	t.Helper()
	if len(secret) < 8 {
		t.Fatal("a secret of less than 8 bytes can be anywhere by chance")
	}
	escaped := fault.Must(json.Marshal(secret))
	var wide []byte
	for _, c := range utf16.Encode([]rune(secret)) {
		wide = append(wide, byte(c), byte(c>>8))
	}
	list := strings.Trim(strings.ReplaceAll(fmt.Sprint([]byte(secret)), " ", ","), "[]")
	s := &Search{t, map[string][]byte{
		"as it is": []byte(secret), "in hexadecimal": []byte(hex.EncodeToString([]byte(secret))), "in UTF-16": wide,
		"in JSON": bytes.Trim(escaped, `"`), "in Go": []byte(strings.Trim(strconv.Quote(secret), `"`)),
		"in a URL": []byte(url.PathEscape(secret)), "in a query": []byte(url.QueryEscape(secret)), "as a list of bytes": []byte(list),
	}}
	for before := range 3 { // how many bytes precede it, modulo 3
		for name, encoding := range map[string]*base64.Encoding{"base64": base64.RawStdEncoding, "base64url": base64.RawURLEncoding} {
			text := encoding.EncodeToString(append(make([]byte, before), secret...))
			s.forms[name+", "+strconv.Itoa(before)] = []byte(text[(before*8+5)/6 : len(text)-1]) // without what depends on its neighbours
		}
	}
	return s
}

// found returns the name of the form in which data has the secret, or "".
func (s *Search) found(data []byte) string {
	for name, form := range s.forms {
		if bytes.Contains(data, form) {
			return name
		}
	}
	return ""
}

// Text searches a text. where says what it is.
func (s *Search) Text(where, text string) {
	s.t.Helper()
	if form := s.found([]byte(text)); form != "" {
		s.t.Errorf("the secret is in %s, %s", where, form)
	}
}

// Tree searches all regular files below a directory, and the names of all files. It returns how
// many files it has read.
func (s *Search) Tree(dir string) (files int) {
	s.t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // removed in the meantime
		}
		s.Text("the name "+path, d.Name())
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		files++
		s.Text("the file "+path, string(data))
		return nil
	})
	if err != nil {
		s.t.Error(err)
	}
	return files
}

// Processes searches the command lines and the environments of the processes that this user may
// look at, except for this one. It returns how many there are: none where the system has no /proc.
func (s *Search) Processes() (n int) {
	s.t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		s.t.Error(err)
	}
	for _, dir := range dirs {
		if filepath.Base(dir) == strconv.Itoa(os.Getpid()) {
			continue
		}
		for _, name := range []string{"cmdline", "environ"} {
			if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				n++
				s.Text(filepath.Join(dir, name), string(data))
			}
		}
	}
	return n
}
