package bench

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
)

// BenchmarkPopup measures two times of a question in an open page: from its request until the
// dialog is painted, and from the click until the caller has the answer. Both clocks are this
// machine's.
func BenchmarkPopup(b *testing.B) {
	b.Setenv("XDG_CACHE_HOME", b.TempDir()) // no other server is registered
	p := start(b, rows)
	endpoint := testkit.AgentURL(b, p.dir) + "/mcp"
	tab := browser.New(b).Tab()
	tab.Open(p.url + "/popup")
	tab.Wait(`document.querySelector("ui-popup").dataset.ready === "true"`)
	// The page clicks by itself once it has painted, and records both times.
	tab.Run(`window.times = [];
		const host = document.querySelector("ui-popup");
		const now = () => performance.timeOrigin + performance.now();
		new MutationObserver(() => {
			if (host.dataset.state !== "dialog") return;
			requestAnimationFrame(() => setTimeout(() => {
				const painted = now();
				setTimeout(() => { times.push([painted, now()]); host.shadowRoot.querySelector(".option").click(); }, 30);
			}));
		}).observe(host, { attributeFilter: ["data-question"] });`)
	request := []byte(`{"jsonrpc":"2.0","id":"r","method":"triggerPopup","params":{"workspacePath":"/w","title":"T","message":"Deploy **now**?","options":[{"label":"Yes","value":"yes"}]}}`)
	var shown, answered stopwatch
	for b.Loop() {
		begin := time.Now()
		res, err := http.Post(endpoint, "application/json", bytes.NewReader(request))
		if err != nil {
			b.Fatal(err)
		}
		var answer struct{ Error *struct{ Message string } }
		err = json.NewDecoder(res.Body).Decode(&answer)
		end := time.Now()
		res.Body.Close()
		if err != nil || answer.Error != nil {
			b.Fatal(err, answer.Error)
		}
		at := browser.Eval[[2]float64](tab, `times.at(-1)`)
		tab.Wait(`document.querySelector("ui-popup").dataset.state === "idle"`)
		shown = append(shown, moment(at[0]).Sub(begin))
		answered = append(answered, end.Sub(moment(at[1])))
	}
	b.Run("shown", func(b *testing.B) { shown.report(b) })
	b.Run("answered", func(b *testing.B) { answered.report(b) })
}

// moment converts a page's time, in milliseconds since 1970.
func moment(ms float64) time.Time { return time.UnixMicro(int64(ms * 1000)) }
