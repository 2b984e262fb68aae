// Package httpterm is the HTTP face of terminal sessions: JSON over plain requests,
// for scripts, curl and agents without MCP. Put internal/transport/guard in front of
// it, with the options of [Guard]: whoever reaches it can run anything as the person.
// Every answer with a body is JSON, and every error, what the guard refuses included,
// is {"error":{"code","message"}}.
package httpterm

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/transport/guard"
	"ui-mcp/internal/transport/termwire"
)

// MaxBody is how many bytes a request may carry.
const MaxBody = 1 << 20

// maxPage is how many lines of scrollback are answered at once.
const maxPage = 10_000

// New returns the handler. host is the name under which sessions say where they are.
func New(r *term.Registry, host string) http.Handler {
	a := &api{sessions: r, host: host}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", health)
	mux.Handle("POST /sessions", guard.Refuser(refuse).RequireJSON(handler(a.create)))
	mux.Handle("GET /sessions", handler(a.list))
	mux.Handle("GET /sessions/{name}", handler(a.session))
	mux.Handle("DELETE /sessions/{name}", handler(a.remove))
	mux.Handle("POST /sessions/{name}/input", handler(a.input))
	mux.Handle("GET /sessions/{name}/screen", handler(a.screen))
	mux.Handle("GET /sessions/{name}/scrollback", handler(a.scrollback))
	mux.Handle("GET /sessions/{name}/idle", handler(a.quiesce("idle_timeout")))
	mux.Handle("GET /sessions/{name}/quiesce", handler(a.quiesce("quiesce_timeout")))
	return routes{mux}
}

// Guard returns the options of the guard in front of the handler.
func Guard() guard.Options {
	return guard.Options{MaxBody: MaxBody, FrameAncestors: "'none'", Refuse: refuse}
}

type api struct {
	sessions *term.Registry
	host     string
}

func health(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// An answer is a status and a body; a nil body is none.
type answer struct {
	status int
	body   any
}

// A handler answers a request, or fails with an error that has a kind.
type handler func(*http.Request) (answer, error)

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a, err := h(r)
	switch {
	case err != nil:
		status, code := codeOf(err)
		writeError(w, status, code, err.Error())
	case a.body == nil:
		w.WriteHeader(a.status)
	default:
		writeJSON(w, a.status, a.body)
	}
}

// create is POST /sessions.
func (a *api) create(r *http.Request) (answer, error) {
	var in struct {
		Name    string            `json:"name"`
		Command string            `json:"command"`
		Rows    *int              `json:"rows"`
		Cols    *int              `json:"cols"`
		CWD     string            `json:"cwd"`
		Env     map[string]string `json:"env"`
		Tags    []string          `json:"tags"`
		// Scrollback is how many lines are kept above the screen.
		Scrollback *int `json:"scrollback"`
	}
	if err := decode(r.Body, &in); err != nil {
		return answer{}, err
	}
	o := term.CreateOptions{
		Name: in.Name, Command: in.Command, Dir: in.CWD, Env: in.Env, Tags: in.Tags, Scrollback: in.Scrollback,
		Cols: term.DefaultCols, Rows: term.DefaultRows,
	}
	if in.Cols != nil {
		o.Cols = size(*in.Cols)
	}
	if in.Rows != nil {
		o.Rows = size(*in.Rows)
	}
	s, err := a.sessions.Create(o)
	if err != nil {
		return answer{}, err
	}
	return answer{http.StatusCreated, termwire.NewSession(s.Info(), a.host)}, nil
}

// size keeps a 0 that was given from meaning the default.
func size(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

// list is GET /sessions.
func (a *api) list(r *http.Request) (answer, error) {
	var tags []string
	for _, t := range strings.Split(r.URL.Query().Get("tag"), ",") {
		if t = strings.TrimSpace(t); t != "" {
			tags = append(tags, t)
		}
	}
	list := []termwire.Session{}
	for _, i := range a.sessions.List(tags...) {
		list = append(list, termwire.NewSession(i, a.host))
	}
	return answer{http.StatusOK, list}, nil
}

// session is GET /sessions/{name}.
func (a *api) session(r *http.Request) (answer, error) {
	s, err := a.sessions.Session(r.PathValue("name"))
	if err != nil {
		return answer{}, err
	}
	return answer{http.StatusOK, termwire.NewSession(s.Info(), a.host)}, nil
}

// remove is DELETE /sessions/{name}.
func (a *api) remove(r *http.Request) (answer, error) {
	return answer{status: http.StatusNoContent}, a.sessions.Remove(r.PathValue("name"))
}

// input is POST /sessions/{name}/input: the body is typed as it is.
func (a *api) input(r *http.Request) (answer, error) {
	s, err := a.sessions.Session(r.PathValue("name"))
	if err != nil {
		return answer{}, err
	}
	b, err := io.ReadAll(r.Body)
	if err != nil {
		return answer{}, bodyError(err)
	}
	return answer{status: http.StatusNoContent}, s.Send(r.Context(), b)
}

// screen is GET /sessions/{name}/screen.
func (a *api) screen(r *http.Request) (answer, error) {
	s, err := a.sessions.Session(r.PathValue("name"))
	if err != nil {
		return answer{}, err
	}
	format, err := termwire.ParseFormat(r.URL.Query().Get("format"))
	if err != nil {
		return answer{}, err
	}
	shown, err := s.Screen(r.Context())
	if err != nil {
		return answer{}, err
	}
	return answer{http.StatusOK, struct {
		termwire.Screen
		LastActivityMS int64 `json:"last_activity_ms"`
	}{termwire.NewScreen(shown, format), termwire.Milliseconds(s.Info().Quiet)}}, nil
}

// scrollback is GET /sessions/{name}/scrollback.
func (a *api) scrollback(r *http.Request) (answer, error) {
	s, err := a.sessions.Session(r.PathValue("name"))
	if err != nil {
		return answer{}, err
	}
	q := query{values: r.URL.Query()}
	format, err := termwire.ParseFormat(q.values.Get("format"))
	offset, limit := q.number("offset", 0), min(q.number("limit", 100), maxPage)
	from, numbered := q.number("from", 0), q.values.Has("from")
	if err = errors.Join(err, q.err); err != nil {
		return answer{}, err
	}
	var p term.Page
	if numbered {
		p, err = s.Scrollback(r.Context(), from, int(limit))
	} else {
		p, err = s.ScrollbackFromOldest(r.Context(), offset, int(limit))
	}
	if err != nil {
		return answer{}, err
	}
	return answer{http.StatusOK, termwire.NewScrollback(p, format)}, nil
}

// quiesce is GET /sessions/{name}/idle, and /quiesce by its older name, whose time-out
// has another code.
func (a *api) quiesce(timeoutCode string) handler {
	return func(r *http.Request) (answer, error) {
		s, err := a.sessions.Session(r.PathValue("name"))
		if err != nil {
			return answer{}, err
		}
		q := query{values: r.URL.Query()}
		format, err := termwire.ParseFormat(q.values.Get("format"))
		if !q.values.Has("timeout_ms") {
			err = errors.Join(err, fault.New(fault.Invalid, "timeout_ms is missing: how long it must be quiet, in milliseconds"))
		}
		o := term.QuiesceOptions{
			// No silence at all is not the default silence.
			Timeout: max(q.milliseconds("timeout_ms", 0), time.Nanosecond),
			MaxWait: max(q.milliseconds("max_wait_ms", term.DefaultWait), time.Nanosecond),
			Fresh:   q.flag("fresh"),
		}
		if q.values.Has("last_generation") {
			o.LastGeneration = new(q.number("last_generation", 0))
		}
		if err = errors.Join(err, q.err); err != nil {
			return answer{}, err
		}
		quiet, err := s.Quiesce(r.Context(), o)
		if fault.KindOf(err) == fault.Timeout {
			err = coded{err, http.StatusRequestTimeout, timeoutCode}
		}
		if err != nil {
			return answer{}, err
		}
		return answer{http.StatusOK, struct {
			Screen          termwire.Screen `json:"screen"`
			ScrollbackLines uint64          `json:"scrollback_lines"`
			Generation      uint64          `json:"generation"`
			LastActivityMS  int64           `json:"last_activity_ms"`
		}{termwire.NewScreen(quiet.Screen, format), quiet.End, quiet.Generation, termwire.Milliseconds(quiet.Since)}}, nil
	}
}

// decode reads a JSON object. Unknown members are ignored.
func decode(body io.Reader, into any) error {
	b, err := io.ReadAll(body)
	if err != nil {
		return bodyError(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fault.Wrap(fault.Invalid, err, "the body is not as expected")
	}
	return nil
}

func bodyError(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return coded{fault.New(fault.Invalid, "the body is too long: at most %d bytes are taken", MaxBody), http.StatusRequestEntityTooLarge, "invalid_request"}
	}
	return fault.Wrap(fault.Invalid, err, "read the body")
}

// A query reads parameters. err joins what was wrong with them.
type query struct {
	values interface {
		Get(string) string
		Has(string) bool
	}
	err error
}

func (q *query) number(name string, otherwise uint64) uint64 {
	if !q.values.Has(name) {
		return otherwise
	}
	n, err := strconv.ParseUint(q.values.Get(name), 10, 63)
	if err != nil {
		q.err = errors.Join(q.err, fault.New(fault.Invalid, "%s must be a whole number, not %q", name, q.values.Get(name)))
	}
	return n
}

// milliseconds reads a time, at most the longest that anybody may wait.
func (q *query) milliseconds(name string, otherwise time.Duration) time.Duration {
	ms := q.number(name, uint64(otherwise.Milliseconds()))
	return time.Duration(min(ms, uint64(term.MaxWait.Milliseconds()))) * time.Millisecond
}

func (q *query) flag(name string) bool {
	if !q.values.Has(name) {
		return false
	}
	b, err := strconv.ParseBool(q.values.Get(name))
	if err != nil {
		q.err = errors.Join(q.err, fault.New(fault.Invalid, "%s must be true or false, not %q", name, q.values.Get(name)))
	}
	return b
}
