// Terminals of xterm.js, as all parts of the page open and colour them.

import { adopt } from "../elements";
import type { Look } from "./options";
import { contrastOf, palettes, themeOf } from "./palettes";
import type { Terminal, XtermModule } from "./xterm";

/** restyle gives a terminal the look, but for the size of its letters, which depends on its room. */
export function restyle(terminal: Terminal, look: Look): void {
  Object.assign(terminal.options, styleOf(look));
}

function styleOf({ palette, fontFamily, screenReader }: Look) {
  return { theme: themeOf(palettes[palette]), fontFamily, screenReaderMode: screenReader, minimumContrastRatio: contrastOf(palette) };
}

/** openTerminal opens a terminal in an element. more are further options of xterm.js. */
export function openTerminal({ Terminal, UnicodeGraphemesAddon, css }: XtermModule, host: HTMLElement, look: Look, more: Readonly<Record<string, unknown>>): Terminal {
  const terminal = new Terminal({ allowProposedApi: true, scrollback: 0, rescaleOverlappingGlyphs: true, ...styleOf(look), ...more });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  terminal.unicode.activeVersion = "15-graphemes";
  adopt(host, css);
  terminal.open(host);
  return terminal;
}
