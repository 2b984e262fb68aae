// Package effect makes HTTP requests, runs processes and uses terminals for an app's scripts,
// outside their session. Its functions return when their context ends, and are safe for concurrent
// use.
package effect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/ui/lua/async"
)

// HTTP makes a request with c and reads the response, whose body may have at most req.Limit bytes.
// An HTTP status that means failure is not an error. Our own servers refuse the request: see
// [httpserve.MarkScripts].
func HTTP(c *http.Client) func(context.Context, async.Request) (async.Response, error) {
	marking := *c
	marking.Transport = httpserve.MarkScripts(c.Transport)
	return func(ctx context.Context, req async.Request) (async.Response, error) {
		r, err := http.NewRequestWithContext(ctx, req.Method, req.URL, bytes.NewReader(req.Body))
		if err != nil {
			return async.Response{}, err
		}
		for name, value := range req.Header {
			if strings.EqualFold(name, "Host") {
				r.Host = value // the header of that name is not sent
			}
			r.Header.Set(name, value)
		}
		res, err := marking.Do(r)
		if err != nil {
			return async.Response{}, err
		}
		body, err := io.ReadAll(io.LimitReader(res.Body, int64(req.Limit)+1))
		if err := errors.Join(err, res.Body.Close()); err != nil {
			return async.Response{}, fmt.Errorf("%s %s: the response broke off: %w", req.Method, req.URL, err)
		}
		if len(body) > req.Limit {
			return async.Response{}, fmt.Errorf("%s %s: the response has more than %d bytes", req.Method, req.URL, req.Limit)
		}
		out := async.Response{Status: res.StatusCode, Header: map[string]string{}, Body: body}
		for name, values := range res.Header {
			out.Header[strings.ToLower(name)] = strings.Join(values, ", ")
		}
		return out, nil
	}
}
