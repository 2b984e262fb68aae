package app

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// docs/ui-mcp.md describes every setting of a project, and its example has them all.
func TestSettingsAreDocumented(t *testing.T) {
	document, err := os.ReadFile("../../docs/ui-mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(document), "\n## Settings of a project\n")
	section, _, _ = strings.Cut(section, "\n## ")
	example := regexp.MustCompile("(?s)```json\n(.*?)```").FindStringSubmatch(section)
	if example == nil {
		t.Fatal("docs/ui-mcp.md has no example of settings")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, configFile), []byte(example[1]), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readSettings(dir); err != nil {
		t.Errorf("the example: %v", err)
	}
	var keys []string
	for _, m := range regexp.MustCompile(`"(\w+)":`).FindAllStringSubmatch(example[1], -1) {
		keys = append(keys, m[1])
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[settings]()) {
		key := f.Tag.Get("json")
		if key == "" {
			continue
		}
		if !slices.Contains(keys, key) {
			t.Errorf("the example does not have %s", key)
		}
		if !strings.Contains(section, "`"+key+"`") {
			t.Errorf("docs/ui-mcp.md does not describe %s", key)
		}
	}
}
