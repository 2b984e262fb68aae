package guard

import "net/http"

// A Reason is why a request is refused.
type Reason int

const (
	ForeignHost   Reason = iota + 1 // it was sent to another name, or not to a port
	ForeignOrigin                   // a page of another site made it
	TooLong                         // its body is too long
	NotJSON                         // its body is not JSON
	ForeignUser                     // a program of another user made it, or of one that is not known
)

// A Refusal is a request that is not let through.
type Refusal struct {
	Status int
	Reason Reason
	Text   string // a sentence for whoever asked
}

// A Refuser answers a request that is refused, in the form that its server has for errors. Headers
// that belong to the answer are set already.
type Refuser func(http.ResponseWriter, *http.Request, Refusal)

// inText is the form of servers that have none of their own.
func inText(w http.ResponseWriter, _ *http.Request, r Refusal) { http.Error(w, r.Text, r.Status) }
