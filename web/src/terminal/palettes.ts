// The colours of terminals. Each has a contrast of at least 4.5 for text in the 16 colours, but for
// black on dark and white on light, which programs use as backgrounds; the third has at least 7.

import type { Colors } from "./xterm";

/** PaletteName names a palette. */
export type PaletteName = "dark" | "light" | "contrast";

export const palettes: Readonly<Record<PaletteName, Colors>> = {
  dark: {
    foreground: "#d8dee6", background: "#12161c", cursor: "#f2b84b", cursorAccent: "#12161c", selectionBackground: "#33506f",
    ansi: [
      "#2b323c", "#f07178", "#8cc570", "#e0b25b", "#6cb2f2", "#c792ea", "#5cc7c7", "#c5ccd6",
      "#7c8796", "#ff8f95", "#a6dd8c", "#f4cd7d", "#92caff", "#dcb1f8", "#81dede", "#ffffff",
    ],
  },
  light: {
    foreground: "#1f2630", background: "#ffffff", cursor: "#9a5b00", cursorAccent: "#ffffff", selectionBackground: "#b9d6f5",
    ansi: [
      "#1f2630", "#b3261e", "#2b6e1e", "#7d5600", "#0b5cad", "#8426a8", "#0b6b6b", "#5c6673",
      "#4a5462", "#c62828", "#33751f", "#855c00", "#1266c0", "#9330bb", "#0a7070", "#6b7480",
    ],
  },
  contrast: {
    foreground: "#ffffff", background: "#000000", cursor: "#ffff00", cursorAccent: "#000000", selectionBackground: "#ffff00", selectionForeground: "#000000",
    ansi: [
      "#000000", "#ff9090", "#66ff66", "#ffff66", "#8cc8ff", "#ff99ff", "#66ffff", "#ffffff",
      "#a8a8a8", "#ffb0b0", "#99ff99", "#ffff99", "#b3daff", "#ffbfff", "#99ffff", "#ffffff",
    ],
  },
};

/** contrastOf returns the least contrast of text that programs colour themselves. */
export function contrastOf(palette: PaletteName): number {
  return palette === "contrast" ? 7 : 4.5;
}

const NAMES = [
  "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
  "brightBlack", "brightRed", "brightGreen", "brightYellow", "brightBlue", "brightMagenta", "brightCyan", "brightWhite",
];

/** themeOf returns a palette as xterm.js takes it. */
export function themeOf({ ansi, ...rest }: Colors): Record<string, string> {
  return { ...rest, ...Object.fromEntries(NAMES.map((name, i) => [name, ansi[i]!])) };
}
