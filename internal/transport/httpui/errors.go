package httpui

import (
	"html"
	"net/http"

	"ui-mcp/internal/transport/httpio"
)

// writeError answers with an error as JSON: {"error": text}.
func writeError(w http.ResponseWriter, err error) {
	httpio.WriteError(w, httpio.Status(err), err.Error())
}

func writeErrorPage(w http.ResponseWriter, err error) {
	httpio.WritePage(w, httpio.Status(err), httpio.AppIcon, "That did not work", "<p>"+html.EscapeString(err.Error())+"</p>")
}

// writeNoFile answers that a path names no file.
func writeNoFile(w http.ResponseWriter, r *http.Request) {
	httpio.WriteProblem(w, r, http.StatusNotFound, httpio.AppIcon, "There is no such page", "There is no such file.")
}

func writeNoSession(w http.ResponseWriter, id string) {
	httpio.WritePage(w, http.StatusNotFound, httpio.AppIcon, "There is no such session",
		"<p>No session is called “"+html.EscapeString(id)+"” here. It may have ended, or the address may be mistyped.</p>\n"+
			`<p><a href="/`+DefaultSession+`/">Go to session `+DefaultSession+"</a></p>")
}
