package guard

import "net/http"

// scriptHeader marks requests of scripts.
const scriptHeader = "Ui-Mcp-Script"

// MarkScript marks a request that this program makes for a script of an app. The script chooses the
// other headers, even those by which a browser vouches for a page, so a marked request proves
// nothing by them. Call it after setting the script's headers, which must not remove the mark.
func MarkScript(r *http.Request) { r.Header.Set(scriptHeader, "1") }

// IsFromScript reports whether a request is marked. Only programs of ours mark requests; others,
// which the person runs, can send what they like.
func IsFromScript(r *http.Request) bool { return r.Header.Get(scriptHeader) != "" }
