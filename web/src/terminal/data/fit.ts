// How large the characters of a terminal are, so that a screen fits into a box, and how large a
// screen fits at a size of characters. This file does not use the DOM.

import type { Size } from "./frames";

/** Box is a part of a page in CSS pixels. */
export interface Box {
  readonly width: number;
  readonly height: number;
}

/** CellOf returns the size of a cell at a font size, both in CSS pixels. */
export type CellOf = (fontSize: number) => Box;

/** The smallest font size, in CSS pixels. A screen that does not fit then is cut. */
export const LEAST_FONT = 2;
/** The largest terminal that the server accepts, in rows or columns. */
const MOST_CELLS = 1000;
const STEP = 0.5;

/** fontFor returns the largest font size up to most at which a screen fits. */
export function fontFor(size: Size, box: Box, cellOf: CellOf, most: number): number {
  const fits = (font: number): boolean => {
    const cell = cellOf(font);
    return cell.width * size.cols <= box.width && cell.height * size.rows <= box.height;
  };
  let steps = Math.max(0, Math.floor((most - LEAST_FONT) / STEP));
  if (fits(most)) return most;
  // Cells grow with the font, so half of the rest can be left out at each step.
  let least = 0;
  while (least < steps) {
    const middle = Math.ceil((least + steps) / 2);
    if (fits(LEAST_FONT + middle * STEP)) least = middle;
    else steps = middle - 1;
  }
  return LEAST_FONT + least * STEP;
}

/** sizeFor returns the largest screen that fits at a font size; undefined if there is no room. */
export function sizeFor(box: Box, cellOf: CellOf, font: number): Size | undefined {
  const cell = cellOf(font);
  if (cell.width <= 0 || cell.height <= 0) return undefined;
  const cols = Math.min(MOST_CELLS, Math.floor(box.width / cell.width));
  const rows = Math.min(MOST_CELLS, Math.floor(box.height / cell.height));
  return cols < 2 || rows < 2 ? undefined : { cols, rows };
}
