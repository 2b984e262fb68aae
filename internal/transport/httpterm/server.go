package httpterm

import (
	"net/http"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/errcode"
)

// checkServer returns an error if a request is meant for another server. Clients of the known
// server name one to have the request forwarded. Carried out here, it would read or change a
// session of this machine that happens to have the same name.
func (h handler) checkServer(r *http.Request, name string) error {
	if name == "" {
		return nil
	}
	info, err := terminals.GetServer.Do(r.Context(), h.terminals, terminals.FromContext(r.Context()), terminals.None{})
	if err != nil || info.Hostname == name {
		return err
	}
	err = fault.New(fault.NotFound, "this server is %q, and forwards no requests to %.80q: connect to that one", info.Hostname, name)
	return coded{err, http.StatusNotFound, errcode.ServerNotFound}
}

// read decodes a request into the operation's input, and checks that it is meant for this server.
func (h handler) read(r *http.Request, in any) error {
	server, err := h.decode(r, in)
	if err != nil {
		return h.unlessUnknown(r, err)
	}
	return h.checkServer(r, server)
}
