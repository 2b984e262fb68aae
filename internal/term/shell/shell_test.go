package shell_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/shell"
)

func TestStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "it's here")
	scripts, err := shell.Install(dir)
	must(t, err)
	login, err := shell.Install(dir)
	must(t, err)
	login.Login = true
	none := func(string) (string, bool) { return "", false }
	zdotdir := func(name string) (string, bool) { return "/home/x/zsh", name == "ZDOTDIR" }
	for _, tt := range []struct {
		name    string
		scripts *shell.Scripts
		path    string
		getenv  func(string) (string, bool)
		want    shell.Start
	}{
		{"bash", scripts, "/bin/bash", none, shell.Start{Args: []string{"--rcfile", filepath.Join(dir, "wsh.bash"), "-i"}, Env: map[string]string{"WSH_KEY_FILE": "KEY"}, MarkKey: "KEY"}},
		{"zsh", scripts, "/usr/bin/zsh", none, shell.Start{Args: []string{"-i"}, Env: map[string]string{"WSH_KEY_FILE": "KEY", "ZDOTDIR": filepath.Join(dir, "zsh")}, MarkKey: "KEY"}},
		{"zsh with its own folder", scripts, "zsh", zdotdir, shell.Start{Args: []string{"-i"},
			Env: map[string]string{"WSH_KEY_FILE": "KEY", "ZDOTDIR": filepath.Join(dir, "zsh"), "WSH_ZDOTDIR": "/home/x/zsh"}, MarkKey: "KEY"}},
		{"bash, login", login, "/bin/bash", none, shell.Start{Args: []string{"--rcfile", filepath.Join(dir, "wsh.bash"), "-i"}, Env: map[string]string{"WSH_KEY_FILE": "KEY", "WSH_LOGIN": "1"}, MarkKey: "KEY"}},
		{"zsh, login", login, "/usr/bin/zsh", none, shell.Start{Args: []string{"-l", "-i"}, Env: map[string]string{"WSH_KEY_FILE": "KEY", "ZDOTDIR": filepath.Join(dir, "zsh")}, MarkKey: "KEY"}},
		{"another shell, login", login, "/bin/dash", none, shell.Start{Args: []string{"-l", "-i"}}},
		{"another shell", scripts, "/bin/dash", none, shell.Start{Args: []string{"-i"}}},
		{"without scripts", nil, "/bin/bash", none, shell.Start{Args: []string{"-i"}}},
		{"Windows", scripts, "PowerShell.exe", none, shell.Start{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Path = tt.path
			if tt.want.Env == nil {
				tt.want.Env = map[string]string{}
			}
			got, err := tt.scripts.Start(tt.path, tt.getenv)
			must(t, err)
			if diff := cmp.Diff(tt.want, withKey(t, got)); diff != "" {
				t.Errorf("Start (-want +got):\n%s", diff)
			}
		})
	}
	fish, err := scripts.Start("fish", none)
	if err != nil || len(fish.Args) != 3 || fish.MarkKey == "" || fish.Args[1] == "" {
		t.Errorf("fish: %+v, %v", fish, err)
	}
	for _, file := range []string{"wsh.bash", "wsh.fish", filepath.Join("zsh", ".zshenv")} {
		info, err := os.Stat(filepath.Join(dir, file))
		if err != nil || info.Size() == 0 || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", file, info, err)
		}
	}
}

// withKey replaces a random key.
func withKey(t *testing.T, s shell.Start) shell.Start {
	t.Helper()
	if s.MarkKey == "" {
		return s
	}
	data, err := os.ReadFile(s.KeyFile)
	if info, infoErr := os.Stat(s.KeyFile); err != nil || infoErr != nil || info.Mode().Perm() != 0o600 || string(data) != s.MarkKey+"\n" || len(s.MarkKey) != 16 {
		t.Errorf("key %q, in the file %q, %v, %v", s.MarkKey, data, info, err)
	}
	s.Discard()
	s.Offers = nil
	if _, err := os.Stat(s.KeyFile); !os.IsNotExist(err) {
		t.Errorf("after Discard, the file: %v", err)
	}
	if s.Env["WSH_KEY_FILE"] != s.KeyFile {
		t.Errorf("the file in the environment is %q", s.Env["WSH_KEY_FILE"])
	}
	if s.Name != filepath.Base(s.Path) {
		t.Errorf("the shell's name is %q", s.Name)
	}
	s.Name, s.MarkKey, s.KeyFile, s.Env["WSH_KEY_FILE"] = "", "KEY", "", "KEY"
	return s
}

// A command line that only starts a shell starts it with marks.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	scripts, err := shell.Install(dir)
	must(t, err)
	home := func(name string) (string, bool) {
		value, ok := map[string]string{"HOME": "/home"}[name]
		return value, ok
	}
	rc := []string{"--rcfile", filepath.Join(dir, "wsh.bash"), "-i"}
	bare := func(command string) map[string]string {
		return map[string]string{"WSH_KEY_FILE": "KEY", "WSH_PROMPT_COMMAND": command, "PROMPT_COMMAND": `. "${WSH_KEY_FILE%/*}/wsh.bash"`}
	}
	for line, want := range map[string]shell.Start{
		"bash":                   {Path: "bash", Args: rc, Env: map[string]string{"WSH_KEY_FILE": "KEY"}, MarkKey: "KEY"},
		"/bin/bash  --norc -i":   {Path: "/bin/bash", Args: []string{"--norc", "-i"}, Env: bare(""), MarkKey: "KEY"},
		"zsh -l":                 {Path: "zsh", Args: []string{"-l", "-i"}, Env: map[string]string{"WSH_KEY_FILE": "KEY", "ZDOTDIR": filepath.Join(dir, "zsh")}, MarkKey: "KEY"},
		"":                       {},
		"bash -c true":           {},
		"bash -l":                {Path: "bash", Args: rc, Env: map[string]string{"WSH_KEY_FILE": "KEY", "WSH_LOGIN": "1"}, MarkKey: "KEY"},
		"bash --login -i":        {Path: "bash", Args: rc, Env: map[string]string{"WSH_KEY_FILE": "KEY", "WSH_LOGIN": "1"}, MarkKey: "KEY"},
		"bash -il --posix":       {Path: "bash", Args: []string{"--posix", "--norc", "-i"}, Env: bare(""), MarkKey: "KEY"}, // which reads no profile
		"bash --norc --login":    {Path: "bash", Args: rc, Env: map[string]string{"WSH_KEY_FILE": "KEY", "WSH_LOGIN": "1"}, MarkKey: "KEY"},
		"bash --rcfile x -i":     {Path: "bash", Args: rc, Env: map[string]string{"WSH_KEY_FILE": "KEY", "WSH_RC_FILE": "x"}, MarkKey: "KEY"},
		"bash --rcfile ~/x":      {Path: "bash", Args: rc, Env: map[string]string{"WSH_KEY_FILE": "KEY", "WSH_RC_FILE": filepath.FromSlash("/home/x")}, MarkKey: "KEY"},
		"bash --rcfile x --norc": {Path: "bash", Args: []string{"--norc", "-i"}, Env: bare(""), MarkKey: "KEY"},
		"bash --rcfile":          {},
		"bash --rcfile ~you/x":   {},
		"bash --rcfile ~/x~":     {},
		"~/bin/bash":             {},
		"bash -l --noprofile":    {Path: "bash", Args: []string{"--noprofile", "--norc", "-i"}, Env: bare(""), MarkKey: "KEY"},
		"env X=1 bash":           {}, // which sh starts
		"X=1 bash":               {},
		"bash script":            {},
		"bash; true":             {},
		"exec bash":              {},
		"zsh -f":                 {}, // reads no files at all
		"dash -i":                {},
		"fish --no-execute":      {},
		"bash $(echo injected)":  {},
	} {
		got, ok, err := scripts.Command(line, home)
		if err != nil || ok != (want.Path != "") {
			t.Errorf("%q: %v, %v", line, ok, err)
		}
		if diff := cmp.Diff(want, withKey(t, got)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", line, diff)
		}
	}
}

// Scripts that have vanished are written again, but not where others can change them.
func TestScriptsVanish(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run", "scripts")
	scripts, err := shell.Install(dir)
	must(t, err)
	none := func(string) (string, bool) { return "", false }
	must(t, os.RemoveAll(filepath.Dir(dir)))
	if _, err := scripts.Start("bash", none); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "wsh.bash")
	before, err := os.ReadFile(file)
	if err != nil || len(before) == 0 {
		t.Fatalf("the script: %d bytes, %v", len(before), err)
	}
	must(t, os.WriteFile(file, []byte("changed"), 0o600))
	if _, err := scripts.Start("bash", none); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
		t.Errorf("a changed script stays: %q, %v", after, err)
	}

	if runtime.GOOS == "windows" {
		return
	}
	must(t, os.Chmod(dir, 0o777))
	got, err := scripts.Start("bash", none)
	want := shell.Start{Path: "bash", Args: []string{"-i"}, Env: map[string]string{}}
	if diff := cmp.Diff(want, got); diff != "" || fault.KindOf(err) != fault.Precondition {
		t.Errorf("in a directory of everybody's: %v (-want +got):\n%s", err, diff)
	}
}

// A line is taken or withdrawn, and never both, however late the shell is: what it has read of one
// offer takes no other, though offers share a folder.
func TestOffers(t *testing.T) {
	scripts, err := shell.Install(t.TempDir())
	must(t, err)
	s, err := scripts.Start("/bin/bash", func(string) (string, bool) { return "", false })
	must(t, err)
	t.Cleanup(s.Discard)
	dir := s.KeyFile + ".offers"
	offer := func(n int) (id string) {
		t.Helper()
		must(t, s.Offers.Offer(n, "echo one\necho two"))
		data, err := os.ReadFile(filepath.Join(dir, "line"))
		id, rest, _ := strings.Cut(string(data), "\x00")
		if err != nil || rest != "echo one\necho two\x00.\x00" || !strings.HasSuffix(id, "/"+strconv.Itoa(n)) {
			t.Fatalf("offer %d: %q, %v", n, data, err)
		}
		return id
	}
	take := func(id string) bool { return os.WriteFile(filepath.Join(dir, id), nil, 0o600) == nil }
	first := offer(1)
	if !take(first) || s.Offers.Withdraw() {
		t.Error("a line that was taken is withdrawn")
	}
	s.Offers.Clear(1)
	second := offer(2)
	if filepath.Dir(second) != filepath.Dir(first) {
		t.Errorf("the folder of %q is not that of %q", second, first)
	}
	if !s.Offers.Withdraw() || take(second) {
		t.Error("a withdrawn line is taken")
	}
	third := offer(3)
	if take(second) || !take(third) {
		t.Error("what was read of a withdrawn offer takes a later one")
	}
	fourth := offer(4) // the mark of the third was lost
	if !s.Offers.Withdraw() || take(fourth) {
		t.Error("a line that was taken before hinders that another is withdrawn")
	}
	if err := os.RemoveAll(dir); err != nil { // when the person logged out
		t.Fatal(err)
	}
	if fifth := offer(5); take(fourth) || !take(fifth) {
		t.Error("after the folder was removed, the wrong line is taken")
	}
}

// must ends a test in which something has failed that the rest needs.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
