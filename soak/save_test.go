//go:build linux

package soak

import (
	"context"
	"fmt"
	"time"
)

// save saves the files of the app again and again, each time in another version, and sometimes in
// a broken one. A sound version must come into force, and entries must survive it.
func (x *site) save(ctx context.Context) {
	if settings.saves == 0 {
		return
	}
	r := stream(x.s.seed, "saves of "+x.name)
	a := x.agent(x.address())
	for sleep(ctx, pause(r, time.Minute/time.Duration(settings.saves))) {
		kind, session := r.IntN(4), "1"
		x.disk.RLock()
		x.saving.Lock()
		x.version++
		var err error
		switch kind {
		case 0:
			err = x.write(appFile, fmt.Sprintf(appLua, x.version, remembered)+"\nfunction (")
			x.broken = true
		case 1:
			err = x.write(ledgerFile, fmt.Sprintf(ledgerHTML, x.version))
			x.markup = x.version
		default:
			err = x.write(appFile, fmt.Sprintf(appLua, x.version, remembered))
			x.code, x.broken = x.version, false
		}
		version := x.version
		x.saving.Unlock()
		x.disk.RUnlock()
		x.s.note("saved", "%s: version %d: %s", x.name, version, []string{"broken", "markup", "code", "code"}[kind])
		if err != nil {
			x.s.fatal("%s: a file of the app cannot be saved: %v", x.name, err)
			return
		}
		if kind > 1 && !x.awaitCode(ctx, a, session, version) {
			return
		}
	}
}

// awaitCode waits until the code that was saved last is in force, and reports whether the soak goes
// on.
func (x *site) awaitCode(ctx context.Context, a agent, session string, version int) bool {
	for begin := time.Now(); ; {
		call, leave, err := x.gate.enter(ctx)
		if err != nil {
			return false
		}
		seen, err := lookAt(call, a, session)
		leave()
		switch {
		case err == nil && seen.Version == version:
			return true
		case time.Since(begin) > 2*x.s.patience:
			x.s.wrong("%s: version %d of the code was saved %s ago, and version %d is in force (%v)", x.name, version, time.Since(begin), seen.Version, err)
			return true
		}
		if !sleep(ctx, 200*time.Millisecond) {
			return false
		}
	}
}
