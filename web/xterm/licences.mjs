// licences.mjs METAFILE prints the licences of the packages that esbuild has
// bundled, as its metafile lists them.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const packages = new Set();
for (const input of Object.keys(JSON.parse(readFileSync(process.argv[2], "utf8")).inputs)) {
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
  if (name !== undefined) packages.add(name);
}
console.log("What is in this folder is made from the packages below.");
for (const name of [...packages].sort()) {
  const dir = join("node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
  const file = readdirSync(dir).find((f) => /^licen[cs]e/i.test(f));
  const text = file === undefined ? `(no text in the package; its package.json says: ${license})` : readFileSync(join(dir, file), "utf8").trim();
  console.log(`\n${"=".repeat(78)}\n${name} ${version}\n\n${text}`);
}
