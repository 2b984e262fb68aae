// Text on its way between a person and a program: what is pasted, and links. This file does not use
// the DOM.

/** Schemes of links that may be opened. */
const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** linkOf returns the address that a link may open, or undefined if it may not. */
export function linkOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  // Names and passwords before the host let an address look like another one.
  if (!SCHEMES.has(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  return url.href;
}

const ADDRESS = /\b(?:https?:\/\/|mailto:)[^\s"'`<>|\\^{}\p{C}]+/gu;
/** What ends a sentence rather than an address. */
const TAIL = /[.,;:!?…]+$/u;
const PAIRS: Readonly<Record<string, string>> = { ")": "(", "]": "[" };

/** addresses finds the addresses in a text that may be opened. */
export function addresses(text: string): { readonly at: number; readonly text: string }[] {
  return Array.from(text.matchAll(ADDRESS), ({ 0: found, index: at }) => ({ at, text: trim(found) })).filter((found) => linkOf(found.text) !== undefined);
}

/** trim cuts what belongs to the sentence around an address. */
function trim(address: string): string {
  for (;;) {
    const before = address;
    address = address.replace(TAIL, "");
    const close = address.at(-1) ?? "";
    const open = PAIRS[close];
    if (open !== undefined && count(address, close) > count(address, open)) address = address.slice(0, -1);
    if (address === before) return address;
  }
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

/**
 * pasteable returns text as a paste may contain it: without control characters other than tabs and
 * ends of lines, so that it can neither end the brackets around it nor press keys.
 */
export function pasteable(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, "");
}

/** linesOf returns how many lines a paste enters: a last one without its end counts. */
export function linesOf(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
