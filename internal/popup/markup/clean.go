package markup

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A filter selects the attributes that an element keeps. ok is false if the element has no use
// without those that it lacks.
type filter func(given []html.Attribute) (kept []html.Attribute, ok bool)

// allowed are the elements that a message may contain.
var allowed = map[atom.Atom]filter{
	atom.P: bare, atom.Br: bare, atom.Hr: bare, atom.Strong: bare, atom.Em: bare, atom.Del: bare, atom.Code: bare, atom.Pre: bare,
	atom.Blockquote: bare, atom.Ul: bare, atom.Ol: list, atom.Li: bare, atom.A: link,
	atom.H1: bare, atom.H2: bare, atom.H3: bare, atom.H4: bare, atom.H5: bare, atom.H6: bare,
	atom.Table: bare, atom.Thead: bare, atom.Tbody: bare, atom.Tr: bare, atom.Th: cell, atom.Td: cell,
}

// clean returns HTML with the allowed elements and attributes, and the text of all others. It is a
// second line of defence behind the Markdown converter, which lets no HTML of the message through:
// the message was written by a model, which may have it from anywhere, and is displayed where an
// answer counts. Nothing in it may load from the network, which would also reveal that the person
// has read it.
func clean(source string) string {
	var out strings.Builder
	linked := false // an element a is open, and they do not nest
	for z := html.NewTokenizer(strings.NewReader(source)); z.Next() != html.ErrorToken; {
		t := z.Token()
		if t.Type == html.TextToken {
			out.WriteString(html.EscapeString(t.Data))
			continue
		}
		keep := allowed[t.DataAtom]
		if keep == nil || t.Type == html.CommentToken || t.Type == html.DoctypeToken {
			continue
		}
		attributes, ok := keep(t.Attr)
		if t.Type == html.EndTagToken {
			attributes, ok = nil, t.DataAtom != atom.A || linked
		}
		if !ok {
			continue
		}
		if t.DataAtom == atom.A {
			linked = t.Type == html.StartTagToken
		}
		t.Attr = attributes
		out.WriteString(t.String())
	}
	return out.String()
}

func bare([]html.Attribute) ([]html.Attribute, bool) { return nil, true }

// list keeps the number of the first item.
func list(given []html.Attribute) ([]html.Attribute, bool) {
	return slices.DeleteFunc(given, func(a html.Attribute) bool {
		_, err := strconv.ParseUint(a.Val, 10, 32)
		return a.Key != "start" || err != nil
	}), true
}

// cell keeps the alignment of a column.
func cell(given []html.Attribute) ([]html.Attribute, bool) {
	return slices.DeleteFunc(given, func(a html.Attribute) bool {
		property, value, _ := strings.Cut(a.Val, ":")
		return a.Key != "style" || property != "text-align" || !slices.Contains([]string{"left", "center", "right"}, strings.TrimSpace(value))
	}), true
}

// link keeps an address on the web or of a mailbox, which opens in a tab of its own that learns
// nothing of this page.
func link(given []html.Attribute) ([]html.Attribute, bool) {
	for _, a := range given {
		to, err := url.Parse(a.Val)
		if a.Key != "href" || err != nil || to.Scheme != "mailto" && (to.Scheme != "http" && to.Scheme != "https" || to.Host == "") { // "http:/1/" leads to this server
			continue
		}
		return []html.Attribute{{Key: "href", Val: a.Val}, {Key: "rel", Val: "noreferrer noopener"}, {Key: "target", Val: "_blank"}}, true
	}
	return nil, false
}
