package unixterm

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/socketwire"
)

// The answers as the known client declares them. It refuses one whose member is missing, or null,
// unless that is a pointer here, and decodes bytes from base64 itself.
type (
	twinSession struct {
		Name    string   `json:"name"`
		PID     *uint32  `json:"pid"`
		Command string   `json:"command"`
		Rows    uint16   `json:"rows"`
		Cols    uint16   `json:"cols"`
		Clients uint64   `json:"clients"`
		Tags    []string `json:"tags"`
		Server  string   `json:"server"`
		Quiet   uint64   `json:"last_activity_ms"`
	}
	twinSessions struct {
		Sessions []twinSession `json:"sessions"`
	}
	twinCreated struct {
		Name   string  `json:"name"`
		Server string  `json:"server"`
		PID    *uint32 `json:"pid"`
		Rows   uint16  `json:"rows"`
		Cols   uint16  `json:"cols"`
	}
	twinAttached struct {
		Name       string  `json:"name"`
		Rows       uint16  `json:"rows"`
		Cols       uint16  `json:"cols"`
		Scrollback string  `json:"scrollback"`
		Screen     string  `json:"screen"`
		InputMode  string  `json:"input_mode"`
		ScreenMode string  `json:"screen_mode"`
		Focused    *string `json:"focused_id"`
	}
	twinOverlays struct {
		Overlays []json.RawMessage `json:"overlays"`
	}
	twinPanels struct {
		Panels []json.RawMessage `json:"panels"`
		Top    uint16            `json:"scroll_region_top"`
		Bottom uint16            `json:"scroll_region_bottom"`
	}
	twinSize struct {
		Rows uint16 `json:"rows"`
		Cols uint16 `json:"cols"`
	}
	twinName struct {
		Name string `json:"name"`
	}
	twinTags struct {
		Tags []string `json:"tags"`
	}
	twinToken struct {
		Token *string `json:"token"`
	}
	twinError struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
)

// twins has what the known client decodes; others are bytes, or empty.
var twins = map[socketwire.Kind]any{
	socketwire.CreateSessionResponse: twinCreated{}, socketwire.AttachSessionResponse: twinAttached{}, socketwire.Resize: twinSize{},
	socketwire.Failed: twinError{}, socketwire.ListSessionsResponse: twinSessions{}, socketwire.KillSessionResponse: twinName{},
	socketwire.DetachSessionResponse: twinName{}, socketwire.GetTokenResponse: twinToken{}, socketwire.ManageTagsResponse: twinTags{},
	socketwire.OverlaySync: twinOverlays{}, socketwire.PanelSync: twinPanels{},
}

// decode decodes JSON as the known client does.
func decode(content []byte, into reflect.Type) error {
	if into.Kind() == reflect.Pointer {
		if len(content) == 0 || string(content) == "null" {
			return nil
		}
		return decode(content, into.Elem())
	}
	if len(content) == 0 || string(content) == "null" {
		return fmt.Errorf("%q for a %v", content, into)
	}
	switch {
	case into == reflect.TypeFor[json.RawMessage]():
		return nil
	case into.Kind() == reflect.Slice:
		var list []json.RawMessage
		if err := json.Unmarshal(content, &list); err != nil {
			return err
		}
		for _, e := range list {
			if err := decode(e, into.Elem()); err != nil {
				return err
			}
		}
		return nil
	case into.Kind() != reflect.Struct:
		return json.Unmarshal(content, reflect.New(into).Interface())
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(content, &members); err != nil {
		return err
	}
	for i := range into.NumField() {
		name := into.Field(i).Tag.Get("json")
		if err := decode(members[name], into.Field(i).Type); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// next reads a frame as the known client does.
func (c *client) next(t *testing.T) socketwire.Frame {
	t.Helper()
	f := c.read(t)
	if twin := twins[f.Kind]; twin != nil {
		if err := decode(f.Content, reflect.TypeOf(twin)); err != nil {
			t.Fatalf("frame %02x: %v: %s", byte(f.Kind), err, f.Content)
		}
	} else if f.Kind != socketwire.PtyOutput && len(f.Content) > 0 {
		t.Fatalf("frame %02x has the content %q", byte(f.Kind), f.Content)
	}
	return f
}

// The known client attaches, with and without history, creates, is resized and leaves, and each of
// its requests gets an answer that it can read.
func TestKnownClient(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	path, _ := serve(t, l, "")
	for _, scrollback := range []string{`"none"`, `"all"`, `{"lines":2}`} {
		c := dial(t, path)
		c.send(t, socketwire.AttachSession, `{"name":"a","scrollback":`+scrollback+`,"rows":4,"cols":20}`)
		f := c.next(t)
		var a twinAttached
		if err := json.Unmarshal(f.Content, &a); err != nil || f.Kind != socketwire.AttachSessionResponse {
			t.Fatalf("attached with %s: frame %02x, %v", scrollback, byte(f.Kind), err)
		}
		for _, text := range []string{a.Scrollback, a.Screen} {
			if _, err := base64.StdEncoding.DecodeString(text); err != nil {
				t.Errorf("attached with %s: %v", scrollback, err)
			}
		}
		c.send(t, socketwire.Ping, "")
		c.send(t, socketwire.Resize, `{"rows":5,"cols":30}`)
		c.send(t, socketwire.StdinInput, "typed\r")
		for f := c.next(t); !bytes.Contains(f.Content, []byte("typed")); f = c.next(t) {
		}
		c.send(t, socketwire.Detach, "")
		for f := c.next(t); f.Kind != socketwire.Detach; f = c.next(t) {
		}
	}
	c := dial(t, path)
	c.send(t, socketwire.CreateSession, `{"name":"n","command":null,"cwd":null,"env":null,"rows":4,"cols":20,"tags":[]}`)
	if f := c.next(t); f.Kind != socketwire.CreateSessionResponse {
		t.Errorf("created: frame %02x %s", byte(f.Kind), f.Content)
	}
	if _, err := opcases.Do(t.Context(), l, terminals.Everything, "session.detach", `{"session":"n"}`); err != nil {
		t.Fatal(err)
	}
	for f := c.next(t); f.Kind != socketwire.Detach; f = c.next(t) {
	}
	for _, tt := range []struct {
		request socketwire.Kind
		content string
		answer  socketwire.Kind
	}{
		{socketwire.ListSessions, `{"server":null}`, socketwire.ListSessionsResponse},
		{socketwire.ManageTags, `{"session":"n","add":[],"remove":[]}`, socketwire.ManageTagsResponse},
		{socketwire.GetToken, `{}`, socketwire.GetTokenResponse},
		{socketwire.DetachSession, `{"name":"n"}`, socketwire.DetachSessionResponse},
		{socketwire.KillSession, `{"name":"n"}`, socketwire.KillSessionResponse},
		{socketwire.KillSession, `{"name":"n"}`, socketwire.Failed},
		{socketwire.Shutdown, `{}`, socketwire.ShutdownResponse},
	} {
		c := dial(t, path)
		c.send(t, tt.request, tt.content)
		f := c.read(t)
		if f.Kind != tt.answer {
			t.Errorf("request %02x: frame %02x %s", byte(tt.request), byte(f.Kind), f.Content)
		}
		if twin := twins[f.Kind]; twin != nil {
			if err := decode(f.Content, reflect.TypeOf(twin)); err != nil {
				t.Errorf("request %02x %s: %v: %s", byte(tt.request), tt.content, err, strings.TrimSpace(string(f.Content)))
			}
		}
	}
}
