package hotload

import (
	"errors"
	"os"
	"runtime"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A marker is a file of the watcher's own. Its events arrive in order with those of other files:
// the one that set causes arrives after those of all earlier changes. A nil marker cannot be set.
type marker struct {
	name  string // of its events
	set   func() error
	close func() error
}

// markerTime bounds how long the event of a marker may take. It is long enough for a busy machine,
// and a watcher waits for it in vain only once.
const markerTime = time.Second

// newMarker returns a marker whose events w sends, or nil where events of different files have no
// order. The file has no name any more, so nothing is left of it when the process is killed.
func newMarker(w *fsnotify.Watcher) *marker {
	if runtime.GOOS != "linux" {
		return nil
	}
	f, err := os.CreateTemp("", ".ui-mcp-marker-")
	if err != nil {
		return nil
	}
	err = w.Add(f.Name())
	if err = errors.Join(err, os.Remove(f.Name())); err != nil {
		_ = f.Close() // nothing was written
		return nil
	}
	set := func() error {
		_, err := f.WriteAt([]byte{0}, 0)
		return err
	}
	return &marker{f.Name(), set, f.Close}
}

// settle records the events of all changes so far. It reports false if it cannot know whether these
// are all.
func (w *Watcher) settle() bool {
	m := w.source.marker
	if m == nil || w.seen.problem != nil || m.set() != nil {
		return false
	}
	late := time.NewTimer(markerTime)
	defer late.Stop()
	for {
		select {
		case ev, ok := <-w.source.events:
			switch {
			case !ok:
				return false
			case ev.Name == m.name && ev.Has(fsnotify.Write):
				return true
			}
			w.note(ev)
		case err, ok := <-w.source.errors:
			if ok {
				w.lost(err)
			}
			return false
		case <-late.C:
			// An event that arrives later would be mistaken for the event of the next change.
			w.opts.Log.Info("file events are late or have no order; looking at the files instead")
			w.source.marker = nil
			return false
		case <-w.stop:
			return true
		}
	}
}
