package wsterm

import (
	"reflect"
	"slices"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/httpio"
)

type object = map[string]any

// asyncAPI returns asyncapi.yaml: the methods and events, in AsyncAPI 3.0.
func asyncAPI() object {
	server := object{"$ref": "#/channels/server"}
	at := func(message string) object { return object{"$ref": "#/channels/server/messages/" + message} }
	all, own, operations := object{}, object{}, object{} // messages of the two channels
	add := func(name, doc string, payload any, ofSession bool) {
		all[name] = object{"summary": doc, "payload": payload}
		if ofSession {
			own[name] = at(name)
		}
	}
	failed := object{"id": object{"description": "id of the request"}, "method": object{"type": "string"}, "session": object{"type": "string"}, "error": errcode.Schema}
	add("error", "The answer to a request that failed.", object{"type": "object", "required": []string{"error"}, "properties": failed}, true)
	for _, o := range methods() {
		add(o.Name, o.Doc, requestOf(o), o.OfSession())
		add(o.Name+".reply", "The answer.", replyOf(o), o.OfSession())
		operations[o.Name] = object{
			"action": "receive", "channel": server, "summary": o.Doc, "messages": []object{at(o.Name)},
			"reply": object{"channel": server, "messages": []object{at(o.Name + ".reply"), at("error")}},
		}
	}
	var events []object
	event := func(name, doc string, payload reflect.Type, ofSession bool) {
		add(name, doc, terminals.SchemaOf(payload), ofSession)
		events = append(events, at(name))
	}
	for _, e := range wire.EventTypes {
		name, doc := "event."+e.Name, e.Doc
		if all[name] != nil {
			name += "." + e.Topic // the same name for another topic
		}
		if e.Topic != "" {
			doc += " To those who subscribe to " + e.Topic + "."
		}
		event(name, doc, e.Type, true)
	}
	event("lifecycle", "A session was created, renamed, tagged, is in another state, has ended or was removed.", reflect.TypeFor[wire.Lifecycle](), false)
	event("lifecycle_lagged", "Changes of sessions were lost, because the client was too slow: session.list returns what there is.", reflect.TypeFor[wire.Lagged](), false)
	operations["events"] = object{
		"action": "send", "channel": server, "summary": "Events of sessions to which the client has subscribed, and of their lives.", "messages": events,
	}
	channel := func(address, doc string, messages object) object {
		return object{"address": address, "description": doc, "messages": messages}
	}
	ofSession := func(path, doc string, messages object) object {
		c := channel("/sessions/{name}/ws/"+path, doc, messages)
		c["parameters"] = object{"name": object{"description": "name of the session; that of another server is HOST%2FSESSION"}}
		return c
	}
	bytes := object{"contentType": "application/octet-stream", "payload": object{"type": "string"}}
	return object{
		"asyncapi":   "3.0.0",
		"info":       object{"title": "wsh server: WebSockets", "version": "1", "description": "Terminal sessions over WebSockets. Messages are JSON, except those of the channels raw and attach. A client answers pings. With server=HOST in its query, a channel is that server's."},
		"operations": operations,
		"channels": object{
			"server":  channel("/ws/json", "All sessions. Requests of one session name it.", all),
			"session": ofSession("json", "One session. The methods of sessions and their events work here, too.", own),
			"raw":     ofSession("raw", "The program's output as it is, after the bytes that bring a terminal into the state of the program's; what the client sends is typed.", object{"bytes": bytes}),
			"attach":  ofSession("attach", "A person's terminal, attached in frames: each message is the type, one byte, and the content.", object{"frame": bytes}),
			"questions": channel(httpio.QuestionsPath, "The open questions, and the person's replies: "+terminals.FollowQuestions.Doc, object{
				"news": object{"summary": "From the server, as {\"part\":NEWS}; the first text is empty.", "payload": terminals.SchemaOf(reflect.TypeFor[terminals.QuestionNews]())},
				"said": object{"summary": "From the client, which also says what it has read, as {\"read\":OFFSET}.", "payload": terminals.SchemaOf(reflect.TypeFor[terminals.FromFollower]())},
			}),
		},
	}
}

func requestOf(o *terminals.Operation) object {
	properties := object{
		"id":     object{"description": "anything; the answer has it, too"},
		"method": methodNames(o),
		"server": object{"type": "string", "description": "on the channel of all: host name of the one server that the request is meant for, on which names are plain; it may also be in params"},
	}
	required, in := []string{"method"}, o.In()
	if o.OfSession() {
		properties["session"] = object{"type": "string", "description": "name of the session, on the channel of all; it may also be in params. That of another server is HOST/SESSION"}
		delete(in.Properties, "session")
		in.Required = slices.DeleteFunc(in.Required, func(name string) bool { return name == "session" })
	}
	if len(in.Properties) > 0 {
		properties["params"] = in
	}
	if len(in.Required) > 0 {
		required = append(required, "params")
	}
	return object{"type": "object", "required": required, "properties": properties}
}

// methodNames returns the schema of the names by which an operation is called.
func methodNames(o *terminals.Operation) object {
	names := []string{o.Name}
	for _, a := range o.Aliases {
		names = append(names, a.Name)
	}
	return object{"enum": names, "description": o.Older()}
}

// replyOf returns the schema of an operation's answers.
func replyOf(o *terminals.Operation) object {
	var result any = object{"type": "object"}
	if out := o.Out(); out != nil {
		result = out
	}
	return object{"type": "object", "required": []string{"method", "result"}, "properties": object{
		"id": object{"description": "id of the request"}, "method": methodNames(o), "result": result,
	}}
}
