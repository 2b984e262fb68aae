package browser

import (
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/chromedp"
)

// Size resizes the window, in CSS pixels.
func (tab *Tab) Size(width, height int) {
	tab.t.Helper()
	size := emulation.SetDeviceMetricsOverrideParams{Width: int64(width), Height: int64(height), DeviceScaleFactor: 1}
	if _, err := chromedp.Call(tab.ctx, emulation.SetDeviceMetricsOverride, size); err != nil {
		tab.fail("resize the window", err)
	}
}

// Print switches between the page's print and screen styles.
func (tab *Tab) Print(print bool) {
	tab.t.Helper()
	var media emulation.SetEmulatedMediaParams
	if print {
		media.Media = "print"
	}
	if _, err := chromedp.Call(tab.ctx, emulation.SetEmulatedMedia, media); err != nil {
		tab.fail("change the media type", err)
	}
}

// CollectGarbage frees what the page does not reach any more.
func (tab *Tab) CollectGarbage() {
	tab.t.Helper()
	if _, err := chromedp.Call(tab.ctx, heapprofiler.CollectGarbage, cdp.Empty{}); err != nil {
		tab.fail("collect garbage", err)
	}
}
