package httpui

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"ui-mcp/internal/events"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/httpio"
)

const (
	defaultWait = 30  // seconds
	maxWait     = 120 // seconds
)

// wait is the long poll: it answers when there are events, or 204 when there were none in time.
// When the server or the session ends, it cuts the connection: that is how listening scripts tell
// the end of the server from an error.
func (h *mcpHandler) wait(w http.ResponseWriter, r *http.Request) {
	timeout, err := waitTimeout(r)
	if err != nil {
		writeError(w, err)
		return
	}
	session := sessionOf(r)
	answered := false
	err = h.app.Wait(r.Context(), session, timeout, func(events []json.RawMessage) error {
		if r.Context().Err() != nil { // the client left while the events were on their way here
			return context.Cause(r.Context())
		}
		answered = true
		return deliver(w, events)
	})
	switch {
	case answered && err != nil:
		h.log.Debug("events were not delivered and stay in the queue", "session", session, "error", err)
	case answered:
	case fault.KindOf(err) == fault.Gone:
		panic(http.ErrAbortHandler)
	case err != nil:
		fail(w, r, err)
	default:
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusNoContent)
	}
}

// waitTimeout reads the timeout parameter, which is in seconds.
func waitTimeout(r *http.Request) (time.Duration, error) {
	query := r.URL.Query()
	if !query.Has("timeout") {
		return defaultWait * time.Second, nil
	}
	text := query.Get("timeout")
	seconds, err := strconv.Atoi(text)
	if err != nil || seconds < 1 || seconds > maxWait {
		return 0, fault.New(fault.Invalid, "timeout must be a whole number of seconds from 1 to %d, not %q", maxWait, text)
	}
	return time.Duration(seconds) * time.Second, nil
}

// deliver writes events as a JSON array. An error means that the client has not got all of them.
func deliver(w http.ResponseWriter, list []json.RawMessage) error {
	body := append(events.Array(list), '\n')
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	out := httpio.NewWriter(w)
	if _, err := out.Write(body); err != nil {
		return err
	}
	// Without a flush a short answer would wait in a buffer, and its failure would go unnoticed.
	return out.Flush()
}
