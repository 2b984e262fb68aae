package main

import (
	"encoding/json"

	"ui-mcp/internal/fault"
)

type object = map[string]any

// offered are tools of a request.
func offered(group string, all ...object) (tools []tool) {
	for _, of := range all {
		tools = append(tools, tool{group, text(of, "name"), len(fault.Must(json.Marshal(of)))}) // it was JSON
	}
	return tools
}

// list returns a member that is a list of objects.
func list(of object, name string) []object {
	var all []object
	items, _ := of[name].([]any)
	for _, item := range items {
		if o, ok := item.(object); ok {
			all = append(all, o)
		}
	}
	return all
}

func text(of object, name string) string {
	s, _ := of[name].(string)
	return s
}

// read returns how many turns the model had in a request, its tools, and what came after its last
// turn.
func (d dialect) read(body object) (turns int, tools []tool, last []object) {
	for _, item := range list(body, d.items) {
		if last = append(last, item); d.isModels(item) {
			turns, last = turns+1, nil
		}
	}
	for _, t := range list(body, "tools") {
		tools = append(tools, d.tools(t)...)
	}
	return turns, tools, last
}

// messages is Anthropic's API.
var messages = dialect{
	items:    "messages",
	isModels: func(m object) bool { return m["role"] == "assistant" },
	tools:    func(t object) []tool { return offered("", t) },
	events: func(t turn) []any {
		block, delta, reason := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": t.Text}, "end_turn"
		if t.Tool != "" {
			block, delta, reason = object{"type": "tool_use", "id": t.id, "name": t.name, "input": object{}}, object{"type": "input_json_delta", "partial_json": t.arguments()}, "tool_use"
		}
		return []any{
			object{"type": "message_start", "message": message(t, []any{}, nil)},
			object{"type": "content_block_start", "index": 0, "content_block": block},
			object{"type": "content_block_delta", "index": 0, "delta": delta},
			object{"type": "content_block_stop", "index": 0},
			object{"type": "message_delta", "delta": object{"stop_reason": reason, "stop_sequence": nil}, "usage": object{"output_tokens": 1}},
			object{"type": "message_stop"},
		}
	},
	whole: func(t turn) any {
		if t.Tool != "" {
			return message(t, []any{object{"type": "tool_use", "id": t.id, "name": t.name, "input": t.Input}}, "tool_use")
		}
		return message(t, []any{object{"type": "text", "text": t.Text}}, "end_turn")
	},
}

func message(t turn, content []any, reason any) object {
	return object{
		"id": "msg_" + t.id, "type": "message", "role": "assistant", "model": "scripted", "content": content,
		"stop_reason": reason, "stop_sequence": nil, "usage": object{"input_tokens": 1, "output_tokens": 1},
	}
}

// responses is OpenAI's newer API.
var responses = dialect{
	items:    "input",
	isModels: func(m object) bool { return m["type"] == "function_call" || m["role"] == "assistant" },
	tools: func(t object) []tool {
		if t["type"] == "namespace" {
			return offered(text(t, "name"), list(t, "tools")...)
		}
		return offered("", t)
	},
	events: func(t turn) []any {
		item := object{"type": "message", "role": "assistant", "id": "m" + t.id, "content": []any{object{"type": "output_text", "text": t.Text}}}
		if t.Tool != "" {
			item = object{"type": "function_call", "id": "f" + t.id, "call_id": t.id, "name": t.name, "arguments": t.arguments()}
			if t.group != "" {
				item["namespace"] = t.group
			}
		}
		return []any{
			object{"type": "response.created", "response": object{"id": "r" + t.id}},
			object{"type": "response.output_item.done", "output_index": 0, "item": item},
			object{"type": "response.completed", "response": object{"id": "r" + t.id, "usage": object{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}}},
		}
	},
	whole: func(t turn) any { return object{"id": t.id, "output": []any{}} },
}

// completions is OpenAI's older API, which others have, too.
var completions = dialect{
	items:    "messages",
	isModels: messages.isModels,
	tools: func(t object) []tool {
		f, _ := t["function"].(object)
		return offered("", f)
	},
	events: func(t turn) []any {
		delta, reason := object{"role": "assistant", "content": t.Text}, "stop"
		if t.Tool != "" {
			delta, reason = object{"role": "assistant", "tool_calls": []any{object{
				"index": 0, "id": t.id, "type": "function", "function": object{"name": t.name, "arguments": t.arguments()},
			}}}, "tool_calls"
		}
		chunk := func(delta object, reason any) object {
			return object{"id": t.id, "object": "chat.completion.chunk", "model": "scripted", "choices": []any{object{"index": 0, "delta": delta, "finish_reason": reason}}}
		}
		return []any{chunk(delta, nil), chunk(object{}, reason)}
	},
	whole: func(t turn) any {
		return object{"id": t.id, "object": "chat.completion", "model": "scripted", "choices": []any{object{
			"index": 0, "message": object{"role": "assistant", "content": t.Text}, "finish_reason": "stop",
		}}}
	},
	end: "data: [DONE]\n\n",
}

// generate is Google's API.
var generate = dialect{
	items:    "contents",
	isModels: func(m object) bool { return m["role"] == "model" },
	tools:    func(t object) []tool { return offered("", list(t, "functionDeclarations")...) },
	events:   func(t turn) []any { return []any{candidate(t)} },
	whole:    func(t turn) any { return candidate(t) },
}

func candidate(t turn) object {
	part := object{"text": t.Text}
	if t.Tool != "" {
		input := t.Input
		if input == nil {
			input = object{}
		}
		part = object{"functionCall": object{"name": t.name, "args": input}}
	}
	return object{
		"candidates":    []any{object{"index": 0, "content": object{"role": "model", "parts": []any{part}}, "finishReason": "STOP"}},
		"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
	}
}
