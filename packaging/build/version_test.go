package main

import "testing"

func TestVersions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, plain, linux, alpine, python string }{
		{"v0.1.0", "0.1.0", "0.1.0", "0.1.0", "0.1.0"},
		{"1.20.3-rc.1", "1.20.3-rc.1", "1.20.3~rc.1", "1.20.3_rc1", "1.20.3rc1"},
		{"v1.0.0-beta2", "1.0.0-beta2", "1.0.0~beta2", "1.0.0_beta2", "1.0.0b2"},
		{"v0.1.0-3-g6163d96", "0.1.0-3-g6163d96", "0.1.0+3.g6163d96", "0.1.0_p3", "0.1.0+3.g6163d96"},
		{"0.1.0-dirty", "0.1.0-dirty", "0.1.0+dirty", "0.1.0", "0.1.0+dirty"},
		{"v0.1.0-rc.2-3-g6163d96-dirty", "0.1.0-rc.2-3-g6163d96-dirty", "0.1.0~rc.2+3.g6163d96.dirty", "0.1.0_rc2_p3", "0.1.0rc2+3.g6163d96.dirty"},
	} {
		v, err := parseVersion(tt.text)
		if err != nil {
			t.Error(err)
			continue
		}
		for how, c := range map[string]struct{ got, want string }{
			"plain": {v.String(), tt.plain}, "linux": {v.linux(), tt.linux}, "alpine": {v.alpine(), tt.alpine}, "python": {v.python(), tt.python},
		} {
			if c.got != c.want {
				t.Errorf("%s, %s: %s, want %s", tt.text, how, c.got, c.want)
			}
		}
	}
	for _, text := range []string{"", "dev", "6163d96", "1.2", "1.2.3-next", "1.2.3-rc.1/../.."} {
		if v, err := parseVersion(text); err == nil {
			t.Errorf("%q is taken for %s", text, v)
		}
	}
}
