package install

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Print writes the report for people, or as JSON on one line.
func (r Report) Print(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(r)
	}
	_, err := io.WriteString(w, r.Text())
	return err
}

// Text returns the report for people, with a file on each line.
func (r Report) Text() string {
	var b strings.Builder
	if r.VersionSkipped {
		what := "Nothing to do"
		if len(r.Appended) > 0 {
			what = "No files to install"
		}
		fmt.Fprintf(&b, "%s: version %s is installed, and this is %s. Use --force to install all the same.\n", what, r.InstalledVersion, r.BundledVersion)
	}
	for _, part := range []struct {
		did   string
		files []string
	}{{"installed", r.Installed}, {"skipped", r.Skipped}, {"appended", r.Appended}, {"kept", r.Kept}, {"removed", r.Removed}} {
		for _, f := range part.files {
			fmt.Fprintf(&b, "%-9s %s\n", part.did, f)
		}
	}
	return b.String()
}
