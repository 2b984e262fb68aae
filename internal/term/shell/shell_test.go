package shell_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term/shell"
)

func TestStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "it's here")
	kit, err := shell.Install(dir)
	if err != nil {
		t.Fatal(err)
	}
	none := func(string) (string, bool) { return "", false }
	zdotdir := func(name string) (string, bool) { return "/home/x/zsh", name == "ZDOTDIR" }
	for _, tt := range []struct {
		name   string
		kit    *shell.Kit
		path   string
		getenv func(string) (string, bool)
		want   shell.Start
	}{
		{"bash", kit, "/bin/bash", none, shell.Start{Args: []string{"--rcfile", filepath.Join(dir, "wsh.bash"), "-i"}, Marks: true}},
		{"zsh", kit, "/usr/bin/zsh", none, shell.Start{Args: []string{"-i"}, Env: map[string]string{"ZDOTDIR": filepath.Join(dir, "zsh")}, Marks: true}},
		{"zsh with its own folder", kit, "zsh", zdotdir, shell.Start{Args: []string{"-i"},
			Env: map[string]string{"ZDOTDIR": filepath.Join(dir, "zsh"), "WSH_ZDOTDIR": "/home/x/zsh"}, Marks: true}},
		{"another shell", kit, "/bin/dash", none, shell.Start{Args: []string{"-i"}}},
		{"without a kit", nil, "/bin/bash", none, shell.Start{Args: []string{"-i"}}},
		{"Windows", kit, "PowerShell.exe", none, shell.Start{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Path = tt.path
			if tt.want.Env == nil {
				tt.want.Env = map[string]string{}
			}
			if diff := cmp.Diff(tt.want, tt.kit.Start(tt.path, tt.getenv)); diff != "" {
				t.Errorf("Start (-want +got):\n%s", diff)
			}
		})
	}
	fish := kit.Start("fish", none)
	if len(fish.Args) != 3 || !fish.Marks || fish.Args[1] == "" {
		t.Errorf("fish: %+v", fish)
	}
	for _, file := range []string{"wsh.bash", "wsh.fish", filepath.Join("zsh", ".zshenv")} {
		info, err := os.Stat(filepath.Join(dir, file))
		if err != nil || info.Size() == 0 || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", file, info, err)
		}
	}
}
