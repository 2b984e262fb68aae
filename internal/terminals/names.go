package terminals

import (
	"reflect"
	"strings"

	"ui-mcp/internal/terminals/wire"
)

// The functions of this file say where inputs and answers have names of sessions, for terminals
// whose callers know the sessions by other names than the host that runs them.

func (t *Target) session() *string { return &t.Session }

// SessionIn returns the session that an operation's input names, by name or ID; of [NewSession],
// the name of the new one. It reports false if there is no such member.
func SessionIn(in any) (name string, ok bool) {
	if p := sessionIn(in); p != nil {
		return *p, true
	}
	return "", false
}

func sessionIn(in any) *string {
	switch in := in.(type) {
	case interface{ session() *string }:
		return in.session()
	case *NewSession:
		return &in.Name
	}
	return nil
}

// WithoutPrefix returns a copy of an operation's input, from whose names of sessions the prefix is
// cut where they have it: that of the session, and the new one that it is to have.
func WithoutPrefix(in any, prefix string) any {
	v := reflect.New(reflect.TypeOf(in).Elem())
	v.Elem().Set(reflect.ValueOf(in).Elem())
	names := []*string{sessionIn(v.Interface())}
	if in, ok := v.Interface().(*NewLabel); ok && in.Name != nil {
		in.Name = new(*in.Name)
		names = append(names, in.Name)
	}
	for _, name := range names {
		*name = strings.TrimPrefix(*name, prefix)
	}
	return v.Interface()
}

// SessionsOut returns the members of an operation's answer, or of a [wire.Lifecycle], that name
// sessions, by name or ID. They may be empty.
func SessionsOut(out any) []*string {
	switch out := out.(type) {
	case *wire.Session:
		return []*string{&out.Name, &out.ID}
	case *[]wire.Session:
		list := make([]*string, 0, 2*len(*out))
		for i := range *out {
			list = append(list, &(*out)[i].Name, &(*out)[i].ID)
		}
		return list
	case *wire.Lifecycle:
		return []*string{&out.Params.Name, &out.Params.ID, &out.Params.OldName, &out.Params.NewName}
	case *AnyIdle:
		return []*string{&out.Session}
	}
	return nil
}
