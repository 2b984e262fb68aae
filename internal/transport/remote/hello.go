package remote

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
)

// A Hello is how a host introduces itself, before anything else crosses. Whatever newer versions
// add to it is ignored.
type Hello struct {
	// ID differs between any two hosts, and any two runs of a server: letters and digits, at most
	// 64.
	ID string `json:"id"`
	// Name is the name of the host: printable, without "/", at most 253 bytes.
	Name string `json:"name"`
	// Version is the version of the program, for people.
	Version string `json:"version"`
	// Protocol is the version of the operations: see [terminals.Protocol]. It is set here.
	Protocol int `json:"protocol"`
}

// version is the version of what crosses between hosts: of the connection, not of the operations.
const version = 3

// greeting begins the line of a Hello, and the version of what crosses between hosts follows.
const greeting = "wsh-fleet "

// maxNoise is how many bytes may precede the line, such as what a login prints.
const maxNoise = 64 << 10

func (h Hello) line() []byte {
	h.Protocol = terminals.Protocol
	b := fault.Must(json.Marshal(h)) // text and a number can be encoded
	return fmt.Appendf(nil, "%s%d %s\n", greeting, version, b)
}

// parseHello reads the line of another host, without its end. own is for errors.
func parseHello(line []byte, own Hello) (h Hello, err error) {
	var other int
	rest, ok := bytes.CutPrefix(line, []byte(greeting))
	if _, err := fmt.Sscanf(string(rest), "%d {", &other); err != nil || !ok {
		return h, fault.New(fault.Invalid, "the other end does not introduce itself: it says %.80q", line)
	}
	_, content, _ := bytes.Cut(rest, []byte(" "))
	if err := json.Unmarshal(content, &h); err != nil {
		return h, fault.Wrap(fault.Invalid, err, "the other end introduces itself wrongly")
	}
	plain := safetext.Plain(h.Name) == h.Name && safetext.Plain(h.Version) == h.Version
	switch {
	case !isID(h.ID) || !plain || h.Name == "" || len(h.Name) > 253 || strings.Contains(h.Name, "/") || len(h.Version) > 64:
		return h, fault.New(fault.Invalid, "the other end introduces itself with an invalid ID, name or version")
	case other != version || h.Protocol != terminals.Protocol:
		return h, fault.With(terminals.HostLacks, fault.New(fault.Invalid,
			"host %s has version %s (protocol %d.%d), which does not fit this one, %s (protocol %d.%d): update the older one",
			h.Name, h.Version, other, h.Protocol, own.Version, version, terminals.Protocol))
	case h.ID == own.ID:
		return h, fault.New(fault.Exists, "host %s is this server itself", h.Name)
	}
	return h, nil
}

// isID reports whether a text can be the ID of a host.
func isID(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(s, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == ""
}

// readHello reads the line of another host, and skips what precedes it.
func readHello(r *bufio.Reader, own Hello) (Hello, error) {
	var first []byte
	for left := maxNoise; ; {
		line, err := r.ReadSlice('\n')
		if bytes.HasPrefix(line, []byte(greeting)) && err == nil {
			return parseHello(bytes.TrimRight(line, "\r\n"), own)
		}
		if first == nil {
			first = bytes.Clone(bytes.TrimRight(line, "\r\n"))
		}
		left -= len(line)
		switch {
		case err == bufio.ErrBufferFull && left > 0 && !bytes.HasPrefix(line, []byte(greeting)):
		case err != nil && err != bufio.ErrBufferFull && len(first) == 0:
			return Hello{}, fault.With(terminals.HostAway, fault.Wrap(fault.Unreachable, err, "the other end does not introduce itself"))
		case err != nil || left <= 0:
			return parseHello(first, own)
		}
	}
}

// greet introduces two hosts to each other, and returns the rest of the stream, which is closed if
// there is an error.
func greet(ctx context.Context, rw io.ReadWriteCloser, own Hello) (peer Hello, rest io.ReadWriteCloser, err error) {
	closing := context.AfterFunc(ctx, func() { _ = rw.Close() }) // what waits fails
	written := make(chan error, 1)
	go func() {
		_, err := rw.Write(own.line())
		written <- err
	}()
	r := bufio.NewReader(rw)
	peer, err = readHello(r, own)
	if err != nil {
		_ = rw.Close()
	}
	if werr := <-written; err == nil && werr != nil {
		err = fault.With(terminals.HostAway, fault.Wrap(fault.Unreachable, werr, "introduce this host"))
	}
	if !closing() {
		err = context.Cause(ctx)
	}
	if err != nil {
		_ = rw.Close()
	}
	return peer, begun{rw, r}, err
}

// A begun stream is one of which the start was read.
type begun struct {
	io.ReadWriteCloser
	r *bufio.Reader
}

// Read implements [io.Reader].
func (b begun) Read(p []byte) (int, error) { return b.r.Read(p) }
