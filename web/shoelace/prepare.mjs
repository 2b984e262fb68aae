// prepare.mjs PACKAGE OUT ENTRIES writes what is not a matter of bundling: the
// icons as symbols into OUT/icons, and an entry for each component into ENTRIES.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [pkg, out, entries] = process.argv.slice(2);

const byInitial = new Map();
const icons = join(pkg, "dist/assets/icons");
for (const file of readdirSync(icons).filter((f) => f.endsWith(".svg")).sort()) {
  const name = file.slice(0, -".svg".length);
  const [, attributes, content] = /^<svg([^>]*)>([\s\S]*)<\/svg>\s*$/.exec(readFileSync(join(icons, file), "utf8"));
  const [, viewBox] = /viewBox="([^"]*)"/.exec(attributes);
  const symbol = `<symbol id="${name}" viewBox="${viewBox}" fill="currentColor">${content.replace(/>\s+</g, "><").trim()}</symbol>`;
  byInitial.set(name[0], [...(byInitial.get(name[0]) ?? []), symbol]);
}
mkdirSync(join(out, "icons"), { recursive: true });
for (const [initial, symbols] of byInitial) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join("\n")}\n</svg>\n`;
  writeFileSync(join(out, "icons", `${initial}.svg`), svg);
}

mkdirSync(entries, { recursive: true });
for (const component of readdirSync(join(pkg, "dist/components")).sort()) {
  const module = `@shoelace-style/shoelace/dist/components/${component}/${component}.js`;
  writeFileSync(join(entries, `sl-${component}.js`), `import "../setup.js";\nimport "${module}";\n`);
}
