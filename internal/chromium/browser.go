// Package chromium runs a browser of the person's machine (Chromium, Chrome, Edge, Brave) without
// windows, and drives its pages through the Chrome DevTools Protocol. The browser is started when
// it is first needed, keeps a temporary profile of its own, and ends when it has not been used for
// a while, with [Browser.Close], and when this process ends in whatever way. The protocol goes
// through a pipe: there is no port that others could use. Nothing is bundled or downloaded.
//
// The package knows nothing of what the pages display.
package chromium

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"ui-mcp/internal/fault"
)

// Options configure a [Browser]. The zero value is usable.
type Options struct {
	// Find returns the path of the browser; nil means what [Find] finds with all names.
	Find func() (string, error)
	// Flags are further flags for the browser, in the form of [Flags].
	Flags []string
	// Idle is how long the browser stays without pages; 0 means a minute.
	Idle time.Duration
}

// A Browser runs while it is needed. It is safe for concurrent use.
type Browser struct {
	opts Options

	starting chan struct{} // capacity 1; holds a token while a call starts or ends the process

	mu      sync.Mutex // guards the fields below; never held during a call to the browser
	process *process   // nil while none runs
	pages   int        // that are open, or are being opened
	idle    *time.Timer
	closed  bool
	ending  sync.WaitGroup // processes that are being ended
}

// New returns a browser that is not running yet. The caller must Close it.
func New(opts Options) *Browser {
	if opts.Find == nil {
		opts.Find = func() (string, error) { return Find(append(append([]string{}, Shells...), Whole...)...) }
	}
	if opts.Idle == 0 {
		opts.Idle = time.Minute
	}
	return &Browser{opts: opts, starting: make(chan struct{}, 1)}
}

// Close ends the browser. Pages that are open fail. It returns when nothing of the browser is left.
func (b *Browser) Close() {
	b.mu.Lock()
	b.closed = true
	b.endLocked()
	b.mu.Unlock()
	b.starting <- struct{}{} // a start under way ends its process itself
	b.ending.Wait()
	<-b.starting
}

// endLocked ends the running process, if there is one, in the background.
func (b *Browser) endLocked() {
	if b.idle != nil {
		b.idle.Stop()
		b.idle = nil
	}
	if p := b.process; p != nil {
		b.process = nil
		b.ending.Go(p.close)
	}
}

// drop ends a process that is of no use any more. The next page starts another one.
func (b *Browser) drop(p *process) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.process == p {
		b.endLocked()
	}
}

var errClosed = fault.New(fault.Gone, "the server is stopping")

// acquire returns the running process, starting one if necessary, and counts a page.
func (b *Browser) acquire(ctx context.Context) (*process, error) {
	select {
	case b.starting <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-b.starting }()
	b.mu.Lock()
	if b.process != nil && b.process.hasEnded() {
		b.endLocked()
	}
	p, closed := b.process, b.closed
	if p != nil && !closed {
		b.useLocked()
	}
	b.mu.Unlock()
	switch {
	case closed:
		return nil, errClosed
	case p != nil:
		return p, nil
	}
	path, err := b.opts.Find()
	if err != nil {
		return nil, err
	}
	sweep()
	if p, err = start(ctx, path, append(Flags(), b.opts.Flags...)); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		b.ending.Go(p.close)
		return nil, errClosed
	}
	b.process = p
	b.useLocked()
	return p, nil
}

func (b *Browser) useLocked() {
	b.pages++
	if b.idle != nil {
		b.idle.Stop()
		b.idle = nil
	}
}

// release counts a page out. After the last one, the browser stays for a while.
func (b *Browser) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pages--
	if b.pages > 0 || b.process == nil {
		return
	}
	p := b.process
	b.idle = time.AfterFunc(b.opts.Idle, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.pages == 0 && b.process == p {
			b.endLocked()
		}
	})
}

// A Page is one page in a profile of its own: it shares nothing with other pages. It is safe for
// concurrent use.
type Page struct {
	browser *Browser
	process *process
	profile string // the browser's name for it
	session string
}

// How long a page may take to open, and to close.
const openWithin, closeWithin = 10 * time.Second, 2 * time.Second

// Page opens an empty page, and starts the browser if necessary. events gets the events of the page
// on a goroutine that it must not block. The caller must Close the page.
func (b *Browser) Page(ctx context.Context, events func(method string, params json.RawMessage)) (_ *Page, err error) {
	p, err := b.acquire(ctx)
	if err != nil {
		return nil, err
	}
	// A caller that leaves meanwhile must not leave a half-open page behind: that would be a reason
	// to end the browser, which others use.
	caller := ctx
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), openWithin, fault.New(fault.Timeout, "the browser does not answer within %v", openWithin))
	defer cancel()
	page := &Page{browser: b, process: p}
	defer func() {
		if err != nil {
			page.Close()
		}
	}()
	var made struct {
		Profile string `json:"browserContextId"`
		Target  string `json:"targetId"`
		Session string `json:"sessionId"`
	}
	if err := p.call(ctx, "", "Target.createBrowserContext", map[string]any{"disposeOnDetach": true}, &made); err != nil {
		return nil, err
	}
	page.profile = made.Profile
	deny := map[string]any{"behavior": "deny", "browserContextId": page.profile}
	if err := p.call(ctx, "", "Browser.setDownloadBehavior", deny, nil); err != nil {
		return nil, err
	}
	if err := p.call(ctx, "", "Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": page.profile}, &made); err != nil {
		return nil, err
	}
	if err := p.call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": made.Target, "flatten": true}, &made); err != nil {
		return nil, err
	}
	page.session = made.Session
	p.listen(page.session, events)
	return page, context.Cause(caller)
}

// Call calls a method of the protocol on the page, and stores its result unless that is nil.
func (p *Page) Call(ctx context.Context, method string, params, result any) error {
	return p.process.call(ctx, p.session, method, params, result)
}

// Send calls a method without waiting for an answer: an event handler may use it.
func (p *Page) Send(method string, params any) {
	if id, _, err := p.process.send(p.session, method, params); err == nil {
		p.process.forget(id)
	}
}

// Close closes the page. A browser that cannot close it, because a script loops for ever, is ended.
func (p *Page) Close() {
	defer p.browser.release()
	if p.session != "" {
		p.process.listen(p.session, nil)
	}
	if p.profile == "" {
		p.browser.drop(p.process) // it does not answer
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	if err := p.process.call(ctx, "", "Target.disposeBrowserContext", map[string]any{"browserContextId": p.profile}, nil); err != nil {
		p.browser.drop(p.process)
	}
}
