package workspace

import (
	"strings"
	"testing"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"/a/b":                   "/a/b",
		"/a/b/":                  "/a/b",
		" /a//b/./c/.. ":         "/a/b",
		"/":                      "/",
		"/A":                     "/A",
		`C:\Users\Ann\Project\`:  "c:/users/ann/project",
		"c:/users/ann/project":   "c:/users/ann/project",
		"file:///a%20b/c/":       "/a b/c",
		"FILE://localhost/a":     "/a",
		"file:///C%3A/Users/Ann": "c:/users/ann",
		"file:///c:/Users/Ann":   "c:/users/ann",
		`\\Server\Share\x\`:      "//server/share/x",
		"file://Server/Share/x":  "//server/share/x",
		"C:":                     "c:",
		"":                       "",
		"a/b":                    "",
		"~/a":                    "",
		"file:a":                 "",
		"file://%zz":             "",
		`/a\b`:                   `/a\b`,
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestRoute(t *testing.T) {
	for name, tt := range map[string]struct {
		known, path string
		want        string
		lost        bool
	}{
		"exactly":               {known: "/a /a/b", path: "/a", want: "/a"},
		"the deepest above":     {known: "/a /a/b /c", path: "/a/b/c/d", want: "/a/b"},
		"not a longer name":     {known: "/a /b", path: "/ab", lost: true},
		"not what is below":     {known: "/a/b /c", path: "/a", lost: true},
		"the root is above":     {known: "/ /c", path: "/a", want: "/"},
		"the only one":          {known: "/a", path: "/c", want: "/a"},
		"the only one, twice":   {known: "/a /a", path: "/c", want: "/a"},
		"nowhere among none":    {known: "", path: "/c", lost: true},
		"nothing among several": {known: "/a /b", path: "", lost: true},
		"nothing, and only one": {known: "/a", path: "", want: "/a"},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := Route(strings.Fields(tt.known), tt.path)
			if got != tt.want || ok == tt.lost {
				t.Errorf("Route = %q, %v", got, ok)
			}
		})
	}
}

func FuzzClean(f *testing.F) {
	f.Add("file:///C%3A/x")
	f.Add(`\\a\..\..`)
	f.Add("/a/../..")
	f.Fuzz(func(t *testing.T, p string) {
		// Two slashes mean a server only where backslashes came in, so that form is not read again.
		once := Clean(p)
		if once != "" && strings.TrimSpace(once) == once && Clean(once) != once && !strings.HasPrefix(once, "//") {
			t.Errorf("Clean(%q) = %q, and again %q", p, once, Clean(once))
		}
	})
}

func TestRelated(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"/a", "/a", true}, {"/a", "/a/b", true}, {"/a/b", "/a", true}, {"/a", "/ab", false}, {"/a/b", "/a/c", false}, {"", "/a", true}, {"/", "/a", true},
	} {
		if got := Related(tt.a, tt.b); got != tt.want {
			t.Errorf("Related(%q, %q) = %v", tt.a, tt.b, got)
		}
	}
}
