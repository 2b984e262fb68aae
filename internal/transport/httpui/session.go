// Package httpui serves what browsers and helper scripts ask for over HTTP: on the UI port the
// pages of sessions and their WebSockets ([NewUI]), on the MCP port the endpoints at which an
// agent waits for events and reads the state ([NewMCP]). Neither checks who connects: put package
// gate in front.
//
// A [Session] is what a page talks to; a [Lookup] finds it, and opens its app if need be. An [App]
// has what the MCP port offers besides: /state, /wait, /variables and the documentation.
//
//	GET /1/        the document      ── files: the client's scripts, the app's html, css and images
//	GET /ws/1      its WebSocket     ── Session: batches out, events in
//	GET /wait      of the MCP port   ── App: events, taken once; put back if the client had gone
//
// [Observers] are the names under which browsers that nobody sees display a session, each an
// origin of its own, so that scripts of that page reach no page of a person.
package httpui

import (
	"context"
	"encoding/json"
	"io"

	"ui-mcp/internal/ui"
)

// DefaultSession is the session of requests that name none.
const DefaultSession = "1"

// A Session is what a page talks to. [ui.Session] implements it.
type Session interface {
	// Attach adds a page, or a [ui.Observer], which gets a snapshot first.
	Attach(ctx context.Context, c ui.Client) error
	// Detach removes a page. The page need not be attached.
	Detach(c ui.Client)
	// Receive handles a message of the page. When it fails the connection is closed.
	Receive(ctx context.Context, c ui.Client, msg []byte) error
	// Upload stores a file for a binding, and gives it to the app.
	Upload(ctx context.Context, what ui.Sending, body io.Reader) error
	// Variables lists the session's variables as JSON, unless known is the version of the list.
	Variables(ctx context.Context, known string) (list json.RawMessage, version string, err error)
}

// A Lookup finds a session by its ID, which may take as long as its app is loaded. It fails with
// fault.NotFound when there is no such session.
type Lookup func(ctx context.Context, id string) (Session, error)

// LookupIn returns a Lookup for a function that returns a concrete type of session.
func LookupIn[S Session](find func(ctx context.Context, id string) (S, error)) Lookup {
	return func(ctx context.Context, id string) (Session, error) {
		s, err := find(ctx, id)
		if err != nil {
			return nil, err // not s: a nil pointer in an interface is not nil
		}
		return s, nil
	}
}
