package mcppopup

import (
	"crypto/sha256"
	"maps"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A subject is who has asked, and about what. The same caller gets the answer when it asks about
// the same again.
type subject struct {
	// session is the client's, as long as a question of it is kept: another one never gets its
	// place in memory. It is nil where about says who asks, or has a state that only that one has.
	session *mcp.ServerSession
	about   [sha256.Size]byte
}

// An openQuestion is one for which a caller waits no more, and may come back.
type openQuestion struct {
	id    string
	asked time.Time // when the client began to display it, if it does
	until time.Time // when nobody can answer it any more; the answer is void then
}

// openQuestions are safe for concurrent use.
type openQuestions struct {
	mu   sync.Mutex // guards the field below
	open map[subject]openQuestion
}

// take returns the question for which the same caller has waited.
func (o *openQuestions) take(of subject) (openQuestion, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	q, ok := o.open[of]
	delete(o.open, of)
	return q, ok && time.Now().Before(q.until)
}

// put keeps a question for take, and forgets those whose answers are void.
func (o *openQuestions) put(of subject, q openQuestion) {
	o.mu.Lock()
	defer o.mu.Unlock()
	maps.DeleteFunc(o.open, func(_ subject, q openQuestion) bool { return !time.Now().Before(q.until) })
	o.open[of] = q
}
