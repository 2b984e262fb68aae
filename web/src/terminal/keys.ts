// What keys type, for those that xterm.js does not encode: keys of the page's own buttons, and keys
// that are pressed before xterm.js is loaded or while the person looks back.

import { utf8 } from "./data/frames";

/** Key is a key that keyboards of phones lack. */
export type Key = "Escape" | "Tab" | "ArrowUp" | "ArrowDown" | "ArrowRight" | "ArrowLeft" | "Home" | "End" | "PageUp" | "PageDown";

const KEYS: Readonly<Record<Key, string>> = {
  Escape: "\x1b", Tab: "\t", ArrowUp: "\x1b[A", ArrowDown: "\x1b[B", ArrowRight: "\x1b[C", ArrowLeft: "\x1b[D",
  Home: "\x1b[H", End: "\x1b[F", PageUp: "\x1b[5~", PageDown: "\x1b[6~",
};

const APPLICATION_KEYS: Readonly<Record<Key, string>> = {
  ...KEYS, ArrowUp: "\x1bOA", ArrowDown: "\x1bOB", ArrowRight: "\x1bOC", ArrowLeft: "\x1bOD", Home: "\x1bOH", End: "\x1bOF",
};

/** IS_MAC is whether the keyboard is one of Apple's. */
export const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

/** bytesOf returns what a key types; application is whether cursor keys are in application mode. */
export function bytesOf(key: Key, application: boolean): Uint8Array {
  return utf8((application ? APPLICATION_KEYS : KEYS)[key]);
}

/** typedBy returns what a key types, as xterm.js has it; undefined for keys of the browser. */
export function typedBy(event: KeyboardEvent): Uint8Array | Key | undefined {
  const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
  if (metaKey) return undefined;
  if (!ctrlKey && !altKey && !shiftKey && key in KEYS) return key as Key;
  const escape = altKey && !IS_MAC ? "\x1b" : "";
  if (key === "Enter") return utf8(`${escape}\r`);
  if (key === "Backspace") return utf8(`${escape}${ctrlKey ? "\b" : "\x7f"}`);
  if (key === "Delete" && !ctrlKey && !altKey && !shiftKey) return utf8("\x1b[3~");
  if (key === "Tab" && !ctrlKey && !altKey) return utf8("\x1b[Z");
  if ([...key].length !== 1) return undefined;
  if (event.getModifierState("AltGraph")) return utf8(key);
  if (!ctrlKey) return utf8(escape + key);
  return /^[a-z@[\\\]^_ ]$/.test(key) ? utf8(escape + String.fromCharCode(key.charCodeAt(0) & 0x1f)) : undefined;
}
