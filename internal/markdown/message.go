package markdown

import (
	"net/url"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
)

// Message is [HTML] for a text that is displayed where an answer counts. Nothing in it loads from
// the network, which would also reveal that the person has read it. Its links, to the web or a
// mailbox, open in a tab of their own that learns nothing of this page; of others and of pictures
// there is the text.
func Message(text string) string { return convert(text, harmless) }

func harmless(root ast.Node, source []byte) {
	var gone []ast.Node
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function never fails
		var to string
		switch n := n.(type) {
		case *ast.Link:
			to, n.Title = string(n.Destination), nil
		case *ast.AutoLink:
			if to = string(n.URL(source)); n.AutoLinkType == ast.AutoLinkEmail {
				to = "mailto:"
			}
		case *ast.Image, *extension.TaskCheckBox:
		default:
			return ast.WalkContinue, nil
		}
		switch u, err := url.Parse(to); {
		case !entering:
		case err == nil && (u.Scheme == "mailto" || u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")): // "http:/1/" leads to this server
			n.SetAttributeString("rel", []byte("noreferrer noopener"))
			n.SetAttributeString("target", []byte("_blank"))
		default:
			gone = append(gone, n)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range gone {
		if link, ok := n.(*ast.AutoLink); ok {
			label := ast.NewString(link.Label(source))
			label.SetRaw(true)
			n.AppendChild(n, label)
		}
		unwrap(n)
	}
}
