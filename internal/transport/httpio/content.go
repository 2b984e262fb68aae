package httpio

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/packed"
)

// contentTypes by extension. The tables of systems differ, and some are wrong.
var contentTypes = map[string]string{
	".avif":        "image/avif",
	".css":         "text/css; charset=utf-8",
	".csv":         "text/csv; charset=utf-8",
	".gif":         "image/gif",
	".htm":         "text/html; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".ico":         "image/x-icon",
	".jpeg":        "image/jpeg",
	".jpg":         "image/jpeg",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".map":         "application/json",
	".md":          "text/markdown; charset=utf-8",
	".mjs":         "text/javascript; charset=utf-8",
	".mp3":         "audio/mpeg",
	".mp4":         "video/mp4",
	".ogg":         "audio/ogg",
	".otf":         "font/otf",
	".pdf":         "application/pdf",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".ttf":         "font/ttf",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".wav":         "audio/wav",
	".webm":        "video/webm",
	".webmanifest": "application/manifest+json",
	".webp":        "image/webp",
	".woff":        "font/woff",
	".woff2":       "font/woff2",
	".xml":         "text/xml; charset=utf-8",
}

// ContentType returns the media type of a file by the extension of its name, or "".
func ContentType(name string) string { return contentTypes[path.Ext(name)] }

// largeFile is the size in bytes from which the ETag of a file that may change depends on its size
// and time, not on its content.
const largeFile = 32 << 20

// ServeFile answers with an open file, and closes it. Anything but a regular file that can be read
// is not served, and ServeFile reports false. Conditional and partial requests are answered, too.
// Browsers keep a copy but validate it each time, so that an edit shows at once.
func ServeFile(w http.ResponseWriter, r *http.Request, name string, file fs.File) bool {
	defer file.Close()
	info, err := file.Stat()
	content, ok := file.(io.ReadSeeker)
	if err != nil || !ok || !info.Mode().IsRegular() {
		return false
	}
	if info.Size() >= largeFile {
		serveContent(w, r, name, fmt.Sprintf(`"%x-%x"`, info.Size(), info.ModTime().UnixNano()), content)
		return true
	}
	return ServeContent(w, r, name, content)
}

// ServeBuiltIn answers with a file that is part of the program, compressed if it is packed (see
// package packed) and the client takes that. It reports false if there is no such file. A file is
// read each time: all together, with the component library, would take memory that few pages use.
func ServeBuiltIn(w http.ResponseWriter, r *http.Request, from fs.FS, name string) bool {
	if small, err := fs.ReadFile(from, name+packed.Suffix); err == nil {
		w.Header().Set("Vary", "Accept-Encoding")
		if acceptsGzip(r) {
			w.Header().Set("Content-Encoding", "gzip")
			return ServeContent(w, r, name, bytes.NewReader(small))
		}
	}
	file, err := from.Open(name)
	return err == nil && ServeFile(w, r, name, file)
}

// acceptsGzip reports whether a client accepts gzip. Every browser lists it without a quality
// value; clients that send quality values get the content uncompressed.
func acceptsGzip(r *http.Request) bool {
	return r.Header.Get("Range") == "" && slices.ContainsFunc(strings.Split(r.Header.Get("Accept-Encoding"), ","), func(part string) bool {
		return strings.TrimSpace(part) == "gzip"
	})
}

// ServeContent is ServeFile for content. Its ETag depends on all of it: size and time would not do,
// since an edit within one tick of the clock, or a link with a new target, may change neither.
func ServeContent(w http.ResponseWriter, r *http.Request, name string, content io.ReadSeeker) bool {
	h := sha256.New()
	if _, err := io.Copy(h, content); err != nil {
		return false
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return false
	}
	serveContent(w, r, name, `"`+base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:15])+`"`, content)
	return true
}

func serveContent(w http.ResponseWriter, r *http.Request, name, etag string, content io.ReadSeeker) {
	h := w.Header()
	h.Set("Content-Type", ContentType(name))
	if ContentType(name) == "" {
		h.Set("Content-Type", "application/octet-stream")
	}
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", etag)
	http.ServeContent(w, r, "", time.Time{}, content)
}

// YAML returns a handler that answers with a document as JSON, which YAML includes. The document is
// made for the first request.
func YAML(document func() map[string]any) http.HandlerFunc {
	return Document("application/yaml", sync.OnceValue(func() []byte { return fault.Must(json.MarshalIndent(document(), "", "  ")) }))
}

// Document returns a handler that answers with a document of a media type, which clients ask for
// again whenever they use it.
func Document(kind string, content func() []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = w.Write(content()) // a client that has disconnected needs no answer
	}
}
