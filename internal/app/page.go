package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"ui-mcp/internal/events"
	"ui-mcp/internal/fault"
)

func pageURL(endpoint, session string) string { return endpoint + "/" + url.PathEscape(session) + "/" }

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

// withEvents adds the oldest queued events, and how many more there are, to a state.
func withEvents(state json.RawMessage, oldest []json.RawMessage, more int) json.RawMessage {
	if len(oldest) == 0 && more == 0 {
		return state
	}
	var b bytes.Buffer
	switch {
	case string(state) == "null" || string(state) == "{}":
		b.WriteByte('{')
	case state[0] == '{' && !bytes.Contains(state, []byte(`"$events":`)) && !bytes.Contains(state, []byte(`"$moreEvents":`)):
		b.Write(state[:len(state)-1])
		b.WriteByte(',')
	default:
		b.WriteString(`{"value":`)
		b.Write(state)
		b.WriteByte(',')
	}
	b.WriteString(`"$events":`)
	b.Write(events.Array(oldest))
	if more > 0 {
		fmt.Fprintf(&b, `,"$moreEvents":%d`, more)
	}
	b.WriteByte('}')
	return b.Bytes()
}
