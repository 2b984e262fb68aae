package bench

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkScreenshot takes pictures of a page with 30 rows in a browser that runs already.
func BenchmarkScreenshot(b *testing.B) {
	p := start(b, rows)
	p.call("ui_display", map[string]any{"name": "rows"})
	p.run("rows:fill(30)")
	p.call("ui_screenshot", nil) // starts the browser
	for _, width := range []int{390, 1280} {
		b.Run(fmt.Sprintf("width=%d", width), func(b *testing.B) {
			var times stopwatch
			for b.Loop() {
				began := time.Now()
				p.call("ui_screenshot", map[string]any{"width": width})
				times = append(times, time.Since(began))
			}
			times.report(b)
		})
	}
}
