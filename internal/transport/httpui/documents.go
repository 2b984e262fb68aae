package httpui

import (
	"cmp"
	"net/http"
	"net/url"
	"path"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/markdown"
	"ui-mcp/internal/transport/httpio"
)

// maxListed bounds the names in a list of documents.
const maxListed = 1000

// document serves a file of resources/, or lists the files of a folder as JSON. Browsers get
// Markdown rendered.
func (h *mcpHandler) document(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("path")
	if name == "" || strings.HasSuffix(name, "/") {
		h.listDocuments(w, r, name)
		return
	}
	data, err := h.app.Document(name)
	switch {
	case fault.KindOf(err) == fault.NotFound && len(h.app.Documents(name+"/", 1)) > 0:
		// Relative, since the last name of the path is what lacks the slash.
		http.Redirect(w, r, url.PathEscape(path.Base(name))+"/", http.StatusFound)
	case err != nil:
		fail(w, r, err)
	default:
		writeDocument(w, r, name, data)
	}
}

// readme serves the README.md of an app as a page, or to programs as it is.
func (h *mcpHandler) readme(w http.ResponseWriter, r *http.Request) {
	data, err := h.app.AppReadme(r.PathValue("app"))
	if err != nil {
		fail(w, r, err)
		return
	}
	writeDocument(w, r, "README.md", data)
}

func writeDocument(w http.ResponseWriter, r *http.Request, name string, data []byte) {
	if path.Ext(name) == ".md" && httpio.WantsPage(r) {
		httpio.Page{Title: path.Base(name), Icon: httpio.AppIcon, Class: "ui-read", Body: markdown.HTML(string(data))}.Write(w, http.StatusOK)
		return
	}
	header := w.Header()
	header.Set("Content-Type", cmp.Or(httpio.ContentType(name), "text/plain; charset=utf-8"))
	header.Set("Cache-Control", "no-cache")
	header.Set("Content-Security-Policy", httpio.PagePolicy)
	header.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(data) // a client that has disconnected needs no answer
}

type documentEntry struct {
	Name  string `json:"name"`
	IsDir bool   `json:"is_dir"`
}

// listDocuments lists a folder, whose name is "" or ends in a slash.
func (h *mcpHandler) listDocuments(w http.ResponseWriter, r *http.Request, folder string) {
	var entries []documentEntry
	for _, name := range h.app.Documents(folder, maxListed) {
		name, _, below := strings.Cut(name[len(folder):], "/")
		if n := len(entries); n == 0 || entries[n-1].Name != name {
			entries = append(entries, documentEntry{name, below})
		}
	}
	if entries == nil {
		fail(w, r, fault.New(fault.NotFound, "there is no folder %q in resources", folder))
		return
	}
	httpio.WriteJSON(w, http.StatusOK, map[string]any{"path": path.Clean(folder), "entries": entries})
}
