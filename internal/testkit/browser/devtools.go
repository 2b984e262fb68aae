package browser

import (
	"context"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"ui-mcp/internal/testkit/wait"
)

// Permit grants pages of an origin a permission, such as "notifications", as a person does who
// allows it when asked.
func (b *Browser) Permit(permission, origin string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, wait.Patience)
	defer cancel()
	set := browser.SetPermissionParams{
		Permission: &browser.PermissionDescriptor{Name: permission}, Setting: browser.PermissionSettingGranted, Origin: origin, BrowserContextID: b.profile,
	}
	if _, err := chromedp.CallBrowser(ctx, browser.SetPermission, set); err != nil {
		b.t.Fatalf("permit %s: %v", permission, err)
	}
}

// Freeze stops the page, as the browser does with tabs that are hidden for long, or lets it go on.
func (tab *Tab) Freeze(frozen bool) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, wait.Patience)
	defer cancel()
	state := page.SetWebLifecycleStateParams{State: page.SetWebLifecycleStateStateActive}
	if frozen {
		state.State = page.SetWebLifecycleStateStateFrozen
	}
	if _, err := chromedp.Call(ctx, page.SetWebLifecycleState, state); err != nil {
		tab.fail("freeze the page", err)
	}
}

// Requests watches the network from now on. The returned function returns the addresses of all
// requests and WebSockets of the tab since then.
func (tab *Tab) Requests() func() []string {
	tab.t.Helper()
	var mu sync.Mutex // guards the list
	var list []string
	err := chromedp.Listen(tab.ctx, func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch event := event.(type) {
		case *network.EventRequestWillBeSent:
			list = append(list, event.Request.URL)
		case *network.EventWebSocketCreated:
			list = append(list, event.URL)
		}
	})
	if err == nil {
		_, err = chromedp.Call(tab.ctx, network.Enable, network.EnableParams{})
	}
	if err != nil {
		tab.fail("watch the network", err)
	}
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(list)
	}
}

// InstallErrors returns why the browser would not offer to install the page as an app.
func (tab *Tab) InstallErrors() []string {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, wait.Patience)
	defer cancel()
	got, err := chromedp.Call(ctx, page.GetInstallabilityErrors, cdp.Empty{})
	if err != nil {
		tab.fail("ask whether the page can be installed", err)
	}
	var list []string
	for _, e := range got.InstallabilityErrors {
		list = append(list, e.ErrorID)
	}
	return list
}

// Hide minimizes the window of the page, which loses the focus with it, or shows it again.
func (tab *Tab) Hide(hidden bool) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, wait.Patience)
	defer cancel()
	// A page with the focus of an emulation is always visible.
	if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: !hidden}); err != nil {
		tab.fail("hide the page", err)
	}
	if hidden {
		tab.display(ctx, browser.WindowStateMinimized)
	} else {
		tab.display(ctx, browser.WindowStateNormal)
	}
}

// display minimizes the window of the page, or shows it again.
func (tab *Tab) display(ctx context.Context, state browser.WindowState) {
	tab.t.Helper()
	window, err := chromedp.Call(ctx, browser.GetWindowForTarget, browser.GetWindowForTargetParams{})
	if err == nil {
		_, err = chromedp.Call(ctx, browser.SetWindowBounds, browser.SetWindowBoundsParams{
			WindowID: window.WindowID, Bounds: &browser.Bounds{WindowState: state},
		})
	}
	if err != nil {
		tab.fail("display the window as "+string(state), err)
	}
}
