package httppopup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/popuprpc"
)

// maxReplyBody bounds another server's answer, in bytes.
const maxReplyBody = 1 << 20

// Peers are the user's other servers. They implement [popup.Peers].
type Peers struct {
	list   func() []discovery.Server
	client *http.Client
}

// NewPeers returns the servers that list returns, which must leave out this one.
func NewPeers(list func() []discovery.Server) *Peers {
	// Connections within this machine need no proxy.
	return &Peers{list: list, client: &http.Client{Transport: &http.Transport{}}}
}

// Close closes idle connections.
func (p *Peers) Close() { p.client.CloseIdleConnections() }

// Servers implements [popup.Peers].
func (p *Peers) Servers() []popup.Peer {
	var all []popup.Peer
	for _, s := range p.list() {
		if s.Address == "" || len(s.Workspaces) == 0 {
			continue // it takes no questions now
		}
		all = append(all, popup.Peer{
			Workspaces: s.Workspaces,
			Ask:        func(ctx context.Context, a popup.Asked) (question.Answer, error) { return p.ask(ctx, s, a) },
		})
	}
	return all
}

// ask asks at another server. It returns the outcome that the question had there. When ctx ends,
// the question is withdrawn there. If the server stops with the question open, the error wraps
// [popup.ErrLost]; asking it again then asks for the same question.
func (p *Peers) ask(ctx context.Context, s discovery.Server, a popup.Asked) (question.Answer, error) {
	spec := specOf(a)
	body, err := jsonrpc.Marshal(jsonrpc.Request{ID: a.ID, Method: popuprpc.MethodFor(spec), Params: spec})
	if err != nil {
		return question.Answer{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+s.Address+"/mcp", bytes.NewReader(body))
	if err != nil {
		return question.Answer{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Authorization", "Bearer "+s.Token)
	req.Header.Set(routedHeader, a.ID)
	var content []byte
	res, err := p.client.Do(req)
	if err == nil {
		defer res.Body.Close()
		content, err = io.ReadAll(io.LimitReader(res.Body, maxReplyBody))
	}
	if failed, ok := errors.AsType[*net.OpError](err); ok && failed.Op == "dial" {
		return question.Answer{}, err // it has not got the question
	} else if err != nil {
		return question.Answer{}, fmt.Errorf("%w: %w", popup.ErrLost, err)
	}
	return answerOf(content)
}

// specOf is the question to ask elsewhere, with the time that is left.
func specOf(a popup.Asked) question.Spec {
	s := a.Question.Posed(time.Until(a.Deadline)).Spec
	s.WorkspacePath = a.Workspace
	return s
}

// answerOf reads the other server's answer.
func answerOf(content []byte) (question.Answer, error) {
	var answer struct {
		Result *popuprpc.Result `json:"result"`
		Error  *jsonrpc.Error   `json:"error"`
	}
	if err := json.Unmarshal(content, &answer); err != nil {
		return question.Answer{}, fmt.Errorf("the other server's answer is malformed: %w", err)
	}
	if r := answer.Result; r != nil {
		return question.Answer{
			Outcome: r.Outcome, Source: r.Source, Value: r.SelectedValue, Values: r.SelectedValues, Text: r.Text, Channel: r.Channel,
		}, nil
	}
	switch {
	case answer.Error == nil:
		return question.Answer{}, errors.New("the other server has answered nothing")
	case answer.Error.Code == popuprpc.CodeStopping:
		return question.Answer{}, fmt.Errorf("%w: %w", popup.ErrLost, answer.Error)
	}
	var data popuprpc.OutcomeData
	if err := json.Unmarshal(answer.Error.Data, &data); err != nil || data.Outcome == "" {
		return question.Answer{}, fmt.Errorf("the other server refuses the question: %w", answer.Error)
	}
	return question.Answer{Outcome: data.Outcome, Channel: data.Channel}, nil
}
