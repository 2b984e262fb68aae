package httppopup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/popup/registry"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/popuprpc"
)

// maxReplyBody bounds another server's answer, in bytes.
const maxReplyBody = 1 << 20

// Peers are the other servers in a registry. They are [popup.Peers].
type Peers struct {
	registry *registry.Registry
	client   *http.Client
	own      int // the process of this server
}

// NewPeers returns the servers of a registry other than those of this process.
func NewPeers(r *registry.Registry) *Peers {
	// No proxy: the other servers are on this machine.
	return &Peers{registry: r, own: os.Getpid(), client: &http.Client{Transport: &http.Transport{}}}
}

// Close closes idle connections.
func (p *Peers) Close() { p.client.CloseIdleConnections() }

// Servers implements [popup.Peers].
func (p *Peers) Servers() []popup.Peer {
	var all []popup.Peer
	for _, e := range p.registry.List() {
		if e.PID == p.own {
			continue
		}
		all = append(all, popup.Peer{
			Workspaces: slices.Clone(e.Workspaces),
			Ask:        func(ctx context.Context, a popup.Asked) (question.Answer, error) { return p.ask(ctx, e, a) },
		})
	}
	return all
}

// ask asks at another server. It returns the outcome that the question had there. When ctx ends, the
// question is withdrawn there.
func (p *Peers) ask(ctx context.Context, e registry.Entry, a popup.Asked) (question.Answer, error) {
	body, err := jsonrpc.Marshal(jsonrpc.Request{ID: a.ID, Method: popuprpc.TriggerPopup, Params: specOf(a)})
	if err != nil {
		return question.Answer{}, err
	}
	url := fmt.Sprintf("http://127.0.0.1:%d/mcp", e.Port)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return question.Answer{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Authorization", "Bearer "+e.Token)
	res, err := p.client.Do(req)
	if err != nil {
		return question.Answer{}, err
	}
	defer res.Body.Close()
	content, err := io.ReadAll(io.LimitReader(res.Body, maxReplyBody))
	if err != nil {
		return question.Answer{}, err
	}
	return answerOf(content)
}

// specOf is the question to ask elsewhere, with the time that is left.
func specOf(a popup.Asked) question.Spec {
	q := a.Question
	markdown := !q.Plain
	return question.Spec{
		WorkspacePath: a.Workspace, Title: q.Title, Message: q.Message, Options: q.Options, AllowText: q.AllowText,
		Multiple: q.Multiple, DefaultValue: q.Default, TimeoutSeconds: max(time.Until(a.Deadline).Seconds(), 1),
		Severity: q.Severity, Markdown: &markdown, Secret: q.Secret, RevealSecret: q.Reveal, Images: q.Images, Channel: q.Channel,
	}
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
	if answer.Error == nil {
		return question.Answer{}, errors.New("the other server has answered nothing")
	}
	var data popuprpc.OutcomeData
	if err := json.Unmarshal(answer.Error.Data, &data); err != nil || data.Outcome == "" {
		return question.Answer{}, fmt.Errorf("the other server refuses the question: %w", answer.Error)
	}
	return question.Answer{Outcome: data.Outcome, Channel: data.Channel}, nil
}
