package viewdef

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html"
)

// An Address says what a browser does with the address in an attribute. Data are never code: a
// value that a browser would run is not displayed.
type Address uint8

const (
	NoAddress Address = iota // the attribute has no address
	Media                    // it loads something in which no code runs, such as a picture, or saves it
	Document                 // it loads or goes to a document
	Documents                // it has several of the latter, separated by semicolons, as values of SVG
)

// RunsCode reports whether a browser may run code that is in an address itself. It parses as
// browsers do: control characters and spaces before the address, tabs and line breaks anywhere, and
// the case of the scheme do not matter.
func (a Address) RunsCode(text string) bool {
	switch a {
	case NoAddress:
		return false
	case Documents:
		return slices.ContainsFunc(strings.Split(text, ";"), Document.RunsCode)
	}
	text = strings.TrimLeftFunc(text, func(r rune) bool { return r <= ' ' })
	text = strings.ToLower(strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(text))
	scheme, rest, ok := strings.Cut(text, ":")
	if !ok {
		return false
	}
	switch scheme {
	case "javascript", "vbscript":
		return true
	case "data":
		// Documents of HTML and XML have scripts; SVG and text/xsl are of the latter.
		kind, _, _ := strings.Cut(rest, ",")
		return a == Document && (slices.ContainsFunc([]string{"html", "xml", "xsl"}, func(part string) bool { return strings.Contains(kind, part) }))
	}
	return false
}

// addressNames are the attributes with addresses; so are those that end in one of addressEnds,
// which custom elements have.
var (
	addressNames = []string{
		"action", "archive", "background", "cite", "classid", "codebase", "data", "dynsrc", "formaction", "icon", "link", "longdesc", "lowsrc",
		"manifest", "ping", "poster", "profile", "srcset", "imagesrcset",
	}
	addressEnds = []string{"href", "src", "url", "uri"}
	// mediaTags are the elements that never run what they load; links load styles and icons.
	mediaTags = []string{"audio", "feimage", "image", "img", "input", "link", "picture", "source", "track", "video"}
	// mediaNames are the attributes that never do, whatever the element.
	mediaNames = []string{"background", "dynsrc", "imagesrcset", "lowsrc", "poster", "srcset"}
	// animations set attributes of other elements, such as href, to these values.
	animations     = []string{"animate", "set"}
	animatedValues = []string{"by", "from", "to", "values"}
)

// addressOf returns what a browser does with the attribute of an element.
func addressOf(n *html.Node, name string) Address {
	tag := strings.ToLower(n.Data)
	switch {
	case slices.Contains(animations, tag) && slices.Contains(animatedValues, name):
		return Documents
	case strings.HasPrefix(name, "data-"):
		return NoAddress
	case !slices.Contains(addressNames, name) && !slices.ContainsFunc(addressEnds, func(end string) bool { return strings.HasSuffix(name, end) }):
		return NoAddress
	case slices.Contains(mediaNames, name), slices.Contains(mediaTags, tag) && name != "formaction":
		return Media
	case (tag == "a" || tag == "area") && has(n, "download"):
		return Media // to save
	}
	return Document
}

// programs are the types of scripts that a browser runs or heeds.
var programs = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\s*$|java|ecma|jscript|livescript|module|importmap|speculationrules`)
})

// runsData returns why a binding would let data be code, or "".
func runsData(n *html.Node, kind Kind, name string) string {
	tag := strings.ToLower(n.Data)
	if tag == "script" && (kind == Attr || kind == Value || kind == HTML) && (programs().MatchString(attribute(n, "type")) || has(n, "ui-attr-type")) {
		return "data cannot be code: write the <script> as it is, or use ui-code for JavaScript of the app"
	}
	if kind != Attr {
		return ""
	}
	if event, ok := strings.CutPrefix(name, "on"); ok && event != "" {
		return fmt.Sprintf("data cannot be code: use ui-event-%s, or ui-code for JavaScript of the app", event)
	}
	if name == "srcdoc" && !isApart(n) {
		return "data cannot be code: the document's scripts would be the app's; use ui-html, or a frame with sandbox and without allow-same-origin"
	}
	return ""
}

// isApart reports whether the scripts in a frame's document can reach nothing outside of it.
func isApart(frame *html.Node) bool {
	return has(frame, "sandbox") && !has(frame, "ui-attr-sandbox") && !strings.Contains(strings.ToLower(attribute(frame, "sandbox")), "allow-same-origin")
}

func has(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}
