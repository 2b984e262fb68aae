package mcpterm_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/terminals"
)

// The tool list is an API, and what the model knows of us. Each argument is tried.
func TestDeclarations(t *testing.T) {
	list, err := connect(t, &recorder{}).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var tests string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests += string(text)
	}
	var golden []string
	for _, tool := range list.Tools {
		file := filepath.Join("testdata", "tools", tool.Name+".json")
		golden = append(golden, file)
		got, err := json.MarshalIndent(tool, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, '\n')
		for name := range tool.InputSchema.(map[string]any)["properties"].(map[string]any) {
			if !regexp.MustCompile(`"` + tool.Name + `".*"` + name + `":`).MatchString(tests) {
				t.Errorf("no test calls %s with %s on one line", tool.Name, name)
			}
		}
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s: -want +got (-update writes it, and needs a review):\n%s", tool.Name, diff)
		}
	}
	if files, err := filepath.Glob("testdata/tools/*.json"); err != nil || cmp.Diff(golden, files) != "" {
		t.Errorf("golden files %q, tools %q, %v", files, golden, err)
	}
}

// Callers see the tools that they may use.
func TestToolsByRights(t *testing.T) {
	for _, tt := range []struct {
		rights terminals.Right
		want   []string
	}{
		{0, nil},
		{terminals.Read, []string{"wsh_await_quiesce", "wsh_get_screen", "wsh_get_scrollback", "wsh_list_sessions"}},
		{terminals.Type, []string{"wsh_manage_session", "wsh_send_input"}},
		{terminals.Draw, []string{"wsh_input_mode", "wsh_overlay", "wsh_panel", "wsh_remove_overlay", "wsh_remove_panel", "wsh_screen_mode"}},
		{terminals.Manage, []string{"wsh_create_session", "wsh_manage_session"}},
	} {
		list, err := connectAs(t, &recorder{}, terminals.Grant{Rights: tt.rights}).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, tool := range list.Tools {
			got = append(got, tool.Name)
			if tt.rights == terminals.Read && !tool.Annotations.ReadOnlyHint {
				t.Errorf("%s does more than read", tool.Name)
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v: -want +got:\n%s", tt.rights, diff)
		}
	}
}
