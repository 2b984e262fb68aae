package terminals

import (
	"reflect"
	"strings"
)

// The functions of this file say where inputs have names of sessions, for terminals whose callers
// know the sessions by other names than the host that runs them.

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
