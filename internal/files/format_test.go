package files_test

import (
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
)

func TestCheckFormat(t *testing.T) {
	for content, newer := range map[string]bool{
		`{"format": 3, "anything": [{}]}`: true,
		`{"anything": 1, "format": 2.5}`:  true,
		`{"format": 2}`:                   false,
		`{"format": 1}`:                   false,
		`{}`:                              false,
		`{"format": "3"}`:                 false,
		`{"format": 3`:                    false,
		`[3]`:                             false,
		``:                                false,
	} {
		if err := files.CheckFormat([]byte(content), 2); newer != (err != nil) || newer && fault.KindOf(err) != fault.Precondition {
			t.Errorf("%s: %v", content, err)
		}
	}
}
