// Package remote carries out operations on the terminals of other hosts, over NATS.
//
// Each host has an ID: the public key with which it has proved to the NATS server who it is. A host
// publishes only on subjects that have its ID as caller, and receives only on those that have it as
// callee; that is what the permissions of its user must allow and nothing else ([Permissions]). So
// a callee knows the caller by the subject, and grants it what the owner of the callee has decided.
//
// A call is one message and at least one reply. While an operation waits, its host says every few
// seconds that it does; when nothing has been heard for [stream.Silence], the call fails, and the
// error says that the operation may have happened. Longer conversations, such as a stream of
// events, are a [channel] in each direction.
package remote

import (
	"strings"

	"ui-mcp/internal/fault"
)

// version begins all subjects. Hosts of different versions do not hear each other.
const version = "wsh1"

// The verbs of subjects.
const (
	do     = "do"     // an operation: CALLEE.do.CALLER.OPERATION
	reply  = "reply"  // what has become of it: CALLER.reply.CALLEE.NUMBER
	cancel = "cancel" // the end of a call that waits: CALLEE.cancel.CALLER.NUMBER
	open   = "open"   // a stream: CALLEE.open.CALLER.OPERATION
	data   = "data"   // packets of a stream: CALLEE.data.CALLER.NUMBER
)

// subject returns the subject on which a caller reaches a callee.
func subject(callee, verb, caller, what string) string {
	return version + "." + callee + "." + verb + "." + caller + "." + what
}

// A target is a subject, read.
type target struct{ callee, verb, caller, what string }

// parse reads a subject that this package has made.
func parse(s string) (target, bool) {
	parts := strings.SplitN(s, ".", 5)
	if len(parts) != 5 || parts[0] != version {
		return target{}, false
	}
	return target{parts[1], parts[2], parts[3], parts[4]}, true
}

// Permissions returns the subjects on which the user of a host may publish, and those to which it
// may subscribe.
func Permissions(host string) (publish, subscribe []string) {
	return []string{version + ".*.*." + host + ".>"}, []string{version + "." + host + ".>"}
}

// Details of errors of the way to another host.
const (
	// Away: the host is not connected. The operation has not happened.
	Away fault.Detail = "host_away"
	// Silent: the host has not answered, or its answer was lost. The operation may have happened.
	Silent fault.Detail = "host_silent"
	// Lacks: the host is of another version, which does not have the operation.
	Lacks fault.Detail = "host_lacks_operation"
	// Cut: our own connection to the hub is lost. The operation has not happened.
	Cut fault.Detail = "hub_away"
)
