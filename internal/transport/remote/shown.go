package remote

import (
	"bytes"
	"encoding/json"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/socketwire"
)

// A shown is what another host shows to a client here. The client gets only what a server here
// could send to it: see [render.Foreign]; texts without controls; failures as reported has them.
// Its methods are called by one goroutine.
type shown struct {
	host    string
	picture render.Foreign
}

func newShown(host string, first socketwire.Frame) *shown {
	var in struct {
		Client struct{ Screens, Forward, Clipboard bool }
	}
	s := &shown{host: host}
	if first.Decode(&in) == nil {
		s.picture = render.Foreign{Screens: in.Client.Screens, Forward: in.Client.Forward, Clipboard: in.Client.Clipboard}
	}
	return s
}

// maxFew is how many objects, lists and values in lists a frame about the terminal may have.
const maxFew = 1 << 8

var errMalformed = fault.New(fault.Unreachable, "it has sent a malformed frame")

// frame returns a frame as the client gets it, and false if it does not. An error says why there
// can be no more.
func (s *shown) frame(f socketwire.Frame) (_ socketwire.Frame, ok bool, err error) {
	kind, content := f.Kind, f.Content
	switch kind {
	case socketwire.PtyOutput:
		content = s.picture.Append(nil, content)
	case socketwire.Ping, socketwire.Pong:
		content = nil
	case socketwire.Detach:
		content, err = s.end(content)
	case socketwire.Failed:
		content, err = s.failed(content)
	case socketwire.CreateSessionResponse, socketwire.AttachSessionResponse, socketwire.Typed, socketwire.Resize:
		var members map[string]any
		d := json.NewDecoder(bytes.NewReader(content))
		d.UseNumber()
		if crowded(content, maxFew) || d.Decode(&members) != nil || wire.EachText(&members, harmless) != nil {
			return f, false, s.malformed()
		}
		content = fault.Must(json.Marshal(members)) // it was JSON
	default:
		return f, false, nil
	}
	return socketwire.Frame{Kind: kind, Content: content}, err == nil, err
}

func (s *shown) malformed() error {
	return fault.With(terminals.HostSilent, fault.Wrap(fault.Unreachable, errMalformed, "%s", s.host))
}

// end returns how the client is told that it is detached. That the other host stops is like its
// death to the client, whose own server goes on.
func (s *shown) end(content []byte) ([]byte, error) {
	var e socketwire.End
	if json.Unmarshal(content, &e) != nil {
		return nil, s.malformed()
	}
	switch e.Reason {
	case socketwire.Exited, socketwire.Removed, socketwire.Detached:
	case socketwire.Stopping:
		return nil, reported(s.host, &terminals.Attach.Operation, fault.With(registry.Stopping, fault.New(fault.Gone, "")))
	default:
		return nil, s.malformed()
	}
	e.Name, e.Signal, e.Code = safetext.Plain(e.Name), safetext.Label(e.Signal, maxSignal), e.Code&0xff
	return json.Marshal(e)
}

// maxSignal is the length of the longest name of a signal, in bytes.
const maxSignal = 16

// failed returns a failure as the client gets it.
func (s *shown) failed(content []byte) ([]byte, error) {
	var in struct {
		Code    string
		Message string
	}
	if json.Unmarshal(content, &in) != nil {
		return nil, s.malformed()
	}
	for _, o := range []*terminals.Operation{&terminals.Attach.Operation, &terminals.CreateSession.Operation, &terminals.SendInput.Operation} {
		for _, f := range o.Failures() {
			if err := fault.With(f.Detail, fault.New(f.Kind, "%s", in.Message)); errcode.Of(err) == in.Code {
				return attachedterm.Failure(reported(s.host, o, err)), nil
			}
		}
	}
	err := fault.With(fault.Detail(in.Code), fault.New(fault.Precondition, "%s", in.Message))
	return attachedterm.Failure(reported(s.host, &terminals.Attach.Operation, err)), nil
}
