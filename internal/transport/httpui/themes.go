package httpui

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"ui-mcp/internal/app"
)

// themesMark is where index.html gets the links to themes.
const themesMark = "<!-- ui:themes -->"

// The marks around the links that frictionless writes into index.html. What is between them is
// replaced, since it names the themes of some earlier time.
const (
	themesBegin = "<!-- #frictionless -->"
	themesEnd   = "<!-- /frictionless -->"
)

// withThemes puts links to the themes into a page that has a place for them, and a script that
// chooses the theme before the page is painted.
func withThemes(page []byte, themes app.Themes) []byte {
	if before, after, ok := bytes.Cut(page, []byte(themesMark)); ok {
		return join(before, themeLinks(themes), after)
	}
	before, rest, begins := bytes.Cut(page, []byte(themesBegin))
	_, after, ends := bytes.Cut(rest, []byte(themesEnd))
	if !begins || !ends {
		return page
	}
	// Scripts of these apps set the icon of the page.
	links := themeLinks(themes) + "\n" + `  <link rel="icon" id="app-favicon" href="data:,">`
	return join(before, links, after)
}

func join(before []byte, middle string, after []byte) []byte {
	return append(append(bytes.Clone(before), middle...), after...)
}

func themeLinks(themes app.Themes) string {
	var b strings.Builder
	if themes.Default != "" {
		// The name needs no escapes; see app.Themes. Browsers may deny storage.
		fmt.Fprintf(&b, `<script>
    { let theme = null;
      try { theme = localStorage.getItem("theme"); } catch {}
      document.documentElement.classList.add("theme-" + (/^[\w-]+$/.test(theme ?? "") ? theme : %q)); }
  </script>`, themes.Default)
	}
	for _, name := range themes.Names {
		fmt.Fprintf(&b, "\n  <link rel=\"stylesheet\" href=\"/themes/%s.css\">", html.EscapeString(name))
	}
	return b.String()
}
