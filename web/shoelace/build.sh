#!/bin/sh
# build.sh builds web/dist/shoelace: README.md says when to run it. It needs Node.js with npm, and a
# network unless npm has cached the packages.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
go tool -modfile=../../tools/go.mod esbuild --version >/dev/null # builds it
esbuild=$(go tool -modfile=../../tools/go.mod -n esbuild)
dist=$here/../dist/shoelace
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cp "$here/package.json" "$here/package-lock.json" "$here/setup.js" "$scratch"
(cd "$scratch" && npm ci --ignore-scripts --no-audit --no-fund --silent)
package=$scratch/node_modules/@shoelace-style/shoelace
out=$scratch/out
mkdir -p "$out"
node "$here/prepare.mjs" "$package" "$out" "$scratch/entries"
(
	# The names of chunks derive from contents and paths, none of which may contain the name of the
	# scratch folder.
	cd "$scratch"
	"$esbuild" entries/*.js --bundle --splitting --format=esm --minify --target=es2022 --charset=utf8 \
		--legal-comments=none --log-level=warning --outdir=out/components --entry-names='[name]' --chunk-names='../chunks/[hash]' \
		--metafile=meta.json
	"$esbuild" node_modules/@shoelace-style/shoelace/dist/themes/light.css node_modules/@shoelace-style/shoelace/dist/themes/dark.css \
		--minify --charset=utf8 --log-level=warning --outdir=out/themes
	node "$here/licences.mjs" meta.json >out/LICENSES.txt
)
rm -rf "$dist"
cp -R "$out" "$dist"

{
	echo build.sh licences.mjs package.json package-lock.json prepare.mjs setup.js
	find ../dist/shoelace -type f
} | tr ' ' '\n' | LC_ALL=C sort | xargs sha256sum >SUMS
(cd ../.. && go run ./internal/packed/pack web/dist/shoelace)
