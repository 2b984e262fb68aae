package gate

import (
	"log/slog"
	"net/http"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/httpio"
)

// maxUnsentEach is how many bytes of answers may be under way to one guest.
const maxUnsentEach = 80 << 20

// Hosts returns handlers for the requests of other hosts, over a connection that only one of them
// has: each passes them to next with what that host may do, narrowed by what the request says of
// its own caller. may returns what it may do at present; false: nothing. There are no pages, no
// credentials and no tickets.
func Hosts(next http.Handler, maxBody int64, log *slog.Logger) func(may func() (terminals.Grant, bool)) http.Handler {
	g := &gate{headers: terminalHeaders, credentials: new(credentials), log: log, pace: pace{most: maxRefusals}}
	g.load = newLoad(g.finish(next, maxBody))
	return func(may func() (terminals.Grant, bool)) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			by, err := ofHost(r, may)
			if err != nil {
				g.refuse(w, r, refusal{errcode.Status(err), errcode.Of(err), err.Error()})
				return
			}
			leave, refused := g.load.enter(r, by)
			if refused != nil {
				g.refuse(w, r, *refused)
				return
			}
			defer leave()
			answer := &counted{ResponseWriter: w, load: g.load, caller: by.Caller()}
			g.next.ServeHTTP(answer, r.WithContext(terminals.NewContext(r.Context(), by)))
			answer.begin()
		})
	}
}

func ofHost(r *http.Request, may func() (terminals.Grant, bool)) (terminals.Grant, error) {
	if limit, ok := may(); ok {
		c, err := parseClaim(r.Header.Get(claimHeader))
		if err != nil {
			return terminals.Grant{}, err
		}
		return c.within(limit)
	}
	return terminals.Grant{}, fault.With(terminals.NotAllowed, fault.New(fault.Precondition, "your host may do nothing on that one: the hub's owner decides by its role there"))
}

// counted counts what an answer takes until it is sent, and refuses one that is too much.
type counted struct {
	http.ResponseWriter
	load   *load
	caller string
	status int  // which has not been sent yet, or 0
	begun  bool // it has been sent
}

// WriteHeader implements [http.ResponseWriter].
func (c *counted) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
	if status < http.StatusOK { // what follows is no answer
		c.begin()
	}
}

// Write implements [http.ResponseWriter].
func (c *counted) Write(b []byte) (int, error) {
	fits := c.load.send(c.caller, len(b))
	switch {
	case fits:
		defer c.load.send(c.caller, -len(b))
		c.begin()
		return c.ResponseWriter.Write(b)
	case !c.begun:
		c.Header().Del("Content-Length")
		c.begun = true
		httpio.WriteCoded(c.ResponseWriter, http.StatusTooManyRequests, errcode.LimitReached, "too much is under way to your host: wait for some of it")
	}
	return 0, errUnsent
}

var errUnsent = fault.New(fault.Exhausted, "too much is under way to the host")

func (c *counted) begin() {
	if !c.begun && c.status != 0 {
		c.ResponseWriter.WriteHeader(c.status)
	}
	c.begun = true
}

// Unwrap is for [http.ResponseController].
func (c *counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }
