package main

//lint:file-ignore SA1019 the suite also tests deprecated features

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The forms of the questions below.
const (
	nameForm    = `{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`
	colorForm   = `{"type":"object","properties":{"color":{"type":"string"}},"required":["color"]}`
	okForm      = `{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`
	contextForm = `{"type":"object","properties":{"context":{"type":"string"}},"required":["context"]}`
)

// addRoundTripTools adds tools that ask the client by answering that input is required; the client
// then calls again with the answers, as of revision 2026-07-28.
func addRoundTripTools(s *mcp.Server) {
	const prefix = "test_input_required_result_"
	add := func(name, description string, h handler) { addTool(s, prefix+name, description, noArguments, h) }

	add("elicitation", "Asks for a name.", func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if name, ok := filledIn(req.Params.InputResponses, "user_name", "name"); ok {
			return says(fmt.Sprintf("Hello, %v!", name)), nil
		}
		return asks("", mcp.InputRequestMap{"user_name": question("What is your name?", nameForm)}), nil
	})
	add("sampling", "Asks the client's model.", func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if answer, ok := sampled(req.Params.InputResponses, "capital_question"); ok {
			return says(answer), nil
		}
		return asks("", mcp.InputRequestMap{"capital_question": sampling("What is the capital of France?")}), nil
	})
	add("list_roots", "Asks for the client's roots.", func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if roots, ok := req.Params.InputResponses["client_roots"].(*mcp.ListRootsResult); ok {
			return says(fmt.Sprintf("%d roots", len(roots.Roots))), nil
		}
		return asks("", mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}}), nil
	})
	add("multiple_inputs", "Asks three things at once.", func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		answers := req.Params.InputResponses
		name, named := filledIn(answers, "user_name", "name")
		greeting, greeted := sampled(answers, "greeting")
		if list, ok := answers["client_roots"].(*mcp.ListRootsResult); ok && named && greeted {
			return says(fmt.Sprintf("%s, %v: %d roots", greeting, name, len(list.Roots))), nil
		}
		return asks(seal("three"), mcp.InputRequestMap{
			"user_name":    question("What is your name?", nameForm),
			"greeting":     sampling("Greet the person."),
			"client_roots": &mcp.ListRootsParams{},
		}), nil
	})
	add("request_state", "Wants its state back.", confirm)
	add("tampered_state", "Refuses a state that it has not given.", confirm)
	add("multi_round", "Asks twice.", askTwice)
	add("capabilities", "Asks only what the client can answer.", func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if len(req.Params.InputResponses) > 0 {
			return says("Answered."), nil
		}
		wanted := mcp.InputRequestMap{}
		if caps := req.ClientCapabilities(); caps != nil {
			if caps.Elicitation != nil {
				wanted["user_name"] = question("What is your name?", nameForm)
			}
			if caps.Sampling != nil {
				wanted["greeting"] = sampling("Greet the person.")
			}
			if caps.RootsV2 != nil {
				wanted["client_roots"] = &mcp.ListRootsParams{}
			}
		}
		if len(wanted) == 0 {
			return says("There is nothing that the client could answer."), nil
		}
		return asks("", wanted), nil
	})
}

// confirm asks once, and accepts the answer only with the state that it returned.
func confirm(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.Params.RequestState != "" {
		if _, err := unseal(req.Params.RequestState); err != nil {
			return nil, err
		}
		if _, ok := filledIn(req.Params.InputResponses, "confirm", "ok"); ok {
			return says("state-ok"), nil
		}
	}
	return asks(seal("asked"), mcp.InputRequestMap{"confirm": question("Is that right?", okForm)}), nil
}

// askTwice asks for a name, then for a colour. It keeps the name in the state.
func askTwice(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.Params.RequestState == "" {
		return asks(seal("first"), mcp.InputRequestMap{"step1": question("What is your name?", nameForm)}), nil
	}
	state, err := unseal(req.Params.RequestState)
	if err != nil {
		return nil, err
	}
	answers := req.Params.InputResponses
	if name, second := strings.CutPrefix(state, "second:"); second {
		if color, ok := filledIn(answers, "step2", "color"); ok {
			return says(fmt.Sprintf("%s likes %v.", name, color)), nil
		}
		return asks(req.Params.RequestState, mcp.InputRequestMap{"step2": question("Which colour do you like?", colorForm)}), nil
	}
	name, ok := filledIn(answers, "step1", "name")
	if !ok {
		return asks(req.Params.RequestState, mcp.InputRequestMap{"step1": question("What is your name?", nameForm)}), nil
	}
	return asks(seal(fmt.Sprint("second:", name)), mcp.InputRequestMap{"step2": question("Which colour do you like?", colorForm)}), nil
}

// asks returns a result that lists what the client must answer first.
func asks(state string, what mcp.InputRequestMap) *mcp.CallToolResult {
	return &mcp.CallToolResult{InputRequests: what, RequestState: state}
}

// filledIn returns a field of a form that the person has accepted.
func filledIn(answers mcp.InputResponseMap, key, field string) (any, bool) {
	form, ok := answers[key].(*mcp.ElicitResult)
	if !ok || form == nil || form.Action != "accept" || form.Content[field] == nil || form.Content[field] == "" {
		return nil, false
	}
	return form.Content[field], true
}

// sampled returns the text of the client's model.
func sampled(answers mcp.InputResponseMap, key string) (string, bool) {
	answer, ok := answers[key].(*mcp.CreateMessageWithToolsResult)
	if !ok || answer == nil {
		return "", false
	}
	for _, c := range answer.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			return c.Text, true
		}
	}
	return "", false
}

// sealed has the states that this process has created, by what a client gets of each.
var sealed sync.Map

// seal returns what stands for a state, which nobody can guess.
func seal(state string) string {
	key := rand.Text()
	sealed.Store(key, state)
	return key
}

// unseal returns the state that was sealed.
func unseal(key string) (string, error) {
	state, ok := sealed.Load(key)
	if !ok {
		return "", &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "this server did not issue requestState"}
	}
	return state.(string), nil
}
