package registry_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
)

// Watchers of a registry get all changes of sessions in order, with the previous names and tags.
func TestRegistryWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		programs := []*script{newScript(), newScript(), newScript(), newScript()}
		r := scripted(t, func(c *registry.Config) { c.Linger = time.Minute }, programs...)
		w := r.Watch()
		defer w.Close()
		expect := func(want ...string) {
			t.Helper()
			synctest.Wait()
			events, missed, err := w.Next(t.Context())
			if missed != 0 || err != nil {
				t.Errorf("%d missed, %v", missed, err)
			}
			var got []string
			for _, e := range events {
				got = append(got, fmt.Sprintf("%s %s%v from %s%v +%v -%v running:%t", e.Change, e.Info.Name, e.Info.Tags, e.OldName, e.OldTags, e.Added, e.Removed, e.Info.Exit == nil))
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		}
		a := create(t, r, registry.CreateOptions{Name: "a", Tags: []string{"x", "y"}})
		if _, err := tag(r, a, []string{"z", "x"}, []string{"y", "q"}); err != nil {
			t.Fatal(err)
		}
		if _, err := tag(r, a, []string{"z"}, nil); err != nil { // changes nothing
			t.Fatal(err)
		}
		must(t, rename(r, a, "b", nil))
		if err := rename(r, a, "b", nil); err != nil { // changes nothing
			t.Fatal(err)
		}
		if _, err := r.Create(t.Context(), registry.CreateOptions{Name: "b"}); fault.KindOf(err) != fault.Exists {
			t.Fatal(err)
		}
		expect("created a[x y] from a[x y] +[] -[] running:true", "tagged a[x z] from a[x y] +[z] -[y] running:true",
			"renamed b[x z] from a[x z] +[] -[] running:true")
		programs[0].end(tty.Exit{})
		expect("ended b[x z] from b[x z] +[] -[] running:false")
		create(t, r, registry.CreateOptions{Name: "b"})
		expect("removed b[x z] from b[x z] +[] -[] running:false", "created b[] from b[] +[] -[] running:true")
		b, err := r.Session("b")
		must(t, err)
		must(t, r.Remove(b))
		expect("ended b[] from b[] +[] -[] running:false", "removed b[] from b[] +[] -[] running:false")
		create(t, r, registry.CreateOptions{Name: "c"})
		programs[2].end(tty.Exit{})
		expect("created c[] from c[] +[] -[] running:true", "ended c[] from c[] +[] -[] running:false")
		time.Sleep(time.Minute)
		expect("removed c[] from c[] +[] -[] running:false")

		// A slow watcher loses the oldest.
		d := create(t, r, registry.CreateOptions{Name: "d"})
		for range 600 {
			for _, name := range []string{"e", "d"} {
				must(t, rename(r, d, name, nil))
			}
		}
		if events, missed, err := w.Next(t.Context()); len(events) != 1024 || missed != 1201-1024 || err != nil {
			t.Errorf("%d events, %d missed, %v", len(events), missed, err)
		}
		w.Close()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if events, _, err := w.Next(ctx); err == nil {
			t.Errorf("a closed watcher got %v", events)
		}
	})
}
