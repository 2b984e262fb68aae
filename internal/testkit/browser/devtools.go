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
	state := page.SetWebLifecycleStateParams{State: page.SetWebLifecycleStateStateActive}
	if frozen {
		state.State = page.SetWebLifecycleStateStateFrozen
	}
	call(tab, "freeze the page", page.SetWebLifecycleState, state)
}

// Requests watches the network from now on. The returned function returns the addresses of all
// requests and WebSockets of the tab since then.
func (tab *Tab) Requests() func() []string {
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
	if err != nil {
		tab.fail("watch the network", err)
	}
	call(tab, "watch the network", network.Enable, network.EnableParams{})
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(list)
	}
}

// InstallErrors returns why the browser would not offer to install the page as an app.
func (tab *Tab) InstallErrors() []string {
	got := call(tab, "ask whether the page can be installed", page.GetInstallabilityErrors, cdp.Empty{})
	var list []string
	for _, e := range got.InstallabilityErrors {
		list = append(list, e.ErrorID)
	}
	return list
}

// Hide minimizes the window of the page, which loses the focus with it, or shows it again.
func (tab *Tab) Hide(hidden bool) {
	// A page with the focus of an emulation is always visible.
	call(tab, "hide the page", emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: !hidden})
	state := browser.WindowStateNormal
	if hidden {
		state = browser.WindowStateMinimized
	}
	window := call(tab, "find the window", browser.GetWindowForTarget, browser.GetWindowForTargetParams{})
	call(tab, "display the window as "+string(state), browser.SetWindowBounds, browser.SetWindowBoundsParams{
		WindowID: window.WindowID, Bounds: &browser.Bounds{WindowState: state},
	})
}
