package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"sync"

	"ui-mcp/internal/files"
	"ui-mcp/internal/regular"
)

// lastRunFile is where a server remembers, in its base directory, what the next one is to take up,
// so that open tabs find their app again. It may be missing.
const lastRunFile = ".last-run.json"

const (
	// maxLastRun bounds that file, in bytes.
	maxLastRun = 1 << 20
	// maxRemembered is how many sessions the file has, as long as not more are open.
	maxRemembered = 1_000
	// lastRunFormat is the newest format of the file that this program reads, and the one that it
	// writes.
	lastRunFormat = 1
)

// A lastRun has the state of a base directory's last run, and then of the present run.
type lastRun struct {
	Format  int `json:"format"`
	UIPort  int `json:"ui_port,omitempty"`
	MCPPort int `json:"mcp_port,omitempty"`

	keep bool // a newer version's file, which is not replaced

	mu        sync.Mutex        // guards the field below; held while the file is written, so that changes stay in order
	Displayed map[string]string `json:"displayed,omitempty"` // the names of apps, by session
}

// readLastRun reads the file of a base directory. A file that makes no sense counts as missing, and
// so does one of a newer version, which stays.
func (a *App) readLastRun(dir string) *lastRun {
	last := &lastRun{}
	file := filepath.Join(dir, lastRunFile)
	content, err := regular.ReadFile(file, maxLastRun)
	newer := files.CheckFormat(content, lastRunFormat)
	if err == nil && newer == nil {
		err = json.Unmarshal(content, last)
	}
	valid := func(port int) bool { return port >= 0 && port < 1<<16 }
	if newer != nil {
		a.opts.Log.Warn("what this run displays will not be remembered", "file", file, "error", newer)
		last.keep = true
	} else if err != nil || !valid(last.UIPort) || !valid(last.MCPPort) {
		if !errors.Is(err, fs.ErrNotExist) {
			a.opts.Log.Warn("ignoring what is known of the last run", "file", file, "error", err)
		}
		last = &lastRun{}
	}
	last.Format = lastRunFormat
	if last.Displayed == nil {
		last.Displayed = map[string]string{}
	}
	return last
}

// first returns the app that the last run, or this one, has displayed last in a session, or "".
func (l *lastRun) first(session string) (app string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Displayed[session]
}

// rememberDisplayed makes the next run of the directory display an app. Of too many sessions, some
// that this run has not opened are forgotten.
func (a *App) rememberDisplayed(r *running, session, name string) {
	a.remember(r, func(last *lastRun) {
		last.Displayed[session] = name
		for id := range last.Displayed {
			if len(last.Displayed) <= maxRemembered {
				break
			}
			if _, err := r.engine.Session(id); err != nil && id != session && id != DefaultSession {
				delete(last.Displayed, id)
			}
		}
	})
}

// remember changes what the next run takes up. Of several servers of a directory, the oldest writes
// it.
func (a *App) remember(r *running, change func(*lastRun)) {
	r.last.mu.Lock()
	defer r.last.mu.Unlock()
	change(r.last)
	if r.last.keep || !a.opts.Claim.IsOldestIn(r.dir) {
		return
	}
	path := filepath.Join(r.dir, lastRunFile)
	content, err := json.Marshal(r.last)
	content = append(content, '\n')
	if old, _ := regular.ReadFile(path, maxLastRun); err == nil && !bytes.Equal(old, content) { // most calls display what is displayed
		err = files.Write(path, content, 0o600)
	}
	if err != nil {
		a.opts.Log.Warn("the next run will not know what was displayed", "error", err)
	}
}
