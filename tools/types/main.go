// Command types finds what the compiler would not accept of packages and their tests, on the system
// that GOOS names. It generates no code and runs no tests, so that it takes seconds.
package main

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedDeps | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax
	list, err := packages.Load(&packages.Config{Mode: mode, Tests: true}, os.Args[1:]...)
	if err != nil {
		fmt.Fprintln(os.Stderr, "types:", err)
		os.Exit(1)
	}
	if len(list) == 0 || packages.PrintErrors(list) > 0 {
		os.Exit(1)
	}
}
