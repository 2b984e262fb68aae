#!/bin/sh
# build.sh builds web/dist/xterm: README.md says when to run it. It needs Node.js with npm, and a
# network unless npm has cached the packages.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
go tool -modfile=../../tools/go.mod esbuild --version >/dev/null # builds it
esbuild=$(go tool -modfile=../../tools/go.mod -n esbuild)
dist=$here/../dist/xterm
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cp "$here/package.json" "$here/package-lock.json" "$here/xterm.js" "$here/webgl.js" "$here/style.js" "$scratch"
(cd "$scratch" && npm ci --ignore-scripts --no-audit --no-fund --silent)
node "$here/prepare.mjs" "$scratch/node_modules/@xterm/xterm/lib/xterm.mjs"
mkdir "$scratch/out"
(
	cd "$scratch"
	"$esbuild" xterm.js webgl.js --bundle --format=esm --minify --target=es2022 --charset=utf8 --loader:.css=text \
		--legal-comments=none --log-level=warning --outdir=out --metafile=meta.json
	node "$here/licences.mjs" meta.json >out/LICENSES.txt
)
rm -rf "$dist"
cp -R "$scratch/out" "$dist"

{
	echo build.sh licences.mjs package.json package-lock.json prepare.mjs style.js webgl.js xterm.js
	find ../dist/xterm -type f
} | tr ' ' '\n' | LC_ALL=C sort | xargs sha256sum >SUMS
(cd ../.. && go run ./internal/packed/pack web/dist/xterm)
