package place_test

import (
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/place"
	"ui-mcp/internal/terminals"
)

func TestChoose(t *testing.T) {
	load := func(f float64) *float64 { return &f }
	hosts := []place.Host{
		{Name: "busy", Labels: []string{"os=linux", "gpu"}, Capacity: terminals.Capacity{Most: 11, Running: 1, CPUs: 2, Load: load(3)}},
		{Name: "calm", Labels: []string{"os=linux"}, Capacity: terminals.Capacity{Most: 15, Running: 5, CPUs: 8, Load: load(2)}},
		{Name: "full", Labels: []string{"os=linux", "gpu", "big"}, Capacity: terminals.Capacity{Most: 64, Running: 64, CPUs: 64, Load: load(0)}},
		{Name: "mac", Labels: []string{"os=darwin"}, Capacity: terminals.Capacity{Most: 1, Running: 0, CPUs: 8}},
		{Name: "mac2", Labels: []string{"os=darwin"}, Capacity: terminals.Capacity{Most: 1, Running: 0, CPUs: 4}},
	}
	for name, tt := range map[string]struct {
		labels []string
		placed map[string]int
		want   string
		detail fault.Detail
	}{
		"any":                       {nil, nil, "mac", ""},
		"the least to do":           {[]string{"os=linux"}, nil, "calm", ""},
		"two labels":                {[]string{"gpu", "os=linux"}, nil, "busy", ""},
		"of equal ones the first":   {[]string{"os=darwin"}, nil, "mac", ""},
		"recently placed":           {[]string{"os=linux"}, map[string]int{"calm": 11}, "busy", ""},
		"placed, and seen":          {[]string{"os=darwin"}, map[string]int{"mac": 5}, "mac", ""},
		"one label is not there":    {[]string{"os=linux", "tpu"}, nil, "", terminals.NoHost},
		"a value alone is no label": {[]string{"linux"}, nil, "", terminals.NoHost},
		"all that have it are full": {[]string{"big"}, nil, "", terminals.NoRoom},
		"a name lacks its value":    {[]string{"os"}, nil, "", terminals.NoHost},
	} {
		t.Run(name, func(t *testing.T) {
			i, err := place.Choose(hosts, tt.labels, tt.placed)
			if fault.DetailOf(err) != tt.detail || err == nil && hosts[i].Name != tt.want {
				t.Errorf("%q, %v, want %q, %q", hosts[i].Name, err, tt.want, tt.detail)
			}
		})
	}
}

// Sessions spread as the processors do.
func TestSpread(t *testing.T) {
	if _, err := place.Choose(nil, nil, nil); fault.DetailOf(err) != terminals.NoHost {
		t.Errorf("without hosts: %v", err)
	}
	hosts := []place.Host{{Name: "a", Capacity: terminals.Capacity{CPUs: 1, Load: new(float64), Most: 100}}, {Name: "b", Capacity: terminals.Capacity{CPUs: 3, Load: new(float64), Most: 100}}}
	placed := map[string]int{}
	for range 40 {
		i, err := place.Choose(hosts, nil, placed)
		if err != nil {
			t.Fatal(err)
		}
		placed[hosts[i].Name]++
	}
	if placed["a"] != 10 || placed["b"] != 30 {
		t.Errorf("%v", placed)
	}
}
