// Tells what xterm's headless engine makes of output. Each line of standard
// input is a case:
//
//	{"cols": 80, "rows": 24, "scrollback": 100, "steps": [
//	    {"write": BASE64}, {"resize": [COLS, ROWS]}, {"show": true}]}
//
// and is answered by a line with a list of screens, one for each "show":
//
//	{"cols", "rows": the size,
//	 "lines": [{"runs": [{"cells": ["a", "日"], "wide": true, "style": "1;31", "link": URI}], "wraps": true}],
//	          of the history and then of the screen, without plain blanks at their ends,
//	 "screen": which of the lines is the first of the screen,
//	 "x", "y": the cursor in the screen; x is cols when a wrap is pending,
//	 "hidden": the cursor is, "alternate": that screen shows, "modes": the names of those that are on,
//	 "title": the window's, "replies": all that was said to the program}
//
// A style is the parameters of the SGR sequence that makes it from plain text.
//
//	node screens.mjs FOLDER    (which has node_modules)
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { resolve } from "node:path";

const require = createRequire(resolve(process.argv[2], "any.js"));
const { Terminal } = require("@xterm/headless");
const { Unicode11Addon } = require("@xterm/addon-unicode11");

const flags = [
  ["isBold", "1"], ["isDim", "2"], ["isItalic", "3"], ["isBlink", "5"],
  ["isInverse", "7"], ["isInvisible", "8"], ["isStrikethrough", "9"], ["isOverline", "53"],
];

const rgb = (base, c) => `${base + 8}:2::${(c >> 16) & 255}:${(c >> 8) & 255}:${c & 255}`;

// indexed writes a colour of the palette. The colour of underlines (50) has no short form.
function indexed(base, i) {
  if (base < 50 && i < 8) return `${base + i}`;
  if (base < 50 && i < 16) return `${base + 60 + i - 8}`;
  return `${base + 8}:5:${i}`;
}

function style(cell) {
  const s = [];
  for (const [is, code] of flags) if (cell[is]()) s.push(code);
  // The kind and the colour of underlines are not in the published interface,
  // which takes all links to be underlined.
  const underlined = cell.getUnderlineStyle() !== 0;
  if (underlined) {
    const kind = (cell.extended._ext >>> 26) & 7;
    s.push(kind > 1 ? `4:${kind}` : "4");
  }
  if (cell.isFgRGB()) s.push(rgb(30, cell.getFgColor()));
  else if (cell.isFgPalette()) s.push(indexed(30, cell.getFgColor()));
  if (cell.isBgRGB()) s.push(rgb(40, cell.getBgColor()));
  else if (cell.isBgPalette()) s.push(indexed(40, cell.getBgColor()));
  if (underlined && cell.hasExtendedAttrs()) {
    const c = cell.extended.underlineColor;
    const form = (c >>> 24) & 3; // 0 none, 1 and 2 palette, 3 direct
    if (form === 3) s.push(rgb(50, c));
    else if (form !== 0) s.push(indexed(50, c & 255));
  }
  return s.join(";");
}

function link(term, cell) {
  const id = cell.hasExtendedAttrs() ? cell.extended.urlId : 0;
  return id ? term._core._oscLinkService.getLinkData(id)?.uri ?? "" : "";
}

// line returns row y of the buffer, which has as many lines as end says.
function line(term, buffer, y, end) {
  const row = buffer.getLine(y);
  const runs = [];
  let solid = 0; // runs up to the last one that is more than plain blanks
  let cells = 0; // and its cells up to the last one that is
  const width = Math.min(row.length, term.cols); // it keeps what a smaller size has cut
  for (let x = 0; x < width; x++) {
    const cell = row.getCell(x);
    if (cell.getWidth() === 0) continue; // the second column
    if (x + cell.getWidth() > width) break; // which was cut
    const run = { cells: [], wide: cell.getWidth() === 2, style: style(cell), link: link(term, cell) };
    const last = runs.at(-1);
    const same = last && last.wide === run.wide && last.style === run.style && last.link === run.link;
    if (!same) runs.push(run);
    const into = runs.at(-1);
    const text = cell.getChars() || " ";
    into.cells.push(text);
    if (text !== " " || into.style !== "" || into.link !== "") {
      solid = runs.length;
      cells = into.cells.length;
    }
  }
  runs.length = solid;
  if (solid > 0) runs[solid - 1].cells.length = cells;
  return { runs, wraps: y + 1 < end && buffer.getLine(y + 1).isWrapped };
}

function screen(term, title, replies) {
  const buffer = term.buffer.active;
  const lines = [];
  const end = buffer.baseY + term.rows;
  for (let y = 0; y < end; y++) lines.push(line(term, buffer, y, end));
  return {
    cols: term.cols, rows: term.rows, lines, screen: buffer.baseY,
    x: buffer.cursorX, y: buffer.cursorY,
    hidden: term._core.coreService.isCursorHidden,
    alternate: buffer.type === "alternate",
    modes: Object.entries(term.modes).filter(([, on]) => on && on !== "none").map(([name, on]) => on === true ? name : `${name} ${on}`),
    title, replies,
  };
}

function run({ cols, rows, scrollback, steps }) {
  const term = new Terminal({ cols, rows, scrollback, allowProposedApi: true, logLevel: "off" });
  term.loadAddon(new Unicode11Addon());
  term.unicode.activeVersion = "11";
  let title = "", replies = "";
  term.onTitleChange((s) => { title = s; });
  term.onData((s) => { replies += s; });
  const screens = [];
  for (const step of steps) {
    // The published write waits for a timer, which takes longer than all else.
    if (step.write !== undefined) term._core.writeSync(Buffer.from(step.write, "base64"));
    if (step.resize) term.resize(...step.resize);
    if (step.show) screens.push(screen(term, title, replies));
  }
  term.dispose();
  return screens;
}

for await (const request of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(run(JSON.parse(request))) + "\n");
}
