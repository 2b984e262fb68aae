package httpui

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// An upload says which binding it is for. A page of another site cannot send one.
func TestUpload(t *testing.T) {
	t.Parallel()
	session := newMemorySession()
	s := serve(t, NewUI(UIOptions{Sessions: rooms(map[string]*memorySession{"1": session}), HTML: t.TempDir(), Client: builtClient, Fallback: builtHTML, Log: logTo(t)}))
	const all = "instance=7&slot=2&epoch=e&seq=5&name=K%C3%B6ln.txt&type=text/plain"
	for name, c := range map[string]struct {
		path, origin string
		body         io.Reader
		status       int
		want         string
	}{
		"a file":              {"/1/uploads?" + all, "", strings.NewReader("abc"), http.StatusNoContent, "{Instance:7 Slot:2 Epoch:e Seen:5 Name:Köln.txt Type:text/plain Size:3} abc"},
		"an empty file":       {"/1/uploads?" + all, "", http.NoBody, http.StatusNoContent, "{Instance:7 Slot:2 Epoch:e Seen:5 Name:Köln.txt Type:text/plain Size:0} "},
		"without a length":    {"/1/uploads?" + all, "", io.MultiReader(strings.NewReader("abc")), http.StatusBadRequest, "says its length"},
		"no instance":         {"/1/uploads?slot=2&seq=5", "", strings.NewReader("abc"), http.StatusBadRequest, "instance must be a whole number"},
		"a negative slot":     {"/1/uploads?instance=7&slot=-2&seq=5", "", strings.NewReader("abc"), http.StatusBadRequest, "slot must be a whole number"},
		"of another session":  {"/other/uploads?" + all, "", strings.NewReader("abc"), http.StatusNotFound, "no session"},
		"stale":               {"/1/uploads?instance=7&slot=2&seq=5&name=stale", "", strings.NewReader(strings.Repeat("x", 1<<20)), http.StatusGone, `{"error":"the app has changed"}`},
		"of another site":     {"/1/uploads?" + all, "https://example.com", strings.NewReader("abc"), http.StatusForbidden, ""},
		"elsewhere":           {"/1/other?" + all, "", strings.NewReader("abc"), http.StatusMethodNotAllowed, ""},
		"longer than allowed": {"/1/uploads?" + all, "", strings.NewReader(strings.Repeat("x", 5<<20)), http.StatusRequestEntityTooLarge, "too long"},
	} {
		session.uploaded = ""
		r, err := http.NewRequestWithContext(t.Context(), "POST", "http://"+s.Addr().String()+c.path, c.body)
		if err != nil {
			t.Fatal(err)
		}
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		res, err := newClientFor(t).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err != nil || res.StatusCode != c.status || !strings.Contains(string(body)+session.uploaded, c.want) || c.status != http.StatusNoContent && session.uploaded != "" {
			t.Errorf("%s: %d %s, %v; the session got %s", name, res.StatusCode, body, err, session.uploaded)
		}
	}
}
