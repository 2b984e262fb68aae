// The terminal, its style sheet, and widths of characters by grapheme clusters.
import "./style.js";

export { Terminal } from "@xterm/xterm";
export { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
export { default as css } from "@xterm/xterm/css/xterm.css";
