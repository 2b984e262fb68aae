// Package docsite serves the documentation as a site: pages of Markdown with a list of all pages
// beside them, and a search. Addresses are the names of the files, so that links work here and
// where the files are. It needs no scripts, though one lets the keyboard reach what scrolls, and
// knows nothing of what is running.
package docsite

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/markdown"
	"ui-mcp/internal/transport/httpio"
)

const (
	// index is the page at "/". Its lists are the list of all pages.
	index = "README.md"
	// guides is the folder of the guides for those who write apps.
	guides = "guides/"
	// fromDocs begins a link to a guide in the repository, where the guides are in another place.
	fromDocs = "](../bundle/base/resources/"
)

// folders has the documents, and the guides in a folder of their own.
type folders struct{ docs, guides fs.FS }

func (f folders) Open(name string) (fs.File, error) {
	if rest, ok := strings.CutPrefix(name+"/", guides); ok {
		return f.guides.Open(cmp.Or(strings.TrimSuffix(rest, "/"), "."))
	}
	return f.docs.Open(name)
}

// source reads a page. Its links to guides lead to where these are in f.
func (f folders) source(name string) ([]byte, error) {
	text, err := fs.ReadFile(f, name)
	return bytes.ReplaceAll(text, []byte(fromDocs), []byte("]("+guides)), err
}

// A Site is the documentation. It is safe for concurrent use.
type Site struct {
	files folders
	icon  string
	nav   []group
	pages func() map[string]page // they are read when the first is needed
}

// A group is a heading of the index and the pages below it.
type group struct {
	Title string
	Pages []entry
}

// An entry is a page in a list.
type entry struct {
	File, Title, About string
}

// A page is a file, as it is displayed.
type page struct {
	markdown.Document
	file   string
	source []byte
}

// New returns the site of the documents, in which README.md lists all pages, and of the guides.
// icon is the address of the icon of its pages. The files must not change.
func New(docs, guides fs.FS, icon string) (*Site, error) {
	files := folders{docs, guides}
	list, err := files.source(index)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "read the list of pages")
	}
	s := &Site{files: files, icon: icon, nav: groups(string(list))}
	s.pages = sync.OnceValue(s.read)
	return s, nil
}

var listed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^## (.+)$|^- \[([^]]+)\]\(([\w./-]+\.md)\)(?:: ((?:.+\n?)(?:  .+\n?)*))?`)
})

// groups reads the headings and the lists of an index.
func groups(text string) (list []group) {
	for _, m := range listed().FindAllStringSubmatch(text, -1) {
		if m[1] != "" {
			list = append(list, group{Title: m[1]})
		} else if n := len(list); n > 0 {
			list[n-1].Pages = append(list[n-1].Pages, entry{File: m[3], Title: m[2], About: strings.Join(strings.Fields(m[4]), " ")})
		}
	}
	return list
}

// A Name is a page's name and what it is about.
type Name struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	About string `json:"about"`
}

// Names lists the pages in the order of the index. A name is the page's file without ".md", and
// without the folder of the guides.
func (s *Site) Names() (list []Name) {
	for _, g := range s.nav {
		for _, e := range g.Pages {
			list = append(list, Name{strings.TrimPrefix(strings.TrimSuffix(e.File, ".md"), guides), e.Title, e.About})
		}
	}
	return list
}

// Source returns a page as Markdown. Its name may have ".md" and the folder of the guides.
func (s *Site) Source(name string) ([]byte, error) {
	name = strings.TrimSuffix(name, ".md")
	for _, folder := range []string{"", guides} {
		if text, err := s.files.source(folder + name + ".md"); err == nil {
			return text, nil
		}
	}
	return nil, fault.New(fault.NotFound, "there is no page %q", name)
}

func (s *Site) read() map[string]page {
	pages := map[string]page{}
	for _, root := range []string{".", path.Clean(guides)} {
		_ = fs.WalkDir(s.files, root, func(name string, d fs.DirEntry, err error) error { // files in memory can be read
			if err == nil && path.Ext(name) == ".md" {
				source, _ := s.files.source(name)
				pages[name] = page{markdown.Parse(string(source), s.links(path.Dir(name))), name, source}
			}
			return nil
		})
	}
	return pages
}

// links returns where links of the pages in a folder lead: as written, if that is another site or a
// file of this one, and to the README.md of a folder of it.
func (s *Site) links(folder string) markdown.Links {
	return func(to string, _ bool) string {
		file, _, _ := strings.Cut(to, "#")
		if file == "" || strings.HasPrefix(to, "https://") {
			return to
		}
		if file = path.Join(folder, file); fs.ValidPath(file) {
			info, err := fs.Stat(s.files, file)
			if err == nil && info.IsDir() {
				to = strings.TrimSuffix(to, "/") + "/" + index
				_, err = fs.Stat(s.files, path.Join(file, index))
			}
			if err == nil {
				return to
			}
		}
		return ""
	}
}

//go:embed style.css
var style string

//go:embed layout.html
var layoutText string

var layout = sync.OnceValue(func() *template.Template { return template.Must(template.New("").Parse(layoutText)) })

// A layoutData is what the layout displays.
type layoutData struct {
	Title    string
	IconURL  template.URL
	Nav      []group
	File     string // the page, or ""
	Headings []markdown.Section
	Content  template.HTML
	Script   template.HTML
	Searched bool
	Query    string
	Found    []hit
	Count    string // how many were found
}

// ServeHTTP serves the pages, the files that they use, and the search at "/search?q=WORDS".
// Programs that do not ask for pages get Markdown.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "Only GET and HEAD are understood here.", http.StatusMethodNotAllowed)
	case name == "search":
		s.search(w, r)
	case name == "style.css":
		httpio.ServeContent(w, r, name, strings.NewReader(httpio.Style+style))
	default:
		s.file(w, r, cmp.Or(name, index))
	}
}

// file serves a page, or a file that pages use.
func (s *Site) file(w http.ResponseWriter, r *http.Request, name string) {
	if p, ok := s.pages()[name]; ok {
		if !httpio.WantsPage(r) {
			httpio.ServeContent(w, r, name, bytes.NewReader(p.source))
			return
		}
		v := layoutData{Title: p.Title, File: name, Content: template.HTML(p.HTML)} // of our own files
		for _, section := range p.Sections {
			if section.Level == 2 {
				v.Headings = append(v.Headings, section)
			}
		}
		s.write(w, http.StatusOK, v)
		return
	}
	if fs.ValidPath(name) {
		if f, err := s.files.Open(name); err == nil && httpio.ServeFile(w, r, name, f) {
			return
		}
	}
	for _, other := range []string{name + ".md", path.Join(name, index), guides + name, guides + name + ".md"} {
		if _, ok := s.pages()[other]; ok {
			http.Redirect(w, r, "/"+other, http.StatusFound)
			return
		}
	}
	if !httpio.WantsPage(r) {
		http.Error(w, "There is no such page.", http.StatusNotFound)
		return
	}
	s.write(w, http.StatusNotFound, layoutData{Title: "There is no such page", Content: `<h1>There is no such page</h1><p>Search for it above, or see <a href="/">what there is</a>.</p>`})
}

func (s *Site) search(w http.ResponseWriter, r *http.Request) {
	v := layoutData{Title: "Search", Searched: true, Query: strings.TrimSpace(r.URL.Query().Get("q"))}
	if v.Query != "" {
		v.Title = v.Query + " · Search"
		var more int
		v.Found, more = find(s.pages(), v.Query)
		switch {
		case more > 0:
			v.Count = fmt.Sprintf("The best %d of %d places", len(v.Found), len(v.Found)+more)
		case len(v.Found) == 1:
			v.Count = "1 place"
		default:
			v.Count = fmt.Sprintf("%d places", len(v.Found))
		}
	}
	s.write(w, http.StatusOK, v)
}

// policy is the Content-Security-Policy of the pages, before the source of their script.
const policy = "default-src 'none'; style-src 'self'; " + markdown.StylePolicy + "; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; script-src "

func (s *Site) write(w http.ResponseWriter, status int, v layoutData) {
	v.IconURL = template.URL(s.icon) // one of ours
	script, source := httpio.Reach()
	v.Script = template.HTML(script) // ours
	v.Nav = s.nav
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy+source)
	h.Set("Cache-Control", "no-cache")
	w.WriteHeader(status)
	_ = layout().Execute(w, v) // a client that has disconnected needs no answer
}
