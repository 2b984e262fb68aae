package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/inflight"
	"ui-mcp/internal/transport/jsonrpc"
)

// streamable is Streamable HTTP at one URL. The SDK has a handler for each era, and none for both:
// streamable gives each request to the right one.
type streamable struct {
	HTTPOptions
	handshake http.Handler // sessions that start with "initialize"
	stateless http.Handler // requests without a session
	server    *Server
	sessions  *sessions
	closing   context.Context // calls end with it
}

func newStreamable(s *Server, open *sessions, closing context.Context, o HTTPOptions) *streamable {
	server := func(*http.Request) *mcp.Server { return s.Server }
	return &streamable{
		HTTPOptions: o,
		// open closes its sessions. The SDK would close one whose client only listens.
		handshake: mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
			Logger:              quieter(o.Log),
			MaxRequestBodyBytes: o.MaxBody,
		}),
		stateless: mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
			Stateless:                    true,
			Logger:                       quieter(o.Log),
			MaxRequestBodyBytes:          o.MaxBody,
			PropagateRequestCancellation: true,
		}),
		server:   s,
		sessions: open,
		closing:  closing,
	}
}

// errDeleted is why the running calls of a session end when its client closes it. Unlike
// [ErrGaveUp], it is not of kind [fault.Gone]: that client does not come back for an answer.
var errDeleted = fault.New(fault.Precondition, "the client has closed the session")

// Names of headers.
const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
)

// ServeHTTP implements [http.Handler].
func (s *streamable) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// A copy, since the SDK changes it, and the response may begin meanwhile.
	r = r.WithContext(r.Context())
	var req *sdkrpc.Request
	if r.Method == http.MethodPost {
		body, ok := readMessage(w, r, s.MaxBody)
		if !ok {
			return
		}
		msg, refusal, ignored := decode(body)
		switch {
		case refusal != nil:
			sendRefusal(w, http.StatusBadRequest, refusal)
			return
		case msg == nil:
			s.Log.Warn("ignored a response from the client", "why", ignored)
			w.WriteHeader(http.StatusAccepted)
			return
		}
		req, _ = msg.(*sdkrpc.Request)
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	r.Header.Del(ticketHeader)
	noStream := r.Method == http.MethodPost && takeBoth(r.Header)
	if req != nil && req.Method == "notifications/cancelled" && s.sessions.giveUp(r.Header.Get(sessionHeader), req.Params) {
		w.WriteHeader(http.StatusAccepted) // the SDK would end the call as one that is not wanted any more
		return
	}
	arrived := &call{request: r.Context(), ends: []context.Context{r.Context(), s.closing}}
	if req != nil && req.IsCall() {
		s.server.turns.arrive(arrived, s.server.turnOf(req.Method, req.Params))
		r.Header.Set(ticketHeader, arrived.ticket)
		// A handler that has been called ends its turn itself, also when the call outlives the
		// request.
		defer s.server.turns.abandon(arrived.ticket)
	}
	if s.isHandshake(r, req) {
		s.serveSession(w, r, req, arrived, noStream)
		return
	}
	answer(s.stateless, newResponse(w, req, noStream), r)
}

// takeBoth lets a request of a client that takes documents or streams, but not both, pass the SDK,
// which answers neither. It reports whether the client takes no streams; one that does not say what
// it takes is a script.
func takeBoth(h http.Header) (noStream bool) {
	accept := strings.ToLower(strings.Join(h.Values("Accept"), ","))
	takes := func(types ...string) bool {
		return slices.ContainsFunc(types, func(t string) bool { return strings.Contains(accept, t) })
	}
	document, events := takes("application/json", "application/*", "*/*"), takes("text/event-stream", "text/*", "*/*")
	if document != events || accept == "" {
		h.Set("Accept", "application/json, text/event-stream")
	}
	return !events && (document || accept == "")
}

// isHandshake reports whether a request belongs to the era of sessions. req is the request in its
// body, or nil. Requests that name no version, as scripts send them, need no handshake.
func (s *streamable) isHandshake(r *http.Request, req *sdkrpc.Request) bool {
	switch {
	case r.Header.Get(versionHeader) >= StatelessSince:
		return false
	case r.Header.Get(sessionHeader) != "" || r.Method != http.MethodPost:
		return true
	}
	return req != nil && req.Method == "initialize" && !jsonrpc.IsStateless(req.Params)
}

// serveSession serves a request that has a session or starts one, and the call that it brings, if
// any.
func (s *streamable) serveSession(w http.ResponseWriter, r *http.Request, req *sdkrpc.Request, arrived *call, noStream bool) {
	id, calls := r.Header.Get(sessionHeader), inflight.New()
	if r.Method == http.MethodDelete {
		// The SDK waits for the session's calls, and then drops what they have to say.
		if calls := s.sessions.forget(id); calls != nil {
			calls.Close(errDeleted)
			select {
			case <-calls.Drained():
			case <-r.Context().Done():
			}
		}
	} else if of := s.sessions.begin(id); of != nil {
		calls = of
		defer s.sessions.end(id)
		if r.Method == http.MethodPost && calls.Enter() {
			defer calls.Leave()
		}
		if req != nil && req.IsCall() {
			defer s.sessions.await(id, req.ID, arrived)()
		}
	}
	arrived.ends = append(arrived.ends, calls.Context())
	res := newResponse(w, req, noStream)
	res.inSession = id != ""
	res.onHeader = func(h http.Header) {
		if id := h.Get(sessionHeader); id != "" {
			s.sessions.add(id, calls) // before the client knows of it
		}
	}
	answer(s.handshake, res, r)
}

func answer(h http.Handler, res *response, r *http.Request) {
	h.ServeHTTP(res, r)
	var missing error
	if r.Context().Err() != nil {
		missing = errClosed // or the client has disconnected and will not read it
	}
	res.finish(missing)
}

// sessions are the sessions that started with a handshake, which outlive their requests. A client
// need not say when it is done: a session without a request for a while is closed. An open stream
// is a request that lasts.
//
// All methods may be called from any goroutine.
type sessions struct {
	server *Server
	idle   time.Duration

	closing sync.WaitGroup // Add only with mu held

	mu    sync.Mutex // guards the field below
	known map[string]*inUse
}

type inUse struct {
	session  *mcp.ServerSession // nil if it has ended already
	requests int
	unused   time.Time           // since when requests is 0, if it is
	timer    *time.Timer         // runs while requests is 0
	calls    *inflight.Group     // the requests with calls; it ends calls whose request is over, too
	awaited  map[sdkrpc.ID]*call // whose requests are open
}

// maxSessions is how many sessions stay open. Some clients start one for each call, and close none.
const maxSessions = 1000

// add records a new session, whose calls are bound to a group. If there are too many, it closes the
// one that has not been used for the longest time. One with a request, such as a stream that its
// client listens to, is in use.
func (s *sessions) add(id string, calls *inflight.Group) {
	u := &inUse{unused: time.Now(), calls: calls, awaited: map[sdkrpc.ID]*call{}}
	for session := range s.server.Sessions() {
		if session.ID() == id {
			u.session = session
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) >= maxSessions {
		var oldest string
		for id, u := range s.known {
			if u.requests == 0 && (oldest == "" || u.unused.Before(s.known[oldest].unused)) {
				oldest = id
			}
		}
		s.closeLocked(oldest)
	}
	u.timer = time.AfterFunc(s.idle, func() { s.expire(id) })
	s.known[id] = u
}

// removeLocked forgets a session, and returns what was known of it, or nil.
func (s *sessions) removeLocked(id string) *inUse {
	u := s.known[id]
	if u != nil {
		u.timer.Stop()
		delete(s.known, id)
	}
	return u
}

// closeLocked forgets a session and closes it, which waits for its calls.
func (s *sessions) closeLocked(id string) {
	if u := s.removeLocked(id); u != nil && u.session != nil {
		s.closing.Go(func() { _ = u.session.Close() }) // an error means that the client has disconnected
	}
}

// begin records a request to a session, and returns the group of its calls, or nil if the session
// is not known. If it is, the caller must call end when the request is over.
func (s *sessions) begin(id string) *inflight.Group {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.known[id]
	if u == nil {
		return nil
	}
	u.requests++
	u.timer.Stop()
	return u.calls
}

// await records that a client waits for the answer to a call of a session, until forget is called.
func (s *sessions) await(id string, request sdkrpc.ID, c *call) (forget func()) {
	var patience context.Context
	patience, c.giveUp = context.WithCancelCause(context.Background())
	c.ends = append(c.ends, patience)
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.known[id]
	if u == nil {
		return func() {}
	}
	u.awaited[request] = c
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if u.awaited[request] == c {
			delete(u.awaited, request)
		}
	}
}

// giveUp ends the call that the parameters of a notifications/cancelled name, if the client of the
// session says that it has merely waited long enough. It reports whether there was one.
func (s *sessions) giveUp(id string, params json.RawMessage) bool {
	request, timedOut := whichCancelled(params)
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.known[id]; timedOut && u != nil && u.awaited[request] != nil {
		u.awaited[request].giveUp(ErrGaveUp)
		return true
	}
	return false
}

func (s *sessions) has(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known[id] != nil
}

// end records that a request to the session is over.
func (s *sessions) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.known[id]
	if u == nil {
		return // it has been closed meanwhile
	}
	if u.requests--; u.requests == 0 {
		u.unused = time.Now()
		u.timer.Reset(s.idle)
	}
}

// forget records that its client has closed a session. It returns the group of its calls, or nil if
// the session is not known.
func (s *sessions) forget(id string) *inflight.Group {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.removeLocked(id); u != nil {
		return u.calls
	}
	return nil
}

// expire closes a session that is not used.
func (s *sessions) expire(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.known[id]; u != nil && u.requests == 0 {
		s.closeLocked(id)
	}
}

// closeAll closes every session, and returns when their calls have ended. No request starts one any
// more.
func (s *sessions) closeAll() {
	s.mu.Lock()
	for id := range s.known {
		s.closeLocked(id)
	}
	s.mu.Unlock()
	s.closing.Wait()
}
