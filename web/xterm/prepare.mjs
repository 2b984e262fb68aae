// prepare.mjs FILE changes the build of xterm.js for pages whose Content-Security-Policy forbids
// inline styles: style elements become elements of ours (style.js), and style attributes become
// properties, both of which that policy allows.

import { readFileSync, writeFileSync } from "node:fs";

const [file] = process.argv.slice(2);
let text = readFileSync(file, "utf8");

function replace(what, by, times) {
  const parts = text.split(what);
  if (parts.length !== times + 1) throw new Error(`${file} has ${parts.length - 1} times ${what}, not ${times}`);
  text = parts.join(by);
}

replace('createElement("style")', 'createElement("xterm-style")', 3);
replace('t.setAttribute("style",`${t.getAttribute("style")||""}${e};`)', 't.style.cssText+=e+";"', 1);
writeFileSync(file, text);
