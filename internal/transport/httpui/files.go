package httpui

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"ui-mcp/internal/app"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/transport/httpio"
)

// clientScript matches the names of the client's own scripts; with a hash in them they are the
// names under which they are installed.
var clientScript = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(main|worker)(-[0-9A-Za-z_]+)?\.js$`) })

// looksLikeFile reports whether a path that names no file was meant to. Answered with a page, a
// script or a picture would fail in a way that is harder to understand.
func looksLikeFile(name string) bool { return httpio.ContentType(name) != "" }

// files are a folder, the files to serve where it lacks them, and the client's scripts, which
// nothing shadows.
type files struct {
	dir              string
	client, fallback fs.FS // they never change
	themes           func() app.Themes
}

// maxIndex bounds index.html, in bytes.
const maxIndex = 4 << 20

const indexFile = "index.html"

func newFiles(dir string, client, fallback fs.FS, themes func() app.Themes) *files {
	for needed, in := range map[string]fs.FS{"main.js": client, "index.html": fallback} {
		if _, err := fs.Stat(in, needed); err != nil {
			panic(fmt.Sprintf("httpui: the built-in files lack %s: %v", needed, err))
		}
	}
	return &files{dir: dir, client: client, fallback: fallback, themes: themes}
}

// serve answers with the file of a name, which must be plain. When there is no such file, or it is
// a folder, serve does not answer and reports false.
func (f *files) serve(w http.ResponseWriter, r *http.Request, name string) bool {
	if strings.HasSuffix(name, "/") {
		return false
	}
	if m := clientScript().FindStringSubmatch(path.Base(name)); m != nil && path.Dir(name) == "." {
		if httpio.ServeBuiltIn(w, r, f.client, m[1]+".js") {
			return true
		}
	}
	if name == indexFile {
		return f.serveIndex(w, r)
	}
	return f.serveFromDir(w, r, name) || httpio.ServeBuiltIn(w, r, f.fallback, name) || httpio.ServeBuiltIn(w, r, f.client, name)
}

// serveIndex serves the page, with the themes that are there now.
func (f *files) serveIndex(w http.ResponseWriter, r *http.Request) bool {
	page, err := regular.ReadFile(filepath.Join(f.dir, indexFile), maxIndex)
	if err != nil {
		if page, err = fs.ReadFile(f.fallback, indexFile); err != nil {
			return false
		}
	}
	if f.themes != nil {
		page = withThemes(page, f.themes())
	}
	return httpio.ServeContent(w, r, indexFile, bytes.NewReader(page))
}

// serveFromDir serves a file of the folder. Symbolic links are followed wherever they lead: apps
// link their folders here, and making a link is the choice of a user who can read its target.
// Anything but a regular file is refused, also at the end of a link.
func (f *files) serveFromDir(w http.ResponseWriter, r *http.Request, name string) bool {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return false
	}
	file, err := regular.Open(filepath.Join(f.dir, local), os.O_RDONLY, 0)
	return err == nil && httpio.ServeFile(w, r, name, file)
}
