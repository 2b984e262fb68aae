package guard

import (
	"net/http"

	"ui-mcp/internal/transport/httpio"
)

// A Reason says why a request is refused.
type Reason int

const (
	ForeignHost   Reason = iota + 1 // Host is not a loopback name, or the connection is not TCP
	ForeignOrigin                   // a page of another site made it
	TooLong                         // its body is too long
	NotJSON                         // its body is not JSON
	ForeignUser                     // a program of another user made it, or of an unknown one
	FromScript                      // a script of an app made it
)

// A Refusal is the answer to a request that is not admitted.
type Refusal struct {
	Status int
	Reason Reason
	Text   string // a sentence for the client
}

// A Refuser answers a refused request in its server's form of errors. The guard has set the headers
// that belong to the answer.
type Refuser func(http.ResponseWriter, *http.Request, Refusal)

// inText is the form of servers without one of their own: a page for people, text for programs.
func inText(w http.ResponseWriter, r *http.Request, refused Refusal) {
	httpio.WriteProblem(w, r, refused.Status, httpio.AppIcon, "This is not possible", refused.Text)
}
