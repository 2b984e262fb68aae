package httpterm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/ws"
)

// maxAnswer bounds the answer to a client, in bytes. 10,000 coloured lines fit.
const maxAnswer = 256 << 20

// A Client carries out operations on another process's terminals over HTTP, as far as the table of
// rows offers them. It implements [terminals.Doer] and is safe for concurrent use. It ignores
// grants, since the server decides what its caller may do.
//
// The input may be a [json.RawMessage] instead of the operation's type. Where out points to one, it
// gets the answer as the server has written it, or {} for none.
type Client struct {
	// Limit returns the length limit of the answer to an operation, in bytes; nil: 256 MiB. It must
	// be set before the first call.
	Limit func(*terminals.Operation) int

	http *http.Client
	base string
}

// NewClient returns a client that sends its requests through rt to the URL base, such as
// "http://127.0.0.1:8080" with any prefix, without a slash at its end.
func NewClient(rt http.RoundTripper, base string) *Client {
	return &Client{http: &http.Client{Transport: rt}, base: base}
}

// Do implements [terminals.Doer]. Errors of the server have the kind and the detail that they have
// there. When the connection ends early, the error is of kind [fault.Gone].
func (c *Client) Do(ctx context.Context, _ terminals.Grant, o *terminals.Operation, in, out any) error {
	r, err := rowOf(o)
	if err != nil {
		return err
	}
	if r.download != "" {
		return fault.New(fault.Internal, "%s is a file: see Recording", o.Name)
	}
	res, err := c.send(ctx, r, in)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	most := maxAnswer
	if c.Limit != nil {
		most = c.Limit(o)
	}
	content, err := io.ReadAll(io.LimitReader(res.Body, int64(most)+1))
	switch {
	case err != nil:
		return broken(ctx, err)
	case len(content) > most:
		return fault.New(fault.Exhausted, "the server's answer is longer than %d MiB: ask for less", most>>20)
	case res.StatusCode != r.status:
		return refusal(res, content, out)
	}
	return readAnswer(res, content, out)
}

// Recording returns the recording that a session keeps, from an offset in bytes on. It ends where
// the recording ends now. The caller must close it.
func (c *Client) Recording(ctx context.Context, in terminals.RecordingQuery) (io.ReadCloser, error) {
	r, err := rowOf(&terminals.GetRecording.Operation)
	if err != nil {
		return nil, err
	}
	res, err := c.send(ctx, r, &in)
	if err != nil {
		return nil, err
	}
	if res.StatusCode == r.status {
		return res.Body, nil
	}
	defer res.Body.Close()
	content, err := io.ReadAll(io.LimitReader(res.Body, MaxBody))
	if err != nil {
		return nil, broken(ctx, err)
	}
	return nil, refusal(res, content, nil)
}

// maxPiece is the length limit of a message with output, in bytes.
const maxPiece = 1 << 20

// Output opens the stream of a program's output. The caller must close it.
func (c *Client) Output(ctx context.Context, in terminals.OutputQuery) (*ws.Dialed, error) {
	name := in.Session
	in.Session = ""
	query, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	conn, res, err := ws.Dial(ctx, c.base+"/sessions/"+url.PathEscape(name)+"/ws/raw?in="+url.QueryEscape(string(query)), c.http, maxPiece)
	if err == nil {
		return conn, nil
	}
	if res == nil || res.Body == nil {
		return nil, broken(ctx, err)
	}
	defer res.Body.Close()
	content, err := io.ReadAll(io.LimitReader(res.Body, MaxBody))
	if err != nil {
		return nil, broken(ctx, err)
	}
	return nil, refusal(res, content, nil)
}

// rowOf returns the first row of an operation. Rows with older names come later.
func rowOf(o *terminals.Operation) (row, error) {
	if i := slices.IndexFunc(rows, func(r row) bool { return r.op == o }); i >= 0 {
		return rows[i], nil
	}
	return row{}, fault.New(fault.Internal, "%s is not offered over HTTP", o.Name)
}

func (c *Client) send(ctx context.Context, r row, in any) (*http.Response, error) {
	path, body, err := r.encode(in)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, r.method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "wsh")
	if r.body == jsonBody {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, broken(ctx, err)
	}
	return res, nil
}

// encode returns the path with the query, and the body, of a request for the row's operation with
// an input.
func (r row) encode(in any) (path string, body []byte, err error) {
	encoded, err := json.Marshal(in)
	if err != nil {
		return "", nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(encoded, &members); err != nil {
		return "", nil, err
	}
	path = r.path
	for name, field := range pathFields {
		if value, ok := members[field]; ok && strings.Contains(path, "{"+name+"}") {
			text := plain(value)
			if strings.Trim(text, ".") == "" { // such a path would mean something else
				return "", nil, fault.New(fault.NotFound, "there is no %s %q", field, text)
			}
			path = strings.Replace(path, "{"+name+"}", url.PathEscape(text), 1)
			delete(members, field)
		}
	}
	query := url.Values{}
	for _, p := range r.query {
		value, ok := members[p.in()]
		delete(members, p.in())
		if !ok || string(value) == "null" {
			continue
		}
		var list []string
		if json.Unmarshal(value, &list) == nil {
			query.Set(p.name, strings.Join(list, ","))
		} else {
			query.Set(p.name, plain(value))
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	switch {
	case r.body == rawBody:
		err = json.Unmarshal(members["data"], &body)
	case r.body == jsonBody:
		body, err = json.Marshal(members)
	case len(members) > 0:
		err = fmt.Errorf("%s %s offers no way to give %v", r.method, r.path, members)
	}
	return path, body, err
}

// plain returns a JSON value as it is written in a path or query.
func plain(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	return string(value)
}

func readAnswer(res *http.Response, content []byte, out any) error {
	switch out := out.(type) {
	case *terminals.None:
		return nil
	case *terminals.Image:
		*out = terminals.Image{ContentType: res.Header.Get("Content-Type"), Data: content}
		return nil
	case *json.RawMessage:
		if *out = bytes.TrimSpace(content); len(*out) == 0 {
			*out = json.RawMessage("{}")
		}
		return nil
	}
	return fault.Wrap(fault.Internal, json.Unmarshal(content, out), "the server's answer is not as expected: its version may differ")
}

// refusal returns the error in an answer, and sets what is known of the operation's answer.
func refusal(res *http.Response, content []byte, out any) error {
	var refused struct {
		Error struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
		Answer json.RawMessage `json:"answer"`
	}
	if json.Unmarshal(content, &refused) != nil || refused.Error.Message == "" {
		return fault.New(fault.Precondition, "the server answers %s", res.Status)
	}
	err := errcode.Parse(res.StatusCode, refused.Error.Code, refused.Error.Message)
	if len(refused.Answer) > 0 && out != nil {
		return errors.Join(err, readAnswer(res, refused.Answer, out))
	}
	return err
}

// broken returns the error for a request that got no answer.
func broken(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if known, ok := errors.AsType[*fault.Error](err); ok { // the connection could not be opened
		return known
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // its text has the URL, which means nothing to a person
	}
	return fault.Wrap(fault.Gone, err, "the connection to the server has ended")
}
