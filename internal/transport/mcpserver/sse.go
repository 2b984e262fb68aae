package mcpserver

import (
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sse is MCP as revision 2024-11-05 had it over HTTP: a client opens a stream
// of events, which tells it where to post its messages. Answers come as events.
// A session is its stream.
type sse struct {
	server  *mcp.Server
	door    *door
	log     *slog.Logger
	plain   PlainMethods
	maxBody int64

	mu    sync.Mutex // guards the field below
	links map[string]*link
}

func newSSE(s *mcp.Server, d *door, o HTTPOptions) *sse {
	return &sse{server: s, door: d, log: o.Log, plain: o.Plain, maxBody: o.MaxBody, links: map[string]*link{}}
}

// messagePath is where messages are posted.
const messagePath = "/message"

// stream serves GET /sse until the client goes away or the door closes.
func (s *sse) stream(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet { // a pattern for GET takes HEAD, too
		w.Header().Set("Allow", http.MethodGet)
		sendRefusal(w, http.StatusMethodNotAllowed, refuse(nil, jsonrpc.CodeInvalidRequest, "Invalid Request: %s understands GET only", r.URL.Path))
		return
	}
	out := newResponse(w, nil)
	defer out.finish(nil)
	send := func(data []byte) error {
		if _, err := out.Write(data); err != nil {
			return err
		}
		return out.FlushError()
	}
	l := newLink(s.log, r.Context().Done(), func(message []byte) error { return send(event(message)) })
	l.handshakeOnly = true
	l.plain = s.plain
	defer l.plainCalls.Wait()
	id := rand.Text()
	s.add(id, l)
	defer s.remove(id)

	h := out.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache, no-transform")
	endpoint := messagePath + "?" + url.Values{"sessionId": {id}}.Encode()
	if err := send([]byte("event: endpoint\ndata: " + endpoint + "\n\n")); err != nil {
		return
	}
	var open []*mcp.ServerSession
	for _, e := range l.eras {
		session, err := s.server.Connect(r.Context(), e, nil)
		if err != nil {
			s.log.Error("no MCP session could be made", "error", err)
			break
		}
		open = append(open, session)
	}
	if len(open) == len(l.eras) {
		s.await(l, r)
	}
	_ = l.close()
	for _, session := range open {
		_ = session.Wait() // an error is the client's having gone
	}
}

// await returns when a stream has come to its end.
func (s *sse) await(l *link, r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-l.closed:
	case <-s.door.closing.Done():
		l.leave()
		// The calls under way have been cancelled: that is an answer, too.
		select {
		case <-r.Context().Done():
		case <-l.closed:
		case <-l.calls.idle():
		}
	}
}

// message serves POST /message?sessionId=ID. What comes of the message is an
// event of the session's stream; only what is no message is answered here.
func (s *sse) message(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("sessionId")
	l := s.link(id)
	if l == nil {
		status, text := http.StatusNotFound, "Invalid Request: there is no such session: open GET /sse, and post to the address that it tells"
		if id == "" {
			status, text = http.StatusBadRequest, "Invalid Request: the parameter sessionId is missing: open GET /sse, and post to the address that it tells"
		}
		sendRefusal(w, status, refuse(nil, jsonrpc.CodeInvalidRequest, "%s", text))
		return
	}
	body, ok := readMessage(w, r, s.maxBody)
	if !ok {
		return
	}
	no, err := l.accept(body)
	switch {
	case no != nil:
		sendRefusal(w, http.StatusBadRequest, no)
	case errors.Is(err, io.EOF):
		sendRefusal(w, http.StatusNotFound, refuse(nil, jsonrpc.CodeInvalidRequest, "Invalid Request: the session has ended"))
	default:
		w.WriteHeader(http.StatusAccepted)
	}
}

func (s *sse) add(id string, l *link) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.links[id] = l
}

func (s *sse) remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.links, id)
}

func (s *sse) link(id string) *link {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.links[id]
}
