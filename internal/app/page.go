package app

import (
	"encoding/json"
	"net/url"
	"strings"

	"ui-mcp/internal/fault"
)

// pageURL returns the URL of a session's page.
func (r *running) pageURL(session string) string {
	return r.url + "/" + url.PathEscape(session) + "/"
}

// pagePath returns the URL of a path below a session's page.
func pagePath(base, path string, conserve bool) (string, error) {
	u, err := url.Parse(strings.TrimPrefix(path, "/"))
	if err != nil {
		return "", fault.Wrap(fault.Invalid, err, "path")
	}
	if u.IsAbs() || u.Host != "" {
		return "", fault.New(fault.Invalid, "path %q: give the path only, such as /", path)
	}
	q := u.Query()
	if conserve {
		q.Set("conserve", "true")
	}
	u.RawQuery = q.Encode()
	return base + u.String(), nil
}

// withEvents adds the queued events to a state.
func withEvents(state json.RawMessage, pending []json.RawMessage) json.RawMessage {
	if len(pending) == 0 {
		return state
	}
	list, err := json.Marshal(pending)
	if err != nil {
		return state // cannot happen: our own encoder made them
	}
	switch {
	case string(state) == "null" || string(state) == "{}":
		state = []byte("{")
	case state[0] == '{':
		state = append(state[:len(state)-1:len(state)-1], ',')
	default:
		state = append(append([]byte(`{"value":`), state...), ',')
	}
	return append(append(append(state, `"$events":`...), list...), '}')
}
