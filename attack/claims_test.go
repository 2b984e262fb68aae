//go:build linux

package attack

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/load"
)

// A claim is a numbered rule of docs/security.md.
type claim struct {
	id, text string
	tests    []namedTest
}

// A namedTest is a test that a claim names.
type namedTest struct{ dir, name string }

var (
	claimRow  = regexp.MustCompile(`(?m)^\| (S\d+) \| (.*) \| (.*) \|$`)
	testsOf   = regexp.MustCompile("^`([^`]+)` ((?:Test\\w+, )*Test\\w+)$")
	usedClaim = regexp.MustCompile(`"(S\d+)"`)
)

// claims reads docs/security.md.
func claims() (list []claim, err error) {
	data, err := os.ReadFile("../docs/security.md")
	if err != nil {
		return nil, err
	}
	for _, m := range claimRow.FindAllStringSubmatch(string(data), -1) {
		c := claim{id: m[1], text: m[2]}
		for part := range strings.SplitSeq(m[3], "; ") {
			named := testsOf.FindStringSubmatch(part)
			if named == nil {
				return nil, fmt.Errorf("the tests of %s are %q, want `PACKAGE` TestA, TestB; ...", m[1], part)
			}
			for name := range strings.SplitSeq(named[2], ", ") {
				c.tests = append(c.tests, namedTest{named[1], name})
			}
		}
		list = append(list, c)
	}
	return list, nil
}

// Each claim of docs/security.md names tests that exist, and each attack belongs to a claim that
// names one of its tests.
func TestClaims(t *testing.T) {
	list, err := claims()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(list); n < 40 {
		t.Errorf("%d claims were found, want 40 at least", n)
	}
	attacked := map[string]bool{} // the claims that name tests of this package
	for i, c := range list {
		if want := fmt.Sprintf("S%d", i+1); c.id != want {
			t.Errorf("%s follows S%d", c.id, i)
		}
		for _, test := range c.tests {
			attacked[c.id] = attacked[c.id] || test.dir == "attack"
			if !defines(t, filepath.Join("..", test.dir), test.name) {
				t.Errorf("%s names %s of %s, which does not exist", c.id, test.name, test.dir)
			}
		}
	}
	used := map[string]bool{}
	for _, text := range sources(t, ".") {
		for _, m := range usedClaim.FindAllStringSubmatch(text, -1) {
			used[m[1]] = true
		}
	}
	for id := range used {
		if !attacked[id] {
			t.Errorf("there are attacks on %s, which names no test of attack", id)
		}
	}
	for id := range attacked {
		if attacked[id] && !used[id] {
			t.Errorf("%s names tests of attack, where no attack belongs to it", id)
		}
	}
}

// sources returns the text of each file of tests in a folder.
func sources(t *testing.T, dir string) (texts []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(file) != "claims_test.go" || dir != "." {
			texts = append(texts, string(data))
		}
	}
	return texts
}

// defines reports whether a folder has a test.
func defines(t *testing.T, dir, name string) bool {
	t.Helper()
	return slices.ContainsFunc(sources(t, dir), func(text string) bool { return strings.Contains(text, "\nfunc "+name+"(") })
}

// In make attack, the tests of other packages that claims name run, too, so that the report says of
// each claim whether it held.
func TestOtherPackages(t *testing.T) {
	if !load.Full() {
		t.Skip("make test runs these tests in their packages")
	}
	list, err := claims()
	if err != nil {
		t.Fatal(err)
	}
	wanted := map[namedTest][]string{} // the claims that name a test
	names, dirs := map[string]bool{}, map[string]bool{}
	for _, c := range list {
		for _, test := range c.tests {
			if test.dir != "attack" {
				wanted[test] = append(wanted[test], c.id)
				names[test.name], dirs["./"+test.dir] = true, true
			}
		}
	}
	args := slices.Concat([]string{"test", "-tags", "hub", "-json", "-count", "1", "-vet", "off", "-ldflags=-s", "-run", "^(" + strings.Join(slices.Sorted(maps.Keys(names)), "|") + ")$"}, slices.Sorted(maps.Keys(dirs)))
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = ".."
	cmd.Env = slices.DeleteFunc(cmd.Environ(), func(v string) bool { return strings.HasPrefix(v, "UI_MCP_LOAD=") })
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output() // fails when a test does; which one, the lines say
	results := map[namedTest]string{}
	printed := map[namedTest]string{}
	var unbuilt strings.Builder
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		var event struct{ Action, Package, Test, Output string }
		if json.Unmarshal(lines.Bytes(), &event) != nil {
			continue // what the go command itself prints
		}
		top, _, _ := strings.Cut(event.Test, "/")
		test := namedTest{strings.TrimPrefix(event.Package, "ui-mcp/"), top}
		switch event.Action {
		case "build-output":
			unbuilt.WriteString(event.Output)
		case "output":
			printed[test] += event.Output
		case "pass", "fail", "skip":
			if event.Test == top {
				results[test] = event.Action
			}
		}
	}
	for test, ids := range wanted {
		result := results[test]
		if result != "pass" && result != "skip" {
			t.Errorf("%s of %s, which %s names: %s (%v)\n%s%s", test.name, test.dir, strings.Join(ids, ", "), result, err, printed[test], unbuilt.String()+stderr.String())
		}
		for _, id := range ids {
			report.test(id, result)
		}
	}
}
