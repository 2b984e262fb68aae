package httppopup

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/transport/ws"
)

// A question that a page has displayed is lost when the page closes, which differs from never
// having been shown.
func TestShownAndLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, err := popup.New(popup.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		p := NewPages(PagesOptions{Broker: b, Frame: []byte("0"), Script: []byte("0")})
		defer p.Close()
		start := time.Now()
		if err := p.Show(t.Context(), popup.Asked{ID: "id"}); !errors.Is(err, popup.ErrNotShown) || time.Since(start) != proofWithin {
			t.Errorf("without a page: %v after %v", err, time.Since(start))
		}
		open := &page{conn: &ws.Conn{}, displayed: map[string]time.Time{"id": time.Now()}}
		p.add(open)
		done := make(chan error, 1)
		go func() { done <- p.Show(context.WithoutCancel(t.Context()), popup.Asked{ID: "id"}) }()
		time.Sleep(time.Minute) // the person puts it off, with Escape: it stays as a chip
		p.remove(open)
		if err := <-done; !errors.Is(err, popup.ErrLost) {
			t.Errorf("after the page has closed: %v", err)
		}
	})
}
