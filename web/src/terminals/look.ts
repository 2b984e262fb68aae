// How terminals look in this page, and what draws them.

import { DEFAULT_LOOK, type Look } from "../terminal/options";
import type { PaletteName } from "../terminal/palettes";
import { xtermAt } from "../terminal/xterm";
import { BASE } from "./api";
import type { Settings } from "./data/settings";

/** xterm is the xterm.js of this page. */
export const xterm = xtermAt(new URL("ui/xterm/", BASE).href);

/** look returns how terminals look with the settings. */
export function look({ theme, fontSize, screenReader }: Settings): Look {
  return { ...DEFAULT_LOOK, palette: theme === "system" ? systemPalette() : theme, fontSize, screenReader };
}

/** wantsContrast reports whether the system asks for high contrast. */
export function wantsContrast(): boolean {
  return matchMedia("(prefers-contrast: more)").matches;
}

/** systemPalette returns the colours that the system asks for. */
function systemPalette(): PaletteName {
  if (matchMedia("(forced-colors: active)").matches || wantsContrast()) return "contrast";
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
