// Characters that no font of this machine has.

import { parentOf } from "../dom/viewport";
import type { Run } from "./flat";

const SIZE = 24;
const NOWHERE = "\u{1FFFE}"; // no character, so no font has it
const MOST = 300; // characters that are looked at

const canvas = new OffscreenCanvas(SIZE * 2, SIZE * 2).getContext("2d", { willReadFrequently: true });

function drawn(text: string, font: string): string {
  if (canvas === null) return text;
  canvas.clearRect(0, 0, SIZE * 2, SIZE * 2);
  canvas.font = `${SIZE}px ${font}`;
  canvas.textBaseline = "top";
  canvas.fillText(text, 2, 8);
  let out = `${canvas.measureText(text).width}:`;
  const { data } = canvas.getImageData(0, 0, SIZE * 2, SIZE * 2);
  for (let i = 3; i < data.length; i += 4) out += (data[i] ?? 0) > 127 ? "1" : "0";
  return out;
}

/** missing returns the texts with characters that are drawn as the browser draws what it has no font for. */
export function missing(runs: readonly Run[]): { node: Text; characters: string[] }[] {
  const found: { node: Text; characters: string[] }[] = [];
  const known = new Map<string, boolean>();
  const boxes = new Map<string, string>();
  for (const { node, text } of runs) {
    const parent = parentOf(node);
    if (parent === null || !/[^\u0000-\u024f]/u.test(text)) continue;
    const font = getComputedStyle(parent).fontFamily;
    const characters: string[] = [];
    for (const c of new Set(text)) {
      // Marks, and what is drawn together with others or not at all, say nothing alone.
      if (/[\u0000-\u024f\p{M}\p{Cc}\p{Cf}\p{Cs}\p{Z}\u{fe00}-\u{fe0f}]/u.test(c)) continue;
      const key = font + c;
      if (!known.has(key)) {
        if (known.size >= MOST) continue;
        const box = boxes.get(font) ?? drawn(NOWHERE, font);
        boxes.set(font, box);
        known.set(key, drawn(c, font) === box);
      }
      if (known.get(key) === true) characters.push(c);
    }
    if (characters.length > 0) found.push({ node, characters });
  }
  return found;
}
