package wsterm

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/errcode"
)

// A Method is what clients call on a socket: an operation with parameters. Where an operation is of
// one session, the socket or the member "session" of the request says which.
type Method struct {
	Name string
	Op   *terminals.Operation
	// Names are parameters that have another name in the operation's input.
	Names map[string]string
	// Needs are members of the input that clients must give in addition to those that the operation
	// needs.
	Needs []string

	session bool // of one session: the sockets of sessions offer it, too
	decoder *terminals.Decoder
	late    string // the code when it was not quiet in time, if it is not the usual one
	// adapt changes parameters into members of the input.
	adapt func(params map[string]json.RawMessage) error
	// absent is the operation that a call without parameters stands for; nil means the same one.
	absent *terminals.Operation
}

// Parameters returns the names of the parameters and of the members of the operation's input that
// they set. A nil map means that the parameters are the method's own.
func (m *Method) Parameters() map[string]string {
	if m.adapt != nil {
		return nil
	}
	list := map[string]string{}
	for name := range m.Op.In().Properties {
		if name != "session" || !m.session {
			list[name] = name
		}
	}
	for name, member := range m.Names {
		list[name] = member
	}
	return list
}

// Required returns the members of the operation's input that clients must give.
func (m *Method) Required() []string { return m.decoder.Required() }

// methods returns all methods, in the order of the reference. They are built for the first client,
// since that takes some milliseconds, and panic on a mistake in the table.
var methods = sync.OnceValue(func() []*Method {
	return build(slices.Concat(plainMethods, elementMethods("overlay", terminals.Overlays, "spans"), elementMethods("panel", terminals.Panels)))
})

var plainMethods = []*Method{
	{Name: "get_server_info", Op: &terminals.GetServer.Operation},
	{Name: "get_server_mode", Op: &terminals.GetPersistence.Operation},
	{Name: "set_server_mode", Op: &terminals.SetPersistence.Operation, absent: &terminals.GetPersistence.Operation},
	{Name: "stop_server", Op: &terminals.StopServer.Operation},
	{Name: "list_servers", Op: &terminals.ListServers.Operation},
	{Name: "get_server", Op: &terminals.GetKnownServer.Operation},
	{Name: "add_server", Op: &terminals.AddServer.Operation},
	{Name: "remove_server", Op: &terminals.RemoveServer.Operation},
	{Name: "accept_server", Op: &terminals.AcceptServer.Operation},
	{Name: "withdraw_server", Op: &terminals.WithdrawServer.Operation},
	{Name: "create_token", Op: &terminals.CreateToken.Operation},
	{Name: "list_tokens", Op: &terminals.ListTokens.Operation},
	{Name: "withdraw_token", Op: &terminals.WithdrawToken.Operation},
	{Name: "list_archive", Op: &terminals.ListArchive.Operation},
	{Name: "get_archived", Op: &terminals.GetArchived.Operation},

	{Name: "list_sessions", Op: &terminals.ListSessions.Operation, Names: map[string]string{"tag": "tags"}},
	{Name: "create_session", Op: &terminals.CreateSession.Operation},
	{Name: "get_session", Op: &terminals.GetSession.Operation, Names: map[string]string{"name": "session"}},
	{Name: "get_job", Op: &terminals.GetJob.Operation},
	{Name: "kill_session", Op: &terminals.RemoveSession.Operation, Names: map[string]string{"name": "session"}},
	{Name: "detach_session", Op: &terminals.DetachClients.Operation, Names: map[string]string{"name": "session"}},
	{Name: "lead_session", Op: &terminals.LeadSession.Operation, Names: map[string]string{"name": "session"}},
	{Name: "rename_session", Op: &terminals.UpdateSession.Operation, Names: map[string]string{"name": "session", "new_name": "name"}, Needs: []string{"name"}},
	{Name: "update_session", Op: &terminals.UpdateSession.Operation},
	{Name: "update_tags", Op: &terminals.UpdateSession.Operation, Names: map[string]string{"add": "add_tags", "remove": "remove_tags"}},
	{Name: "signal_session", Op: &terminals.SignalSession.Operation},
	{Name: "resize", Op: &terminals.ResizeSession.Operation},

	{Name: "subscribe", Op: terminals.Watch, Names: map[string]string{"quiesce_ms": "idle_timeout_ms"}},

	{Name: "send_input", Op: &terminals.SendInput.Operation, adapt: decodeData},
	{Name: "press_keys", Op: &terminals.PressKeys.Operation},
	{Name: "paste", Op: &terminals.PasteText.Operation},
	{Name: "send_mouse", Op: &terminals.MoveMouse.Operation},
	{Name: "get_typed", Op: &terminals.GetTyped.Operation},
	{Name: "await_typed", Op: &terminals.AwaitTyped.Operation},

	{Name: "run_command", Op: &terminals.RunCommand.Operation, Names: map[string]string{"command": "line"}},
	{Name: "await_idle", Op: &terminals.AwaitIdle.Operation, Needs: []string{"timeout_ms"}},
	{Name: "await_quiesce", Op: &terminals.AwaitIdle.Operation, Needs: []string{"timeout_ms"}, late: errcode.QuiesceTimeout},
	{Name: "await_any_idle", Op: &terminals.AwaitAnyIdle.Operation, Names: map[string]string{"tag": "tags"}, Needs: []string{"timeout_ms"}},
	{Name: "await_text", Op: &terminals.AwaitText.Operation},
	{Name: "await_prompt", Op: &terminals.AwaitPrompt.Operation},
	{Name: "await_state", Op: &terminals.AwaitState.Operation},
	{Name: "await_keys", Op: &terminals.AwaitKeys.Operation},
	{Name: "await_exit", Op: &terminals.AwaitExit.Operation},
	{Name: "await_screen", Op: &terminals.AwaitScreen.Operation},

	{Name: "get_screen", Op: &terminals.GetScreen.Operation},
	{Name: "get_changes", Op: &terminals.GetChanges.Operation},
	{Name: "get_picture", Op: &terminals.GetPicture.Operation},
	{Name: "draw_picture", Op: &terminals.DrawPicture.Operation},
	{Name: "get_scrollback", Op: &terminals.GetScrollback.Operation},
	{Name: "search_scrollback", Op: &terminals.SearchScrollback.Operation},
	{Name: "list_commands", Op: &terminals.ListCommands.Operation},
	{Name: "get_command_output", Op: &terminals.GetCommandOutput.Operation},
	{Name: "start_recording", Op: &terminals.StartRecording.Operation},
	{Name: "stop_recording", Op: &terminals.StopRecording.Operation},
	{Name: "remove_recording", Op: &terminals.RemoveRecording.Operation},
	{Name: "await_recording", Op: &terminals.AwaitRecording.Operation},
	{Name: "get_recording", Op: &terminals.GetRecording.Operation},
	{Name: "get_screen_mode", Op: &terminals.GetScreenMode.Operation},
	{Name: "enter_alt_screen", Op: &terminals.EnterAltScreen.Operation},
	{Name: "exit_alt_screen", Op: &terminals.ExitAltScreen.Operation},

	{Name: "get_input_mode", Op: &terminals.GetInputMode.Operation},
	{Name: "take_keyboard", Op: &terminals.TakeKeyboard.Operation},
	{Name: "give_keyboard", Op: &terminals.GiveKeyboard.Operation},
	{Name: "capture_input", Op: &terminals.CaptureInput.Operation},
	{Name: "release_input", Op: &terminals.ReleaseInput.Operation},
	{Name: "get_focus", Op: &terminals.GetFocus.Operation},
	{Name: "focus", Op: &terminals.FocusElement.Operation},
	{Name: "unfocus", Op: &terminals.ClearFocus.Operation},

	{Name: "apply_elements", Op: &terminals.ApplyElements.Operation},
	{Name: "batch_update", Op: &terminals.ApplyElements.Operation, adapt: batchUpdate},
}

// elementMethods are the methods of one kind of elements. needs are the members that a new one
// needs.
func elementMethods(kind string, ops terminals.ElementOps, needs ...string) []*Method {
	return []*Method{
		{Name: "create_" + kind, Op: &ops.Create.Operation, Needs: needs},
		{Name: "list_" + kind + "s", Op: &ops.List.Operation},
		{Name: "get_" + kind, Op: &ops.Get.Operation},
		{Name: "update_" + kind, Op: &ops.Replace.Operation},
		{Name: "patch_" + kind, Op: &ops.Update.Operation},
		{Name: "delete_" + kind, Op: &ops.Remove.Operation},
		{Name: "clear_" + kind + "s", Op: &ops.Clear.Operation},
		{Name: "update_" + kind + "_spans", Op: &ops.UpdateSpans.Operation, Needs: []string{"spans"}},
		{Name: kind + "_region_write", Op: &ops.Write.Operation},
	}
}

// build completes the methods.
func build(list []*Method) []*Method {
	for _, m := range list {
		var given []string
		if m.session = m.Op.In().Properties["session"] != nil; m.session {
			given = []string{"session"}
		}
		m.decoder = terminals.NewDecoder(m.Op, given, m.Needs)
	}
	return list
}

var byName = sync.OnceValue(func() map[string]*Method {
	list := map[string]*Method{}
	for _, m := range methods() {
		list[m.Name] = m
	}
	return list
})

// input returns the operation that a call of the method stands for, and its input without the
// session. The parameters have been taken apart into params unless the method is called with its
// operation's own members.
func (m *Method) input(params map[string]json.RawMessage) (o *terminals.Operation, in, out any, err error) {
	o, decoder := m.Op, m.decoder
	if m.absent != nil && isAbsent(params) {
		o, decoder = m.absent, nil
	}
	in, out = o.New()
	if decoder == nil {
		return o, in, out, nil
	}
	members := maps.Clone(params)
	if members == nil {
		members = map[string]json.RawMessage{}
	}
	own := map[string]json.RawMessage{} // by the names of the operation, which other parameters may have
	for name, member := range m.Names {
		if value, ok := members[name]; ok {
			delete(members, name)
			own[member] = value
		}
	}
	maps.Copy(own, members)
	members = own
	if m.adapt != nil {
		if err := m.adapt(members); err != nil {
			return o, in, out, err
		}
	}
	if m.session {
		delete(members, "session")
	}
	object, err := json.Marshal(members)
	if err != nil {
		return o, in, out, fault.Wrap(fault.Invalid, err, "params are malformed")
	}
	if err := decoder.Decode(object, in); err != nil {
		return o, in, out, err
	}
	if sized, ok := in.(terminals.Sized); ok {
		sized.ClampSize()
	}
	return o, in, out, nil
}

// isAbsent reports whether no parameter has a value.
func isAbsent(params map[string]json.RawMessage) bool {
	for _, value := range params {
		if string(value) != "null" {
			return false
		}
	}
	return true
}

// decodeData changes the data of input into base64.
func decodeData(params map[string]json.RawMessage) error {
	encoding, err := text(params, "encoding")
	if err != nil {
		return err
	}
	data, err := text(params, "data")
	if err != nil || params["data"] == nil {
		return err // the decoder reports what is missing
	}
	switch encoding {
	case "", "utf8":
		data = base64.StdEncoding.EncodeToString([]byte(data))
	case "base64":
		if _, err := base64.StdEncoding.DecodeString(data); err != nil {
			return fault.New(fault.Invalid, "data is not base64: %v", err)
		}
	default:
		return fault.New(fault.Invalid, "there is no encoding %.40q: it is utf8 or base64", encoding)
	}
	delete(params, "encoding")
	params["data"] = quote(data)
	return nil
}

// batchUpdate changes an update of one element's spans and writes into a batch of operations.
func batchUpdate(params map[string]json.RawMessage) error {
	kind, err := text(params, "type")
	if err != nil {
		return err
	}
	id, err := text(params, "id")
	if err != nil {
		return err
	}
	for name, value := range map[string]string{"id": id, "type": kind} {
		if value == "" {
			return fault.New(fault.Invalid, "%s is missing", name)
		}
	}
	var ops []map[string]json.RawMessage
	for _, part := range []struct{ param, op string }{{"spans", "spans"}, {"writes", "write"}} {
		if value := params[part.param]; value != nil && string(value) != "null" {
			ops = append(ops, map[string]json.RawMessage{"op": quote(part.op), "type": quote(kind), "id": quote(id), part.param: value})
		}
		delete(params, part.param)
	}
	if ops == nil { // which only checks that there is such an element
		ops = append(ops, map[string]json.RawMessage{"op": quote("update"), "type": quote(kind), "id": quote(id)})
	}
	delete(params, "id")
	delete(params, "type")
	list, err := json.Marshal(ops)
	if err != nil {
		return fault.Wrap(fault.Invalid, err, "params are malformed")
	}
	params["ops"] = list
	return nil
}

// text returns a parameter that is a text, or "".
func text(params map[string]json.RawMessage, name string) (string, error) {
	var s *string
	if value, ok := params[name]; ok {
		if err := json.Unmarshal(value, &s); err != nil {
			return "", fault.New(fault.Invalid, "%s must be a string", name)
		}
	}
	if s == nil {
		return "", nil
	}
	return *s, nil
}

// quote returns a text as JSON.
func quote(text string) json.RawMessage {
	return fault.Must(json.Marshal(text)) // every string can be encoded
}
