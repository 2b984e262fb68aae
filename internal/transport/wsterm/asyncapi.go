package wsterm

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/yaml"
)

// AsyncAPI returns asyncapi.yaml: the methods and events, in AsyncAPI 3.0.
var AsyncAPI = sync.OnceValue(func() []byte { return yaml.Of(asyncAPIDocument()) })

type object = map[string]any

func ref(path ...string) object {
	for i, p := range path {
		path[i] = strings.NewReplacer("~", "~0", "/", "~1").Replace(p)
	}
	return object{"$ref": "#/" + strings.Join(path, "/")}
}

func asyncAPIDocument() object {
	messages, operations := object{}, object{}
	all, own := object{}, object{} // messages of the two channels
	add := func(name string, message object, ofSession bool) {
		messages[name] = message
		all[name] = ref("components", "messages", name)
		if ofSession {
			own[name] = ref("components", "messages", name)
		}
	}
	add("error", object{"summary": "The answer to a request that failed.", "payload": object{"$ref": "#/components/schemas/Failure"}}, true)
	for _, o := range methods() {
		request, reply := o.Name, o.Name+".reply"
		add(request, object{"summary": o.Doc, "payload": requestOf(o)}, o.OfSession())
		add(reply, object{"payload": replyOf(o)}, o.OfSession())
		operations[o.Name] = object{
			"action": "receive", "channel": ref("channels", "server"), "summary": o.Doc,
			"messages": []object{ref("channels", "server", "messages", request)},
			"reply": object{"channel": ref("channels", "server"), "messages": []object{
				ref("channels", "server", "messages", reply), ref("channels", "server", "messages", "error"),
			}},
		}
	}
	var events []object
	for _, e := range wire.EventTypes {
		name := "event." + e.Name
		if messages[name] != nil {
			name += "." + e.Topic // the same name for another topic
		}
		doc := e.Doc
		if e.Topic != "" {
			doc += " To those who subscribe to " + e.Topic + "."
		}
		add(name, object{"summary": doc, "payload": terminals.SchemaOf(e.Type)}, true)
		events = append(events, ref("channels", "server", "messages", name))
	}
	add("lifecycle", object{"summary": "A session was created, renamed, tagged, is in another state, has ended or was removed.", "payload": terminals.SchemaOf(reflect.TypeFor[wire.Lifecycle]())}, false)
	add("lifecycle_lagged", object{"summary": "Changes of sessions were lost, because the client was too slow: session.list returns what there is.", "payload": terminals.SchemaOf(reflect.TypeFor[wire.Lagged]())}, false)
	events = append(events, ref("channels", "server", "messages", "lifecycle"), ref("channels", "server", "messages", "lifecycle_lagged"))
	operations["events"] = object{
		"action": "send", "channel": ref("channels", "server"), "summary": "Events of sessions to which the client has subscribed, and of their lives.",
		"messages": events,
	}
	name := object{"name": object{"description": "name of the session; that of another server is HOST%2FSESSION"}}
	return object{
		"asyncapi": "3.0.0",
		"info":     object{"title": "wsh server: WebSockets", "version": "1", "description": "Terminal sessions over WebSockets. Messages are JSON, except those of the channels raw and attach. A client answers pings. With server=HOST in its query, a channel is that server's."},
		"channels": object{
			"server":  object{"address": "/ws/json", "description": "All sessions. Requests of one session name it.", "messages": all},
			"session": object{"address": "/sessions/{name}/ws/json", "description": "One session. The methods of sessions and their events work here, too.", "parameters": name, "messages": own},
			"raw": object{"address": "/sessions/{name}/ws/raw", "description": "The program's output as it is, after the bytes that bring a terminal into the state of the program's; what the client sends is typed.", "parameters": name,
				"messages": object{"bytes": object{"contentType": "application/octet-stream", "payload": object{"type": "string"}}}},
			"attach": object{"address": "/sessions/{name}/ws/attach", "description": "A person's terminal, attached in frames: each message is the type, one byte, and the content.", "parameters": name,
				"messages": object{"frame": object{"contentType": "application/octet-stream", "payload": object{"type": "string"}}}},
			"questions": object{"address": httpio.QuestionsPath, "description": "The open questions, and the person's replies: " + terminals.FollowQuestions.Doc,
				"messages": object{
					"news": object{"summary": "From the server.", "payload": terminals.SchemaOf(reflect.TypeFor[terminals.QuestionNews]())},
					"said": object{"summary": "From the client, which also says what it has read, as {\"read\":OFFSET}.", "payload": terminals.SchemaOf(reflect.TypeFor[terminals.FromFollower]())},
				}},
		},
		"operations": operations,
		"components": object{
			"messages": messages,
			"schemas": object{"Failure": object{"type": "object", "required": []string{"error"}, "properties": object{
				"id": object{"description": "id of the request"}, "method": object{"type": "string"}, "session": object{"type": "string"},
				"error": object{"type": "object", "required": []string{"code", "message"}, "properties": object{
					"code":    object{"type": "string", "description": "what clients act on"},
					"message": object{"type": "string", "description": "for people"},
				}},
			}}},
		},
	}
}

func requestOf(o *terminals.Operation) object {
	properties := object{
		"id":     object{"description": "anything; the answer has it, too"},
		"method": methodNames(o),
		"server": object{"type": "string", "description": "on the channel of all: host name of the one server that the request is meant for, on which names are plain; it may also be in params"},
	}
	required := []string{"method"}
	in := o.In()
	if o.OfSession() {
		properties["session"] = object{"type": "string", "description": "name of the session, on the channel of all; it may also be in params. That of another server is HOST/SESSION"}
		delete(in.Properties, "session")
		in.Required = slices.DeleteFunc(in.Required, func(name string) bool { return name == "session" })
	}
	if len(in.Properties) > 0 {
		properties["params"] = in
		if len(in.Required) > 0 {
			required = append(required, "params")
		}
	}
	return object{"type": "object", "required": required, "properties": properties}
}

// methodNames returns the schema of the names by which an operation is called.
func methodNames(o *terminals.Operation) object {
	if o.Aliases == nil {
		return object{"const": o.Name}
	}
	names := []string{o.Name}
	for _, a := range o.Aliases {
		names = append(names, a.Name)
	}
	return object{"enum": names, "description": o.Older()}
}

// replyOf returns the schema of an operation's answers.
func replyOf(o *terminals.Operation) object {
	var result any = object{"type": "object"}
	if out := o.Out(); out != nil && o.Kind != terminals.Streaming {
		result = out
	}
	return object{"type": "object", "required": []string{"method", "result"}, "properties": object{
		"id": object{"description": "id of the request"}, "method": methodNames(o), "result": result,
	}}
}
