package browser

import "github.com/chromedp/chromedp"

// Choose chooses files in a file field, as the person does in the browser's dialog.
func (tab *Tab) Choose(selector string, paths ...string) {
	tab.do("choose files in "+selector, chromedp.SetUploadFiles(chromedp.CSS(selector), paths))
}
