package mcpapps

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"regexp"
	"strings"
	"sync"

	"ui-mcp/internal/packed"
)

// A document is the HTML that hosts display: the client, its components and their themes in one
// file, since hosts give it no network.
type document struct {
	script     string // the client
	components string // run by the client when the first component is needed; gzip, as base64
	xterm      string // run by the client for the first terminal; the same
	themes     string
	policy     string
}

// config is the configuration that the document has for its script.
type config struct {
	Token    string `json:"token"`
	Tool     string `json:"tool"`
	Resource string `json:"resource"`
	Version  string `json:"version"`
	URL      string `json:"url"`
}

type look struct{ css, classes string }

// newDocument makes the document of the client's files, which package packed must have compressed:
// web/src/chat/packed.ts expands what stays compressed.
func newDocument(client fs.FS) (document, error) {
	d := document{}
	sources := ""
	for _, part := range []struct {
		file   string
		to     *string
		packed bool
	}{{"chat.js", &d.script, false}, {"components.js", &d.components, true}, {"chatxterm.js", &d.xterm, true}} {
		data, err := fs.ReadFile(client, part.file)
		if err != nil {
			return document{}, err
		}
		sum := sha256.Sum256(data)
		sources += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		if *part.to = string(data); part.packed {
			small, err := fs.ReadFile(client, part.file+packed.Suffix)
			if err != nil {
				return document{}, err
			}
			*part.to = base64.StdEncoding.EncodeToString(small)
		}
	}
	for _, theme := range []string{"light", "dark"} {
		data, err := fs.ReadFile(client, "shoelace/themes/"+theme+".css")
		if err != nil {
			return document{}, err
		}
		d.themes += fmt.Sprintf("<style id=\"ui-shoelace-%s\">%s</style>\n", theme, inStyle(string(data)))
	}
	// Hosts have a policy, too. This one refuses the scripts of apps, which could act for the view.
	d.policy = "default-src 'none'; script-src" + sources + "; style-src 'unsafe-inline'; img-src data:; media-src data:; font-src data:; base-uri 'none'; form-action 'none'"
	return d, nil
}

func (d document) html(c config, l look) (string, error) {
	data, err := json.Marshal(c) // which escapes what would end the script
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.Grow(len(d.script) + len(d.components) + len(d.xterm) + len(d.themes) + len(l.css) + 2048)
	fmt.Fprintf(&b, `<!doctype html>
<html lang="en" class="%s">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>ui-mcp</title>
%s<style>%s</style>
</head>
<body>
<script type="application/json" id="ui-config">%s</script>
<script type="text/plain" id="ui-components">%s</script>
<script type="text/plain" id="ui-xterm">%s</script>
<script>%s</script>
</body>
</html>
`, html.EscapeString(l.classes), d.policy, d.themes, inStyle(l.css), data, d.components, d.xterm, d.script)
	return b.String(), nil
}

var styleEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)</style`) })

// inStyle returns a style sheet in a form that cannot end its element.
func inStyle(css string) string { return styleEnd().ReplaceAllString(css, `<\/style`) }

var validIcon = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-z][0-9a-z-]*$`) })

// icon returns an icon of the client's component library as SVG, or "" if the name is unknown.
func icon(client fs.FS, name string) string {
	if !validIcon().MatchString(name) {
		return ""
	}
	data, err := fs.ReadFile(client, "shoelace/icons/"+name[:1]+".svg")
	if err != nil {
		return ""
	}
	_, symbol, found := strings.Cut(string(data), `<symbol id="`+name+`"`)
	symbol, _, ends := strings.Cut(symbol, "</symbol>")
	if !found || !ends {
		return ""
	}
	return `<svg xmlns="http://www.w3.org/2000/svg"` + symbol + "</svg>"
}
