package files

import (
	"encoding/json"

	"ui-mcp/internal/fault"
)

// CheckFormat returns an error of kind [fault.Precondition] if a JSON object has been written by a
// newer version of this program: if its member "format" is a number above known, the newest format
// that the caller reads. Objects without that member have the format 1. Such a file must stay as it
// is. Anything else, also a text that is no JSON, is for the caller to judge.
func CheckFormat(content []byte, known int) error {
	var object struct{ Format float64 }
	if json.Unmarshal(content, &object) != nil || object.Format <= float64(known) {
		return nil
	}
	return fault.New(fault.Precondition, "a newer version has written it (format %v; this one reads formats up to %d): update this program", object.Format, known)
}
