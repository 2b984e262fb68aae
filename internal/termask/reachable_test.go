package termask

import (
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
)

// A silent broker does not say that somebody can be reached.
type silent struct {
	Broker
	reachable func() bool
	appeared  chan struct{}
}

func (s *silent) Reachable(popup.Asked, ...popup.Channel) bool { return s.reachable() }
func (s *silent) Appearance() <-chan struct{}                  { return s.appeared }

// The person is asked when they can be reached, even if nothing announces that; and not again and
// again while a channel that cannot display the question is there.
func TestWhenReachable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		b := &silent{reachable: func() bool { return time.Since(start) > 5*time.Minute }, appeared: make(chan struct{})}
		p := NewPrompts(PromptOptions{Broker: b})
		over := make(chan struct{})
		var asked []time.Duration
		done := make(chan struct{})
		go func() {
			defer close(done)
			p.whenReachable(over, question.Question{}, nil, func() bool {
				asked = append(asked, time.Since(start))
				return false
			})
		}()
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(asked) != 1 || asked[0] > 5*time.Minute+lookEvery {
			t.Errorf("asked after %v", asked)
		}
		appeared := b.appeared
		b.appeared = make(chan struct{})
		close(appeared)
		synctest.Wait()
		if len(asked) != 2 {
			t.Errorf("asked after %v", asked)
		}
		close(over)
		<-done
	})
}
