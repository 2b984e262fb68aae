package app

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"ui-mcp/internal/regular"
)

// Themes are the style sheets that every page links. Each has its rules under the class theme-NAME
// of the document, except "base", which all share.
type Themes struct {
	Names   []string // of html/themes/NAME.css, "base" first, the others sorted
	Default string   // the theme of a browser that has not chosen one; "" if there are no themes
}

const (
	baseTheme    = "base"
	defaultTheme = "lcars"
)

// maxAppSettings bounds storage/settings.json, in bytes.
const maxAppSettings = 1 << 20

var validTheme = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]+$`) })

// Themes lists the themes that are there now. The default one is that in storage/settings.json, as
// apps save it, or else "lcars" or the first.
func (a *App) Themes() Themes {
	if dir := a.Dir(); dir != "" {
		return ThemesIn(dir)
	}
	return Themes{}
}

// ThemesIn is [App.Themes] of a base directory.
func ThemesIn(dir string) Themes {
	var t Themes
	entries, err := os.ReadDir(filepath.Join(dir, "html", "themes"))
	if err != nil {
		return t // there are no themes
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".css")
		switch {
		case !ok || !validTheme().MatchString(name) || e.IsDir():
		case name == baseTheme:
			t.Names = append([]string{name}, t.Names...)
		default:
			t.Names = append(t.Names, name)
		}
	}
	var saved struct {
		Theme string `json:"theme"`
	}
	if data, err := regular.ReadFile(filepath.Join(dir, "storage", "settings.json"), maxAppSettings); err == nil {
		_ = json.Unmarshal(data, &saved) // a file that makes no sense names no theme
	}
	ranks := map[string]int{saved.Theme: 3, defaultTheme: 2}
	best := 0
	for _, name := range t.Names {
		if rank := max(1, ranks[name]); name != baseTheme && rank > best {
			t.Default, best = name, rank
		}
	}
	return t
}
