package mcpterm_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit"
)

// Each argument of a tool is tried.
func TestDeclarations(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var tests string
	for _, file := range files {
		tests += testkit.Read(t, ".", file)
	}
	for _, tool := range testkit.Tools(t, connect(t, &recorder{}), *update) {
		for name := range tool.InputSchema.(map[string]any)["properties"].(map[string]any) {
			if !regexp.MustCompile(`"` + tool.Name + `".*"` + name + `":`).MatchString(tests) {
				t.Errorf("no test calls %s with %s on one line", tool.Name, name)
			}
		}
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
