// Package look takes pictures of pages in a browser that nobody sees, and finds in them what people
// could not read or use. It waits until a page looks as it will, but not for ever. It does not know
// how an address gets past a server's rules, and what a page displays: callers say where elements
// are written.
package look

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/chromium"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/finding"
	"ui-mcp/web"
)

const (
	// within is how long a page may take to load, to settle and to be drawn.
	within = 12 * time.Second
	// settleWithin is how long a page may change before it is drawn as it is.
	settleWithin = 2500 * time.Millisecond
	// atOnce bounds the pages that are open at the same time.
	atOnce = 2
	// MinWidth and MaxWidth bound the width of a page in CSS pixels.
	MinWidth, MaxWidth = 240, 2560
	// maxHeight bounds the height of a picture.
	maxHeight = 3000
	// maxBytes bounds a picture: the client pays for it.
	maxBytes = 1 << 20
	// maxDefects bounds the errors of a page that are kept, and maxFound the faults of its elements
	// that are.
	maxDefects, maxFound = 50, 100
)

// A Request says what to look at, and how.
type Request struct {
	// URL is the page, and Seq the number of the last batch that it must have applied.
	URL string
	Seq int64
	// Ways are how to look at it, one after another.
	Ways []Way
	// Area is what to draw; nil means the whole page.
	Area *finding.Area
	// NoPicture leaves out the picture.
	NoPicture bool
	// PlacesOf returns where elements are written, in their order.
	PlacesOf func(ctx context.Context, elements []finding.Element) ([]finding.Place, error)
}

// A Way is what a page learns of the person's window and wishes.
type Way struct {
	Width int // of the page in CSS pixels
	Dark  bool
}

// Seen is what there was to see.
type Seen struct {
	PNG    []byte `json:"-"`     // nil without a picture
	Width  int    `json:"width"` // of the picture in CSS pixels
	Height int    `json:"height"`
	// Notes are what the picture does not show as it is, each a sentence without a full stop.
	Notes    []string          `json:"notes,omitempty"`
	Findings []finding.Finding `json:"findings"`
}

// A Looker takes pictures. It is safe for concurrent use.
type Looker struct {
	browser *chromium.Browser
	slots   chan struct{} // holds a token for each page that is open, or being closed
}

// New returns a Looker without a running browser. The caller must Close it.
func New(opts chromium.Options) *Looker {
	// Pages have names below localhost. All other addresses of this machine are out of their reach:
	// a script that opens the page of a person there would be a viewer.
	rules := []string{"MAP *.localhost 127.0.0.1"}
	for _, name := range []string{"localhost", "localhost.", "*.localhost.", "127.*", "0.0.0.0", "::", "[::]", "::1", "[::1]", "*::ffff:*"} {
		rules = append(rules, "MAP "+name+" ~NOTFOUND")
	}
	opts.Flags = append(opts.Flags, "host-resolver-rules="+strings.Join(rules, ","))
	return &Looker{browser: chromium.New(opts), slots: make(chan struct{}, atOnce)}
}

// Close ends the browser; looks under way fail. It returns when nothing of the browser is left.
func (l *Looker) Close() {
	l.browser.Close()
	for range atOnce { // pages that are being closed
		l.slots <- struct{}{}
	}
	for range atOnce {
		<-l.slots
	}
}

// Look looks at a page in each of the ways, and returns what there was to see in each, up to the
// first in which the page did not settle: its notes say so. With an error comes what was seen
// before. A page that does not answer is an error: fault.Timeout if a script may loop for ever,
// fault.Precondition if it has crashed or no browser can be started.
func (l *Looker) Look(ctx context.Context, req Request) (list []Seen, err error) {
	for _, way := range req.Ways {
		if way.Width < MinWidth || way.Width > MaxWidth {
			return nil, fault.New(fault.Invalid, "width must be from %d to %d, not %d", MinWidth, MaxWidth, way.Width)
		}
	}
	for settled := true; settled && len(list) < len(req.Ways); {
		var part []Seen
		part, settled, err = l.look(ctx, req, req.Ways[len(list):])
		if list = append(list, part...); err != nil {
			return list, err
		}
	}
	return list, nil
}

// look loads a page, and looks at it in one or more of the ways.
func (l *Looker) look(ctx context.Context, req Request, ways []Way) (list []Seen, settled bool, err error) {
	select {
	case l.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, false, context.Cause(ctx)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	v := &pageLook{req: req, cancel: cancel}
	// The browser may have to be started first.
	if v.page, err = l.browser.Page(ctx, v.event); err != nil {
		<-l.slots
		return nil, false, err
	}
	defer func() {
		go func() { // the caller has no need to wait for it; Close does
			v.page.Close()
			<-l.slots
		}()
	}()
	list, err = v.lookIn(ctx, ways)
	return list, v.settled, err
}

// A pageLook is one page, while it is being looked at.
type pageLook struct {
	req    Request
	way    Way // how it is being looked at
	page   *chromium.Page
	cancel context.CancelCauseFunc
	height int // of the window

	settled, plain bool // what the last look found: another way needs a load unless plain is set

	mu      sync.Mutex // guards the field below
	defects []defect   // that events told
}

func (v *pageLook) event(method string, params json.RawMessage) {
	switch method {
	case "Inspector.targetCrashed":
		v.cancel(fault.New(fault.Precondition, "the page has crashed: it may need too much memory"))
		return
	case "Page.javascriptDialogOpening":
		v.page.Send("Page.handleJavaScriptDialog", map[string]any{"accept": false})
	}
	d, ok := consoleDefect(method, params)
	if !ok {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.defects) < maxDefects {
		v.defects = append(v.defects, d)
	}
}

// lookIn loads the page and looks at it in the first way. It continues with the same page as long
// as that certainly looks as it would after another load: only styles can tell that its window has
// changed, and there is no error in the console, which may belong to one way.
func (v *pageLook) lookIn(ctx context.Context, ways []Way) (list []Seen, err error) {
	for i, way := range ways {
		seen, err := v.lookOnce(ctx, way, i == 0)
		if err != nil {
			return list, err
		}
		if i > 0 && (v.hasFailed() || !v.settled) {
			v.settled = true // the next load will show whether it does
			break
		}
		list = append(list, seen)
		if !v.settled || !v.plain || v.hasFailed() {
			break
		}
	}
	return list, nil
}

// hasFailed reports whether events have reported a fault of the page.
func (v *pageLook) hasFailed() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.defects) > 0
}

// lookOnce looks at the page in one way, and loads it before if load is set.
func (v *pageLook) lookOnce(ctx context.Context, way Way, load bool) (seen Seen, err error) {
	ctx, stop := context.WithTimeoutCause(ctx, within, fault.New(fault.Timeout, "the page does not answer within %v: a script of it may loop for ever", within))
	defer stop()
	if err := v.turn(ctx, way, load); err != nil {
		return seen, err
	}
	unsettled, err := v.settle(ctx, settleWithin)
	if err != nil {
		return seen, err
	}
	if v.settled = len(unsettled) == 0; !v.settled {
		// The page tells, so a script of it may have written it.
		seen.Notes = append(seen.Notes, fmt.Sprintf("the page was not settled after %v: %s", settleWithin, v.clean(strings.Join(unsettled, ", "))))
	}
	if err := v.inspect(ctx, &seen); err != nil || !v.req.NoPicture { // which may take another height
		return seen, err
	}
	return seen, v.evaluate(ctx, "uiLook.plain()", &v.plain)
}

// inspect finds what is wrong with the page, and takes the picture.
func (v *pageLook) inspect(ctx context.Context, seen *Seen) error {
	var found []defect
	if err := v.evaluate(ctx, "uiLook.inspect"+v.arguments(), &found); err != nil {
		return err
	}
	found = slices.DeleteFunc(found[:min(len(found), maxFound)], func(d defect) bool { return Codes[d.Code] == "" })
	if !v.req.NoPicture {
		if err := v.draw(ctx, seen); err != nil {
			return err
		}
	}
	v.mu.Lock()
	found = append(found, v.defects...)
	v.mu.Unlock()
	elements := make([]finding.Element, len(found))
	for i, d := range found {
		if d.Place != nil {
			elements[i] = *d.Place
		}
	}
	places, err := v.req.PlacesOf(ctx, elements)
	if err != nil {
		return err
	}
	seen.Findings = v.findings(found, places)
	return nil
}

// turn gives the window of the page another size and other colours, and loads the page if load is
// set. The script with which it is looked at starts afresh each time.
func (v *pageLook) turn(ctx context.Context, way Way, load bool) error {
	v.way, v.height = way, 800
	if way.Width < 600 {
		v.height = 844 // a phone
	}
	if load {
		if err := v.prepare(ctx); err != nil {
			return err
		}
	}
	scheme := "light"
	if way.Dark {
		scheme = "dark"
	}
	media := map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}
	if err := v.page.Call(ctx, "Emulation.setEmulatedMedia", media, nil); err != nil {
		return err
	}
	if err := v.resize(ctx); err != nil {
		return err
	}
	if load {
		var went struct {
			Error string `json:"errorText"`
		}
		if err := v.page.Call(ctx, "Page.navigate", map[string]any{"url": v.req.URL}, &went); err != nil {
			return err
		}
		if went.Error != "" {
			return fault.New(fault.Precondition, "the browser cannot load the page: %s", went.Error)
		}
	}
	script, err := web.Look()
	if err != nil {
		return err
	}
	return v.evaluate(ctx, script, nil)
}

// prepare has the browser tell what happens in the page, and the page that it is observed.
func (v *pageLook) prepare(ctx context.Context) error {
	for _, c := range []struct {
		method string
		params map[string]any
	}{
		{"Page.enable", nil}, {"Runtime.enable", nil}, {"Log.enable", nil}, {"Inspector.enable", nil},
		{"Emulation.setScrollbarsHidden", map[string]any{"hidden": true}},
		{"Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": `Object.defineProperty(window, "uiObserved", { value: true })`}},
	} {
		if err := v.page.Call(ctx, c.method, c.params, nil); err != nil {
			return err
		}
	}
	return nil
}

// resize gives the window its size.
func (v *pageLook) resize(ctx context.Context) error {
	return v.page.Call(ctx, "Emulation.setDeviceMetricsOverride", map[string]any{
		"width": v.way.Width, "height": v.height, "deviceScaleFactor": 1, "mobile": false,
	}, nil)
}

// settle waits until the page looks as it will, and returns what was still going on after a time.
func (v *pageLook) settle(ctx context.Context, within time.Duration) (unsettled []string, err error) {
	err = v.evaluate(ctx, fmt.Sprintf("uiLook.settle(%d, %d)", v.req.Seq, within.Milliseconds()), &unsettled)
	return unsettled, err
}

// evaluate evaluates an expression in the page, awaits a promise, and stores the result unless that
// is nil.
func (v *pageLook) evaluate(ctx context.Context, expression string, result any) error {
	var answer struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	params := map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": result != nil, "silent": true}
	switch err := v.page.Call(ctx, "Runtime.evaluate", params, &answer); {
	case err != nil && fault.KindOf(err) == fault.Internal:
		return fault.New(fault.Precondition, "the page cannot be looked at: a script of it loads another page, or this one again")
	case err != nil:
		return err
	}
	if e := answer.Exception; e != nil {
		return fault.New(fault.Precondition, "the page cannot be looked at: a script of it has changed it (%s)", v.clean(e.Text+" "+e.Exception.Description))
	}
	if result == nil || len(answer.Result.Value) == 0 {
		return nil
	}
	if err := json.Unmarshal(answer.Result.Value, result); err != nil {
		return fault.Wrap(fault.Precondition, err, "the page cannot be looked at")
	}
	return nil
}

// A box is a part of the page in CSS pixels.
type box struct {
	Left   float64 `json:"left"`
	Top    float64 `json:"top"`
	Right  float64 `json:"right"`
	Bottom float64 `json:"bottom"`
}

func (v *pageLook) draw(ctx context.Context, seen *Seen) error {
	var height float64
	if err := v.evaluate(ctx, "uiLook.height()", &height); err != nil {
		return err
	}
	// A window as high as the page, so that lists fill it.
	if h := min(int(math.Ceil(height)), maxHeight); h > v.height {
		v.height = h
		if err := v.resize(ctx); err != nil {
			return err
		}
		if _, err := v.settle(ctx, settleWithin/2); err != nil {
			return err
		}
	}
	clip := box{0, 0, float64(v.way.Width), float64(v.height)}
	if v.req.Area == nil && int(height) > v.height {
		seen.Notes = append(seen.Notes, fmt.Sprintf("the picture has the first %d px of a page of %d px: give a path to see another part", v.height, int(height)))
	}
	if v.req.Area != nil {
		var err error
		if clip, err = v.area(ctx, seen); err != nil {
			return err
		}
	}
	seen.Width, seen.Height = int(math.Ceil(clip.Right-clip.Left)), int(math.Ceil(clip.Bottom-clip.Top))
	for scale, fast := 1.0, true; ; {
		var shot struct {
			Data []byte `json:"data"`
		}
		params := map[string]any{"format": "png", "optimizeForSpeed": fast}
		if v.req.Area != nil || scale < 1 { // what the window has costs less
			params["captureBeyondViewport"] = v.req.Area != nil
			params["clip"] = map[string]any{"x": clip.Left, "y": clip.Top, "width": seen.Width, "height": seen.Height, "scale": scale}
		}
		if err := v.page.Call(ctx, "Page.captureScreenshot", params, &shot); err != nil {
			return err
		}
		switch {
		case len(shot.Data) > maxBytes && fast:
			fast = false // half of the time, but up to twice as large
			continue
		case len(shot.Data) > maxBytes && scale >= 0.2:
			scale /= 2
			continue
		}
		seen.PNG = shot.Data
		if scale < 1 {
			seen.Notes = append(seen.Notes, fmt.Sprintf("the picture is reduced to %g of its size, to be less than %d KB", scale, maxBytes>>10))
		}
		if len(shot.Data) > maxBytes {
			seen.PNG = nil
			seen.Notes = append(seen.Notes, "there is no picture: it is too large")
		}
		return nil
	}
}

// arguments are what functions in the page take that concern the area.
func (v *pageLook) arguments() string {
	if v.req.Area == nil {
		return "([], -1)"
	}
	ids := fault.Must(json.Marshal(v.req.Area.Instances)) // numbers always marshal
	return fmt.Sprintf("(%s, %d)", ids, v.req.Area.Element)
}

// area returns the part of the page that was asked for, with a margin.
func (v *pageLook) area(ctx context.Context, seen *Seen) (box, error) {
	arguments := v.arguments()
	if err := v.evaluate(ctx, "uiLook.reveal"+arguments, nil); err != nil {
		return box{}, err
	}
	if _, err := v.settle(ctx, settleWithin/2); err != nil {
		return box{}, err
	}
	var b *box
	if err := v.evaluate(ctx, "uiLook.rect"+arguments, &b); err != nil {
		return box{}, err
	}
	if b == nil {
		return box{}, fault.New(fault.Precondition, "it is not visible on the page at a width of %d px: it is hidden, empty, or not displayed now", v.way.Width)
	}
	const margin = 8
	out := box{
		Left: math.Max(math.Floor(b.Left)-margin, 0), Top: math.Max(math.Floor(b.Top)-margin, 0),
		Right: math.Ceil(b.Right) + margin, Bottom: math.Ceil(b.Bottom) + margin,
	}
	for _, side := range []struct {
		from, to *float64
		most     float64
		name     string
	}{{&out.Left, &out.Right, MaxWidth, "wide"}, {&out.Top, &out.Bottom, maxHeight, "high"}} {
		if size := *side.to - *side.from; size > side.most {
			*side.to = *side.from + side.most
			seen.Notes = append(seen.Notes, fmt.Sprintf("the picture has the first %d px of what is %d px %s", int(side.most), int(size), side.name))
		}
	}
	return out, nil
}

// At returns the address of a page under another name of its server.
func At(page, host string) (string, error) {
	u, err := url.Parse(page)
	if err != nil {
		return "", fault.Wrap(fault.Internal, err, "address of the page")
	}
	u.Host = host + ":" + u.Port()
	return u.String(), nil
}
