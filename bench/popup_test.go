package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
)

// BenchmarkPopup measures two times of a question in an open page: from its request until the
// dialog is painted, and from the key until the caller has the answer. Both clocks are this
// machine's.
func BenchmarkPopup(b *testing.B) {
	b.Setenv("XDG_RUNTIME_DIR", b.TempDir()) // no other server is registered
	b.Setenv("XDG_CACHE_HOME", b.TempDir())
	p := start(b, rows)
	endpoint := testkit.AgentURL(b, p.dir) + "/mcp"
	tab := browser.New(b).Tab()
	tab.Open(p.url + "/popup")
	tab.Wait(`document.querySelector("ui-popup").dataset.ready === "true"`)
	// The page records when it has painted, and when the person answers: half a second later at the
	// earliest.
	tab.Run(`window.times = [];
		const host = document.querySelector("ui-popup");
		const now = () => performance.timeOrigin + performance.now();
		new MutationObserver(() => {
			if (host.dataset.state !== "dialog") return;
			requestAnimationFrame(() => setTimeout(() => {
				times.push([now(), 0]);
			}));
		}).observe(host, { attributeFilter: ["data-question"] });
		window.addEventListener("keydown", () => { times.at(-1)[1] = now(); }, { capture: true });`)
	request := []byte(`{"jsonrpc":"2.0","id":"r","method":"triggerPopup","params":{"workspacePath":"/w","title":"T","message":"Deploy **now**?","options":[{"label":"Yes","value":"yes"}]}}`)
	var shown, answered stopwatch
	for b.Loop() {
		begin := time.Now()
		ended := make(chan result, 1)
		go func() { ended <- ask(endpoint, request) }()
		tab.Wait(`document.querySelector("ui-popup").dataset.state === "dialog" && document.querySelector("ui-popup").dataset.settled === "true"`)
		tab.Press("1")
		end := <-ended
		if end.err != nil {
			b.Fatal(end.err)
		}
		at := browser.Eval[[2]float64](tab, `times.at(-1)`)
		tab.Wait(`document.querySelector("ui-popup").dataset.state === "idle"`)
		shown = append(shown, moment(at[0]).Sub(begin))
		answered = append(answered, end.at.Sub(moment(at[1])))
	}
	b.Run("shown", func(b *testing.B) { shown.report(b) })
	b.Run("answered", func(b *testing.B) { answered.report(b) })
}

// result is the end of a question.
type result struct {
	at  time.Time
	err error
}

// ask asks, and waits for the answer.
func ask(endpoint string, request []byte) result {
	res, err := http.Post(endpoint, "application/json", bytes.NewReader(request))
	if err != nil {
		return result{err: err}
	}
	defer res.Body.Close()
	var answer struct{ Error *struct{ Message string } }
	err = json.NewDecoder(res.Body).Decode(&answer)
	if err == nil && answer.Error != nil {
		err = errors.New(answer.Error.Message)
	}
	return result{time.Now(), err}
}

// moment converts a page's time, in milliseconds since 1970.
func moment(ms float64) time.Time { return time.UnixMicro(int64(ms * 1000)) }
