package httppopup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/wake"
)

const (
	// proofWithin is how long a page may take to report that it displays a question.
	proofWithin = 8 * time.Second
	// openWithin is how long a browser may take to start.
	openWithin = 20 * time.Second
	// awayFor is how long all pages may be away, as when they are being reloaded, before a question
	// goes elsewhere.
	awayFor = 15 * time.Second
	// lookedWithin is how recently a page must have had the focus for the person to count as
	// present.
	lookedWithin = 2 * time.Minute
)

// PagesOptions configure [Pages]. Broker and Client are required.
type PagesOptions struct {
	Broker *popup.Broker
	// Client has popup.js, the script that adds the frame with the questions to a page, and
	// question.js, the script of the questions themselves. They are read when they are requested.
	Client fs.FS
	// Changed, unless nil, is called when a page has connected or disconnected.
	Changed func()
	// Log gets refused connections; nil discards them.
	Log *slog.Logger
}

// Pages are the open pages of a server, as a channel for questions, and the files they load. Under
// the name of the pages of apps:
//
//	GET /popup.js       the script that adds the frame with the questions to a page
//
// Under the name of the questions:
//
//	GET /popup          the document with the questions, for that frame or as a page of its own
//	GET /question.js    its script
//	GET /popup-ws       its WebSocket, which takes no connections from elsewhere
type Pages struct {
	opts   PagesOptions
	kind   core.Kind
	chat   bool            // each has its own questions only, as views in conversations
	open   bool            // not for one question, which may bring a view
	stop   func()          // watching
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	guests sync.WaitGroup // their goroutines
	joined atomic.Int64   // how many have come by Join so far

	mu      sync.Mutex // guards the fields below
	pages   map[*Guest]struct{}
	active  map[string]int // questions to show as dialogs: the number of calls of Show
	changed chan struct{}  // closed and replaced when a page connects, disconnects or displays a question
}

// NewPages returns the pages of a broker. The caller adds it to the broker as a channel, and must
// Close it.
func NewPages(opts PagesOptions) *Pages {
	if opts.Broker == nil || opts.Client == nil {
		panic("httppopup: Broker and Client are required")
	}
	return newPages(opts, core.Page, true)
}

func newPages(opts PagesOptions, kind core.Kind, open bool) *Pages {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Changed == nil {
		opts.Changed = func() {}
	}
	p := &Pages{
		opts: opts, kind: kind, chat: kind != core.Page, open: open, pages: map[*Guest]struct{}{}, active: map[string]int{}, changed: make(chan struct{}),
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.stop = opts.Broker.Watch(p.refresh)
	return p
}

// Close stops updating the pages. Their WebSockets end with the HTTP server.
func (p *Pages) Close() {
	p.stop()
	p.cancel()
	p.guests.Wait()
}

// Name implements [popup.Channel].
func (p *Pages) Name() string {
	return map[core.Kind]string{core.Page: "page", core.Chat: "chat", core.Terminal: "terminal"}[p.kind]
}

// Kind implements [popup.Channel].
func (p *Pages) Kind() core.Kind { return p.kind }

// Presence implements [popup.Channel].
func (p *Pages) Presence() core.Presence {
	if !p.open {
		return core.Possible // the question itself may bring the view
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	presence := core.Absent
	for page := range p.pages {
		presence = max(presence, core.Possible)
		if page.focused || !page.looked.IsZero() && time.Since(page.looked) < lookedWithin {
			return core.Attended
		}
	}
	return presence
}

// Show implements [popup.Channel]: pages show the question as a dialog. It fails when no page
// reports in time that it does, and when all of them have disconnected.
func (p *Pages) Show(ctx context.Context, a popup.Asked) error {
	if p.open && p.kind == core.Chat && a.Asker == question.ByAgent {
		return popup.ErrNotShown
	}
	return p.show(ctx, a.ID, proofWithin)
}

func (p *Pages) show(ctx context.Context, id string, within time.Duration) error {
	p.activate(id, 1)
	defer p.activate(id, -1)
	missing := time.NewTimer(within)
	defer missing.Stop()
	displayed, seen := false, false // now; ever
	for {
		visible, changed := p.isVisible(id)
		if visible {
			displayed, seen = true, true
			missing.Stop()
		} else if displayed {
			displayed = false
			missing.Reset(awayFor)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		case <-missing.C:
			if seen {
				return fmt.Errorf("%w: its pages have gone", popup.ErrLost)
			}
			return fmt.Errorf("%w: no page shows it", popup.ErrNotShown)
		}
	}
}

// activate changes the number of calls that want a question to be a dialog.
func (p *Pages) activate(id string, change int) {
	p.mu.Lock()
	p.active[id] += change
	if p.active[id] == 0 {
		delete(p.active, id)
	}
	p.mu.Unlock()
	p.refresh()
}

// isVisible reports whether a page displays a question. The channel is closed when that may have
// changed.
func (p *Pages) isVisible(id string) (bool, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for page := range p.pages {
		if !page.displayed[id].IsZero() {
			return true, p.changed
		}
	}
	return false, p.changed
}

// mayAnswer reports whether a page is to display a question, and has done so for as long as a
// person needs to read. If it displays the question, and not yet for so long, it returns what is
// missing: the person may have had longer than messages show, which can wait for one another.
func (p *Pages) mayAnswer(c *Guest, id string) (wait time.Duration, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	since := c.displayed[id]
	if !c.listed[id] || since.IsZero() {
		return 0, false
	}
	wait = max(0, tooFast-time.Since(since))
	return wait, wait == 0
}

// refresh sends all pages the present state.
func (p *Pages) refresh() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for page := range p.pages {
		wake.Up(page.wake)
	}
}

// signalLocked wakes those who wait for pages to change.
func (p *Pages) signalLocked() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// IsOpen reports whether a page is connected.
func (p *Pages) IsOpen() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.pages) > 0
}

// Opener returns the channel that opens a page when there is none. open opens a URL in the person's
// browser, or fails, with [popup.ErrPutAway] if the person does not want it; url returns the
// address of the page, or "" while it is not served.
func (p *Pages) Opener(open func(ctx context.Context, url string) error, url func() string) popup.Channel {
	return &opener{pages: p, open: open, url: url}
}

type opener struct {
	pages *Pages
	open  func(context.Context, string) error
	url   func() string
}

func (o *opener) Name() string    { return "page" }
func (o *opener) Kind() core.Kind { return core.NewPage }

func (o *opener) Presence() core.Presence {
	if o.url() == "" {
		return core.Absent
	}
	return core.Possible
}

func (o *opener) Show(ctx context.Context, a popup.Asked) error {
	if err := o.open(ctx, o.url()); errors.Is(err, popup.ErrPutAway) {
		return err
	} else if err != nil {
		return fmt.Errorf("%w: %w", popup.ErrNotShown, err)
	}
	return o.pages.show(ctx, a.ID, openWithin)
}
