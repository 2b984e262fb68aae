package fault_test

import (
	"errors"
	"io"
	"testing"

	"ui-mcp/internal/fault"
)

func TestError(t *testing.T) {
	tag := fault.New(fault.Invalid, "no tag %q", "a b")
	for _, tt := range []struct {
		name   string
		err    error
		text   string
		kind   fault.Kind
		detail fault.Detail
	}{
		{"a kind", tag, `no tag "a b"`, fault.Invalid, ""},
		{"a cause", fault.Wrap(fault.Gone, io.EOF, "read"), "read: EOF", fault.Gone, ""},
		{"of elsewhere", io.EOF, "EOF", fault.Internal, ""},
		{"a detail", fault.With("invalid_tag", tag), `no tag "a b"`, fault.Invalid, "invalid_tag"},
		{"a detail of elsewhere", fault.With("read_failed", io.EOF), "EOF", fault.Internal, "read_failed"},
		{"a detail behind another", fault.With("outer", fault.With("inner", tag)), `no tag "a b"`, fault.Invalid, "outer"},
		{"another kind of a detail", fault.Wrap(fault.Gone, fault.With("invalid_tag", tag), "x"), `x: no tag "a b"`, fault.Gone, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.err.Error(); got != tt.text {
				t.Errorf("text %q, want %q", got, tt.text)
			}
			if got := fault.KindOf(tt.err); got != tt.kind {
				t.Errorf("kind %v, want %v", got, tt.kind)
			}
			if got := fault.DetailOf(tt.err); got != tt.detail {
				t.Errorf("detail %q, want %q", got, tt.detail)
			}
		})
	}
	if err := fault.With("x", fault.Wrap(fault.Internal, nil, "x")); err != nil {
		t.Errorf("no error = %v", err)
	}
	if !errors.Is(fault.With("x", io.EOF), io.EOF) {
		t.Error("a detail hides the cause")
	}
}
