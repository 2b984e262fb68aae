package bench

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"
)

// The benchmarks of this file run with several sizes: the cost for each element must not grow with
// their number.

// BenchmarkBoundValues measures the processor time of a transaction that changes nothing, with n
// rows and 300 values bound beside them.
func BenchmarkBoundValues(b *testing.B) {
	for _, n := range []int{5_000, 10_000, 20_000} {
		for _, values := range []int{0, 300} {
			b.Run(fmt.Sprintf("rows=%d/values=%d", n, values), func(b *testing.B) {
				var bound strings.Builder
				for i := range values {
					fmt.Fprintf(&bound, `<i ui-value="items.%d.name"></i>`, i+1)
				}
				app := maps.Clone(rows)
				app["apps/rows/viewdefs/Rows.DEFAULT.html"] = `<template><div ui-view="items?wrapper=lua.ViewList"></div><p>` + bound.String() + `</p></template>`
				p := start(b, app)
				p.call("ui_display", map[string]any{"name": "rows"})
				p.run(fmt.Sprintf("rows:fill(%d)", n))
				call := params(b, "ui_run", map[string]any{"code": "return 1"})
				before, passes := p.cpu(), 0
				for b.Loop() {
					p.request("tools/call", call)
					passes++
				}
				perPass(b, p, before, passes, n)
			})
		}
	}
}

// BenchmarkLargeJSON measures encoding an array of n numbers, also one that has been twice as long:
// Lua does not know where such an array ends.
func BenchmarkLargeJSON(b *testing.B) {
	for _, n := range []int{40_000, 80_000, 160_000} {
		for kind, code := range map[string]string{
			"array":     `t = {} for i = 1, %[1]d do t[i] = i end`,
			"shortened": `t = {} for i = 1, 2 * %[1]d do t[i] = i end for i = 2 * %[1]d, %[1]d + 1, -1 do t[i] = nil end`,
		} {
			b.Run(fmt.Sprintf("%s/n=%d", kind, n), func(b *testing.B) {
				p := start(b, nil)
				p.run(fmt.Sprintf(code, n))
				call := params(b, "ui_run", map[string]any{"code": "return #ui.json_encode(t)"})
				before, passes := p.cpu(), 0
				for b.Loop() {
					p.request("tools/call", call)
					passes++
				}
				perPass(b, p, before, passes, n)
			})
		}
	}
}

// perPass reports the processor time of one pass, and of one of its n elements.
func perPass(b *testing.B, p *process, before time.Duration, passes, n int) {
	cpu := (p.cpu() - before).Seconds() / float64(passes)
	b.ReportMetric(cpu*1e3, "cpu-ms/pass")
	b.ReportMetric(cpu*1e9/float64(n), "cpu-ns/element")
	b.ReportMetric(0, "ns/op") // the mean of a noisy machine says less
}

// BenchmarkIdleSubscriber measures what an idle server costs while a client is subscribed to the
// state and the variables, with n rows displayed, and after it has unsubscribed.
func BenchmarkIdleSubscriber(b *testing.B) {
	for _, n := range []int{5_000, 20_000} {
		p := start(b, rows)
		p.call("ui_display", map[string]any{"name": "rows"})
		p.run(fmt.Sprintf("rows:fill(%d)", n))
		for _, method := range []string{"resources/subscribe", "resources/unsubscribe"} {
			p.request(method, `{"uri":"ui://state"}`)
			p.request(method, `{"uri":"ui://variables"}`)
			b.Run(fmt.Sprintf("rows=%d/after=%s", n, method), func(b *testing.B) {
				b.ReportMetric(0, "ns/op")
				before, begin := p.cpu(), time.Now()
				for b.Loop() {
					time.Sleep(2 * time.Second)
				}
				b.ReportMetric(float64((p.cpu()-before).Microseconds())/1000/time.Since(begin).Seconds(), "cpu-ms/s")
			})
		}
	}
}
