package wsterm

import (
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

// One token cannot take all sockets for all sessions, and gives back those that it leaves.
func TestSocketsOfOneToken(t *testing.T) {
	s := serverSockets{each: map[string]int{}}
	var leave func()
	for _, tt := range []struct {
		by   terminals.Grant
		most int
	}{
		{terminals.Grant{Token: "a"}, maxServerSocketsEach},
		{terminals.Grant{Guest: true, Client: "KEY/x"}, maxServerSocketsEach},
		{terminals.Grant{Guest: true, Client: "KEY/y"}, 0},
		{terminals.Everything, MaxServerSockets - 2*maxServerSocketsEach},
	} {
		for i := range tt.most {
			var err error
			if leave, err = s.enter(tt.by); err != nil {
				t.Fatalf("%+v, %d: %v", tt.by, i, err)
			}
		}
		if _, err := s.enter(tt.by); fault.KindOf(err) != fault.Exhausted {
			t.Errorf("%+v: one more: %v", tt.by, err)
		}
	}
	leave()
	if _, err := s.enter(terminals.Grant{Token: "a"}); fault.KindOf(err) != fault.Exhausted {
		t.Errorf("of a token that has all of its own: %v", err)
	}
	if _, err := s.enter(terminals.Grant{Token: "b"}); err != nil {
		t.Errorf("of another token: %v", err)
	}
}
