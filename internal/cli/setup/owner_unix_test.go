//go:build unix

package setup

import (
	"os"
	"testing"
)

// Root makes no files in the home of a person, who could not read them.
func TestFolderOfAnother(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root has folders of others that it can write to")
	}
	u := newUser(t)
	if err := os.Chown(u.home, 65533, 65533); err != nil {
		t.Fatal(err)
	}
	u.fails("/.gemini/settings.json: its folder, "+u.home+", belongs to another user; nothing was changed", &run{Flags: Flags{Yes: true}}, "gemini")
	u.must(&run{Flags: Flags{Yes: true, Project: true}}, "gemini") // which others share
	if _, err := os.Stat(u.path(".cache")); err == nil {
		t.Error("there is a lock, which the person could not use")
	}
}
