package httpui

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"ui-mcp/internal/app"
	"ui-mcp/internal/regular"
)

// largeFile is the size in bytes from which a file's ETag depends on its size and time, not on its
// content.
const largeFile = 32 << 20

// clientScript matches the names of the client's own scripts; with a hash in them they are the
// names under which they are installed.
var clientScript = regexp.MustCompile(`^(main|worker)(-[0-9A-Za-z_]+)?\.js$`)

// contentTypes by extension. The tables of systems differ, and some are wrong.
var contentTypes = map[string]string{
	".avif":  "image/avif",
	".css":   "text/css; charset=utf-8",
	".csv":   "text/csv; charset=utf-8",
	".gif":   "image/gif",
	".htm":   "text/html; charset=utf-8",
	".html":  "text/html; charset=utf-8",
	".ico":   "image/x-icon",
	".jpeg":  "image/jpeg",
	".jpg":   "image/jpeg",
	".js":    "text/javascript; charset=utf-8",
	".json":  "application/json",
	".map":   "application/json",
	".md":    "text/markdown; charset=utf-8",
	".mjs":   "text/javascript; charset=utf-8",
	".mp3":   "audio/mpeg",
	".mp4":   "video/mp4",
	".ogg":   "audio/ogg",
	".otf":   "font/otf",
	".pdf":   "application/pdf",
	".png":   "image/png",
	".svg":   "image/svg+xml",
	".ttf":   "font/ttf",
	".txt":   "text/plain; charset=utf-8",
	".wasm":  "application/wasm",
	".wav":   "audio/wav",
	".webm":  "video/webm",
	".webp":  "image/webp",
	".woff":  "font/woff",
	".woff2": "font/woff2",
	".xml":   "text/xml; charset=utf-8",
}

// looksLikeFile reports whether a path that names no file was meant to. Answered with a page, a
// script or a picture would fail in a way that is harder to understand.
func looksLikeFile(name string) bool {
	_, ok := contentTypes[path.Ext(name)]
	return ok
}

// files are a folder, the files to serve where it lacks them, and the client's scripts, which
// nothing shadows.
type files struct {
	dir              string
	client, fallback fs.FS // they never change
	themes           func() app.Themes
}

// maxIndex bounds index.html, in bytes.
const maxIndex = 4 << 20

// indexFile is the page.
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
	if m := clientScript.FindStringSubmatch(path.Base(name)); m != nil && path.Dir(name) == "." {
		if serveBuiltIn(w, r, f.client, m[1]+".js") {
			return true
		}
	}
	if name == indexFile {
		return f.serveIndex(w, r)
	}
	return f.serveFromDir(w, r, name) || serveBuiltIn(w, r, f.fallback, name) || serveBuiltIn(w, r, f.client, name)
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
	content := bytes.NewReader(page)
	tag, err := contentETag(content)
	if err != nil {
		return false
	}
	serveContent(w, r, indexFile, tag, content)
	return true
}

// serveBuiltIn serves a file that is part of the program. It is read again each time: all together,
// with the component library, would take memory that few pages make use of.
func serveBuiltIn(w http.ResponseWriter, r *http.Request, from fs.FS, name string) bool {
	file, err := from.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	content, ok := file.(io.ReadSeeker)
	if err != nil || !ok || !info.Mode().IsRegular() {
		return false
	}
	tag, err := contentETag(content)
	if err != nil {
		return false
	}
	serveContent(w, r, name, tag, content)
	return true
}

// serveFromDir serves a file of the folder. Symbolic links are followed wherever they lead: apps
// link their folders here, and making a link is the choice of somebody who can read its target.
// Anything but a regular file is refused, also at the end of a link.
func (f *files) serveFromDir(w http.ResponseWriter, r *http.Request, name string) bool {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return false
	}
	file, err := regular.Open(filepath.Join(f.dir, local), os.O_RDONLY, 0)
	if err != nil {
		return false
	}
	defer file.Close()
	tag, err := fileETag(file)
	if err != nil {
		return false
	}
	serveContent(w, r, name, tag, file)
	return true
}

// serveContent answers conditional and partial requests, too. Browsers keep a copy but validate it
// each time, so that an edit shows at once.
func serveContent(w http.ResponseWriter, r *http.Request, name, etag string, content io.ReadSeeker) {
	kind, ok := contentTypes[path.Ext(name)]
	if !ok {
		kind = "application/octet-stream"
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", etag)
	http.ServeContent(w, r, "", time.Time{}, content)
}

// fileETag makes a file's ETag from its content and rewinds it. Size and time would not do: an edit
// within one tick of the clock, or a link with a new target, may change neither.
func fileETag(file *os.File) (string, error) {
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	if info.Size() >= largeFile {
		return fmt.Sprintf(`"%x-%x"`, info.Size(), info.ModTime().UnixNano()), nil
	}
	return contentETag(file)
}

// contentETag makes an ETag of content and rewinds it.
func contentETag(content io.ReadSeeker) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, content); err != nil {
		return "", err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	return `"` + base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:15]) + `"`, nil
}
