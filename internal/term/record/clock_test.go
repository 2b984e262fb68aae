package record

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// A clock that was set is not believed for an hour, whichever way, and no longer.
func TestClock(t *testing.T) {
	for _, jump := range []time.Duration{24 * time.Hour, -time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			var c clock
			right := func(want bool) {
				t.Helper()
				if got := c.isRight(time.Now()); got != want {
					t.Errorf("after a jump of %s, it is right: %t, want %t", jump, got, want)
				}
			}
			right(true)
			time.Sleep(time.Hour)
			right(true)
			time.Sleep(time.Minute)
			c.wall = c.wall.Add(-jump) // as if the clock had been set by that much since
			right(false)
			time.Sleep(leapWait - time.Nanosecond)
			right(false)
			time.Sleep(time.Nanosecond)
			right(true)
		})
	}
}

// A clock that is a day ahead for a while removes nothing: what it takes for too old is lost.
func TestFolderClockIsSet(t *testing.T) {
	dir := t.TempDir()
	f, err := OpenFolder(dir, 100_000, 48*time.Hour, slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	name := filepath.Join(dir, "old.20000101-000000.wsh.cast")
	if err := os.WriteFile(name, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.clock.wall = f.clock.wall.Add(-24 * time.Hour)
	at := time.Now().Add(-54 * time.Hour) // it is 30 hours old
	if err := os.Chtimes(name, at, at); err != nil {
		t.Fatal(err)
	}
	f.tick()
	if _, err := os.Stat(name); err != nil {
		t.Errorf("after the clock was set: %v", err)
	}
	f.clock.doubt = time.Now()
	f.tick()
	if _, err := os.Stat(name); err == nil {
		t.Error("it is kept although the clock has been right for an hour")
	}
}
