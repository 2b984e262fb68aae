package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"path"
	"strings"

	"ui-mcp/packaging"
)

//go:embed templates/metadata
var metadataText string

// wheel makes a package for PyPI with the program of one platform, which installers put beside
// Python's. It has no Python code.
func (r *release) wheel(c packaging.Command, to platform, program file) error {
	name, version := strings.ReplaceAll(c.PyPI, "-", "_"), r.version.python()
	base := name + "-" + version
	about := fill(metadataText, map[string]any{"Command": c, "Names": r.names, "Version": version, "Readme": string(r.readme(c))})
	files := within(base+".dist-info/licenses", r.licences(c))

	tag := &bytes.Buffer{}
	fmt.Fprint(tag, "Wheel-Version: 1.0\nGenerator: ui-mcp\nRoot-Is-Purelib: false\n")
	for t := range strings.SplitSeq(to.wheel, ".") {
		fmt.Fprintf(tag, "Tag: py3-none-%s\n", t)
	}
	files = append(files,
		program.as(base+".data/scripts/"+to.program(c.Name)),
		file{name: base + ".dist-info/METADATA", data: about},
		file{name: base + ".dist-info/WHEEL", data: tag.Bytes()},
	)
	record := &bytes.Buffer{}
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		fmt.Fprintf(record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	fmt.Fprintf(record, "%s.dist-info/RECORD,,\n", base)
	files = append(files, file{name: base + ".dist-info/RECORD", data: record.Bytes()})
	archive, err := zipped(files, r.at)
	if err != nil {
		return err
	}
	return r.write(path.Join("pypi", base+"-py3-none-"+to.wheel+".whl"), archive)
}
